"""What the book answers: one price for a question and a day, its rivals, or the reason why there is none."""

from datetime import date
from decimal import Decimal
from functools import partial
from operator import attrgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.prices.families import Family, Member
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Assumption, Catalog, Missing, Name, Question, Quote, Rule
from compute.prices.rule_files import Decision
from tests.compute import made
from tests.compute.made import book_of

DAY = date(2026, 5, 10)


def price(value="2", item="acme/roadrunner", **rest):
    return made.price(value, item, **{"catalog": "genai-prices", **rest})


def ask(book, on=DAY, item="acme/roadrunner", component="input", **rest):
    return book.price(Question(item=item, component=component, **rest), on)


MAY, YEAR = date(2026, 5, 1), date(2026, 1, 1)
LONG = {"above": 200_000}
TIERS = [price("1"), price("4", **LONG)]
REGIONS = [price("1", region="eu"), price("2", region="us")]
CLOUDS = [price("4", region="eu", catalog="gpuhunt"), price("5", region="us", catalog="gpuhunt")]
OVERLAP = [price("1"), price("2", valid_from=YEAR)]
PAST = [price("2"), price("5", catalog="cards", valid_from=MAY, valid_to=date(2026, 6, 1))]
OPEN = [price("2"), price("5", catalog="cards", valid_from=MAY, checked=DAY)]
LISTED = [price("3"), price("6", **LONG), price("3.10", catalog="cards")]
CARD = [price("1"), price("2", catalog="cards", **LONG)]
LATER = [price("1"), price("2", catalog="litellm", **LONG)]
RECORDED = [price("1", processing="batch", valid_from=date(2026, 10, 14), dated="record")]
SPAN = [price(valid_from=MAY, valid_to=date(2026, 5, 11))]
LENGTHS = [price("1"), price("2", **LONG), price("1", catalog="litellm"), price("2", catalog="litellm", above=128_000)]


def shown(answer):
    return ", ".join(f"{one.value} {one.catalog}" for one in (answer.price, *answer.rivals))


@pytest.mark.parametrize(
    ("prices", "question", "expected"),
    [
        (SPAN, {"on": MAY}, "2 genai-prices"),
        (SPAN, {"on": DAY}, "2 genai-prices"),
        (TIERS, {"context": 200_000}, "1 genai-prices"),  # a tier applies above its number of tokens
        (TIERS, {"context": 200_001}, "4 genai-prices"),
        (REGIONS, {"region": "us"}, "2 genai-prices"),
        (REGIONS[:1], {}, "1 genai-prices"),
        # a list of clouds was a rival of a card, or gave no answer where it has several regions, and the card neither
        ([price("3", catalog="cards"), *CLOUDS[:1]], {}, "3 cards"),
        ([price("3", catalog="cards"), *CLOUDS], {}, "3 cards"),
        (OVERLAP, {"on": date(2025, 1, 1)}, "1 genai-prices"),
        ([price("2"), price("2.00", valid_from=YEAR)], {}, "2.00 genai-prices"),  # said twice
        # rivals are in the order of precedence; the same price in another multiple is none, another currency is one
        ([price("3", catalog="litellm"), price("2"), price("2.0", catalog="cards")], {}, "2 genai-prices, 3 litellm"),
        ([price("2"), price("0.002", unit="USD/ktok", catalog="cards")], {}, "2 genai-prices"),
        ([price("2"), price("2", unit="EUR/Mtok", catalog="cards")], {}, "2 genai-prices, 2 cards"),
        ([price("3", catalog="litellm"), price("2")], {"catalog": "litellm"}, "3 litellm"),
        (PAST, {}, "5 cards"),  # a card that states its days beats a price that no one dated
        (PAST, {"on": date(2026, 6, 1)}, "2 genai-prices"),
        (OPEN, {}, "5 cards"),  # an open card settles nothing after the day on which it was checked
        (OPEN, {"on": date(2026, 5, 11)}, "2 genai-prices, 5 cards"),
        (LISTED, {}, "3 genai-prices, 3.10 cards"),  # a catalogue without tiers says nothing of a tier
        (LISTED, {"context": 300_000}, "6 genai-prices"),
        (CARD, {}, "1 genai-prices"),  # a tier on a card answers where the list has none
        (CARD, {"context": 300_000}, "2 cards"),
        (LATER, {"context": 300_000}, "1 genai-prices, 2 litellm"),  # a tier that only a later list has is a rival
        (LENGTHS, {"context": 150_000}, "1 genai-prices, 2 litellm"),  # between two lengths of a tier
        (LENGTHS, {"context": 300_000}, "2 genai-prices"),
    ],
)
def test_which_price_answers_and_which_are_its_rivals(prices, question, expected):
    assert shown(ask(book_of(prices), **question)) == expected


