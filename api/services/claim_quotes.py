"""Where claims are: their quotes in the text of nodes and documents, and warnings where node or words are missing.

A place is not stored: it follows from the claim's words and the node's text, whichever of the two changes.

claims of an ingest                      every one of them that is without its node or its words gets a warning
claims stored before, of changed nodes   those that this change moves or breaks
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from typing import TYPE_CHECKING

from graph.models.claim_models import Claim, Place
from graph.models.document_models import Document
from graph.models.node_models import Node
from graph.models.verdict_models import QuoteAnchor, QuotePlace, Verdict
from graph.problems import Problem
from graph.store import Store
from graph.store.store_errors import UnknownDocumentError
from graph.text.quote_anchor import QuoteMatch, figures_of, find_quote, place_in
from graph.text.similar_names import did_you_mean
from ingest.markdown.private_comments import may_hide

if TYPE_CHECKING:
    from api.services.importing.documents import DocumentReport, Removal

AROUND = 40  # the characters before and after a quote that an annotation shows
_MOST_TEXTS = 16
_LONGEST = 200


class QuoteFinder:
    """Finds the quotes of claims in nodes; `brought` are documents of an ingest, which a store need not have."""

    def __init__(self, store: Store, brought: Iterable[Document] = ()) -> None:
        self.store, self._brought = store, {one.name: one for one in brought}
        self._places = store.cache(1, "graph")
        self._texts = store.cache(_MOST_TEXTS, "graph")

    def place(self, claim: Claim) -> QuotePlace | None:
        """Where a claim's quote is in its stored node; None without a quote, node or such words."""
        return self.look_up([claim]).get((claim.node, claim.quote or ""))

    def look_up(self, claims: Iterable[Claim]) -> Mapping[tuple[str, str], QuotePlace | None]:
        """Find the quotes of many claims, with one statement for their nodes; all that are known, by node and quote."""
        known: dict[tuple[str, str], QuotePlace | None] = self._places.get("places", dict)
        new = [claim for claim in claims if claim.quote and (claim.node, claim.quote) not in known]
        if not new:
            return known
        nodes = {node.id: node for node in self.store.nodes.get_many(dict.fromkeys(claim.node for claim in new))}
        found = ((claim, nodes.get(claim.node)) for claim in new)
        for claim, node in sorted(found, key=lambda one: one[1].provenance.document if one[1] else ""):
            match = find_quote(node.body, claim.quote or "") if node else None
            known[claim.node, claim.quote or ""] = self.located(node, match) if node and match else None
        return known

    def anchor(self, claim: Claim) -> QuoteAnchor | None:
        """The part of `place` that verdicts show."""
        found = self.place(claim)
        return found.anchor if found else None

    def with_quote(self, verdict: Verdict, claim: Claim) -> Verdict:
        """A verdict with the words that the claim is about."""
        return verdict.model_copy(update={"quote": self.anchor(claim)})

    def located(self, node: Node, match: QuoteMatch) -> QuotePlace:
        """A match in a node's body as a place in its document."""
        where, body, (start, end) = node.provenance, node.body, match[:2]
        public, own = (text.split("\n") for text in self._text(where.document))
        region = "\n".join(public[where.first_line - 1 : where.last_line])
        found = place_in(region, body, start, end)
        (line, column), (end_line, end_column) = (_spot(region, at, where.first_line) for at in found or (0, 0))
        columns: dict[str, int] = {}
        if found is not None:
            column = _own_column(public[line - 1], own[line - 1], column)
            end_column = _own_column(public[end_line - 1], own[end_line - 1], end_column)
            columns = {"column": column, "end_line": end_line, "end_column": end_column}
        return QuotePlace(
            anchor=QuoteAnchor(text=body[start:end], start=start, end=end, line=line, exact=match.how != "near"),
            document=where.document,
            prefix=body[max(0, start - AROUND) : start],
            suffix=body[end : end + AROUND],
            **columns,
        )

    def line(self, node: Node, start: int, end: int) -> str:
        """The document and the line of a part of a node's body: `notes.md:12`."""
        place = self.located(node, QuoteMatch(start, end))
        return f"{place.document}:{place.anchor.line}"

    def _text(self, name: str) -> tuple[str, str]:
        """The text of a document without private comments, and as written; both empty if it is unknown."""
        document = self._brought.get(name)
        if document is not None:
            return shareable(document.format, document.text), document.text

        def read() -> tuple[str, str]:
            try:
                found = self.store.documents.get(name)
            except UnknownDocumentError:
                return "", ""
            return shareable(found.format, found.text or ""), found.text or ""

        return self._texts.get(name, read)

    def problems(self, claims: Iterable[Claim], nodes: Mapping[str, Node] | None = None) -> list[Problem]:
        """A warning for each claim whose words its node does not have; `nodes` take the place of those stored."""
        quoted = [claim for claim in claims if claim.quote]
        if nodes is None:
            nodes = {node.id: node for node in self.store.nodes.get_many(sorted({claim.node for claim in quoted}))}
        found = (self.problem(claim, nodes.get(claim.node)) for claim in quoted)
        return [problem for problem in found if problem]

    def problem(self, claim: Claim, node: Node | None) -> Problem | None:
        """A warning if the node does not have the quoted words; None for a missing node."""
        if not claim.quote or node is None:
            return None
        match = find_quote(node.body, claim.quote)
        lost = f"the words that the claim {claim.id} quotes are not in {node.id}: {_shown(claim.quote)}"
        if match is None:
            title, todo = find_quote(node.title, claim.quote), "correct the claim's `quote`, or put the words back"
            if title and title.how == "exact":
                todo = "these words are the title of the node; quote its text"
            return _warning(claim, "quote-missing", lost, todo)
        if match.how == "exact":
            return None
        found = self.located(node, match)
        where, there = f"{found.document}:{found.anchor.line}", found.anchor.text
        if match.how == "cut":
            around = _shown(f"{found.prefix[-8:]}{there}{found.suffix[:8]}")
            message = f"the quote of the claim {claim.id} begins or ends inside a number at {where}: {around}"
            return _warning(claim, "quote-cut", message, "quote the complete number")
        message = f"{lost}; the most similar passage, at {where}, is {_shown(there)}{_figures(claim.quote, there)}"
        return _warning(claim, "quote-moved", message, "if it says the same, copy it into the claim's `quote`")


