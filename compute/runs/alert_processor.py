"""Updates flags and writes notices in the store, run by run; an interrupted run is repeated, so nothing is lost.

The store records the last processed run; later runs follow in order. A run for an earlier day than the last one, or for
another day than it was made on, changes no flags. If a clock was ahead, the runs until that day do change flags. Every
process writes the same notices, with or without receivers; `webhook_delivery` sends them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import cache

from compute.runs.flag_rules import FlagChanges
from compute.runs.owed_notices import FlagReport, NoticeWriter, owed_notices, reported
from graph.groups import group_by
from graph.models.alert_models import Notice
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import Run
from graph.store import Store

Moved = Callable[[int, Sequence[str]], Mapping[str, str]]

_LAST_RUN, _LAST_DAY, _OBSERVED = "flags.run", "flags.day", "flags.observed"


class AlertProcessor:
    """Processes the runs of a store. `source` is the address of the service, the source of its notices."""

    def __init__(
        self, store: Store, source: str, *, remind_days: int = 7, moved: Moved = lambda _run, _claims: {}
    ) -> None:
        """Raised flags are reported again after `remind_days` (0: never); `moved` names what moved in a run."""
        self._store, self._source, self._remind_days, self._moved = store, source, remind_days, moved

    def catch_up(self, at: datetime) -> tuple[Notice, ...]:
        """Update flags up to the latest run and write the notices that are owed; returns them, the oldest first.

        Without a new run it writes what is due since: after a silence, and reminders.
        """
        last = self._last()
        fresh = [run for run in reversed(self._store.ledger.runs()) if run.id > last]
        found = [notice for run in fresh for notice in self._look(run, at)]
        if not fresh:
            with self._store.transaction():
                found += self._report(at)
        return tuple(found)

    def _last(self) -> int:
        """The last processed run; 0 if there is none."""
        return int(self._store.metadata.get(_LAST_RUN) or 0)

    def _look(self, run: Run, at: datetime) -> list[Notice]:
        """Process one run and record it as processed, in one transaction."""
        with self._store.transaction():
            if run.id <= self._last():
                return []  # another process has processed it
            if self._is_observation(run, at):
                self._observe(run)
            self._store.metadata.put(_LAST_RUN, str(run.id))
            return self._report(at)

    def _is_observation(self, run: Run, at: datetime) -> bool:
        if run.replayed or not run.of_its_day or run.as_of > at.date():
            return False
        noted = date.fromisoformat(self._store.metadata.get(_LAST_DAY) or date.min.isoformat())
        return run.as_of >= noted or noted > at.date()

    def _observe(self, run: Run) -> None:
        """Update the flags by a run, compared with the last one used."""
        ledger, last = self._store.ledger, self._store.metadata.get(_OBSERVED)
        new_rules = last is not None and ledger.run(int(last)).method != run.method
        changes = ledger.changes(int(last), run.id) if last is not None and not new_rules else ()
        held = frozenset(name for name, old, _ in changes if old and old.verdict is VerdictName.HOLDS)
        turns = FlagChanges(cache(self._store.claims.find), run.id, run.as_of, new_rules=new_rules, held=held)
        turns.advance(self._store.alerts.flags(over=False), ledger.rows(run.id))
        self._store.alerts.remove_flags(turns.forget)
        self._store.alerts.put_flags(turns.keep)
        self._store.metadata.put(_LAST_DAY, run.as_of.isoformat())
        self._store.metadata.put(_OBSERVED, str(run.id))

    def _report(self, at: datetime) -> list[Notice]:
        """Write the notices owed on the day of `at`, and record them."""
        flags = (*self._store.alerts.flags(standing=True), *self._store.alerts.flags(owing=True))
        if not flags:
            return []
        # of a store from an older program, the last processed run is the last that moved flags
        run = self._store.ledger.run(int(self._store.metadata.get(_OBSERVED) or self._last()))
        find = cache(self._store.claims.find)
        found = self._store.ledger.rows(run.id, claims={flag.claim for flag in flags})
        rows, silences = {row.claim: row for row in found}, self._store.alerts.silences()
        owed = owed_notices(flags, rows, find, silences, on=at.date(), remind_days=self._remind_days)
        identity = self._store.metadata.identity()
        writer = NoticeWriter(run, at, self._source, find, store=identity, causes=self._causes)
        written = writer.notices(owed)
        notice_of = {(one.claim, one.flag.first_run): notice.id for notice, reports in written for one in reports}
        self._store.notices.put(notice for notice, _ in written)
        self._store.alerts.put_flags(reported(owed, notice_of, at.date()))
        return [notice for notice, _ in written]

    def _causes(self, reports: Sequence[FlagReport]) -> dict[str, str]:
        """What moved for each claim in the run that changed it."""
        found: dict[str, str] = {}
        by_run = group_by(reports, lambda one: one.flag.first_run if one.flag.standing else one.flag.lowered_run)
        for run, owed in by_run.items():
            found |= {} if run is None else self._moved(run, [one.claim for one in owed])
        return found