def family():
    members = (
        Member(model="acme/coyote-1", begins=date(2025, 1, 1), released=date(2025, 1, 1)),
        Member(model="acme/coyote-2", begins=date(2026, 1, 1), released=date(2025, 12, 1)),
    )
    return Family(name="acme/coyote", members=members)


COYOTES = [price("3", item="acme/coyote-1"), price("2", item="acme/coyote-2")]


@pytest.mark.parametrize(
    ("prices", "question", "reason"),
    [
        (REGIONS, {}, "for each of the regions eu, us"),
        (OVERLAP, {}, "its intervals overlap"),
        ([price("-1")], {}, "negative"),
        (SPAN, {"on": date(2026, 5, 11)}, "the nearest is 2.00 USD/Mtok from 2026-05-01 until 2026-05-11 (exclusive)"),
        (SPAN, {"on": date(2026, 4, 30)}, "on that day"),
        (RECORDED, {"processing": "batch"}, "from 2026-10-14 (genai-prices, the day on which it began to record it)"),
        ([price()], {"item": "acme/roadruner"}, "near it: acme/roadrunner"),
        ([price()], {"component": "inptu"}, "did you mean 'input'?"),
        ([price()], {"processing": "batch"}, "known: standard"),
        ([price()], {"region": "mars"}, "priced for no named region only"),
        (COYOTES, {"item": "acme/coyote", "on": date(2024, 1, 1)}, "meant no model before 2025-01-01"),
        (COYOTES, {"item": "acme/coyote-2", "on": date(2025, 6, 1)}, "came out on 2025-12-01"),
    ],
)
def test_prices_that_give_no_answer_say_why(prices, question, reason):
    answer = ask(book_of(prices, families=[family()]), **question)
    assert reason in answer.reason
    if question == {"processing": "batch"}:
        assert answer.what == "the batch price of input of acme/roadrunner on 2026-05-10"


def test_what_an_aggregator_charges_is_no_price_of_the_vendor():
    sold = [price("9", item=item, catalog="litellm") for item in ("openrouter/acme/quail", "github-copilot/quail")]
    book = CatalogBook([named(), Catalog(name="litellm", prices=tuple(sold))])
    assert isinstance(ask(book, item="acme/quail"), Missing)
    assert ask(book, item="openrouter/acme/quail").price.value == 9


def decided(item, catalog, reason, component=None):
    return Decision(item=item, component=component, valid_from=DAY, catalog=catalog, reason=reason)


INVOICE = decided("acme/roadrunner", "cards", "the invoice says so", "input")


PAIR = [price("2"), price("3", catalog="cards")]


@pytest.mark.parametrize(
    ("prices", "decisions", "reason"),
    [
        (PAIR, [INVOICE], "the invoice says so"),
        (PAIR[1:], [INVOICE], None),  # it settles nothing
        (PAIR, [decided("acme/*", "litellm", "all"), INVOICE], "the invoice says so"),
    ],
)
def test_the_most_exact_decision_settles_a_conflict_on_its_days_and_gives_its_reason(prices, decisions, reason):
    book = book_of(prices, decisions=decisions)
    settled = ask(book)
    assert (settled.price.value, settled.rivals, settled.decided) == (Decimal(3), (), reason)
    assert [one.value for one in ask(book, date(2026, 5, 9)).rivals] == [3] * (len(prices) - 1)


