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
from graph.values import dumps
from tests.command import written

pytestmark = pytest.mark.usefixtures("few_prices")

FIRST = date(2026, 3, 1)

NOTE = """---
title: Rents
brain: own
---
The large model costs at most $11. The small family costs at most $3. The shop asks at most $20 for a card.
A ton costs at most $10.
One and one make three. Half of it makes two. Two and two make five.
"""

CLAIM = """  - id: {id}
    node: own/note
    says: So says the note, {quote}
    quote: {quote}
    as_of: 2026-02-01
    value: {value}
    expect: {expect}
"""

PRICE = (
    "  - {{item: {item}, component: {component}, value: {value} {unit}, from: {begin}, {end}"
    "source: 'https://{place}.example/{item}', checked: 2026-03-01}}\n"
)
MEMBER = "    - {{from: {begin}, model: {model}, source: 'https://prices.example/small'}}\n"


CLAIMS = (
    ("large-model", "The large model costs at most $11.", 'price("acme/large", "input")', "{at_most: 11 USD/Mtok}"),
    ("small-family", "The small family costs at most $3.", 'price("acme/small", "input")', "{at_most: 3 USD/Mtok}"),
    (
        "card-rent",
        "The shop asks at most $20 for a card.",
        'price("acme/card", "on_demand")',
        "{at_most: 20 USD/GPU/h}",
    ),
    ("ton-price", "A ton costs at most $10.", 'price("sea/ton", "input")', "{at_most: 10 USD/Mtok}"),
    ("sum", "One and one make three.", "1 + 1", "{is: 3}"),
    ("late-sum", "Two and two make five.", "2 + 2", "{is: 5}"),
    ("half-of-late", "Half of it makes two.", "(2 + 2) / 2 + 1", "{is: 2}\n    root: late-sum"),
)
"""The last two are written before night 22."""


def prices(catalog, item, *steps, component="input", ends=None):
    """A file with the prices of an item, each from its night on until the next; night 0 is long before."""
    unit = "USD/GPU/h" if component == "on_demand" else "USD/Mtok"
    days = [FIRST + timedelta(days=night - 1) if night else date(2026, 1, 1) for night, *_ in steps] + [ends]
    text = f"catalog: {catalog}\nprices:\n"
    for (_, value, *place), begin, end in zip(steps, days, days[1:], strict=False):
        given = {"item": item, "component": component, "value": value, "unit": unit, "begin": begin}
        text += PRICE.format(**given, end=f"to: {end}, " if end else "", place=(*place, "prices")[0])
    return text


def files(night):
    def so_far(*steps):
        return [step for step in steps if step[0] <= night]

    ends = FIRST + timedelta(days=14) if night >= 15 else None  # the catalogue of cards ends, and another one goes on
    members = so_far((0, "2026-01-01", "acme/small-1"), (8, "2026-03-08", "acme/small-2"))
    ton = so_far((0, 9, "ports"), (24, 14, "ports"), (26, "9.5", "harbour"), (28, 12, "harbour"))
    stated = CLAIMS if night >= 22 else CLAIMS[:-2]
    claims = (CLAIM.format(id=name, quote=quote, value=value, expect=expect) for name, quote, value, expect in stated)
    found = {
        "note.md": NOTE,
        "large.yaml": prices("cards", "acme/large", *so_far((0, 10), (5, 12), (12, "10.5"), (19, 13))),
        "small.yaml": prices("cards", "acme/small-1", (0, 2)),
        "small-2.yaml": prices("cards", "acme/small-2", (0, 4)),
        "ton.yaml": prices("cards", "sea/ton", *ton),
        "families.yaml": "families:\n  acme/small:\n"
        + "".join(MEMBER.format(begin=begin, model=model) for _, begin, model in members),
        "card.yaml": prices("cards", "acme/card", (0, 15), component="on_demand", ends=ends),
        "claims.yaml": "claims:\n" + "".join(claims),
    }
    shop = prices("shop", "acme/card", (15, 25), component="on_demand")
    return found | ({"shop.yaml": shop} if night >= 15 else {})


TOLD = {
    5: ("large-model", "stale", "price_moved", False),
    8: ("small-family", "stale", "family_moved", False),
    12: ("large-model", "holds", "price_moved", True),
    15: ("card-rent", "stale", "source_changed", False),
    19: ("large-model", "stale", "price_moved", False),
    24: ("ton-price", "stale", "price_moved", False),
    26: ("ton-price", "holds", "source_changed", True),  # it was: a price moved, which hurts the thesis
    28: ("ton-price", "stale", "price_moved", False),  # it was: another source answers
}
"""The night of each change, its claim, its verdict, its cause and whether it helps the thesis."""


@pytest.fixture
def nights(brain, tmp_path, monkeypatch):
    """The reports of thirty nights: text and Markdown of one run, with the JSON of the changes."""
    found = {}
    for night in range(1, 31):
        outcome = brain("ingest", written(tmp_path / "vault", files(night)))
        assert outcome.code == 0, outcome.out + outcome.err
        at = datetime.combine(FIRST + timedelta(days=night - 1), time(4), UTC)
        monkeypatch.setattr(verify_commands, "now", lambda at=at: at)
        text = brain("verify").out
        with Brain.open(Settings(home=tmp_path / "own")) as opened:
            report = opened.reports.report(opened.ledger.latest_run())
        found[night] = {"text": text, "markdown": markdown(blocks(report)), "json": dumps(json_report.fields(report))}
    return found


def test_every_change_is_reported_once_with_its_cause_an_erratum_once_and_a_quiet_night_is_short(nights):
    """One test, as the nights take half a minute."""
    for night, forms in nights.items():
        told = json.loads(forms["json"])
        turned = (*told["turned"], *told["source_changed"])
        changed = [tuple(one[name] for name in ("claim", "after", "cause", "helps_thesis")) for one in turned]
        assert changed == ([TOLD[night]] if night in TOLD else []), night
        new = [one["claims"] for one in told["errata"]["new"]]
        assert new == ([["late-sum", "half-of-late"]] if night == 22 else []), night
        for form in ("text", "markdown"):
            lines = [line.strip() for line in forms[form].splitlines() if line.strip()]
            assert len(lines) == len(set(lines)), f"night {night}: a line is reported twice"
            for name, *_ in CLAIMS:
                assert sum(name in line for line in lines) <= 1, (night, name)
            turns = [line for line in lines if "→" in line and ("holds" in line or "stale" in line)]
            assert [TOLD[night][0] in line for line in turns] == ([True] if night in TOLD else []), (night, form)
            assert night in TOLD or len(forms[form].splitlines()) <= 40
            assert ("Two and two make five." in forms[form]) == (night == 22)
            assert ("One and one make three." in forms[form]) == (night == 1)
            many = "2 figures of sources do" if night >= 22 else "1 figure of a source does"
            assert f"{many} not add up" in forms[form]
    assert [one["claim"] for one in json.loads(nights[15]["json"])["source_changed"]] == ["card-rent"]
    for form in ("text", "markdown"):
        for words in (
            "The large model costs at most $11.", "10.00 USD/Mtok → 12.00 USD/Mtok", "margin -1.00 USD/Mtok",
        ):  # fmt: skip
            assert words in nights[5][form]
        prices, audit = nights[15][form].split("Audit of sources")
        assert "card-rent" not in prices
        assert "another source answers" in audit.lower()
        assert "price moved" not in nights[15][form]