def shareable(form: str, text: str) -> str:
    """The text of a document of the format `form` without private comments."""
    if not may_hide(text):
        return text
    from ingest.document_reader import shareable_text  # noqa: PLC0415  # loads every parser, 0.2 s

    return shareable_text(form, text)


def _spot(region: str, place: int, first_line: int) -> tuple[int, int]:
    """The line of the document and the column from 1 of a place in its part."""
    before = region[:place]
    return first_line + before.count("\n"), place - (before.rfind("\n") + 1) + 1


def _own_column(shown: str, whole: str, column: int) -> int:
    """A column of a line without comments as a column of the line as written."""
    if shown == whole:
        return column
    same = SequenceMatcher(None, shown, whole, autojunk=False).get_matching_blocks()
    around = [part for part in same if part.size and part.a < column <= part.a + part.size + 1]
    return column + around[-1].b - around[-1].a if around else column


class NodeFinder:
    """Finds the note with a claim's text by its present id (`renamed`) or by its words in `nodes`."""

    def __init__(self, nodes: Callable[[], Iterable[Node]], renamed: Callable[[str], str | None]) -> None:
        self._renamed, self._nodes = renamed, nodes

    @classmethod
    def of_store(cls, store: Store, without: Collection[str] = ()) -> NodeFinder:
        """Among the nodes of a store; `without` are documents about to be removed."""
        gone = frozenset(without)
        remaining = lambda: (node for node in store.nodes.all() if node.provenance.document not in gone)  # noqa: E731  # short
        return cls(remaining, store.renamed_nodes.now if not without else lambda _: None)

    def place(self, claim: Claim) -> tuple[str | None, str]:
        """The id of the note and how it was found, as the beginning of a sentence; None if not exactly one."""
        if new := self._renamed(claim.node):
            return new, f"the note was renamed, and it is {new} now"
        found = [name for name, body in self._bodies if _has(body, claim.quote)] if claim.quote else []
        return (found[0], f"its words are in {found[0]} now") if len(found) == 1 else (None, "")

    @cached_property
    def _bodies(self) -> list[tuple[str, str]]:
        return [(node.id, node.body) for node in self._nodes()]


def _has(body: str, quote: str | None) -> bool:
    """Whether a text has the quoted words exactly."""
    words = sorted(re.findall(r"\w+", quote or ""), key=len)
    if not words or words[-1] not in body:
        return False
    found = find_quote(body, quote or "")
    return found is not None and found.how == "exact"


