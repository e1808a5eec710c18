"""Formulas over arrays: the same values as one by one, on every function of the language."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from compute.formula import exact_numbers
from compute.formula.array_numbers import FUNCTIONS, over_arrays
from compute.formula.compiler import compiled
from compute.formula.formula_tree import LiteralLeaf, Slot
from compute.formula.function_table import BY_NAME
from compute.formula.lowering import Slots, lowered
from compute.units.units import EXACT, ONE

NAMES = ("a", "b", "c")
NUMERIC, LIBRARY = ([one for one in BY_NAME.values() if one.kind == kind] for kind in ("numeric", "library"))
ORDINARY = [-2.5, -1.0, 0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 7.25]


def term_of(text):
    slots = Slots()
    leaves = [slots.leaf(LiteralLeaf(name, Decimal(place), ONE), name, 0) for place, name in enumerate(NAMES)]
    names = {name: Slot(name, 0, 1, leaf, name) for name, leaf in zip(NAMES, leaves, strict=True)}
    return lowered(text, names, slots)[0], len(slots.sorts)


def one_by_one(text, rows):
    term, size = term_of(text)
    closure, found = compiled(term), []
    with localcontext(EXACT):
        for row in rows:
            frame = [Decimal(value) for value in row] + [Decimal(0)] * (size - len(row))
            try:
                found.append(float(closure(frame)))
            except ArithmeticError:
                found.append(np.nan)
    return np.array(found)


def together(text, rows):
    term, size = term_of(text)
    columns = [np.array([float(row[place]) for row in rows]) for place in range(len(NAMES))]
    found = over_arrays(term)([*columns, *[np.array(0.0)] * (size - len(NAMES))])
    return np.broadcast_to(found, len(rows))


def same(text, rows):
    np.testing.assert_allclose(together(text, rows), one_by_one(text, rows), rtol=1e-9, atol=1e-9, err_msg=text)


def test_every_numeric_function_of_the_language_works_on_arrays():
    numeric = {function.name for function in NUMERIC} - {"if"}
    assert FUNCTIONS.keys() == exact_numbers.FUNCTIONS.keys() >= numeric, "FUNCTIONS in both modules has all of them"


GRID = [(a, b, c) for a in ORDINARY for b in ORDINARY for c in (0.5, 2.0, -1.0)]


@pytest.mark.parametrize("text", [
    *(f"{function.name}({', '.join(NAMES[: len(function.parameters)])})" for function in NUMERIC if function.name != "if"),
    "min(a, b, c)", "max(a, b, c)", "sum(a, b, c)", "average(a, b, c)", "round(a, to=c)", "ceil(a * b, to=0.1)", "floor(a / b, to=c)",
    "log(a, base=b)", "if(a > b, 1 / a, b)", "if(a == b, 1, 2)", "if(a != b, a, c)", "a <= b", "a >= b", "a < b",
    "a ^ b", "a ^ 2", "2 ^ a", "0 ^ a", "a ^ 0", "-a", "a / (b - c)", "sqrt(a - b)", "1 / (a - a)", "exp(40 * a)",
    "solve(u, a * u == b, between=0..10)", "solve(u, u ^ 2 == a, between=0..3)", "solve(u, u ^ 2 == a, between=-3..3)",
    "solve(u, a * u + b == b + u, between=-1..1)", "solve(u, exp(u) == a, between=0..b)", "solve(u, 1 / u == a, between=0..2)",
    "amortise(a, b, utilisation=c)",
    *(f"{one.name}({', '.join(NAMES[: len(one.parameters)])})" for one in LIBRARY
      if all(each.takes == "number" and each.unit in {None, "year"} for each in one.parameters)),
])  # fmt: skip
def test_a_function_gives_the_same_over_arrays_as_one_by_one(text):
    same(text, GRID)


numbers = st.sampled_from(["0", "1", "2", "0.5", "3", "10", "-1"])
leaves = st.sampled_from(NAMES) | numbers
two = st.sampled_from(
    [f"({{}} {sign} {{}})" for sign in "+-*/"]
    + [f"{name}({{}}, {{}})" for name in ("min", "max", "average", "sum", "change")]
)
one = st.sampled_from(
    [f"{name}({{}})" for name in ("abs", "sqrt", "exp", "log", "floor", "ceil")]
    + ["-({})", "({}) ^ 2", "({}) ^ -1", "round({}, to=0.5)"]
)
formulas = st.recursive(
    leaves,
    lambda below: st.builds(lambda form, a, b: form.format(a, b), two, below, below)
    | st.builds(lambda form, a: form.format(a), one, below)
    | st.builds(lambda a, b, c, d: f"if({a} > {b}, {c}, {d})", below, below, below, below),
    max_leaves=7,
)  # fmt: skip
rows = st.lists(st.tuples(*[st.floats(-20, 20, allow_nan=False, width=16)] * 3), min_size=1, max_size=6)


@given(formulas, rows)
@example("floor((a / 3) * 3)", [(7.0, 1.0, 1.0)])
@example("if((a / 3) * 3 > a, 1, 2)", [(7.0, 1.0, 1.0), (0.1, 1.0, 1.0)])
@settings(max_examples=150)
def test_any_formula_gives_the_same_over_arrays_as_one_by_one(text, rows):
    found = together(text, rows)
    expected = one_by_one(text, rows)
    for got, wanted in zip(found, expected, strict=True):
        if np.isnan(got) and ("exp" in text or "^" in text):
            continue  # a part of it may be too large for a float
        if np.isnan(got) != np.isnan(wanted) or abs(got - wanted) > 1e-9 * max(1, abs(wanted)):
            assert cancels(text, rows), (text, rows, got, wanted)


def cancels(text, rows):
    """Whether the value hangs on the last bits of a float: then slightly different inputs give another value."""
    beside = [tuple(value * (1 + 1e-13) + 1e-13 for value in row) for row in rows]
    before, after = one_by_one(text, rows), one_by_one(text, beside)
    moved = np.abs(before - after) > 1e-9 * np.maximum(1, np.abs(before))
    return bool((moved | (np.isnan(before) != np.isnan(after))).any())


@pytest.mark.parametrize(
    ("text", "a", "expected"),
    [
        ("ceil(a * 10) + 0 * b", Decimal("0.3"), 3.0),  # as a float, ten times 0.3 may have a ceiling of 3 or of 4
        ("exp(a) / exp(a)", 1.0, 1.0),
        ("exp(a) / exp(a)", 800.0, np.nan),  # too large for a float
    ],
)
def test_floats_have_the_value_of_exact_numbers_or_none(text, a, expected):
    np.testing.assert_array_equal(together(text, [(a, 1.0, 1.0)]), [expected])
