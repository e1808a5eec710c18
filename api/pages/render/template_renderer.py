"""Renders templates and sets the security headers. The only module that imports Jinja."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from api.pages.charts.price_charts import catalog_colour, small_drawing
from api.pages.render import figure_format, source_titles, verdict_signs
from api.pages.request.page_request import PageRequest, RawResponse, TemplateResponse, path_of, work_path
from api.pages.views.claim_table import expectation_text
from api.pages.views.definition_pages import line_path
from api.pages.views.prices import price_table
from compute.figures.statement_writer import without_computed
from compute.prices.price_kinds import KIND_TITLES
from compute.record import record_text
from compute.reports import claim_report
from compute.reports.morning import computed, whose
from compute.reports.report_model import at_bound

HERE = Path(__file__).parents[1]

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load and do: only its own files, nothing inline, nothing from elsewhere."""

PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""A chart carries its two schemes with it."""

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}

MEDIA = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
TYPEFACES = "fonts.css"
"""The stylesheet of the typefaces, which the build makes (`setup.py`); without it pages use the system's fonts."""

_MARKS = re.compile(
    r'<span class="word [^<]*</span>|<small class="margin-note".*?</small>|<sup class="mark">.*?</sup>', re.DOTALL
)
"""What is no text of a note: words of verdicts, margin notes and numbers of quotations."""


def _named(module: ModuleType, names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names.split()}


FILTERS = {
    **_named(figure_format, "capitalize figure figures readable working difference share day short_day stamp span"),
    **_named(figure_format, "plain_words"),
    "plural_verb": verdict_signs.plural_verb,
    "without_computed": without_computed,
    "source_name": source_titles.source_name,
    "unquoted": lambda text: re.sub(r"\n {0,3}>[ \t]?", "\n", text),
    "unmarked": lambda markup: _MARKS.sub("", markup),
}
"""How templates write figures and days."""

WORDS = {
    **_named(verdict_signs, "VERDICTS HEALTH KINDS verb many"),
    **_named(figure_format, "plural amount"),
    **_named(price_table, "row_name price_text since_text change_text spread_text"),
    **_named(record_text, "percent moves_text ahead_text turn_text"),
    "sign": verdict_signs.verdict_sign,
    "link": path_of,
    "work": work_path,
    "line_path": line_path,
    "expectation": expectation_text,
    "speaker": claim_report.speaker_text,
    "helps": claim_report.helps_text,
    "TENSES": claim_report.TENSES,
    "at_bound": at_bound,
    "erratum_figures": computed,
    "erratum_remarks": whose,
    "catalog_colour": catalog_colour,
    "small_drawing": small_drawing,
    "kind_titles": KIND_TITLES,
    "dict": dict,
}
"""What every template may name."""


class Assets:
    """Our own style and script files, read once; an address carries their hash, so they may be cached forever."""

    def __init__(self, folder: Path = HERE / "static") -> None:
        self._files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in MEDIA}
        everything = hashlib.sha256(b"".join(self._files.values()))
        self.edition = everything.hexdigest()[:12]

    def address(self, name: str) -> str:
        """Where a file is.

        Raises:
            KeyError: there is none of that name: a template cannot name what is missing.
        """
        if name not in self._files:
            raise KeyError(name)
        return f"/static/{self.edition}/{name}"

    def get(self, name: str) -> RawResponse | None:
        """A file by its name."""
        body = self._files.get(name)
        return None if body is None else RawResponse(body, MEDIA[Path(name).suffix])


class TemplateRenderer:
    """Fills templates."""

    def __init__(self, name: str = "Brain") -> None:
        self.assets = Assets()
        self._templates = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        typefaces = self.assets.get(TYPEFACES) is not None
        self._templates.globals.update(WORDS, asset=self.assets.address, site=name, typefaces=typefaces)
        self._templates.filters.update(FILTERS)

    def page(self, made: TemplateResponse, request: PageRequest) -> str:
        """A response as HTML."""
        template = self._templates.get_template(made.template)
        return template.render(page=made.model, request=request, status=made.status)
