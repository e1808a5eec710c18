"""The run as a self-contained HTML page: the Markdown report, for mail or build artifacts."""

from __future__ import annotations

from html import escape

from markdown_it import MarkdownIt

from compute.reports import markdown_report
from compute.reports.report_model import Report

_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 1rem/1.5 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #ccc; vertical-align: top; }}
code {{ font-size: .85em; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #16181c; color: #e6e4df; }} }}
</style>
</head>
<body>
{body}</body>
</html>
"""


def render(report: Report, *, everything: bool = False) -> str:
    """The report as one HTML document without scripts; authors' text is escaped."""
    text = markdown_report.render(report, everything=everything)
    return page(f"Claims on {report.run.as_of.isoformat()}", text)


def page(title: str, markdown: str) -> str:
    """Markdown as one HTML document that loads nothing; HTML in it is shown as text."""
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    return _FRAME.format(title=escape(title), body=body)
