"""The steps of the scale benchmark: each runs in a process of its own and prints its figures as JSON.

notes ─▶ ingest ─┐                                 claim_home ─▶ verify ─▶ claim_requests
rows ────────────┴▶ index ─▶ requests ─▶ one_more

`s` are CPU seconds of the step without the start of Python, `MB` of memory the most that the process had resident,
`MB` of disk the size of files after the step. `ms` are the median CPU of first requests, each asked once.
"""

from __future__ import annotations

import asyncio
import gc
import io
import json
import resource
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from urllib.parse import quote, unquote

import uvloop
from corpus import notes, questions, write_notes
from worker_corpus import claims_home

from api.brain import Brain
from api.cli.root import app as program
from api.http.app import build
from api.pages.page_routes import router
from api.pages.views.claim_table import PageContext
from api.settings import Settings
from graph.models.document_models import Document, LineCount
from graph.models.node_models import Citation, Kind, Node, Provenance

Figures = dict[str, float]

ASKED = 200
"""Requests of a kind."""

TOGETHER = 500
"""Documents that go into the store in one statement, as in an ingest."""

COMMITTED = 20
"""Statements of a transaction: an ingest has one for all, which nothing needs where no text is read."""

SEED = 1
OPENED_SECONDS = 900.0
"""The longest wait for a search index that is being opened."""


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def memory() -> float:
    """The most memory that this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def size(paths: Iterable[Path]) -> float:
    """The size of files in MB, also of those in folders."""
    return sum(path.stat().st_size for top in paths for path in (top, *top.rglob("*")) if path.is_file()) / 1e6


def command(home: Path, *arguments: str) -> None:
    """Run a command line of Brain in this process, without what it prints."""
    with redirect_stdout(io.StringIO()):
        program(args=["--home", str(home), *arguments], prog_name="brain", standalone_mode=False)


# ---- nodes


def write_files(home: Path, count: int) -> Figures:
    """The Markdown files of an ingest."""
    write_notes(count, home.with_name("notes"))
    return {}


def ingest(home: Path, count: int) -> Figures:
    """`brain ingest` of a folder into an empty home, without the search index, which is a step of its own."""
    Brain.index = lambda *_: None  # type: ignore[method-assign]  # a step of its own
    spent = cpu(lambda: command(home, "ingest", str(home.with_name("notes"))))
    return {"ingest, s": spent, "ingest, MB of memory": memory(), "store, MB of disk": size(home.glob("brain.db*"))}


def rows(home: Path, count: int) -> Figures:
    """The same notes as rows: made as nodes with their links and put into the store, without reading Markdown."""
    made, spent = _documents(count), 0.0
    with Brain.open(Settings(home=home)) as brain:
        put = brain.store.documents.put_all
        while some := list(islice(made, TOGETHER * COMMITTED)):
            start = time.process_time()
            with brain.store.transaction():
                for first in range(0, len(some), TOGETHER):
                    put(some[first : first + TOGETHER], datetime.now(UTC))
            spent += time.process_time() - start
    return {"rows, s": spent, "rows, MB of memory": memory(), "store, MB of disk": size(home.glob("brain.db*"))}


def _documents(count: int) -> Iterator[Document]:
    """The notes of `corpus.notes`, each as the document that an ingest makes of it."""
    for number, text in enumerate(notes(count)):
        head, _, body = text.removeprefix("---\n").partition("\n---\n")
        field = dict(line.split(": ", 1) for line in head.splitlines())
        target = body[body.rindex("[[") + 2 : body.rindex("]]")]
        cited = Citation(
            kind="cites", marker=f"[[{target}]]", target=f"notes/{target}", target_title=f"{field['title']}",
            resolution="link", confidence=1.0, context=f"See [[{target}]].", cito="cites",
        )  # fmt: skip
        name = f"note-{number}.md"
        node = Node(
            id=f"notes/note-{number}", brain="notes", kind=Kind.READING, title=field["title"], body=body.rstrip("\n"),
            tags=tuple(field["tags"][1:-1].split(", ")), citations=(cited,),
            provenance=Provenance(document=name, first_line=1, last_line=7, sha256=f"{number:064x}"),
        )  # fmt: skip
        yield Document(
            name=name, format="note", brain="notes", sha256=f"{number:064x}", text=text, nodes=(node,),
            lines=LineCount(total=7, kept=7, skipped=0),
        )  # fmt: skip


def index(home: Path, count: int) -> Figures:
    """The search index, by the engine that Brain chooses for so many nodes."""
    shutil.rmtree(home / "index", ignore_errors=True)
    with Brain.open(Settings(home=home)) as brain:
        spent = cpu(brain.index)
    return {"index, s": spent, "index, MB of memory": memory(), "index, MB of disk": size([home / "index"])}


def requests(home: Path, count: int) -> Figures:
    """First requests of an instance that has just started: a node, a tag with its facets, a text of two words."""
    asked = questions(count, ASKED)
    return _served(
        home,
        {
            "node": [f"/v1/nodes/notes/{slug}" for slug in asked["node"]],
            "tag": [f"/v1/nodes?tag={quote(tag)}&limit=20" for tag in asked["tag"]],
            "text": [f"/v1/nodes?q={quote(text)}&limit=20" for text in asked["text"]],
        },
    )


def one_more(home: Path, count: int) -> Figures:
    """`brain ingest` of one file that changed, into the home of all others, with the update of its search index."""
    folder = home.with_name("notes")
    folder.mkdir(exist_ok=True)
    text = next(notes(count)).replace("See [[", "It was changed, see [[")
    (folder / "note-0.md").write_text(text)
    spent = cpu(lambda: command(home, "ingest", str(folder / "note-0.md")))
    return {"one changed note, s": spent, "one changed note, MB of memory": memory()}


# ---- claims


def claim_home(home: Path, count: int) -> Figures:
    """A home with the prices that ship and so many claims, none with the formula of another."""
    claims_home(home, count, SEED)
    return {"claims, MB of disk": size(home.glob("brain.db*"))}


def verify(home: Path, count: int) -> Figures:
    """`brain verify`: every claim evaluated, a run appended, the report made."""
    before = size(home.glob("brain.db*"))
    spent = cpu(lambda: command(home, "verify"))
    grown = size(home.glob("brain.db*")) - before
    return {"verify, s": spent, "verify, MB of memory": memory(), "first run, MB of disk": grown}


def claim_requests(home: Path, count: int) -> Figures:
    """First requests of an instance that has just started: a claim, a page of claims with its facets."""
    step = max(1, count // ASKED)
    ids = [f"claim-{number:07}" for number in range(0, count, step)][:ASKED]
    pages = [
        f"/v1/claims?verdict={verdict}&limit={limit}" for verdict in ("holds", "refuted") for limit in range(10, 30)
    ]
    return _served(home, {"claim": [f"/v1/claims/{one}" for one in ids], "page of claims": pages})


# ---- requests


def _served(home: Path, paths: dict[str, Sequence[str]]) -> Figures:
    """The figures of first requests by kind, asked as uvicorn asks, without a network."""
    start = time.process_time()
    with Brain.open(Settings(home=home), "http://127.0.0.1:8000") as brain:
        context = PageContext(brain)
        brain.follow_changes()
        public = brain.views.public()
        public.search.in_background()
        app = build(brain, pages=router(context), bound="127.0.0.1")
        public.index_feed.shown(())
        public.search.wait_open(OPENED_SECONDS)
        gc.freeze()
        found = {"start, s": time.process_time() - start, "start, MB of memory": memory()}
        for kind, some in paths.items():
            found |= uvloop.run(_asked(app, kind, some))
        return found | {"requests, MB of memory": memory()}


async def _asked(app: Callable[..., object], kind: str, paths: Sequence[str]) -> Figures:
    spent, length = [], 0
    for path in paths:
        sent: list[dict[str, object]] = []
        begun = time.process_time()
        await app(_scope(path), partial(asyncio.sleep, 3600), partial(_keep, sent))
        spent.append(1000 * (time.process_time() - begun))
        if sent[0]["status"] != 200:
            raise SystemExit(f"{path}: {sent[0]['status']}")
        length += sum(len(one.get("body", b"")) for one in sent)
    return {f"{kind}, ms": statistics.median(spent), f"{kind}, kB sent": length / 1000 / len(paths)}


async def _keep(sent: list[dict[str, object]], message: dict[str, object]) -> None:
    sent.append(message)


def _scope(path: str) -> dict[str, object]:
    plain, _, query = path.partition("?")
    return {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "scheme": "http",
        "server": ("127.0.0.1", 8000), "client": ("127.0.0.1", 5000), "method": "GET", "root_path": "",
        "path": unquote(plain), "raw_path": plain.encode(), "query_string": query.encode(),
        "headers": [(b"host", b"127.0.0.1:8000")], "state": {},
    }  # fmt: skip


STEPS: dict[str, Callable[[Path, int], Figures]] = {
    "notes": write_files, "ingest": ingest, "rows": rows, "index": index, "requests": requests, "one_more": one_more,
    "claim_home": claim_home, "verify": verify, "claim_requests": claim_requests,
}  # fmt: skip


def main(step: str, home: Path, count: int, gigabytes: float) -> None:
    """Run a step with a limit of memory; print its figures."""
    limit = int(gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    home.parent.mkdir(parents=True, exist_ok=True)
    print(json.dumps(STEPS[step](home, count)))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
