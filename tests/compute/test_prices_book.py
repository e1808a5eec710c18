"""What the book answers: one price for a question and a day, its rivals, or the reason why there is none."""

from datetime import date
from decimal import Decimal
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.prices.decisions import Decision
from compute.prices.families import Family, Member
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Assumption, Catalog, Missing, Name, Question, Quote, Rule
from compute.prices.price_overview import conflicts
from tests.compute import made

DAY = date(2026, 5, 10)


price = partial(made.price, item="acme/roadrunner", catalog="genai-prices")


def ask(book, on=DAY, item="acme/roadrunner", component="input", **rest):
    return book.price(Question(item=item, component=component, **rest), on)


def test_a_missing_price_names_what_was_requested_and_what_is_near():
    book = CatalogBook.of([price("1", processing="batch", valid_from=date(2026, 10, 14), dated="record")])
    answer = ask(book, processing="batch")
    assert answer.what == "the batch price of input of acme/roadrunner on 2026-05-10"
    assert "1.00 USD/Mtok from 2026-10-14" in answer.reason
    assert "began to record it" in answer.reason


LONG = {"above": 200_000}
WEEK = price(valid_from=date(2026, 5, 1), valid_to=date(2026, 5, 11))
REGIONS = [price("1", region="eu"), price("2", region="us")]
OVERLAP = [price("1"), price("2", valid_from=date(2026, 1, 1))]
DATED = [price("2"), price("5", catalog="cards", valid_from=date(2026, 5, 1), valid_to=date(2026, 6, 1))]
OPEN = [price("2"), price("5", catalog="cards", valid_from=date(2026, 5, 1), checked=DAY)]
CARD = [price("3"), price("6", **LONG), price("3.10", catalog="cards")]
CARD_TIER = [price("1"), price("2", catalog="cards", **LONG)]
OTHER_TIER = [price(value, catalog="litellm", above=above) for value, above in (("1", 0), ("2", 128_000))]

ANSWERS = {
    "on its first day": ([WEEK], {"on": date(2026, 5, 1)}, "2"),
    "on its last day": ([WEEK], {"on": date(2026, 5, 10)}, "2"),
    "on the day of its end": ([WEEK], {"on": date(2026, 5, 11)}, "missing: "),
    "before its first day": ([WEEK], {"on": date(2026, 4, 30)}, "missing: "),
    "a slip in the item": ([price()], {"item": "acme/roadruner"}, "missing: near it: acme/roadrunner"),
    "a slip in the component": ([price()], {"component": "inptu"}, "missing: did you mean 'input'?"),
    "no standard price for a batch price": ([price()], {"processing": "batch"}, "missing: known: standard"),
    "an unknown region": ([price()], {"region": "mars"}, "missing: priced for no named region only"),
    "at the tokens of a tier": ([price("1"), price("4", **LONG)], {"context": 200_000}, "1"),
    "above the tokens of a tier": ([price("1"), price("4", **LONG)], {"context": 200_001}, "4"),
    "one of two regions": (REGIONS, {"region": "us"}, "2"),
    "none of two regions": (REGIONS, {}, "missing: for each of the regions eu, us"),
    "the only region": (REGIONS[:1], {}, "1"),
    # a list of clouds was a rival of a card, or gave no answer where it has several regions, and the card neither
    "a region of another list": ([price("3", catalog="cards"), price("4", region="eu", catalog="gpuhunt")], {}, "3"),
    "two regions of another list": (
        [price("3", catalog="cards"), *(price("4", region=one, catalog="gpuhunt") for one in ("eu", "us"))], {}, "3"),
    "intervals that overlap": (OVERLAP, {}, "missing: its intervals overlap"),
    "before intervals overlap": (OVERLAP, {"on": date(2025, 1, 1)}, "1"),
    "the same amount said twice": ([price("2"), price("2.00", valid_from=date(2026, 1, 1))], {}, "2.00"),
    "a negative price": ([price("-1")], {}, "missing: negative"),
    "rivals in the order of precedence": (
        [price("3", catalog="litellm"), price("2"), price("2.0", catalog="cards")], {}, "2 | litellm 3 USD/Mtok"),
    "another multiple is no rival": ([price("2"), price("0.002", unit="USD/ktok", catalog="cards")], {}, "2"),
    "another currency is a rival": (
        [price("2"), price("2", unit="EUR/Mtok", catalog="cards")], {}, "2 | cards 2 EUR/Mtok"),
    "a question that names its catalogue": ([price("3", catalog="litellm"), price("2")], {"catalog": "litellm"}, "3"),
    "a card that states its days": (DATED, {}, "5"),
    "a card after its days": (DATED, {"on": date(2026, 6, 1)}, "2"),
    "an open card on the day of its check": (OPEN, {}, "5"),
    "an open card after its check settles nothing": (OPEN, {"on": date(2026, 5, 11)}, "2 | cards 5 USD/Mtok"),
    # her card has the price of a request; the list also has that of a long one: no price of one is that of the other
    "a card without tiers": (CARD, {}, "3 | cards 3.10 USD/Mtok"),
    "a card without tiers says nothing of a tier": (CARD, {"context": 300_000}, "6"),
    "a card with a tier says nothing of short ones": (CARD_TIER, {}, "1"),
    "a tier on a card where the list has none": (CARD_TIER, {"context": 300_000}, "2"),
    "a tier that only a later list has": (
        [price("1"), price("2", catalog="litellm", **LONG)], {"context": 300_000}, "1 | litellm 2 USD/Mtok"),
    "between the beginnings of a tier in two lists": (
        [price("1"), price("2", **LONG), *OTHER_TIER], {"context": 150_000}, "1 | litellm 2 USD/Mtok"),
    "above both beginnings": ([price("1"), price("2", **LONG), *OTHER_TIER], {"context": 300_000}, "2"),
}  # fmt: skip
"""Prices, a question, and what the book answers: `value | rivals`, or `missing:` and a part of the reason."""


