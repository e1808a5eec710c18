"""The kinds of problem that the API answers with: each a status, a title, and what a caller can do about it."""

from __future__ import annotations

import re
from typing import NamedTuple


class ProblemType(NamedTuple):
    """One kind of problem; `/problems/NAME` describes it. `example` is a possible detail."""

    status: int
    title: str
    advice: str
    example: str


TABLE = """\
400 malformed-request: Malformed request
    Write the address in UTF-8 without control characters, and the length of the body as a number.
    The address holds a control character.
400 query-syntax: The query cannot be read
    Correct the query at the line and column that are named.
    line 1, column 8: expected a variable
400 query-request: Not a SPARQL query request
    Send one `query` in UTF-8; name graphs by absolute IRIs.
    Expected one `query`, found 2.
401 unauthorized: A token is needed
    Send Authorization: Bearer with a valid token: BRAIN_TOKEN of the operator, or one of brain tokens create.
    This needs Authorization: Bearer and a token of this service.
403 read-only: The service is read-only
    Writing is disabled: the operator has set no BRAIN_TOKEN and created no token.
    This service is read-only: no BRAIN_TOKEN is set, and no token was created.
403 forbidden: The token does not allow this
    Use a token with the scope, and for the brain, that `detail` names.
    This needs a token with the scope write; this one has read.
403 cross-site: A page of another site sent this
    Send the form from a page of this service; the operator adds sites with the setting BRAIN_CORS.
    A page of 'https://example.org' sent this POST request; only pages of this service may.
403 query-refused: The query asks for more than reading
    Use SELECT, ASK, CONSTRUCT or DESCRIBE, without SERVICE.
    INSERT is an update; this service only answers SELECT, ASK, CONSTRUCT and DESCRIBE
404 not-found: Not found
    Look the name up in the list; `near` holds names like it.
    There is no node analyst/batch-discount.
405 method-not-allowed: Method not allowed
    Use a method that the Allow header lists.
    This address takes GET, HEAD.
406 not-acceptable: Not acceptable
    Accept one of the media types in `available`, or name a form by ?format=.
    'Accept: image/png' takes none of the forms there are: json (application/json).
408 request-timeout: The request was not complete in time
    Send the request again, without pauses.
    The head of the request was not complete after 20 seconds.
409 conflict: Conflict
    Give the node or claim another id, or change the document that has it.
    b.md brings the node own/batch, which a.md already has
409 nothing-raised: Nothing to acknowledge
    Acknowledge claims with a raised flag: /v1/claims/ID/flags lists the flags of a claim.
    cheap-rent has no raised flag: there is nothing to acknowledge.
410 gone: Gone
    It was removed from its document, or has another id; `tombstone` says what it was, `renamed` the id now.
    The node analyst/old was removed.
412 precondition-failed: Precondition failed
    Read again, look at what has changed, and write with the new entity tag.
    The store has changed since that entity tag was given.
413 content-too-large: Content too large
    Send less at once.
    The body is larger than 16777216 bytes.
413 quota-exceeded: The brain is full
    Nothing was written. Remove documents of the brain, or ask the operator for a larger quota.
    The brain mara would hold 1,001 nodes, its quota is 1,000.
414 uri-too-long: URI too long
    Ask for less in one address; a SPARQL query may be sent by POST.
    The address is longer than 16384 bytes.
415 unsupported-media-type: Unsupported media type
    Send the body as one of the media types in `accepted`.
    A body of image/png is not read here.
421 host-not-allowed: Host not allowed
    Use a host name of this service; the operator adds names with the setting BRAIN_ALLOWED_HOSTS.
    The host 'example.org' is not allowed; add it to the setting BRAIN_ALLOWED_HOSTS.
422 invalid-request: Invalid request
    Correct the parameters in `errors`.
    query.limit: Input should be less than or equal to 1000
422 invalid-cursor: Invalid cursor
    Take `next` of the page before and keep the same filters, or begin again without a cursor.
    'abc' is no cursor of this list: take `next` of the page before, with the same filters
422 invalid-number: A number cannot be read
    Write a number with its unit, as 2.50 USD/GPU/h; a + in an address is %2B.
    rate: an override is one number with its unit
422 invalid-currency: Not in this currency
    Write a currency code such as EUR; only amounts of money can be converted.
    'EURO' is not a currency; did you mean 'EUR'?
422 unknown-input: Unknown input
    Use one of the names in `names`; `near` holds names like the one given.
    Nothing in the claim h100-break-even-utilisation reads rat; did you mean rate? Inputs that can be set: rate
422 invalid-document: The document was refused
    Correct what `problems` lists; nothing was stored.
    note.md has 1 error; nothing was stored.
422 query-limit: The query was stopped
    Ask for less: add patterns that join, or a LIMIT.
    the query was stopped after 5 s; ask for less: add patterns that join, or a LIMIT
431 headers-too-large: Headers too large
    Send fewer or shorter headers.
    The headers are larger than 65536 bytes.
500 internal-error: Internal error
    Report the request id to the operator.
    Something broke here; it is in the log under the request id.
501 method-unknown: Unknown method
    Use a method of HTTP; /docs lists those of each address.
    There is no method BREW.
503 unavailable: Not available now
    Try again after the seconds in Retry-After.
    the store is being written by another process; try again
507 insufficient-storage: The disk is full
    What was being written is not stored. The operator has to free some space; then send the request again.
    The disk is full: this transaction was not written to the store; free some space and try again.
"""
"""Status, name and title of each kind; below them the advice and the example."""

KINDS = {
    name: ProblemType(int(status), *told)
    for status, name, *told in re.findall(r"^(\d+) (\S+): (.+)\n    (.+)\n    (.+)$", TABLE, re.MULTILINE)
}
"""By name, in the order of their status."""
