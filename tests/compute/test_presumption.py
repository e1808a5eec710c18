"""The presumption of innocence: who is accused, by which prices, for which cause, and what the reason says."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compute.claims.claim_cases import Terms
from compute.claims.overrides import overrides
from compute.claims.stated_figures import unsaid
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Catalog, Name, Rule
from compute.verify.claim_verifier import explain
from graph.models.claim_models import Cause, Direction, Speaker
from graph.models.node_models import Table
from tests.compute import made
from tests.compute.made import CUT, INPUT, NOW, THEN, assumed, claim, dated, family, found, moved, price, verify

RECORDED = "the catalogue cards recorded it {}and does not say since when it applies."


@pytest.mark.parametrize(
    ("nine", "why"),
    [
        (price("9"), "is not dated for 2025-02-01."),
        (price("9", valid_to=date(2027, 1, 1)), "is not dated for 2025-02-01."),  # an end only
        (dated("9", dated="record"), RECORDED.format("on 2024-01-01 ")),
        (price("9", dated="record"), RECORDED.format("")),
        (dated("9", checked=date(2024, 6, 1)), "it was last checked on 2024-06-01."),
        (dated("9"), ""),
        (dated("9", checked=THEN), ""),
        (dated("9", checked=None), ""),
        (dated("9", checked=date(2024, 6, 1), valid_to=date(2027, 1, 1)), ""),
        (price("9", dated="record", first_seen=date(2025, 1, 20)), ""),  # in our snapshots since that day
    ],
)
def test_only_a_price_that_is_dated_for_the_day_refutes(nine, why):
    told = found(claim(), nine)
    if not why:
        assert (told.verdict, told.then.dated, told.cause) == ("refuted", True, Cause.CONTRADICTED)
        return
    assert (told.verdict, told.then.dated, told.then.holds) == ("unverifiable", False, False)
    assert told.reason.startswith("Cannot be refuted, because its prices are not dated: it holds neither on 2025-02-01")
    assert "But the price of acme/large (input) is not dated for 2025-02-01" in told.reason
    assert told.reason.endswith(why)


def test_a_snapshot_of_our_own_dates_a_price_for_the_days_on_which_it_had_it():
    past = price("9", first_seen=date(2025, 2, 10), last_seen=date(2025, 2, 20), replaced=date(2025, 3, 1))
    now = price("8", first_seen=date(2025, 3, 1))
    verdicts = [found(claim(as_of=date(2025, 2, day)), past, now).verdict for day in (1, 10, 20, 21)]
    assert verdicts == ["unverifiable", "refuted", "refuted", "unverifiable"]
    since = Terms(first_snapshots={"cards": date(2025, 1, 31)})
    days = (date(2025, 1, 1), date(2025, 1, 31), date(2025, 2, 1))
    verdicts = [found(claim(as_of=day), price("9"), terms=since).verdict for day in days]
    assert verdicts == ["unverifiable", "unverifiable", "refuted"], "the first one dates what is still stated"


def test_a_borrowed_price_is_not_the_price_of_that_provider():
    names = (Name(item="acme/large", rule=Rule(op="equals", text="large")),)
    catalog = Catalog(name="c", prices=(dated("9", catalog="c"),), names=names, elsewhere=(("resold", ("acme",)),))
    told = explain(claim('price("resold/large", "input")'), CatalogBook([catalog]), NOW)
    assert (told.verdict, told.then.dated) == ("unverifiable", False)
    assert "it is borrowed from another provider" in told.reason


@pytest.mark.parametrize(
    ("value", "day"),
    [
        (f'{INPUT} + price("acme/old", "input")', "2025-02-01"),
        ('price("acme/old", "input", on=2025-01-01) + 0 USD/Mtok', "2025-01-01"),
        ('dearest(["acme/large", "acme/old"], "input")', "2025-02-01"),
    ],
)
def test_every_price_must_be_dated(value, day):
    prices = [dated("9"), price("9", "acme/old")]
    told = found(claim(value), *prices)
    assert (told.verdict, told.then.dated) == ("unverifiable", False)
    assert f"the price of acme/old (input) is not dated for {day}" in told.reason


def test_an_exchange_rate_must_be_dated_too_and_figures_of_texts_and_assumptions_always_are():
    euro = dated("9", unit="EUR/Mtok", currency="EUR")
    rate = {"item": "fx/usd_per_eur", "component": "rate", "unit": "USD/EUR"}
    assert found(claim(), euro, dated("1.1", **rate)).verdict == "refuted"
    told = found(claim(), euro, price("1.1", **rate))
    assert (told.verdict, told.then.dated) == ("unverifiable", False)
    told = found(claim("1 + 1", is_="3"))
    assert (told.verdict, told.then.dated, told.cause) == ("refuted", True, Cause.MISCALCULATED)
    timeless = found(claim("x * 2", {"x": 'assume("x")'}, is_="3"), assumptions=[assumed("x", "1")])
    assert (timeless.verdict, timeless.then.dated, timeless.cause) == ("refuted", True, Cause.CONTRADICTED)


def saving(**rest):
    """PUE from 1.5 to 1.2 saves two million dollars a year; the document names no tariff."""
    figures = {"it_load": "8 MW", "tariff": 'assume("tariff")'}
    return claim("it_load * (1.5 - 1.2) * tariff", figures, **{"is_": "2M USD/year", "within": "5%", **rest})


TARIFF = assumed("tariff", "0.06", "USD/kWh", "0.05", "0.12")


def test_an_input_that_the_text_leaves_open_is_named_with_the_value_that_would_be_needed():
    told = found(saving(), assumptions=[TARIFF])
    needed = "It would hold with tariff at 0.0903729 USD/kWh, within the stated 0.05 USD/kWh to 0.12 USD/kWh."
    assert told.verdict == "depends"
    assert needed in told.reason
    assert "On 2025-02-01 it did not hold either." in told.reason
    narrow = assumed("tariff", "0.06", "USD/kWh", "0.05", "0.08")
    assert found(saving(), assumptions=[narrow]).verdict == "refuted", "it excuses nothing outside of its range"
    own = found(saving(), assumptions=[TARIFF], terms=Terms(overrides=overrides({"assume:tariff": "0.06"})))
    assert (own.verdict, own.cause) == ("stale", Cause.PRICE_MOVED), "a value of the caller has no range"


ONE, FEW = ("1", "0.5", "2"), ("1", "0.9", "1.1")
TOGETHER = "a at 2 and b at 2, within the stated 0.5 to 2 for a and 0.5 to 2 for b"


@pytest.mark.parametrize(
    ("formula", "ranges", "bound", "verdict", "reason"),
    [
        ("a", [("0.5", "0.3", "0.8")], "0.63", "depends", "a at 0.63 or more, within the stated 0.3 to 0.8"),
        ("a", [("0.8", "0.8", "0.9")], "0.9", "depends", "a at 0.9, within the stated 0.8 to 0.9"),
        ("sqrt(a ^ 2 * b)", [ONE, ("1",)], "1.9", "depends", ""),
        ("if(a > 1.5, 9, 1) * b", [ONE, ("1",)], "1.9", "depends", ""),
        ("1 / (a - a) * b", [ONE, ("1",)], "1.9", "unverifiable", ""),
        ("a * b * c", [ONE, ONE, FEW], "3.5", "depends", TOGETHER),
        ("-1 / a", [("1", "0", "1")], "-0.5", "refuted", ""),  # where it is undefined it does not hold
        ("1 - abs(a * b - 7.77)", [("1", "0.5", "3")] * 2, "0.999", "depends", ""),  # between the corners
    ],
)
def test_the_needed_values_are_exact_and_say_which_way(formula, ranges, bound, verdict, reason):
    held = [assumed(name, value, "", *ends) for name, (value, *ends) in zip("abc", ranges, strict=False)]
    told = found(claim(formula, {one.name: f'assume("{one.name}")' for one in held}, at_least=bound), assumptions=held)
    assert told.verdict == verdict
    assert not reason or f"It would hold with {reason}." in told.reason


def test_an_assumption_that_is_read_twice_moves_as_one():
    figures = {"a": 'assume("x")', "b": 'assume("x", on=2025-03-01)'}
    always_five = claim("a - b + 5", figures, at_most="4.5")
    told = found(always_five, assumptions=[assumed("x", "1", "", "0.5", "2")])
    assert (told.verdict, told.robust.share) == ("refuted", 0)  # it was: it would hold with a at 0.5
    twice = claim("a * b", figures, at_least="3.5")
    told = found(twice, assumptions=[assumed("x", "1", "", "0.5", "2")])
    assert "It would hold with a at 1.87083 or more, within the stated 0.5 to 2." in told.reason


def test_quoted_words_that_are_not_in_the_text_accuse_no_one():
    quoted = claim("1 + 1", is_="3", quote="the racks are 3")
    told = found(quoted, terms=Terms(unsaid=lambda one: unsaid(one, "The racks are 2.")))
    why = "No one states it: the quoted words are not in the text of acme/note."
    assert (told.verdict, told.reason) == ("unverifiable", f"Never true: it is 2, 1 off the expected 3. {why}")
    assert (told.cause, found(quoted).verdict) == (None, "refuted")


COSTS = "In 2025 GPT-4's input costs $2.00 per million tokens. Output is 5 times input. It draws 40 kW, 60% of it idle, for seven euros."
INPUT_IS, OUTPUT_IS = "input costs $2.00 per million tokens", "Output is 5 times input"


@pytest.mark.parametrize(("quote", "expected", "why"), [
    (INPUT_IS, {"is_": "2 USD/Mtok"}, ""), (INPUT_IS, {"is_": "2000 USD/Gtok"}, ""), (INPUT_IS, {"at_most": "2 USD/Mtok"}, ""),
    (INPUT_IS, {"is_": "9 USD/Mtok"}, "the quote states $2.00 per million tokens, and expect is 9 USD/Mtok"),
    (INPUT_IS, {"is_": "2000 USD/Mtok"}, "the quote states $2.00 per million tokens, and expect is 2000 USD/Mtok"),
    (OUTPUT_IS, {"times": "5"}, ""), (OUTPUT_IS, {"is_": "400%"}, ""), (OUTPUT_IS, {"is_": "80%"}, ""),
    (OUTPUT_IS, {"times": "4", "within": "5%"}, "the quote states 5 times, and expect is 4× ± 5%"),
    ("GPT-4's " + INPUT_IS, {"times": "4"}, "the quote states $2.00 per million tokens, and expect is 4×"),
    ("of it idle", {"is_": "60%"}, ""), ("of it idle", {"is_": "true"}, ""), (OUTPUT_IS, {"at_least": "1"}, ""),
    ("input costs $9.00", {"is_": "9 USD/Mtok"}, "the quoted words are not in the text of acme/note"),
    ("tides turn", {"is_": "9 USD/Mtok"}, "the quoted words are not in the text of acme/note"),
    (None, {"is_": "2 USD/Mtok"}, ""), (None, {"is_": "40_000 W"}, ""), (None, {"is_": "0.6"}, ""), (None, {"at_most": "60%"}, ""), (None, {"times": "5"}, ""),
    (None, {"is_": "7 EUR/h"}, ""), (None, {"is_": "7"}, "it has no quote, and 7 is not in the text of acme/note"),
    (None, {"times": "4"}, "it has no quote, and 4× is not in the text of acme/note"),
    (None, {"is_": "40 W"}, "it has no quote, and 40 W is not in the text of acme/note"),
    (None, {"is_": "true"}, "it has no quote, and true is not in the text of acme/note"),
])  # fmt: skip
def test_nobody_is_accused_of_a_figure_that_the_words_do_not_state(quote, expected, why):
    one = claim(**expected, quote=quote)
    assert unsaid(one, COSTS) == why
    assert unsaid(one, None) == "there is no node acme/note"
    excepted = one.model_copy(update={"allow": (("quote-figure", "It is said in other words."),)})
    assert unsaid(excepted, COSTS) == (why if "not in the text" in why else "")


class Grids:
    def tables(self, node):
        figure = {"acme/report": "2", "acme/memo": "3"}[node]
        return (Table(name="grid", header=("what", "count"), units=(None, None), rows=(("racks", figure),), line=1),)


def test_tables_or_figures_of_two_nodes_that_differ_accuse_neither():
    value = 'table("acme/report", "grid", "racks", "count") / table("acme/memo", "grid", "racks", "count")'
    told = found(claim(value, is_="1"), terms=Terms(tables=Grids().tables))
    assert (told.verdict, told.cause) == ("conflicting", Cause.SOURCES_DIFFER)
    counted = 'table("acme/report", "grid", "racks", "count")'
    own = claim(counted, node="acme/report", is_="5")
    other = claim(counted, node="acme/memo", is_="5")
    told = [found(one, terms=Terms(tables=Grids().tables)) for one in (own, other)]
    assert [one.verdict for one in told] == ["refuted", "conflicting"]
    assert [one.cause for one in told] == [Cause.MISCALCULATED, Cause.SOURCES_DIFFER]
    assert told[1].reason == "Two texts differ: never true: it is 2, 3 off the expected 5."


@pytest.mark.parametrize(("field", "before", "after", "cause"), [
    ("catalog", "genai-prices", "litellm", Cause.SOURCE_CHANGED),
    ("source", "https://acme.example/prices", "https://listing.example/acme", Cause.SOURCE_CHANGED),
    ("region", "eu", "us", Cause.SOURCE_CHANGED),
    ("above", 0, 1000, Cause.SOURCE_CHANGED),
    ("source", "https://acme.example/2025", "https://www.acme.example/2026", Cause.PRICE_MOVED),
    ("source", "https://web.archive.org/web/2025/https://acme.example/2025", "https://acme.example/2026", Cause.PRICE_MOVED),
    ("source", None, "https://acme.example/2026", Cause.PRICE_MOVED),
])  # fmt: skip
def test_a_switch_of_the_source_is_never_reported_as_a_price_move_that_one_source_has(field, before, after, cause):
    prices = dated("3", valid_to=CUT, **{field: before}), dated("9", valid_from=CUT, **{field: after})
    told = found(claim('price("acme/large", "input", context=2000)'), *prices)
    assert (told.verdict, told.cause) == ("stale", cause)
    assert ("is read from another source: " in told.reason) == (cause is Cause.SOURCE_CHANGED)
    went = "went from 3.00 to 9.00 USD/Mtok" in told.reason
    assert went == ("went from" in told.reason) == (cause is Cause.PRICE_MOVED)


def test_a_changed_source_is_the_cause_only_where_it_accounts_for_the_change():
    two = {"a": INPUT, "b": 'price("acme/small", "input")'}
    small = {"item": "acme/small"}

    def cause(switch, move):
        switched = [dated("1", valid_to=CUT, catalog="x"), dated(switch, valid_from=CUT, catalog="y")]
        return found(claim("a + b", two), *moved("1", move, **small), *switched).cause

    assert cause("9", "1.1") is Cause.SOURCE_CHANGED
    assert cause("1.1", "9") is Cause.PRICE_MOVED
    assert cause("3", "3") is Cause.SOURCE_CHANGED, "both are needed"
    assert cause("9", "9") is Cause.PRICE_MOVED, "each is enough"


def test_models_of_one_name_are_distinguished_and_another_lowest_price_of_a_choice_is_a_price_move():
    prices = [dated("3", item="north/large"), dated("9", item="south/large")]
    told = found(claim('price("acme/best", "input")'), *prices, families=[family("north/large", "south/large")])
    assert "acme/best moved from north/large to south/large" in told.reason  # it was: from large to large
    choice = 'cheapest(["acme/large", "acme/small"], "input")'
    assert found(claim(choice), *moved("3", "9"), dated("7", item="acme/small")).cause is Cause.PRICE_MOVED


JUNE = date(2026, 6, 1)
FORECAST = claim('price("acme/large", "input", on=2026-06-01)')


def test_a_forecast_does_not_fail_before_its_day():
    prices = [dated("9", checked=date(2026, 4, 1))]
    told = found(FORECAST, *prices)
    assert (told.verdict, told.cause, told.value, told.now.holds) == ("unverifiable", None, Decimal(9), None)
    assert told.reason.startswith("Not due yet: it is about 2026-06-01, and prices for that day are not known. By ")
    assert found(FORECAST, dated("3", checked=date(2026, 4, 1))).verdict == "holds"
    assert found(FORECAST, dated("9", valid_to=date(2027, 1, 1))).cause is Cause.FORECAST_MISSED, "it was announced"
    assert found(FORECAST, *prices, on=JUNE).reason.startswith("Cannot be refuted")
    assert found(FORECAST, dated("9", checked=JUNE), on=JUNE).cause is Cause.FORECAST_MISSED
    line = next(made.life_lines([FORECAST], prices))
    assert [(one.state.value, one.start) for one in line.spans] == [("unknown", THEN), ("failed", JUNE)]


DISCOUNT = {"list": INPUT, "cached": 'price("acme/large", "cache_read")'}


def test_a_discount_that_grew_strengthens_its_thesis():
    prices = [*moved("3.00", "2.00"), *moved("0.15", "0.05", component="cache_read")]
    one = claim("1 - cached / list", DISCOUNT, is_="95%", within="0.5pp", helps=Direction.HIGHER)
    told = found(one, *prices)
    assert (told.verdict, told.value, told.helps_thesis) == ("stale", Decimal("97.5"), True)
    assert told.reason.endswith("This strengthens the thesis.")
    worse = found(one.model_copy(update={"helps": Direction.LOWER}), *prices)
    assert worse.reason.endswith("This weakens the thesis.")
    assert found(one.model_copy(update={"helps": None}), *prices).helps_thesis is None


@pytest.mark.parametrize(("bound", "now", "helps"), [
    ({"at_most": "5 USD/Mtok"}, "9", False), ({"at_most": "5 USD/Mtok"}, "2", True),
    ({"at_least": "2 USD/Mtok"}, "1", False), ({"at_least": "2 USD/Mtok"}, "9", True),
    ({"at_most": "5 USD/Mtok"}, "3", None), ({"is_": "3 USD/Mtok"}, "9", None),
])  # fmt: skip
def test_without_a_word_the_bound_says_which_way_is_good(bound, now, helps):
    assert found(claim(**bound), *moved("3", now)).helps_thesis is helps


def test_the_oldest_input_is_the_one_checked_the_longest_ago():
    prices = [dated("9", checked=date(2026, 4, 1)), dated("1", item="acme/small", checked=date(2026, 4, 1))]
    names = {"a": INPUT, "b": 'price("acme/small", "input")', "c": 'assume("c")'}
    told = found(claim("(a + b) * c", names), *prices, assumptions=[assumed("c", "1", checked=date(2026, 3, 2))])
    assert told.oldest_input.model_dump() == {"item": "c", "checked": date(2026, 3, 2), "days": 60}
    assert found(claim("1", is_="1")).oldest_input is None
    later = found(claim("1 * c", {"c": 'assume("c")'}), assumptions=[assumed("c", "1", checked=date(2027, 1, 1))])
    assert later.oldest_input.days == 0  # checked after the day that is asked for


AMOUNTS = st.sampled_from(["1", "2", "4", "6", "9", "20"])
DAYS = st.sampled_from([None, date(2024, 1, 1), date(2025, 1, 1), THEN, date(2025, 6, 1), CUT])
PRICES = st.builds(
    lambda value, begin, end, kind, checked, catalog, source: price(
        value, valid_from=begin, valid_to=end if end and (not begin or begin < end) else None, dated=kind,
        checked=checked, catalog=catalog, source=source,
    ),
    AMOUNTS, DAYS, DAYS, st.sampled_from(["price", "record"]), st.sampled_from([None, date(2024, 6, 1), NOW]),
    st.sampled_from(["cards", "litellm"]), st.sampled_from([None, "https://a.example", "https://b.example"]),
)  # fmt: skip
BOOKS = st.lists(PRICES, max_size=4)
RANGES = st.sampled_from([None, ("1", "1.1"), ("0.5", "1"), ("0.2", "3")])
FORMULAS = {"a * x": {"a": INPUT, "x": 'assume("x")'}, "a": {"a": INPUT}}
CLAIMS = [
    claim(formula, given, id=f"{formula} {day} {speaker}", as_of=day, asserted_by=speaker)
    for formula, given in FORMULAS.items()
    for day in (date(2024, 3, 1), THEN, CUT)
    for speaker in (Speaker.SOURCE, Speaker.NOBODY)
]


def rows_of(prices, ranges):
    book = made.book_of(prices, assumptions=[assumed("x", "1", "", *(ranges or ()))])
    return {row.claim: row for row in verify(CLAIMS, book, NOW)}


@given(BOOKS, RANGES)
@settings(max_examples=120)
def test_a_figure_is_refuted_only_if_dated_asserted_and_beyond_every_range_which_makes_no_accusation(prices, ranges):
    without, rows = rows_of(prices, None), rows_of(prices, ranges)
    assert not [name for name, row in rows.items() if row.verdict == "refuted" != without[name].verdict]
    for one in CLAIMS:
        row = rows[one.id]
        assert row.cause is None or row.verdict not in {"holds", "unverifiable"}
        assert row.cause is not None or row.verdict not in {"refuted", "conflicting"}
        if row.verdict == "refuted":
            assert row.then_dated
            assert row.then_holds is False
            assert one.asserted_by is not Speaker.NOBODY
            low, high = map(Decimal, ranges or ("1", "1"))
            ends = (low, high) if one.value == "a * x" else (Decimal(1),)
            assert all(row.value * end > 5 for end in ends)
        if row.verdict == "depends":
            assert "It would hold with x at " in row.reason or row.now_holds
