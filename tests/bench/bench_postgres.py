"""A large brain in PostgreSQL: nodes and edges through the store's own code, then questions in SQL and over HTTP.

    python -m tests.bench postgres [NODES] [--server FOLDER [--loaded]]        default: 100000; five times as many edges

The notes are made by a seed, without Markdown and its parser: documents of 5,000 notes are put into the store, one
transaction each, with their edges, tags and search tables. Printed are the rate of the writes, the CPU of this process
and of the server, memory, the size on disk, and p50 and p99 in milliseconds of questions that were never asked before:
in this process, and of a `brain serve` that has just started. With `--server` a server that listens in this folder is
used, and its database `bench` is kept; by default a server is started for the run. `--loaded` only asks: that database
has the notes already.
"""

import argparse
import json
import random
import re
import resource
import shutil
import tempfile
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import psycopg

from graph.models.document_models import Document, LineCount
from graph.models.node_models import Kind, Node, Provenance, Relation
from graph.models.query_models import NodeQuery
from graph.search.search import Search
from graph.store import Store
from tests.graph import conftest
from tests.stories.own_process import served

NOW = datetime(2026, 11, 22, tzinfo=UTC)
BATCH = 5_000
EDGES = 5
TAGS = [f"tag-{n}" for n in range(400)]
ASKED = 100


@contextmanager
def database():
    """The address of an empty database of a server of our own."""
    folder = Path(tempfile.mkdtemp(prefix="brain-pg-"))
    running = conftest._serve(conftest._postgres_programs(), folder)
    try:
        yield next(running)()
    finally:
        running.close()
        shutil.rmtree(folder, ignore_errors=True)


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
    chosen, writing, begin = random.Random(11), 0.0, time.perf_counter()
    for start in range(0, total, BATCH):
        if start and start % (20 * BATCH) == 0:
            said = {"nodes": start, "seconds": round(time.perf_counter() - begin), "per_second": round(start / writing)}
            print(json.dumps(said | {"rss_mb": peak()}), flush=True)
        nodes = tuple(note(n, total, words, chosen) for n in range(start, min(start + BATCH, total)))
        document = Document(
            name=f"bulk-{start // BATCH}.md", format="note", brain="bulk", sha256="a" * 64, text="x", nodes=nodes,
            lines=LineCount(total=1, kept=1, skipped=0),
        )  # fmt: skip
        begun = time.perf_counter()
        store.documents.put(document, NOW)
        writing += time.perf_counter() - begun
    return writing


def peak(pid="self"):
    """The most memory of a process, in megabytes."""
    return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) // 1024


