"""The Obsidian canvas (`.canvas`, JSON Canvas 1.0): its cards as passages, links and headings, and its arrows."""

from __future__ import annotations

import re

from ingest.brain_page.page_entry import source_of
from ingest.formats.converted_notes import converted_note, load, objects, unreadable, words
from ingest.formats.format_protocol import Format, marks
from ingest.text.decoding import DecodedText, Parsed

_WEB = re.compile(r"https?://\S{1,2000}")
_LONGEST = 60


def parse(text: DecodedText) -> Parsed:
    """A canvas as one note."""
    value, failed = load(text, "canvas")
    if failed:
        return failed
    canvas = value if isinstance(value, dict) else {}
    cards = sorted(objects(canvas.get("nodes")), key=_place)
    passages = [passage for card in cards if (passage := _passage(card).strip())]
    if not passages:
        return unreadable(text, "canvas", "a canvas without cards")
    names = {words(card.get("id")): _name(card) for card in cards}
    arrows = [f"- {arrow}" for edge in objects(canvas.get("edges")) if (arrow := _arrow(edge, names))]
    body = "\n\n".join([*passages, *(["## Connections", "\n".join(arrows)] if arrows else [])])
    addresses = (words(card.get("url")).strip() for card in cards if card.get("type") == "link")
    sources = [source_of(address) for address in addresses if _WEB.fullmatch(address)]
    node, problems = converted_note(text, text.stem, body, sources=sources)
    return Parsed(node.brain, (node,), problems=problems)


def _place(card: dict[str, object]) -> tuple[float, float]:
    """Sorts cards by row, then by column."""
    x, y = card.get("x"), card.get("y")
    return (float(y) if isinstance(y, int | float) else 0.0, float(x) if isinstance(x, int | float) else 0.0)


def _passage(card: dict[str, object]) -> str:
    kind = card.get("type")
    if kind == "group":
        return f"## {_line(words(card.get('label')))}" if words(card.get("label")).strip() else ""
    return words(card.get("text")) if kind == "text" else _name(card)


def _name(card: dict[str, object]) -> str:
    kind = card.get("type")
    if kind == "file":
        file = _line(words(card.get("file")))
        return f"[[{file.removesuffix('.md')}{_line(words(card.get('subpath')))}]]" if file else ""
    if kind == "link":
        return f"<{words(card.get('url')).strip()}>" if _WEB.fullmatch(words(card.get("url")).strip()) else ""
    written = words(card.get("label")) if kind == "group" else words(card.get("text"))
    first = next((line.strip("#>*- \t") for line in written.split("\n") if line.strip("#>*- \t")), "")
    return first if len(first) <= _LONGEST else f"{first[:_LONGEST].rstrip()}…"


def _line(written: str) -> str:
    return " ".join(written.split())


def _arrow(edge: dict[str, object], names: dict[str, str]) -> str:
    one, other = (names.get(words(edge.get(side))) for side in ("fromNode", "toNode"))
    label = _line(words(edge.get("label")))
    return f"{one} → {other}{f': {label}' if label else ''}" if one and other else ""


FORMAT = Format(
    "canvas",
    "an Obsidian canvas (`.canvas`): text cards, files as links, addresses, and the arrows between them",
    parse,
    sign=marks((1, r'"type"\s{0,20}:\s{0,20}"(?:text|file|link|group)"'), (1, r'"(?:fromNode|toNode)"\s{0,20}:')),
    suffixes=(".canvas",),
    one_note=True,
)