@pytest.mark.parametrize(("prices", "question", "told"), ANSWERS.values(), ids=ANSWERS)
def test_the_book_gives_one_price_its_rivals_or_the_reason_why_there_is_none(prices, question, told):
    found = ask(CatalogBook.of(prices), **question)
    if told.startswith("missing: "):
        assert isinstance(found, Missing)
        assert told.removeprefix("missing: ") in found.reason
    else:
        rivals = [f"{one.catalog} {one.value} {one.unit}" for one in found.rivals]
        assert " | ".join([str(found.price.value), *rivals]) == told


def test_what_an_aggregator_charges_is_no_price_of_the_vendor():
    sold = [price("9", item=item, catalog="litellm") for item in ("openrouter/acme/quail", "github-copilot/quail")]
    book = CatalogBook([named(), Catalog(name="litellm", prices=tuple(sold))])
    assert isinstance(ask(book, item="acme/quail"), Missing)
    assert ask(book, item="openrouter/acme/quail").price.value == 9


def test_a_decision_settles_a_conflict_on_its_days_only_and_gives_its_reason():
    decision = Decision(item="acme/roadrunner", valid_from=DAY, catalog="cards", reason="the invoice says so")
    book = CatalogBook(CatalogBook.of([price("2"), price("3", catalog="cards")]).catalogs, decisions=[decision])
    settled = ask(book)
    assert (settled.price.value, settled.rivals, settled.decided) == (Decimal(3), (), "the invoice says so")
    assert ask(book, date(2026, 5, 9)).rivals


def test_a_decision_that_settles_nothing_is_not_mentioned():
    decision = Decision(item="acme/*", valid_from=DAY, catalog="cards", reason="cards first")
    book = CatalogBook(CatalogBook.of([price("3", catalog="cards")]).catalogs, decisions=[decision])
    assert ask(book).decided is None


