"""Writes reports on flags as notices (CloudEvents), grouped to keep them few.

    raised, depends,
    returned             one notice per claim; one for `SAME_CAUSE` claims or more of one price;
                         from `GROUPED` claims on, one for all
    removed              the same, for deleted claims
    unchecked            one, with its causes: one missing catalogue leaves many claims unchecked
    checked again        one
    reminder             one

The body of a notice is written once, so that every attempt to deliver it sends the same bytes under the same id.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import chain

from compute.claims.claim_cases import Find
from compute.runs.owed_notices import FlagReport, OwedNotices
from graph.models.alert_models import Notice
from graph.models.verdict_models import Run, severity_of
from graph.values import dumps

GROUPED = 25
"""From this many changes of one kind in a run, one notice reports them all."""

SAME_CAUSE = 3
"""From this many claims that the same price broke, or brought back, in a run, one notice reports them all."""

LISTED = 100
"""A notice lists at most this many claims and counts the rest."""


Written = tuple[Notice, tuple[FlagReport, ...]]
"""A notice and the reports in it."""


Causes = Callable[[Sequence[FlagReport]], Mapping[str, str]]
"""What moved for each claim of some reports, such as a price with its figures; claims without a cause are left out."""


class NoticeWriter:
    """Writes the notices of one run. `source` is the address of the service or a name for it, `store` its identity.

    The identity separates the ids of two homes that are served under one address. `causes` names what moved for claims
    whose flag was raised or lowered, by claim.
    """

    def __init__(
        self, run: Run, at: datetime, source: str, find: Find, *, store: str = "", causes: Causes = lambda _: {}
    ) -> None:
        self._run, self._at, self._source, self._find, self._store = run, at, source, find, store
        self._causes = causes

    def notices(self, owed: OwedNotices) -> list[Written]:
        """The notices, each with its reports; the same reports at the same time give the same ids."""
        each = (
            ("raised", owed.raised),
            ("depends", owed.depends),
            ("returned", owed.returned),
            ("removed", owed.removed),
        )
        grouped = (("unchecked", owed.unchecked), ("checked-again", owed.checked_again), ("reminder", owed.reminded))
        found = [self._each(*one) for one in each] + [self._all(*one) for one in grouped]
        return list(chain.from_iterable(found))

    def _each(self, kind: str, reports: Sequence[FlagReport]) -> list[Written]:
        if len(reports) >= GROUPED:
            return self._all(kind, reports)
        groups, single = self._by_cause(reports)
        found = [one for cause, group in groups.items() for one in self._all(kind, group, cause)]
        return found + self._single(kind, single)

    def _by_cause(self, reports: Sequence[FlagReport]) -> tuple[dict[str, list[FlagReport]], list[FlagReport]]:
        """The reports that share a cause with enough others, by cause; and the rest in their order."""
        causes = self._causes(reports) if len(reports) >= SAME_CAUSE else {}
        groups: dict[str, list[FlagReport]] = {}
        for one in reports:
            if cause := causes.get(one.claim):
                groups.setdefault(cause, []).append(one)
        groups = {cause: group for cause, group in groups.items() if len(group) >= SAME_CAUSE}
        grouped = {one.claim for group in groups.values() for one in group}
        return groups, [one for one in reports if one.claim not in grouped]

    def _single(self, kind: str, reports: Sequence[FlagReport]) -> list[Written]:
        return [(self._notice(f"claim.{kind}", one.claim, self._of_claim(one), (one,)), (one,)) for one in reports]

    def _all(self, kind: str, reports: Sequence[FlagReport], cause: str = "") -> list[Written]:
        if not reports:
            return []
        causes = Counter(one.row.reason or one.flag.reason for one in reports)
        data = {
            "run": self._run.id,
            "as_of": self._run.as_of,
            "count": len(reports),
            **({"cause": cause} if cause else {}),
            "claims": [self._of_claim(one) for one in reports[:LISTED]],
            "causes": [{"reason": reason, "claims": count} for reason, count in causes.most_common(LISTED)],
        }
        return [(self._notice(f"claims.{kind}", f"run/{self._run.id}", data, reports), tuple(reports))]

    def _of_claim(self, turn: FlagReport) -> dict[str, object]:
        claim = self._find(turn.claim)
        return {
            "claim": turn.claim,
            "node": claim.node if claim else None,
            "says": claim.says if claim else None,
            "severity": severity_of(claim.severity, turn.row.cause) if claim else None,
            "owner": claim.owner if claim else None,
            "verdict": turn.row.verdict,
            "before": turn.before,
            "value": turn.row.value,
            "unit": turn.row.unit,
            "margin": turn.row.margin,
            "reason": turn.row.reason,
            "run": self._run.id,
            "as_of": self._run.as_of,
            "since": turn.flag.first_seen,
            "raised": turn.flag.raised_at,
        }

    def _notice(self, kind: str, subject: str, data: dict[str, object], reports: Sequence[FlagReport]) -> Notice:
        flags = " ".join(f"{one.claim}#{one.flag.first_run}" for one in reports)
        words = f"{self._store} {self._source} {self._run.id} {self._at.isoformat()} {kind} {subject} {flags}"
        notice_id = "msg_" + hashlib.sha256(words.encode()).hexdigest()[:24]
        return Notice(
            id=notice_id,
            kind=kind,
            subject=subject,
            body=self._event(notice_id, kind, subject, data),
            created_at=self._at,
            claims=tuple(dict.fromkeys(one.claim for one in reports)),
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