def timed(ask, questions):
    """Percentiles in milliseconds of the first answers."""
    times = []
    for question in questions:
        begun = time.perf_counter()
        ask(question)
        times.append(1000 * (time.perf_counter() - begun))
    times.sort()
    return {"p50": round(times[len(times) // 2], 2), "p99": round(times[len(times) * 99 // 100], 2)}


def questions(store, search, total, words):
    """The questions by name, each with the times of its first answers."""
    store.nodes.get("bulk/n0")  # opens the connections
    chosen = random.Random(3)
    rare = [f"{words[chosen.randrange(2000, 60_000)]} {words[chosen.randrange(200)]}" for _ in range(ASKED)]
    common = [words[place] for place in (0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000)]
    tags = [NodeQuery(tags=(tag,), limit=20) for tag in chosen.sample(TAGS, ASKED)]
    pairs = [NodeQuery(tags=tuple(chosen.sample(TAGS[:50], 2)), limit=20) for _ in range(ASKED // 2)]
    ids = [f"bulk/n{chosen.randrange(total)}" for _ in range(ASKED)]
    page = NodeQuery(limit=20)
    whole = [NodeQuery(), *(NodeQuery(kind=kind) for kind in (Kind.READING, Kind.THESIS)), NodeQuery(brain="bulk")]
    return {
        "text, two words": timed(lambda one: search.search(one, page), rare),
        "text, ten words from the most frequent on": timed(lambda one: search.search(one, page), common),
        "text and tag": timed(lambda one: search.search(words[one % 300], tags[one]), range(ASKED // 2)),
        "tag": timed(store.nodes.page, tags),
        "two tags": timed(store.nodes.page, pairs),
        "node": timed(store.nodes.get, ids),
        "backlinks of a node": timed(store.edges.backlinks, ids),
        "completion": timed(search.complete, [word[:4] for word in rare]),
        "facets of all nodes, of a kind, of a brain": timed(store.nodes.page, whole),
    }


def addresses(total, words):
    """The addresses of each kind, other ones than in `questions`; each is asked once."""
    chosen = random.Random(5)
    texts = [f"{words[chosen.randrange(2000, 60_000)]} {words[chosen.randrange(200)]}" for _ in range(ASKED)]
    pairs = [" ".join(words[chosen.randrange(50, 2000)] for _ in range(2)) for _ in range(ASKED)]
    return {
        "node": [f"/v1/nodes/bulk/n{chosen.randrange(total)}" for _ in range(ASKED)],
        "backlinks": [f"/v1/nodes/bulk/n{chosen.randrange(total)}/backlinks" for _ in range(ASKED)],
        "tag": [f"/v1/nodes?tag={tag}&limit=20" for tag in chosen.sample(TAGS, ASKED)],
        "text, a rare and a frequent word": [f"/v1/nodes?q={quote(one)}&limit=20" for one in texts],
        "text, two frequent words": [f"/v1/nodes?q={quote(one)}&limit=20" for one in pairs],
        "facet: one tag": [f"/v1/tags/{tag}" for tag in chosen.sample(TAGS, ASKED)],
        "facet: all nodes of a kind": [f"/v1/nodes?kind={kind}&limit=1" for kind in ("reading", "thesis")],
    }


def over_http(url, total, words):
    """Print the times of first answers of a server that has just started, and its memory."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder, "home"), BRAIN_DB=url) as client:

        def ask(address):
            answer = client.get(address)
            assert answer.status_code == 200, (address, answer.status_code, answer.text[:200])

        ask("/v1/nodes/bulk/n0")
        for name, found in {name: timed(ask, paths) for name, paths in addresses(total, words).items()}.items():
            print(f"HTTP {name:<35} p50 {found['p50']:>8} ms   p99 {found['p99']:>8} ms", flush=True)
        print(json.dumps({"server_rss_mb": peak(client.process.pid)}), flush=True)


@contextmanager
def prepared(folder, loaded):
    """The address of a database, empty or `loaded`: on the server in a folder, or on one of our own."""
    if folder is None:
        with database() as url:
            yield url
        return
    if loaded:
        yield f"postgresql://brain@/bench?host={folder}"
        return
    with psycopg.connect(f"host={folder} user=brain dbname=postgres", autocommit=True) as sql:
        sql.execute("DROP DATABASE IF EXISTS bench")
        sql.execute("CREATE DATABASE bench")
    yield f"postgresql://brain@/bench?host={folder}"


def load_and_say(store, total, words):
    """Load the notes; print rates, memory and size."""
    begun, cpu = time.perf_counter(), time.process_time()
    writing = load(store, total, words)
    with store.engine.connect() as sql:
        backends = sql.exec_driver_sql("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        server = sum(_cpu(pid) for (pid,) in backends)
        size = sql.exec_driver_sql("SELECT pg_database_size(current_database())").scalar()
        parts = sql.exec_driver_sql(
            "SELECT relname, pg_total_relation_size(oid) / 1000000 FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC LIMIT 8"
        )
        largest = {name: int(size) for name, size in parts}
    print(json.dumps({
        "nodes": total, "edges": total * EDGES, "seconds": round(time.perf_counter() - begun, 1),
        "seconds_in_the_store": round(writing, 1), "nodes_per_second_in_the_store": round(total / writing),
        "cpu_of_client": round(time.process_time() - cpu, 1),
        "cpu_of_server": round(server, 1),
        "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "bytes_per_node": round(size / total), "largest_mb": largest,
    }), flush=True)  # fmt: skip


def _cpu(pid):
    """The CPU seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def main(total, folder, loaded):
    words = vocabulary()
    with prepared(folder, loaded) as url:
        with Store.open(url) as store:
            search = Search(store, Path("index"))
            if not loaded:
                load_and_say(store, total, words)
            for name, found in questions(store, search, total, words).items():
                print(f"{name:<40} p50 {found['p50']:>8} ms   p99 {found['p99']:>8} ms", flush=True)
        over_http(url, total, words)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("nodes", type=int, nargs="?", default=100_000)
    options.add_argument("--server", help="the folder of the socket of a PostgreSQL server, with the user `brain`")
    options.add_argument("--loaded", action="store_true", help="ask only")
    given = options.parse_args()
    main(given.nodes, given.server, given.loaded)
