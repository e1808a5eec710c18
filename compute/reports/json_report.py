"""A report as one JSON document."""

from __future__ import annotations

from compute.reports.morning_report import morning
from compute.reports.report_model import FragileClaim, Report, ReportEntry
from graph.models.verdict_models import STATED


def fields(report: Report) -> dict[str, object]:
    """The report as the fields of a JSON document: complete lists, and the content of the morning report."""
    found = morning(report)
    return {
        "run": report.run,
        "claims": [_entry(entry) for entry in report.entries],
        "watched": report.watched,
        "changes": report.changes,
        "coming": report.coming,
        "near": report.near,
        "ages": report.ages,
        "before": report.before,
        "first": found.first,
        "turned": [one.change for one in found.turned],
        "source_changed": [one.change for one in found.switched],
        "fragile": [_fragile(one) for one in report.fragile],
        "errata": {
            "new": () if found.first else found.news,
            "total": len(found.errata.items),
            "contradictions": len(found.errata.contradictions),
        },
        "aged": report.aged,
        "without_note": report.without_note,
    }


def _fragile(one: FragileClaim) -> dict[str, object]:
    claim, row = one.entry.claim, one.entry.row
    return {
        "claim": claim.id,
        "node": claim.node,
        "says": claim.says,
        "quote": claim.quote,
        "value": row.value,
        "unit": row.unit,
        "share": one.share,
        "input": one.input,
    }


def _entry(entry: ReportEntry) -> dict[str, object]:
    if entry.verdict is not None:
        return entry.verdict.model_dump()
    claim, row = entry.claim, entry.row
    return {
        "claim": claim.id,
        **{name: getattr(claim, name) for name in STATED},
        **{name: getattr(row, name) for name in _FOUND},
        "severity": entry.severity,
        "expected": entry.expectation_text,
        "then": {"as_of": claim.as_of, "value": row.then_value, "holds": row.then_holds, "dated": row.then_dated},
        "now": {"value": row.value if entry.watched else row.now_value, "holds": row.now_holds},
        "quote": entry.quoted.anchor if entry.quoted else None,
    }


_FOUND = ("verdict", "value", "unit", "margin", "reason", "robust", "cause", "helps_thesis", "oldest_input")
