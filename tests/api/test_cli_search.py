"""`brain search` on the command line: what it prints, and a text that begins with a dash."""

import json

import pytest

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


def test_a_search_of_an_index_that_is_not_of_this_store_builds_it_again(brain, write, tmp_path):
    assert "is empty" in brain("search", "sorghum").error
    brain("ingest", write("a.md", "---\ntitle: Sorghum\nkind: reading\n---\nSorghum grows. See [[b]].\n"))
    state = tmp_path / "own/index/state.json"
    form, store, graph, commit = json.loads(state.read_text())
    for other in ([0, store, graph, commit], [form, "0" * 32, graph, commit], [form, store, graph + 1, commit]):
        state.write_text(json.dumps(other))
        assert "1 node" in brain("search", "sorghum").out, other
    state.unlink()
    assert "1 node" in brain("search", "sorghum").out
