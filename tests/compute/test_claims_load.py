"""Claims from YAML, their ranges and those of assumptions: what an author writes, and what comes out of it, mistakes included."""

from datetime import date
from decimal import Decimal

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from compute.claims.claim_loader import load
from compute.prices import rule_files
from graph.models.claim_models import ClaimSeverity, Expectation
from graph.models.written_figures import GivenRange, RangeShape
from graph.problems import Severity
from graph.problems import Severity as Weight
from tests.compute.made import book_of, verify

HEAD = """\
- id: one
  node: acme/one
  says: A figure.
  as_of: 2025-02-01
"""


def only(tail, head=HEAD):
    claims, problems = load("claims.yaml", head + tail)
    assert len(claims) == 1
    return claims[0], problems


def test_a_claim_comes_out_as_it_was_written():
    claim, problems = only("""\
  given:
    list: price("acme/large", "input")
    hours: 24
  value: list / hours
  expect: {is: 95%, within: 0.5pp}
  severity: critical
  tags: [batch, caching]
  for_runs: 3
  contradicts: two
  note: A word.
  source: https://example.org
""")
    assert problems == []
    assert claim.as_of == date(2025, 2, 1)
    assert claim.given == (("list", 'price("acme/large", "input")'), ("hours", "24"))
    assert claim.expect == Expectation(form="is", bound="95%", within="0.5pp")
    assert (claim.severity, claim.tags, claim.for_runs) == (ClaimSeverity.CRITICAL, ("batch", "caching"), 3)
    assert (claim.contradicts, claim.note, claim.source) == (("two",), "A word.", "https://example.org")
    assert (claim.place.document, claim.place.line) == ("claims.yaml", 1)
    assert dict(claim.lines)["given.hours"] == 7
    assert claim.broken == ""


@pytest.mark.parametrize(
    ("written", "expectation"),
    [
        ("{at_least: 60%}", Expectation(form="at_least", bound="60%")),
        ("{at_most: 3}", Expectation(form="at_most", bound="3")),
        ("{between: [1, 3]}", Expectation(form="between", bound="1", upper="3")),
        ("{between: 1..3}", Expectation(form="between", bound="1..3")),
        ("{times: 15, within: 5%}", Expectation(form="times", bound="15", within="5%")),
        ("{same_as: two, within: 1}", Expectation(form="same_as", bound="two", within="1")),
    ],
)
def test_every_form_of_expectation_can_be_written(written, expectation):
    claim, problems = only(f"  value: 2\n  expect: {written}\n")
    assert (claim.expect, claim.broken, problems) == (expectation, "", [])


@pytest.mark.parametrize(
    ("tail", "message", "line", "column", "hint"),
    [
        ("  value: 1 + lst\n  expect: {is: 2}\n", "value: there is no name ‘lst’", 5, 14, "only the names under given"),
        ('  value: "1 + lst"\n  expect: {is: 2}\n', "value: there is no name ‘lst’", 5, 15, None),
        ("  value: |\n     1 +\n       lst\n  expect: {is: 2}\n", "value: there is no name ‘lst’", 7, 8, None),
        ("  value: >-\n     1\n     + lst\n  expect: {is: 2}\n", "value: there is no name ‘lst’", 7, 8, None),
        ("  value: 1\n    + lst\n  expect: {is: 2}\n", "value: there is no name ‘lst’", 6, 7, None),
        ("  given: {a: 1 USD + 2 h}\n  value: a\n  expect: {is: 2}\n", "given.a: cannot add USD and h", 5, 20, None),
        ("  value: 2 USD\n  expect: {at_most: 3}\n", "expect.at_most: cannot compare USD", 6, 21, "write one after"),
        ("  value: 2\n  expect: {at_mots: 3}\n", "'expect' has no 'at_mots'", 6, 12, "did you mean 'at_most'?"),
        ("  value: 2\n  expect: {is: 3, at_most: 4}\n", "it has is and at_most", 6, 11, None),
        ("  value: 2\n  expect: {at_most: 4, within: 1}\n", "'within' does not go with 'at_most'", 6, 24, None),
        ("  value: 2\n  expect: {between: [3, 1]}\n", "the lower bound lies above the upper", 6, None, None),
        ("  value: 2\n  expect: {between: 3}\n", "'between' takes two bounds", 6, 21, "40%..60%"),
        ("  value: 2\n  expect: {is: 2, within: -1}\n", "the lower bound lies above", 6, None, None),
        ("  value: 2\n  expect: 3\n", "'expect' must be a mapping", 6, 11, "{is: 95%"),
        ("  valeu: 2\n  expect: {is: 2}\n", "has no field 'valeu'", 5, 3, "did you mean 'value'?"),
        ("  value: 2\n", "needs 'expect'", 1, None, None),
        ("  value: [1]\n  expect: {is: 2}\n", "'value' must be one text; found a list", 5, 10, None),
        ("  given: {a: [1]}\n  value: a\n  expect: {is: 2}\n", "given.a must be one formula", 5, None, None),
        ("  value: 2\n  expect: {is: 2}\n  severity: bad\n", "'bad' is not a severity", 7, 13, "one of info"),
        ("  value: 2\n  expect: {is: 2}\n  for_runs: 0\n", "'for_runs' is a number of runs", 7, 13, None),
        ("  value: 1 < 2\n  expect: {at_most: 1}\n", "a comparison and a figure", 6, None, "{is: true}"),
        ("  given: {h: 1}\n  value: 2\n  expect: {is: 2}\n", "‘h’ cannot be a name: it is a unit", 5, None, None),
        ("  given: {a: 1 / 0}\n  value: 2\n  expect: {is: 2}\n", "given.a: division by zero", 5, None, None),
        ("  value: 2 h\n  expect: {times: 2}\n", "cannot compare", 6, None, None),
        ("  given: {a: 2, b: 1 +}\n  value: a\n  expect: {is: 2}\n", "given.b: expected a number", 5, None, None),
        ("  value: 2\n  expect: {same_as: one}\n", "one is compared with itself", 6, 21, "the other claim"),
    ],
)
def test_a_mistake_is_reported_with_line_caret_and_what_to_do(tail, message, line, column, hint):
    claim, problems = only(tail)
    first = problems[0]
    assert message in first.message
    assert claim.broken == first.message
    assert first.line == line
    assert column in {None, first.column}
    assert hint is None or hint in (first.hint or "")


