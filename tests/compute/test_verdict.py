"""Verdicts over fabricated prices: what is found, why, by how much, at which figure it turns; expectations in words."""

from datetime import date
from decimal import Decimal

import pytest

from compute.claims.claim_cases import Terms
from compute.claims.overrides import OverrideError, overrides
from compute.prices.rule_files import Decision
from compute.verify.claim_verifier import Forecaster, explain
from graph.models.claim_models import Expectation, VerdictName
from tests.compute import made
from tests.compute.made import CUT, INPUT, NOW, THEN, assumed, book_of, claim, dated, family, moved, price, verify

FIGURES = {"list": INPUT, "cached": 'price("acme/large", "cache_read", processing="batch")'}
SAVING = claim("1 - cached / list", FIGURES, is_="95%", within="0.5pp")
CACHED = {"component": "cache_read", "processing": "batch"}


def test_a_stale_claim_says_what_moved_and_shows_its_working():
    found = explain(SAVING, book_of(moved("3.00", "2.00") + moved("0.15", "0.05", **CACHED)), NOW)
    assert (found.verdict, found.value, found.unit, found.margin) == ("stale", Decimal("97.5"), "%", Decimal(-2))
    assert (found.then.value, found.then.holds, found.expected) == (Decimal(95), True, "95% ± 0.5pp")
    assert found.reason == (
        "On 2025-02-01 it was 95% and held; on 2026-05-01 it is 97.5%, 2pp outside 95% ± 0.5pp, because list went from "
        "3.00 to 2.00 USD/Mtok, cached went from 0.15 to 0.05 USD/Mtok."
    )
    assert [step.text for step in found.steps] == [
        'price("acme/large", "input") = 2.00 USD/Mtok (acme/large, cards since 2025-09-01)',
        'price("acme/large", "cache_read", processing="batch") = 0.05 USD/Mtok (acme/large, cards since 2025-09-01)',
        "1 - cached / list = 1 - 0.05 / 2.00 = 97.5%",
        "missed: 2pp outside 95% ± 0.5pp",
    ]
    assert [(flip.input, flip.at, flip.unit) for flip in found.flips] == [
        ("list", Decimal("1.11111111111111111"), "USD/Mtok"),
        ("cached", Decimal("0.09"), "USD/Mtok"),
    ]
    assert [(one.name, one.value, one.catalog, one.valid_from) for one in found.inputs] == [
        ("list", Decimal("2.00"), "cards", CUT),
        ("cached", Decimal("0.05"), "cards", CUT),
    ]


def test_a_family_that_moved_is_named_before_its_prices():
    best = family("acme/one", "acme/two")
    book = book_of([dated("3", "acme/one"), dated("6", "acme/two")], families=[best])
    found = explain(claim('price("acme/best", "input")'), book, NOW)
    assert "acme/best moved from one to two, input is 6.00 USD/Mtok for two and was 3.00 for one" in found.reason
    assert "acme/best means acme/two" in found.inputs[0].note
    pinned = explain(claim('price("acme/one", "input")'), book, NOW)
    assert pinned.verdict is VerdictName.HOLDS


def test_a_missing_price_is_named_and_so_are_both_units_that_do_not_meet():
    found = explain(SAVING, book_of([dated("3")]), NOW)
    assert found.verdict is VerdictName.UNVERIFIABLE
    assert "batch price of cache_read of acme/large on 2026-05-01 is missing" in found.reason
    assert (found.value, found.margin, found.flips, found.assumed) == (None, None, (), None)
    assert [(one.name, one.value) for one in found.inputs] == [("list", Decimal(3)), ("cached", None)]
    both = claim(f'{INPUT} + price("acme/gpu", "on_demand")')
    found = made.found(both, dated("3"), dated("2", "acme/gpu", "on_demand", "USD/GPU/h"))
    assert found.verdict is VerdictName.UNVERIFIABLE
    assert "cannot add USD/Mtok and USD/GPU/h" in found.reason
    assert "throughput" in found.reason