def test_a_family_is_looked_up_as_its_model_of_the_day_and_borders_are_all_days_on_which_something_begins_or_ends():
    book = book_of(COYOTES, families=[family()])
    then, now = (ask(book, day, item="acme/coyote") for day in (date(2025, 12, 31), date(2026, 1, 1)))
    assert (then.price.item, then.price.value, then.family) == ("acme/coyote-1", Decimal(3), "acme/coyote")
    assert now.price.item == "acme/coyote-2"
    book = book_of([price(valid_from=date(2026, 2, 1), valid_to=date(2026, 3, 1))], families=[family()])
    assert book.borders() == (date(2025, 1, 1), date(2025, 12, 1), date(2026, 1, 1), date(2026, 2, 1), date(2026, 3, 1))


def named():
    rule = Rule(op="or", rules=(Rule(op="starts_with", text="road"), Rule(op="equals", text="rr")))
    names = (Name(item="acme/roadrunner", rule=rule),)
    return Catalog(name="genai-prices", prices=(price(),), names=names, elsewhere=(("bazaar", ("acme",)),))


def test_a_reseller_takes_the_standard_price_and_says_so_but_no_batch_price():
    catalog = named()
    catalog = catalog.model_copy(update={"prices": (*catalog.prices, price("1", processing="batch"))})
    book = CatalogBook([catalog])
    assert "acme/roadrunner" in ask(book, item="bazaar/rr").price.note
    assert isinstance(ask(book, item="bazaar/rr", processing="batch"), Missing)
    own = Catalog(name="cards", prices=(price("9", "bazaar/rr", catalog="cards"),))
    answer = ask(CatalogBook([catalog, own]), item="bazaar/rr")
    assert (answer.price.value, answer.rivals) == (9, ()), "its own price comes before the maker's"


@pytest.mark.parametrize(("second", "rivals"), [("3", [3]), ("4", [])])
def test_other_spellings_mean_one_item_and_several_in_a_catalogue_answer_only_where_they_agree(second, rivals):
    items = {"acme/road-1": "3", "acme/road-2": second}
    loose = tuple(price(value, item, catalog="litellm") for item, value in items.items())
    book = CatalogBook([named(), Catalog(name="litellm", prices=loose)])
    assert [rival.value for rival in ask(book).rivals] == rivals
    alone = CatalogBook([named()])
    assert {ask(alone, item=item).price.item for item in ("acme/RR", "acme/road-20260101")} == {"acme/roadrunner"}


def test_an_assumption_is_found_by_name_and_day_unless_it_has_two_values():
    pue = partial(Assumption, name="pue", unit="")
    one = pue(value=Decimal("1.3"), valid_from=date(2026, 1, 1))
    book = CatalogBook((), assumptions=[one])
    assert book.assumption("pue", DAY) == one
    assert "other days only" in book.assumption("pue", date(2025, 1, 1)).reason
    assert "near it: pue" in book.assumption("pues", DAY).reason
    twice = CatalogBook((), assumptions=[one, pue(value=Decimal("1.4"))])
    assert "several values" in twice.assumption("pue", DAY).reason


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
    answer = ask(book_of(prices), on, context=context)
    if isinstance(answer, Quote):
        chosen = answer.price
        assert chosen in prices
        assert chosen.value >= 0
        assert chosen.processing == "standard"
        assert chosen.valid_from is None or chosen.valid_from <= on
        assert chosen.valid_to is None or on < chosen.valid_to
        kind = attrgetter("catalog", "above", "region", "processing")
        same = [p for p in prices if kind(p) == kind(chosen) and (p.valid_from or on) <= on < (p.valid_to or date.max)]
        assert {(p.value, p.unit) for p in same} == {(chosen.value, chosen.unit)}
    else:
        assert answer.reason


@given(st.lists(hostile, max_size=8), st.randoms())
def test_the_answer_does_not_depend_on_the_order_of_the_prices(prices, random):
    shuffled = list(prices)
    random.shuffle(shuffled)
    one, two = ask(book_of(prices)), ask(book_of(shuffled))
    assert isinstance(one, Quote) == isinstance(two, Quote)
    if isinstance(one, Quote) and one.price.catalog != "elsewhere":
        assert (one.price.value, one.price.catalog) == (two.price.value, two.price.catalog)
