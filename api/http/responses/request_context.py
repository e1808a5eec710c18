"""The application context, the request, and answers in the requested format."""

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
from starlette.types import Receive, Scope

from api.brain import Brain
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
PLAIN = "/:@!$&'()*+,;=~"  # characters that need no escape in the path of an address (RFC 3986)
LINKED = ("turtle", "jsonld", "ntriples")  # the forms of one thing as RDF
DESCRIBED = '</openapi.json>; rel="describedby"; type="application/vnd.oai.openapi+json"'
PAGING = frozenset({"cursor", "limit", "format"})
PREPARING = 60.0  # the most seconds that the first query prepares its data
_HOST = re.compile(r"(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")


@dataclass(frozen=True)
class AppContext:
    """The brain as a reader sees it, the clock, and what the routes share."""

    brain: Brain
    clock: Callable[[], datetime]
    meter: Metrics
    endpoint: Endpoint
    tokens: Authenticator
    _parts: dict[Any, Any] = field(default_factory=dict)
    store_thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    flags_thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    @cached_property
    def glossaries(self) -> VersionedCache:
        """The cache that the triples of terms share."""
        return self.brain.cache(1, "graph")

    def part(self, make: Callable[[Brain], Item]) -> Item:
        """`make` of the brain, computed on the first request."""
        if make not in self._parts:
            self._parts[make] = make(self.brain)
        return self._parts[make]  # type: ignore[no-any-return]  # the values of `_parts` are of any type

    @cached_property
    def days(self) -> VersionedCache:
        """The numbers of raised flags and the prices of a day."""
        return self.brain.cache(9)

    @cached_property
    def sparql(self) -> Endpoint:
        """The endpoint with its data prepared, under a time limit of its own."""
        self.endpoint.query("ASK {}", seconds=PREPARING)
        return self.endpoint


class ExactJsonResponse(Response):
    """JSON in which decimals are numbers with all their digits."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:  # noqa: ANN401  # the signature of the class above
        """The content in UTF-8."""
        return dumps(content).encode("utf-8", "replace")


class PageWindow(NamedTuple):
    """The requested part of a list."""

    limit: int
    cursor: str | None


class RequestContext(Request):
    """A request and its answer, of the type `answer`, in the one of the `forms` that it prefers; 406 if in none."""

    def __init__(self, scope: Scope, receive: Receive, forms: tuple[str, ...], answer: Any) -> None:  # noqa: ANN401  # any type that pydantic knows
        super().__init__(scope, receive)
        self.app_context: AppContext = self.state.app_context
        self.brain, self._forms, self._answer = self.app_context.brain, forms, answer
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
        """Today by the clock of the service."""
        return self.app_context.clock().date()

    @property
    def site(self) -> str:
        """The address of the service, for links and IRIs."""
        return site_of(self)

    @cached_property
    def linked(self) -> LinkedData:
        """Triples under the address of the service."""
        return LinkedData(self.brain, self.site, self.app_context.glossaries)

    @cached_property
    def path(self) -> str:
        """The requested path, encoded."""
        return quote(self.scope["path"], PLAIN)

    def address(self, **changed: str) -> str:
        """This address with changed parameters."""
        kept = [pair for pair in self.query_params.multi_items() if pair[0] not in changed]
        query = urlencode([*kept, *changed.items()])
        return f"{self.path}?{query}" if query else self.path

    def thing(self, value: object, iri: Iri, triples: Callable[[], Statements], **writers: Writer) -> Response:
        """A thing of the graph as JSON, as triples, and in the formats of `writers`."""
        return self.record(value, {**self.rdf(triples), **writers}, cite=iri.value)

    def rdf(self, triples: Callable[[], Statements]) -> dict[str, Writer]:
        """Writers of the RDF formats; the triples are computed on request."""
        names = self.linked.names
        return {
            form: lambda: b"".join(write(triples(), self.format, names, f"{names.base}context.jsonld"))
            for form in LINKED
        }

    def record(
        self, value: object, writers: Mapping[str, Writer] | None = None, *, cite: str | None = None
    ) -> Response:
        """An answer; `writers` make its other formats, `cite` is the address to cite it by."""
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
        """A list: `items`, `next` and other members; as CSV only its items."""
        listed = list(found)
        headers = self.answer_headers([f'<{self.address(cursor=next)}>; rel="next"'] if next else [])
        if self.format == "csv":
            table = csv_table(listed, columns(self._answer))
            told = {**headers, "X-Total": str(more.get("total", len(listed)))}
            return Response(table, headers=told, media_type=media_type("csv"))
        return ExactJsonResponse({"items": listed, "next": next, **more}, headers=headers)

    def page(self, found: Sequence[Item], part: PageWindow, key: Callable[[Item], Cursor], **more: object) -> Response:
        """A part of a list that is sorted by `key`. Raises CursorError if the cursor is not of this list."""
        rest = found
        if last := self.after(part, type(key(found[0]).key) if found else str):
            at = (last.key, last.id)
            rest = found[bisect_right(found, at, key=lambda item: (key(item).key, key(item).id)) :]
        shown, following = self.cut(rest, part, key)
        return self.listed(shown, next=following, total=len(found), **more)

    def after(self, part: PageWindow, kind: Any) -> Cursor | None:  # noqa: ANN401  # the type of the list's keys
        """The last key that was sent, None at the beginning. Raises CursorError if the cursor is not of this list."""
        return None if part.cursor is None else cursors.read(part.cursor, self.listing, kind)

    def cut(
        self, rest: Sequence[Item], part: PageWindow, key: Callable[[Item], Cursor]
    ) -> tuple[Sequence[Item], str | None]:
        """As many items as requested, and the cursor for the others."""
        shown = rest[: part.limit]
        return shown, key(shown[-1]).text(self.listing) if len(rest) > len(shown) else None

    @property
    def listing(self) -> str:
        """The list that a cursor belongs to: the address without page and format."""
        kept = sorted(pair for pair in self.query_params.multi_items() if pair[0] not in PAGING)
        return f"{self.scope['path']}?{kept}"

    def answer_headers(self, links: Sequence[str] = ()) -> dict[str, str]:
        """Links to the other formats and to the description; the day, if Accept-Datetime named one."""
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


def media_of(request: Request, accepted: Sequence[str]) -> str:
    """The media type of a body, by default the first accepted. Raises ProblemError for others and for compression."""
    given = request.headers.get("content-type", accepted[0]).partition(";")[0].strip().lower()
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if given not in accepted or coding != "identity":
        said = f"A body of {(given if coding == 'identity' else f'{given} in {coding}')[:80]} is not accepted here."
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
    """The public address if it is set, else the requested one; without a final slash."""
    brain: Brain = request.state.app_context.brain
    host = request.headers.get("host", "")
    public = brain.settings.url or not _HOST.fullmatch(host)
    return brain.site if public else f"{request.scope['scheme']}://{host}"


# Coroutines, so that each runs on the event loop instead of in a thread.
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
    """`as_of`, else the day of `Accept-Datetime`, else today."""
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


Limit = Annotated[int, query("Maximum number of items, up to 1,000.", 100, ge=1, le=1000), WHOLE]
After = Annotated[str | None, query("`next` of the page before, with the same filters.")]


async def page_window(limit: Limit = 100, cursor: After = None) -> PageWindow:
    """The requested part of a list."""
    return PageWindow(limit, cursor or None)


Ask = RequestContext
Day = Annotated[date, Depends(requested_day)]
Part = Annotated[PageWindow, Depends(page_window)]
