"""Thirty nights by the command line while prices move: every change is reported once, and a quiet night fits on a screen."""

import json
from datetime import UTC, date, datetime, time, timedelta

import pytest

from api.brain import Brain
from api.cli import verify_commands
from api.settings import Settings
from compute.reports import json_report
from compute.reports.markdown_report import markdown
from compute.reports.morning_report import blocks

pytestmark = pytest.mark.usefixtures("few_prices")

FIRST = date(2026, 3, 1)

NOTE = """---
title: Rents
brain: own
---
The large model costs at most $11. The small family costs at most $3. The shop asks at most $20 for a card.
One and one make three. Half of it makes two. Two and two make five.
"""

CLAIM = """  - id: {id}
    node: own/note
    says: {says}
    quote: {quote}
    as_of: 2026-02-01
    value: {value}
    expect: {expect}
"""

PRICES = """catalog: {catalog}
prices:
  - item: {item}
    component: {component}
    value: {value}
    from: {begin}
{end}    source: https://prices.example/{item}
    checked: 2026-03-01
"""

FAMILY = """families:
  acme/small:
    - {{from: 2026-01-01, model: acme/small-1, source: 'https://prices.example/small'}}
{more}"""


def claim(name, quote, value, expect):
    return CLAIM.format(id=name, says=f"Says {name}.", quote=quote, value=value, expect=expect)


LARGE = claim(
    "large-model", "The large model costs at most $11.", 'price("acme/large", "input")', "{at_most: 11 USD/Mtok}"
)
SMALL = claim(
    "small-family", "The small family costs at most $3.", 'price("acme/small", "input")', "{at_most: 3 USD/Mtok}"
)
CARD = claim(
    "card-rent", "The shop asks at most $20 for a card.", 'price("acme/card", "on_demand")', "{at_most: 20 USD/GPU/h}"
)
SUM = claim("sum", "One and one make three.", "1 + 1", "{is: 3}")
LATE = claim("late-sum", "Two and two make five.", "2 + 2", "{is: 5}")
HALF = claim("half-of-late", "Half of it makes two.", "(2 + 2) / 2 + 1", "{is: 2}") + "    root: late-sum\n"


def prices(catalog, item, component, *steps):
    """A file with the prices of an item, each from its night on until the next; night 0 is long before."""
    unit = "USD/GPU/h" if component == "on_demand" else "USD/Mtok"
    days = [date(2026, 1, 1) if night == 0 else FIRST + timedelta(days=night - 1) for night, _ in steps]
    head, _, body = PRICES.partition("  - item")
    text = head.format(catalog=catalog)
    for place, (_, value) in enumerate(steps):
        end = f"    to: {days[place + 1]}\n" if place + 1 < len(steps) else ""
        text += ("  - item" + body).format(
            item=item, component=component, value=f"{value} {unit}", begin=days[place], end=end
        )
    return text


def written(folder, night):
    """The files before a night."""
    large = [(0, 10), *((n, v) for n, v in ((5, 12), (12, "10.5"), (19, 13)) if n <= night)]
    (folder / "large.yaml").write_text(prices("cards", "acme/large", "input", *large))
    (folder / "small.yaml").write_text(prices("cards", "acme/small-1", "input", (0, 2)))
    (folder / "small-2.yaml").write_text(prices("cards", "acme/small-2", "input", (0, 4)))
    later = (
        "    - {from: 2026-03-08, model: acme/small-2, source: 'https://prices.example/small'}\n" if night >= 8 else ""
    )
    (folder / "families.yaml").write_text(FAMILY.format(more=later))
    card = prices("cards", "acme/card", "on_demand", (0, 15))
    if night >= 15:  # the catalogue of cards ends, and another one goes on
        ends, unit = f"    to: {FIRST + timedelta(days=14)}\n", "    source:"
        card = card.replace(unit, ends + unit)
        shop = prices("shop", "acme/card", "on_demand", (15, 25))
        (folder / "shop.yaml").write_text(shop)
    (folder / "card.yaml").write_text(card)
    claims = LARGE + SMALL + CARD + SUM + ((LATE + HALF) if night >= 22 else "")
    (folder / "claims.yaml").write_text(f"claims:\n{claims}")


