"""Market items: the median of named providers on a day, with its panel, compared with the same providers only."""

from datetime import date
from decimal import Decimal

import pytest

from compute.catalogs.catalog_files import imported
from compute.claims import input_changes
from compute.claims.claim_cases import Cases
from compute.prices.market_items import common_move, moved
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Question
from graph.models.claim_models import Cause
from tests.compute import made
from tests.compute.made import book_of
from tests.compute.test_price_observations import GPU_HEADER, real
from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`

IMPORTED = date(2026, 11, 29)


def book(rows, *cards):
    """The rows `provider tier price day` of H100s as observations, and price cards."""
    text = "".join(
        f'{provider},H100 SXM,"on_demand{tier and ", "}{tier.replace("_", " ")}",{price},{day},https://{provider}.example,\n'
        for provider, tier, price, day in (row.replace(" - ", "  ").split(" ") for row in rows.split("|"))
    )
    catalog, problems = imported("gpu.csv", (GPU_HEADER + text).encode(), IMPORTED)
    assert not problems
    return CatalogBook([catalog, *book_of(cards).catalogs])


def ask(found, day, item="market/h100-sxm"):
    return found.price(Question(item=item, component="on_demand"), date.fromisoformat(day))


def card(item, value, begin=None, end=None, **more):
    days = {"valid_from": begin and date.fromisoformat(begin), "valid_to": end and date.fromisoformat(end)}
    return made.price(value, item, "on_demand", "USD/GPU/h", **days, **more)


THREE = "ant - 2 2026-09-01|bee - 3 2026-09-20|cow - 9 2026-10-01"


@pytest.mark.parametrize(("rows", "day", "median", "panel"), [
    (THREE, "2026-09-30", None, "ant on 2026-09-01, bee on 2026-09-20"),
    (THREE, "2026-10-01", "3", "ant 2|bee 3|cow 9"),
    (THREE, "2026-11-30", "3", "ant 2|bee 3|cow 9"),  # 60 days after the newest look
    (THREE, "2026-12-01", None, "nobody"),
    (f"{THREE}|dog - 4 2026-11-15", "2026-11-15", "4", "bee 3|dog 4|cow 9"),  # ant is more than 60 days older
    (f"{THREE}|ant - 5 2026-10-20", "2026-10-20", "5", "bee 3|ant 5|cow 9"),
    (f"{THREE}|dog - 4 2026-10-01", "2026-10-01", "3.5", "ant 2|bee 3|dog 4|cow 9"),
    # two tiers of one provider are one offer: a data centre's, of eight GPUs where there is a choice
    ("ant community 1 2026-10-01|ant secure 2 2026-10-01|bee - 3 2026-10-01|cow - 4 2026-10-01", "2026-10-01", "3", "ant 2|bee 3|cow 4"),
    ("ant community 1 2026-10-01|bee - 3 2026-10-01|cow - 4 2026-10-01", "2026-10-01", None, "bee on 2026-10-01, cow on 2026-10-01"),
    ("ant 8_GPUs 2 2026-09-20|ant 1_GPU 5 2026-09-25|bee - 3 2026-09-25|cow - 4 2026-09-25", "2026-10-01", "3", "ant 2|bee 3|cow 4"),
    ("ant 1_GPU 5 2026-09-25|bee - 3 2026-09-25|cow marketplace_median 1 2026-09-25", "2026-10-01", "3", "cow 1 marketplace|bee 3|ant 5 1 GPU"),
    ("ant - 2 2026-10-01|bee - 3 2026-10-01|vast - 1 2026-10-01", "2026-10-01", None, "ant on 2026-10-01, bee on 2026-10-01"),
    # an index is no provider
    ("index,-all - 1 2026-10-01|bee - 3 2026-10-01|cow - 4 2026-10-01".replace(",", ""), "2026-10-01", None, "bee on 2026-10-01, cow on 2026-10-01"),
])  # fmt: skip
def test_a_median_needs_three_providers_seen_close_enough(rows, day, median, panel):
    answer = ask(book(rows), day)
    if median is None:
        assert answer.reason.startswith("a median needs 3 providers seen within 60 days; seen were: ")
        assert answer.reason.partition("were: ")[2] == panel
        return
    found = answer.price.panel
    offers = [f"{one.provider} {one.value} {one.tier}".strip() for one in found.providers]
    assert (answer.price.value, "|".join(offers)) == (Decimal(median), panel)
    assert (found.low, found.high) == (found.providers[0].value, found.providers[-1].value)
    assert answer.rivals == ()


def test_cards_count_from_their_check_until_they_end_and_what_they_state_of_a_market_only_where_no_median_is():
    cards = [
        card("ant/h100-sxm", "2", "2026-01-01", "2026-10-10", checked=date(2026, 9, 20), dated="record"),
        card("bee/h100-sxm", "3", "2026-09-20"),
        card("cow/h100-sxm-high", "99", "2026-09-20"),  # the end of a range
        card("market/h100-sxm", "7", "2026-08-01"),
    ]
    known = book("cow - 4 2026-09-20", *cards)
    found = {day: ask(known, day).price for day in ("2026-09-19", "2026-09-20", "2026-10-09", "2026-10-10")}
    assert [f"{one.value} {one.catalog}" for one in found.values()] == ["7 cards", "3 market", "3 market", "7 cards"]


def test_a_card_with_an_end_to_come_was_seen_on_the_day_of_its_check_and_a_later_look_does_not_choose_the_offer_of_a_day():
    """Both items of ant are known on 2026-09-20; that one of them was seen again later is nothing that day knows."""
    days = {"begin": "2026-01-01", "end": "2028-01-01", "checked": date(2026, 2, 1)}
    cards = [card(f"{one}/h100-sxm", "2", **days) for one in ("ant", "bee", "cow")]
    known = book(THREE.replace("2026", "2025"), *cards)
    assert ask(known, "2026-04-02").price.checked == date(2026, 2, 1)
    assert "a median needs 3 providers" in ask(known, "2026-04-03").reason
    seen = {"dated": "record", "checked": date(2026, 9, 20)}
    cards = [card("ant/h100-sxm", "2", "2026-09-20", **seen), card("bee/h100-sxm", "3", "2026-09-20", **seen)]
    known = book("ant secure 9 2026-09-10|ant secure 9 2026-10-20|cow - 4 2026-09-20", *cards)
    chosen = {day: ask(known, day).price.panel.low for day in ("2026-09-20", "2026-09-21")}
    assert list(map(str, chosen.values())) == ["2", "3"]


@pytest.mark.parametrize(("rows", "move", "text"), [
    # the same providers
    (f"{THREE}|bee - 4 2026-10-20", True, ""),
    # one more provider lifts the median, the others are as they were
    (f"{THREE}|dog - 5 2026-10-20", False, " (the same 3 providers: 3.00 USD/GPU/h → 3.00 USD/GPU/h)"),
    # one more, and the others moved too
    (f"{THREE}|dog - 5 2026-10-20|bee - 4 2026-10-20", True, " (the same 3 providers: 3.00 USD/GPU/h → 4.00 USD/GPU/h)"),
    (f"{THREE}|dog - 99 2026-10-20|bee - 1 2026-10-20|cow - 2.5 2026-10-20|eel - 99 2026-10-20|fox - 99 2026-10-20", False, " (the same 3 providers: 3.00 USD/GPU/h → 2.00 USD/GPU/h)"),
    (f"{THREE}|dog - 5 2026-11-25|eel - 6 2026-11-25", False, " (by other providers: fewer than 3 are the same)"),
])  # fmt: skip
def test_a_market_price_moves_if_the_same_providers_moved(rows, move, text):
    known = book(rows)
    was, now = ask(known, "2026-10-01").price, ask(known, "2026-11-29").price
    assert moved(was.panel, now.panel, now.value - was.value) is move
    assert common_move(was.panel, now.panel) == text


@pytest.mark.parametrize(
    ("row", "cause", "text"),
    [
        ("bee - 4 2026-10-01", Cause.PRICE_MOVED, ""),
        ("dog - 5 2026-10-01", Cause.SOURCE_CHANGED, " (the same 3 providers: 3.00 USD/GPU/h → 3.00 USD/GPU/h)"),
    ],
)
def test_a_notice_of_a_market_price_compares_the_same_providers(row, cause, text):
    """An import that changes the median of a day is no correction: no source stated another amount."""
    rent = made.claim('price("market/h100-sxm", "on_demand")', at_most="3 USD/GPU/h")
    before, after = (Cases(book(rows), date(2026, 10, 2)).case(rent).judged for rows in (THREE, f"{THREE}|{row}"))
    assert input_changes.moved(before, after).cause is cause
    assert f"market/h100-sxm on_demand 3 → 4 USD/GPU/h{text}" in input_changes.moved_inputs(before, after)


CLAIM = """claims:
  - id: rent
    node: a-note
    as_of: 2026-10-01
    asserted_by: source
    says: An H100 rents at 3 dollars.
    quote: An H100 rents at 3 dollars.
    value: price("market/h100-sxm", "on_demand")
    expect: {at_most: 3 USD/GPU/h}
"""


@pytest.mark.parametrize(("row", "cause", "text"), [
    ("bee,H100 SXM,on_demand,4,2026-10-20,,", "price_moved", "from 3.00 to 4.00 USD/GPU/h"),
    ("dog,H100 SXM,on_demand,5,2026-10-20,,", "source_changed", "the median of ant, bee, cow, dog has 4.00 USD/GPU/h"),
])  # fmt: skip
@pytest.mark.usefixtures("few_prices")
def test_a_claim_on_a_market_says_whether_prices_or_providers_changed(home, row, cause, text):
    home.on("2026-11-20")
    home.write("a-note.md", "---\nid: a-note\n---\n# Rent\n\nAn H100 rents at 3 dollars.\n")
    home.write("rent.yaml", CLAIM)
    seen = [one.split() for one in THREE.split("|")]
    rows = "".join(f"{name},H100 SXM,on_demand,{price},{day},,\n" for name, _, price, day in seen)
    home("ingest", home.write("x", "").parent)
    home("prices", "import", home.write("gpu.csv", GPU_HEADER + rows + row + "\n"))
    found = home("verify", "--json").json["claims"][0]
    assert (found["verdict"], found["cause"]) == ("stale", cause), found["reason"]
    assert text in found["reason"]
    assert [one["provider"] for one in found["inputs"][0]["panel"]["providers"]][:2] == ["ant", "bee"]
    shown = home("prices", "show", "market/h100-sxm").out
    assert "the median of" in shown
    assert "no median on 2026-09-30" in home("prices", "show", "market/h100-sxm", "--as-of", "2026-09-30").out
    assert "market/b200-sxm has no price: a median needs 3" in home("prices", "show", "market/b200-sxm").err
    with home.web() as web:
        assert "Median of" in web.get("/prices/market/h100-sxm").text
        (median,) = web.get("/v1/prices", params={"item": "market/h100-sxm"}).json()["items"]
        assert median["panel"]["low"] == 2


@pytest.mark.documents
@pytest.mark.parametrize(
    ("day", "median", "providers"),
    [
        ("2026-09-25", "3.85", "runpod 3.49|nebius 3.85|lambda 3.99"),
        ("2026-11-29", "3.99", "vast 2.4024|nebius 3.85|lambda 3.99|runpod 3.99|aws 6.88|azure 12.29"),
    ],
)
def test_the_median_of_the_real_observations(day, median, providers):
    catalog, _ = imported("gpu.csv", real("gpu-hour-observations.csv").encode(), IMPORTED)
    price = ask(CatalogBook([catalog]), day).price
    offers = "|".join(f"{one.provider} {one.value}" for one in price.panel.providers)
    assert (str(price.value), offers) == (median, providers)
