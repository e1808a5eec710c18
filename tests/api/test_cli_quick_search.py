"""A plain search starts quickly: it answers without the libraries of the complete program, and answers the same."""

import json
from contextlib import closing

import pytest

from api.cli import quick_search_command
from api.plain_settings import TEXTS, only_texts
from api.settings import Settings
from graph.search import Search
from graph.search.query_language import parse, text_of
from graph.search.tantivy_engine import TantivyEngine
from graph.search.tantivy_index import TantivyIndex
from graph.search.whoosh_engine import WhooshEngine
from graph.search.whoosh_index import WhooshIndex
from graph.store import Store

QUERIES = (
    ("caching",), ("prompt caching price",), ("promt caching",), ("inferenc*",), ('"prompt caching"',), ("TTFT",),
    ("caching -batch",), ("break-even gpu",), ("title:caching",), ("caching tag:Batch-Pricing",), ("cost kind:theses",),
    ("cost -kind:reading brain:analyst brain:mara",), ("zzyzx quux",), ("the price of a token", "--limit", "3"),
    ("cost", "--tag", "batch-pricing", "--kind", "reading", "--brain", "analyst"), ("kv cache",), ("cost -tag:gpu",),
)  # fmt: skip


@pytest.fixture
def complete(monkeypatch):
    """Call it to switch the quick search off."""
    return lambda: monkeypatch.setattr(quick_search_command, "_found", lambda *_: None)


def test_the_quick_search_prints_what_the_complete_one_prints(brain, shipped_home, monkeypatch, complete):
    monkeypatch.setattr(Search, "search", None)
    quick = [brain("search", *query, home=shipped_home) for query in QUERIES]
    monkeypatch.undo()
    monkeypatch.setenv("COLUMNS", "120")
    complete()
    for query, seen in zip(QUERIES, quick, strict=True):
        assert seen == brain("search", *query, home=shipped_home), query
    assert sum("nothing found" in seen.out for seen in quick) < 3
    assert any("did you mean" in seen.out for seen in quick)
    assert any("also looked for" in seen.out for seen in quick)


@pytest.mark.parametrize("arguments", [
    ("caching", "--json"), ("caching", "--limit", "0"), ("caching", "--limit", "x"), ("caching", "--kind", "essay"),
    ("caching", "batch"), ("--tag", "batch-pricing"), ("",), ("tag:batch-pricing",), ("caching", "--limit=2"), ("-x",),
    ("caching", "--help"), ("caching", "--brain"), ("caching", "--brain", "mara", "--brain", "analyst"),
])  # fmt: skip
def test_everything_else_is_left_to_the_complete_program(shipped_home, arguments, capsys):
    assert not quick_search_command.answered(["--home", str(shipped_home), "search", *arguments])
    assert not quick_search_command.answered(["--home", str(shipped_home), "--as-public", "search", *arguments])
    assert not capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "text", "shown"),
    [
        (("search",), "-batch", "-batch"), (("search",), "-h100 caching", "'-h100 caching'"),
        (("search", "caching"), "-batch", "-batch"), (("prices", "list"), "-mini", "-mini"),
    ],
)  # fmt: skip
def test_a_text_that_begins_with_a_dash_is_refused_with_how_to_write_it(brain, shipped_home, command, text, shown):
    """`brain search -cache` ended with: no such option: -c."""
    refused = brain(*command, text, home=shipped_home)
    assert refused.code == 2
    assert f"brain {' '.join(one for one in command if one != 'caching')} -- {shown}" in refused.err
    assert brain(*command[: 2 if command[0] == "prices" else 1], "--", text, home=shipped_home).code == 0


def test_an_option_with_a_slip_is_no_text(brain, shipped_home):
    slipped = brain("search", "caching", "--limt", "3", home=shipped_home)
    assert "--limit" in slipped.err
    assert "begins with a dash" not in slipped.err


def test_a_home_that_is_not_in_its_usual_state_is_left_to_the_complete_program(brain, write, tmp_path, monkeypatch):
    plain = ["--home", str(tmp_path / "own"), "search", "sorghum"]
    assert not quick_search_command.answered(plain), "there is no home"
    assert not (tmp_path / "own").exists()
    brain("ingest", write("a.md", "---\ntitle: Sorghum\nkind: reading\n---\nSorghum grows. See [[b]].\n"))
    assert quick_search_command.answered(plain)
    monkeypatch.setenv("BRAIN_SEARCH", "tantivy")
    assert not quick_search_command.answered(plain), "another engine may be asked for"
    monkeypatch.delenv("BRAIN_SEARCH")
    manifest = tmp_path / "own/index/manifest.json"
    said = json.loads(manifest.read_text())
    for field, other in (("commit", "0" * 32), ("store", "0" * 32), ("version", said["version"] + 1), ("format", 0)):
        manifest.write_text(json.dumps({**said, field: other}))
        assert not quick_search_command.answered(plain), field
    manifest.unlink()
    assert not quick_search_command.answered(plain), "there is no index"
    assert "1 node" in brain("search", "sorghum").out, "the complete search builds it again"
    assert quick_search_command.answered(plain)
    brain("remove", "a.md")
    assert not quick_search_command.answered(plain), "the brain is empty"


def test_settings_that_may_be_wrong_or_change_an_answer_are_read_first(monkeypatch):
    fields = {name: field.annotation for name, field in Settings.model_fields.items()}
    assert {name for name in TEXTS if "int" in str(fields[name]) or "Literal" in str(fields[name])} == set()
    assert only_texts({"PATH": "/bin", "BRAIN_HOME": "/srv/brain", "BRAIN_TOKEN": "x"})
    for name, value in (
        ("BRAIN_DB", "postgresql://a/b"),
        ("BRAIN_WORKERS", "2"),
        ("brain_home", "x"),
        ("BRAIN_HOME", ""),
    ):
        assert not only_texts({name: value}), name


def test_an_index_read_without_arrays_gives_the_same_scores(shipped_home, tmp_path):
    with Store.open(shipped_home / "brain.db") as store:
        Search(store, tmp_path, "tantivy").index()
    compared = 0
    for home, engine, index in (
        (shipped_home / "index", WhooshEngine, WhooshIndex),
        (tmp_path, TantivyEngine, TantivyIndex),
    ):
        folder = home / json.loads((home / "manifest.json").read_text())["folder"]
        with closing(engine(folder)) as arrays, closing(index(folder)) as lists:
            for text, *_ in (*QUERIES, ("-caching",)):
                asked = parse(text)
                wanted, unwanted = text_of(asked.required), text_of(asked.unwanted, relaxed=True)
                ranking = arrays.rank(wanted, unwanted)
                scores = dict(zip(ranking.serials.tolist(), ranking.scores.tolist(), strict=True))
                assert dict(zip(*lists.hits(wanted, unwanted), strict=True)) == scores, text
                compared += len(scores)
    assert compared > 500
