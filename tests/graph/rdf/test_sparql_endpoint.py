"""Queries over a store: answered, cut, stopped, refused; and the service goes on."""

import contextlib
import csv
import io
import json
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyoxigraph
import pytest

from graph.rdf.rdf_export import Export
from graph.rdf.sparql import endpoint as builder
from graph.rdf.sparql import sparql_errors as errors
from graph.rdf.sparql.endpoint import LONGEST, Datasets, Endpoint
from graph.scratch_folder import scratch_folder

COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n2 ?o }"
TINY, MOVED = "1.00000000000001", "-10.500000000000105"
HUNGRY = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l } ORDER BY ?c ?f ?i ?l"
LONG = 60.0  # seconds: a machine under load must not fail a test


@pytest.fixture(scope="module")
def endpoint(export):
    with contextlib.closing(Endpoint(export, megabytes=200, patience=LONG)) as opened:
        yield opened


def rows(answer):
    return list(csv.reader(io.StringIO(answer.body.decode(), newline="")))[1:]


def test_a_table(endpoint):
    text = "SELECT ?title { ?t a brain:Thesis ; dcterms:title ?title } ORDER BY ?title"
    answer = endpoint.query(text, seconds=LONG)
    found = json.loads(answer.body)
    assert [row["title"]["value"] for row in found["results"]["bindings"]] == ["Oats pay", "Rye waits"]
    assert (answer.form, answer.rows, answer.truncated, answer.fresh) == ("SELECT", 2, False, True)
    assert answer.media_type == "application/sparql-results+json"


def test_the_default_graph_is_the_export_the_rest_are_nanopublications_and_decimals_are_exact(endpoint, export, names):
    for text, found in (
        (COUNT, [[str(len(set(export.triples())))]]),
        ("SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH ?g { ?s ?p ?o } }", [["12"]]),
        (f"SELECT ?m (?m * {TINY} AS ?x) {{ ?v brain:margin ?m ; brain:finding brain:stale }}", [["-10.5", MOVED]]),
        (f"SELECT ?d {{ <{names.base}nodes/words/groat> skos:definition ?d }}", [["A hulled kernel."]]),
    ):
        assert rows(endpoint.query(text, seconds=LONG, accept="csv")) == found, text


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("text/turtle", pyoxigraph.RdfFormat.TURTLE),
        ("ntriples", pyoxigraph.RdfFormat.N_TRIPLES),
        ("application/ld+json", pyoxigraph.RdfFormat.JSON_LD),
    ],
)
def test_a_graph(endpoint, export, accept, form):
    text = "CONSTRUCT { ?s ?p ?o } { ?s a brain:Claim ; ?p ?o }"
    answer = endpoint.query(text, seconds=LONG, accept=accept)
    told = {quad.triple for quad in pyoxigraph.parse(answer.body, format=form)}
    claims = {t.subject for t in export.triples() if t.object == export.names.own.Claim}
    assert told == {triple for triple in export.triples() if triple.subject in claims}
    assert answer.rows == len(told)
    assert endpoint.query(text, seconds=LONG, accept=accept).body == answer.body


def test_a_graph_may_have_blank_nodes_of_the_query_and_a_description_is_one(endpoint, names):
    text = "CONSTRUCT { ?s brain:x [ brain:y 'z'@en ] } { ?s a brain:Thesis }"
    data = endpoint.query(text, seconds=LONG, accept="jsonld").body
    quads = list(pyoxigraph.parse(data, format=pyoxigraph.RdfFormat.JSON_LD))
    assert sum(isinstance(quad.object, pyoxigraph.BlankNode) for quad in quads) == 2
    assert sum(getattr(quad.object, "language", None) == "en" for quad in quads) == 2
    answer = endpoint.query(f"DESCRIBE <{names.base}nodes/words/groat>", seconds=LONG, accept="ntriples")
    assert b'"A hulled kernel."' in answer.body


def test_rows_are_cut_and_the_answer_says_so(endpoint):
    answer = endpoint.query("SELECT * { ?s ?p ?o }", seconds=LONG, rows=7, accept="csv")
    assert len(rows(answer)) == answer.rows == 7
    assert answer.truncated
    assert answer.warning == "cut after 7 rows: there are more"
    exact = endpoint.query("SELECT * { ?s ?p ?o } LIMIT 7", seconds=LONG, rows=7)
    assert (exact.rows, exact.truncated) == (7, False)
    graph = endpoint.query("CONSTRUCT WHERE { ?s ?p ?o }", seconds=LONG, rows=7, accept="ntriples")
    assert (graph.rows, graph.truncated, graph.body.count(b"\n")) == (7, True, 7)
    endless = endpoint.query("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }", seconds=LONG, rows=5)
    assert endless.rows == 5, "rows are taken one by one: a product is no harm while only its first rows are read"


