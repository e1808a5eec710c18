"""The listing of commands: what it says is what they say, and it needs nothing of what they work with."""

import subprocess
import sys
from pathlib import Path

import pytest

from api.cli.command_table import COMMANDS, loaded

ROOT = Path(__file__).parents[2]

HEAVY = (
    "fastapi", "genai_prices", "httpx", "ingest", "mcp", "networkx", "numpy", "pint", "rdflib",
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


@pytest.mark.parametrize(
    ("arguments", "further"),
    [(("--help",), {"pydantic"}), (("--version",), {"pydantic"}), (("no-such-command",), ())],
)
def test_a_listing_loads_nothing_that_commands_work_with(arguments, further):
    names, _ = loaded_by(*arguments)
    assert not names & {*HEAVY, *further}


def test_a_command_loads_no_server_and_no_rdf(shipped_home):
    names, out = loaded_by("--home", str(shipped_home), "show", "analyst/caching-and-batch-stack")
    assert "analyst/caching-and-batch-stack" in out
    assert not names & {"fastapi", "mcp", "rdflib", "starlette", "uvicorn"}


@pytest.mark.parametrize(
    ("arguments", "further"), [(("tags",), set()), (("claims",), set()), (("search", "caching"), {"numpy", "whoosh"})]
)
def test_a_command_loads_no_more_than_it_works_with(shipped_home, arguments, further):
    names, out = loaded_by("--home", str(shipped_home), *arguments)
    assert out
    assert not names & {*HEAVY, "bs4", "markdown_it"} - {"ingest", "sqlalchemy"} - further


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
