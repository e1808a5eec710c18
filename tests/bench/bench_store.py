"""Figures of the store, the search and the links. Usage: python tests/bench/bench_store.py [NODES] [ROWS]"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

from graph.links.links import Links
from graph.models.claim_models import VerdictName
from graph.models.document_models import Document, LineCount
from graph.models.node_models import Citation, Kind, Labels, Node, Provenance, Source
from graph.models.query_models import NodeQuery
from graph.models.verdict_models import VerdictRow
from graph.search.search import Search
from graph.store import Store

NOW = datetime(2026, 3, 4, tzinfo=UTC)
SYLLABLES = [
    "ba",
    "co",
    "di",
    "fu",
    "ga",
    "hi",
    "jo",
    "ku",
    "la",
    "me",
    "ni",
    "po",
    "qua",
    "ro",
    "su",
    "ta",
    "vi",
    "wo",
    "xe",
    "zu",
]


def vocabulary(size: int) -> tuple[list[str], list[float]]:
    """Invented words with the frequencies of Zipf's law."""
    words = ["".join(random.choices(SYLLABLES, k=random.randint(2, 4))) for _ in range(size)]
    return words, [1 / rank for rank in range(1, size + 1)]


def nodes(count: int) -> Iterator[Node]:
    """Nodes of about 150 words with tags, sources and citations."""
    words, weights = vocabulary(30_000)
    for number in range(count):
        cites = {random.randrange(number) for _ in range(2)} if number else set()
        title = " ".join(random.choices(words, weights, k=7))
        yield Node(
            id=f"ada/n{number}",
            brain="ada",
            kind=Kind.TERM if number % 40 == 0 else Kind.READING,
            title=title,
            body=" ".join(random.choices(words, weights, k=150)),
            tags=tuple(dict.fromkeys(random.choices(words[:800], weights[:800], k=8))),
            sources=(Source(id=f"https://example.org/{number % 977}", url=f"https://example.org/{number % 977}"),),
            citations=tuple(
                Citation(marker="[1]", target=f"ada/n{to}", resolution="batch", confidence=0.9) for to in cites
            ),
            labels=Labels(preferred=title) if number % 40 == 0 else None,
            provenance=Provenance(document="bench.md", first_line=number + 1, last_line=number + 1, sha256="0" * 64),
        )


def verdicts(count: int) -> Iterator[VerdictRow]:
    """Rows as a run makes them."""
    for number in range(count):
        yield VerdictRow(
            claim=f"claim-{number:07}",
            verdict=VerdictName.STALE if number % 10 == 0 else VerdictName.HOLDS,
            value=Decimal("0.975"),
            margin=Decimal("0.025"),
            unit="%",
            then_value=Decimal("0.95"),
            then_holds=True,
            now_holds=number % 10 != 0,
            reason="97.5% is 2.5 points above the bound",
        )


def once(name: str, work: Callable[[], object], count: int = 0) -> None:
    """Print how long one call takes, and how many things a second that is."""
    begin = time.perf_counter()
    work()
    took = time.perf_counter() - begin
    print(f"{name:42} {took * 1000:10.1f} ms" + (f" {count / took:12,.0f} /s" if count else ""))


def often(name: str, work: Callable[[int], object], times: int = 300) -> None:
    """Print the median and the 95th percentile of many calls."""
    took = []
    for number in range(times):
        begin = time.perf_counter()
        work(number)
        took.append((time.perf_counter() - begin) * 1000)
    print(f"{name:42} {statistics.median(took):10.3f} ms median {sorted(took)[int(times * 0.95)]:8.3f} ms p95")


def bench_store(store: Store, made: list[Node]) -> None:
    """Documents in, nodes out."""
    lines = LineCount(total=1, kept=1, skipped=0)
    document = Document(
        name="bench.md", format="note", brain="ada", sha256="0" * 64, text="x", nodes=tuple(made), lines=lines
    )
    once("put", lambda: store.documents.put(document, NOW), len(made))
    once("put again, nothing changed", lambda: store.documents.put(document, NOW), len(made))
    often("version", lambda _: store.version())
    often("one node", lambda number: store.nodes.get(f"ada/n{number}"))
    tags = [tag.value for tag in store.tags.all()[:200]]
    often("list by tag, 100 nodes", lambda number: store.nodes.page(NodeQuery(tags=(tags[number % 200],))))
    often("the same again", lambda _: store.nodes.page(NodeQuery(tags=(tags[0],))))
    often("one tag with its neighbours", lambda number: store.tags.get(tags[number % 200]), 100)


def bench_search(store: Store, folder: Path, engine: str, made: list[Node]) -> None:
    """The index, and queries of three kinds, each run once."""
    search = Search(store, folder / engine, engine)
    once(f"{engine}: build the index", search.refresh, len(made))
    titles = [node.title.split() for node in made]
    often(f"{engine}: one word, 20 hits", lambda n: search.search(titles[n][1], NodeQuery(limit=20)))
    often(f"{engine}: two words, 20 hits", lambda n: search.search(" ".join(titles[n][:2]), NodeQuery(limit=20)))
    often(
        f"{engine}: a phrase, 20 hits", lambda n: search.search(f'"{titles[n][2]} {titles[n][3]}"', NodeQuery(limit=20))
    )
    often(f"{engine}: repeated", lambda _: search.search(titles[0][1], NodeQuery(limit=20)))
    often(f"{engine}: completion", lambda n: search.complete(titles[n][0][:3]))
    search.close()


def bench_links(store: Store, made: list[Node]) -> None:
    """What is asked of the links."""
    links = Links(store)
    once("links: map", links.make_map)
    often("links: trail", lambda n: links.path("ada/n1", made[-1 - n].id), 50)
    often("links: neighbourhood of 60", lambda n: links.around(made[n].id, 2), 50)
    often("links: related", lambda n: links.related(made[n].id), 50)
    often("links: dependents", lambda n: links.dependents(made[-1 - n].id), 50)


def main(count: int = 10_000, rows: int = 300_000) -> None:
    """Run all and print."""
    random.seed(1)
    made = list(nodes(count))
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "brain.db") as store:
        bench_store(store, made)
        prepared = list(verdicts(rows))
        fields = {"as_of": date(2026, 3, 4), "started_at": NOW, "code": "1", "snapshot": "0", "rules": "0"}
        once("append a run", lambda: store.ledger.append(prepared, clock=lambda: NOW, **fields), rows)
        once("read a run", lambda: sum(1 for _ in store.ledger.rows(1)), rows)
        for engine in ("whoosh", "database"):
            bench_search(store, Path(folder), engine, made)
        bench_links(store, made)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
