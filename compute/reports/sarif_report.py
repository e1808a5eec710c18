"""A run as SARIF 2.1.0: failing claims, each at the line of its source; and problems in documents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from urllib.parse import quote

from compute.linting.linter import LintRule
from compute.prices.data_freshness import Freshness
from compute.reports.report_model import Report, ReportEntry
from graph.models.claim_models import ClaimSeverity, VerdictName
from graph.problems import Problem
from graph.problems import Severity as Gravity
from graph.values import dumps

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_RULES = {
    VerdictName.STALE: "The claim is false now; it was true on its own day, or may have been.",
    VerdictName.REFUTED: "A source or the author states it, and it was never true, by dated prices.",
    VerdictName.DEPENDS: "True or false depending on an assumption, or on an input that the text leaves open.",
    VerdictName.CONFLICTING: "Catalogues or two texts disagree, and the verdict depends on which of them is right.",
    VerdictName.UNVERIFIABLE: "An input or its date is missing, its day is still to come, or no one states the claim.",
    VerdictName.ERROR: "The claim itself is invalid.",
}
_AGED = {"data-age": "A catalogue or an assumption was last checked too long ago, or the date is unknown."}
_LEVELS = {ClaimSeverity.CRITICAL: "error", ClaimSeverity.WARNING: "warning", ClaimSeverity.INFO: "note"}
_NOTES = frozenset({VerdictName.UNVERIFIABLE, VerdictName.DEPENDS})
_GRAVITIES = {Gravity.ERROR: "error", Gravity.WARNING: "warning", Gravity.NOTE: "note"}


def render(report: Report, version: str) -> str:
    """The claims of a run that do not hold, as SARIF text of this program `version`."""
    run = report.run
    results = [_of_claim(entry) for entry in report.entries if entry.row.verdict is not VerdictName.HOLDS]
    results += [_of_age(age) for age in report.ages if age.state != "fresh"]
    times = {"startTimeUtc": run.started_at.isoformat(), "endTimeUtc": run.finished_at.isoformat()}
    about: dict[str, object] = {
        "automationDetails": {"id": f"claims/{run.as_of.isoformat()}/{run.id}"},
        "invocations": [{"executionSuccessful": True, **times}],
    }
    verdicts = {f"claim-{name.value}": text for name, text in _RULES.items()}
    return _log(about, [_rule(*one) for one in (verdicts | _AGED).items()], results, version)


def problems(
    found: Iterable[Problem], version: str, explained: Iterable[LintRule] = (), folder: Path | None = None
) -> str:
    """Problems in documents as SARIF text, with all `explained` rules; files below `folder` get a relative address."""
    found, known = list(found), {rule.code: _explained(rule) for rule in explained}
    others = {code: _rule(code, title) for code, title in _titles(found).items() if code not in known}
    rules = [*known.values(), *others.values()]
    return _log({}, rules, [_of_problem(problem, folder) for problem in found], version)


def _log(
    about: dict[str, object], rules: list[dict[str, object]], results: list[dict[str, object]], version: str
) -> str:
    tool = {"driver": {"name": "brain", "version": version, "rules": rules}}
    run = {"tool": tool, "columnKind": "unicodeCodePoints", **about, "results": results}
    return dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str, title: str) -> dict[str, object]:
    return {"id": code, "shortDescription": {"text": title}}


def _explained(rule: LintRule) -> dict[str, object]:
    return {
        **_rule(rule.code, rule.title),
        "name": rule.id,
        "help": {"text": rule.help},
        "defaultConfiguration": {"level": _GRAVITIES[rule.severity]},
    }


def _titles(found: Iterable[Problem]) -> dict[str, str]:
    return {problem.code: f"{problem.code.replace('-', ' ').capitalize()}." for problem in found}


def _of_claim(entry: ReportEntry) -> dict[str, object]:
    claim, row = entry.claim, entry.row
    reason = f" {row.reason}" if row.reason else ""
    result: dict[str, object] = {
        "ruleId": f"claim-{row.verdict.value}",
        "level": "note" if row.verdict in _NOTES else _LEVELS[entry.severity],
        "message": {"text": f"{claim.says} Now {entry.value}, expected {entry.expectation_text}.{reason}"},
        "partialFingerprints": {"claim/v1": claim.id},
        "properties": {"claim": claim.id, "node": claim.node, "verdict": row.verdict.value},
    }
    stated = [_location(claim.place.document, {"startLine": claim.place.line}, claim.id)] if claim.place else []
    if (words := entry.quoted) is not None:
        snippet = {"startColumn": words.column, "snippet": {"text": words.anchor.text}}
        end = {"endLine": words.end_line, "endColumn": words.end_column}  # the column after the last character
        region = {"startLine": words.anchor.line, **snippet, **end}
        result["locations"] = [_location(words.document, region, claim.id)]
        result["relatedLocations"] = [
            {"id": 1, "message": {"text": f"The claim {claim.id}."}, **location} for location in stated
        ]
    elif stated:
        result["locations"] = stated
    return result


def _of_age(age: Freshness) -> dict[str, object]:
    """Old data are a warning, data too old an error; neither has a line."""
    when = (
        f"was last checked on {age.checked}, {age.days} days before" if age.checked else "has no date of a last check"
    )
    return {
        "ruleId": "data-age",
        "level": "error" if age.state == "too old" else "warning",
        "message": {"text": f"The {age.kind} {age.name} {when}: {age.state}."},
        "partialFingerprints": {"age/v1": f"{age.kind}/{age.name}"},
    }


def _of_problem(problem: Problem, folder: Path | None = None) -> dict[str, object]:
    region = {"startLine": problem.line, "startColumn": problem.column, "endColumn": problem.end_column}
    return {
        "ruleId": problem.code,
        "level": _GRAVITIES[problem.severity],
        "message": {"text": f"{problem.message}{f' ({problem.hint})' if problem.hint else ''}"},
        "locations": [_location(problem.document, region, folder=folder)],
    }


def _location(
    document: str, region: Mapping[str, object], claim: str | None = None, folder: Path | None = None
) -> dict[str, object]:
    """A place in a document, with what is known of its region; without a line it has none."""
    physical: dict[str, object] = {"artifactLocation": {"uri": _address(document, folder)}}
    if region["startLine"] is not None:
        physical["region"] = {key: value for key, value in region.items() if value or key == "startLine"}
    location: dict[str, object] = {"physicalLocation": physical}
    if claim is not None:
        location["logicalLocations"] = [{"name": claim, "kind": "claim"}]
    return location


def _address(document: str, folder: Path | None) -> str:
    """The address of a document: its name, of a file a relative path or file:// address."""
    name = PurePath(document).as_posix()
    if folder is not None:
        file = Path(os.path.abspath(folder / document))  # noqa: PTH100  # takes `..` away, and follows no link
        if not file.is_relative_to(folder):
            return file.as_uri()
        name = file.relative_to(folder).as_posix()
    return quote(name)
