"""Writes reports on flags as notices (CloudEvents), grouped to keep them few.

    raised, depends,
    returned, removed    one notice per claim; one for `SAME_CAUSE` claims or more of one price;
                         from `GROUPED` claims on, one for all
    unchecked            one, with its causes: one missing catalogue leaves many claims unchecked
    checked again        one
    reminder             one

The body of a notice is written once, so that every attempt to deliver it sends the same bytes under the same id.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import get_args

from compute.claims.claim_cases import Find
from compute.runs.owed_notices import FlagReport, ReportKind
from graph.models.alert_models import Notice
from graph.models.verdict_models import Run, severity_of
from graph.values import dumps

GROUPED = 25
"""From this many changes of one kind in a run, one notice reports them all."""

SAME_CAUSE = 3
"""From this many claims that the same price broke, or brought back, in a run, one notice reports them all."""

LISTED = 100
"""A notice lists at most this many claims and counts the rest."""

_TOGETHER = frozenset({"unchecked", "checked-again", "reminder"})

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

    def notices(self, owed: Sequence[FlagReport]) -> list[Written]:
        """The notices, each with its reports; the same reports at the same time give the same ids."""
        found: list[Written] = []
        for kind in get_args(ReportKind):
            reports = [one for one in owed if one.kind == kind]
            if reports and (kind in _TOGETHER or len(reports) >= GROUPED):
                found.append(self._group(kind, reports))
            else:
                found += self._each(kind, reports)
        return found

    def _each(self, kind: str, reports: Sequence[FlagReport]) -> Iterator[Written]:
        """One notice for the reports that share a cause with enough others, and one for each other report."""
        causes = self._causes(reports) if len(reports) >= SAME_CAUSE else {}
        counts = Counter(causes.get(one.claim, "") for one in reports)
        shared = [cause for cause, count in counts.items() if cause and count >= SAME_CAUSE]
        for cause in shared:
            yield self._group(kind, [one for one in reports if causes.get(one.claim) == cause], cause)
        for one in reports:
            if causes.get(one.claim) not in shared:
                yield self._notice(f"claim.{kind}", one.claim, self._of_claim(one), [one]), (one,)

    def _group(self, kind: str, reports: Sequence[FlagReport], cause: str = "") -> Written:
        causes = Counter(one.row.reason or one.flag.reason for one in reports)
        data = {
            "run": self._run.id,
            "as_of": self._run.as_of,
            "count": len(reports),
            **({"cause": cause} if cause else {}),
            "claims": [self._of_claim(one) for one in reports[:LISTED]],
            "causes": [{"reason": reason, "claims": count} for reason, count in causes.most_common(LISTED)],
        }
        return self._notice(f"claims.{kind}", f"run/{self._run.id}", data, reports), tuple(reports)

    def _of_claim(self, report: FlagReport) -> dict[str, object]:
        claim, row = self._find(report.claim), report.row
        return {
            "claim": report.claim,
            "node": claim.node if claim else None,
            "says": claim.says if claim else None,
            "severity": severity_of(claim.severity, row.cause) if claim else None,
            "owner": claim.owner if claim else None,
            "verdict": row.verdict,
            "before": report.before,
            "value": row.value,
            "unit": row.unit,
            "margin": row.margin,
            "reason": row.reason,
            "run": self._run.id,
            "as_of": self._run.as_of,
            "since": report.flag.first_seen,
            "raised": report.flag.raised_at,
        }

    def _notice(self, kind: str, subject: str, data: dict[str, object], reports: Sequence[FlagReport]) -> Notice:
        """A notice with its CloudEvent 1.0 as JSON text (structured mode); its numbers keep their digits."""
        flags = " ".join(f"{one.claim}#{one.flag.first_run}" for one in reports)
        words = f"{self._store} {self._source} {self._run.id} {self._at.isoformat()} {kind} {subject} {flags}"
        notice_id = "msg_" + hashlib.sha256(words.encode()).hexdigest()[:24]
        event = {
            "id": notice_id,
            "source": self._source,
            "type": f"brain.{kind}",
            "specversion": "1.0",
            "time": self._at.isoformat().replace("+00:00", "Z"),
            "subject": subject,
            "datacontenttype": "application/json",
            "data": data,
        }
        return Notice(
            id=notice_id,
            kind=kind,
            subject=subject,
            body=dumps(event),
            created_at=self._at,
            claims=tuple(dict.fromkeys(one.claim for one in reports)),
        )
