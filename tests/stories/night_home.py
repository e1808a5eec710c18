"""A home with one claim whose price breaks its bound on a known day, and the processes that look at it."""

import json
from datetime import UTC, date, datetime, time, timedelta

from api.brain import Brain
from api.services.nightly_job import run_night
from api.settings import Settings
from graph.models.alert_models import Silence
from tests.compute.receivers import SECRET

NOTE = "---\ntitle: Rents\nbrain: own\n---\nAn hour of the card rents for under two dollars.\n"
CLAIM = """claims:
  - {{id: cheap-rent, node: own/rents, says: An hour of the card rents for under two dollars., as_of: 2026-01-01,
     tags: [gpu], for_runs: {for_runs}, value: 'price("acme/card", "on_demand")', expect: {{at_most: 2 USD/GPU/h}}}}
"""
PRICE = "  - {{item: acme/card, component: on_demand, value: {value} USD/GPU/h, from: {start}, {end}source: 'https://example.org/a', checked: 2026-03-01}}\n"


def day(number):
    """The day of March 2026 with this number; 32 is the first of April."""
    return date(2026, 2, 28) + timedelta(days=number)


def moment(number, hour=4):
    return datetime.combine(day(number), time(hour), UTC)


class Home:
    """The home, with prices by day in March: `prices={2: "2.40", 5: "1.80"}` breaks on the 2nd and returns on the 5th."""

    def __init__(self, folder, prices, for_runs=1):
        self.path, written = folder / "home", folder / "vault"
        written.mkdir()
        days = [(date(2025, 6, 1), "1.80"), *((day(number), value) for number, value in sorted(prices.items()))]
        cards = "catalog: cards\nprices:\n"
        for number, (start, value) in enumerate(days):
            end = f"to: {days[number + 1][0]}, " if number + 1 < len(days) else ""
            cards += PRICE.format(value=value, start=start, end=end)
        (written / "rents.md").write_text(NOTE)
        (written / "claims.yaml").write_text(CLAIM.format(for_runs=for_runs))
        (written / "cards.yaml").write_text(cards)
        self.vault = written
        with self.open() as brain:
            assert brain.ingest([written], at=moment(1)).stored

    def open(self, *urls, **settings):
        named = {"webhook_url": " ".join(urls), "webhook_secret": SECRET} if urls else {}
        return Brain.open(Settings(home=self.path, **{**named, **settings}))

    def night(self, number, *urls, **settings):
        """The nightly job of a day, by a process with the settings that name these receivers."""
        with self.open(*urls, **settings) as brain:
            return run_night(brain, lambda: moment(number), refresh=False)

    def by_hand(self, number, hour=9, as_of=None):
        """`brain verify` at an hour of a day, by a process without the webhook's settings."""
        with self.open() as brain:
            at = moment(number, hour)
            brain.verify(as_of or at.date(), at=at, clock=lambda: at)

    def silence(self, start, end, **rest):
        about = rest or {"claim": "cheap-rent"}
        with self.open() as brain:
            brain.alerts.put_silence(Silence(id="s", reason="known", since=day(start), until=day(end), **about))

    def flags(self):
        with self.open() as brain:
            return brain.alerts.flags()


def kinds(receiver):
    """The kinds of what a receiver got, in order, without the repeats of one id."""
    events = {headers["webhook-id"]: json.loads(body) for headers, body in receiver.got}
    return [event["type"].removeprefix("brain.") for event in events.values()]


def data(receiver, number=-1):
    return json.loads(receiver.got[number][1])["data"]
