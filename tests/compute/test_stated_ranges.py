"""Ranges as authors write them, in claims and assumptions, and their mistakes with line, column and hint."""

from decimal import Decimal

import pytest

from compute.claims.claim_loader import load
from compute.prices import assumptions
from graph.models.written_figures import GivenRange, RangeShape
from graph.problems import Severity

HEAD = "- id: one\n  node: acme/one\n  says: A figure.\n  as_of: 2025-02-01\n"
TAIL = "  value: power * 2\n  expect: {at_most: 1250 W}\n"
RANGE = GivenRange(name="power", low="500 W", high="700 W")


def written(given, tail=TAIL):
    [claim], problems = load("claims.yaml", f"{HEAD}  {given}\n{tail}")
    return claim, problems


@pytest.mark.parametrize(
    "given",
    [
        "given: {power: {value: 600 W, low: 500 W, high: 700 W}}",
        "given: {power: {low: 500 W, high: 700 W, value: 600 W, shape: uniform}}",
        "given: {power: 600 W, low: 500 W, high: 700 W}",
        "given: {low: 500 W, power: 600 W, high: 700 W, shape: uniform}",
        "given: {power: 600 W}\n  ranges: {power: {low: 500 W, high: 700 W}}",
    ],
)
def test_a_range_may_be_written_in_three_forms(given):
    claim, problems = written(given)
    assert problems == []
    assert claim.given == (("power", "600 W"),)
    assert claim.ranges == (RANGE,)


def test_the_line_of_a_formula_with_a_range_is_that_of_its_value_and_each_figure_may_have_one():
    claim, _ = written("given:\n    power:\n      low: 500 W\n      value: 600 W\n      high: 700 W")
    assert dict(claim.lines)["given.power"] == 8
    assert written("given: {power: {value: 300 W * 2 h / 1 h * 1, low: 500, high: 700}}")[1] == [], (
        "one of figures alone"
    )
    two = "given: {power: {value: 600 W, low: 500, high: 700}, hours: {value: 2 h, low: 1 h, high: 4 h, shape: triangular}}"
    claim, problems = written(two, "  value: power * hours\n  expect: {at_most: 1250 Wh}\n")
    assert problems == []
    assert [one.shape for one in claim.ranges] == [RangeShape.UNIFORM, RangeShape.TRIANGULAR]


LOW_HIGH = "given: {power: 600 W, low: 500 W, high: 700 W}"


@pytest.mark.parametrize(
    ("given", "value", "bound", "codes"),
    [
        (LOW_HIGH, "power + low + high", "at_most: 2 kW", []),
        ("given: {low: 500 W, high: 700 W, power: low + high}", "power * 2", "at_most: 1250 W", []),
        (LOW_HIGH, "power", "between: [low, high]", []),
        (LOW_HIGH.replace("low", "more: 1 W, low"), "power + more", "at_most: 1 kW", ["claim-unused"] * 2),
    ],
)
def test_low_and_high_that_a_formula_uses_or_next_to_two_names_are_figures_of_their_own(given, value, bound, codes):
    claim, problems = written(given, f"  value: {value}\n  expect: {{{bound}}}\n")
    assert [problem.code for problem in problems] == codes
    assert claim.ranges == ()
    assert len(claim.given) >= 3


