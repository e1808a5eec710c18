"""Laws of flags that hold whatever the nights bring."""

from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.runs import flag_rules
from compute.runs.flag_rules import FAULTS, FlagChanges, visible
from compute.runs.owed_notices import owed_notices, reported
from graph.models.alert_models import Flag
from graph.models.claim_models import VerdictName
from tests.compute import made

DAY = date(2026, 5, 1)
HOLDS, STALE, BLIND = VerdictName.HOLDS, VerdictName.STALE, VerdictName.UNVERIFIABLE


def claim(name, for_runs=1):
    return made.claim("1", id=name, as_of=DAY, is_="1", for_runs=for_runs)


def row(verdict, margin="1"):
    holds = {HOLDS: True, BLIND: None}.get(verdict, False)
    return made.row("c", verdict, value="10", margin=margin, then_holds=True, now_holds=holds)


def nights(verdicts, for_runs=1):
    """Night after night over one claim: what is reported on each, and the flags that are not over at the end."""
    flags, told = {}, []
    for number, (verdict, margin) in enumerate(verdicts):
        on = DAY + timedelta(days=number)
        still, rows = [flag for flag in flags.values() if flag.lowered_at is None], [row(verdict, margin)]
        turns = FlagChanges(lambda name: claim(name, for_runs), number, on)
        turns.advance(still, rows)
        for flag in turns.forget:
            del flags[flag.claim, flag.first_run]
        flags.update({(flag.claim, flag.first_run): flag for flag in turns.keep})
        owed = owed_notices(flags.values(), {"c": rows[0]}, claim, (), on=on, remind_days=0)
        keys = {(flag.claim, flag.first_run): "id" for flag in flags.values()}
        flags.update({(flag.claim, flag.first_run): flag for flag in reported(owed, keys, on)})
        kinds = Counter(one.kind for one in owed)
        told.append([kinds[name] for name in ("raised", "returned", "unchecked", "checked-again")])
    return told, [flag for flag in flags.values() if flag.lowered_at is None]


stories = st.lists(st.tuples(st.sampled_from(list(VerdictName)), st.sampled_from(["0.01", "1"])), max_size=15)


@given(stories, st.integers(1, 3))
def test_a_claim_has_at_most_one_fault_and_one_blindness_standing(story, for_runs):
    open_flags = nights(story, for_runs)[1]
    assert len([flag for flag in open_flags if flag.verdict in FAULTS]) <= 1
    assert len([flag for flag in open_flags if flag.verdict is BLIND]) <= 1


@given(stories)
def test_a_return_is_reported_only_after_a_reported_break(story):
    told = nights(story)[0]
    raised = returned = unchecked = again = 0
    for up, down, away, back in told:
        raised, returned, unchecked, again = raised + up, returned + down, unchecked + away, again + back
        assert returned <= raised
        assert again <= unchecked


@given(stories, st.integers(1, 3))
def test_a_fault_of_enough_nights_is_standing_and_an_unverifiable_night_never_lowers_it(story, for_runs):
    story = [*story, *[(STALE, "1")] * for_runs, (BLIND, "1")]
    standing = [flag for flag in nights(story, for_runs)[1] if flag.standing and flag.verdict in FAULTS]
    assert [flag.verdict for flag in standing] == [STALE]


@given(st.lists(st.sampled_from([HOLDS, STALE]), min_size=10, max_size=10))
def test_ten_nights_around_the_bound_report_at_most_one_break(verdicts):
    story = [(verdict, "0.01") for verdict in verdicts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flag_rules, "SETTLED_RUNS", 10)
        told = nights(story)[0]
    assert sum(up for up, *_ in told) == (1 if STALE in verdicts else 0)
    assert sum(down for _, down, *_ in told) == 0


def test_a_claim_that_a_run_left_out_keeps_its_flag_and_one_that_is_gone_loses_it():
    flag = Flag(claim="c", verdict=STALE, first_run=1, first_seen=DAY, raised_at=DAY, raised_run=1)
    left_out, deleted = (FlagChanges(find, 2, DAY) for find in (claim, lambda _: None))
    left_out.advance([flag], [])
    deleted.advance([flag], [])
    assert left_out.keep == []
    (ended,) = deleted.keep
    assert ended.lowered_at == DAY


def test_an_unverifiable_claim_shows_its_last_fault_and_never_green():
    flag = Flag(claim="c", verdict=STALE, first_run=1, first_seen=DAY, raised_at=DAY)
    assert visible(row(BLIND), {"c": flag}) == (STALE, False)
    assert visible(row(BLIND), {}) == (BLIND, False)
    assert visible(row(HOLDS), {"c": flag}) == (HOLDS, True)
