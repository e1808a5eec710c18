"""The house rules that a machine can check."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("graph", "ingest", "compute", "api")
MAY_IMPORT = {
    "graph": {"graph"},
    "ingest": {"ingest", "graph"},
    "compute": {"compute", "graph"},
    "api": {"api", "ingest", "compute", "graph"},
}

_WORDS = "auditor beside bench desk gate intaker keeper kept press sheet shelf stone told twins"
PRIVATE_WORDS = frozenset(_WORDS.split())
"""Words that only the authors of a name would understand. CONTRIBUTING.md asks for the field's standard terms."""

MOST_LINES = 550
"""CONTRIBUTING.md asks for fewer; more are a sign of several subjects in one file."""


@cache
def modules():
    return tuple(
        (path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8")))
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
    )


@cache
def imported(tree):
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return frozenset(found)


def test_imports_point_one_way():
    wrong = [
        f"{name} imports {target}"
        for name, tree in modules()
        for target in imported(tree)
        if target in ROOMS and target not in MAY_IMPORT[name.partition("/")[0]]
    ]
    assert not wrong, "CONTRIBUTING.md, The map, says which package may import which"


def test_modules_classes_and_functions_have_standard_names():
    named = [(name, Path(name).stem) for name, _ in modules()]
    for name, tree in modules():
        kinds = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        named += [(name, one.name) for one in ast.walk(tree) if isinstance(one, kinds)]
    words = [(file, name, re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)) for file, name in named]
    private = [f"{file}: {name}" for file, name, split in words if PRIVATE_WORDS & {word.lower() for word in split}]
    assert not private, f"name them without {', '.join(sorted(PRIVATE_WORDS))}"


def test_the_brain_knows_no_web_framework():
    tree = ast.parse((ROOT / "api/brain.py").read_text("utf-8"))
    assert not {"fastapi", "starlette", "uvicorn", "typer"} & set(imported(tree))


def test_every_exception_to_a_rule_gives_its_reason():
    bare = [
        f"{path.relative_to(ROOT)}:{number}"
        for room in (*ROOMS, "tests")
        for path in sorted((ROOT / room).rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if re.search(r"#\s*(noqa|type:\s*ignore)(:\s*[A-Z0-9, ]+|\[[^]]*\])?\s*$", line)
    ]
    assert not bare, "write the reason behind the exception, on the same line"


def test_no_cycle_among_the_modules():
    edges = {name: set() for name, _ in modules()}
    for name, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for target in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                    base = target.replace(".", "/")
                    edges[name] |= {file for file in (f"{base}.py", f"{base}/__init__.py") if file in edges}
        edges[name].discard(name)
    ordered: set[str] = set()
    while free := {name for name in edges if name not in ordered and edges[name] <= ordered}:
        ordered |= free
    assert set(edges) == ordered, f"in a cycle, or behind one: {sorted(set(edges) - ordered)}"


def test_no_file_does_the_work_of_several():
    long = {name: tree.body[-1].end_lineno for name, tree in modules() if tree.body}
    assert not {name: lines for name, lines in long.items() if lines > MOST_LINES}, "split it along its seams"


def test_no_lock_or_list_names_a_package_registry():
    for path in (ROOT / "constraints.txt", ROOT / "pyproject.toml"):
        assert "://" not in re.sub(r'"https://github[^"]*"', "", path.read_text("utf-8"))


def test_few_modules_read_csv_themselves():
    """`csv_rows` of `compute.catalogs.import_rows` reads price lists; `graph.text` writes CSV."""
    importers = {
        name
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import) and any(alias.name == "csv" for alias in node.names)
    }
    read = {
        "compute/catalogs/import_rows.py",
        "compute/catalogs/price_observations.py",
        "ingest/formats/csv_table.py",
    }
    assert importers == read, "`read` lists every module that imports csv; csv_rows of import_rows.py reads rows"
