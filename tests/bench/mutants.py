"""Mutants of the product, chosen blind by a seed, and which of them the tests kill.

    python -m tests.bench mutants choose [COUNT]                  the mutants as JSON, one a line
    python -m tests.bench mutants run MUTANTS TESTS               each of them, with the tests that reach its line

TESTS is a JSON file: for `file:line` the ids of the tests that reach it, the fastest first. `run` changes files of the
checkout that it is in and puts them back: give it one of its own.
"""

from __future__ import annotations

import ast
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
ROOMS = ("graph", "ingest", "compute", "api")
SEED, COUNT, SECONDS, AT_ONCE = 52, 150, 150, 40

SWAPPED = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.And: "or", ast.Or: "and",
}  # fmt: skip


class Mutant(NamedTuple):
    """A place in a file, and what is written there instead."""

    file: str
    line: int
    start: int
    end: int
    becomes: str


def mutations(text: str) -> Iterator[tuple[ast.expr, str]]:
    """Each expression that can be changed, with what it becomes."""
    tree = ast.parse(text)
    left_out = {id(part) for node in ast.walk(tree) for one in _left_out(node) for part in ast.walk(one)}
    for node in ast.walk(tree):
        if id(node) not in left_out:
            yield from _changes(node)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in SWAPPED:
            yield node, f"({ast.unparse(left)} {SWAPPED[type(op)]} {ast.unparse(right)})"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SWAPPED:
            yield node, f"(({ast.unparse(left)}) {SWAPPED[type(op)]} ({ast.unparse(right)}))"
        case ast.BoolOp(op=op, values=values):
            yield node, "(" + f" {SWAPPED[type(op)]} ".join(f"({ast.unparse(one)})" for one in values) + ")"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, f"bool({ast.unparse(operand)})"
        case ast.Constant(value=bool() as value):
            yield node, str(not value)
        case ast.Constant(value=int() as value):
            yield node, str(value + 1)
        case ast.If(test=test) | ast.IfExp(test=test):
            yield test, f"(not ({ast.unparse(test)}))"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield value, "None"


def _left_out(node: ast.AST) -> list[ast.expr]:
    """Types, and f-strings, whose parts have no place in Python 3.11."""
    found = (
        [node] if isinstance(node, ast.JoinedStr) else [getattr(node, name, None) for name in ("annotation", "returns")]
    )
    return [one for one in found if isinstance(one, ast.expr)]


def choose(count: int) -> list[Mutant]:
    """Mutants of all files of the product, each as likely as any other."""
    found = []
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        text = path.read_text("utf-8")
        lines = text.splitlines(keepends=True)
        for node, becomes in mutations(text):
            if "\n" in becomes or node.end_lineno is None or node.end_col_offset is None:
                continue
            start = _offset(lines, node.lineno, node.col_offset)
            end = _offset(lines, node.end_lineno, node.end_col_offset)
            name = path.relative_to(ROOT).as_posix()
            found.append(Mutant(name, node.lineno, start, end, becomes))
    return random.Random(SEED).sample(found, count)


def _offset(lines: list[str], line: int, column: int) -> int:
    """The offset in the text of a place whose column is in bytes."""
    before = lines[line - 1].encode()[:column].decode()
    return sum(map(len, lines[: line - 1])) + len(before)


def fate(mutant: Mutant, tests: list[str]) -> str:
    """`killed` by the test named, `survived`, `unreached`, or `timeout`."""
    path = ROOT / mutant.file
    text = path.read_text("utf-8")
    changed = text[: mutant.start] + mutant.becomes + text[mutant.end :]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", *tests[:AT_ONCE]]
    if not tests:
        return "unreached"
    try:
        path.write_text(changed, "utf-8")
        done = subprocess.run(
            command, cwd=ROOT, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True,
            timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "timeout"
    finally:
        path.write_text(text, "utf-8")
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return f"killed by {failed[0][:100] if failed else done.returncode}" if done.returncode else "survived"


def main(arguments: list[str]) -> None:
    """Choose, or run."""
    if arguments[:1] == ["choose"]:
        for one in choose(int(arguments[1]) if arguments[1:] else COUNT):
            sys.stdout.write(json.dumps(one._asdict()) + "\n")
        return
    tests = json.loads(Path(arguments[2]).read_text("utf-8"))
    for line in Path(arguments[1]).read_text("utf-8").splitlines():
        mutant = Mutant(**json.loads(line))
        place = f"{mutant.file}:{mutant.line}"
        sys.stdout.write(f"{fate(mutant, tests.get(place, []))}\t{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
