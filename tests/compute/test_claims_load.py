"""Claims from YAML: what an author writes, and what comes out of it, mistakes included."""

from datetime import date

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from compute.claims.claim_loader import load
from graph.models.claim_models import ClaimSeverity, Expectation
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
