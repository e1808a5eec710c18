"""A line such as `a b c ` 6,700 times stopped the service for 19 s: no regular expression may grow faster than its text.

Every compiled pattern of the product, and every pattern written in a call, is run on repeated signs and on repeated
parts of a text that it matches. The processor time for a text is compared with that for one four times as long.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import re._parser as regex_parser  # type: ignore[import-not-found]  # gives the parts of a pattern for an example
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("graph", "ingest", "compute", "api")

GLANCE, LENGTH = 1_000, 3_000
"""Characters of the first look, and of the text that is compared with one four times as long."""
NOTABLE = 0.006
"""Seconds of processor time below which a text of `LENGTH` is no reason to look again; a linear one takes 0.2 ms."""
STEEP = 8
"""How many times as long a text of four times the length may take; a square takes 16 times as long."""
MOST, STOPPED = 3.0, 12.0
"""Seconds after which a search is stopped, and what then counts as its time."""

SHORT: Mapping[str, str] = {
    "ingest.citations.bracket_markers._WORD": "the 220 characters before a bracket",
    "ingest.formats.arrow_glossary._CONTENTS": "lines of at most 300 characters",
    "ingest.text.page_boilerplate._LINE": "lines of at most 120 characters",
    "compute.prices.amounts._AMOUNT": "amounts of at most 80 characters",
    "compute.figures.figure_reader._ASSIGNED": "the 30 characters before a figure",
    "compute.figures.figure_units._TITLE": "the 60 characters before a figure",
    **dict.fromkeys(
        (f"compute.figures.relation_models.{name}" for name in ("_HEAD", "_EQUATION", "_ROLE")),
        "lines of the relation table",
    ),
    "api.services.texts.live_figures._JOINT": "the 80 characters before a figure",
    "api.services.texts.live_figures._THOUSAND": "the 80 characters before a figure",
}
"""Patterns that meet only short texts, and which; what is true of a module is true of all its patterns."""

ANCHORED = (
    "ingest.formats.bullet_glossary.ENTRIES",
    "ingest.brain_page.page_layout.HEADING",
    "ingest.formats.term_table._ROLES",
)
"""Patterns in a tuple, or of another module, that are used with `fullmatch` alone."""

UNITS = (
    *"aAé \t\n1[]()<>{}\"'“`-—_*=|#$.,:/%&!~→•\\\r",
    "*_", "a b c ", "a.a.", "- ", "[[", "](", "<a ", "](http://", "a ", "a, ", "1.", "1,", "1 ", "1-", "a-", "a/", "Aa ",
    "- a\n", "a\n", "\n ", "  \n", "# a\n", "|a", "| ", "> ", "<!--", "http://a", "$1", "1%", "a: ", "**a", "[1]", "[1, ",
    "(a", "#a ", "a_", "1a", "a1", " \t", '"a', "'a", "![[", "---\n", "```\n", "$$", "\\(", "\\[", "==a", "%%", "\r\n",
)  # fmt: skip
PARTS, ENDS = 4, ("a", " ", "1", "\n", ".")

METHODS = {"search": "search", "match": "match", "fullmatch": "fullmatch"}
METHODS |= dict.fromkeys(("finditer", "findall", "sub", "subn", "split"), "finditer")


class Use(NamedTuple):
    """A pattern, where it is written, and how the code uses it."""

    pattern: re.Pattern[Any]
    place: str
    methods: frozenset[str]


def test_no_pattern_grows_faster_than_its_text() -> None:
    steep = [f"{one.place}: {found}" for one in uses() if (found := steepest(one))]
    assert not steep, "\n".join(steep)


def test_a_square_is_noticed() -> None:
    """The pattern that stopped the service is found, and the one in its place passes."""
    wrong, right = re.compile(r"[^\W_].*[^\W_]{2}"), re.compile(r"[\W_]*+[^\W_].*?[^\W_]{2}")
    assert steepest(Use(wrong, "before", frozenset({"search"})))
    assert not steepest(Use(right, "after", frozenset({"match"})))


def test_enough_is_looked_at() -> None:
    found = uses()
    assert len(found) > 300
    assert set(SHORT) <= {one for place in _patterns().values() for one in (place, place.rpartition(".")[0])}


def uses() -> list[Use]:
    """Every pattern of the product that meets long texts."""
    called, written = _calls()
    found = [
        Use(pattern, place, _methods(place, called))
        for pattern, place in _patterns().items()
        if place not in SHORT and place.rpartition(".")[0] not in SHORT
    ]
    return [*found, *written]


def _methods(place: str, called: Mapping[tuple[str, str], set[str]]) -> frozenset[str]:
    module, _, name = place.rpartition(".")
    if place in ANCHORED:
        return frozenset({"fullmatch"})
    own = called.get((module, name), set())
    others = (
        set() if name.startswith("_") else {one for (_, key), more in called.items() if key == name for one in more}
    )
    found = own | others or {"finditer"}
    return frozenset(found - {"search"} if "finditer" in found else found)  # which searches, and then goes on


@cache
def _patterns() -> Mapping[re.Pattern[Any], str]:
    """Every compiled pattern that a module holds, with the place where it was found first."""
    for root in map(importlib.import_module, PACKAGES):
        for module in pkgutil.walk_packages(root.__path__, f"{root.__name__}."):
            importlib.import_module(module.name)
    found: dict[re.Pattern[Any], str] = {}
    for name, loaded in sorted(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES:
            for key, value in vars(loaded).items():
                for pattern in _inside(value, 4):
                    found.setdefault(pattern, f"{name}.{key}")
    return found


def _inside(value: object, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from _inside(one, depth - 1)
    elif depth and isinstance(value, dict):
        yield from _inside([*value.keys(), *value.values()], depth - 1)
    elif depth and not isinstance(value, type) and type(value).__module__.partition(".")[0] in PACKAGES:
        slots = [getattr(value, name, None) for name in getattr(type(value), "__dataclass_fields__", ())]
        yield from _inside([*slots, *getattr(value, "__dict__", {}).values()], depth - 1)


@cache
def _calls() -> tuple[dict[tuple[str, str], set[str]], list[Use]]:
    """How names of patterns are used, by module and name; and the patterns that are written in a call."""
    called: dict[tuple[str, str], set[str]] = {}
    written: list[Use] = []
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                name = getattr(node.value, "id", getattr(node.value, "attr", ""))
                called.setdefault((module, name), set()).add(METHODS[node.attr])
            if isinstance(node, ast.Call) and (pattern := _written(node)) is not None:
                how = METHODS[node.func.attr]  # type: ignore[attr-defined]  # what _written looked at
                written.append(Use(pattern, f"{module}:{node.lineno}", frozenset({how})))
    return called, written


def _written(call: ast.Call) -> re.Pattern[Any] | None:
    called = call.func
    if not (isinstance(called, ast.Attribute) and called.attr in METHODS and ast.unparse(called.value) == "re"):
        return None
    first = call.args[0]
    return re.compile(first.value) if isinstance(first, ast.Constant) else None


def steepest(use: Use) -> str:
    """The text on which a pattern grows too fast; empty if there is none."""
    for method in sorted(use.methods):
        run = _run(use.pattern, method)
        for head, unit, tail in _texts(use.pattern):
            if _spent(run, _text(use.pattern, head, unit, tail, GLANCE)) < NOTABLE / 9:  # what a square takes
                continue
            texts = [_text(use.pattern, head, unit, tail, times * LENGTH) for times in (1, 4, 16)]
            if all(_steep(run, *pair) for pair in pairwise(texts)):  # twice: the clock may tick every 4 ms
                return f"{method} of {head!r} and {unit!r}… {tail!r}"
    return ""


def _steep(run: Callable[[Any], object], short: str | bytes, long: str | bytes) -> bool:
    if any((before := _spent(run, short)) < NOTABLE for _ in range(3)):  # the processor was busy before
        return False
    return (after := min(_spent(run, long) for _ in range(2))) >= STOPPED or after > STEEP * before


def _text(pattern: re.Pattern[Any], head: str, unit: str, tail: str, length: int) -> str | bytes:
    text = head + unit * (length // len(unit)) + tail
    return text.encode() if isinstance(pattern.pattern, bytes) else text


def _texts(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """What comes first, what is repeated, and what is at the end."""
    example = _example(pattern)
    parts = [example[: max(1, len(example) * part // PARTS)] for part in range(1, PARTS + 1)] if example else []
    yield from (("", unit, "") for unit in (*UNITS, *dict.fromkeys(parts)))
    yield from (("", unit, "\0\n") for unit in UNITS if len(unit) == 1)
    yield from ((part, end, "") for part in dict.fromkeys(parts) for end in ENDS)


def _run(pattern: re.Pattern[Any], method: str) -> Callable[[Any], object]:
    if method == "finditer":
        return lambda text: sum(1 for _ in pattern.finditer(text))
    found: Callable[[Any], object] = getattr(pattern, method)
    return found


class _TooLongError(Exception):
    pass


def _spent(run: Callable[[Any], object], text: str | bytes) -> float:
    """Seconds of processor time, at most `MOST`: a pattern is interrupted by a signal."""
    before, begin = signal.signal(signal.SIGPROF, _stop), time.process_time()
    signal.setitimer(signal.ITIMER_PROF, MOST)
    try:
        run(text)
    except _TooLongError:
        return STOPPED
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return time.process_time() - begin


def _stop(*_: object) -> None:
    raise _TooLongError


def _example(pattern: re.Pattern[Any]) -> str:
    """A text of the kind that a pattern looks for: the first branch of each, and everything once that may be left out."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    return _made(regex_parser.parse(source, pattern.flags & ~re.LOCALE))