@pytest.mark.parametrize(
    ("value", "rival", "decided", "verdict"),
    [
        (INPUT, "9", False, "conflicting"), (INPUT, "4", False, "holds"), (INPUT, "9", True, "holds"),
        ('cheapest(["acme/large", "acme/old"], "input")', "9", False, "conflicting"),
    ],
    ids=["it matters", "it does not matter", "it is decided", "it matters in a choice"],
)  # fmt: skip
def test_catalogues_that_disagree_conflict_where_it_matters(value, rival, decided, verdict):
    decision = Decision(item="acme/large", catalog="genai-prices", reason="it says so", valid_from=date(2020, 1, 1))
    prices = dated("3", catalog="genai-prices"), dated(rival, catalog="litellm"), dated("20", item="acme/old")
    found = made.found(claim(value), *prices, decisions=[decision] if decided else [])
    assert found.verdict == verdict
    if verdict == "conflicting":
        assert found.reason == (
            "On 2026-05-01 it depends on which catalogue is right: with input of large at 3.00 USD/Mtok (genai-prices) it "
            "is 3.00 USD/Mtok and holds; with input of large at 9.00 USD/Mtok (litellm) it is 9.00 USD/Mtok and does "
            "not hold."
        )


def test_a_derived_price_and_a_number_of_the_callers_own_are_called_so():
    found = made.found(claim("list", {"list": INPUT}), dated("3", derived="half of 6 USD/Mtok"))
    assert found.reason.endswith("list is a derived price, not a quoted one.")
    assert "half of 6" in found.inputs[0].note
    assert "derived" in found.steps[0].text
    own = Terms(overrides=overrides({"price:acme/large/input": "9"}))
    found = made.found(claim("a", {"a": INPUT}, at_most="4 USD/Mtok"), dated("3"), terms=own)
    assert ", because a is set to 9.00 USD/Mtok instead of 3.00." in found.reason


BREAK_EVEN = {
    "purchase": "30k USD/GPU",
    "network": "4k USD/GPU",
    "facility": "1_500 USD/GPU/year",
    "life": "3 years",
    "cloud": 'price("sky/h100", "on_demand")',
    "energy": 'energy_cost(0.7 kW/GPU, life, assume("electricity"), pue=assume("pue"))',
    "total": "purchase + network + facility * life + energy",
}
RATED = [assumed("electricity", "0.06", "USD/kWh"), assumed("pue", "1.3")]


def rented(rate):
    return book_of([dated(rate, "sky/h100", "on_demand", "USD/GPU/h")], assumptions=RATED)


@pytest.mark.parametrize("value", ["total / (cloud * life)", "solve(u, total == cloud * life * u, between=0%..100%)"])
@pytest.mark.parametrize(("rate", "utilisation"), [("2.50", "60.8"), ("2.00", "76.0"), ("3.50", "43.4")])
def test_the_break_even_of_an_owned_gpu_depends_on_the_cloud_rate(value, rate, utilisation):
    found = explain(claim(value, BREAK_EVEN, at_most="60%"), rented(rate), NOW)
    assert round(found.value, 1) == Decimal(utilisation)
    assert round(next(flip.at for flip in found.flips if flip.input == "cloud"), 6) == Decimal("2.532654")
    assert 0 < found.assumed < Decimal("0.05")


def test_an_owned_gpu_never_breaks_even_against_a_cheap_cloud_and_a_search_does_not_step_over_a_narrow_interval():
    value = "solve(u, total == cloud * life * u, between=0%..100%)"
    found = explain(claim(value, BREAK_EVEN, at_most="60%"), rented("1.45"), NOW)
    assert (found.verdict, found.value, found.now.holds) == ("refuted", None, False)
    assert "there is no u from 0% to 100%: the left side stays the larger one" in found.reason
    assert round(next(flip.at for flip in found.flips if flip.input == "cloud"), 6) == Decimal("2.532654")
    narrow = explain(claim(value, BREAK_EVEN, is_="76%", within="0.2pp"), rented("1.45"), NOW)
    assert flips_of(narrow)["cloud"] == (Decimal("1.9942"), "above", "")


