"""Many claims on a day: laws that hold whatever the prices are."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compute.claims.claim_cases import Terms
from compute.claims.claim_program import dependencies
from compute.impact.price_impact import readable
from compute.prices.price_models import Assumption, Missing, Question
from compute.verify.claim_verifier import Forecaster, Verifier, explain
from graph.models.claim_models import Claim, Expectation, VerdictName
from graph.values import dumps
from tests.compute.made import book_of, price, verify

START = date(2025, 1, 1)
NOW = START + timedelta(days=60)


def claim(name, value, expect, given=(), **rest):
    stated = {"id": name, "node": "acme/note", "says": "So.", "as_of": START, **rest}
    return Claim(given=tuple(given), value=value, expect=expect, **stated)


NAMES = (("a", 'price("acme/large", "input")'), ("b", 'price("acme/small", "input")'), ("c", 'assume("share")'))
AT_MOST = Expectation(form="at_most", bound="3 USD/Mtok")
CLAIMS = (
    claim("plain", "a", AT_MOST, NAMES),
    claim("ratio", "a / b", Expectation(form="times", bound="4", within="25%"), NAMES),
    claim("discount", "1 - b / a", Expectation(form="at_least", bound="50%"), NAMES),
    claim("blend", "cache_blend(a, b, c)", AT_MOST, NAMES),
    claim("root", "sqrt(a * b)", AT_MOST, NAMES),
    claim("power", "(a / b) ^ c", Expectation(form="between", bound="1", upper="2"), NAMES),
    claim("log", "log(a / b)", Expectation(form="at_most", bound="1"), NAMES),
    claim("solved", "solve(u, a * u == b, between=0%..100%)", Expectation(form="at_most", bound="40%"), NAMES),
    claim("choice", 'cheapest(["acme/large", "acme/small"], "input")', AT_MOST),
    claim("truth", "a > b", Expectation(form="is", bound="true"), NAMES),
    claim("same", "b", Expectation(form="same_as", bound="plain", within="1 USD/Mtok"), NAMES),
    claim("against", "b", AT_MOST, NAMES, contradicts=("plain", "nobody")),
    claim("wrong", "a +", AT_MOST, NAMES),
    claim("rent", "a + b", Expectation(form="at_most", bound="3 USD/GPU/h"), NAMES),
)

days = st.integers(0, 90).map(lambda shift: START + timedelta(days=shift)) | st.none()
figures = st.sampled_from(["0", "1e-6", "0.5", "1", "1", "3", "1e6", "-2"]) | st.decimals(
    min_value=0, max_value=100, places=4
)
prices = st.builds(
    price,
    value=figures,
    item=st.sampled_from(["acme/large", "acme/small"]),
    unit=st.sampled_from(["USD/Mtok"] * 6 + ["EUR/Mtok", "USD/GPU/h", "nonsense"]),
    catalog=st.sampled_from(["genai-prices", "litellm", "cards"]),
    currency=st.sampled_from(["USD"] * 4 + ["EUR"]),
    valid_from=days,
    valid_to=days,
    checked=days,
    dated=st.sampled_from(["price", "record"]),
)
assumptions = st.builds(
    Assumption,
    name=st.just("share"),
    value=figures,
    unit=st.sampled_from(["", "%", "pp", "USD"]),
    valid_from=days,
    valid_to=days,
)
books = st.builds(
    lambda found, held: book_of(found, assumptions=held),
    st.lists(prices, max_size=8),
    st.lists(assumptions, max_size=2),
)
made_on = st.tuples(*[st.integers(-5, 100).map(lambda shift: START + timedelta(days=shift))] * len(CLAIMS))


@given(books, made_on)
@settings(max_examples=80)
def test_whatever_the_prices_are_a_row_agrees_with_its_explanation(book, dates):
    claims = [claim.model_copy(update={"as_of": day}) for claim, day in zip(CLAIMS, dates, strict=True)]
    rows = verify(claims, book, NOW)
    find = {claim.id: claim for claim in claims}.get
    for row, claim in zip(rows, claims, strict=True):
        found = explain(claim, book, NOW, Terms(find=find))
        assert (row.claim, row.verdict, row.value, row.margin, row.unit) == (
            found.claim, found.verdict, found.value, found.margin, found.unit,
        )  # fmt: skip
        assert (row.then_value, row.then_holds, row.now_holds) == (
            found.then.value, found.then.holds, found.now.holds,
        )  # fmt: skip
        assert row.reason in found.reason
        assert row.reason or row.verdict is VerdictName.HOLDS
        assert found.reason


@given(books)
@settings(max_examples=80)
def test_nothing_holds_that_a_price_is_missing_for_or_that_lies_outside_its_bounds(book):
    for claim, row in zip(CLAIMS, verify(CLAIMS, book, NOW), strict=True):
        asked = [one.question for one in dependencies(claim) if one.question]
        if any(isinstance(book.price(question, NOW), Missing) for question in asked):
            assert row.verdict in {VerdictName.UNVERIFIABLE, VerdictName.ERROR}
            assert (row.value, row.now_holds) == (None, None)
        if row.margin is not None and row.now_holds is not None:
            assert row.now_holds == (row.margin >= 0)


@given(books, st.integers(0, 100), st.integers(0, 100))
@settings(max_examples=80)
def test_between_two_borders_a_book_gives_the_same_answers(book, one, other):
    first, second = sorted((START + timedelta(days=one), START + timedelta(days=other)))
    if any(first < border <= second for border in book.borders()):
        return
    for item in ("acme/large", "acme/small"):
        question = Question(item=item, component="input")
        answers = [book.price(question, day) for day in (first, second)]
        if not isinstance(answers[0], Missing):
            assert answers[0] == answers[1]
        else:
            assert isinstance(answers[1], Missing)


linear = st.sampled_from(["a", "a / b", "1 - b / a", "a * c + b", "a * c - b", "cache_blend(a, b, c)", "b / (a + b)"])
searched = st.sampled_from(["sqrt(a * b) / b", "(a / b) ^ 0.5", "max(a, 2 * b) / b", "if(a > b, a / b, 2)"])


@given(
    linear | searched,
    st.decimals(min_value="0.01", max_value=50, places=2),
    st.decimals(min_value="0.01", max_value=50, places=2),
    st.decimals(min_value="0.01", max_value=3, places=2),
)
@settings(max_examples=50)
def test_at_the_flip_of_an_input_the_verdict_changes(value, a, b, bound):
    unit = " USD/Mtok" if value in {"a", "a * c + b", "a * c - b", "cache_blend(a, b, c)"} else ""
    expect = Expectation(form="at_most", bound=f"{bound}{unit}")
    book = book_of()

    def holds(changed):
        numbers = {"a": f"{a} USD/Mtok", "b": f"{b} USD/Mtok", "c": "0.5", **changed}
        return explain(claim("it", value, expect, numbers.items()), book, NOW)

    for flip in holds({}).flips:
        if flip.at:
            sides = [f"{flip.at * factor:f} {flip.unit}" for factor in (Decimal("0.9999999"), Decimal("1.0000001"))]
            assert {holds({flip.input: side}).now.holds for side in sides} == {True, False}


def test_a_claim_that_another_refers_to_is_found_by_the_caller():
    book, same = book_of([price("2"), price("1", "acme/small")]), CLAIMS[10]
    assert Verifier(book, NOW).row(same).verdict == "unverifiable"
    assert Verifier(book, NOW, Terms(find={"plain": CLAIMS[0]}.get)).row(same).verdict == "holds"


def test_figures_of_equal_size_give_the_same_row_however_they_are_written():
    rows = [
        next(iter(verify(CLAIMS[:1], book_of([price(value, unit=unit)]), NOW)))
        for value, unit in (("2", "USD/Mtok"), ("2.00", "USD/Mtok"), ("0.000002", "USD/token"))
    ]
    assert len({dumps(row) for row in rows}) == 1


def test_a_price_with_a_future_date_says_which_claim_changes_on_which_day():
    turn, back = NOW + timedelta(days=10), NOW + timedelta(days=20)
    later = price("4", valid_from=turn, valid_to=back), price("2.5", valid_from=back)
    book = book_of([price("2", valid_to=turn), *later])
    cheap, dear = CLAIMS[0], claim("dear", "a", Expectation(form="at_least", bound="1 USD/Mtok"), NAMES[:1])
    cheap = cheap.model_copy(update={"given": NAMES[:1]})
    turns = [one for each in (cheap, dear) for one in Forecaster(book, NOW, back).preview(each).changes]
    found = [(one.claim, one.on, one.before, one.after) for one in turns]
    assert found == [("plain", turn, "holds", "stale"), ("plain", back, "stale", "holds")]
    assert (turns[0].value_before, turns[0].value_after, turns[0].unit) == (Decimal(2), Decimal(4), "USD/Mtok")
    assert list(Forecaster(book, NOW, turn - timedelta(days=1)).preview(cheap).changes) == []


def test_a_forecast_names_announced_prices_and_not_those_that_end():
    turn, end = NOW + timedelta(days=9), NOW + timedelta(days=20)
    undated = price("2", valid_to=turn, dated="record")
    book = book_of([undated, price("4", valid_from=turn, valid_to=end)])
    cheap = CLAIMS[0].model_copy(update={"given": NAMES[:1]})
    (change,) = Forecaster(book, NOW, end).preview(cheap).changes
    assert (change.on, change.after, change.cause) == (turn, "stale", None)


def test_a_claim_about_a_coming_day_changes_on_that_day_and_not_with_the_prices_of_others():
    day, other = NOW + timedelta(days=9), NOW + timedelta(days=15)
    book = book_of([price("2"), price("9", item="acme/small", valid_from=other)])
    dated = CLAIMS[0].model_copy(update={"given": NAMES[:1], "as_of": day, "tense": "dated"})
    (change,) = Forecaster(book, NOW, other).preview(dated).changes
    assert (change.on, change.before, change.after) == (day, "unverifiable", "holds")


def test_the_dependencies_of_a_claim_are_what_it_reads():
    batch = claim("it", 'price("a/b", "input", processing="batch") + c', AT_MOST, NAMES)
    assert [(one.kind, one.name) for one in dependencies(batch)] == [
        ("price", "acme/large/input"),
        ("price", "acme/small/input"),
        ("assumption", "share"),
        ("price", "a/b/input"),
    ]
    assert list(readable([batch])) == [
        "a", "b", "c", "price:acme/large/input", "price:acme/small/input", "assume:share", "price:a/b/input:batch",
    ]  # fmt: skip
    assert [(one.kind, one.name) for one in dependencies(CLAIMS[10])][-1] == ("claim", "plain")
    assert dependencies(CLAIMS[12]) == ()


@pytest.mark.parametrize("value", ["a / b", "log(b)", "big ^ 999", "solve(u, u * a == b, between=0..1)"])
def test_a_figure_that_cannot_be_computed_is_unverifiable_and_says_why(value):
    given = (("a", "0"), ("b", "0"), ("big", "1e60"))
    found = explain(claim("it", value, Expectation(form="at_most", bound="3"), given), book_of(), NOW)
    assert found.verdict is VerdictName.UNVERIFIABLE
    assert found.reason
    assert found.steps[-2].value is None
