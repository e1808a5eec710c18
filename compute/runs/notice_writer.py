"""Writes the flag changes of a run as notices (CloudEvents), grouped to keep them few.

    raised, returned     one notice per claim; from `GROUPED` claims on, one for all
    unchecked            one for the run, with its causes: one missing catalogue leaves many claims unchecked
    checked again        one for the run

The body of a notice is written once, so that every attempt to deliver it sends the same bytes under the same id.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from compute.claims.claim_cases import Find
from compute.runs.flag_rules import FlagChange, FlagChanges
from graph.models.alert_models import Notice
from graph.models.claim_models import Run
from graph.values import dumps

GROUPED = 25
"""From this many changes of one kind in a run, one notice reports them all."""

LISTED = 100
"""A notice lists at most this many claims and counts the rest."""


class NoticeWriter:
    """Writes the notices of one run. `source` is the address of the service or a name for it.

    Without a receiver (`send` is False) the feeds still list them, but no delivery is due.
    """

    def __init__(self, run: Run, at: datetime, source: str, find: Find, *, send: bool = True) -> None:
        self._run, self._at, self._source, self._find, self._send = run, at, source, find, send

    def notices(self, turns: FlagChanges) -> list[Notice]:
        """The notices of the changes, without silenced ones; the same run gives the same ids."""
        found = [
            *self._each("raised", turns.raised),
            *self._each("returned", turns.returned),
            *self._all("unchecked", turns.unchecked),
            *self._all("checked-again", turns.checked_again),
        ]
        return list(found)

    def _each(self, kind: str, turns: Sequence[FlagChange]) -> Iterable[Notice]:
        loud = [turn for turn in turns if turn.silent is None]
        if len(loud) >= GROUPED:
            return self._all(kind, turns)
        return [self._notice(f"claim.{kind}", turn.claim, self._of_claim(turn)) for turn in loud]

    def _all(self, kind: str, turns: Sequence[FlagChange]) -> Iterable[Notice]:
        loud = [turn for turn in turns if turn.silent is None]
        if not loud:
            return []
        causes = Counter(turn.row.reason or turn.flag.reason for turn in loud)
        data = {
            "run": self._run.id,
            "as_of": self._run.as_of,
            "count": len(loud),
            "claims": [self._of_claim(turn) for turn in loud[:LISTED]],
            "causes": [{"reason": reason, "claims": count} for reason, count in causes.most_common(LISTED)],
        }
        return [self._notice(f"claims.{kind}", f"run/{self._run.id}", data)]

    def _of_claim(self, turn: FlagChange) -> dict[str, object]:
        claim = self._find(turn.claim)
        return {
            "claim": turn.claim,
            "node": claim.node if claim else None,
            "says": claim.says if claim else None,
            "severity": claim.severity if claim else None,
            "verdict": turn.row.verdict,
            "before": turn.before,
            "value": turn.row.value,
            "unit": turn.row.unit,
            "margin": turn.row.margin,
            "reason": turn.row.reason,
            "run": self._run.id,
            "as_of": self._run.as_of,
            "since": turn.flag.first_seen,
        }

    def _notice(self, kind: str, subject: str, data: dict[str, object]) -> Notice:
        notice_id = "msg_" + hashlib.sha256(f"{self._source} {self._run.id} {kind} {subject}".encode()).hexdigest()[:24]
        return Notice(
            id=notice_id,
            kind=kind,
            subject=subject,
            body=self._event(notice_id, kind, subject, data),
            created_at=self._at,
            next_try=self._at if self._send else None,
        )

    def _event(self, event_id: str, kind: str, subject: str, data: dict[str, object]) -> str:
        """The CloudEvent 1.0 as JSON text (structured mode); its numbers keep their digits."""
        return dumps(
            {
                "id": event_id,
                "source": self._source,
                "type": f"brain.{kind}",
                "specversion": "1.0",
                "time": self._at.isoformat().replace("+00:00", "Z"),
                "subject": subject,
                "datacontenttype": "application/json",
                "data": data,
            }
        )
