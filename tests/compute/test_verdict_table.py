"""The table of verdicts: each row with an example, the two of the user first; the examples of docs/verdicts.md."""

import re
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from compute.catalogs import price_cards
from compute.claims import claim_loader
from compute.claims.claim_cases import Terms
from compute.claims.overrides import overrides
from compute.claims.verdict_table import ROWS, row_of
from compute.prices.price_book import CatalogBook
from compute.verify.claim_verifier import explain
from graph.models.claim_models import Cause, ClaimSeverity, Speaker, Stance, Tense, VerdictName
from graph.models.verdict_models import severity_of
from graph.models.written_figures import GivenRange
from tests.compute import made
from tests.compute.made import CUT, INPUT, NOW, THEN, assumed, claim, dated, family, found, moved, price, verify

STANDING, DATED = Tense.STANDING, Tense.DATED


def sonnet(**rest):
    figures = {"list": 'price("acme/best", "input")', "cached": 'price("acme/best", "cache_read", processing="batch")'}
    return claim("1 - cached / list", figures, is_="95%", within="0.5pp", **rest)


BEST = family("acme/one", "acme/two")
SONNETS = [
    dated("3.00", item="acme/one"),
    dated("0.15", item="acme/one", component="cache_read", processing="batch"),
    dated("2.00", item="acme/two"),
    dated("0.05", item="acme/two", component="cache_read", processing="batch"),
]


def test_a_standing_discount_whose_words_have_no_day_is_stale_by_dated_prices():
    told = found(sonnet(), *SONNETS, families=[BEST])
    assert (told.verdict, told.cause, told.value) == ("stale", Cause.FAMILY_MOVED, Decimal("97.5"))
    assert (told.then.dated, told.then.value, told.tense) == (True, Decimal(95), STANDING)
    assert (told.now.as_of, told.then.as_of) == (NOW, THEN)


def test_the_same_words_with_a_day_are_dated_and_hold_for_it_and_today_is_information():
    told = found(sonnet(tense=DATED), *SONNETS, families=[BEST])
    assert (told.verdict, told.cause, told.value, told.tense) == ("holds", None, Decimal(95), DATED)
    assert (told.now.value, told.now.holds, told.now.as_of) == (Decimal("97.5"), False, NOW)
    assert {one.item for one in told.inputs} == {"acme/one"}
    assert told.reason == "On 2025-02-01 it was 95%, 0.5pp inside 95% ± 0.5pp."


HOUR = GivenRange(name="rent", low="1.50 USD/GPU/h", high="4 USD/GPU/h")


def break_even(**rest):
    figures = {"owned": "1.52 USD/GPU/h", "rent": "2.50 USD/GPU/h"}
    return claim("owned / rent", figures, ranges=(HOUR,), is_="60%", within="3pp", **rest)


@pytest.mark.parametrize("tense", Tense)
def test_break_even_at_60_percent_depends_on_the_rent_that_its_words_leave_open(tense):
    told = found(break_even(tense=tense))
    assert (told.verdict, told.cause, told.now.holds) == ("depends", None, True)
    assert told.robust.share < Decimal("0.5")
    assert "of the stated ranges: it depends on rent." in told.reason
    assert "holds at the stated figures, but only in " in told.reason
    assert ("it was 60.8% and held at the stated figures." in told.reason) == (tense is STANDING)
    fixed = break_even(tense=tense).model_copy(update={"ranges": ()})
    assert found(fixed).verdict == "holds", "what the words fix has no range"


OPEN = {"value": "list * hits", "given": {"list": INPUT, "hits": 'assume("hits")'}}
HITS = {"assumptions": [assumed("hits", "0.9", "", "0.5", "1")]}
RIVALS = [dated("3", catalog="genai-prices"), dated("9", catalog="litellm")]
AFTER = date(2027, 1, 1)
AWAY = {"value": 'price("acme/large", "input", on=2026-06-01)'}
TWO = claim("3", id="two", node="acme/memo", same_as="one", within="1%")
ONE = claim("2", id="one", node="acme/report", is_="2")
(OLD, NEW), RECORD = moved("3", "9"), {"update": {"dated": "record"}}

