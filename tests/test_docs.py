"""The docs say what there is: every command and option, every setting, kind, verdict and word of health."""

import re
from pathlib import Path

import pytest
import typer.main

from api.cli.command_table import LazyCommand, loaded
from api.cli.root import app
from api.settings import Settings
from compute.impact.note_health import HealthState
from graph.models.claim_models import VerdictName
from graph.models.node_models import Kind
from tests.pages.pages_list import KINDS

ROOT = Path(__file__).parents[1]
COMMANDS = (ROOT / "docs/commands.md").read_text("utf-8")
EVERYTHING = "\n".join(path.read_text("utf-8") for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))))


def commands(group=None, path=()):
    for name, listed in (group or typer.main.get_command(app)).commands.items():
        command = loaded(listed.listed) if isinstance(listed, LazyCommand) else listed
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


@pytest.mark.parametrize(("name", "command"), list(commands()), ids=lambda one: one if isinstance(one, str) else "")
def test_every_command_and_option_is_documented(name, command):
    section = next(
        (part for part in re.split(r"^### ", COMMANDS, flags=re.M) if f"`brain {name}" in part.split("\n")[0]), ""
    )
    assert section, f"docs/commands.md has no section on brain {name}"
    options = [option for parameter in command.params for option in parameter.opts if option.startswith("--")]
    assert not [option for option in options if option not in section and option != "--help"]
    assert command.help


def test_the_table_of_settings_has_each_with_its_default():
    table = re.findall(r"(?m)^\| `BRAIN_([A-Z_]+)` \| (\S+) \|", (ROOT / "docs/settings.md").read_text("utf-8"))
    fields = Settings.model_fields.items()
    defaults = {
        name.upper(): f"`{one.default:g}`" if isinstance(one.default, float) else f"`{one.default}`"
        for name, one in fields
    }
    assert dict(table) == {name: "–" if one in {"`None`", "``"} else one for name, one in defaults.items()}


@pytest.mark.parametrize("word", [*Kind, *VerdictName, *HealthState])
def test_every_word_of_the_vocabulary_is_explained(word):
    assert f"`{word.value}`" in EVERYTHING


def test_every_link_between_the_docs_has_a_target():
    lost = [
        f"{path.relative_to(ROOT)}: {target}"
        for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text("utf-8"))
        if "://" not in target and not (path.parent / target).exists()
    ]
    assert not lost


def test_contributing_names_files_and_names_that_there_are():
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    files = re.findall(r"`((?:graph|ingest|compute|api|tests|docs)/[a-z_./]+)`", guide)
    names = re.findall(r"`(\w+)` (?:\(|of )`([\w/]+\.py)`", guide)
    lost = {file for file in files if not (ROOT / file).exists()}
    lost |= {f"{name} in {file}" for name, file in names if name not in (ROOT / file).read_text("utf-8")}
    assert len(names) > 5
    assert not lost, "CONTRIBUTING.md names it: write there what it is called now"


def test_every_page_is_in_the_docs():
    pages = (ROOT / "docs/pages.md").read_text("utf-8")
    assert not [path for path in KINDS if f"`{path}`" not in pages], "docs/pages.md has a row for each page"
