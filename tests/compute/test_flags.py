"""Laws of flags that hold whatever the nights bring, and nights as fixtures."""

import json
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from compute.catalogs import price_cards
from compute.claims import claim_loader
from compute.prices import families, rule_files
from compute.prices.price_book import CatalogBook
from compute.runs import flag_rules
from compute.runs.alerts import AlertProcessor, owed_notices, reported
from compute.runs.flag_rules import FAULTS, FlagChanges, visible
from graph.models.alert_models import Flag, Silence
from graph.models.claim_models import VerdictName
from graph.store import Store
from tests.compute import made
from tests.compute.made import verify

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


def test_a_reminder_leaves_out_what_was_reported_on_its_day():
    new = Flag(claim="new", verdict=STALE, first_run=1, first_seen=DAY, raised_at=DAY, told_on=DAY)
    old = new.model_copy(update={"claim": "old", "told_on": DAY - timedelta(days=8)})
    owed = owed_notices([old, new], {}, claim, (), on=DAY, remind_days=7)
    assert [(one.kind, one.claim) for one in owed] == [("reminder", "old")]


FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.yaml"))


def read(load, text):
    values, problems = load("fixture.yaml", text) if text else ((), ())
    assert list(problems) == []
    return values


class Story:
    """A fixture being played: nights, prices by day, and what is found and reported on each.

    about: what the file shows
    claims, families, decisions, prices, more prices: as their authors write them
    nights:
      - night: 2026-05-01
        away: [genai-prices]          catalogues that are not there that night
        verdicts: {claim: verdict}    of the claims that are named
        told: [claim.raised pair]     every notice of the night, kind and subject; none where left out
        standing: {claim: verdict}    every raised flag after the night, where stated
        shown: {claim: verdict}       what people see, where stated
        silence: {claim, reason, until}
    """

    def __init__(self, path, store):
        self.told = yaml.safe_load(path.read_text(encoding="utf-8"))
        self.store = store
        self.claims = read(claim_loader.load, self.told["claims"])
        self.families = read(families.load, self.told.get("families", ""))
        self.decisions = read(rule_files.load_decisions, self.told.get("decisions", ""))
        shelves = [read(price_cards.load, text) for key, text in self.told.items() if key.endswith("prices")]
        self.catalogs = price_cards.merge(shelves)
        store.claims.put("fixture.yaml", self.claims)
        self.watch = AlertProcessor(store, "https://brain.example")

    def night(self, told):
        at = datetime.combine(told["night"], datetime.min.time(), UTC) + timedelta(hours=3)
        if "silence" in told:
            self.store.alerts.put_silence(Silence(id=f"s-{told['night']}", since=told["night"], **told["silence"]))
        here = [catalog for catalog in self.catalogs if catalog.name not in told.get("away", [])]
        book = CatalogBook(here, self.families, (), self.decisions)
        rows = list(verify(self.claims, book, told["night"]))
        made.append_run(self.store, rows, book, at)
        return rows, self.watch.catch_up(at)


def assert_night(told, rows, notices, store):
    on = told["night"]
    found = {row.claim: row.verdict.value for row in rows}
    for claim, verdict in told.get("verdicts", {}).items():
        assert found[claim] == verdict, f"{on}: {claim}: {next(row.reason for row in rows if row.claim == claim)}"
    heard = [f"{notice.kind} {notice.subject}" for notice in notices]
    assert heard == told.get("told", []), f"{on}: {[json.loads(notice.body)['data'] for notice in notices]}"
    raised = {flag.claim: flag for flag in store.alerts.flags(standing=True) if flag.verdict.value != "unverifiable"}
    if "standing" in told:
        assert {claim: flag.verdict.value for claim, flag in raised.items()} == told["standing"], on
    for claim, verdict in told.get("shown", {}).items():
        row = next(row for row in rows if row.claim == claim)
        assert visible(row, raised)[0].value == verdict, on


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_night_by_night(path, tmp_path):
    with Store.open(tmp_path / "brain.db") as store:
        story = Story(path, store)
        for told in story.told["nights"]:
            rows, notices = story.night(told)
            assert_night(told, rows, notices, store)
