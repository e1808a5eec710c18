"""Nights as fixtures: prices by day, and what is found and reported on each night.

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

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml

from compute.catalogs import price_cards
from compute.claims import claim_loader
from compute.prices import decisions, families
from compute.prices.price_book import CatalogBook
from compute.runs import run_ledger
from compute.runs.alert_processor import AlertProcessor
from compute.runs.flag_rules import visible
from compute.verify.claim_verifier import verify
from graph.models.alert_models import Silence
from graph.store import Store

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.yaml"))


def read(load, text):
    values, problems = load("fixture.yaml", text) if text else ((), ())
    assert list(problems) == []
    return values


class Story:
    """A fixture being played."""

    def __init__(self, path, store):
        self.told = yaml.safe_load(path.read_text(encoding="utf-8"))
        self.store = store
        self.claims = read(claim_loader.load, self.told["claims"])
        self.families = read(families.load, self.told.get("families", ""))
        self.decisions = read(decisions.load, self.told.get("decisions", ""))
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
        run_ledger.append(
            self.store,
            rows,
            snapshot=book.snapshot,
            rules=run_ledger.manifest(self.store.documents.all()),
            as_of=told["night"],
            started_at=at,
            clock=lambda: at,
            code="test",
        )
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
