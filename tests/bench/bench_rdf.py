"""Figures of the RDF export and of SPARQL over a store of many nodes: python tests/bench/bench_rdf.py [NODES]"""

import contextlib
import sys
import tempfile
import time
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from graph.models.document_models import Document, LineCount
from graph.models.node_models import Citation, Kind, Node, Provenance, Source
from graph.rdf.iris import IriFactory
from graph.rdf.rdf_export import Export
from graph.rdf.sparql.endpoint import Endpoint
from graph.rdf.sparql.sparql_errors import TimeLimitError
from graph.store import Store

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
JOIN = """SELECT ?a ?b ?work { ?a cito:cites ?b ; dcterms:subject ?tag . ?b dcterms:subject ?tag ; dcterms:references ?work .
          ?work brain:host "host7.example" } LIMIT 50"""
PRODUCT = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


def node(number):
    other = f"bench/n{number * 7919 % 1000}"
    url = f"https://host{number % 97}.example/{number % 500}"
    return Node(
        id=f"bench/n{number}",
        brain="bench",
        kind=(Kind.THESIS, Kind.READING)[number % 2],
        title=f"Entry {number}",
        body="A line of text about nothing. " * 12,
        tags=(f"tag{number % 40}", f"tag{number % 7}"),
        sources=(Source(id=url, url=url),),
        citations=(Citation(marker="[1]", number=1, target=other, resolution="batch", confidence=0.9, context="So."),),
        provenance=Provenance(document="bench.md", first_line=number + 1, last_line=number + 1, sha256="0" * 64),
    )


def timed(what, work, times=1):
    took = []
    for _ in range(times):
        start = time.perf_counter()
        found = work()
        took.append(time.perf_counter() - start)
    print(f"{what:48} {sorted(took)[len(took) // 2] * 1000:10.1f} ms")
    return found


def stopped(endpoint):
    try:
        endpoint.query(PRODUCT, seconds=1)
    except TimeLimitError:
        return
    raise SystemExit("the product was not stopped")


def main(count):
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "brain.db") as store:
        nodes = tuple(map(node, range(count)))
        lines = LineCount(total=count, kept=count, skipped=0)
        store.documents.put(
            Document(name="bench.md", format="note", brain="bench", sha256="0" * 64, text="", nodes=nodes, lines=lines),
            NOON,
        )
        export = Export(store, IriFactory("https://bench.example/"))
        print(f"{count} nodes, {sum(1 for _ in export.triples())} triples")
        for form in ("ntriples", "turtle", "jsonld"):
            size = timed(f"export {form}", lambda form=form: sum(map(len, export.write(form))))
            print(f"{'':48} {size / 2**20:10.1f} MB")
        tracemalloc.start()
        sum(map(len, export.write("ntriples")))
        print(f"{'peak of Python memory while exporting':48} {tracemalloc.get_traced_memory()[1] / 2**20:10.1f} MB")
        tracemalloc.stop()
        with contextlib.closing(Endpoint(export, Path(folder) / "sparql", patience=600)) as endpoint:
            timed("first query: build, start, answer", lambda: endpoint.query("ASK { ?s ?p ?o }", seconds=600))
            endpoint.query("ASK { ?s ?p ?o }", seconds=600)
            timed("a join, known text", lambda: endpoint.query(JOIN, seconds=60), 51)
            number = iter(range(100))
            timed("a join, new text", lambda: endpoint.query(f"{JOIN} #{next(number)}", seconds=60), 51)
            timed("10,000 rows", lambda: endpoint.query("SELECT * { ?s ?p ?o }", seconds=60), 3)
            timed("a product, stopped after 1,000 ms", lambda: stopped(endpoint), 3)
            timed("the query after it", lambda: endpoint.query("ASK { ?s ?p ?o }", seconds=60))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