TOLD = {
    5: ("large-model", "stale"),
    8: ("small-family", "stale"),
    12: ("large-model", "holds"),
    15: ("card-rent", "stale"),
    19: ("large-model", "stale"),
}
"""The night of each change, its claim and its verdict."""

CAUSES = {5: "price_moved", 8: "family_moved", 12: "price_moved", 15: "source_changed", 19: "price_moved"}
"""The cause of each change, also of the return."""


@pytest.fixture
def nights(brain, tmp_path, monkeypatch):
    """The reports of thirty nights: text and Markdown of one run, with the JSON of the changes."""
    folder, home = tmp_path / "vault", tmp_path / "own"
    folder.mkdir()
    (folder / "note.md").write_text(NOTE)
    found = {}
    for night in range(1, 31):
        written(folder, night)
        outcome = brain("ingest", folder)
        assert outcome.code == 0, outcome.out + outcome.err
        at = datetime.combine(FIRST + timedelta(days=night - 1), time(4), UTC)
        monkeypatch.setattr(verify_commands, "now", lambda at=at: at)
        text = brain("verify").out
        with Brain.open(Settings(home=home)) as opened:
            report = opened.reports.report(opened.ledger.latest_run())
        found[night] = {"text": text, "markdown": markdown(blocks(report)), "json": json_report.render(report)}
    return found


def test_thirty_nights(nights):
    """One test, as the nights take half a minute."""
    every_change_is_reported_once_and_a_quiet_night_is_short(nights)
    an_erratum_is_reported_on_its_first_night_and_then_counted(nights)
    a_change_has_its_words_and_figures(nights)
    each_change_has_its_cause_and_a_source_switch_is_no_price_move(nights)


def every_change_is_reported_once_and_a_quiet_night_is_short(nights):
    for night, forms in nights.items():
        told = json.loads(forms["json"])
        changed = [(one["claim"], one["after"]) for one in (*told["turned"], *told["source_changed"])]
        assert changed == ([TOLD[night]] if night in TOLD else []), night
        for form in ("text", "markdown"):
            lines = [line.strip() for line in forms[form].splitlines() if line.strip()]
            assert len(lines) == len(set(lines)), f"night {night}: a line is reported twice"
            for name in ("large-model", "small-family", "card-rent", "sum", "late-sum", "half-of-late"):
                assert sum(name in line for line in lines) <= 1, (night, name)
            turns = [line for line in lines if "→" in line and ("holds" in line or "stale" in line)]
            assert [TOLD[night][0] in line for line in turns] == ([True] if night in TOLD else []), (night, form)
            if night not in TOLD:
                assert len(forms[form].splitlines()) <= 40


def an_erratum_is_reported_on_its_first_night_and_then_counted(nights):
    for night, forms in nights.items():
        told = json.loads(forms["json"])
        assert [one["claims"] for one in told["errata"]["new"]] == (
            [["late-sum", "half-of-late"]] if night == 22 else []
        )
        for form in ("text", "markdown"):
            assert ("Two and two make five." in forms[form]) == (night == 22)
            assert ("One and one make three." in forms[form]) == (night == 1)
            many = "2 figures of sources do" if night >= 22 else "1 figure of a source does"
            assert f"{many} not add up" in forms[form]


def a_change_has_its_words_and_figures(nights):
    for form in ("text", "markdown"):
        fifth = nights[5][form]
        assert "The large model costs at most $11." in fifth
        assert "10.00 USD/Mtok → 12.00 USD/Mtok" in fifth
        assert "margin -1.00 USD/Mtok" in fifth


def each_change_has_its_cause_and_a_source_switch_is_no_price_move(nights):
    for night, cause in CAUSES.items():
        told = json.loads(nights[night]["json"])
        assert [one["cause"] for one in (*told["turned"], *told["source_changed"])] == [cause], night
    switch = nights[15]
    assert [one["claim"] for one in json.loads(switch["json"])["source_changed"]] == ["card-rent"]
    for form in ("text", "markdown"):
        prices, audit = switch[form].split("Audit of sources")
        assert "card-rent" not in prices
        assert "another source answers" in audit.lower()
        assert "price moved" not in switch[form]
