"""Parameters that several routes take."""

from __future__ import annotations

import re
from datetime import UTC, date
from email.utils import parsedate_to_datetime
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Query, Request
from pydantic import BeforeValidator

from api.http.responses.problem_details import ProblemError
from api.http.responses.request_context import AppContext, PageWindow, RequestContext
from api.models.api_models import IsoDay


def query(description: str, *examples: object, **rules: Any) -> Any:  # noqa: ANN401  # as `Query` itself
    """A query parameter."""
    return Query(description=description, examples=list(examples) or None, **rules)


def path(description: str, example: object, **rules: Any) -> Any:  # noqa: ANN401  # as `Path` itself
    """A path parameter."""
    return Path(description=description, examples=[example], **rules)


def _digits(given: object) -> object:
    """Refuse other spellings, which int() reads: +5, ' 5', 5_0 and ٥."""
    if isinstance(given, str) and not re.fullmatch(r"-?[0-9]{1,20}", given):
        raise ValueError("write a number in digits, as 100")
    return given


WHOLE = BeforeValidator(_digits)
"""For an integer of the digits 0 to 9. It must follow `Query` or `Path`, or the schema loses their bounds."""

Brain = Annotated[str, path("The name of a brain.", "analyst")]
Slug = Annotated[str, path("The slug of a node in it.", "caching-and-batch-stack")]
Claim = Annotated[str, path("The id of a claim.", "sonnet-cached-batch-discount")]
Run = Annotated[int, path("The number of a run.", 1, ge=1, le=2**31 - 1), WHOLE]
Item = Annotated[str, path("`provider/thing`, another spelling of it, or a family.", "anthropic/claude-3-5-sonnet")]

OfBrain = Annotated[str | None, query("Only what belongs to this brain.", "analyst", max_length=160)]
OfTag = Annotated[str | None, query("Only claims with this tag.", "batch")]
Known = Annotated[IsoDay | None, query("Only what the service knew on this day: prices and claims as they were then.")]
MONEY = "A currency code: money is shown in it, at the exchange rate of each day."
Currency = Annotated[str | None, query(MONEY, "EUR")]
DryRun = Annotated[bool, query("Say what would happen; write nothing.")]


HTTP_DATE = "Sat, 01 Feb 2025 00:00:00 GMT"
HTTP_DAY = "The day to answer for, as an HTTP date (RFC 7089)."
AsOf = Annotated[IsoDay | None, query("The day to answer for. Default: today, or Accept-Datetime.", "2026-11-21")]
AcceptDatetime = Annotated[str | None, Header(description=HTTP_DAY, examples=[HTTP_DATE])]


# Coroutines, so that each runs on the event loop instead of in a thread.
async def requested_day(request: Request, as_of: AsOf = None, accept_datetime: AcceptDatetime = None) -> date:
    """`as_of`, else the day of `Accept-Datetime`, else today."""
    if as_of is not None:
        return as_of
    if accept_datetime is None:
        app_context: AppContext = request.state.app_context
        return app_context.clock().date()
    try:
        day = parsedate_to_datetime(accept_datetime).astimezone(UTC).date()
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        detail = f"{accept_datetime[:80]!r} is not an HTTP date; write it as {HTTP_DATE}."
        raise ProblemError("invalid-datetime", detail) from error
    request.state.memento = day
    return day


Limit = Annotated[int, query("Maximum number of items, up to 1,000.", 100, ge=1, le=1000), WHOLE]
After = Annotated[str | None, query("`next` of the page before, with the same filters.")]


async def page_window(limit: Limit = 100, cursor: After = None) -> PageWindow:
    """The requested part of a list."""
    return PageWindow(limit, cursor or None)


async def node_id(brain: Brain, slug: Slug) -> str:
    """The id of a node from the two parts of its address."""
    return f"{brain}/{slug}"


Ask = RequestContext
Day = Annotated[date, Depends(requested_day)]
Part = Annotated[PageWindow, Depends(page_window)]
Node = Annotated[str, Depends(node_id)]
