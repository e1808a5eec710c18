"""What every route works with: the application context, the request, and responses in the requested format."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from email.utils import format_datetime, parsedate_to_datetime
from functools import cached_property
from typing import Annotated, Any, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

from fastapi import Depends, Header, Request, Response
from pydantic import TypeAdapter
from starlette.types import Receive, Scope

from api.brain import Brain
from api.http.middleware.concurrency_limits import Limit
from api.http.parameters import WHOLE, query
from api.http.responses.content_negotiation import MEDIA, columns, csv_table, media_type, preferred
from api.http.responses.problem_details import ProblemError
from api.metrics import Metrics
from api.models.iso_day import IsoDay
from api.services.access import Authenticator
from api.services.linked_data import LinkedData
from graph.rdf.iris import Iri
from graph.rdf.rdf_formats import Statements, write
from graph.rdf.sparql.endpoint import Endpoint
from graph.store import cursors
from graph.store.cursors import Cursor
from graph.store.versioned_cache import VersionedCache
from graph.values import dumps

Item = TypeVar("Item")
Writer = Callable[[], bytes]
PLAIN = "/:@!$&'()*+,;=~"
"""Characters that need no escape in the path of an address (RFC 3986)."""
LINKED = ("turtle", "jsonld", "ntriples")
"""The forms of one thing as RDF."""
DESCRIBED = '</openapi.json>; rel="describedby"; type="application/vnd.oai.openapi+json"'
PAGING = frozenset({"cursor", "limit", "format"})
EXPORTS = 2
"""How many exports are sent at the same time: each takes time from all readers, and holds database connections."""
PREPARING = 60.0
"""Seconds that the data may take to be laid out for the first query."""
_ANY: TypeAdapter[Any] = TypeAdapter(Any)
_HOST = re.compile(r"(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")


@dataclass(frozen=True)
class AppContext:
    """The brain as a reader sees it, the clock, and what the routes share; `pages`: web pages are served too."""

    brain: Brain
    clock: Callable[[], datetime]
    meter: Metrics
    endpoint: Endpoint
    tokens: Authenticator
    pages: bool = False
    exports: Limit = field(default_factory=lambda: Limit(EXPORTS, 0, f"{EXPORTS} exports are running"))
    _parts: dict[Any, Any] = field(default_factory=dict)
    store_thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    flags_thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    @cached_property
    def glossaries(self) -> VersionedCache:
        """What the triples of terms share."""
        return self.brain.cache(1, "graph")

    def part(self, make: Callable[[Brain], Item]) -> Item:
        """What `make` gives for the brain, made by the first request."""
        if make not in self._parts:
            self._parts[make] = make(self.brain)
        return self._parts[make]  # type: ignore[no-any-return]  # the values of `_parts` are of any type

    @cached_property
    def days(self) -> VersionedCache:
        """The numbers of raised flags and the prices of a day."""
        return self.brain.cache(9)

    @cached_property
    def sparql(self) -> Endpoint:
        """The endpoint with its data laid out: the first query waits for that, with a limit of its own."""
        self.endpoint.query("ASK {}", seconds=PREPARING)
        return self.endpoint


class ExactJsonResponse(Response):
    """JSON; a decimal is a number with every digit it has."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:  # noqa: ANN401  # the signature of the class above
        """The content as UTF-8 text; models become dictionaries all at once, which is several times as fast."""
        return dumps(_ANY.dump_python(content)).encode("utf-8", "replace")


class PageWindow(NamedTuple):
    """Which part of a list the request selects."""

    limit: int
    cursor: str | None


