"""Metrics of the service for Prometheus and OpenMetrics: of the complete home where nothing of private brains shows."""

from __future__ import annotations

import shutil
import time
from collections import Counter as Counts
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from datetime import time as clock
from typing import get_args

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from api.brain import Brain
from compute.runs.night_models import Outcome

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the buckets of a request's duration, in seconds."""
OUTCOMES = (*get_args(Outcome), "running", "killed")  # how the last night ended; `killed`: it neither ended nor runs
disable_created_metrics()  # type: ignore[no-untyped-call]  # so in the package


class Metrics:
    """Counts requests."""

    def __init__(self) -> None:
        self.counted = CollectorRegistry()
        self._answers = Counter("brain_http_requests", "Answers given.", ("method", "status"), registry=self.counted)
        self._seconds = Histogram(
            "brain_http_request_duration_seconds",
            "Time until an answer begins.",
            buckets=BOUNDS,
            registry=self.counted,
        )
        self.began = time.time()

    def count(self, method: str, status: int, seconds: float) -> None:
        """Count one answer."""
        self._answers.labels(method if method in METHODS else "other", str(status)).inc()
        self._seconds.observe(seconds)


@dataclass(frozen=True)
class _Metrics(Collector):
    """All metrics at a time; `brain` is what the caller may read, `whole` the brain of the operator."""

    meter: Metrics
    brain: Brain
    whole: Brain
    at: datetime

    def collect(self) -> Iterator[Metric]:
        """All metrics, read for each request."""
        yield from self.meter.counted.collect()
        yield Gauge("brain_process_start_time_seconds", "When the process began.", self.meter.began)
        yield from self._content()
        yield from self._night()
        yield from self._prices()
        yield from self._flags()
        yield from self._resources()

    def _content(self) -> Iterator[Metric]:
        kinds = ((kind.value, count) for kind, count in self.brain.nodes.count().items())
        yield _gauges("brain_nodes", "Nodes in the store.", "kind", kinds)
        yield Gauge("brain_store_version", "Rises with every write.", self.brain.version())
        if run := self.brain.ledger.latest_run():
            counts = sorted(run.counts.items())
            yield _gauges("brain_claims", "Claims by verdict in the latest run.", "verdict", counts)
            at = run.finished_at.replace(tzinfo=run.finished_at.tzinfo or UTC).timestamp()
            yield Gauge("brain_last_run_timestamp_seconds", "When the latest run ended.", at)

    def _night(self) -> Iterator[Metric]:
        from api.services.nightly_job import last_night, night_is_running  # noqa: PLC0415  # takes 0.1 s of a start

        last = last_night(self.whole)
        if last is None:
            return
        yield Gauge("brain_night_start_timestamp_seconds", "When the last night began.", last.started_at.timestamp())
        outcome = last.outcome
        if last.finished_at is None:
            outcome = "running" if night_is_running(self.whole) else "killed"
        else:
            ended, took = last.finished_at.timestamp(), last.finished_at - (last.resumed_at or last.started_at)
            yield Gauge("brain_night_end_timestamp_seconds", "When the last night ended.", ended)
            long = "Duration of the last nightly job, without the part before a kill."
            yield Gauge("brain_night_duration_seconds", long, took.total_seconds())
        outcomes = ((name, name == outcome) for name in OUTCOMES)
        yield _gauges("brain_night_outcome", "1 for the outcome of the last night.", "outcome", outcomes)

    def _prices(self) -> Iterator[Metric]:
        checked = (
            (age.name, datetime.combine(age.checked, clock(), UTC).timestamp())
            for age in self.brain.prices.ages(self.at.date())
            if age.kind == "catalog" and age.checked is not None
        )
        day = "The day on which a catalogue was last checked."
        yield _gauges("brain_catalog_checked_timestamp_seconds", day, "catalog", checked)
        held = ((one.catalog, len(one.moves) + len(one.lost)) for one in self.whole.price_refresher.on_hold())
        waiting = "Prices out of bounds in catalogues that wait for a decision."
        yield _gauges("brain_prices_held", waiting, "catalog", held)

    def _flags(self) -> Iterator[Metric]:
        counts = Counts(flag.verdict.value for flag in self.brain.alerts.flags(standing=True))
        raised = "Raised flags, acknowledged or not."
        yield _gauges("brain_flags_raised", raised, "verdict", sorted(counts.items()))
        seen = self.brain.status.acknowledgements.counts(self.at.date())["acknowledged"]
        acknowledged = "Claims with a raised flag that somebody has acknowledged."
        yield Gauge("brain_flags_acknowledged", acknowledged, seen)
        left = self.whole.notices.undelivered()
        states = (("queued", left.queued), ("given_up", left.given_up))
        queued = "Deliveries of notices that are queued or given up."
        yield _gauges("brain_notices_undelivered", queued, "state", states)

    def _resources(self) -> Iterator[Metric]:
        home = self.whole.settings.home
        file, log = home / "brain.db", home / "brain.db-wal"
        if self.whole.settings.db is None and file.exists():  # an unknown size is no size of 0
            yield Gauge("brain_database_bytes", "Size of the database.", file.stat().st_size)
            size = log.stat().st_size if log.exists() else 0
            yield Gauge("brain_wal_bytes", "Size of the write-ahead log; it stays at about 4 MB.", size)
        free = shutil.disk_usage(home).free
        yield Gauge("brain_disk_free_bytes", "Free space on the disk of the data directory.", free)
        used = self.whole.used_connections()
        yield Gauge("brain_database_connections", "Database connections in use.", used)


def _gauges(name: str, about: str, label: str, values: Iterable[tuple[str, float]]) -> Metric:
    """One gauge for each value of a label."""
    found = Gauge(name, about, labels=(label,))
    for value, count in values:
        found.add_metric((value,), float(count))
    return found


def exposition(meter: Metrics, brain: Brain, accept: str, at: datetime) -> tuple[bytes, str]:
    """All metrics and their media type: OpenMetrics if that is accepted, else Prometheus text."""
    registry = CollectorRegistry()
    registry.register(_Metrics(meter, brain, brain.whole, at))
    encode, media = choose_encoder(accept)
    return encode(registry), media
