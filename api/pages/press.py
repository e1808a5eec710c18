"""The press: templates, filled and sent with the rules that a browser must keep. The only place that knows Jinja."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from api.pages import figures, signs
from api.pages.asked import Asked, Raw, Sheet, below, path_of, work_path
from api.pages.board import bar_text

HERE = Path(__file__).parent

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load and do: only its own files, nothing inline, nothing from elsewhere."""

PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""A chart carries its two schemes with it."""

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}

MEDIA = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


class Assets:
    """Our own style and script files, read once; an address carries their hash, so they may be kept for ever."""

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

    def get(self, name: str) -> Raw | None:
        """A file by its name."""
        body = self._files.get(name)
        return None if body is None else Raw(body, MEDIA[Path(name).suffix])


class Press:
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
        self._templates.globals.update(_words(), asset=self.assets.address, site=name)
        self._templates.filters.update(_filters())
        for template in self._templates.list_templates():
            self._templates.get_template(template)  # compiled now, or the first reader of each page would wait

    def page(self, sheet: Sheet, asked: Asked) -> str:
        """A sheet as HTML."""
        return self._templates.get_template(sheet.template).render(page=sheet.model, asked=asked, status=sheet.status)


def _words() -> dict[str, Any]:
    """What every template may name."""
    return {
        "VERDICTS": signs.VERDICTS,
        "UNSEEN": signs.UNSEEN,
        "HEALTH": signs.HEALTH,
        "SEVERITIES": signs.SEVERITIES,
        "KINDS": signs.KINDS,
        "verb": signs.verb,
        "many": signs.many,
        "link": path_of,
        "work": work_path,
        "bar": bar_text,
        "plural": figures.plural,
        "dict": dict,
    }


def _filters() -> dict[str, Any]:
    """How templates write figures and days."""
    return {
        "figure": figures.figure,
        "told": figures.told,
        "working": figures.working,
        "plural_verb": signs.plural_verb,
        "difference": figures.difference,
        "share": figures.share,
        "day": figures.day,
        "short_day": figures.short_day,
        "stamp": figures.stamp,
        "span": figures.span,
        "below": below,
    }
