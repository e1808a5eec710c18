"""The record by the command line and over HTTP, by hindsight and by the ledger; and that of the shipped content."""

from datetime import UTC, date, datetime, timedelta

import pytest

from api.brain import Brain
from api.settings import Settings
from compute.record.record import Basis, by_life
from compute.record.survival import Followed
from graph.models.claim_models import VerdictName
from graph.values import dumps
from tests.compute.test_life_lines import agrees_with_lifelines, fitted
from tests.conftest import TODAY
from tests.web_client import web_client

OWN, ROSE, END = date(2025, 2, 1), date(2025, 9, 1), date(2026, 5, 1)

CARDS = """prices:
  - {item: acme/large, component: input, value: 3.00 USD/Mtok, from: 2024-01-01, to: 2025-09-01, <>}
  - {item: acme/large, component: input, value: 9.00 USD/Mtok, from: 2025-09-01, <>}
  - {item: acme/small, component: input, value: 1.00 USD/Mtok, from: 2024-01-01, <>}
""".replace("<>", 'source: "https://acme.example/prices", checked: 2026-05-01')


def claims():
    """Six claims that the rise breaks, eight that hold, one that never was true, one that no price can turn."""
    line = "  - {{id: {name}, node: own/note, says: {name} it is., as_of: {day}, value: '{value}', expect: {{at_most: {most}}}, tags: [{tag}]}}\n"
    large, small = 'price("acme/large", "input")', 'price("acme/small", "input")'
    found = [("large", large, "5 USD/Mtok", number) for number in range(6)]
    found += [("small", small, "5 USD/Mtok", number) for number in range(8)]
    found += [("wrong", small, "0.5 USD/Mtok", 0), ("sum", "1 + 1", "2", 0)]
    return "claims:\n" + "".join(
        line.format(name=f"{tag}-{number}", day=OWN + timedelta(days=number), value=value, most=most, tag=tag)
        for tag, value, most, number in found
    )


@pytest.fixture
def home(brain, write, tmp_path):
    write("note.md", "---\ntitle: Note\nbrain: own\nkind: thesis\n---\nThe list price.\n")
    write("prices.yaml", CARDS)
    assert brain("ingest", write("claims.yaml", claims()).parent).code == 0
    return tmp_path / "own"


def test_the_record_counts_what_was_true_when_written_and_what_has_broken_by_a_day(brain, home):
    found = brain("record", "--as-of", END, "--json").json
    (all_claims,) = found["groups"]
    counts = ("claims", "true_when_written", "broken", "never_true", "fixed", "unknown_when_written")
    assert [all_claims[name] for name in counts] == [16, 14, 6, 1, 1, 0]
    assert all_claims["alive"] == {"30": 1, "90": 1, "365": pytest.approx(8 / 14)}
    assert all_claims["causes"] == {"price_moved": 6}
    assert (found["as_of"], found["basis"], len(found["broken"])) == ("2026-05-01", "hindsight", 6)
    one = next(one for one in found["broken"] if one["claim"] == "large-0")
    assert (one["day"], one["days"], one["cause"]) == ("2025-09-01", 212, "price_moved")
    assert [(move["item"], move["before"], move["after"]) for move in one["moves"]] == [("acme/large", 3, 9)]
    (early,) = brain("record", "--as-of", ROSE - timedelta(days=1), "--json").json["groups"]
    assert (early["broken"], early["alive"]) == (0, {"30": 1, "90": 1, "365": None})
    (none,) = brain("record", "--as-of", "2024-01-01", "--json").json["groups"]
    assert (none["claims"], none["curve"]) == (0, [])