def test_a_broken_claim_never_stops_the_others():
    good = HEAD.replace("one", "{id}") + "  value: 2\n  expect: {{is: 2}}\n"
    text = good.format(id="a") + "- id: b\n  says: x\n" + good.format(id="c") + "- 7\n" + good.format(id="a")
    claims, problems = load("claims.yaml", text)
    assert [claim.id for claim in claims] == ["a", "b", "c", "unnamed-line-15", "a-line-16"]
    assert [bool(claim.broken) for claim in claims] == [False, True, False, True, True]
    assert claims[-1].broken == "the id 'a' is used in line 1 already"
    assert all(problem.line for problem in problems)
    assert (problems[-1].line, problems[-1].code) == (16, "claim-id")
    rows = list(verify(claims, book_of(), date(2026, 1, 1)))
    assert [row.verdict for row in rows] == ["holds", "error", "holds", "error", "error"]
    assert rows[1].reason == claims[1].broken


@pytest.mark.parametrize("text", ["", "claims:", "claims: 7", "just text", "a: [", "\x00", "- - - -", "[" * 5000])
def test_a_file_that_holds_no_claims_gives_problems_and_no_exception(text):
    claims, problems = load("claims.yaml", text)
    assert all(claim.broken for claim in claims)
    assert problems


keys = st.sampled_from(["id", "node", "says", "as_of", "given", "value", "expect", "severity", "for_runs", "tags", "x"])
scalars = st.text(max_size=12) | st.integers() | st.booleans() | st.none() | st.dates().map(str)
values = st.recursive(scalars, lambda below: st.lists(below, max_size=3) | st.dictionaries(keys, below, max_size=3))


@given(st.lists(st.dictionaries(keys, values, max_size=8), max_size=3))
@settings(max_examples=50)
def test_any_mapping_comes_out_as_a_claim_or_a_broken_one(entries):
    claims, problems = load("claims.yaml", yaml.safe_dump(entries, allow_unicode=True))
    assert len(claims) == len(entries)
    assert bool(problems) or not any(claim.broken for claim in claims)
    list(verify(claims, book_of(), date(2026, 1, 1)))


@pytest.mark.parametrize(("tail", "told"), [
    ("  value: 50%\n  expect: {is: 50%, within: 1%}\n", "write pp for percentage points"),
    ("  given:\n    a: 2\n    b: price(\"a/b\", \"input\")\n  value: a\n  expect: {is: 2}\n", "the input 'b' is not used"),
], ids=["a tolerance in percent of a percentage", "an input that is not used, and needs no price"])  # fmt: skip
def test_a_claim_with_a_warning_is_verified(tail, told):
    claim, (problem,) = only(tail)
    assert (problem.severity, told in {problem.message, problem.hint}) == (Weight.WARNING, True)
    assert [row.verdict for row in verify([claim], book_of(), date(2026, 1, 1))] == ["holds"]


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
    ],
)
def test_a_range_may_be_written_in_two_forms(given):
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
    ("given: {power: 600 W}\n  ranges: {power: {low: 5 W, high: 7 W}}", "unknown-key", "ranges: {power: {low: 5 W", "no field 'ranges'"),
    ('given: {power: {value: assume("power"), low: 500 W, high: 700 W}}', "claim-range", "{value: assume(\"power\")", "computed or looked up"),
])  # fmt: skip
def test_a_mistake_in_a_range_is_reported_with_its_place(given, code, where, says):
    claim, [found] = written(given)
    assert (found.code, found.text[found.column - 1 :].split(",")[0].rstrip("}")) == (code, where)
    assert says in found.message
    assert claim.broken


FILE = "assumptions:\n  - name: pue\n    value: 1.3\n    source: https://oats.example/\n    checked: 2025-01-01\n"


def assumed(*lines):
    return rule_files.load_assumptions("assumptions.yaml", FILE + "".join(f"    {line}\n" for line in lines))


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
