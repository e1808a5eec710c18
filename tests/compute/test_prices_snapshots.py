"""Snapshots: the same prices under the same name, read back equal, compared, and looked up as known on a day."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.catalogs import genai_prices_catalog
from compute.prices.price_models import Catalog, Name, Rule
from compute.prices.snapshots import Snapshot, SnapshotError, diff, pack, unpack
from tests.compute.made import price


def cards_catalog(*prices):
    return Catalog(name="cards", prices=prices, taken=date(2026, 1, 1))


def test_the_installed_catalogue_comes_back_price_by_price_with_its_names():
    before = genai_prices_catalog.load()
    (after,) = unpack(pack([before]))
    assert set(after.prices) == set(before.prices)
    assert (after.names, after.elsewhere, after.taken) == (before.names, before.elsewhere, before.taken)


def test_the_name_depends_on_every_digit_and_name_and_not_on_the_order_of_loading():
    one, two = price("1", valid_from=date(2026, 1, 1)), price("2", region="eu")
    other = Catalog(name="other", prices=())
    assert pack([cards_catalog(one, two), other]).digest == pack([other, cards_catalog(two, one)]).digest
    plain, longer = cards_catalog(price("2")), cards_catalog(price("2.0"))
    named = plain.model_copy(update={"names": (Name(item="acme/m", rule=Rule(op="equals", text="mm")),)})
    assert len({pack([one]).digest for one in (plain, longer, named)}) == 3


amounts = st.decimals(min_value=0, max_value=10**6, places=9)


@given(st.lists(st.tuples(amounts, st.none() | st.dates(), st.text(max_size=20)), max_size=6))
def test_any_prices_come_back_as_they_were(rows):
    prices = tuple(price(str(value), valid_from=begin, note=note) for value, begin, note in rows)
    (after,) = unpack(pack([cards_catalog(*prices)]))
    assert sorted(map(repr, after.prices)) == sorted(map(repr, prices))
    assert pack([after]).digest == pack([cards_catalog(*prices)]).digest


@pytest.mark.parametrize("text", [b"", b"nonsense", pack([cards_catalog(price("9"))]).text])
def test_bytes_that_are_not_what_the_name_says_are_refused(text):
    good = pack([cards_catalog(price())])
    with pytest.raises(SnapshotError, match=good.digest[:12]):
        unpack(Snapshot(digest=good.digest, text=text))


def test_a_difference_is_reported_price_by_price_and_a_note_alone_is_none():
    before = cards_catalog(price("1"), price("5", region="eu"), price(component="output"))
    again = price(component="output", note="read again")
    after = cards_catalog(price("1.5"), price("7", valid_from=date(2026, 6, 1)), again)
    found = [(one.kind, str(one.price.value)) for one in diff([before], [after])]
    assert found == [("changed", "1.5"), ("added", "7"), ("removed", "5")]