@pytest.mark.parametrize(
    ("expect", "value", "holds", "margin"),
    [
        ({"is_": "100 W", "within": "5%"}, "105 W", True, "0"),
        ({"is_": "100 W", "within": "5%"}, "94.9 W", False, "-0.1"),
        ({"is_": "100 W", "within": "5 W"}, "95 W", True, "0"),
        ({"is_": "95%", "within": "0.5pp"}, "94.5%", True, "0"),
        ({"is_": "95%", "within": "0.5pp"}, "94.49%", False, "-0.01"),
        ({"is_": "3"}, "3", True, "0"),
        ({"is_": "3"}, "3.0000001", False, "-0.0000001"),
        ({"is_": "1/3"}, "2/6", True, "0"),
        ({"at_least": "3 h"}, "180 minutes", True, "0"),
        ({"at_most": "3 h"}, "181 minutes", False, None),
        ({"between": "1", "upper": "3"}, "3", True, "0"),
        ({"between": "40..60%"}, "40%", True, "0"),
        ({"between": "40%..60%"}, "0.61", False, "-1"),
        ({"times": "15", "within": "5%"}, "15.75", True, "0"),
        ({"times": "15x"}, "60 USD / 4 USD", True, "0"),
        ({"is_": "true"}, "2 < 3", True, "0"),
        ({"is_": "false"}, "2 < 3", False, None),
        ({"at_least": "half"}, "1", True, "0"),
        # a tolerance may be a name
        ({"is_": "100", "within": "share"}, "99", True, "4"),
        ({"is_": "100", "within": "points"}, "99", False, "-0.95"),
        ({"is_": "100", "within": "two"}, "99", True, "1"),
    ],
)
def test_bounds_are_exact_and_belong_to_what_is_allowed(expect, value, holds, margin):
    named = {"half": "2 / 2", "share": "5%", "points": "5pp", "two": "2"}
    found = explain(claim(value, named, **expect), book_of(), NOW)
    assert found.now.holds is holds
    assert margin is None or found.margin == Decimal(margin)


def test_the_share_of_assumptions_is_their_part_of_the_influence():
    book = book_of([dated("2", "a/b", "x", "USD/h")], assumptions=RATED)
    looked_up = {"rate": 'price("a/b", "x")', "pue_now": 'assume("pue")'}
    assert explain(claim("rate * pue_now", looked_up, at_most="9 USD/h"), book, NOW).assumed == Decimal("0.5")
    assert explain(claim("rate * pue_now ^ 3", looked_up, at_most="9 USD/h"), book, NOW).assumed == Decimal("0.75")
    assert explain(claim("rate", looked_up, at_most="9 USD/h"), book, NOW).assumed == 0
    assert explain(claim("1", at_most="9"), book, NOW).assumed is None


def flips_of(found):
    return {flip.input: (flip.at and round(flip.at, 4), flip.side, flip.note) for flip in found.flips}


def test_an_input_that_changes_no_verdict_has_no_flip_and_a_share_none_above_100_percent():
    least = claim("min(a, b)", {"a": INPUT, "b": "2 USD/Mtok"}, at_most="5 USD/Mtok")
    assert [(flip.input, flip.at) for flip in made.found(least, dated("1")).flips] == [("a", None), ("b", None)]
    given = {"list": "3 USD/Mtok", "hits": "90%", "growth": "150%"}
    found = explain(claim("list * hits * growth", given, at_most="4.50 USD/Mtok"), book_of(), NOW)
    assert flips_of(found) == {
        "list": (Decimal("3.3333"), "above", ""),
        "hits": (Decimal(100), "above", ""),
        "growth": (Decimal("166.6667"), "above", ""),
    }
    searched = explain(claim("sqrt(list ^ 2 * hits)", given, at_most="3 USD/Mtok"), book_of(), NOW)
    assert flips_of(searched)["hits"] == (Decimal(100), "above", "")
    below = explain(claim("list * hits", given, at_most="4.50 USD/Mtok"), book_of(), NOW)
    assert flips_of(below)["hits"] == (None, "", "within 0–100%")


def test_a_flip_outside_the_range_of_an_assumption_is_reported_with_that_range():
    held = assumed("pue", "1.3", "", "1.1", "1.6")
    given = {"power": "700 W", "overhead": 'assume("pue")'}
    claims = [claim("power * overhead", given, at_most=bound) for bound in ("1_050 W", "1_400 W")]
    near, far = (flips_of(made.found(one, assumptions=[held])) for one in claims)
    assert near["overhead"] == (Decimal("1.5"), "above", "")
    assert far["overhead"] == (Decimal("2"), "above", "outside the range of the assumption, 1.1 to 1.6")