EXAMPLES = {
    "dated, T": (claim(tense=DATED), moved("3", "9"), {}, ("holds", None)),
    "dated, T, though today is F and its price is not dated": (
        claim(tense=DATED), [price("3")], {}, ("holds", None)),
    "dated, O": (claim(**OPEN, tense=DATED), [dated("8")], HITS, ("depends", None)),
    "dated, S": (claim(tense=DATED), RIVALS, {}, ("conflicting", Cause.SOURCES_DIFFER)),
    "dated, ?": (claim(tense=DATED), [dated("3", valid_from=CUT)], {}, ("unverifiable", None)),
    "dated, F, accusable": (claim(tense=DATED), moved("9", "3"), {}, ("refuted", Cause.CONTRADICTED)),
    "dated, F, not dated": (claim(tense=DATED), [price("9")], {}, ("unverifiable", None)),
    "dated, F, nobody says it": (
        claim(tense=DATED, asserted_by=Speaker.NOBODY), [dated("9")], {}, ("unverifiable", None)),
    "dated, to come": (claim(**AWAY, tense=DATED), [dated("3")], {}, ("unverifiable", None)),
    "dated, its own day to come": (
        claim(tense=DATED, as_of=date(2026, 6, 1)), [dated("3")], {}, ("unverifiable", None)),
    "standing, today T": (claim(), moved("9", "3"), {}, ("holds", None)),
    "standing, today O": (claim(**OPEN), [dated("8")], HITS, ("depends", None)),
    "standing, T then O": (claim(**OPEN), moved("4", "8"), HITS, ("depends", Cause.PRICE_MOVED)),
    "standing, today S": (claim(), RIVALS, {}, ("conflicting", Cause.SOURCES_DIFFER)),
    "standing, catalogues that decide between O and F": (
        claim(**OPEN), [price("8", catalog="genai-prices"), price("20", catalog="litellm")],
        {"assumptions": [assumed("hits", "0.9", "", "0.5", "0.95")]}, ("conflicting", Cause.SOURCES_DIFFER)),
    "standing, today ?": (claim(), [dated("3", valid_to=CUT)], {}, ("unverifiable", None)),
    "standing, ? then T": (claim(), [dated("3", valid_from=CUT)], {}, ("holds", None)),
    "standing, no price at all": (claim(), [], {}, ("unverifiable", None)),
    "standing, F then ?": (claim(), [dated("9", valid_to=CUT)], {}, ("unverifiable", None)),
    "standing, T then F": (claim(), moved("3", "9"), {}, ("stale", Cause.PRICE_MOVED)),
    "standing, T then F, the old price not dated": (
        claim(), [OLD.model_copy(**RECORD), NEW], {}, ("stale", Cause.THEN_UNKNOWN)),
    "standing, T then F, the new price not dated": (
        claim(), [OLD, NEW.model_copy(**RECORD)], {}, ("stale", Cause.THEN_UNKNOWN)),
    "standing, O then F": (claim(**OPEN), moved("8", "20"), HITS, ("stale", Cause.PRICE_MOVED)),
    "standing, F then F, accusable": (claim(), [dated("9")], {}, ("refuted", Cause.CONTRADICTED)),
    "standing, F then F, its text is wrong by itself": (
        claim("4 * 40 kW", is_="200 kW"), [], {}, ("refuted", Cause.MISCALCULATED)),
    "standing, F then F, not dated": (claim(), [price("9")], {}, ("unverifiable", None)),
    "standing, F then F, nobody says it": (claim(asserted_by=Speaker.NOBODY), [dated("9")], {}, ("unverifiable", None)),
    "standing, F then F, its text is wrong and nobody says it": (
        claim("1 + 1", is_="3", asserted_by=Speaker.NOBODY), [], {}, ("unverifiable", None)),
    "standing, F then F, its node disputes it": (
        claim(stance=Stance.DISPUTES), [dated("9")], {}, ("refuted", Cause.CONTRADICTED)),
    "standing, ? then F": (claim(), [dated("9", valid_from=CUT)], {}, ("stale", Cause.THEN_UNKNOWN)),
    "standing, S then F": (
        claim(), [*(one.model_copy(update={"valid_to": CUT}) for one in RIVALS), dated("9", valid_from=CUT)], {},
        ("stale", Cause.THEN_UNKNOWN)),
    **{f"an error in the claim, {tense}": (claim("1 +", tense=tense), [], {}, ("error", None)) for tense in Tense},
    "two texts differ": (TWO, [], {"terms": Terms(find={"one": ONE}.get)}, ("conflicting", Cause.SOURCES_DIFFER)),
    "two texts differ, one of which is of its own day": (
        claim("9 USD/Mtok", id="two", node="acme/memo", same_as="list"), moved("3", "9"),
        {"terms": Terms(find={"list": claim(id="list", tense=DATED)}.get)}, ("conflicting", Cause.SOURCES_DIFFER)),
    "to be compared with a text whose day is to come": (
        TWO, [], {"terms": Terms(find={"one": ONE.model_copy(update={"tense": DATED, "as_of": AFTER})}.get)},
        ("unverifiable", None)),
    "standing, of a day to come with unknown prices": (claim(as_of=AFTER), [dated("9")], {}, ("unverifiable", None)),
    "dated, of a day to come with an announced price": (
        claim(tense=DATED, as_of=AFTER), [dated("9", valid_to=AFTER), dated("3", valid_from=AFTER)], {}, ("unverifiable", None)),
    "two texts differ, dated": (
        TWO.model_copy(update={"tense": DATED}), [], {"terms": Terms(find={"one": ONE}.get)},
        ("conflicting", Cause.SOURCES_DIFFER)),
}  # fmt: skip


