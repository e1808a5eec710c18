"""A page with a text field: every figure of a text, checked, with a mark at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from api.pages.request.page_request import PageRequest, TemplateResponse
from api.pages.views.claim_table import PageContext
from api.services.progress_steps import WorkLimitError
from api.services.proof_models import LONGEST, Proof, ProofItem, checked


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of the text; `item` is the number (from 1) of the item that is about it, 0 for none; `css` its class."""

    text: str
    item: int = 0
    css: str = ""


@dataclass(frozen=True, slots=True)
class ProofGroup:
    """The findings of one kind, each with its number in text order (from 1); one that is `folded` is open on demand."""

    name: str
    css: str
    items: tuple[tuple[int, ProofItem], ...]
    folded: bool

    @property
    def checked(self) -> int:
        """How many figures they are about."""
        return checked(one for _, one in self.items)

    @property
    def words(self) -> str:
        """What its findings are called."""
        return self.name.replace("-", " ")


@dataclass(frozen=True, slots=True)
class ProofPage:
    """The page; `proof` is None before a text was given. `text` is what the form has, also what was not checked."""

    text: str
    day: date
    proof: Proof | None = None
    parts: tuple[TextPart, ...] = ()
    cut: str = ""
    """What of a text was checked that is too long to be checked whole."""
    stopped: str = ""
    """Why there is no proof although something was sent."""

    @property
    def groups(self) -> tuple[ProofGroup, ...]:
        """The findings by kind, those that are wrong first; what asks nothing of the author is folded, unless alone."""
        found: dict[str, list[tuple[int, ProofItem]]] = {}
        for number, item in enumerate(self.proof.items if self.proof else (), 1):
            found.setdefault(item.verdict, []).append((number, item))
        return tuple(
            ProofGroup(name, css, tuple(found[name]), name in _CALM and len(found) > 1)
            for name, css in CSS.items()
            if name in found
        )


CSS: Mapping[str, str] = {
    "refuted": "refuted",
    "stale": "stale",
    "needs-assumption": "depends",
    "unpriced": "unverifiable",
    "holds": "holds",
}
"""The kinds of findings in the order of the page, each with the class of its colour."""

_CALM = frozenset({"unpriced", "holds"})


def form(desk: PageContext, asked: PageRequest) -> TemplateResponse:  # noqa: ARG001 - the shape of every page
    """The empty form."""
    return TemplateResponse("proof.html", ProofPage("", asked.day))


def page(desk: PageContext, asked: PageRequest, text: str) -> TemplateResponse:
    """The proof of a text; browsers end its lines with CR LF."""
    given, seconds = text.replace("\r\n", "\n").replace("\r", "\n"), desk.brain.settings.proof_seconds
    shown = _beginning(given, LONGEST)
    if not shown.strip():
        return form(desk, asked)
    name = "draft.html" if shown.lstrip()[:1] == "<" else "draft.md"
    try:
        proof = desk.brain.proofreader.proof_within(shown.encode("utf-8"), name, asked.day, seconds)
    except WorkLimitError as error:
        many = f"The text has too many figures to check at once: {error}. Check it in parts, or with"
        return TemplateResponse("proof.html", ProofPage(given, asked.day, stopped=many))
    parts, line = tuple(_parts(shown, proof.items)), shown.rstrip("\n").count("\n") + 1
    cut = f"This page checks {LONGEST:,} bytes at once: of this text everything up to line {line:,}"
    return TemplateResponse(
        "proof.html", ProofPage(given, asked.day, proof, parts, cut if len(shown) < len(given) else "")
    )


def unread(asked: PageRequest, most: int | None) -> TemplateResponse:
    """The form, with why nothing was read: it has more than `most` bytes, or (None) no text."""
    if most is None:
        stopped = "No text was sent: the form has no field “text”. Paste it here, or check its file with"
        return TemplateResponse("proof.html", ProofPage("", asked.day, stopped=stopped), status=400)
    stopped = (
        f"The text is longer than {most:,} bytes, the most that this page takes, and was not read. "
        "Go back in your browser to see it again. Check it in parts, or with"
    )
    return TemplateResponse("proof.html", ProofPage("", asked.day, stopped=stopped), status=413)


def _beginning(text: str, most: int) -> str:
    """The complete lines of a text that have at most so many bytes; of one long line the complete words."""
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return data.decode("utf-8")
    shown = data[:most].decode("utf-8", "ignore")
    end = max(shown.rfind("\n"), 0) or max(shown.rfind(" "), 0)
    return shown[: end + 1] if end else shown


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
        found.append(TextPart(text[start:end], number, CSS[items[number - 1].verdict] if number else ""))
    return [part for part in found if part.text]