@pytest.mark.parametrize(("form", "side"), [("at_most", "above"), ("at_least", "below")])
def test_at_the_bound_itself_the_flip_says_on_which_side_the_verdict_changes(form, side):
    found = made.found(claim("a", {"a": INPUT}, **{form: "3 USD/Mtok"}), dated("3"))
    assert flips_of(found)["a"] == (3, side, "")


def test_an_override_counts_for_now_and_takes_the_unit_of_what_it_replaces():
    book = book_of([dated("3")], assumptions=RATED)
    plain = claim("list * share", {"list": INPUT, "share": 'assume("pue")'}, at_most="5 USD/Mtok")
    for told in ({"list": "6"}, {"price:acme/large/input": "6"}, {"list": "6000 USD/Gtok"}, {"assume:pue": "2.6"}):
        found = explain(plain, book, NOW, Terms(overrides=overrides(told)))
        assert (found.verdict, found.value, found.then.value) == ("stale", Decimal("7.8"), Decimal("3.9")), told
    other = overrides({"price:acme/large/input:batch": "9", "unknown": "1"})
    assert explain(plain, book, NOW, Terms(overrides=other)).verdict is VerdictName.HOLDS
    own = Terms(overrides=overrides({"total": "20"}))  # computed: in the unit in which it is shown
    found = made.found(claim("total / 2", {"total": f"{INPUT} * 4"}), dated("3"), terms=own)
    assert (found.verdict, found.value, found.then.value) == ("refuted", Decimal(10), Decimal(6))


@pytest.mark.parametrize("bound", ["50%", 'assume("most")'])
def test_a_value_is_shown_in_the_unit_of_a_bound_that_is_a_name(bound):
    found = made.found(claim("1 / 4", {"ceiling": bound}, at_most="ceiling"), assumptions=[assumed("most", "50", "%")])
    assert (found.value, found.unit, found.margin, found.expected) == (25, "%", 25, "at most 50%")


@pytest.mark.parametrize("told", ["4", "4 /h", "0.0667 /minute", "4/h"])
def test_an_override_may_have_a_unit_without_a_numerator(told):
    queued = claim("jobs / rate", {"jobs": "20", "rate": "10 h^-1"}, at_most="3 h")
    assert explain(queued, book_of(), NOW).verdict is VerdictName.HOLDS
    found = explain(queued, book_of(), NOW, Terms(overrides=overrides({"rate": told})))
    assert (found.verdict, round(found.value, 1), found.unit) == (VerdictName.STALE, Decimal(5), "h")


def test_an_override_with_another_unit_is_an_error_of_that_claim_and_one_that_is_no_figure_is_refused():
    own = Terms(overrides=overrides({"list": "3 USD/GPU/h"}))
    found = made.found(claim("list", {"list": INPUT}), dated("3"), terms=own)
    assert found.verdict is VerdictName.ERROR
    assert "cannot compare USD/GPU/h and USD/Mtok" in found.reason
    for name, value in (("a", "two"), ("a", "1 + 1"), ("price:", "1"), ("price:large", "1"), ("a", ""), ("a", "3/4")):
        with pytest.raises(OverrideError):
            overrides({name: value})


def test_a_claim_can_be_compared_with_another():
    book = book_of([*moved("3", "4"), dated("3", "acme/small")])
    large = claim(INPUT, at_least="1 USD/Mtok").model_copy(update={"id": "large"})
    small = claim('price("acme/small", "input")', same_as="large", within="0.5 USD/Mtok")
    found = explain(small, book, NOW, Terms(find={"large": large}.get))
    assert (found.verdict, found.then.holds, found.margin) == ("stale", True, Decimal("-0.5"))
    assert found.expected == "the same as large (4.00 USD/Mtok) ± 0.50 USD/Mtok"
    assert [row.verdict for row in verify([large, small], book, NOW)] == ["holds", "stale"]
    alone = explain(small, book, NOW)
    assert (alone.verdict, "large" in alone.reason) == (VerdictName.UNVERIFIABLE, True)


