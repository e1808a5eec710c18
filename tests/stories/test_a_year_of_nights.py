"""A year of nights with price changes, runs by hand, silences, crashes and receivers that fail, from a fixed seed.

The expected notices come from `OwedModel`, a small model of its own: it sees only the price of each claim on each
processed run, the day of processing, and the silences. It shares no code with the flags and notices that it checks.
"""

import json
import random
import threading
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from sqlalchemy import select
from standardwebhooks.webhooks import Webhook

from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Catalog, Price
from compute.runs.alerts import AlertProcessor
from compute.runs.notice_delivery import total
from compute.runs.webhook_delivery import Webhooks
from graph.models.alert_models import Silence
from graph.models.claim_models import Claim, Expectation
from graph.store import Store
from graph.store.schema import receivers
from tests.compute.made import append_run, verify
from tests.compute.receivers import SECRET

FIRST = date(2026, 1, 1)
DAYS = 365
SEED = 7
SECOND_RECEIVER_FROM = 120
PATIENT, IMPATIENT = 120, 0.15
"""Seconds that a client waits. Impatient it is only with what never answers: a receiver that took a notice and answered
too late for a busy machine would rightly get it again, and this test could not tell that from a notice sent twice.
"""
FOR_RUNS = {"c0": 1, "c1": 2, "c2": 1, "c3": 3}
TAGS = {"c0": "gpu", "c1": "gpu", "c2": "llm", "c3": "llm"}
CLAIMS = [
    Claim(
        id=name, node=f"acme/{name}", says="It costs at most 3 dollars.", as_of=FIRST - timedelta(days=20), tags=(TAGS[name],),
        value=f'price("acme/{name}", "input")', expect=Expectation(form="at_most", bound="3 USD/Mtok"), for_runs=FOR_RUNS[name],
    )
    for name in FOR_RUNS
]  # fmt: skip


class CrashError(Exception):
    """The process ends here."""


class OwedModel:
    """What is owed: a claim is a state and a count of days, a notice a kind and some claims."""

    def __init__(self):
        self.bad, self.last, self.up, self.told, self.over = {}, {}, set(), {}, set()
        self.log = []  # (kind, claims), in order of writing

    def run(self, found, on):
        """A processed run for the day `on`: the state of each claim, "holds", "fault" or "blind"."""
        for claim, state in found.items():
            for kind in ("fault", "blind"):
                if state == kind:
                    self._count_failure((claim, kind), on)
                elif state != "blind":
                    self._gone((claim, kind))

    def _count_failure(self, key, on):
        if self.last.get(key) != on:
            self.bad[key] = self.bad.get(key, 0) + 1
            self.last[key] = on
        if self.bad[key] >= FOR_RUNS[key[0]]:
            self.up.add(key)

    def _gone(self, key):
        self.bad.pop(key, None)
        self.last.pop(key, None)
        if key in self.up:
            self.up.discard(key)
            if self.told.pop(key, None):
                self.over.add(key)

    def report(self, today, silent):
        """What is written on the day of processing."""
        loud = [key for key in sorted(self.up | self.over) if key[0] not in silent]
        reminded = [key for key in loud if key in self.told]
        up = [key for key in loud if key in self.up and key not in self.told]
        down = [key for key in loud if key in self.over and key not in self.up]
        single = {"raised": (up, "fault"), "returned": (down, "fault")}
        for kind, (keys, state) in single.items():
            self.log += [(f"claim.{kind}", (claim,)) for claim, each in keys if each == state]
        for kind, keys in (("unchecked", up), ("checked-again", down)):
            if blind := tuple(claim for claim, each in keys if each == "blind"):
                self.log.append((f"claims.{kind}", blind))
        if any(today - self.told[key] >= timedelta(days=7) for key in reminded):
            self.log.append(("claims.reminder", tuple(sorted(claim for claim, _ in reminded))))
            self.told.update(dict.fromkeys(reminded, today))
        self.told.update(dict.fromkeys(up, today))
        self.over -= set(loud)


class Post:
    """A real receiver on a port of its own that can refuse, hang, answer with an error, or work."""

    def __init__(self):
        self.mood, self.accepted, self.seen, self.port = "works", [], Counter(), 0
        self._hung = threading.Event()
        self.up()

    def up(self, hangs=False):
        """Listen; a receiver that hangs takes nothing from whom it let connect, however late that request is read."""
        post = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                assert self.headers["webhook-signature"] == _signature(self.headers, body)
                if hangs:
                    post._hung.wait(5)
                    return
                status = {"works": 204, "fails": 503}.get(post.mood) or post.dice.choice((204, 500))
                if status == 204:
                    post.accepted.append((self.headers["webhook-id"], body))
                self.send_response(status)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_port
        self._hung.clear()
        threading.Thread(target=self.server.serve_forever, args=(0.005,), daemon=True).start()

    def down(self):
        self._hung.set()
        self.server.shutdown()
        self.server.server_close()

    @contextmanager
    def feeling(self, mood, dice):
        self.mood, self.dice = mood, dice
        if mood in ("refuses", "hangs"):
            self.down()
        if mood == "hangs":
            self.up(hangs=True)
        try:
            yield
        finally:
            self.mood = "works"
            if mood == "hangs":
                self.down()
            if mood in ("refuses", "hangs"):
                self.up()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/hook"

    def entries(self):
        """What a receiver that knows ids has: each notice once, in the order of arrival."""
        found = {}
        for notice_id, body in self.accepted:
            assert found.setdefault(notice_id, body) == body, "one id, one body"
        return [_entry(json.loads(body)) for body in found.values()]


