"""A run as JUnit XML: one test case per claim, so that a build server shows claims like tests."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from compute.reports.report_model import Report, ReportEntry
from graph.models.claim_models import VerdictName

_FAILURES = (VerdictName.STALE, VerdictName.REFUTED, VerdictName.CONFLICTING)
_OUTCOMES = {
    VerdictName.DEPENDS: "system-out",
    VerdictName.ERROR: "error",
    VerdictName.UNVERIFIABLE: "skipped",
}
_AGES = {"too old": "failure", "unknown": "skipped", "old": "system-out"}
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    """The run as one suite, data ages as another; a claim that depends on a range passes, with its reason as output."""
    run = report.run
    suites = Element("testsuites", name="brain")
    suite = SubElement(suites, "testsuite", name=f"claims as of {run.as_of.isoformat()}")
    properties = SubElement(suite, "properties")
    for name, value in (("run", str(run.id)), ("snapshot", run.snapshot), ("rules", run.rules), ("code", run.code)):
        SubElement(properties, "property", name=name, value=value)
    for entry in report.entries:
        _case(suite, entry)
    _count(suite)
    suite.set("timestamp", run.started_at.isoformat())
    suite.set("time", f"{(run.finished_at - run.started_at).total_seconds():.3f}")
    if report.ages:
        suite = SubElement(suites, "testsuite", name=f"age of the data on {run.as_of.isoformat()}")
        for one in report.ages:
            age = f"{one.state}: checked {one.checked}, {one.days} days before" if one.checked else "age unknown"
            case = SubElement(suite, "testcase", classname=one.kind, name=_text(one.name))
            _outcome(case, _AGES.get(one.state), one.state, age)
        _count(suite)
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _count(suite: Element) -> None:
    """State how many cases a suite has, by outcome."""
    for name, path in (("tests", ""), ("failures", "/failure"), ("errors", "/error"), ("skipped", "/skipped")):
        suite.set(name, str(len(suite.findall(f"testcase{path}"))))


def _case(suite: Element, entry: ReportEntry) -> None:
    claim, row = entry.claim, entry.row
    case = SubElement(suite, "testcase", classname=_text(claim.node), name=_text(claim.id))
    if claim.place is not None:
        case.set("file", _text(claim.place.document))
        if claim.place.line is not None:
            case.set("line", str(claim.place.line))
    found = f"{entry.value}, expected {entry.expectation_text}"
    outcome = "failure" if row.verdict in _FAILURES else _OUTCOMES.get(row.verdict)
    _outcome(case, outcome, row.verdict.value, _text(row.reason or found))
    if outcome == "failure":
        place = entry.quoted
        quoted = f"“{place.anchor.text}” ({place.document}:{place.anchor.line})\n" if place else ""
        case[-1].text = _text(f"{claim.says}\n{quoted}{found}")


def _outcome(case: Element, outcome: str | None, kind: str, message: str) -> None:
    """The result of a case; none if it passes without output."""
    if outcome == "system-out":
        SubElement(case, outcome).text = message
    elif outcome == "skipped":
        SubElement(case, outcome, message=message)
    elif outcome is not None:
        SubElement(case, outcome, type=kind, message=message)


def _text(text: str) -> str:
    """Text without the characters that XML forbids."""
    return _FORBIDDEN.sub("�", text)
