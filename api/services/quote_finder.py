"""Where the quotes of claims are: in the text of their nodes, and in the documents of these.

An anchor is not stored. It follows from the claim's words and the node's text, so it is right whichever of the two
changes, and is found once for each version of the nodes.
"""

from __future__ import annotations

from graph.models.claim_models import Claim
from graph.models.node_models import Node
from graph.models.verdict_models import QuoteAnchor, QuotePlace, Verdict
from graph.store import Store
from graph.store.store_errors import UnknownDocumentError, UnknownNodeError
from graph.text.quote_anchor import QuoteMatch, find_quote, place_in
from ingest.markdown.private_comments import may_hide

AROUND = 40
"""The characters before and after a quote that an annotation shows."""
_MOST_TEXTS = 16

Known = dict[tuple[str, str], QuotePlace | None]


class QuoteFinder:
    """Finds the quotes of claims in the nodes of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._places = store.cache(1, "graph")
        self._texts = store.cache(_MOST_TEXTS, "graph")

    def place(self, claim: Claim) -> QuotePlace | None:
        """Where a claim's quote is; None if it has none, or if its node is missing or has no such words."""
        if claim.quote is None:
            return None
        key = claim.node, claim.quote
        known: Known = self._places.get("places", dict)
        if key not in known:
            known[key] = self._found(*key)
        return known[key]

    def anchor(self, claim: Claim) -> QuoteAnchor | None:
        """The part of `place` that verdicts show."""
        found = self.place(claim)
        return found.anchor if found else None

    def voiced(self, verdict: Verdict, claim: Claim) -> Verdict:
        """A verdict with the words that the claim is about, who says them, and what the node makes of them."""
        return verdict.model_copy(update={
            "quote": self.anchor(claim),
            "asserted_by": claim.asserted_by,
            "stance": claim.stance,
            "tense": claim.tense,
            "helps": claim.helps,
        })  # fmt: skip

    def _found(self, name: str, quote: str) -> QuotePlace | None:
        try:
            node = self._store.nodes.get(name)
        except UnknownNodeError:
            return None
        match = find_quote(node.body, quote)
        return placed(node, match, *self._text(node.provenance.document)) if match else None

    def _text(self, document: str) -> tuple[str, str]:
        return self._texts.get(document, lambda: written(self._store, document))


def written(store: Store, document: str) -> tuple[str, str]:
    """The text of a document without its private comments, and as its author wrote it; both of the same lines.

    Both are empty for a document that the store does not have: the nodes of an export name the documents of its home.
    """
    try:
        found = store.documents.get(document)
    except UnknownDocumentError:
        return "", ""
    text = found.text or ""
    if not may_hide(text):
        return text, text
    from ingest.document_reader import shareable_text  # noqa: PLC0415  # loads every parser, 0.2 s

    return shareable_text(found.format, text), text


def placed(node: Node, match: QuoteMatch, public: str, text: str) -> QuotePlace:
    """A match in a node's body with its place in the node's document, of which `public` is without comments."""
    body, (start, end) = node.body, match[:2]
    where = node.provenance
    lines, own = public.split("\n"), text.split("\n")
    region = "\n".join(lines[where.first_line - 1 : where.last_line])
    found = place_in(region, body, start, end)
    from_, to = (_spot(region, place, where.first_line) for place in found or (0, 0))
    anchor = QuoteAnchor(text=body[start:end], start=start, end=end, line=from_[0], exact=match.how != "near")
    around = {"prefix": body[max(0, start - AROUND) : start], "suffix": body[end : end + AROUND]}
    if found is None:
        return QuotePlace(anchor=anchor, document=where.document, **around)
    column, end_column = (_own_column(lines, own, *spot) for spot in (from_, to))
    return QuotePlace(
        anchor=anchor, document=where.document, column=column, end_line=to[0], end_column=end_column, **around
    )


def _spot(region: str, place: int, first_line: int) -> tuple[int, int]:
    """The line of the document and the column from 1 of a place in its part."""
    before = region[:place]
    return first_line + before.count("\n"), place - (before.rfind("\n") + 1) + 1


def _own_column(public: list[str], own: list[str], line: int, column: int) -> int:
    """A column of a line without comments as a column of the line as written."""
    shown, whole = public[line - 1], own[line - 1] if line <= len(own) else ""
    if shown == whole:
        return column
    before, after = shown[: column - 1], shown[column - 1 :]
    for size in range(len(after), 0, -1):
        if (at := whole.find(after[:size], column - 1)) >= 0:
            return at + 1
    tail = whole.rfind(before.rstrip()[-20:]) if before.strip() else -1
    return tail + len(before.rstrip()[-20:]) + 1 if tail >= 0 else column