def _signature(headers, body):
    at = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
    return Webhook(SECRET).sign(headers["webhook-id"], at, body.decode())


def _entry(event):
    about = event["data"]
    claims = [about["claim"]] if "claim" in about else [each["claim"] for each in about["claims"]]
    return event["type"].removeprefix("brain."), tuple(sorted(claims))


class Year:
    """The year: a store, prices that change, processes that look at them, and what the model says about it."""

    def __init__(self, store, seed):
        self.store, self.dice = store, random.Random(seed)
        self.model, self.day, self.states, self.served = OwedModel(), 0, {}, None
        self.values = dict.fromkeys(FOR_RUNS, "2")
        self.first, self.second = Post(), Post()
        self.crash_after, self.sent_before_a_crash = None, set()
        self.owed_to_second, self.latest = None, None
        self.outcomes = Counter()
        store.claims.put("claims.yaml", CLAIMS)
        self._plant_crashes()

    # --- the steps of a night -----------------------------------------------------------------------------------

    def night(self, at, refresh):
        if refresh and self.dice.random() >= 0.1:
            for name, value in self.values.items():
                if self.dice.random() < 0.12:
                    self.values[name] = self.dice.choice([other for other in ("2", "4", "5", None) if other != value])
        book = CatalogBook([self._catalog()])
        append_run(self.store, verify(CLAIMS, book, self.as_of), book, at, self.as_of)
        AlertProcessor(self.store, "https://brain.example").catch_up(at)
        return total([hook.deliver(self.store.notices, lambda: at) for hook in self.hooks])

    def _catalog(self):
        def price(name, value, start, end=None):
            return Price(item=f"acme/{name}", component="input", value=Decimal(value), unit="USD/Mtok", catalog="cards", valid_from=start, valid_to=end)  # fmt: skip

        then = [price(name, "2", FIRST - timedelta(days=60), FIRST - timedelta(days=1)) for name in self.values]
        now = [price(name, value, FIRST - timedelta(days=1)) for name, value in self.values.items() if value]
        return Catalog(name="cards", prices=(*then, *now), taken=FIRST)

    # --- crashes ------------------------------------------------------------------------------------------------

    def _plant_crashes(self):
        """Count down before each write of the store, before its commit and after it; the process ends at zero."""
        begin = self.store._locked

        @contextmanager
        def counted():
            self._step()
            with begin() as work:
                yield work
                self._step()
            self._step()

        self.store._locked = counted

    def _step(self):
        if self.crash_after is not None:
            self.crash_after -= 1
            if self.crash_after < 0:
                raise CrashError

    # --- processes ----------------------------------------------------------------------------------------------

    def today(self):
        return FIRST + timedelta(days=self.day)

    def process(self, hour, *, hooks=(), refresh=True, back=0, crash=None):
        """One process, at night or by hand, with the receivers of its settings; it looks at the day `back` days ago."""
        at = datetime.combine(self.today(), datetime.min.time(), UTC) + timedelta(hours=hour)
        self.as_of, self.hooks, self.crash_after = self.today() - timedelta(days=back), hooks, crash
        known = {post: len(post.accepted) for post in (self.first, self.second)}
        delivered = None
        try:
            delivered = self.night(at, refresh)
        except CrashError:
            self.outcomes["crashed"] += 1
            for post, count in known.items():
                self.sent_before_a_crash |= {notice_id for notice_id, _ in post.accepted[count:][-1:]}
        finally:
            self.crash_after = None
        self._update_model(hooks)
        return delivered

    def _update_model(self, hooks):
        """Let the model see the runs whose processing was committed, and from when on the second receiver counts."""
        processed = int(self.store.metadata.get("flags.run") or 0)
        for run in sorted(run.id for run in self.store.ledger.runs(30) if run.id not in self.states):
            prices = dict(self.values)
            self.states[run] = {claim: _state(value) for claim, value in prices.items()}
        for run in sorted(self.states):
            if (self.served or 0) < run <= processed:
                self._processed(run)
                self.served = run
        known = self.second_hook.receiver if self.day >= SECOND_RECEIVER_FROM else None
        if known and self.owed_to_second is None and self.second_hook in hooks and self._registered(known):
            still = {claim for claim, kind in self.model.told}
            self.owed_to_second = (len(self.model.log), still)

    def _registered(self, receiver):
        with self.store.reading() as sql:
            return sql.execute(select(receivers.c.id).where(receivers.c.id == receiver)).first() is not None

    def _processed(self, number):
        run = self.store.ledger.run(number)
        if self.latest is None or run.as_of >= self.latest:
            self.model.run(self.states[number], run.as_of)
            self.latest = run.as_of
        self.model.report(self.today(), self._silent())

    def _silent(self):
        found = set()
        for silence in self.store.alerts.silences():
            if silence.since <= self.today() < silence.until:
                found |= {name for name in FOR_RUNS if silence.claim == name or silence.tag == TAGS[name]}
        return found

    def play(self):
        self.first_hook, self.second_hook = (Webhooks(one.url, SECRET) for one in (self.first, self.second))
        self.first_hook.tries, self.second_hook.tries = 2, 1
        self.first_hook.seconds = self.second_hook.seconds = PATIENT
        for self.day in range(DAYS):
            self._play_day()
        for self.day in range(DAYS, DAYS + 3):
            self.process(4, hooks=(self.first_hook, self.second_hook), refresh=False)

    def _play_day(self):
        dice, hooks = self.dice, (self.first_hook, *((self.second_hook,) if self.day >= SECOND_RECEIVER_FROM else ()))
        if dice.random() < 0.06:
            about = dice.choice([{"claim": dice.choice(list(FOR_RUNS))}, {"tag": dice.choice(["gpu", "llm"])}])
            until = self.today() + timedelta(days=dice.randint(1, 15))
            silence = Silence(id=f"s{self.day}", reason="known", since=self.today(), until=until, **about)
            self.store.alerts.put_silence(silence)
        if dice.random() < 0.02:
            for silence in self.store.alerts.silences():
                self.store.alerts.remove_silence(silence.id)
        for hour in range(dice.choice((0, 0, 0, 1, 2))):
            back, sends = dice.choice((0, 0, 0, 3)), dice.random() < 0.3
            self.process(1 + hour, hooks=hooks if sends else (), refresh=dice.random() < 0.3, back=back)
        moods = ["works"] * 12 + ["fails", "fails", "shaky", "refuses", "refuses"]
        mood = "fails" if 200 <= self.day < 240 else "hangs" if self.day % 60 == 59 else dice.choice(moods)
        crash = dice.randrange(14) if dice.random() < 0.15 else None
        self.first_hook.seconds = IMPATIENT if mood == "hangs" else PATIENT
        with self.first.feeling(mood, dice):
            delivered = self.process(4, hooks=hooks, crash=crash)
        self.first_hook.seconds = PATIENT
        self.outcomes[mood] += 1
        if delivered and delivered.failed:
            self.outcomes["failed"] += 1
        if crash is not None and dice.random() < 0.5:
            self.process(6, hooks=hooks, refresh=False)


