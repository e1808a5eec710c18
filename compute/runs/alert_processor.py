"""Updates flags and notices in the store, run by run; nothing is lost if the process ends between two steps.

The store records the last processed run. Later runs are processed in order; a run for an earlier day than the last one,
or for another day than the one on which it was made, is skipped.
"""

from __future__ import annotations

from datetime import date, datetime

from compute.runs.flag_rules import FlagPolicy, advance
from compute.runs.notice_writer import NoticeWriter
from graph.models.alert_models import Notice
from graph.models.claim_models import Claim, Run
from graph.store import Store, UnknownClaimError

_LAST_RUN, _LAST_DAY = "flags.run", "flags.day"


class AlertProcessor:
    """Processes the runs of a store. `source` is the address of the service; `send` is False without a receiver."""

    def __init__(self, store: Store, source: str, *, send: bool = True, calm: FlagPolicy | None = None) -> None:
        self._store, self._source, self._send, self._calm = store, source, send, calm or FlagPolicy()

    def catch_up(self, at: datetime) -> tuple[Notice, ...]:
        """Update flags and outbox up to the latest run; returns the new notices, the oldest first."""
        last = self._last()
        fresh = [run for run in self._store.ledger.runs() if run.id > last]
        return tuple(notice for run in reversed(fresh) for notice in self._look(run, at))

    def _last(self) -> int:
        """The last processed run; 0 if there is none."""
        return int(self._store.metadata.get(_LAST_RUN) or 0)

    def _look(self, run: Run, at: datetime) -> list[Notice]:
        """Process one run and record it as processed, in one transaction."""
        with self._store.transaction():
            if run.id <= self._last():
                return []  # another process has processed it
            notices = self._observe(run, at) if self._is_observation(run, at) else []
            self._store.metadata.put(_LAST_RUN, str(run.id))
        return notices

    def _is_observation(self, run: Run, at: datetime) -> bool:
        noted = self._store.metadata.get(_LAST_DAY)
        return run.of_its_day and run.as_of <= at.date() and (noted is None or run.as_of >= date.fromisoformat(noted))

    def _observe(self, run: Run, at: datetime) -> list[Notice]:
        turns = advance(
            self._store.alerts.flags(over=False),
            self._store.ledger.rows(run.id),
            self._find,
            run=run.id,
            on=run.as_of,
            silences=self._store.alerts.silences(),
            calm=self._calm,
        )
        notices = NoticeWriter(run, at, self._source, self._find, send=self._send).notices(turns)
        self._store.alerts.remove_flags(turns.forget)
        self._store.alerts.put_flags(turns.keep)
        self._store.alerts.put_notices(notices)
        self._store.metadata.put(_LAST_DAY, run.as_of.isoformat())
        return notices

    def _find(self, claim_id: str) -> Claim | None:
        try:
            return self._store.claims.get(claim_id)
        except UnknownClaimError:
            return None