def claims_without_nodes(
    claims: Iterable[Claim], nodes: Collection[str], finder: NodeFinder | None = None
) -> tuple[Problem, ...]:
    """A warning for each claim on a node that is not in `nodes`; the finder knows where its text is now."""
    found = []
    for claim in lost_claims(claims, nodes):
        new, slip = finder.place(claim) if finder else (None, "")
        todo = "correct the claim's `node`"
        todo = todo if new else f"ingest the document with that node, or {todo}"
        slip = f"{slip};" if new else did_you_mean(claim.node, nodes) or ""
        message = f"the claim {claim.id} is on the node {claim.node}, which does not exist"
        found.append(_warning(claim, "claim-without-node", message, f"{slip} {todo}" if slip else todo))
    return tuple(found)


def lost_claims(claims: Iterable[Claim], nodes: Collection[str]) -> Iterator[Claim]:
    """The claims on nodes that are not in `nodes`."""
    return (claim for claim in claims if claim.node and claim.node not in nodes)


def citations_of_removed_nodes(store: Store) -> Iterator[Problem]:
    """A warning for each node that cites a removed one."""
    found = {
        (link.node.id, stone.id): stone
        for stone in store.nodes.tombstones()
        for link in store.edges.backlinks(stone.id, ["cites"])
    }
    citing = {node.id: node.provenance for node in store.nodes.get_many(node for node, _ in found)}
    for (node, _), stone in found.items():
        if where := citing.get(node):
            now = store.renamed_nodes.now(stone.id)
            todo = f"it is {now} now: correct {node}" if now else f"correct {node}, or ingest {stone.document} again"
            said = f"{node} cites {stone.id}, which was removed on {stone.removed_at:%Y-%m-%d}"
            yield Problem.of(where.document, "cites-removed", said, todo, line=where.first_line)


def broken_by(
    entries: Sequence[DocumentReport],
    nodes: Iterable[Node],
    removed: Iterable[Removal],
    quotes: QuoteFinder,
    finder: NodeFinder,
) -> dict[str, tuple[Problem, ...]]:
    """The warnings for unchanged claims whose node changes, by the document that changes it."""
    fresh = {entry.document.name for entry in entries} | {one.document for one in removed}
    old = {node.id: node for node in nodes if node.provenance.document in fresh}
    new = {node.id: node for entry in entries for node in entry.document.nodes}
    same = {name for name in old.keys() & new.keys() if old[name].body == new[name].body}
    touched = sorted((old.keys() | new.keys()) - same)
    stated = quotes.store.claims.by_node() if touched else {}
    found: dict[str, list[Problem]] = {}
    for claim in quotes.store.claims.all(ids=[claim for node in touched for claim in stated.get(node, ())]):
        if claim.place and claim.place.document in fresh:
            continue  # it is checked with its own document
        before, after = old.get(claim.node), new.get(claim.node)
        problem = _changed_quote(claim, before, after, quotes, finder)
        if problem and (source := after or before):
            found.setdefault(source.provenance.document, []).append(problem)
    return {name: tuple(problems) for name, problems in found.items()}


def with_problems(removed: Iterable[Removal], broken: Mapping[str, Sequence[Problem]]) -> tuple[Removal, ...]:
    """The removed documents, each with the warnings for claims on its nodes."""
    return tuple(one.model_copy(update={"problems": broken.get(one.document, ())}) for one in removed)


def _changed_quote(
    claim: Claim, before: Node | None, after: Node | None, quotes: QuoteFinder, finder: NodeFinder
) -> Problem | None:
    """The warning for a claim after a change of its node; None if it makes no difference."""
    if after is None:
        return next(iter(claims_without_nodes([claim], (), finder)), None)
    problem = quotes.problem(claim, after)
    if problem is None or before is None:
        return problem
    return None if _words(claim, before) == _words(claim, after) else problem


def _words(claim: Claim, node: Node) -> str | None:
    match = find_quote(node.body, claim.quote or "")
    return f"{match.how} {' '.join(node.body[match.start : match.end].split())}" if match else None


def _figures(quote: str, passage: str) -> str:
    """How the figures of a passage differ from those of a quote."""
    said, there = figures_of(quote), figures_of(passage)
    if said == there:
        return ""
    lost, other = (", ".join((one - two).elements()) or "none" for one, two in ((said, there), (there, said)))
    return f"; the figures differ: {lost} in the quote, {other} in the passage"


def _shown(text: str) -> str:
    plain = " ".join(text.split())
    return f"“{plain[:_LONGEST]}…”" if len(plain) > _LONGEST else f"“{plain}”"


def _warning(claim: Claim, code: str, message: str, hint: str) -> Problem:
    place = claim.place or Place(document="")
    return Problem.of(place.document, code, message, hint, line=place.line)
