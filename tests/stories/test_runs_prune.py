"""`brain runs prune` removes nights on which nothing changed; changes and the record say the same before and after."""

from datetime import date, timedelta

from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`
from tests.stories.written import stated

PRICE = 'price("acme/zorn", "input")'
MAP = '{{"zorn": {{"litellm_provider": "acme", "input_cost_per_token": {value}e-06}}}}'
FIRST = date(2026, 8, 1)
PRICES = {0: 2, 5: 3, 10: 2}
NIGHTS = 16


def said(home):
    with home.web() as client:
        addresses = ("/v1/changes", "/v1/record?basis=ledger", f"/v1/record?basis=ledger&as_of={FIRST + timedelta(7)}")
        answers = [client.get(address) for address in addresses]
    assert [answer.status_code for answer in answers] == [200] * 3
    return [answer.json() for answer in answers], home("changes", "--json").json, home("explain", "zorn", "--json").json


def numbers(home):
    return [run["id"] for run in home("runs", "--limit", "1000", "--json").json["items"]]


def test_a_month_of_nights_is_thinned_and_its_record_is_unchanged(home):
    for night in range(NIGHTS):
        home.on((FIRST + timedelta(night)).isoformat())
        if night in PRICES:
            home("prices", "import", home.write("map.json", MAP.format(value=PRICES[night])))
        if night == 0:
            stated(home, "zorn", PRICE, "2 USD/Mtok")
        with home.brain() as brain:
            brain.verify(home.moment.date(), at=home.moment, clock=lambda: home.moment)
    assert home("verify", "--as-of", "2026-08-03", "--append", "--json").code == 0
    before = said(home)
    assert len(before[1]["items"]) == 2, "it broke once and came back once"
    assert home("runs", "prune", "--keep", "nonsense").code == 2
    trial = home("runs", "prune", "--keep", "3d,1w", "--dry-run", "--json").json
    assert len(numbers(home)) == NIGHTS + 1

    done = home("runs", "prune", "--keep", "3d,1w", "--json").json
    assert {**done, "dry_run": True} == trial
    kept = numbers(home)
    assert done["kept"] == len(kept) == NIGHTS + 1 - len(done["removed"])
    assert set(kept) == {1, 5, 6, 10, 11, 14, 15, 16, 17}, "first, changes and the runs before, reminder, days"
    assert said(home) == before
    assert home("check").code == 0, "the journal of runs reports no loss"
    for run in kept[1::8]:
        assert home("runs", str(run), "--json").json["verdicts"]
        assert home("verify", "--run", str(run), "--json").json["same"] is True
    assert home("runs", "2").code == 3
    assert home("runs", "prune", "--keep", "3d,1w", "--json").json["removed"] == []

    home.on("2026-09-01")
    assert home("verify").code == 0
    assert numbers(home)[0] == 18, "a number is never used again"
    with home.brain() as brain:
        assert brain.prices.observer.damage() is None
