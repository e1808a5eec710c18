"""Price cards, families, assumptions, decisions and ages as their author writes them, and the messages that she gets."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from compute.catalogs import genai_prices_catalog, price_cards
from compute.prices import data_freshness, families, rule_files, rule_library
from compute.prices.price_models import Assumption, Catalog, Question

CONTENT = Path(__file__).parents[2] / "content"

GOOD = """\
catalog: cards
prices:
  - item: acme/h100
    component: on_demand
    value: 2.50 USD/GPU/h
    from: 2025-01-01
    source: https://acme.example/prices
    checked: 2025-02-01
"""


def card(**changes):
    """The good card with fields changed, or left out where None."""
    lines = GOOD.splitlines()
    for name, value in changes.items():
        at = next((i for i, line in enumerate(lines) if line.strip().startswith((f"{name}:", f"- {name}:"))), None)
        if value is None:
            del lines[at]
        elif at is None:
            lines.append(f"    {name}: {value}")
        else:
            lines[at] = f"{lines[at].partition(':')[0]}: {value}"
    return "\n".join(lines) + "\n"


def test_a_card_is_read_with_every_digit_that_was_written():
    catalog, problems = price_cards.load("gpu.yaml", GOOD)
    assert problems == ()
    (one,) = catalog.prices
    assert (str(one.value), one.unit, one.valid_from, one.valid_to) == ("2.50", "USD/GPU/h", date(2025, 1, 1), None)
    assert catalog.taken == date(2025, 2, 1)


@pytest.mark.parametrize(("change", "code", "told"), [
    ({"value": "2.50 USD/GPU/hr0"}, "unknown-unit", "not a unit"),
    ({"value": "2.50 USD/Mtok"}, "bad-unit", "stated in USD/GPU/h"), ({"value": "2.50"}, "bad-unit", "needs its unit"),
    ({"value": "2.50 GB"}, "bad-unit", "starts with its currency"),
    ({"value": "about 2"}, "bad-amount", "is not an amount"),
    ({"value": "2,50 USD/GPU/h"}, "bad-amount", "2,50 has a decimal comma"),
    ({"value": "0,125 USD/GPU/h"}, "bad-amount", "0,125 has a decimal comma"),
    ({"value": "-2.50 USD/GPU/h"}, "negative-price", "never negative"),
    ({"value": None}, "missing-key", "needs 'value'"), ({"from": None}, "missing-key", "needs 'from'"),
    ({"from": "January"}, "bad-date", "is not a day"), ({"from": "2025-02-30"}, "bad-date", "is not a day"),
    ({"to": "2025-01-01"}, "empty-interval", "not after"), ({"source": None}, "missing-key", "needs 'source'"),
    ({"source": "a friend"}, "bad-source", "not an address"),
    ({"source": "https://[::1"}, "bad-source", "not an address"), ({"checked": None}, "missing-key", "needs 'checked'"),
    ({"item": "h100"}, "bad-item", "is not an item"), ({"since": "ever"}, "bad-since", "neither"),
    ({"above": "many"}, "bad-number", "not an integer"), ({"regoin": "eu"}, "unknown-key", "no field 'regoin'"),
])  # fmt: skip  # rows
def test_a_wrong_card_is_left_out_and_reported_with_its_line_and_a_caret(change, code, told):
    catalog, problems = price_cards.load("gpu.yaml", card(**change))
    assert catalog.prices == ()
    problem = next(p for p in problems if p.code == code)
    assert told in problem.message
    assert problem.line is not None
    assert "^" in problem.render()


def test_the_caret_is_under_the_wrong_unit_and_one_wrong_card_does_not_take_the_others_along():
    second = GOOD.partition("prices:\n")[2].replace("acme/h100", "acme/h200")
    catalog, (problem,) = price_cards.load("gpu.yaml", card(value="2.50 USD/GPUU/h") + second)
    assert problem.text[problem.column - 1 :].startswith("GPUU")
    assert problem.hint == "did you mean GPU?"
    assert [p.item for p in catalog.prices] == ["acme/h200"]


def test_two_cards_for_the_same_days_are_reported_with_the_line_of_the_first():
    second = GOOD.partition("prices:\n")[2].replace("2.50", "3").replace("2025-01-01", "2025-06-01")
    catalog, problems = price_cards.load("gpu.yaml", GOOD + second)
    assert len(catalog.prices) == 1
    assert (problems[0].code, problems[0].line) == ("overlap", 9)
    assert "line 3" in problems[0].message


@pytest.mark.parametrize(("text", "told"), [
    ("", "empty"), ("prices: [", "not readable as YAML"), ("a: &a [1]\nprices: *a\n", "aliases"),
    ("[" * 5000, "YAML"), ("prices: many\n", "must be a list"), ("just words\n", "must be a list"),
    ("pricess: []\n", "no field 'pricess'"), ("\x00", "YAML"), ("prices:\n  - 3\n", "must be a mapping"),
])  # fmt: skip  # pairs
def test_a_file_that_is_no_list_of_cards_is_reported_and_never_raises(text, told):
    catalog, problems = price_cards.load("gpu.yaml", text)
    assert catalog.prices == ()
    assert any(told in problem.message for problem in problems)


FAMILIES = """\
families:
  acme/coyote:
    - from: 2025-01-01
      model: acme/coyote-1
    - from: 2026-01-01
      released: 2025-12-01
      model: acme/coyote-2