def test_claims_that_contradict_each_other_and_both_hold_say_so():
    book = book_of([dated("3")])
    cheap = claim().model_copy(update={"id": "cheap", "contradicts": ("dear", "dearer")})
    dear = claim(INPUT, at_least="2 USD/Mtok").model_copy(update={"id": "dear"})
    dearer = claim(INPUT, at_least="4 USD/Mtok").model_copy(update={"id": "dearer"})
    row, *_ = verify([cheap, dear, dearer], book, NOW)
    assert row.reason.startswith("It is declared to contradict dear of acme/note, but both hold: check whether")
    assert row.verdict is VerdictName.HOLDS


def test_figures_without_a_day_are_shown_without_one_and_pinned_ones_with_theirs():
    book = book_of(moved("3", "2"))
    pinned = 'price("acme/large", "input", on=2025-03-01)'
    found = explain(claim("then", {"then": pinned}, at_most="2 USD/Mtok"), book, NOW)
    assert found.reason == "Never true: it is 3.00 USD/Mtok, 1.00 USD/Mtok above the maximum of 2.00 USD/Mtok."
    assert found.inputs[0].note.startswith("as of 2025-03-01, the day that the formula names")
    moving = explain(claim("then / now", {"then": pinned, "now": INPUT}, is_="3"), book, NOW)
    assert moving.reason.startswith("It holds neither on 2025-02-01 nor on 2026-05-01: then it was 1; now it is 1.5")
    assert "the day that the formula names" not in moving.inputs[1].note


def test_a_claim_made_for_a_later_day_says_so():
    found = made.found(claim(), *moved("3", "9"), on=date(2026, 1, 1))
    early = made.found(claim(), dated("9", valid_to=THEN), dated("3", valid_from=THEN), on=date(2024, 6, 1))
    assert found.reason.startswith("On 2025-02-01 it was 3.00 USD/Mtok and held")
    assert early.reason.startswith("It is made for 2025-02-01, when it is 3.00 USD/Mtok and holds")


GIVEN = {"low": "2 h", "high": "low + 2 h", "part": "5%", "ceiling": INPUT, "unknown_yet": 'assume("unknown")'}


@pytest.mark.parametrize(
    ("value", "expect", "expected", "reason"),
    [
        ("1 h", {"at_least": "low"}, "at least 2 h", "1 h below the minimum of 2 h"),
        ("3 h", {"at_most": "low * 2"}, "at most 4 h", "1 h below the maximum of 4 h"),
        ("5 h", {"between": "low .. high"}, "between 2 h and 4 h", "1 h outside 2 h to 4 h"),
        ("5 h", {"between": "low", "upper": "high"}, "between 2 h and 4 h", "1 h outside 2 h to 4 h"),
        ("2 h", {"is_": "low", "within": "part"}, "2 h ± 5%", "0.1 h inside 2 h ± 5%"),
        ("1 h", {"is_": "3 h", "within": "low"}, "3 h ± 2 h", "exactly at the bound of 3 h ± 2 h"),
        ("2 USD/Mtok", {"at_most": "ceiling"}, "at most 3.00 USD/Mtok", "1.00 USD/Mtok below the maximum"),
        ("2 < 3", {"is_": "true"}, "true", ""),
        ("unknown_yet", {"at_least": "low"}, "at least low", "missing"),
        ("1 +", {"at_least": "1"}, "", "expected a number"),
    ],
)
def test_a_name_in_an_expectation_is_shown_as_its_figure(value, expect, expected, reason):
    book, one = book_of([price("3")]), claim(value, GIVEN, **expect)
    told = explain(one, book, NOW)
    assert told.expected == Forecaster(book, NOW, NOW).preview(one).expected == expected
    assert reason in told.reason


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        (Expectation(form="is", bound="95%", within="0.5pp"), "95% ± 0.5pp"),
        (Expectation(form="at_least", bound="15"), "at least 15"),
        (Expectation(form="between", bound="1", upper="2"), "between 1 and 2"),
        (Expectation(form="times", bound="15", within="5%"), "15× ± 5%"),
        (Expectation(form="same_as", bound="other"), "the same as other"),
        (Expectation(form="same_as", bound="other", within="1%"), "the same as other ± 1%"),
    ],
)
def test_an_expectation_in_words(expect, words):
    assert expect.text() == words