class RequestContext(Request):
    """One request: in which of the `forms` it wants its answer, of the type `answer`, and how that is given.

    Refused with 406 where no form that there is will do.
    """

    def __init__(self, scope: Scope, receive: Receive, forms: tuple[str, ...], answer: Any) -> None:  # noqa: ANN401  # any type that pydantic knows
        super().__init__(scope, receive)
        self.app_context: AppContext = self.state.app_context
        self.brain, self._forms, self._answer = self.app_context.brain, offered_formats(forms, self.app_context), answer
        named, accept = self.query_params.get("format"), self.headers.get("accept", "*/*")
        form = preferred(accept, self._forms) if named is None else named if named in self._forms else None
        if form is None:
            asked = f"format={named}" if named is not None else f"Accept: {accept}"
            types = ", ".join(f"{form} ({MEDIA[form]})" for form in self._forms)
            detail = f"{asked[:200]!r} matches none of the available types: {types}."
            raise ProblemError("not-acceptable", detail, available=[MEDIA[form] for form in self._forms])
        self.format: str = form

    @property
    def today(self) -> date:
        """The present day."""
        return self.app_context.clock().date()

    @property
    def site(self) -> str:
        """The address of the service for links and IRIs: the public one, else the one that was asked."""
        return site_of(self)

    @cached_property
    def linked(self) -> LinkedData:
        """The triples of things under the address of the service."""
        return LinkedData(self.brain, self.site, self.app_context.glossaries)

    @cached_property
    def path(self) -> str:
        """The requested address, encoded."""
        return quote(self.scope["path"], PLAIN)

    def address(self, **changed: str) -> str:
        """This address with parameters put in the place of those given; other parameters stay."""
        kept = [pair for pair in self.query_params.multi_items() if pair[0] not in changed]
        query = urlencode([*kept, *changed.items()])
        return f"{self.path}?{query}" if query else self.path

    def thing(self, value: object, iri: Iri, triples: Callable[[], Statements], **writers: Writer) -> Response:
        """One thing of the graph: its JSON, its triples in the formats of RDF, and other forms by `writers`."""
        return self.record(value, {**self.rdf(triples), **writers}, cite=iri.value)

    def rdf(self, triples: Callable[[], Statements]) -> dict[str, Writer]:
        """The RDF formats of a thing; its triples are computed on request."""
        names = self.linked.names
        return {
            form: lambda: b"".join(write(triples(), self.format, names, f"{names.base}context.jsonld"))
            for form in LINKED
        }

    def record(
        self, value: object, writers: Mapping[str, Writer] | None = None, *, cite: str | None = None
    ) -> Response:
        """One answer; `writers` give its other forms, `cite` is the address under which it should be cited."""
        headers = self.answer_headers([f'<{cite}>; rel="cite-as"'] if cite else [])
        if self.format == "json":
            return ExactJsonResponse(value, headers=headers)
        return Response((writers or {})[self.format](), headers=headers, media_type=media_type(self.format))

    def listed(
        self,
        found: Iterable[object],
        *,
        next: str | None = None,  # noqa: A002  # a key of the contract
        **more: object,
    ) -> Response:
        """A list: `items`, `next` and other members; as CSV its items alone."""
        listed = list(found)
        headers = self.answer_headers([f'<{self.address(cursor=next)}>; rel="next"'] if next else [])
        if self.format == "csv":
            table = csv_table(listed, columns(self._answer))
            told = {**headers, "X-Total": str(more.get("total", len(listed)))}
            return Response(table, headers=told, media_type=media_type("csv"))
        return ExactJsonResponse({"items": listed, "next": next, **more}, headers=headers)

    def page(self, found: Sequence[Item], part: PageWindow, key: Callable[[Item], Cursor], **more: object) -> Response:
        """A part of a list in the order of its keys; a cursor names the last key that was sent.

        Raises:
            CursorError: the cursor is not of this list.
        """
        rest = found
        if last := self.after(part, type(key(found[0]).key) if found else str):
            at = (last.key, last.id)
            rest = found[bisect_right(found, at, key=lambda item: (key(item).key, key(item).id)) :]
        shown, following = self.cut(rest, part, key)
        return self.listed(shown, next=following, total=len(found), **more)

    def after(self, part: PageWindow, kind: Any) -> Cursor | None:  # noqa: ANN401  # the type of the list's keys
        """Where the list goes on, None at its beginning.

        Raises:
            CursorError: the cursor is not of this list.
        """
        return None if part.cursor is None else cursors.read(part.cursor, self.listing, kind)

    def cut(
        self, rest: Sequence[Item], part: PageWindow, key: Callable[[Item], Cursor]
    ) -> tuple[Sequence[Item], str | None]:
        """As many as are asked for, and the cursor of the others."""
        shown = rest[: part.limit]
        return shown, key(shown[-1]).text(self.listing) if len(rest) > len(shown) else None

    @property
    def listing(self) -> str:
        """The list that a cursor belongs to: everything but the page and the form."""
        kept = sorted(pair for pair in self.query_params.multi_items() if pair[0] not in PAGING)
        return f"{self.scope['path']}?{kept}"

    def answer_headers(self, links: Sequence[str] = ()) -> dict[str, str]:
        """Links to the other forms and to the description; the day, if the request names one by header."""
        others = [form for form in self._forms if form != self.format]
        start = self.address(format="") if others and self.query_params else f"{self.path}?format="
        forms = [f'<{start}{other}>; rel="alternate"; type="{MEDIA[other]}"' for other in others]
        told = {"Link": ", ".join([*links, *forms, DESCRIBED])}
        memento: date | None = getattr(self.state, "memento", None)
        if memento is not None:
            at = datetime(memento.year, memento.month, memento.day, tzinfo=UTC)
            told |= {"Memento-Datetime": format_datetime(at, usegmt=True)}
            told |= {"Content-Location": self.address(as_of=memento.isoformat())}
        return told


