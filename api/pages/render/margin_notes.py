"""Margin notes: the sources of a quotation, and the notes that a citation names, next to the line that refers to them.

On narrow pages they are not shown: there the marks in the text show the same on hover and focus, and the lists
below the text have it in full.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from api.pages.render.source_names import source_name
from api.pages.request.page_request import path_of, work_path
from graph.models.node_models import Quotation, Source
from graph.models.query_models import NodeRef

UNSURE = {"likely": "probably", "ambiguous": "not certain", "unresolved": "not certain"}
"""How sure the source of a quotation is, in a word; nothing for an exact one."""


def quotation_note(number: int, quotations: Sequence[Quotation], sources: Mapping[str, Source]) -> str:
    """The note of a quotation: the name and host of each source, or from how many it may be."""
    works = "<br>".join(dict.fromkeys(_source(quotation, sources) for quotation in quotations))
    return f'<small class="margin-note" role="note"><span class="count">{number}</span> {works}</small>'


def _source(quotation: Quotation, sources: Mapping[str, Source]) -> str:
    source = sources.get(quotation.source or "")
    if source is None:
        count = len(quotation.candidates)
        return f"one of {count} sources" if count > 1 else "source not known"
    named, word = source_name(source), UNSURE.get(quotation.resolution, "")
    host = f" {escape(source.host)}" if source.host and source.host not in named else ""
    sure = f" <i>{word}</i>" if word else ""
    return f'<a href="{escape(work_path(source.id))}">{escape(named)}</a>{host}{sure}'


def citation_note(cited: Iterable[tuple[int, NodeRef]]) -> str:
    """The note of a marker such as `[17, 18]`: each number with the title that it names; empty if there is none."""
    lines = "<br>".join(f'<span class="count">{number}</span> {_link(ref)}' for number, ref in cited)
    return f'<small class="margin-note" role="note">{lines}</small>' if lines else ""


def _link(ref: NodeRef) -> str:
    return f'<a href="{escape(path_of("nodes", ref.id))}"><bdi>{escape(ref.title)}</bdi></a>'
