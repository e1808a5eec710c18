"""Survival of figures, against lifelines and against a product written out by hand."""

from random import Random

import lifelines
import pytest
from lifelines.utils import median_survival_times

from compute.record.survival import Followed, steady, survival

CLOSE = 1e-9


def fitted(followed):
    return lifelines.KaplanMeierFitter(alpha=0.05).fit(
        [one.days for one in followed],
        [one.died for one in followed],
        entry=[one.entry for one in followed] if any(one.entry for one in followed) else None,
    )


def agrees_with_lifelines(followed):
    """The curve, its intervals, the half-life and its interval are those of lifelines."""
    found, theirs = survival(followed), fitted(followed)
    ends, at_risk = theirs.confidence_interval_, theirs.event_table.at_risk
    for one in {point.day: point for point in found.points}.values():
        assert one.at_risk == at_risk[one.day]
        if one.alive > 0:  # where all have died, lifelines has no interval: it fills in 1
            assert [float(one.low), float(one.high)] == pytest.approx(list(ends.loc[one.day]), abs=CLOSE)
    days = range(found.last + 1)
    curve = theirs.survival_function_at_times(days)
    assert [float(found.at(day).alive) for day in days] == pytest.approx(list(curve), abs=CLOSE)
    agree(found.half_life("alive"), theirs.median_survival_time_, lambda point: point.alive, found)
    if found.points[-1].alive > 0:
        low, high = median_survival_times(ends).iloc[0]
        agree(found.half_life("low"), low, lambda point: point.low, found)
        agree(found.half_life("high"), high, lambda point: point.high, found)


def agree(mine, theirs, end, found):
    """Two half-lives are equal, or the curve is exactly one half, which lifelines' logarithms may miss by 1e-16."""
    if (float("inf") if mine is None else mine) != theirs:
        assert float(end(found.at(mine))) == pytest.approx(0.5, abs=CLOSE)


def history(random, size):
    """Random lives: short or long, with ties, many or few deaths."""
    longest, deadly = random.choice((5, 40, 900)), random.random()
    return [Followed(random.randint(0, longest), random.random() < deadly) for _ in range(size)]


def test_random_histories_have_the_curves_of_lifelines():
    random = Random(0)
    for _ in range(60):
        agrees_with_lifelines(history(random, random.randint(1, 60)))


def test_figures_that_are_observed_late_count_from_then_on_as_in_lifelines():
    random = Random(7)
    for _ in range(20):
        followed = [Followed(300, False)] + [
            Followed(days, random.random() < 0.5, random.randint(0, days - 1))
            for days in (random.randint(1, 200) for _ in range(30))
        ]
        found, theirs = survival(followed), fitted(followed)
        for one in found.points:
            if one.day > found.first:
                assert float(one.alive) == pytest.approx(theirs.predict(one.day), abs=CLOSE)


def test_nothing_is_known_of_ages_that_no_figure_has_reached_even_if_others_are_observed_at_a_later_one():
    found = survival([Followed(40, died=False)] * 12)
    assert (found.at(30).alive, found.at(90)) == (1, None)
    assert survival([Followed(40, died=True)] * 12).at(90).alive == 0  # all have died: they stay dead
    later = survival([Followed(10, died=False), Followed(90, died=True, entry=60)])
    assert (later.last, later.at(90)) == (10, None)
    none = survival([])
    assert (none.points, none.at(0), *map(none.half_life, ("alive", "low", "high"))) == ((), *[None] * 4)


def test_a_death_among_the_first_two_observed_figures_does_not_set_the_curve_to_zero():
    early = [Followed(4, died=True, entry=3)]
    many = [Followed(50 + number, died=number == 0, entry=20) for number in range(12)]
    assert survival([*early, *many]).at(50).alive == 0  # no figure was left on day 4
    found = survival(steady([*early, *many], 10))
    assert (found.first, float(found.at(50).alive)) == (20, pytest.approx(11 / 12))
    assert steady(many[:9], 10) == []