def offered_formats(forms: tuple[str, ...], app_context: AppContext) -> tuple[str, ...]:
    """The forms of a route; pages only where there are any."""
    return forms if app_context.pages else tuple(form for form in forms if form != "html")


def media_of(request: Request, accepted: Sequence[str]) -> str:
    """The media type of a body, without its parameters; the first accepted one where none is given.

    Raises:
        ProblemError: it is not accepted, or the body is compressed.
    """
    given = request.headers.get("content-type", accepted[0]).partition(";")[0].strip().lower()
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if given not in accepted or coding != "identity":
        said = f"A body of {(given if coding == 'identity' else f'{given} in {coding}')[:80]} is not read here."
        raise ProblemError("unsupported-media-type", said, accepted=list(accepted))
    return given


async def body_of(request: Request, most: int, hint: str = "") -> bytes:
    """The body, at most `most` bytes of it; `hint` is what to do with a larger one."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            said = f"The body is larger than {most} bytes. {hint}".rstrip()
            raise ProblemError("content-too-large", said, {"Connection": "close"})
    return bytes(body)


def site_of(request: Request) -> str:
    """The public address where one is set, else the one that the request was sent to; without a slash at its end."""
    brain: Brain = request.state.app_context.brain
    scope, host = request.scope, request.headers.get("host", "")
    if brain.settings.url or not _HOST.fullmatch(host):
        return brain.site
    return f"{scope['scheme']}://{host}{scope.get('app_root_path', scope.get('root_path', ''))}".rstrip("/")


# These two wait for nothing; as coroutines they run where they are called, without a thread each.
async def requested_day(
    request: Request,
    as_of: Annotated[
        IsoDay | None, query("The day to answer for. Default: today, or Accept-Datetime.", "2026-11-21")
    ] = None,
    accept_datetime: Annotated[
        str | None,
        Header(
            description="The day to answer for, as an HTTP date (RFC 7089).", examples=["Sat, 01 Feb 2025 00:00:00 GMT"]
        ),
    ] = None,
) -> date:
    """The day: `as_of`, else the day of `Accept-Datetime`, else today."""
    if as_of is not None:
        return as_of
    if accept_datetime is None:
        app_context: AppContext = request.state.app_context
        return app_context.clock().date()
    try:
        day = parsedate_to_datetime(accept_datetime).astimezone(UTC).date()
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        detail = f"{accept_datetime[:80]!r} is not an HTTP date; write it as Sat, 01 Feb 2025 00:00:00 GMT."
        raise ProblemError("invalid-datetime", detail) from error
    request.state.memento = day
    return day


async def page_window(
    limit: Annotated[int, query("Maximum number of items, up to 1,000.", 100, ge=1, le=1000), WHOLE] = 100,
    cursor: Annotated[str | None, query("`next` of the page before, with the same filters.")] = None,
) -> PageWindow:
    """The requested part of a list."""
    return PageWindow(limit, cursor or None)


Ask = RequestContext
Day = Annotated[date, Depends(requested_day)]
Part = Annotated[PageWindow, Depends(page_window)]
