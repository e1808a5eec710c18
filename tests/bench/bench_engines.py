"""Search engines side by side: time and disk of an index, first opening, one ranking, agreement with whoosh.

    python -m tests.bench engines [NOTES …]       1000 and 10000 by default

Times are CPU of this process. `top 10` is the share of the first ten hits that an engine has in common with whoosh.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from corpus import TAGS, notes, vocabulary
from fts5_engine import Fts5Engine

from graph.search.engine_protocol import Engine, Entry
from graph.search.query_language import AllOf, AnyOf, Phrase, Text, Word
from graph.search.tantivy_engine import TantivyEngine
from graph.search.tokenizer import split, stem
from graph.search.whoosh_engine import WhooshEngine

ENGINES: dict[str, Callable[[Path], Engine]] = {"whoosh": WhooshEngine, "fts5": Fts5Engine, "tantivy": TantivyEngine}
FILES = {
    "whoosh": (
        "graph/search/whoosh_engine.py",
        "graph/search/whoosh_postings.py",
        "graph/search/whoosh_segments.py",
        "graph/search/whoosh_writer.py",
    ),
    "fts5": ("tests/bench/fts5_engine.py",),
    "tantivy": ("graph/search/tantivy_engine.py", "graph/search/tantivy_index.py"),
}
HERE = Path(__file__).parents[2]


def entries(count: int) -> Iterator[Entry]:
    """Made-up notes as an engine receives them."""
    for serial, text in enumerate(notes(count), 1):
        head, _, body = text.partition("\n---\n")
        title = [stem(word) for word in split(head.split("title: ")[1].partition("\n")[0])]
        yield Entry(serial, str(serial), [*title * TAGS, *map(stem, split(body))], title, set())


def queries() -> list[Text]:
    """Words alone, two of two, one of two, and phrases."""
    chance, words = random.Random(3), [stem(word) for word in vocabulary(random.Random(1))[:3000]]
    pairs = [(chance.choice(words[:300]), chance.choice(words)) for _ in range(60)]
    made: list[Text] = [Word(second) for _, second in pairs]
    made += [AllOf((Word(first), Word(second))) for first, second in pairs]
    made += [AnyOf((Word(first), Word(second))) for first, second in pairs]
    return [*made, *(Phrase(pair) for pair in pairs[:20])]


def cpu(work: Callable[[], object]) -> tuple[float, object]:
    """CPU seconds of a step, and its result."""
    start = time.process_time()
    done = work()
    return time.process_time() - start, done


def measure(name: str, made: list[Entry], expected: list[set[int]], folder: Path) -> list[set[int]]:
    """Print the line of an engine; gives the first ten of each query."""
    engine = ENGINES[name](folder)
    built, _ = cpu(lambda: engine.write(made, ()))
    engine.close()
    disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / len(made)
    opened, engine = cpu(lambda: ENGINES[name](folder))
    taken, tops = [], []
    for query in queries():
        seconds, ranking = cpu(lambda query=query: engine.rank(query, None))
        taken.append(1000 * seconds)
        tops.append(set(ranking.serials[:10].tolist()))
    again, _ = cpu(lambda: engine.write(made[:1], ()))
    engine.close()
    shared = [
        len(top & best) / len(best) if best else float(not top)
        for top, best in zip(tops, expected or tops, strict=True)
    ]
    lines = sum(len((HERE / file).read_text().splitlines()) for file in FILES[name])
    p50, p99 = statistics.median(taken), sorted(taken)[int(0.99 * len(taken))]
    print(
        f"| {name} | {1e6 * built / len(made):,.0f} | {disk:,.0f} | {1000 * opened:.1f} | {p50:.2f} | {p99:.2f} "
        f"| {1000 * again:.0f} | {statistics.mean(shared):.0%} | {lines} |",
        flush=True,
    )
    return tops


def main(sizes: list[int]) -> None:
    """A table for each size."""
    for size in sizes:
        made = list(entries(size))
        print(f"\n{size:,} notes\n")
        print(
            "| engine | index, µs a note | disk, bytes a note | open, ms | ranking, ms p50 | p99 | one note, ms | top 10 | lines |"
        )
        print("|---|---|---|---|---|---|---|---|---|")
        expected: list[set[int]] = []
        for name in ENGINES:
            with tempfile.TemporaryDirectory() as folder:
                tops = measure(name, made, expected, Path(folder) / name)
                expected = expected or tops


if __name__ == "__main__":
    main([int(one) for one in sys.argv[1:]] or [1000, 10_000])