def test_a_query_that_is_endless_or_eats_memory_is_stopped_and_the_service_goes_on(endpoint):
    endpoint.query(COUNT, seconds=LONG)
    before, workers = time.monotonic(), processes()
    with pytest.raises(errors.TimeLimitError, match="stopped after 1 s"):
        endpoint.query(ENDLESS, seconds=1)
    assert time.monotonic() - before < 10
    assert endpoint.query(COUNT, seconds=LONG).rows == 1
    assert len(workers) == len(processes()) == 1
    assert not workers & processes(), "the stopped worker is gone"
    with pytest.raises(errors.MemoryLimitError, match="more than 200 MB"):
        endpoint.query(HUNGRY, seconds=LONG)
    assert endpoint.query(COUNT, seconds=LONG).rows == 1


def processes():
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it may end while we look
            parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
            if parent == str(os.getpid()) and "graph.rdf.sparql.worker" in (process / "cmdline").read_text():
                found.add(int(process.name))
    return found


def test_a_worker_that_somebody_killed_is_replaced_and_queries_run_side_by_side(endpoint):
    for process in processes():
        os.kill(process, signal.SIGKILL)
        os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)  # dead with all its threads, and not reaped
    assert endpoint.query(COUNT, seconds=LONG).rows == 1
    with ThreadPoolExecutor(8) as threads:
        answers = threads.map(lambda _: endpoint.query(COUNT, seconds=LONG), range(8))
        assert [one.rows for one in answers] == [1] * 8


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("INSERT DATA { <http://x/a> <http://x/b> 1 }", errors.UpdateRefusedError),
        ("SELECT * { SERVICE <http://x/> { ?s ?p ?o } }", errors.ServiceRefusedError),
        ("SELECT * {", errors.QuerySyntaxError),
        ("SELECT ?a { ?a ?b ?c } GROUP BY ?b", errors.QuerySyntaxError),
        ("SELECT * " + "{" * 4000 + "}" * 4000, errors.QueryFailedError),
        ("SELECT * { ?a ?b ?c } #" + "x" * LONGEST, errors.QueryTooLongError),
        *((text, errors.SparqlError) for text in ("\x00", "\ud800", "{}" * 50, "SELECT", "\u202eSELECT * {}")),
    ],
    ids=lambda value: ascii(value)[:30] if isinstance(value, str) else value.__name__,
)
def test_what_is_not_answered_has_its_reason(endpoint, text, error):
    with pytest.raises(error):
        endpoint.query(text, seconds=LONG)


def test_an_undeclared_prefix_is_shown_and_a_format_that_is_not_offered_refused_before_the_work(endpoint):
    with pytest.raises(errors.QuerySyntaxError, match="'nowhere:b'") as caught:
        endpoint.query("SELECT *\n{ ?a nowhere:b ?c }", seconds=LONG)
    assert (caught.value.line, caught.value.column) == (2, 6)
    with pytest.raises(errors.NotAcceptableError):
        endpoint.query(ENDLESS, seconds=LONG, accept="text/turtle")


def stopped(endpoint, seconds):
    with pytest.raises(errors.SparqlError):
        endpoint.query(ENDLESS, seconds=seconds)


def test_a_client_that_waits_too_long_for_a_worker_gets_an_error(export):
    with contextlib.closing(Endpoint(export, workers=1, patience=LONG)) as narrow:
        narrow.query(COUNT, seconds=LONG)
        busy = threading.Thread(target=stopped, args=(narrow, 1))
        busy.start()
        time.sleep(0.3)
        with pytest.raises(errors.BusyError, match="try again"):
            narrow.query(COUNT, seconds=0.2)
        busy.join()
        assert narrow.query(COUNT, seconds=LONG).rows == 1


def test_a_query_sees_what_was_ingested_before_it(lite, make, names):
    text = "SELECT ?n { ?n a brain:Node }"
    with contextlib.closing(Endpoint(Export(lite, names), patience=LONG)) as endpoint:
        assert endpoint.query(text, seconds=LONG).rows == 0
        make.put(lite, make.node("oats"))
        answer = endpoint.query(text, seconds=LONG)
        assert (answer.rows, answer.fresh, answer.version) == (1, True, lite.version())
        again = endpoint.query(text, seconds=LONG)
        assert again.version == answer.version


