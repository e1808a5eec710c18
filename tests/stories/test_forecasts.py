"""Announced prices come true, are withdrawn, or are missed; the runs are scored by what they knew."""

from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from compute.record.fates import Sighting
from compute.record.forecast_scores import Announced, ForecastOutcome, forecast_scores
from compute.record.life_models import LifeState
from graph.models.claim_models import VerdictName
from graph.values import dumps
from tests.stories.night_home import PRICE, Home, day


def cards(home, prices):
    """State other prices by day in March."""
    days = [(date(2025, 6, 1), "1.80"), *((day(number), value) for number, value in sorted(prices.items()))]
    text = "catalog: cards\nprices:\n"
    for number, (start, value) in enumerate(days):
        end = f"to: {days[number + 1][0]}, " if number + 1 < len(days) else ""
        text += PRICE.format(value=value, start=start, end=end)
    (home.vault / "cards.yaml").write_text(text)
    with home.open() as brain:
        assert brain.ingest([home.vault], at=home_time(2)).stored


def home_time(number):
    from tests.stories.night_home import moment  # next to its only use

    return moment(number, 8)


def outcomes(home, end):
    with home.open() as brain:
        found = brain.record.forecasts(day(end))
    return [(one.day, one.after.value, one.outcome.value) for one in found.items], found


def test_an_announced_price_that_comes_is_counted_as_come_true(tmp_path):
    home = Home(tmp_path, {10: "2.40"})
    for night in (3, 4):
        home.night(night)
    assert outcomes(home, 4)[0] == [(day(10), "failed", "open")]
    home.night(10)
    told, found = outcomes(home, 10)
    assert told == [(day(10), "failed", "came_true")]
    assert (found.items[0].first_said, found.items[0].last_said) == (day(3), day(4))


def test_a_withdrawn_price_announcement_is_counted_as_withdrawn(tmp_path):
    home = Home(tmp_path, {10: "2.40"})
    home.night(3)
    cards(home, {})
    home.night(4)
    home.night(10)
    told, found = outcomes(home, 10)
    assert told == [(day(10), "failed", "withdrawn")]
    assert (found.withdrawn, found.came_true, found.missed) == (1, 0, 0)


def test_an_announcement_that_is_not_withdrawn_and_does_not_come_true_is_missed(tmp_path):
    home = Home(tmp_path, {10: "2.40"})
    home.night(3)
    cards(home, {10: "1.90"})
    home.night(10)
    assert outcomes(home, 10)[0] == [(day(10), "failed", "missed")]


def sighted(share, last):
    return [Sighting(day(1), VerdictName.HOLDS, share=Decimal(share)), Sighting(day(9), last)]


def test_the_brier_score_and_the_bins_of_stated_shares():
    found = forecast_scores(
        {day(1): frozenset(), day(9): frozenset()},
        {
            "a": sighted("0.9", VerdictName.HOLDS),
            "b": sighted("0.95", VerdictName.STALE),
            "c": sighted("0.2", VerdictName.DEPENDS),
            "d": sighted("0.5", VerdictName.UNVERIFIABLE),
        },
    )
    assert found.scored == 3
    assert (
        forecast_scores({day(1): frozenset()}, {"a": sighted("0.9", VerdictName.HOLDS)[:1]}).scored == 0
    )  # one run only
    assert found.brier == Decimal("0.3175")  # (0.01 + 0.9025 + 0.04) / 3
    assert [(one.low, one.claims, one.held) for one in found.bins] == [
        (Decimal("0.2"), 1, 0),
        (Decimal("0.9"), 2, Decimal("0.5")),
    ]


turns = st.frozensets(
    st.builds(Announced, st.integers(5, 30).map(day), st.sampled_from("ab"), st.sampled_from(list(LifeState)))
)


@given(st.dictionaries(st.integers(1, 31), turns, max_size=6))
def test_every_announced_turn_has_one_outcome_whatever_the_order_of_runs(listed):
    said = {day(number): frozenset(one for one in told if one.day > day(number)) for number, told in listed.items()}
    sightings = {name: [Sighting(day(1), VerdictName.HOLDS)] for name in "ab"}
    found = forecast_scores(said, sightings)
    assert len(found.items) == len({one for told in said.values() for one in told})
    assert found.came_true + found.missed + found.withdrawn + found.open == len(found.items)
    assert dumps(forecast_scores(dict(reversed(said.items())), sightings)) == dumps(found)
    last = max(said, default=day(1))
    for one in found.items:
        assert one.outcome is not ForecastOutcome.OPEN or one.last_said == last