REASONS = {
    "standing, T then O": (
        "list went from 4.00 to 8.00 USD/Mtok",
        "It would hold with hits at 0.625 or less",
        "On 2025-02-01 it was 3.60 USD/Mtok and held.",
    ),
    "standing, F then F, nobody says it": (
        "No one states this figure; the check fails: it holds neither on 2025-02-01",
    ),
    "standing, S then F": ("whether it held on 2025-02-01 cannot be known",),
    "two texts differ": ("Two texts differ: acme/memo has 3, acme/report has 2 (one); it is",),
    "two texts differ, one of which is of its own day": ("6.00 USD/Mtok off the expected list (3.00 USD/Mtok).",),
    "to be compared with a text whose day is to come": ("The claim one is about 2027-01-01, which is to come.",),
    "standing, of a day to come with unknown prices": (
        "it is made for 2027-01-01, and prices for that day are not known;",
    ),
    "dated, of a day to come with an announced price": (
        "Not due yet: it is about 2027-01-01. By the prices announced until 2026-05-01 it would be 3.00 USD/Mtok.",
    ),
}
"""What the reason says in some of the rows."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_of_each_row(name):
    one, prices, more, expected = EXAMPLES[name]
    told = found(one, *prices, **more)
    assert (told.verdict, told.cause) == expected, told.reason
    assert all(words in told.reason for words in REASONS.get(name, ())), told.reason
    terms = more.get("terms", Terms())
    rest = {key: value for key, value in more.items() if key != "terms"}
    (row,) = verify([one], made.book_of(prices, **rest), NOW, terms)
    assert (row.verdict, row.cause, row.value) == (*expected, told.value)


def test_every_row_has_an_example(monkeypatch):
    used = []
    monkeypatch.setattr("compute.claims.claim_case.row_of", lambda facts: used.append(row_of(facts)) or used[-1])
    for one, prices, more, _ in EXAMPLES.values():
        found(one, *prices, **more)
    assert [row for row in ROWS if row not in used] == []


def test_a_claim_that_was_never_known_to_be_true_matters_little():
    assert severity_of(ClaimSeverity.CRITICAL, Cause.THEN_UNKNOWN) is ClaimSeverity.INFO
    told = found(claim(severity=ClaimSeverity.CRITICAL), dated("9", valid_from=CUT))
    assert told.severity is ClaimSeverity.INFO


def test_the_cause_is_the_input_whose_change_alone_restores_the_claim():
    two = {"a": 'price("acme/best", "input")', "b": 'price("acme/gpu", "on_demand")'}
    prices = [dated("3", item="acme/one"), dated("4", item="acme/two")]
    gpu = {"item": "acme/gpu", "component": "on_demand"}
    one = claim("a + b", two, at_most="5.5 USD/Mtok")
    assert found(one, *prices, *moved("1", "9", **gpu), families=[BEST]).cause is Cause.PRICE_MOVED
    assert found(one, *prices, *moved("1", "2", **gpu), families=[BEST]).cause is Cause.FAMILY_MOVED


def test_a_dated_claim_takes_the_numbers_of_the_caller_for_its_own_day():
    own = Terms(overrides=overrides({"price:acme/large/input": "9"}))
    told = found(claim(tense=DATED), dated("3"), terms=own)
    assert (told.verdict, told.value) == ("refuted", Decimal(9))
    given = claim("a * 2", {"a": "2"}, is_="4", tense=DATED)
    assert found(given, terms=Terms(overrides=overrides({"a": "3"}))).value == 6


def test_dated_claims_of_one_formula_are_judged_for_their_own_days_and_nothing_changes_one():
    days = [THEN + timedelta(days=number) for number in (0, 100, 200, 300)]
    claims = [claim(id=f"c{number}", as_of=day, tense=DATED) for number, day in enumerate(days)]
    standing = [one.model_copy(update={"id": f"s{one.id}", "tense": STANDING}) for one in claims]
    rows = {row.claim: row for row in verify([*claims, *standing], made.book_of(moved("3", "9")), NOW)}
    assert [rows[f"c{number}"].verdict for number in range(4)] == ["holds", "holds", "holds", "refuted"]
    assert [rows[f"c{number}"].now_value for number in range(4)] == [Decimal(9)] * 4
    assert [rows[f"sc{number}"].verdict for number in range(4)] == ["stale", "stale", "stale", "refuted"]
    assert rows["c3"].reason.startswith("Not true on 2025-11-28: it is 9.00 USD/Mtok")
    (line,) = made.life_lines([claim(tense=DATED)], moved("3", "9"))
    assert (line.fixed, line.turns, [one.state.value for one in line.spans]) == (True, (), ["held"])


PAGE = (Path(__file__).parents[2] / "docs/verdicts.md").read_text("utf-8")
CARDS, CLAIMS = re.findall(r"```yaml\n(.*?)```", PAGE, re.S)
TOLD = re.findall(r"- id: ([a-z0-9-]+) +# ([a-z]+)(?:, ([a-z_]+))?", CLAIMS)
TARIFF = assumed("tariff", "0.06", "USD/kWh", "0.05", "0.12")


@pytest.fixture(scope="module")
def claims():
    found, problems = claim_loader.load("verdicts.md", CLAIMS)
    assert not problems
    return {claim.id: claim for claim in found}


@pytest.fixture(scope="module")
def book():
    catalog, problems = price_cards.load("verdicts.md", CARDS)
    assert not problems
    return CatalogBook([catalog], [family("acme/one", "acme/two")], [TARIFF])


@pytest.mark.parametrize(("name", "verdict", "cause"), TOLD, ids=lambda one: one)
def test_an_example_has_the_verdict_and_the_cause_that_the_page_states(claims, book, name, verdict, cause):
    found = explain(claims[name], book, NOW, Terms(find=claims.get))
    assert (found.verdict.value, found.cause and found.cause.value) == (verdict, cause or None), found.reason


def test_every_claim_of_the_page_is_tested_every_cause_has_an_example_and_the_quoted_reason_is_given(claims, book):
    assert [name for name, _, _ in TOLD] == list(claims)
    assert {cause for _, _, cause in TOLD if cause} == {cause.value for cause in Cause}
    assert {verdict for _, verdict, _ in TOLD} == {name.value for name in VerdictName if name is not VerdictName.ERROR}
    quoted = re.search(r'`brain explain open-tariff` says: "(.*?), …"', PAGE).group(1)
    assert explain(claims["open-tariff"], book, NOW).reason.startswith(quoted)
