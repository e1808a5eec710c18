import json
from datetime import UTC, date, datetime
from decimal import Decimal
from io import StringIO
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt
from rich.console import Console

from api.terminal.document import document
from compute.impact.nearest_changes import nearest
from compute.prices.data_freshness import Freshness
from compute.reports import json_report, junit_report, sarif_report
from compute.reports.morning_report import blocks, figures
from compute.reports.report_document import markdown
from compute.reports.report_model import Report, ReportEntry
from compute.verify.claim_verifier import explain
from graph.models.claim_models import ClaimSeverity, Place, VerdictName
from graph.models.verdict_models import Run, VerdictChange
from graph.values import dumps, loads
from tests.compute.made import book_of, claim, price, row, verify

AT = datetime(2026, 11, 21, 3, tzinfo=UTC)


def entry(name, verdict, **rest):
    stated = {"id": name, "node": "acme/n", "says": f"{name} <b>costs</b> *half* | less.\x00", **rest}
    told = {"value": "97.50", "margin": "-2.0", "unit": "%", "then_value": "95.0", "then_holds": True}
    place = Place(document="content/my claims.yaml", line=7)
    one = claim("1", is_="95%", within="0.5pp", place=place, **stated)
    return ReportEntry(claim=one, row=row(name, verdict, reason="the family moved", **told))


@pytest.fixture
def report():
    entries = tuple(entry(verdict.value, verdict) for verdict in VerdictName)
    run = Run(
        id=3, as_of=AT.date(), started_at=AT, finished_at=AT, code="1", snapshot="s", rules="r",
        counts={verdict.value: 1 for verdict in VerdictName}, notes=("no network",),
    )  # fmt: skip
    change = VerdictChange(claim="stale", says="It | fell", before="holds", after="stale", on=date(2026, 12, 1))
    age = Freshness(kind="catalog", name="cards", checked=date(2025, 1, 1), days=600, state="old")
    return Report(run=run, entries=entries, changes=(change,), coming=(change,), ages=(age,))


def test_equal_values_of_a_change_are_told_once(report):
    values = [(None, "3"), ("3", "3"), ("3", "4"), ("3", None), (None, None)]
    found = [{"value_before": one and Decimal(one), "value_after": two and Decimal(two)} for one, two in values]
    told = [figures(report.changes[0].model_copy(update=one)) for one in found]
    assert told == ["3", "3", "3 → 4", "3 → no value", "no value"]


def test_junit_counts_what_its_cases_are(report):
    suite = ET.fromstring(junit_report.render(report)).find("testsuite")
    assert [suite.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["7", "3", "1", "1"]
    kinds = {case.get("name"): [child.tag for child in case] for case in suite.findall("testcase")}
    assert kinds == {
        "holds": [], "stale": ["failure"], "refuted": ["failure"], "conflicting": ["failure"], "error": ["error"],
        "unverifiable": ["skipped"], "depends": ["system-out"],
    }  # fmt: skip
    assert suite.find("testcase").get("file") == "content/my claims.yaml"


def test_sarif_points_to_the_lines_and_leaves_out_what_holds(report):
    told = json.loads(sarif_report.render(report, "1.0"))["runs"][0]
    rules = {rule["id"] for rule in told["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in told["results"]} <= rules
    assert not any(result["ruleId"] == "claim-holds" for result in told["results"])
    first = next(result for result in told["results"] if result["ruleId"] == "claim-stale")
    place = first["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("content/my%20claims.yaml", 7)


@pytest.mark.parametrize(("severity", "level"), [(ClaimSeverity.CRITICAL, "error"), (ClaimSeverity.INFO, "note")])
def test_sarif_levels_follow_the_severity_of_the_claim(report, severity, level):
    one = report.model_copy(update={"entries": (entry("x", VerdictName.STALE, severity=severity),)})
    assert json.loads(sarif_report.render(one, "1"))["runs"][0]["results"][0]["level"] == level


def test_every_format_shows_the_data_age(report):
    too_old = Freshness(kind="assumption", name="pue", checked=date(2022, 1, 1), days=1785, state="too old")
    fresh = Freshness(kind="catalog", name="own", checked=AT.date(), days=0, state="fresh")
    report = report.model_copy(update={"ages": (fresh, *report.ages, too_old)})
    results = json.loads(sarif_report.render(report, "1"))["runs"][0]["results"]
    ages = [(one["level"], "cards" in one["message"]["text"]) for one in results if one["ruleId"] == "data-age"]
    assert ages == [("warning", True), ("error", False)]
    suite = ET.fromstring(junit_report.render(report)).findall("testsuite")[1]
    assert [suite.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["3", "1", "0", "0"]
    assert {case.get("name"): [child.tag for child in case] for case in suite.findall("testcase")} == {
        "own": [], "cards": ["system-out"], "pue": ["failure"],
    }  # fmt: skip
    text = markdown(blocks(report, everything=True))
    assert text.index("too old") < text.index("| old | checked 2025-01-01, 600 days before |") < text.index("| fresh |")
    assert "Catalogue cards: old, checked 600 days before." in text
    assert [one["state"] for one in json.loads(dumps(json_report.fields(report)))["ages"]] == [
        "fresh",
        "old",
        "too old",
    ]
    printed = Console(width=200, file=StringIO())
    printed.print(document(blocks(report, everything=True)))
    assert [line.split()[0] for line in printed.file.getvalue().splitlines()[-3:]] == ["too", "old", "fresh"]


def test_markdown_keeps_the_words_of_authors_out_of_its_markup(report):
    text = markdown(blocks(report, everything=True))
    html = MarkdownIt("commonmark").enable("table").render(text)
    assert "<b>" not in html
    assert "<em>half" not in html
    assert "then stale on 2026-12-01" in html
    assert html.count("<table>") == 1
    assert "97.5%" in html


def test_json_keeps_every_digit_and_a_row_without_a_value_is_a_dash(report):
    told = loads(dumps(json_report.fields(report)))
    assert str(told["claims"][0]["value"]) == "97.50"
    assert told["run"]["id"] == 3
    one = report.entries[0]
    assert one.model_copy(update={"row": one.row.model_copy(update={"value": None})}).value == "–"


def test_the_nearest_are_those_that_a_price_or_an_assumption_can_turn():
    amounts = {"close": "2.9", "far": "1", "edge": "3"}
    book = book_of(price(value, f"acme/{name}") for name, value in amounts.items())
    told = {name: f'price("acme/{name}", "input")' for name in amounts} | {"own": "3 USD/Mtok"}
    claims = [claim("it", {"it": text}, id=name, as_of=AT.date(), at_most="3 USD/Mtok") for name, text in told.items()]
    rows = verify(claims, book, AT.date())
    entries = [ReportEntry(claim=claim, row=row) for claim, row in zip(claims, rows, strict=True)]
    found = nearest(entries, lambda claim: explain(claim, book, AT.date()))
    assert [(one.claim, one.when, one.moves) for one in found] == [
        ("edge", "it above 3.00 USD/Mtok", "any rise"),
        ("close", "it above 3.00 USD/Mtok", "+3.448%"),
        ("far", "it above 3.00 USD/Mtok", "+200%"),
    ]
    assert [one.moves_in_words for one in found] == ["any rise", "a change of +3.448%", "a change of +200%"]