def test_the_more_exact_decision_counts():
    every = Decision(item="acme/*", valid_from=DAY, catalog="litellm", reason="all")
    one = Decision(item="acme/roadrunner", component="input", valid_from=DAY, catalog="cards", reason="this one")
    shelves = CatalogBook.of([price("2"), price("3", catalog="cards"), price("4", catalog="litellm")]).catalogs
    assert ask(CatalogBook(shelves, decisions=[every, one])).decided == "this one"


def family():
    members = (
        Member(model="acme/coyote-1", begins=date(2025, 1, 1), released=date(2025, 1, 1)),
        Member(model="acme/coyote-2", begins=date(2026, 1, 1), released=date(2026, 1, 1)),
    )
    return Family(name="acme/coyote", members=members)


def test_a_family_is_looked_up_as_its_model_of_the_day():
    prices = [price("3", item="acme/coyote-1"), price("2", item="acme/coyote-2")]
    book = CatalogBook.of(prices, families=[family()])
    then, now = (ask(book, day, item="acme/coyote") for day in (date(2025, 12, 31), date(2026, 1, 1)))
    assert (then.price.item, then.price.value, then.family) == ("acme/coyote-1", Decimal(3), "acme/coyote")
    assert now.price.item == "acme/coyote-2"


def test_a_family_meant_nothing_before_its_first_model():
    answer = ask(CatalogBook.of([price()], families=[family()]), date(2024, 1, 1), item="acme/coyote")
    assert "meant no model before 2025-01-01" in answer.reason


def test_a_model_has_no_price_before_its_release():
    book = CatalogBook.of([price("2", item="acme/coyote-2")], families=[family()])
    assert "came out on 2026-01-01" in ask(book, date(2025, 6, 1), item="acme/coyote-2").reason


def named():
    rule = Rule(op="or", rules=(Rule(op="starts_with", text="road"), Rule(op="equals", text="rr")))
    names = (Name(item="acme/roadrunner", rule=rule),)
    return Catalog(name="genai-prices", prices=(price(),), names=names, elsewhere=(("bazaar", ("acme",)),))


def test_other_spellings_mean_the_item_that_the_catalogue_says():
    book = CatalogBook([named()])
    assert ask(book, item="acme/RR").price.item == "acme/roadrunner"
    assert ask(book, item="acme/road-20260101").price.item == "acme/roadrunner"


def test_a_reseller_takes_the_standard_price_and_says_so_but_no_batch_price():
    catalog = named()
    catalog = catalog.model_copy(update={"prices": (*catalog.prices, price("1", processing="batch"))})
    book = CatalogBook([catalog])
    assert "acme/roadrunner" in ask(book, item="bazaar/rr").price.note
    assert isinstance(ask(book, item="bazaar/rr", processing="batch"), Missing)


def test_a_resellers_own_price_comes_before_the_makers():
    book = CatalogBook([named(), Catalog(name="cards", prices=(price("9", item="bazaar/rr", catalog="cards"),))])
    answer = ask(book, item="bazaar/rr")
    assert (answer.price.value, answer.rivals) == (Decimal(9), ())


def test_several_spellings_in_one_catalogue_answer_only_where_they_agree():
    def book(second):
        loose = [
            price("3", item="acme/road-1", catalog="litellm"),
            price(second, item="acme/road-2", catalog="litellm"),
        ]
        return CatalogBook([named(), Catalog(name="litellm", prices=tuple(loose))])

    assert [rival.value for rival in ask(book("3")).rivals] == [Decimal(3)]
    assert ask(book("4")).rivals == ()


def test_borders_are_all_days_on_which_something_begins_or_ends():
    book = CatalogBook.of([price(valid_from=date(2026, 2, 1), valid_to=date(2026, 3, 1))], families=[family()])
    assert book.borders() == (date(2025, 1, 1), date(2026, 1, 1), date(2026, 2, 1), date(2026, 3, 1))


