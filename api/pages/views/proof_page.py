"""A page with a text field: every figure of a text, checked, with a mark at it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from api.pages.request.page_request import PageRequest, TemplateResponse
from api.pages.views.claim_table import PageContext
from api.services.proof_models import Proof, ProofItem

MOST = 200_000
"""The most characters of a text on the page."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of the text; `item` is the number (from 1) of the item that is about it, 0 for none."""

    text: str
    item: int = 0


@dataclass(frozen=True, slots=True)
class ProofPage:
    """The page; `proof` is None before a text was given."""

    text: str
    day: date
    proof: Proof | None = None
    parts: tuple[TextPart, ...] = ()
    cut: bool = False


def form(desk: PageContext, asked: PageRequest) -> TemplateResponse:  # noqa: ARG001 - the shape of every page
    """The empty form."""
    return TemplateResponse("proof.html", ProofPage("", asked.day))


def page(desk: PageContext, asked: PageRequest, text: str) -> TemplateResponse:
    """The proof of a text; browsers end its lines with CR LF."""
    given = text.replace("\r\n", "\n").replace("\r", "\n")
    shown = given[:MOST]
    if not shown.strip():
        return form(desk, asked)
    name = "draft.html" if shown.lstrip()[:1] == "<" else "draft.md"
    proof = desk.brain.proofreader.proof(shown.encode("utf-8", "replace"), name, asked.day)
    parts = tuple(_parts(shown, proof.items))
    return TemplateResponse("proof.html", ProofPage(shown, asked.day, proof, parts, len(given) > MOST))


def _parts(text: str, items: tuple[ProofItem, ...]) -> list[TextPart]:
    """The text in parts: a figure with an item, or what is between two of them."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    spans: list[tuple[int, int, int]] = []
    for number, item in enumerate(items, 1):
        start, end = starts[item.line - 1] + item.column - 1, starts[item.end_line - 1] + item.end_column - 1
        if not spans or start >= spans[-1][1]:
            spans.append((start, end, number))
    edges = [(0, 0, 0), *spans, (len(text), len(text), 0)]
    found: list[TextPart] = []
    for (_, before, _), (start, end, number) in pairwise(edges):
        found.append(TextPart(text[before:start]))
        found.append(TextPart(text[start:end], number))
    return [part for part in found if part.text]
