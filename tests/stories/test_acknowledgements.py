"""She has seen that it fails: no notices until a day, nothing hidden, and a later break is new. One price, one notice."""

import json
import re

import pytest

from api.services.price_refresh import HELD, Waiting
from api.services.price_service import IN_USE
from compute.prices import snapshots
from compute.prices.price_models import Catalog
from graph.models.access_models import BrainPolicy
from graph.values import dumps
from tests.command import outcome, written
from tests.compute.receivers import Receiver
from tests.stories.days import set_clock
from tests.stories.night_home import PRICE, Home, data, day, kinds, moment
from tests.web_client import web_client

TOKEN = {"Authorization": "Bearer t"}


@pytest.fixture
def brain(tmp_path, monkeypatch):
    def call(number, *arguments):
        set_clock(monkeypatch, lambda: moment(number, 9))
        code, out, err = outcome(tmp_path / "home", *arguments)
        return code, out, " ".join(err.split())

    return call


def test_an_acknowledged_break_is_quiet_and_visible_its_return_ends_it_and_a_later_break_is_new(tmp_path, brain):
    home = Home(tmp_path, {2: "2.40", 12: "1.80", 14: "2.60"})
    told = ("--until", day(20), "--comment", "asked the vendor", "--by", "alice")
    with Receiver() as receiver:
        home.night(1, receiver.url)
        assert brain(1, "ack", "cheap-rent", *told)[0] == 3, "nothing is raised yet"
        home.night(2, receiver.url)
        assert brain(2, "ack", "cheap-rent", "--until", day(2), *told[2:])[0] == 2
        assert brain(2, "ack", "no-such", *told)[0] == 3
        code, _, said = brain(2, "ack", "cheap-rent", *told)
        assert (code, said) == (0, f"cheap-rent is acknowledged by alice until {day(20)}: asked the vendor")
        home.night(9, receiver.url)
        assert kinds(receiver) == ["claim.raised"], "no reminder either"

        code, out, _ = brain(9, "nightly", "--no-refresh", "--fail-on", "stale")
        assert code == 1, "it still fails"
        assert "cheap-rent is acknowledged by alice" in " ".join(out.split())
        code, _, said = brain(9, "verify", "--fail-on", "stale")
        assert (code, "acknowledged by alice" in said) == (1, True)
        (kept,) = json.loads(brain(9, "acks", "--json")[1])["items"]
        assert (kept["state"], kept["verdict"], kept["raised"]) == ("active", "stale", str(day(2)))
        assert json.loads(brain(9, "silences", "list", "--json")[1])["items"] == []

        home.night(12, receiver.url)
        assert kinds(receiver) == ["claim.raised", "claim.returned"], "the return ends it at once"
        assert json.loads(brain(12, "acks", "--json")[1])["items"][0]["state"] == "ended"
        home.night(14, receiver.url)
        assert kinds(receiver)[2:] == ["claim.raised"], "a later break is new"

        assert brain(14, "ack", "cheap-rent", "--until", day(16), *told[2:])[0] == 0
        home.night(15, receiver.url)
        home.night(21, receiver.url)
    assert kinds(receiver)[3:] == ["claims.reminder"], "after its end it is reported again"
    assert "expired" in brain(21, "acks")[1]
    assert brain(21, "ack", "cheap-rent", "--end")[0] == 0
    assert brain(21, "ack", "cheap-rent", "--end")[0] == 3


def test_acknowledged_over_http_and_shown_on_the_page_and_in_the_health_of_the_service(tmp_path):
    home = Home(tmp_path, {2: "2.40"})
    home.night(2)
    with home.open(token="t") as brain, web_client(brain, lambda: moment(3)) as client:
        at = "/v1/claims/cheap-rent/acknowledgement"
        sent = {"until": str(day(9)), "comment": "asked <them>", "by": "alice"}
        assert client.get("/healthz").json() == {"status": "ok", "flags": {"raised": 1, "acknowledged": 0}}
        assert client.post(at, params=sent).status_code == 401
        for wrong in ({"until": str(day(3))}, {"comment": " "}, {"by": ""}):
            assert client.post(at, params=sent | wrong, headers=TOKEN).status_code in {400, 422}
        made = client.post(at, params=sent, headers=TOKEN).json()
        assert (made["state"], made["comment"], made["verdict"]) == ("active", "asked <them>", "stale")
        assert client.get("/v1/acknowledgements").json()["items"] == [made]
        assert client.get("/healthz").json()["flags"] == {"raised": 1, "acknowledged": 1}
        metrics = client.get("/metrics").text
        for line in (
            'brain_flags_raised{verdict="stale"} 1.0', "brain_flags_acknowledged 1.0", "brain_night_duration_seconds 0.0",
            'brain_night_outcome{outcome="done"} 1.0', 'brain_night_outcome{outcome="killed"} 0.0',
            'brain_notices_undelivered{state="queued"} 0.0',
        ):  # fmt: skip
            assert line in metrics, line
        checked = re.search(r'^brain_catalog_checked_timestamp_seconds{catalog="cards"} (\S+)', metrics, re.MULTILINE)
        assert float(checked[1]) == moment(1, 0).timestamp()
        assert int(float(re.search(r"^brain_wal_bytes (\S+)", metrics, re.MULTILINE)[1])) >= 0
        assert client.get("/v1/claims").json()["items"][0]["acknowledgement"]["by"] == "alice"
        page = client.get("/claims/cheap-rent", headers={"Accept": "text/html"}).text
        assert "acknowledged by alice until" in page
        assert "asked &lt;them&gt;" in page
        assert "cheap-rent" in client.get("/", headers={"Accept": "text/html"}).text
        assert client.delete(at, headers=TOKEN).json() == {"claim": "cheap-rent", "ended": True}
        assert client.delete(at, headers=TOKEN).json()["ended"] is False
        assert [one["action"] for one in client.get("/v1/audit", headers=TOKEN).json()["items"]] == ["acknowledge"] * 2
        assert client.post("/v1/claims/nothing/acknowledgement", params=sent, headers=TOKEN).status_code == 404
    home.night(4)
    with home.open(token="t") as brain:
        flags = brain.alerts.flags("cheap-rent")
        brain.alerts.put_flags(one.model_copy(update={"lowered_at": day(4)}) for one in flags)
        with web_client(brain, lambda: moment(5), pages=False) as client:
            refused = client.post(at, params=sent, headers=TOKEN)
            assert (refused.status_code, refused.json()["type"]) == (409, "/problems/nothing-raised")