"""


def test_a_family_knows_its_model_by_day_and_the_days_of_release():
    (family,), problems = families.load("families.yaml", FAMILIES)
    assert problems == ()
    assert family.on(date(2024, 12, 31)) is None
    assert family.on(date(2025, 12, 31)).model == "acme/coyote-1"
    assert families.releases([family])["acme/coyote-2"] == date(2025, 12, 1)
    (family,), (problem,) = families.load("families.yaml", FAMILIES.replace("2026-01-01", "2024-06-01"))
    assert (len(family.members), problem.code) == (1, "family-order")


def test_an_assumption_keeps_its_range_and_unit_and_a_decision_needs_its_reason():
    text = "assumptions:\n  - {name: u, value: 60%, low: 30%, high: 80%, source: a survey, checked: 2026-01-01}\n"
    (found,), problems = rule_files.load_assumptions("assumptions.yaml", text)
    assert problems == ()
    assert (found.value, found.unit, found.low, found.high) == (60, "%", 30, 80)
    for wrong, code in (("low: 70%", "bad-range"), ("high: 3 h", "bad-unit")):
        spoilt = text.replace("low: 30%, high: 80%", wrong)
        assert code in {problem.code for problem in rule_files.load_assumptions("assumptions.yaml", spoilt)[1]}
    text = "decisions:\n  - item: acme/*\n    from: 2026-01-01\n    catalog: cards\n"
    found, problems = rule_files.load_decisions("decisions.yaml", text)
    assert found == ()
    assert "needs 'reason'" in problems[0].message


def test_freshness_follows_the_limit_that_names_the_source_before_the_general_one():
    text = "freshness:\n  - {catalog: cards, warn_after: 10 days, error_after: 20 days}\n"
    limits, problems = data_freshness.load("freshness.yaml", text)
    assert problems == ()
    shelves = [Catalog(name=name, prices=(), taken=date(2026, 1, 1)) for name in ("cards", "other")]
    shelves.append(Catalog(name="undated", prices=()))
    pue = Assumption(name="pue", value=Decimal(1), unit="", checked=date(2020, 1, 1))
    found = data_freshness.freshness(shelves, [pue], date(2026, 1, 11), limits)
    states = {"cards": "old", "other": "fresh", "undated": "unknown", "pue": "too old"}
    assert {one.name: one.state for one in found} == states


@pytest.fixture(scope="module")
def shipped():
    library = rule_library.load(CONTENT)
    return library.families, library.book(library.catalogs([genai_prices_catalog.load()]))


def test_every_model_of_the_shipped_families_has_a_price_on_its_first_day_and_none_is_behind_the_catalogue(shipped):
    known, book = shipped
    for family in known:
        for member in family.members:
            assert hasattr(book.price(Question(item=family.name, component="input"), member.begins), "price"), member
    items = {price.item for price in genai_prices_catalog.load().prices}
    assert [families.newer(family, items) for family in known] == [None] * len(known)


@pytest.mark.parametrize(
    ("model", "items", "found"),
    [
        ("acme/coyote-5-5", "acme/coyote-5-4 acme/coyote-6 acme/coyote-5-5-20260101", "acme/coyote-6"),
        ("acme/gpt-6.1-sol", "acme/gpt-6.2-sol acme/gpt-7-astra acme/gpt-6.10-sol", "acme/gpt-6.10-sol"),
        ("acme/pro-3-preview", "acme/pro-3 acme/pro-4", "acme/pro-4"),
        ("acme/coyote-5", "acme/coyote-5 acme/coyote-6:batch acme/coyote-6-mini acme/quail-6", None),
        ("acme/coyote", "acme/coyote-6", None),
    ],
)
def test_a_family_is_behind_if_a_model_of_its_line_has_a_higher_version(model, items, found):
    (family,), _ = families.load("families.yaml", f"families: {{acme/f: [{{from: 2026-01-01, model: {model}}}]}}")
    assert families.newer(family, items.split()) == found


def test_a_dated_card_corrects_the_undated_catalogue_for_its_days(shipped):
    question = Question(item="anthropic/claude-sonnet-5-5", component="cache_read")
    before, after = (shipped[1].price(question, day).price for day in (date(2026, 10, 6), date(2026, 10, 7)))
    assert (before.value, before.catalog) == (Decimal("0.20"), "cards")
    assert (after.value, after.catalog) == (Decimal("0.1"), "genai-prices")
