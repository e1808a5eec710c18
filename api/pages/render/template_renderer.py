"""Renders pages with their words, and sets the security headers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from api.pages.page_request import PageRequest, RawResponse, TemplateResponse, line_path
from api.pages.render import figure_format, strips, verdict_signs
from api.pages.render.templates import FOLDER, environment, named
from api.pages.views import price_table
from api.pages.views.claim_table import SEVERITIES, counted
from api.pages.views.ledger_pages import OWN_WORDS
from api.pages.views.text_pages import EXAMPLE
from api.services.texts.proofreader import checked
from compute.claims.input_changes import source_of
from compute.prices.price_overview import KIND_TITLES
from compute.record.record import percent
from compute.reports import claim_report
from compute.reports.morning_report import CAUSES
from compute.reports.report_model import at_bound

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

WORDS = {
    **named(verdict_signs, "VERDICTS HEALTH KINDS OF_KIND"),
    **named(figure_format, "plural amount alike corrected times_off"),
    **named(price_table, "row_name price_text since_text change_text catalog_colour small_drawing"),
    **named(strips, "turn_text life_strip"),
    "sign": verdict_signs.verdict_sign,
    "line_path": line_path,
    "range_sentence": claim_report.sentence,
    "speaker": claim_report.speaker_text,
    "helps": claim_report.helps_text,
    "TENSES": claim_report.TENSES,
    "SEVERITIES": SEVERITIES,
    "CAUSES": {**CAUSES, **OWN_WORDS},
    "at_bound": at_bound,
    "kind_titles": KIND_TITLES,
    "EXAMPLE": EXAMPLE,
    "percent": percent,
    "dict": dict,
    "median": median,
    "source_of": source_of,
    "counted": lambda rows: counted(row.state for row in rows),
    "figures_of": checked,
}
"""What every template may name."""


class Assets:
    """Style and script files; addresses carry a hash, so they can be cached forever."""

    def __init__(self) -> None:
        found = sorted((FOLDER.parent / "static").iterdir())
        self._files = {path.name: path.read_bytes() for path in found if path.suffix in MEDIA}
        everything = hashlib.sha256(b"".join(self._files.values()))
        self.edition = everything.hexdigest()[:12]

    def address(self, name: str) -> str:
        """The address of a file. Raises KeyError if there is none."""
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
        typefaces = self.assets.get(TYPEFACES) is not None
        self._templates = environment(**WORDS, asset=self.assets.address, site=name, typefaces=typefaces)

    def page(self, made: TemplateResponse, request: PageRequest) -> str:
        """A response as HTML."""
        template = self._templates.get_template(made.template)
        return template.render(page=made.model, request=request, status=made.status)
