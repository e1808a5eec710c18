"""Life lines and survival of figures: when a claim holds, what changes that, and the curves of many, against lifelines."""

from datetime import date, timedelta
from decimal import Decimal
from random import Random

import lifelines
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lifelines.utils import median_survival_times

from compute.record.life_models import LifeState
from compute.record.record import FateName, GroupField, Sighting, broken, by_life, by_runs, group, groups, share_without
from compute.record.survival import Followed, steady, survival
from graph.models.claim_models import Cause, VerdictName
from graph.values import dumps
from tests.compute import made
from tests.compute.made import CUT, INPUT, NOW, THEN, assumed, book_of, claim, dated, family, life_lines, moved, verify

AHEAD = date(2026, 12, 1)
HELD, FAILED, UNKNOWN = LifeState.HELD, LifeState.FAILED, LifeState.UNKNOWN


def life(one, prices, **rest):
    return next(life_lines([one], prices, **rest))


RISING = (dated("3", valid_to=CUT), dated("9", valid_from=CUT, valid_to=AHEAD), dated("4", valid_from=AHEAD))


def test_a_line_begins_on_the_claims_own_day_and_reaches_into_the_announced_future():
    found = life(claim(), RISING)
    spans = [(one.state, one.start, one.end) for one in found.spans]
    assert spans == [(HELD, THEN, CUT), (FAILED, CUT, AHEAD), (HELD, AHEAD, None)]
    days = (THEN - timedelta(days=1), THEN, CUT, NOW, AHEAD)
    assert [found.state(day) for day in days] == [None, HELD, FAILED, FAILED, HELD]


def test_a_turn_names_the_price_that_made_it_with_both_amounts_or_the_family_that_moved():
    first, second = life(claim("list", {"list": INPUT}), RISING).turns
    assert (first.day, first.before, first.after, first.cause) == (CUT, HELD, FAILED, Cause.PRICE_MOVED)
    (move,) = first.moves
    assert (move.name, move.item, move.unit, move.kind) == ("list", "acme/large", "USD/Mtok", "price")
    assert (move.before, move.after) == (Decimal(3), Decimal(9))
    assert (second.cause, second.value_before, second.value_after) == (None, Decimal(9), Decimal(4))
    prices = dated("3", "acme/one"), dated("6", "acme/two")
    best = life(claim('price("acme/best", "input")'), prices, families=[family("acme/one", "acme/two")])
    (turn,) = best.turns
    assert (turn.day, turn.cause) == (CUT, Cause.FAMILY_MOVED)
    assert (turn.moves[0].item_before, turn.moves[0].item) == ("acme/one", "acme/two")


def test_a_price_that_ends_makes_the_claim_unknown_not_dead_and_is_not_announced():
    """The market's median ends two months after it was last seen; nobody announces that."""
    ends = life(claim(), (dated("3", valid_to=AHEAD),)).turns
    ended = [any(move.after is None for move in one.moves) for one in (*life(claim(), RISING).turns, *ends)]
    assert ended == [False, False, True]
    found = life(claim(), [dated("3", valid_to=CUT)])
    assert [one.state for one in found.spans] == [HELD, UNKNOWN]
    (move,) = found.turns[0].moves
    assert (move.kind, move.before, move.after) == ("missing", Decimal(3), None)
    fate = by_life(found, NOW)
    assert (fate.name, fate.day, fate.followed.died) == (FateName.CENSORED, CUT, False)


def test_catalogues_that_differ_and_an_assumption_that_decides_make_the_claim_unknown():
    prices = dated("3"), dated("9", catalog="genai-prices", valid_from=CUT)
    tariff = [assumed("x", "4", "USD/Mtok", valid_to=CUT), assumed("x", "6", "USD/Mtok", "4", "8", valid_from=CUT)]
    for found in (life(claim(), prices), life(claim(value='assume("x")'), [], assumptions=tariff)):
        assert [one.state for one in found.spans] == [HELD, UNKNOWN]


