"""What the service measures of itself, as Prometheus and OpenMetrics read it."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from api.brain import Brain
from api.http.middleware.operator_metrics import operator_metrics
from api.services.price_refresh import CatalogOnHold
from graph.store.versioned_cache import VersionedCache

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The upper bounds of the buckets of a request's duration, in seconds."""


class Metrics:
    """Counts requests; plain numbers, so that counting costs less than a microsecond."""

    def __init__(self) -> None:
        self.answers: Counter[tuple[str, int]] = Counter()
        self.buckets = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0
        self.began = time.time()
        self._held: VersionedCache | None = None

    def on_hold(self, brain: Brain) -> tuple[CatalogOnHold, ...]:
        """The catalogues that wait for a decision, compared with those in use once for a state of the store."""
        self._held = self._held or brain.cache(1)
        return self._held.get("held", brain.price_refresher.on_hold)

    def count(self, method: str, status: int, seconds: float) -> None:
        """One answer."""
        self.answers[method, status] += 1
        self.buckets[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds


class _Metrics(Collector):
    """The meter and the store, read for each request."""

    def __init__(self, meter: Metrics, brain: Brain, whole: Brain, at: datetime) -> None:
        self._meter, self._brain, self._whole, self._at = meter, brain, whole, at

    def collect(self) -> Iterator[Metric]:
        """Every family of figures."""
        yield from self._requests()
        yield from self._content()
        held = self._meter.on_hold(self._whole)
        yield from operator_metrics(self._brain, self._whole, self._at, held)

    def _requests(self) -> Iterator[Metric]:
        answers = CounterMetricFamily("brain_http_requests", "Answers given.", labels=("method", "status"))
        for (method, status), count in sorted(self._meter.answers.items()):
            answers.add_metric((method if method in METHODS else "other", str(status)), count)
        yield answers
        duration = HistogramMetricFamily("brain_http_request_duration_seconds", "Time until an answer begins.")
        duration.add_metric([], buckets=self._buckets(), sum_value=self._meter.seconds)
        yield duration
        yield GaugeMetricFamily("brain_process_start_time_seconds", "When the process began.", self._meter.began)

    def _buckets(self) -> list[tuple[str, float]]:
        total, found = 0, []
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self._meter.buckets, strict=True):
            total += count
            found.append((bound, float(total)))
        return found

    def _content(self) -> Iterator[Metric]:
        brain = self._brain
        nodes = GaugeMetricFamily("brain_nodes", "Nodes in the store.", labels=("kind",))
        for kind, count in brain.nodes.count().items():
            nodes.add_metric((kind.value,), count)
        yield nodes
        yield GaugeMetricFamily("brain_store_version", "Rises with every write.", brain.version())
        run = brain.ledger.latest_run()
        if run is None:
            return
        claims = GaugeMetricFamily("brain_claims", "Claims by verdict in the latest run.", labels=("verdict",))
        for verdict, count in sorted(run.counts.items()):
            claims.add_metric((verdict,), count)
        yield claims
        at = run.finished_at.replace(tzinfo=run.finished_at.tzinfo or UTC).timestamp()
        yield GaugeMetricFamily("brain_last_run_timestamp_seconds", "When the latest run ended.", at)


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def exposition(meter: Metrics, brain: Brain, whole: Brain, accept: str, at: datetime) -> tuple[bytes, str]:
    """All figures and their media type: OpenMetrics where that is accepted, else Prometheus text.

    `brain` is what the caller sees, `whole` the brain of the operator.
    """
    registry = CollectorRegistry()
    registry.register(_Metrics(meter, brain, whole, at))
    encode, media = choose_encoder(accept)
    return encode(registry), media