def quads(*words):
    for word in words:
        node = pyoxigraph.NamedNode(f"http://x/{word}")
        yield pyoxigraph.Quad(node, node, node)


@pytest.fixture
def datasets_of(tmp_path):
    with contextlib.ExitStack() as opened:
        yield lambda version, export: opened.enter_context(contextlib.closing(Datasets(version, export, tmp_path)))


def test_a_dataset_is_built_once_for_a_version(tmp_path):
    left = tmp_path / "sparql-0123abcd"
    left.mkdir()
    built = []
    with scratch_folder(tmp_path, "sparql-") as mine:
        datasets = Datasets(lambda: 7, lambda: built.append(1) or quads("a"), tmp_path)
        first, fresh = datasets.current(LONG, LONG)
        assert (datasets.current(LONG, LONG)[0], fresh, first.version, len(built)) == (first, True, 7, 1)
        assert len(pyoxigraph.Store.read_only(str(first.path))) == 1
        assert (left.exists(), mine.exists()) == (False, True), "what a dead process left behind is removed"
        datasets.close()
    assert not list(tmp_path.iterdir())


def test_old_data_are_read_while_new_ones_are_on_their_way(datasets_of):
    version, go = [1], threading.Event()

    def export():
        if version[0] > 1:
            go.wait(LONG)
        return quads("a")

    datasets = datasets_of(lambda: version[0], export)
    old, _ = datasets.current(LONG, LONG)
    version[0] = 2
    assert datasets.current(0.01, LONG) == (old, False)
    go.set()
    new, fresh = datasets.current(LONG, LONG)
    assert (new.version, fresh) == (2, True)
    assert old.path.exists()
    version[0] = 3
    datasets.current(LONG, LONG)
    assert not old.path.exists()


def test_without_any_data_yet_a_query_waits_until_its_limit(datasets_of):
    go = threading.Event()
    datasets = datasets_of(lambda: 1, lambda: (go.wait(LONG), quads("a"))[1])
    with pytest.raises(errors.BusyError, match=r"still being prepared after 0.05 s"):
        datasets.current(LONG, 0.05)
    go.set()
    assert datasets.current(LONG, LONG)[0].version == 1


def test_a_store_that_changes_during_the_build_is_read_again(datasets_of):
    version = [1]

    def export():
        version[0] = max(version[0], 2)
        return quads("a")

    datasets = datasets_of(lambda: version[0], export)
    assert datasets.current(LONG, LONG)[0].version == 2


def test_an_export_that_fails_is_tried_again_at_the_next_query(datasets_of):
    results = [RuntimeError("the disk is full"), quads("a")]

    def export():
        found = results.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    datasets = datasets_of(lambda: 1, export)
    with pytest.raises(RuntimeError, match="disk"):
        datasets.current(LONG, LONG)
    assert datasets.current(LONG, LONG)[0].version == 1


def test_a_second_worker_starts_only_when_the_first_is_busy(export):
    with contextlib.closing(Endpoint(export, workers=2, patience=LONG)) as endpoint:
        others = processes()
        for _ in range(2):
            endpoint.query(COUNT, seconds=LONG)
        (first,) = processes() - others
        busy = threading.Thread(target=stopped, args=(endpoint, LONG))
        busy.start()
        time.sleep(0.3)
        endpoint.query(COUNT, seconds=LONG)
        assert first in processes()
        assert len(processes() - others) == 2
    busy.join()
    assert processes() == others


def test_workers_at_rest_end_by_themselves(export, monkeypatch):
    monkeypatch.setattr(builder, "IDLE", 0.2)
    others = processes()
    with contextlib.closing(Endpoint(export, workers=1, patience=LONG)) as endpoint:
        for _ in range(2):
            assert endpoint.query(COUNT, seconds=LONG).rows == 1
            end = time.monotonic() + LONG
            while processes() - others and time.monotonic() < end:
                time.sleep(0.05)
            assert not processes() - others


def test_a_dataset_that_cannot_be_written_says_why_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(builder, "LOADER", "raise SystemExit('no space left on device')")
    datasets = Datasets(lambda: 1, lambda: quads("a"), tmp_path / "data")
    with pytest.raises(errors.QueryFailedError, match="no space left on device"):
        datasets.current(LONG, LONG)
    assert not list((tmp_path / "data").glob("*/v*"))