def test_a_claim_compared_with_another_changes_with_the_price_or_assumption_of_the_other():
    claims = [claim("3 USD/Mtok", same_as="other"), claim(id="other")]
    first, _ = life_lines(claims, RISING)
    assert [one.state for one in first.spans] == [HELD, FAILED]  # three and nine differ, three and four too
    (move,) = first.turns[0].moves
    assert (move.item, move.kind, move.before, move.after) == ("acme/large", "price", Decimal(3), Decimal(9))
    assert not first.fixed
    tariff = [assumed("x", "4", "USD/Mtok", valid_to=CUT), assumed("x", "9", "USD/Mtok", valid_from=CUT)]
    claims = [claim("4 USD/Mtok", same_as="other"), claim(value='assume("x")', id="other")]
    (move,) = next(life_lines(claims, assumptions=tariff)).turns[0].moves
    assert (move.item, move.kind, move.before, move.after) == ("x", "assumption", Decimal(4), Decimal(9))


def test_a_claim_in_two_currencies_changes_with_the_exchange_rate_and_figures_of_a_text_never():
    rates = moved("1.10", "1.40", item="fx/usd_per_eur", component="rate", unit="USD/EUR")
    found = life(claim(), [dated("4", unit="EUR/Mtok", currency="EUR"), *rates])
    assert [(one.state, one.start) for one in found.spans] == [(HELD, THEN), (FAILED, CUT)]
    (move,) = found.turns[0].moves
    assert (move.item, move.before, move.after) == ("fx/usd_per_eur", Decimal("1.10"), Decimal("1.40"))
    assert life(claim(value="4 USD/Mtok"), []).fixed
    assert [one.state for one in life(claim(value="4 +"), []).spans] == [UNKNOWN]


def test_a_figure_that_failed_on_its_own_day_never_was_true_only_if_the_price_is_dated_and_the_first_failure_counts():
    for price, name in ((dated("9"), FateName.NEVER_TRUE), (made.price("9"), FateName.UNKNOWN)):
        assert by_life(life(claim(), [price]), NOW).name is name
    found = life(claim(), RISING)
    after = by_life(found, AHEAD)
    assert (after.name, after.day, after.holds_again) == (FateName.BROKEN, CUT, True), "a return raises no dead"
    assert by_life(found, NOW).days == (CUT - THEN).days
    assert by_life(found, CUT - timedelta(days=1)).name is FateName.ALIVE
    assert by_life(found, THEN - timedelta(days=1)) is None  # not yet made


def sightings_of(*found):
    rows = ((day, verdict and made.row("it", verdict, then_holds=then)) for day, verdict, then in found)
    return [Sighting(day, row) for day, row in rows]


@pytest.mark.parametrize(
    ("sightings", "name", "entry", "days"),
    [
        ([(CUT, VerdictName.HOLDS, True)], FateName.ALIVE, 212, 454),
        ([(CUT, VerdictName.HOLDS, True), (NOW, VerdictName.STALE, True)], FateName.BROKEN, 212, 454),
        ([(CUT, VerdictName.HOLDS, True), (NOW, VerdictName.UNVERIFIABLE, True)], FateName.CENSORED, 212, 454),
        ([(CUT, VerdictName.HOLDS, True), (NOW, None, None)], FateName.CENSORED, 212, 454),
        ([(CUT, VerdictName.STALE, True)], FateName.FAILED_BEFORE, 0, 212),
        ([(CUT, VerdictName.STALE, None)], FateName.UNKNOWN, 0, 212),
        ([(CUT, VerdictName.REFUTED, False)], FateName.NEVER_TRUE, 0, 212),
        ([(THEN - timedelta(days=9), VerdictName.HOLDS, True)], FateName.ALIVE, 0, 454),
    ],
    ids=["alive", "broken", "unverifiable", "removed", "before", "unknown", "refuted", "made for a later day"],
)
def test_the_ledger_knows_only_what_its_runs_saw(sightings, name, entry, days):
    fate = by_runs(claim(), sightings_of(*sightings), NOW, {}.get)
    assert (fate.name, fate.entry, fate.days) == (name, entry, days)


