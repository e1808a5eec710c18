"""Templates and their filters; the only module that imports Jinja."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from api.pages.page_request import path_of, work_path
from api.pages.render import figure_format, source_titles
from compute.figures.statement_writer import without_computed
from graph.groups import group_by

FOLDER = Path(__file__).parents[1] / "templates"
_MARKS = re.compile(
    r'<span class="word [^<]*</span>|<small class="margin-note".*?</small>|<sup class="mark">.*?</sup>', re.DOTALL
)
"""What is no text of a note: words of verdicts, margin notes and numbers of quotations."""


def named(module: ModuleType, names: str) -> dict[str, Any]:
    """The functions and values of a module that have these names."""
    return {name: getattr(module, name) for name in names.split()}


FILTERS = {
    **named(figure_format, "capitalize figure figures readable working difference share day short_day stamp span"),
    **named(figure_format, "plain_words cut wrapped first_cause named_inputs"),
    "spelled": lambda name: re.sub("[A-Z]", lambda letter: f" {letter[0].lower()}", name).replace("_", " "),
    "without_computed": without_computed,
    "source_name": source_titles.source_name,
    "unquoted": lambda text: re.sub(r"\n {0,3}>[ \t]?", "\n", text),
    "unmarked": lambda markup: _MARKS.sub("", markup),
    "gathered": lambda found, key: list(group_by(found, key).values()),
    "rounded": lambda value: round(value, 1),
    "px": "{:.1f}".format,
    "short": "{:g}".format,
}
"""How templates write figures, days and lengths in pixels."""


def environment(**words: object) -> Environment:
    """The templates; each may name `words`, and give links to things."""
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(FILTERS)
    made.globals.update(words, link=path_of, work=work_path)
    return made


_plain = cache(environment)


def fill(template: str, **values: object) -> str:
    """A template with nothing but its values."""
    return _plain().get_template(template).render(values)