@pytest.mark.parametrize(("given", "code", "where", "says"), [
    ("given: {power: {value: 600 W, low: 650 W, high: 700 W}}", "bad-range", "650 W", "the value is outside its range"),
    ("given: {power: {value: 600 W, low: 500 W, high: 550 W}}", "bad-range", "550 W", "the value is outside its range"),
    ("given: {power: {value: 600 W, low: 700 W, high: 500 W}}", "bad-range", "700 W", "the low end is above the high end"),
    ("given: {power: {value: 600 W, low: 500 W, high: 700 kWh}}", "bad-unit", "700 kWh", "'high' is in 'kWh', the value in 'W'"),
    ("given: {power: 600 W, low: 500 kW, high: 700 W}", "bad-unit", "500 kW", "'low' is in 'kW', the value in 'W'"),
    ("given: {power: {value: 600 W, low: 0 W, high: 700 W, shape: lognormal}}", "range-shape", "lognormal", "begins above 0"),
    ("given: {power: {value: 600 W, low: 5 W, high: 700 W, shape: bell}}", "range-shape", "bell", "'bell' is not a shape"),
    ("given: {power: {value: 600 W, low: 500 WW, high: 700 W}}", "formula-unknown", "WW", "there is no unit ‘WW’"),
    ("given: {power: {value: 600 W, low: 400 W + 1 W, high: 700 W}}", "claim-range", "400 W + 1 W", "is not one figure"),
    ("given: {power: {value: 600 W, lo: 500 W, high: 700 W}}", "unknown-key", "lo: 500 W", "a range has no 'lo'"),
    ("given: {power: {value: 600 W, high: 700 W}}", "claim-range", "{value: 600 W", "needs a figure as its 'low'"),
    ("given: {power: {low: 600 W, high: 700 W}}", "claim-range", "{low: 600 W", "needs one formula as its 'value'"),
    ("given: {power: 600 W}\n  ranges: {power: 500 W}", "claim-range", "500 W", "ranges.power needs low and high"),
    ("given: {power: 600 W}\n  ranges: {watts: {low: 5 W, high: 7 W}}", "claim-range", "{low: 5 W", "there is no given figure 'watts'"),
    ('given: {power: {value: assume("power"), low: 500 W, high: 700 W}}', "claim-range", "{value: assume(\"power\")", "computed or looked up"),
])  # fmt: skip
def test_a_mistake_in_a_range_is_reported_with_its_place(given, code, where, says):
    claim, [found] = written(given)
    assert (found.code, found.text[found.column - 1 :].split(",")[0].rstrip("}")) == (code, where)
    assert says in found.message
    assert claim.broken


FILE = "assumptions:\n  - name: pue\n    value: 1.3\n    source: https://oats.example/\n    checked: 2025-01-01\n"


def assumed(*lines):
    return assumptions.load("assumptions.yaml", FILE + "".join(f"    {line}\n" for line in lines))


@pytest.mark.parametrize(
    ("lines", "code", "line"),
    [
        (("low: 1.1", "high: 1.6", "shape: bell"), "range-shape", 8),
        (("low: 0", "high: 1.6", "shape: lognormal"), "range-shape", 8),
        (("low: 1.1", "shape: normal"), "range-shape", 7),
        (("low: 1.4", "high: 1.6"), "bad-range", 6),
        (("low: 1.1 W", "high: 1.6"), "bad-unit", 6),
    ],
)
def test_a_mistake_in_the_range_of_an_assumption_is_reported_with_its_line(lines, code, line):
    found, [problem] = assumed(*lines)
    assert (found, problem.code, problem.line) == ((), code, line)


def test_a_value_at_the_edge_of_its_own_range_is_a_warning_and_an_assumption_has_a_shape():
    claim, [problem] = written("given: {power: {value: 700 W, low: 500 W, high: 700 W}}")
    assert (problem.severity, problem.code, problem.line) == (Severity.WARNING, "range-edge", 5)
    assert problem.message == "the value of 'power' is the high end of its own range"
    assert (claim.broken, claim.ranges) == ("", (RANGE,))
    [found], problems = assumed("low: 1.1", "high: 1.6", "shape: triangular")
    assert (found.low, found.high, found.shape) == (Decimal("1.1"), Decimal("1.6"), RangeShape.TRIANGULAR)
    assert problems == ()
    [found], [problem] = assumed("low: 1.3", "high: 1.6")
    assert (problem.severity, problem.code, problem.line) == (Severity.WARNING, "range-edge", 3)
    assert found.low == Decimal("1.3")