def test_claims_that_one_price_broke_are_one_notice_that_names_it(tmp_path):
    home = Home(tmp_path, {2: "2.40", 5: "1.80"})
    claim = (
        "  - {{id: {}, node: own/rents, says: S., as_of: 2026-01-01, {}"
        'value: \'price("acme/{}", "on_demand") * {}\', expect: {{at_most: {} USD/GPU/h}}}}\n'
    )
    lines = [claim.format(f"by-card-{number}", "owner: o, ", "card", number, 2 * number) for number in range(1, 21)]
    other = PRICE.replace("acme/card", "acme/other")
    rose = (("1", day(-270), f"to: {day(2)}, "), ("9", day(2), ""))
    cards = (home.vault / "cards.yaml").read_text()
    cards += "".join(other.format(value=value, start=start, end=end) for value, start, end in rose)
    claims = "".join(["claims:\n", *lines, claim.format("by-date", "", "other", 1, 2)])
    written(home.vault, {"many.yaml": claims, "cards.yaml": cards})
    with home.open() as brain:
        assert brain.ingest([home.vault], at=moment(1)).stored
    with Receiver() as receiver:
        for number in (1, 2, 5):
            home.night(number, receiver.url)
    assert kinds(receiver) == ["claims.raised", "claim.raised", "claims.returned"]
    broke = data(receiver, 0)
    assert (broke["cause"], broke["count"]) == ("acme/card on_demand 1.80 → 2.40 USD/GPU/h", 21)
    assert data(receiver, 1)["claim"] == "by-date"
    assert data(receiver, 2)["cause"] == "acme/card on_demand 2.40 → 1.80 USD/GPU/h"
    assert {one["owner"] for one in broke["claims"]} == {"o", None}


OPERATORS = re.compile(r"^brain_(?:night|notices|prices_held|database_bytes|wal|disk).*$", re.MULTILINE)


@pytest.mark.parametrize("token_first", [False, True])
def test_a_private_brain_leaves_the_operators_figures_as_they_are(tmp_path, token_first):
    """The scrape has no token: an alarm on a missing night or an undelivered notice must work beside a private brain."""
    home, closed = Home(tmp_path, {2: "2.40"}), "http://127.0.0.1:9/closed"
    home.night(2, closed)
    book = snapshots.pack([Catalog(name="litellm", prices=(), taken=day(2))])
    waiting = Waiting(snapshot=book.digest, against=book.digest, address="https://prices.example", at=moment(2))
    with home.open(token="t") as brain:
        brain.store.snapshots.put(book.digest, "litellm", book.text, moment(2))
        brain.store.metadata.put(f"{IN_USE}litellm", book.digest)
        brain.store.metadata.put(f"{HELD}litellm", dumps(waiting))
        brain.prices.put_policy(BrainPolicy(name="secretco", private=True), at=moment(2))
        with web_client(brain, lambda: moment(3), pages=False) as client:
            asked = [{}, TOKEN][:: -1 if token_first else 1]
            read = [client.get("/metrics", headers=headers).text for headers in asked]
            figures = [[line for line in OPERATORS.findall(text) if "disk_free" not in line] for text in read]
            assert figures[0] == figures[1]
            for line in (
                'brain_notices_undelivered{state="queued"} 1.0',
                'brain_night_outcome{outcome="not delivered"} 1.0',
                'brain_prices_held{catalog="litellm"} 0.0',
            ):
                assert line in figures[0], line
            size = float(re.search(r"^brain_database_bytes (\S+)", read[0], re.MULTILINE)[1])
            assert size == (home.path / "brain.db").stat().st_size
            assert "secretco" not in read[0]