def _made(tree: Any) -> str:  # the parser of `re` has no types
    return "".join(_part(str(kind), value) for kind, value in tree)


def _part(kind: str, value: Any) -> str:
    if kind == "LITERAL":
        return chr(value)
    if kind == "IN":
        return _of_class(value)
    if kind == "BRANCH":
        return _made(value[1][0])
    if kind in {"SUBPATTERN", "ATOMIC_GROUP"}:
        return _made(value[3] if kind == "SUBPATTERN" else value)
    if kind.endswith("_REPEAT"):
        return _made(value[2]) * max(1, min(value[0], 50))
    return "a" if kind in {"ANY", "NOT_LITERAL"} else ""


def _of_class(members: Sequence[tuple[Any, Any]]) -> str:
    """A character of a class; of a class of all others the first of some that is not excluded."""
    kinds = [(str(kind), value) for kind, value in members]
    if kinds[0][0] == "NEGATE":
        return next((one for one in "a 1-.#*\n[(" if not any(_has(kind, value, one) for kind, value in kinds)), "a")
    kind, value = kinds[0]
    if kind == "CATEGORY":
        return next(one for one in "a1 -" if _has(kind, value, one))
    return chr(value if kind == "LITERAL" else value[0])


def _has(kind: str, value: Any, one: str) -> bool:
    if kind == "LITERAL":
        return chr(value) == one
    if kind == "RANGE":
        return value[0] <= ord(one) <= value[1]
    if kind == "CATEGORY":
        name = str(value)
        found = {"DIGIT": one.isdigit(), "SPACE": one.isspace(), "WORD": one.isalnum() or one == "_"}
        return found[name.rpartition("_")[2]] != ("_NOT_" in name)
    return False