days = st.integers(0, 60).map(lambda shift: THEN + timedelta(days=shift))
prices = st.builds(
    dated,
    value=st.sampled_from(["1", "3", "5", "9"]),
    item=st.sampled_from(["acme/large", "acme/small"]),
    valid_from=days | st.none(),
    valid_to=days | st.none(),
    catalog=st.sampled_from(["cards", "genai-prices"]),
    dated=st.sampled_from(["price", "record"]),
    checked=days | st.none(),
)
CLAIMS = [
    claim(id="plain"),
    claim(id="later", as_of=THEN + timedelta(days=30)),
    claim(f'{INPUT} / price("acme/small", "input")', at_least="2", id="ratio"),
    claim('cheapest(["acme/large", "acme/small"], "input")', id="cheapest"),
    claim('price("acme/large", "input", latest=true)', id="last"),
    claim("3 USD/Mtok", same_as="plain", within="1 USD/Mtok", id="same"),
    claim(f'price("acme/large", "input", on={THEN + timedelta(days=40)})', id="ahead"),
]


@settings(max_examples=60)
@given(st.lists(prices, max_size=8), st.integers(0, 70))
def test_on_each_day_the_line_is_what_verify_finds_for_that_day(listed, shift):
    day = THEN + timedelta(days=shift)
    rows = {row.claim: row for row in verify(CLAIMS, book_of(listed), day)}
    states = {VerdictName.HOLDS: {HELD}, VerdictName.STALE: {FAILED}, VerdictName.REFUTED: {FAILED}}
    # failed where nobody can be accused, or where catalogues differ only about its own day
    states |= {name: {UNKNOWN, FAILED} for name in (VerdictName.UNVERIFIABLE, VerdictName.CONFLICTING)}
    for one in life_lines(CLAIMS, listed, day):
        if one.as_of <= day:
            assert one.state(day) in states.get(rows[one.claim].verdict, {UNKNOWN})


@settings(max_examples=40)
@given(st.lists(prices, max_size=8), st.randoms(use_true_random=False))
def test_lines_join_without_a_gap_and_do_not_depend_on_the_order_of_claims(listed, random):
    plain = {one.claim: one for one in life_lines(CLAIMS, listed)}
    mixed = list(CLAIMS)
    random.shuffle(mixed)
    again = {one.claim: one for one in life_lines(mixed, listed)}
    assert {name: dumps(one) for name, one in again.items()} == {name: dumps(one) for name, one in plain.items()}
    for one in plain.values():
        assert (one.spans[0].start, one.spans[-1].end) == (one.as_of, None)
        assert [span.end for span in one.spans[:-1]] == [span.start for span in one.spans[1:]]
        assert [turn.day for turn in one.turns] == [span.start for span in one.spans[1:]]
        assert all(turn.before is not turn.after for turn in one.turns)


def many(count, prices=RISING, **rest):
    claims = [claim(id=f"c{number}", as_of=THEN + timedelta(days=number), **rest) for number in range(count)]
    return claims, [by_life(one, NOW) for one in life_lines(claims, prices)]


def test_audits_of_sources_and_unknown_figures_do_not_count_as_misses():
    wrong, undated = [dated("9")], [dated("9", valid_from=None, checked=None)]
    fates = [*many(12)[1], *many(4, wrong)[1], *many(3, undated)[1]]
    found = group("all", "all", fates)
    assert (found.claims, found.true_when_written, found.never_true, found.unknown_when_written) == (19, 12, 4, 3)
    claims, every = many(12)
    assert found.alive == group("all", "all", every).alive
    assert share_without(found, broken(claims, every), 900) == 1 > share_without(found, (), 900)


def test_groups_and_their_curves_do_not_depend_on_order_and_are_the_same_bytes_twice():
    claims, fates = many(24)
    key = lambda one: ("even", "every") if int(one.id[1:]) % 2 == 0 else ("every",)  # noqa: E731  # one line is clearer here
    plain = groups(GroupField.TAG, key, claims, fates)
    Random(3).shuffle(fates)
    Random(4).shuffle(claims)
    assert dumps(groups(GroupField.TAG, key, claims, fates)) == dumps(plain)
    assert [(one.value, one.claims) for one in plain] == [("every", 24), ("even", 12)]


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
