"""What every route works with: the application context, the request, and responses in the requested format."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import format_datetime, parsedate_to_datetime
from functools import cached_property
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qsl, quote, urlencode

from fastapi import Depends, Header, Query, Request, Response
from pydantic import BeforeValidator, TypeAdapter
from starlette.types import Receive, Scope, Send

from api.brain import Brain
from api.http.api_route import ApiRoute
from api.http.responses import csv_tables
from api.http.responses.content_negotiation import MEDIA, media_type, preferred
from api.http.responses.problem_details import ProblemError
from api.http.responses.site_address import site_of
from api.models.iso_day import IsoDay
from graph.store import cursors
from graph.store.cursors import Cursor
from graph.values import dumps

Item = TypeVar("Item")
PLAIN = "/:@!$&'()*+,;=~"
"""Characters that need no escape in the path of an address (RFC 3986)."""
_ANY: TypeAdapter[Any] = TypeAdapter(Any)
_WHOLE = re.compile(r"-?[0-9]{1,20}")
_NUMBER = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,20})?")
Writer = Callable[[], bytes]


def _written(pattern: re.Pattern[str], example: str) -> BeforeValidator:
    """Refuses text that is written in another way: int() also reads +5, ' 5', 5_0 and ٥."""

    def check(given: object) -> object:
        if isinstance(given, str) and not pattern.fullmatch(given):
            raise ValueError(f"write a number in digits, as {example}")
        return given

    return BeforeValidator(check)


WHOLE = _written(_WHOLE, "100")
"""For an integer: only the digits 0 to 9. It must follow `Query` or `Path`, or the schema loses their bounds."""
DECIMAL = _written(_NUMBER, "0.5")
"""For a number: only the digits 0 to 9 and a point."""


class ExactJsonResponse(Response):
    """JSON; a decimal is a number with every digit it has."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:  # noqa: ANN401  # the signature of the class above
        """The content as UTF-8 text; models become dictionaries all at once, which is several times as fast."""
        return dumps(_ANY.dump_python(content)).encode("utf-8", "replace")