def test_the_ledger_knows_only_what_its_runs_saw_and_is_computed_again_from_them(brain, home):
    assert brain("record", "--basis", "ledger", "--json").json["groups"][0]["claims"] == 0
    with Brain.open(Settings(home=home)) as opened:
        for day in (OWN + timedelta(days=10), OWN + timedelta(days=60), END):
            at = datetime(day.year, day.month, day.day, 5, tzinfo=UTC)
            opened.verify(day, at=at, clock=lambda at=at: at)
        found = opened.record.record(END, Basis.LEDGER)
        again = opened.record.record(END + timedelta(days=9), Basis.LEDGER)
        early = opened.record.record(OWN + timedelta(days=60), Basis.LEDGER)
        hindsight = opened.record.record(END)
    (group,) = found.groups
    assert (group.true_when_written, group.broken, group.observed_from, found.runs) == (14, 6, 8, 3)
    assert {one.day for one in found.broken} == {END}  # on the day of the run that saw it
    assert {one.day for one in hindsight.broken} == {ROSE}
    assert (early.groups[0].broken, early.as_of) == (0, OWN + timedelta(days=60))
    assert dumps(found) == dumps(again)


def test_over_http_with_the_day_and_an_entity_tag_and_on_its_page(home):
    with Brain.open(Settings(home=home)) as opened:
        web = web_client(opened, base_url="http://127.0.0.1")
        whole = web.get("/v1/record?as_of=2026-05-01")
        assert whole.json()["groups"][0]["broken"] == 6
        same = {"If-None-Match": whole.headers["etag"]}
        assert web.get("/v1/record?as_of=2026-05-01", headers=same).status_code == 304
        assert [web.get(f"/v1/record?{wrong}").status_code for wrong in ("by=colour", "byy=tag")] == [422, 422]
        page = web.get("/record?as_of=2026-05-01").text
        assert all(words in page for words in ("&lt; 10<", 'href="/claims/large-0"'))
        assert web.get("/record?by=colour").status_code == 400
        picture = web.get("/charts/record.svg?as_of=2026-05-01").text
        for words in ("100% after 6 months", "&lt; 10<", "6 of 14 broke", "1 May 2026"):
            assert words in picture.replace("\u00a0", " ")
        assert "var(" not in web.get("/charts/record.svg?scheme=dark").text
        pixels = web.get("/charts/record.png?as_of=2026-05-01")
        assert (pixels.headers["content-type"], pixels.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")


def test_the_life_line_is_in_the_json_of_a_claim_on_its_page(home):
    with Brain.open(Settings(home=home)) as opened:
        web = web_client(opened, base_url="http://127.0.0.1")
        life = web.get("/v1/claims/large-0").json()["life"]
        spans = [(one["state"], one["start"], one["end"]) for one in life["spans"]]
        assert spans == [("held", "2025-02-01", "2025-09-01"), ("failed", "2025-09-01", None)]
        assert [(one["day"], one["cause"]) for one in life["turns"]] == [("2025-09-01", "price_moved")]
        page = web.get("/claims/large-0", headers={"accept": "text/html"}).text.replace("\u00a0", " ")
        for part in (
            *('<rect class="held"', '<rect class="failed"', "fails: acme/large input 3.00 USD/Mtok → 9.00 USD/Mtok"),
            '<meta property="og:image" content="http://127.0.0.1/charts/claims/large-0/card.png">',
        ):
            assert part in page
        listed = web.get("/claims", headers={"accept": "text/html"}).text
        assert listed.count(", fails since <") == 6, "only those whose figure changed"


# ---- the shipped content


def test_the_curves_of_the_real_claims_are_those_of_lifelines(shipped_brain):
    fates = [by_life(life, TODAY) for life in shipped_brain.record.lives(TODAY).values()]
    followed = [one for fate in fates if fate is not None and (one := fate.followed) is not None]
    assert len(followed) > 40
    agrees_with_lifelines(followed)
    (group,) = shipped_brain.record.record(TODAY).groups
    theirs = fitted(followed)
    for day, alive in group.alive.items():
        assert float(alive) == pytest.approx(theirs.predict(int(day)), abs=1e-9)
    assert group.true_when_written == len(followed)
    assert all(isinstance(one, Followed) for one in followed)


def test_on_todays_verdicts_the_life_lines_agree(shipped_brain):
    rows = shipped_brain.status.rows()
    lives = shipped_brain.record.lives(TODAY)
    for claim in shipped_brain.status.claims():
        if claim.as_of <= TODAY:
            held = lives[claim.id].state(TODAY) == "held"
            assert held == (rows[claim.id].verdict is VerdictName.HOLDS), claim.id
