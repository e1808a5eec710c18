"""A large brain in PostgreSQL: nodes and edges through the store's own code, then questions.

    python -m tests.bench.bench_postgres [NODES]        default: 100000; five times as many edges

Printed are the ingest rate (nodes, edges, tags and the search tables in the transactions of the ingest), the size on disk,
and p50 and p99 in milliseconds of questions that were never asked before.
"""

import json
import random
import sys
import time
from datetime import UTC, datetime

from graph.models.document_models import Document, LineCount
from graph.models.node_models import Kind, Node, Provenance, Relation
from graph.models.query_models import NodeQuery
from graph.search.server.server_search import ServerSearch
from graph.store import Store
from tests.bench.bench_two_servers import database

NOW = datetime(2026, 11, 22, tzinfo=UTC)
BATCH = 5_000
EDGES = 5
TAGS = [f"tag-{n}" for n in range(400)]
ASKED = 100


def vocabulary(size=60_000):
    """Words of two to four syllables."""
    parts = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "ar", "en", "il")]
    chosen = random.Random(7)
    return ["".join(chosen.choices(parts, k=chosen.randint(2, 4))) for _ in range(size)]


def note(number, total, words, chosen):
    """A note of about 60 words, whose frequency falls with their place in the vocabulary, with tags and relations."""
    some = [words[int(len(words) * chosen.random() ** 3)] for _ in range(60)]
    targets = {f"bulk/n{chosen.randrange(total)}" for _ in range(EDGES)}
    while len(targets) < EDGES:
        targets.add(f"bulk/n{chosen.randrange(total)}")
    return Node(
        id=f"bulk/n{number}", brain="bulk", kind=(Kind.READING, Kind.THESIS)[number % 10 == 0],
        title=f"{some[0]} {some[1]} {some[2]}".capitalize(), body=" ".join(some) + ".",
        tags=tuple({TAGS[int(len(TAGS) * chosen.random() ** 2)] for _ in range(3)}),
        relations=tuple(Relation(kind="related", target=one) for one in sorted(targets)),
        provenance=Provenance(document=f"bulk-{number // BATCH}.md", first_line=1, last_line=2, sha256="a" * 64),
    )  # fmt: skip


def load(store, total, words):
    """Documents of `BATCH` notes, one transaction each."""
    chosen, writing = random.Random(11), 0.0
    for start in range(0, total, BATCH):
        nodes = tuple(note(n, total, words, chosen) for n in range(start, min(start + BATCH, total)))
        document = Document(
            name=f"bulk-{start // BATCH}.md", format="note", brain="bulk", sha256="a" * 64, text="x", nodes=nodes,
            lines=LineCount(total=1, kept=1, skipped=0),
        )  # fmt: skip
        begun = time.perf_counter()
        store.documents.put(document, NOW)
        writing += time.perf_counter() - begun
    return writing


def timed(ask, questions):
    times = []
    for question in questions:
        begun = time.perf_counter()
        ask(question)
        times.append(1000 * (time.perf_counter() - begun))
    times.sort()
    return {"p50": round(times[len(times) // 2], 2), "p99": round(times[len(times) * 99 // 100], 2)}


def questions(store, search, total, words):
    """The questions by name, each with the times of its first answers."""
    chosen = random.Random(3)
    rare = [f"{words[chosen.randrange(2000, 60_000)]} {words[chosen.randrange(200)]}" for _ in range(ASKED)]
    common = list(words[: ASKED // 2])
    tags = [NodeQuery(tags=(tag,), limit=20) for tag in chosen.sample(TAGS, ASKED)]
    pairs = [NodeQuery(tags=tuple(chosen.sample(TAGS[:50], 2)), limit=20) for _ in range(ASKED // 2)]
    ids = [f"bulk/n{chosen.randrange(total)}" for _ in range(ASKED)]
    page = NodeQuery(limit=20)
    return {
        "text, two words": timed(lambda one: search.search(one, page), rare),
        "text, one common word with its facets": timed(lambda one: search.search(one, page), common),
        "text and tag": timed(lambda one: search.search(words[one % 300], tags[one]), range(ASKED // 2)),
        "tag": timed(store.nodes.page, tags),
        "two tags": timed(store.nodes.page, pairs),
        "node": timed(store.nodes.get, ids),
        "backlinks of a node": timed(store.edges.backlinks, ids),
        "completion": timed(search.complete, [word[:4] for word in rare]),
        "facets of all": timed(lambda one: search.search("", NodeQuery(limit=one)), range(1, 4)),
    }


def main(total):
    words = vocabulary()
    with database() as (_, _, url), Store.open(url) as store:
        search = ServerSearch(store)
        begun = time.perf_counter()
        writing = load(store, total, words)
        print(json.dumps({
            "nodes": total, "edges": total * EDGES, "seconds": round(time.perf_counter() - begun, 1),
            "nodes_per_second_in_the_store": round(total / writing),
        }))  # fmt: skip
        with store.engine.connect() as sql:
            size = sql.exec_driver_sql("SELECT pg_database_size(current_database())").scalar()
        print(json.dumps({"bytes_per_node": round(size / total)}))
        store.vacuum()
        for name, found in questions(store, search, total, words).items():
            print(f"{name:<40} p50 {found['p50']:>8} ms   p99 {found['p99']:>8} ms", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
