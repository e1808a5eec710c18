"""A run as JUnit XML: one test case per claim, so that a build server shows claims like tests."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from compute.reports.report_model import Report, ReportEntry
from graph.models.claim_models import VerdictName

_FAILURES = (VerdictName.STALE, VerdictName.REFUTED, VerdictName.CONFLICTING)
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    """The run as one suite: failing claims are failures, broken ones errors, unverifiable ones skipped.

    A claim that depends on the range of an input passes, with its reason as output.
    """
    run, counts = report.run, report.run.counts
    suites = Element("testsuites", name="brain")
    suite = SubElement(
        suites,
        "testsuite",
        name=f"claims as of {run.as_of.isoformat()}",
        tests=str(len(report.entries)),
        failures=str(sum(counts.get(name.value, 0) for name in _FAILURES)),
        errors=str(counts.get(VerdictName.ERROR.value, 0)),
        skipped=str(counts.get(VerdictName.UNVERIFIABLE.value, 0)),
        timestamp=run.started_at.isoformat(),
        time=f"{(run.finished_at - run.started_at).total_seconds():.3f}",
    )
    properties = SubElement(suite, "properties")
    for name, value in (("run", str(run.id)), ("snapshot", run.snapshot), ("rules", run.rules), ("code", run.code)):
        SubElement(properties, "property", name=name, value=value)
    for entry in report.entries:
        _case(suite, entry)
    if report.ages:
        _ages(suites, report)
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _ages(suites: Element, report: Report) -> None:
    """A separate suite for data age: data that are too old fail, data of unknown age are skipped."""
    states = [one.state for one in report.ages]
    suite = SubElement(
        suites,
        "testsuite",
        name=f"age of the data on {report.run.as_of.isoformat()}",
        tests=str(len(states)),
        failures=str(states.count("too old")),
        errors="0",
        skipped=str(states.count("unknown")),
    )
    for one in report.ages:
        case = SubElement(suite, "testcase", classname=one.kind, name=_text(one.name))
        told = f"{one.state}: checked {one.checked}, {one.days} days before" if one.checked else "age unknown"
        if one.state == "too old":
            SubElement(case, "failure", type=one.state, message=told)
        elif one.state == "unknown":
            SubElement(case, "skipped", message=told)
        elif one.state == "old":
            SubElement(case, "system-out").text = told


def _quoted(entry: ReportEntry) -> str:
    """A line with the quoted words and their place; empty if they are not known."""
    place = entry.quoted
    return f"“{place.anchor.text}” ({place.document}:{place.anchor.line})\n" if place else ""


def _text(text: str) -> str:
    """Text without the characters that XML forbids."""
    return _FORBIDDEN.sub("�", text)


def _case(suite: Element, entry: ReportEntry) -> None:
    claim, row = entry.claim, entry.row
    case = SubElement(suite, "testcase", classname=_text(claim.node), name=_text(claim.id))
    if claim.place is not None:
        case.set("file", _text(claim.place.document))
        if claim.place.line is not None:
            case.set("line", str(claim.place.line))
    message = _text(row.reason or f"{entry.value}, expected {entry.expectation_text}")
    if row.verdict in _FAILURES:
        SubElement(case, "failure", type=row.verdict.value, message=message).text = _text(
            f"{claim.says}\n{_quoted(entry)}{entry.value}, expected {entry.expectation_text}"
        )
    elif row.verdict is VerdictName.DEPENDS:
        SubElement(case, "system-out").text = message
    elif row.verdict is VerdictName.ERROR:
        SubElement(case, "error", type=row.verdict.value, message=message)
    elif row.verdict is VerdictName.UNVERIFIABLE:
        SubElement(case, "skipped", message=message)
