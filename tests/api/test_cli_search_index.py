"""The search index follows every command that changes the store."""

import json

from filelock import FileLock

from graph.search import index_files

NOTE = "---\ntitle: Sorghum in {place}\nkind: reading\n---\nSorghum grows in {place}.\n"


def index_manifest(home):
    """What the index on disk says of itself."""
    return json.loads((home / "index/manifest.json").read_text())


def test_an_ingest_leaves_the_index_ready_and_the_first_search_builds_nothing(brain, write, tmp_path, monkeypatch):
    assert brain("ingest", write("a.md", NOTE.format(place="Kano"))).code == 0
    ready = index_manifest(tmp_path / "own")
    monkeypatch.setattr(index_files.IndexFiles, "_build", None)
    monkeypatch.setattr(index_files.IndexFiles, "_bring", None)
    assert brain("search", "kano", "--json").json["total"] == 1
    assert index_manifest(tmp_path / "own") == ready


def test_an_ingest_indexes_what_came_in_and_no_more(brain, write, monkeypatch):
    brain("ingest", *(write(f"{place}.md", NOTE.format(place=place)) for place in ("Kano", "Lagos", "Jos")))
    indexed = []
    entry_of = index_files.entry_of
    monkeypatch.setattr(
        index_files, "entry_of", lambda node, *rest: indexed.append(node.title) or entry_of(node, *rest)
    )
    brain("ingest", write("Kano.md", NOTE.format(place="Kaduna")), write("Jos.md", NOTE.format(place="Jos")))
    assert indexed == ["Sorghum in Kaduna"]


def test_what_was_removed_leaves_the_index(brain, write, tmp_path):
    brain("ingest", write("a.md", NOTE.format(place="Kano")), write("b.md", NOTE.format(place="Jos")))
    before = index_manifest(tmp_path / "own")
    assert brain("remove", "a.md").code == 0
    assert index_manifest(tmp_path / "own")["version"] > before["version"]
    assert brain("search", "kano", "--json").json["total"] == 0


def test_a_dry_run_indexes_nothing(brain, write, tmp_path):
    brain("ingest", write("a.md", NOTE.format(place="Kano")), "--dry-run")
    assert not (tmp_path / "own/index").exists()


def test_documents_are_stored_although_another_process_holds_the_index(brain, write, tmp_path, monkeypatch):
    brain("ingest", write("a.md", NOTE.format(place="Kano")))
    monkeypatch.setattr(index_files, "LOCK_SECONDS", 0)
    with FileLock(tmp_path / "own/index/lock"):
        outcome = brain("ingest", write("b.md", NOTE.format(place="Jos")))
    assert outcome.code == 0
    assert "are stored, but not indexed yet" in " ".join(outcome.err.split())
    assert brain("search", "jos", "--json").json["total"] == 1
