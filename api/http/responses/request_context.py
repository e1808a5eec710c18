"""The application context, the request, and answers in the requested format."""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from email.utils import format_datetime
from functools import cached_property
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

from fastapi import Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from api.brain import Brain
from api.http.responses.content_negotiation import MEDIA, columns, csv_table, preferred
from api.http.responses.problem_details import ProblemError
from api.metrics import Metrics
from api.services.access import Authenticator
from api.services.linked_data import LinkedData
from graph.log_lines import log
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
PAGING = frozenset({"cursor", "limit", "format"})  # every address takes them: clients page short lists as long ones
PREPARING = 60.0  # the most seconds that the first query prepares its data
PIECE = 64 * 1024  # the fewest bytes of a stream sent at a time, except at the end
STALLED = 60.0  # seconds before a client that reads nothing of a stream is dropped
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


class Stream(StreamingResponse):
    """An answer sent while it is made; `pieces` makes its iterator, in a thread.

    The iterator has database connections open. It is closed in every case: at the end, on an error, on a client that
    hung up or stopped reading. HEAD never makes it.
    """

    def __init__(self, pieces: Callable[[], Iterator[bytes]], *, headers: Mapping[str, str], media_type: str) -> None:
        super().__init__((), headers=headers, media_type=media_type)
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send every piece, until the client is gone; to HEAD only the headers."""
        if scope.get("state", {}).get("head"):  # the method is GET behind the cache
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": b""})
        else:
            await super().__call__(scope, receive, send)

    async def stream_response(self, send: Send) -> None:
        """Send pieces of at least `PIECE` bytes; this is cancelled when the client hangs up."""
        pieces: Iterator[bytes] = iter(())
        try:
            pieces = await run_in_threadpool(self._pieces)
            piece = await run_in_threadpool(_next, pieces)  # before the headers: what fails here is still a problem
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            while piece:
                async with asyncio.timeout(STALLED):
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                piece = await run_in_threadpool(_next, pieces)
            await send({"type": "http.response.body", "body": b""})
        except TimeoutError:
            log("warning", "client stopped reading", seconds=STALLED)
        finally:
            await asyncio.shield(asyncio.get_running_loop().run_in_executor(None, getattr(pieces, "close", list)))


def _next(pieces: Iterator[bytes]) -> bytes:
    """The next `PIECE` bytes or more, empty at the end."""
    found = bytearray()
    for part in pieces:
        found += part
        if len(found) >= PIECE:
            break
    return bytes(found)


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
        self.next: str | None = None  # the cursor of the following part of the list
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

    @cached_property
    def linked(self) -> LinkedData:
        """Triples under the address of the service."""
        return LinkedData(self.brain, site_of(self), self.app_context.glossaries)

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
        return Response((writers or {})[self.format](), headers=headers, media_type=MEDIA[self.format])

    def listed(self, found: Iterable[Any], **more: object) -> Response:
        """A list: `items`, `next` and other members; as CSV only its items."""
        listed, headers = list(found), self.answer_headers()
        if self.format == "csv":
            table = csv_table(listed, columns(self._answer))
            told = {**headers, "X-Total": str(more.get("total", len(listed)))}
            return Response(table, headers=told, media_type=MEDIA["csv"])
        return ExactJsonResponse({"items": listed, "next": self.next, **more}, headers=headers)

    def slice(self, found: Sequence[object], part: PageWindow) -> Response:
        """A part of a list in an order of its own."""
        answer = self.listed(self.some(found, part))
        if "X-Total" in answer.headers:
            answer.headers["X-Total"] = str(len(found))
        return answer

    def some(self, found: Sequence[Item], part: PageWindow) -> Sequence[Item]:
        """The items of a part of a list whose cursors are positions. Raises CursorError as `after`."""
        last = self.after(part, int)
        end = (int(last.key) if last else 0) + part.limit
        return self.cut(found[end - part.limit : end + 1], part, lambda _: Cursor(end, ""))

    def page(self, found: Sequence[Item], part: PageWindow, key: Callable[[Item], Cursor], **more: object) -> Response:
        """A part of a list that is sorted by `key`. Raises CursorError if the cursor is not of this list."""
        rest = found
        if last := self.after(part, type(key(found[0]).key) if found else str):
            at = (last.key, last.id)
            rest = found[bisect_right(found, at, key=lambda item: (key(item).key, key(item).id)) :]
        return self.listed(self.cut(rest, part, key), total=len(found), **more)

    def after(self, part: PageWindow, kind: Any) -> Cursor | None:  # noqa: ANN401  # the type of the list's keys
        """The last key that was sent, None at the beginning. Raises CursorError if the cursor is not of this list."""
        return None if part.cursor is None else cursors.read(part.cursor, self.listing, kind)

    def cut(self, rest: Sequence[Item], part: PageWindow, key: Callable[[Item], Cursor]) -> Sequence[Item]:
        """As many items as requested; the answer links to the others."""
        shown = rest[: part.limit]
        self.next = key(shown[-1]).text(self.listing) if len(rest) > len(shown) else None
        return shown

    @property
    def listing(self) -> str:
        """The list that a cursor belongs to: the address without page and format."""
        kept = sorted(pair for pair in self.query_params.multi_items() if pair[0] not in PAGING)
        return f"{self.scope['path']}?{kept}"

    def answer_headers(self, links: Sequence[str] = ()) -> dict[str, str]:
        """Links to the next part, the other formats and the description; the day, if Accept-Datetime named one."""
        following = [f'<{self.address(cursor=self.next)}>; rel="next"'] if self.next else []
        others = [form for form in self._forms if form != self.format]
        start = self.address(format="") if others and self.query_params else f"{self.path}?format="
        forms = [f'<{start}{other}>; rel="alternate"; type="{MEDIA[other]}"' for other in others]
        told = {"Link": ", ".join([*following, *links, *forms, DESCRIBED])}
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
