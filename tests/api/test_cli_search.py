"""`brain search` on the command line: what it prints, and a text that begins with a dash."""

import pytest

from graph.search import whoosh_engine

QUERIES = (
    ("caching",), ("prompt caching price",), ("promt caching",), ("inferenc*",), ('"prompt caching"',), ("TTFT",),
    ("caching -batch",), ("break-even gpu",), ("title:caching",), ("caching tag:Batch-Pricing",), ("cost kind:theses",),
    ("cost -kind:reading brain:analyst brain:mara",), ("zzyzx quux",), ("the price of a token", "--limit", "3"),
    ("cost", "--tag", "batch-pricing", "--kind", "reading", "--brain", "analyst"), ("kv cache",), ("cost -tag:gpu",),
)  # fmt: skip


def test_a_search_prints_what_its_json_has(brain, shipped_home, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    printed = [brain("search", *query, home=shipped_home) for query in QUERIES]
    for query, seen in zip(QUERIES, printed, strict=True):
        ids = [item["id"] for item in brain("search", *query, "--json", home=shipped_home).json["items"]]
        assert [line.split()[-1] for line in seen.out.split("\n") if line.endswith(tuple(ids))] == ids, query
    assert sum("nothing found" in seen.out for seen in printed) < 3
    assert any("did you mean" in seen.out for seen in printed)
    assert any("also looked for" in seen.out for seen in printed)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (("search",), "-batch"),
        (("search",), "-h100 caching"),
        (("search", "caching"), "-batch"),
        (("prices", "list"), "-mini"),
    ],
)
def test_a_text_that_begins_with_a_dash_is_refused_with_how_to_write_it(brain, shipped_home, command, text):
    """`brain search -cache` ended with: no such option: -c."""
    refused = brain(*command, text, home=shipped_home)
    assert refused.code == 2
    assert f"brain {' '.join(one for one in command if one != 'caching')} -- TEXT" in refused.error
    assert brain(*command[: 2 if command[0] == "prices" else 1], "--", text, home=shipped_home).code == 0


def test_an_option_with_a_slip_is_no_text(brain, shipped_home):
    slipped = brain("search", "caching", "--limt", "3", home=shipped_home)
    assert "--limit" in slipped.err
    assert "begins with a dash" not in slipped.err


NOTE = "---\ntitle: Sorghum in {place}\nkind: reading\n---\nSorghum grows in {place}.\n"


def test_the_index_follows_every_command_that_changes_the_store(brain, write, tmp_path, monkeypatch):
    notes, index = [write(f"{place}.md", NOTE.format(place=place)) for place in ("Kano", "Jos")], tmp_path / "own/index"
    brain("ingest", *notes, "--dry-run")
    assert not index.exists()
    assert brain("ingest", *notes).code == 0
    ready = (index / "state.json").read_text()
    with monkeypatch.context() as patch:
        patch.setattr(whoosh_engine.WhooshIndex, "_written", None)
        assert brain("search", "kano", "--json").json["total"] == 1, "the first search builds nothing"
    assert (index / "state.json").read_text() == ready
    assert brain("remove", "Kano.md").code == 0
    assert (index / "state.json").read_text() != ready
    assert brain("search", "kano", "--json").json["total"] == 0


def test_an_engine_that_there_is_not_is_refused_with_those_that_there_are(brain, monkeypatch):
    assert "is empty" in brain("search", "jos").error
    monkeypatch.setenv("BRAIN_SEARCH", "tantivy")
    refused = brain("search", "jos")
    assert refused.code == 2
    assert all(words in refused.err for words in ("BRAIN_SEARCH", "database"))
