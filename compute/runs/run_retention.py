"""Which runs of the ledger to keep, and the removal of the others.

    90d,52w,10y     of the last 90 days the latest run of each day, of 52 weeks of each week, of 10 years of each year

Never removed are the first and the latest run, each run in which a verdict changed with the run before it, and those
that flags and notices refer to. So changes, and the record by the ledger, say the same after the removal. A run for
another day than the one on which it was made is never removed either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from compute.runs.run_ledger import BOOKS, MANIFESTS
from graph.models.verdict_models import Run
from graph.store import Store
from graph.values import Value

_TIER = re.compile(r"([1-9]\d{0,4})([dwmy])")
_UNITS: Mapping[str, tuple[int, Callable[[date], object]]] = {
    "d": (1, lambda on: on),
    "w": (7, lambda on: on.isocalendar()[:2]),
    "m": (31, lambda on: (on.year, on.month)),
    "y": (366, lambda on: on.year),
}
"""The units of a policy: their days, and what is the same for all days of one unit."""

_RUN_SUBJECT = re.compile(r"run/(\d+)")
_RUN_IN_BODY = re.compile(r'"run":\s*(\d+)')
_NOTICES = 1_000_000


class PolicyError(ValueError):
    """A policy of retention that cannot be read."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is no policy; write it as 90d,52w,10y: days, weeks, months (m) and years")


class Tier(NamedTuple):
    """Of the last `number` units, d, w, m or y, the latest run of each stays."""

    number: int
    unit: str


class Pruning(Value):
    """Runs that were removed, or would be; how many remain; how many snapshots only the removed ones used."""

    removed: tuple[int, ...]
    kept: int
    snapshots: int


def policy(text: str) -> tuple[Tier, ...]:
    """A policy from its text. Raises `PolicyError`."""
    found = [_TIER.fullmatch(part.strip()) for part in text.split(",")]
    if not all(found):
        raise PolicyError(text)
    return tuple(Tier(int(one[1]), one[2]) for one in found if one)


def prune(store: Store, tiers: Sequence[Tier], today: date, *, dry_run: bool = False) -> Pruning:
    """Remove the runs that neither the policy nor anything else keeps, with the snapshots that only they used."""
    with store.transaction():
        runs = store.ledger.present_runs()[::-1]
        keep = _by_policy(runs, tiers, today) | _runs_with_changes(store, runs) | _referred(store)
        gone = [run for run in runs if run.id not in keep]
        unused = _unused(store, {run.id for run in gone})
        if gone and not dry_run:
            store.ledger.remove(gone)
            for digest, catalog in unused:
                store.snapshots.remove(digest, catalog)
        kept = len(store.ledger.runs()) - (len(gone) if dry_run else 0)
    return Pruning(removed=tuple(run.id for run in gone), kept=kept, snapshots=len(unused))


def _by_policy(runs: Iterable[Run], tiers: Iterable[Tier], today: date) -> set[int]:
    """The latest run of each unit of each tier; `runs` in their order."""
    latest: dict[tuple[Tier, object], int] = {}
    for tier in tiers:
        days, unit_of = _UNITS[tier.unit]
        since = today - timedelta(days=min(tier.number * days, today.toordinal() - 1))
        latest |= {(tier, unit_of(run.as_of)): run.id for run in runs if run.as_of > since}
    return set(latest.values())


def _runs_with_changes(store: Store, runs: Sequence[Run]) -> set[int]:
    """The first and the latest run, and both runs of each pair between which a verdict or the set of claims differs."""
    found = {run.id for run in (*runs[:1], *runs[-1:])}
    for before, after in pairwise(runs):
        if store.ledger.differing(before.id, after.id):
            found |= {before.id, after.id}
    return found


def _referred(store: Store) -> set[int]:
    """The runs that flags, notices, and the record of processed runs refer to."""
    found = {int(text) for key, text in store.metadata.under("flags.").items() if key in {"run", "observed"}}
    for flag in store.alerts.flags():
        found |= {run for run in (flag.first_run, flag.raised_run, flag.lowered_run) if run is not None}
    for notice in store.notices.latest(_NOTICES):
        found |= {int(run) for run in _RUN_SUBJECT.findall(notice.subject) + _RUN_IN_BODY.findall(notice.body)}
    return found


def _unused(store: Store, gone: set[int]) -> list[tuple[str, str]]:
    """The snapshots and manifests that only removed runs used, with their names, and that no catalogue refers to."""
    made = [(run.id, digest) for run in store.ledger.runs() for digest in (run.snapshot, run.rules)]
    made += [(part.run, digest) for part in store.ledger.parts() for digest in (part.snapshot, part.rules)]
    unused = {digest for run, digest in made if run in gone} - {digest for run, digest in made if run not in gone}
    texts = "\n".join(store.metadata.under("prices.").values())
    kept = store.snapshots.all(BOOKS, MANIFESTS)
    return [(one.hash, one.catalog) for one in kept if one.hash in unused and one.hash not in texts]
