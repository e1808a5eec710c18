"""The listing of commands: what it says is what they say, and it needs nothing of what they work with."""

import subprocess
import sys

import pytest

from api.cli.command_table import COMMANDS, loaded
from graph.search import whoosh_engine
from tests.conftest import ROOT

HEAVY = (
    "fastapi", "genai_prices", "httpx", "ingest", "mcp", "networkx", "numpy", "rdflib",
    "sqlalchemy", "starlette", "uvicorn", "whoosh",
)  # fmt: skip


def loaded_by(*arguments):
    """The top packages that a call of the program has loaded, and what it printed."""
    call = (
        "import sys; from api.cli.root import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print('LOADED', *{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", call, *arguments], capture_output=True, text=True, check=True)
    out, _, names = done.stdout.partition("LOADED")
    return set(names.split()), out


READS = {*HEAVY, "bs4", "markdown_it"} - {"ingest", "sqlalchemy"}
LOADS = (
    (("--help",), {*HEAVY, "pydantic"}),
    (("--version",), {*HEAVY, "pydantic"}),
    (("no-such-command",), {*HEAVY}),
    (("show", "analyst/caching-and-batch-stack"), {"fastapi", "mcp", "rdflib", "starlette", "uvicorn"}),
    (("tags",), READS),
    (("claims",), READS),
    (("search", "caching"), READS - {"numpy", "whoosh"}),
)
"""Calls of the program, and what they must not load."""


@pytest.mark.parametrize(("arguments", "unwanted"), LOADS, ids=[arguments[0] for arguments, _ in LOADS])
def test_a_command_loads_no_more_than_it_works_with(part_home, arguments, unwanted):
    home = () if arguments[0].startswith(("--", "no-")) else ("--home", str(part_home))
    names, out = loaded_by(*home, *arguments)
    assert not names & unwanted
    assert out or arguments[0] == "no-such-command"
    assert arguments[0] != "show" or arguments[1] in out


@pytest.mark.parametrize("listed", COMMANDS, ids=lambda one: one.name)
def test_the_listing_says_of_each_command_what_its_own_help_begins_with(listed):
    command = loaded(listed)
    assert " ".join(command.help.split()).startswith(listed.says)


def test_no_command_is_missing_from_the_listing():
    modules = {path.stem for path in (ROOT / "api/cli").glob("*_commands.py")}
    assert modules == {f"{listed.module}_commands" for listed in COMMANDS}


@pytest.mark.parametrize("group", ["silences", "library", "brains", "tokens"])
def test_the_bare_name_of_a_group_lists_what_it_has(brain, group):
    assert brain(group, "--json").json == brain(group, "list", "--json").json
    assert brain(group).out == brain(group, "list").out != ""
    assert brain(group, "--json", "list").code == brain(group, "wrong").code == 2


def test_what_is_printed_before_the_pages_are_served_is_out_by_then(shipped_copy, tmp_path, monkeypatch):
    """Under nohup, in a container and in `| tee` a report that waits in a buffer looks as if there was none."""
    from api.cli.root import main

    there = []
    monkeypatch.setattr("api.server.serve", lambda *_: there.append((tmp_path / "out").read_text()))
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr("sys.stdout", out)
        with pytest.raises(SystemExit):
            main(["--home", str(shipped_copy), "demo", "--as-of", "2026-11-21"])
    assert there[0].startswith("Morning report for 2026-11-21")


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
