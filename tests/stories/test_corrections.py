"""A corrected price card is called a correction wherever a price that moved is called so."""

import json

import pytest

from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`
from tests.stories.written import card, spaced, stated

RENT = 'price("acme/h100", "on_demand")'
PRICE, RECORD = "2026-01-01", "2026-01-01, since: record"


@pytest.fixture(params=[PRICE, RECORD], ids=["price", "record"])
def corrected(request, home):
    """The analyst finds that she wrote 2 where her source has 2.40, under the same first day."""
    home.on("2026-12-01")
    card(home, ("2", request.param))
    for name in ("rent", "bill", "fee"):
        stated(home, name, RENT, "2 USD/GPU/h", as_of="2026-11-20")
    stated(home, "right", RENT, "2.40 USD/GPU/h", as_of="2026-12-01")
    home("verify")
    home.on("2026-12-10")
    assert "a correction, which counts for all its days" in spaced(card(home, ("2.40", request.param)))
    return home


def test_a_correction_is_called_so_in_reports_pages_feeds_and_notices_and_no_price_moved(corrected):
    night = corrected("verify")
    assert "holds → stale rent" in spaced(night)
    assert spaced(night).count("a price was corrected") == 4, "once for each claim, also for the one that holds now"
    assert "was corrected from 2.00 to 2.40 USD/GPU/h" in spaced(night)
    assert "a price moved" not in spaced(night)
    assert " went from " not in spaced(night)
    turned = corrected("verify", "--run", "2", "--json").json
    assert turned["same"] is True
    assert {one["cause"] for one in corrected("changes", "--json").json["items"][0]["changes"]} == {None}
    assert corrected("explain", "rent", "--json").json["cause"] is None
    found = corrected("prices", "diff", "1", "2", "--json").json["items"]
    assert [(one["kind"], one["before"]["value"], one["after"]["value"]) for one in found] == [("corrected", 2, 2.4)]
    assert "corrected acme/h100 on_demand" in spaced(corrected("prices", "diff", "1", "2"))
    shown = corrected("prices", "show", "acme/h100", "--json").json["items"]
    assert [(one["value"], one["valid_from"]) for one in shown] == [(2.4, "2026-01-01")], "it counts for all its days"
    with corrected.web() as web:
        texts = {page: web.get(page).text for page in ("/", "/changes", "/claims/rent", "/feed.atom", "/record")}
        texts["price"] = web.get("/prices/acme/h100").text
    assert "was corrected from 2.00 to 2.40" in texts["/"]
    assert "A price was corrected" in texts["/claims/rent"]
    assert [page for page, text in texts.items() if "rice moved" in text or " went from " in text] == []
    with corrected.brain() as brain:
        (notice,) = [one for one in brain.store.notices.latest() if one.kind == "claims.raised"]
    assert json.loads(notice.body)["data"]["cause"] == "acme/h100 on_demand corrected from 2 to 2.40 USD/GPU/h"


def test_a_price_that_moved_and_was_corrected_later_is_told_by_what_happened_tonight(home):
    home.on("2026-12-01")
    old = ("2", "2025-01-01, to: 2026-01-01")
    card(home, old, ("2", "2026-01-01"))
    stated(home, "rent", RENT, "2 USD/GPU/h", as_of="2025-06-01")
    home("verify")
    home.on("2026-12-10")
    card(home, old, ("2.40", "2026-01-01"))
    (turned,) = home("verify", "--json").json["turned"]
    assert (turned["cause"], turned["corrected"]) == (None, True)
    assert "went from 2.00 to 2.40 USD/GPU/h" in home("explain", "rent", "--json").json["reason"], "since its own day"