def _state(value):
    return "blind" if value is None else "fault" if Decimal(value) > 3 else "holds"


def of_claim(entries, claim):
    return [kind for kind, claims in entries if claim in claims and kind != "claims.reminder"]


def counted(entries):
    return Counter(entry for entry in entries if entry[0] != "claims.reminder")


@pytest.fixture
def year(tmp_path):
    with Store.open(tmp_path / "brain.db") as store:
        played = Year(store, SEED)
        try:
            played.play()
            yield played
        finally:
            played.first.down()
            played.second.down()


def test_notices_sent_equal_notices_owed(year):
    expected, got = year.model.log, year.first.entries()
    written = [_entry(json.loads(notice.body)) for notice in reversed(year.store.notices.latest(10_000))]
    assert written == expected
    assert counted(got) == counted(expected)
    for claim in FOR_RUNS:
        assert of_claim(got, claim) == of_claim(expected, claim), "in the order in which it happened"
    reminders = [entry for entry in expected if entry[0] == "claims.reminder"]
    assert not Counter(entry for entry in got if entry[0] == "claims.reminder") - Counter(reminders)
    assert year.store.notices.pending(year.first_hook.receiver) == ()

    known, still = year.owed_to_second
    late = year.second.entries()
    assert counted(late) - counted(expected) == Counter()
    since = counted(expected[known:])
    assert not since - counted(late), "everything since it was registered"
    before = counted(late) - since
    assert {claim for _, claims in before for claim in claims} >= still, "and what was raised then"
    assert all(kind in {"claim.raised", "claims.unchecked"} for kind, _ in before)

    for post in (year.first, year.second):
        repeats = {notice_id for notice_id, count in Counter(one for one, _ in post.accepted).items() if count > 1}
        assert repeats <= year.sent_before_a_crash, "twice only where the process ended before it noted the success"

    kinds = {kind for kind, _ in expected}
    assert kinds == {"claim.raised", "claim.returned", "claims.unchecked", "claims.checked-again", "claims.reminder"}
    assert len(expected) > 60
    assert min(year.outcomes[each] for each in ("crashed", "failed", "refuses", "hangs", "shaky", "fails")) >= 4