class ForwardedResponse(Response):
    """The answer of another address of this service, given here."""

    def __init__(self, path: str, headers: Mapping[str, str]) -> None:
        super().__init__(headers={**headers, "Content-Location": quote(path, PLAIN)})
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ask the application again."""
        own = [pair for pair in self.raw_headers if pair[0] in {b"link", b"content-location"}]

        async def sent(message: Any) -> None:  # noqa: ANN401  # a message of ASGI
            if message["type"] == "http.response.start" and message["status"] == 200:
                message["headers"] = [*message["headers"], *own]
            await send(message)

        kept = ("type", "asgi", "http_version", "server", "client", "scheme", "method", "root_path", "headers", "state")
        fresh = {key: scope[key] for key in kept if key in scope}
        place = {"path": self._path, "raw_path": quote(self._path).encode(), "query_string": b""}
        await scope["app"]({**fresh, **place}, receive, sent)


@dataclass(frozen=True)
class AppContext:
    """The brain as the callers see it, the clock, and the public address; `pages`: web pages are served too.

    If `brain` is a view, `whole` is the brain behind it, which writes use.
    """

    brain: Brain
    clock: Callable[[], datetime]
    pages: bool = False
    whole: Brain | None = None

    @property
    def writable(self) -> Brain:
        """The brain that is written to."""
        return self.whole or self.brain

    def site(self, request: Request) -> str:
        """The address for links in an answer: the public one, else the one that the request was sent to."""
        return site_of(self.brain, request)


@dataclass(frozen=True)
class RequestedDay:
    """The day of a request; `named` is True if the request states it."""

    day: date
    named: bool


@dataclass(frozen=True)
class PageWindow:
    """Which part of a list the request selects."""

    limit: int
    cursor: str | None


class RequestContext:
    """One question: in which form it wants its answer, and how that is given."""

    def __init__(self, request: Request, form: str) -> None:
        self.request, self.form = request, form
        self.desk: AppContext = request.app.state.desk
        self.route: ApiRoute = request.scope["route"]

    @property
    def site(self) -> str:
        """The address of the service, for links and IRIs in the answer."""
        return self.desk.site(self.request)

    @cached_property
    def path(self) -> str:
        """The requested address, encoded."""
        return quote(self.request.url.path, PLAIN)

    def address(self, **changed: str) -> str:
        """This address with parameters put in the place of those given; other parameters stay."""
        asked = self.request.scope["query_string"]
        pairs = parse_qsl(asked.decode("latin-1"), keep_blank_values=True) if asked else []
        kept = [(name, value) for name, value in pairs if name not in changed]
        query = urlencode([*kept, *changed.items()])
        return f"{self.path}?{query}" if query else self.path

    def record(
        self,
        value: object,
        writers: Mapping[str, Writer] | None = None,
        *,
        cite: str | None = None,
        page: str | None = None,
    ) -> Response:
        """One thing; `writers` give its other forms, `cite` is the address under which it should be cited.

        Its page is at `page`, or at its own address without `/v1`.
        """
        links = [f'<{cite}>; rel="cite-as"'] if cite else []
        headers = self.headers(links)
        if self.form == "html":
            return ForwardedResponse(page or self.request.url.path.removeprefix("/v1"), headers)
        if self.form == "json":
            return ExactJsonResponse(value, headers=headers)
        body = (writers or {})[self.form]()
        return Response(body, headers=headers, media_type=media_type(self.form))

    def items(
        self,
        found: Iterable[object],
        *,
        next: str | None = None,  # noqa: A002  # a key of the contract
        **more: object,
    ) -> Response:
        """A list: `items`, `next` and other members; as CSV its items alone."""
        listed = list(found)
        links = [f'<{self.address(cursor=next)}>; rel="next"'] if next else []
        headers = self.headers(links)
        if self.form == "csv":
            told = {**headers, "X-Total": str(more.get("total", len(listed)))}
            table = csv_tables.render(listed, csv_tables.columns(self.route.answer))
            return Response(table, headers=told, media_type=CSV)
        return ExactJsonResponse({"items": listed, "next": next, **more}, headers=headers)

    def page(
        self, found: Sequence[Item], window: PageWindow, key: Callable[[Item], Cursor], **more: object
    ) -> Response:
        """A part of a list in the order of its keys; a cursor names the last key that was sent.

        Raises:
            CursorError: the cursor is not of this list.
        """
        rest = items_after(found, window.cursor, self.scope, key)
        shown = rest[: window.limit]
        following = key(shown[-1]).text(self.scope) if len(rest) > len(shown) else None
        return self.items(shown, next=following, total=len(found), **more)

    @property
    def scope(self) -> str:
        """The list that a cursor belongs to: everything but the page and the form."""
        pairs = parse_qsl(self.request.scope["query_string"].decode("latin-1"), keep_blank_values=True)
        return f"{self.request.url.path}?{sorted(pair for pair in pairs if pair[0] not in PAGING)}"

    def _before_format(self) -> str:
        """This address up to and with `format=`."""
        return self.address(format="") if self.request.scope["query_string"] else f"{self.path}?format="

    def headers(self, links: Sequence[str] = ()) -> dict[str, str]:
        """Links to the other forms and to the description; the day, if the request names one by header."""
        others = alternates(offered_formats(self.route, self.desk), self.form)
        told = {"Link": link_header(links, self._before_format() if others else "", others)}
        memento = getattr(self.request.state, "memento", None)
        if memento is not None:
            at = datetime(memento.year, memento.month, memento.day, tzinfo=UTC)
            told |= {"Memento-Datetime": format_datetime(at, usegmt=True)}
            told |= {"Content-Location": self.address(as_of=memento.isoformat())}
        return told


def link_header(links: Sequence[str], start: str, others: Sequence[str]) -> str:
    """The Link header: `links`, the `alternates` of an address that begins with `start`, and the description."""
    return ", ".join([*links, *[f"<{start}{end}" for end in others], DESCRIBED])


CSV = media_type("csv")
DESCRIBED = '</openapi.json>; rel="describedby"; type="application/vnd.oai.openapi+json"'
PAGING = frozenset({"cursor", "limit", "format"})


def items_after(found: Sequence[Item], cursor: str | None, scope: str, key: Callable[[Item], Cursor]) -> Sequence[Item]:
    """The items of an ordered list that come after a cursor.

    Raises:
        CursorError: the cursor is not of this list.
    """
    if cursor is None:
        return found
    kind: Any = type(key(found[0]).key) if found else str
    last = cursors.read(cursor, scope, kind)
    return found[bisect_right(found, _order(last), key=lambda item: _order(key(item))) :]


def _order(at: Cursor) -> tuple[Any, str]:
    return at.key, at.id


def offered_formats(route: ApiRoute, desk: AppContext) -> tuple[str, ...]:
    """The forms of a route; pages only where there are any."""
    return route.forms if desk.pages else tuple(form for form in route.forms if form != "html")


def alternates(forms: Iterable[str], form: str) -> list[str]:
    """The links to the other forms of an answer, each without its beginning: an address that ends with `format=`."""
    return [f'{other}>; rel="alternate"; type="{MEDIA[other]}"' for other in forms if other != form]


# These three wait for nothing; as coroutines they run where they are called, without a thread each.
async def request_context(
    request: Request,
    format: Annotated[str | None, Query(description="The form of the answer, in place of the Accept header.")] = None,  # noqa: A002  # the name in the contract
) -> RequestContext:
    """The question; refused with 406 where no form that there is will do."""
    forms = offered_formats(request.scope["route"], request.app.state.desk)
    accept = request.headers.get("accept", "*/*")
    form = preferred(accept, forms) if format is None else format if format in forms else None
    if form is None:
        asked = f"format={format}" if format is not None else f"Accept: {accept}"
        types = ", ".join(f"{form} ({MEDIA[form]})" for form in forms)
        detail = f"{asked[:200]!r} takes none of the forms there are: {types}."
        raise ProblemError("not-acceptable", detail, available=[MEDIA[form] for form in forms])
    return RequestContext(request, form)


async def requested_day(
    request: Request,
    as_of: Annotated[
        IsoDay | None,
        Query(description="The day to answer for. Default: today, or Accept-Datetime.", examples=["2026-11-21"]),
    ] = None,
    accept_datetime: Annotated[
        str | None,
        Header(
            description="The day to answer for, as an HTTP date (RFC 7089).", examples=["Sat, 01 Feb 2025 00:00:00 GMT"]
        ),
    ] = None,
) -> RequestedDay:
    """The day: `as_of`, else the day of `Accept-Datetime`, else today."""
    if as_of is not None:
        return RequestedDay(as_of, named=True)
    if accept_datetime is None:
        return RequestedDay(request.app.state.desk.clock().date(), named=False)
    day = _memento(accept_datetime)
    request.state.memento = day
    return RequestedDay(day, named=True)


def _memento(text: str) -> date:
    try:
        return parsedate_to_datetime(text).astimezone(UTC).date()
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        detail = f"{text[:80]!r} is no HTTP date; write it as Sat, 01 Feb 2025 00:00:00 GMT."
        raise ProblemError("invalid-datetime", detail) from error


async def page_window(
    limit: Annotated[
        int, Query(ge=1, le=1000, description="Maximum number of items, up to 1,000.", examples=[100]), WHOLE
    ] = 100,
    cursor: Annotated[str | None, Query(description="`next` of the page before, with the same filters.")] = None,
) -> PageWindow:
    """The requested part of a list."""
    return PageWindow(limit, cursor or None)


OfBrain = Annotated[
    str | None, Query(max_length=160, description="Only what belongs to this brain.", examples=["analyst"])
]
"""A filter of lists."""

Ask = Annotated[RequestContext, Depends(request_context)]
Day = Annotated[RequestedDay, Depends(requested_day)]
Part = Annotated[PageWindow, Depends(page_window)]