def test_an_assumption_is_found_by_name_and_day():
    one = Assumption(name="pue", value=Decimal("1.3"), unit="", valid_from=date(2026, 1, 1))
    book = CatalogBook((), assumptions=[one])
    assert book.assumption("pue", DAY) == one
    assert "other days only" in book.assumption("pue", date(2025, 1, 1)).reason
    assert "near it: pue" in book.assumption("pues", DAY).reason


def test_an_assumption_that_is_defined_twice_is_no_answer():
    two = [Assumption(name="pue", value=Decimal(value), unit="") for value in ("1.3", "1.4")]
    assert "several values" in CatalogBook((), assumptions=two).assumption("pue", DAY).reason


days = st.none() | st.dates(date(2026, 5, 1), date(2026, 5, 20))
hostile = st.builds(
    price,
    value=st.sampled_from(["0", "-1", "1e6", "0.000001", "2", "2.0"]),
    catalog=st.sampled_from(["genai-prices", "cards", "litellm", "elsewhere"]),
    unit=st.sampled_from(["USD/Mtok", "EUR/Mtok", "USD/ktok", "USD/GPU/h", "nonsense"]),
    processing=st.sampled_from(["standard", "batch"]),
    above=st.sampled_from([0, 100, 200]),
    region=st.sampled_from([None, "eu"]),
    dated=st.sampled_from(["price", "record"]),
    valid_from=days,
    valid_to=days,
    checked=days,
)


@given(st.lists(hostile, max_size=8), st.dates(date(2026, 4, 25), date(2026, 5, 25)), st.sampled_from([0, 150]))
def test_hostile_prices_never_raise_and_every_answer_holds_on_its_day(prices, on, context):
    answer = ask(CatalogBook.of(prices), on, context=context)
    if isinstance(answer, Quote):
        chosen = answer.price
        assert chosen in prices
        assert chosen.value >= 0
        assert chosen.processing == "standard"
        assert chosen.valid_from is None or chosen.valid_from <= on
        assert chosen.valid_to is None or on < chosen.valid_to
        others = [
            p for p in prices if p.catalog == chosen.catalog and p.above == chosen.above and p.region == chosen.region
        ]
        active = [
            p for p in others if p.processing == "standard" and (p.valid_from or on) <= on < (p.valid_to or date.max)
        ]
        assert {(p.value, p.unit) for p in active} == {(chosen.value, chosen.unit)}
    else:
        assert answer.reason


@given(st.lists(hostile, max_size=8), st.randoms())
def test_the_answer_does_not_depend_on_the_order_of_the_prices(prices, random):
    shuffled = list(prices)
    random.shuffle(shuffled)
    one, two = ask(CatalogBook.of(prices)), ask(CatalogBook.of(shuffled))
    assert isinstance(one, Quote) == isinstance(two, Quote)
    if isinstance(one, Quote) and one.price.catalog != "elsewhere":
        assert (one.price.value, one.price.catalog) == (two.price.value, two.price.catalog)


def test_a_tier_is_in_conflict_with_a_tier_only():
    found = conflicts(CatalogBook.of(CARD), DAY)
    assert [(one.question.context, one.price.value) for one in found] == [(0, 3)]
    assert conflicts(CatalogBook.of(CARD_TIER), DAY) == ()


def test_conflicts_are_listed_with_the_decision_that_settled_them():
    decision = Decision(item="acme/coyote-1", valid_from=DAY, catalog="cards", reason="the invoice says so")
    prices = [
        price("2"),
        price("3", catalog="cards"),
        price("2", item="acme/coyote-1"),
        price("4", item="acme/coyote-1", catalog="cards"),
        price("1", item="acme/coyote-2"),
        price("1", item="acme/coyote-2", catalog="cards"),
    ]
    found = conflicts(CatalogBook(CatalogBook.of(prices).catalogs, decisions=[decision]), DAY)
    told = [
        (one.question.item, str(one.price.value), [str(rival.value) for rival in one.rivals], one.decided)
        for one in found
    ]
    assert told == [("acme/coyote-1", "4", [], "the invoice says so"), ("acme/roadrunner", "2", ["3"], None)]
