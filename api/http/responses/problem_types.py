"""The kinds of problem that the API answers with: each a status, a title, and what a caller can do about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ProblemType:
    """One kind of problem; `/problems/NAME` describes it. `example` is a possible detail."""

    status: int
    title: str
    advice: str
    example: str


KINDS: dict[str, ProblemType] = {
    "malformed-request": ProblemType(
        400,
        "Malformed request",
        "Write the address in UTF-8 without control characters, and the length of the body as a number.",
        "The address holds a control character.",
    ),
    "invalid-datetime": ProblemType(
        400,
        "Invalid Accept-Datetime",
        "Write the header as an HTTP date, or use ?as_of= with a day.",
        "'yesterday' is no HTTP date; write it as Sat, 01 Feb 2025 00:00:00 GMT.",
    ),
    "query-syntax": ProblemType(
        400,
        "The query cannot be read",
        "Correct the query at the line and column that are named.",
        "line 1, column 8: expected a variable",
    ),
    "query-request": ProblemType(
        400,
        "Not a SPARQL query request",
        "Send one `query` in UTF-8; name graphs by absolute IRIs.",
        "Expected one `query`, found 2.",
    ),
    "unauthorized": ProblemType(
        401,
        "A token is needed",
        "Send Authorization: Bearer with a valid token: BRAIN_TOKEN of the operator, or one of brain tokens create.",
        "This needs Authorization: Bearer and a token of this service.",
    ),
    "read-only": ProblemType(
        403,
        "The service is read-only",
        "Writing is disabled: the operator has set no BRAIN_TOKEN and created no token.",
        "This service is read-only: no BRAIN_TOKEN is set, and no token was created.",
    ),
    "forbidden": ProblemType(
        403,
        "The token does not allow this",
        "Use a token with the scope, and for the brain, that `detail` names.",
        "This needs a token with the scope write; this one has read.",
    ),
    "cross-site": ProblemType(
        403,
        "A page of another site sent this",
        "Send the form from a page of this service; the operator adds sites with the setting BRAIN_CORS.",
        "A page of 'https://example.org' sent this POST request; only pages of this service may.",
    ),
    "query-refused": ProblemType(
        403,
        "The query asks for more than reading",
        "Use SELECT, ASK, CONSTRUCT or DESCRIBE, without SERVICE.",
        "INSERT is an update; this service only answers SELECT, ASK, CONSTRUCT and DESCRIBE",
    ),
    "not-found": ProblemType(
        404,
        "Not found",
        "Look the name up in the list; `near` holds names like it.",
        "There is no node analyst/batch-discount.",
    ),
    "method-not-allowed": ProblemType(
        405,
        "Method not allowed",
        "Use a method that the Allow header lists.",
        "This address takes GET, HEAD.",
    ),
    "not-acceptable": ProblemType(
        406,
        "Not acceptable",
        "Accept one of the media types in `available`, or name a form by ?format=.",
        "'Accept: image/png' takes none of the forms there are: json (application/json).",
    ),
    "request-timeout": ProblemType(
        408,
        "The request was not complete in time",
        "Send the request again, without pauses.",
        "The head of the request was not complete after 20 seconds.",
    ),
    "conflict": ProblemType(
        409,
        "Conflict",
        "Give the node or claim another id, or change the document that has it.",
        "b.md brings the node own/batch, which a.md already has",
    ),
    "nothing-raised": ProblemType(
        409,
        "Nothing to acknowledge",
        "Acknowledge claims with a raised flag: /v1/claims/ID/flags lists the flags of a claim.",
        "cheap-rent has no raised flag: there is nothing to acknowledge.",
    ),
    "gone": ProblemType(
        410,
        "Gone",
        "It was removed from its document, or has another id; `tombstone` says what it was, `renamed` the id now.",
        "The node analyst/old was removed.",
    ),
    "precondition-failed": ProblemType(
        412,
        "Precondition failed",
        "Read again, look at what has changed, and write with the new entity tag.",
        "The store has changed since that entity tag was given.",
    ),
    "content-too-large": ProblemType(
        413,
        "Content too large",
        "Send less at once.",
        "The body is larger than 16777216 bytes.",
    ),
    "quota-exceeded": ProblemType(
        413,
        "The brain is full",
        "Nothing was written. Remove documents of the brain, or ask the operator for a larger quota.",
        "The brain mara would hold 1,001 nodes, its quota is 1,000.",
    ),
    "uri-too-long": ProblemType(
        414,
        "URI too long",
        "Ask for less in one address; a SPARQL query may be sent by POST.",
        "The address is longer than 16384 bytes.",
    ),
    "unsupported-media-type": ProblemType(
        415,
        "Unsupported media type",
        "Send the body as one of the media types in `accepted`.",
        "A body of image/png is not read here.",
    ),
    "host-not-allowed": ProblemType(
        421,
        "Host not allowed",
        "Use a host name of this service; the operator adds names with the setting BRAIN_ALLOWED_HOSTS.",
        "The host 'example.org' is not allowed; add it to the setting BRAIN_ALLOWED_HOSTS.",
    ),
    "invalid-request": ProblemType(
        422,
        "Invalid request",
        "Correct the parameters in `errors`.",
        "query.limit: Input should be less than or equal to 1000",
    ),
    "invalid-cursor": ProblemType(
        422,
        "Invalid cursor",
        "Take `next` of the page before and keep the same filters, or begin again without a cursor.",
        "'abc' is no cursor of this list: take `next` of the page before, with the same filters",
    ),
    "invalid-number": ProblemType(
        422,
        "A number cannot be read",
        "Write a number with its unit, as 2.50 USD/GPU/h; a + in an address is %2B.",
        "rate: an override is one number with its unit",
    ),
    "invalid-currency": ProblemType(
        422,
        "Not in this currency",
        "Write a currency code such as EUR; only amounts of money can be converted.",
        "'EURO' is not a currency; did you mean 'EUR'?",
    ),
    "unknown-input": ProblemType(
        422,
        "Unknown input",
        "Use one of the names in `names`; `near` holds names like the one given.",
        "Nothing in the claim h100-break-even-utilisation reads rat; did you mean rate? Inputs that can be set: rate",
    ),
    "invalid-document": ProblemType(
        422,
        "The document was refused",
        "Correct what `problems` lists; nothing was stored.",
        "note.md has 1 error; nothing was stored.",
    ),
    "query-limit": ProblemType(
        422,
        "The query was stopped",
        "Ask for less: add patterns that join, or a LIMIT.",
        "the query was stopped after 5 s; ask for less: add patterns that join, or a LIMIT",
    ),
    "headers-too-large": ProblemType(
        431,
        "Headers too large",
        "Send fewer or shorter headers.",
        "The headers are larger than 65536 bytes.",
    ),
    "internal-error": ProblemType(
        500,
        "Internal error",
        "Report the request id to the operator.",
        "Something broke here; it is in the log under the request id.",
    ),
    "method-unknown": ProblemType(
        501,
        "Unknown method",
        "Use a method of HTTP; /docs lists those of each address.",
        "There is no method BREW.",
    ),
    "unavailable": ProblemType(
        503,
        "Not available now",
        "Try again after the seconds in Retry-After.",
        "the store is being written by another process; try again",
    ),
    "insufficient-storage": ProblemType(
        507,
        "The disk is full",
        "What was being written is not stored. The operator has to free some space; then send the request again.",
        "The disk is full: this transaction was not written to the store; free some space and try again.",
    ),
}
"""By name, in the order of their status."""
