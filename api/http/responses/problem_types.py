"""The kinds of problem that the API answers with: each a status, a title, and what a caller can do about it."""

from __future__ import annotations

import re
from typing import NamedTuple


class ProblemType(NamedTuple):
    """One kind of problem; `/problems/NAME` describes it."""

    status: int
    title: str
    advice: str


TABLE = """\
400 malformed-request: Malformed request
    Write the address in UTF-8 without control characters, and the length of the body as a number.
400 invalid-datetime: Invalid Accept-Datetime
    Write the header as an HTTP date, or use ?as_of= with a day.
400 query-syntax: The query cannot be read
    Correct the query at the line and column that are named.
400 query-request: Not a SPARQL query request
    Send one `query` in UTF-8; name graphs by absolute IRIs.
401 unauthorized: A token is needed
    Send Authorization: Bearer with a valid token: BRAIN_TOKEN of the operator, or one of brain tokens create.
403 read-only: The service is read-only
    Writing is disabled: the operator has set no BRAIN_TOKEN and created no token.
403 forbidden: The token does not allow this
    Use a token with the scope, and for the brain, that `detail` names.
403 cross-site: A page of another site sent this
    Send the form from a page of this service; the operator adds sites with the setting BRAIN_CORS.
403 query-refused: The query asks for more than reading
    Use SELECT, ASK, CONSTRUCT or DESCRIBE, without SERVICE.
404 not-found: Not found
    Look the name up in the list; `near` holds names like it.
405 method-not-allowed: Method not allowed
    Use a method that the Allow header lists.
406 not-acceptable: Not acceptable
    Accept one of the media types in `available`, or name a form by ?format=.
408 request-timeout: The request was not complete in time
    Send the request again, without pauses.
409 conflict: Conflict
    Give the node or claim another id, or change the document that has it.
409 nothing-raised: Nothing to acknowledge
    Acknowledge claims with a raised flag: /v1/claims/ID/flags lists the flags of a claim.
410 gone: Gone
    It was removed from its document, or has another id; `tombstone` says what it was, `renamed` the id now.
412 precondition-failed: Precondition failed
    Read again, look at what has changed, and write with the new entity tag.
413 content-too-large: Content too large
    Send less at once.
413 quota-exceeded: The brain is full
    Nothing was written. Remove documents of the brain, or ask the operator for a larger quota.
414 uri-too-long: URI too long
    Ask for less in one address; a SPARQL query may be sent by POST.
415 unsupported-media-type: Unsupported media type
    Send the body as one of the media types in `accepted`.
421 host-not-allowed: Host not allowed
    Use a host name of this service; the operator adds names with the setting BRAIN_ALLOWED_HOSTS.
422 invalid-request: Invalid request
    Correct the parameters in `errors`.
422 invalid-cursor: Invalid cursor
    Take `next` of the page before and keep the same filters, or begin again without a cursor.
422 invalid-number: A number cannot be read
    Write a number with its unit, as 2.50 USD/GPU/h; a + in an address is %2B.
422 invalid-currency: Not in this currency
    Write a currency code such as EUR; only amounts of money can be converted.
422 unknown-input: Unknown input
    Use one of the names in `names`; `near` holds names like the one given.
422 invalid-document: The document was refused
    Correct what `problems` lists; nothing was stored.
422 query-limit: The query was stopped
    Ask for less: add patterns that join, or a LIMIT.
431 headers-too-large: Headers too large
    Send fewer or shorter headers.
500 internal-error: Internal error
    Report the request id to the operator.
501 method-unknown: Unknown method
    Use a method of HTTP; /docs lists those of each address.
503 unavailable: Not available now
    Try again after the seconds in Retry-After.
507 insufficient-storage: The disk is full
    What was being written is not stored. The operator has to free some space; then send the request again.
"""
"""Status, name and title of each kind; below them the advice."""

KINDS = {
    name: ProblemType(int(status), *told)
    for status, name, *told in re.findall(r"^(\d+) (\S+): (.+)\n    (.+)$", TABLE, re.MULTILINE)
}
"""By name, in the order of their status."""
