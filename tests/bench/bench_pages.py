"""How long the server takes for the HTML of every kind of page, and how large it is.

python -m tests.bench.bench_pages [NODES …]        default: 163 20000

Prints the CPU milliseconds of this process: the median of a repeated request, the median of requests for pages of the same
kind that are not cached, the first view after a nightly run and after an ingest, and the very first view of a new process,
which reads and counts everything. Then the bytes, and the number of queries to the store. The time to
make the index and the layout of the drawing is not included.
"""

from __future__ import annotations

import gc
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from starlette.responses import Response

from api.brain import Brain
from api.cli.root import RARELY
from api.pages import page_routes
from api.pages.render.template_renderer import TemplateRenderer
from api.pages.request.page_request import PageRequest
from api.pages.views.claim_table import PageContext
from api.settings import Settings
from graph.models.document_models import Document, LineCount
from graph.models.node_models import Citation, Kind, Node, Provenance, Source
from tests.pages.invented import ASSUMPTIONS
from tests.pages.pages_list import KINDS
from tests.statements import sent

TODAY = date(2026, 11, 21)
NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
SHA = "cd" * 32
ROUNDS = 7

PRICE = """\
catalog: cards
licence: own
prices:
  - {item: acme/large, component: input, value: 10 USD/Mtok, from: 2026-01-01, source: "https://acme.example", checked: 2026-11-01}
"""

CLAIM = """\
  - id: claim-{number}
    node: bench/entry-{number}
    says: A token costs at least ${number} per million.
    as_of: 2026-02-01
    value: price("acme/large", "input")
    expect: {{at_least: {bound} USD/Mtok}}
    tags: [t{tag}]
"""


def entry(number: int, count: int) -> Node:
    """A node like those of a real brain: a few hundred words, four references, three tags, two sources."""
    near = [max(0, number - step) for step in (1, 7, 50, 333)]
    cites = tuple(
        Citation(
            marker=f"[{place}]", number=place, target=f"bench/entry-{target}", target_title=f"Entry {target}",
            resolution="batch", confidence=0.95, context=f"as shown before [{place}]",
        )
        for place, target in enumerate(near, 1)
    )  # fmt: skip
    kind = (Kind.READING, Kind.READING, Kind.THESIS, Kind.TERM)[number % 4]
    text = (
        "Capacity that idles costs what capacity that works costs [1]. Prices fall by tier, and waiting is a tier [2]. "
        * 12
    )
    return Node(
        id=f"bench/entry-{number}", brain="bench", kind=kind, title=f"Entry {number} on idle capacity",
        body=f"{text}\n\nSee [3] and [4], where a token costs ${number % 9}.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        tags=(f"t{number % 97}", f"t{number % 13}", "common"),
        sources=tuple(Source(id=f"https://s{number % m}.example/x", url=f"https://s{number % m}.example/x") for m in (211, 17)),
        citations=cites,
        provenance=Provenance(document="bench.txt", first_line=5 * number + 1, last_line=5 * number + 4, sha256=SHA),
    )  # fmt: skip


def filled(home: Path, count: int) -> Brain:
    """A brain of `count` nodes and a tenth as many claims, verified twice."""
    brain = Brain.open(Settings(home=home))
    nodes = tuple(entry(number, count) for number in range(count))
    lines = LineCount(total=count, kept=count, skipped=0)
    document = Document(
        name="bench.txt", format="brain-page", brain="bench", sha256=SHA, text="-", nodes=nodes, lines=lines
    )
    brain.documents.put(document, NOW)
    claims = [CLAIM.format(number=n, bound=n % 13 + 1, tag=n % 13) for n in range(0, count, 10)]
    (home / "claims.yaml").write_text("claims:\n" + "".join(claims), "utf-8")
    (home / "prices.yaml").write_text(PRICE, "utf-8")
    (home / "assumptions.yaml").write_text(ASSUMPTIONS, "utf-8")
    report = brain.ingest([home / f"{name}.yaml" for name in ("prices", "assumptions", "claims")], at=NOW)
    assert report.stored, [problem.render() for problem in report.problems][:3]
    for day in (TODAY.replace(day=20), TODAY):
        brain.verify(day, at=NOW, clock=lambda: NOW)
    brain.search.refresh()
    brain.links.drawing()
    return brain


