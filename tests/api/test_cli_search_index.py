"""The search index follows every command that changes the store."""

import json

from graph.search import whoosh_engine

NOTE = "---\ntitle: Sorghum in {place}\nkind: reading\n---\nSorghum grows in {place}.\n"


def index_state(home):
    """What the index on disk says of itself."""
    return json.loads((home / "index/state.json").read_text())


def test_an_ingest_leaves_the_index_ready_and_the_first_search_builds_nothing(brain, write, tmp_path, monkeypatch):
    assert brain("ingest", write("a.md", NOTE.format(place="Kano"))).code == 0
    ready = index_state(tmp_path / "own")
    monkeypatch.setattr(whoosh_engine.WhooshIndex, "_written", None)
    assert brain("search", "kano", "--json").json["total"] == 1
    assert index_state(tmp_path / "own") == ready


def test_what_was_removed_leaves_the_index(brain, write, tmp_path):
    brain("ingest", write("a.md", NOTE.format(place="Kano")), write("b.md", NOTE.format(place="Jos")))
    before = index_state(tmp_path / "own")
    assert brain("remove", "a.md").code == 0
    assert index_state(tmp_path / "own") != before
    assert brain("search", "kano", "--json").json["total"] == 0


def test_a_dry_run_indexes_nothing(brain, write, tmp_path):
    brain("ingest", write("a.md", NOTE.format(place="Kano")), "--dry-run")
    assert not (tmp_path / "own/index").exists()


def test_an_engine_that_there_is_not_is_refused_with_those_that_there_are(brain, monkeypatch):
    monkeypatch.setenv("BRAIN_SEARCH", "tantivy")
    refused = brain("search", "jos")
    assert refused.code == 2
    assert "BRAIN_SEARCH" in refused.err
    assert "database" in refused.err
