"""What an operator alarms on: the last night, the age of the prices, failing claims, notices and the disk.

The night, the catalogues on hold, the numbers of notices and the resources are those of the whole home, as they name
nothing of a private brain. What is counted by claim or named by document is that of the brains which the caller sees.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, get_args

from prometheus_client.core import GaugeMetricFamily, Metric

from api.brain import Brain
from compute.runs.nightly_job import Outcome

if TYPE_CHECKING:
    from api.services.nightly_steps import NightRecord
    from api.services.price_refresh import CatalogOnHold

OUTCOMES = (*get_args(Outcome), "running", "killed")
"""How the last night ended, or that it runs, or that it neither ended nor runs."""


def operator_metrics(brain: Brain, whole: Brain, at: datetime, held: Sequence[CatalogOnHold]) -> Iterator[Metric]:
    """Every family, at a time. `brain` is what the caller sees; `held` are the catalogues that wait for a decision."""
    yield from _night(whole)
    yield from _prices(brain, at, held)
    yield from _alerts(brain, at)
    yield from _notices(whole)
    yield from _resources(whole)


def _night(brain: Brain) -> Iterator[Metric]:
    from api.services.nightly_steps import last_night, night_is_running  # noqa: PLC0415  # takes 0.1 s of a start

    last = last_night(brain)
    if last is None:
        return
    yield _gauge("brain_night_start_timestamp_seconds", "When the last night began.", last.started_at.timestamp())
    if last.finished_at is not None:
        seconds = (last.finished_at - (last.resumed_at or last.started_at)).total_seconds()
        yield _gauge("brain_night_end_timestamp_seconds", "When the last night ended.", last.finished_at.timestamp())
        yield _gauge("brain_night_duration_seconds", "How long the last night took; after a kill, its rest.", seconds)
    outcome = _outcome(last, running=night_is_running(brain))
    shown = GaugeMetricFamily("brain_night_outcome", "1 for the outcome of the last night.", labels=("outcome",))
    for name in OUTCOMES:
        shown.add_metric((name,), float(name == outcome))
    yield shown


def _outcome(last: NightRecord, *, running: bool) -> str:
    if last.finished_at is not None:
        return last.outcome
    return "running" if running else "killed"


def _prices(brain: Brain, at: datetime, waiting: Sequence[CatalogOnHold]) -> Iterator[Metric]:
    checked = GaugeMetricFamily(
        "brain_catalog_checked_timestamp_seconds", "The day on which a catalogue was last checked.", labels=("catalog",)
    )
    for age in brain.prices.ages(at.date()):
        if age.kind == "catalog" and age.checked is not None:
            checked.add_metric((age.name,), datetime.combine(age.checked, time(), UTC).timestamp())
    yield checked
    held = GaugeMetricFamily(
        "brain_prices_held", "Prices out of bounds in catalogues that wait for a decision.", labels=("catalog",)
    )
    for one in waiting:
        held.add_metric((one.catalog,), len(one.moves) + len(one.lost))
    yield held


def _alerts(brain: Brain, at: datetime) -> Iterator[Metric]:
    counts = Counter(flag.verdict.value for flag in brain.alerts.flags(standing=True))
    raised = GaugeMetricFamily("brain_flags_raised", "Raised flags, acknowledged or not.", labels=("verdict",))
    for verdict, count in sorted(counts.items()):
        raised.add_metric((verdict,), count)
    yield raised
    seen = brain.acknowledgements.counts(at.date())["acknowledged"]
    yield _gauge("brain_flags_acknowledged", "Claims with a raised flag that somebody has acknowledged.", seen)


def _notices(brain: Brain) -> Iterator[Metric]:
    undelivered = brain.notices.undelivered()
    shown = GaugeMetricFamily(
        "brain_notices_undelivered", "Deliveries of notices that are queued or given up.", labels=("state",)
    )
    shown.add_metric(("queued",), undelivered.queued)
    shown.add_metric(("given_up",), undelivered.given_up)
    yield shown


def _resources(brain: Brain) -> Iterator[Metric]:
    home = brain.settings.home
    if brain.settings.db is None:
        file, log = home / "brain.db", home / "brain.db-wal"
        if file.exists():  # an unknown size is no size of 0
            yield _gauge("brain_database_bytes", "Size of the database.", file.stat().st_size)
            size = log.stat().st_size if log.exists() else 0
            yield _gauge("brain_wal_bytes", "Size of the write-ahead log; it stays at about 4 MB.", size)
    yield _gauge("brain_disk_free_bytes", "Free space on the disk of the data directory.", shutil.disk_usage(home).free)
    yield _gauge("brain_database_connections", "Database connections in use.", brain.used_connections())


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, help_text, float(value))