def requests(count: int, other: int = 0) -> Iterator[tuple[str, page_routes.Page, PageRequest]]:
    """One request for every kind of page; `other` asks for another thing of the kind."""
    middle = count // 2 - count // 2 % 20 - 20 * other
    parts = {
        "brain": "bench", "slug": f"entry-{middle + other % 2}", "claim": f"claim-{middle}", "item": "acme/large",
        "tag": f"t{20 + other}", "work": f"https://s{5 + other}.example/x", "run": "2",
        "document": "prices.yaml", "snapshot": "latest", "name": "crew", "day": "2026-11-20",
    }  # fmt: skip
    narrow = {
        "/search": ("q", "idle capacity" if not other else f"entry {middle}"), "/claims": ("tag", f"t{other}"),
        "/graph": ("tag", f"t{other}"), "/tags": ("starts", f"t{other}"), "/sources": ("host", f"s{other}.example"),
        "/terms": ("starts", "E"), "/prices": ("q", "acme"),
    }  # fmt: skip
    for path, page in page_routes.PAGES:
        if path in KINDS:
            query = (narrow[path],) if path in narrow and (other or path == "/search") else ()
            names = [part.strip("{}").split(":")[0] for part in path.split("/") if part.startswith("{")]
            yield path, page, PageRequest(path, TODAY, {name: parts[name] for name in names}, query)


def timed(brain: Brain, ask: Callable[[], Response]) -> tuple[float, int, int]:
    """Milliseconds, bytes and questions of one answer."""
    began = process_time()
    with sent(brain.store) as statements:
        answer = ask()
    assert answer.status_code == 200, answer.status_code
    return 1000 * (process_time() - began), len(answer.body), len(statements)


def measure(count: int) -> None:
    """Print a line for each page."""
    with tempfile.TemporaryDirectory() as folder:
        began = perf_counter()
        brain = filled(Path(folder), count)
        print(f"\n{count} nodes, {brain.claims.count()} claims (made in {perf_counter() - began:.0f} s)")
        desk, press = PageContext(brain), TemplateRenderer()
        asks = list(_asks(desk, press, count, 0))

        def a_night() -> None:
            brain.verify(TODAY, at=NOW, clock=lambda: NOW)

        def an_ingest() -> None:
            note = Path(folder, "note.md")
            note.write_text("---\ntitle: A quay at dawn\n---\nCranes stand idle.\n", "utf-8")
            assert brain.ingest([note], at=NOW).stored

        def firsts() -> list[float]:
            return [timed(brain, ask)[0] for _, ask in asks]

        first = [timed(brain, ask) for _, ask in asks]
        a_night()
        nights = firsts()
        an_ingest()
        ingests = firsts()
        others = [dict(_asks(desk, press, count, other)) for other in range(1, 4)]
        for (path, ask), (cold, size, questions), night, ingest in zip(asks, first, nights, ingests, strict=True):
            again = median(timed(brain, ask)[0] for _ in range(ROUNDS))
            new = median(timed(brain, one[path])[0] for one in others)
            print(
                f"{path:26} again {again:5.1f}  others {new:5.1f}  after a night {night:5.1f}  after an ingest {ingest:5.1f}"
                f"  cold {cold:7.1f} ms  {size:7,} B  {questions:3} questions"
            )
        brain.close()


def _asks(
    desk: PageContext, press: TemplateRenderer, count: int, other: int
) -> Iterator[tuple[str, Callable[[], Response]]]:
    for path, page, asked in requests(count, other):
        yield path, partial(page_routes.answer, page, desk, press, asked)


if __name__ == "__main__":
    gc.set_threshold(*RARELY)  # as the service does
    for number in [int(word) for word in sys.argv[1:]] or [163, 20_000]:
        measure(number)
