"""docs/dependencies.md, pyproject.toml and the imports agree: each package has a reason, and files that own it."""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("graph", "ingest", "compute", "api")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PARTS_OF = {"pydantic-core": "pydantic"}
"""Distributions that another one pins exactly and shows as a part of itself."""


class Entry(NamedTuple):
    package: str
    why: str
    owners: tuple[str, ...]


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def required_names(requirements):
    """The names of requirements, without the extras of this project itself."""
    names = {normal(re.match(r"[\w.-]+", one)[0]) for one in requirements}
    return names - {normal(PROJECT["name"])}


def table(heading):
    text = (ROOT / "docs/dependencies.md").read_text("utf-8")
    section = re.split(r"^## ", text.partition(f"## {heading}\n")[2], flags=re.M)[0]
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and cells[0] != "package" and not set(line) <= set("|-"):
            yield Entry(normal(cells[0]), cells[1], tuple(re.findall(r"`([^`]+)`", cells[2])))


PROGRAM, EXTRAS, DEVELOPMENT = (tuple(table(heading)) for heading in ("The program", "Extras", "Development"))


@cache
def importers():
    known, found = packages_distributions(), {}
    for path in sorted(file for top in (*ROOMS, "tests") for file in (ROOT / top).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        for module in imported(path):
            for distribution in known.get(module, ()):
                wheel = PARTS_OF.get(normal(distribution), normal(distribution))
                found.setdefault(wheel, set()).add(name)
    return found


@cache
def imported(path):
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append((node.module or "").partition(".")[0])
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "importorskip":
            found.append(str(node.args[0].value).partition(".")[0])
    return found


def below(name, owners):
    return any(name == owner or name.startswith(f"{owner}/") for owner in owners)


@pytest.mark.parametrize(
    ("entries", "requirements"),
    [
        (PROGRAM, PROJECT["dependencies"]),
        (EXTRAS, [one for name in ("dask", "postgres") for one in PROJECT["optional-dependencies"][name]]),
        (DEVELOPMENT, PROJECT["optional-dependencies"]["dev"]),
    ],
    ids=["program", "extras", "development"],
)
def test_the_table_lists_the_packages_of_the_project(entries, requirements):
    assert sorted(entry.package for entry in entries) == sorted(required_names(requirements))
    assert all(entry.why for entry in entries)


@pytest.mark.parametrize("entry", [*PROGRAM, *EXTRAS, *DEVELOPMENT], ids=lambda entry: entry.package)
def test_a_package_is_imported_by_its_owners_alone_and_a_development_package_by_tests(entry):
    files = {one for one in importers().get(entry.package, ()) if entry in DEVELOPMENT or not one.startswith("tests/")}
    assert {name for name in files if not below(name, entry.owners)} == set()
    assert [owner for owner in entry.owners if not any(below(name, [owner]) for name in files)] == []


def test_every_import_is_of_a_package_that_the_project_lists():
    for_program = required_names(PROJECT["dependencies"]) | {"dask", "distributed", normal(PROJECT["name"]), "brain"}
    for_tests = for_program | {entry.package for entry in (*PROGRAM, *EXTRAS, *DEVELOPMENT)}
    unlisted = {
        package: sorted(files)[:3]
        for package, files in importers().items()
        if package not in (for_tests if all(name.startswith("tests/") for name in files) else for_program)
    }
    assert unlisted == {}


def test_every_module_that_is_imported_is_known():
    """A module that no installed package provides would pass unseen through the tests above."""
    known = {*packages_distributions(), *sys.stdlib_module_names, *ROOMS, "tests", "content"}
    files = [path for room in (*ROOMS, "tests") for path in (ROOT / room).rglob("*.py")]
    unknown = {
        (module, path.relative_to(ROOT).as_posix())
        for path in files
        for module in imported(path)
        if module and module not in known
    }
    assert unknown == set()


def test_every_package_of_the_project_is_pinned():
    pins = {normal(line.partition("==")[0]) for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()}
    assert {entry.package for entry in (*PROGRAM, *EXTRAS, *DEVELOPMENT)} - pins == set()


def test_the_version_is_read_in_one_place():
    asking = re.compile(r"\bversion\(|distribution\(")
    files = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    asked = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if "importlib.metadata" in (text := path.read_text("utf-8")) and asking.search(text)
    }
    others = {"api/http/openapi/api_reference.py", "compute/catalogs/genai_prices_catalog.py"}  # of other packages
    assert asked == {"api/release.py"} | others
    assert f'version("{PROJECT["name"]}")' in (ROOT / "api/release.py").read_text("utf-8")
