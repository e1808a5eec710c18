"""Warnings for the authors of claims: the node is missing, or does not have the quoted words.

claims of an ingest                      every one of them that is without its node or its words
claims stored before, of changed nodes   those that this change moves or breaks
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from api.services.quote_finder import placed, written
from compute.reports.report_model import ClaimWithoutNote
from graph.models.claim_models import Claim
from graph.models.node_models import Node
from graph.models.query_models import Tombstone
from graph.problems import Problem, Severity
from graph.store import Store
from graph.store.store_part import batches
from graph.text.quote_anchor import QuoteMatch, figures_of, find_quote
from graph.text.similar_names import did_you_mean

if TYPE_CHECKING:
    from api.services.import_report import DocumentReport, Removal

_LONGEST = 200


class NodeFinder:
    """Finds the note that the text of a claim is in, where the claim's own note does not exist.

    `renamed` gives the id that a node has now; `nodes` are those to look for the quoted words in.
    """

    def __init__(self, nodes: Callable[[], Iterable[Node]], renamed: Callable[[str], str | None]) -> None:
        self._renamed, self._nodes = renamed, nodes
        self._bodies: list[tuple[str, str]] | None = None

    @classmethod
    def of_store(cls, store: Store, without: Collection[str] = ()) -> NodeFinder:
        """Among the nodes of a store; `without` are documents that are about to go."""
        remaining = partial(_remaining, store, frozenset(without))
        return cls(remaining, store.renamed_nodes.now if not without else lambda _: None)

    def place(self, claim: Claim) -> tuple[str | None, str]:
        """The id of the note and how it was found, as the beginning of a sentence; None where no one note has it."""
        if new := self._renamed(claim.node):
            return new, f"the note was renamed, and it is {new} now"
        found = [name for name, body in self._bodies_of_all() if _has(body, claim.quote)] if claim.quote else []
        return (found[0], f"its words are in {found[0]} now") if len(found) == 1 else (None, "")

    def _bodies_of_all(self) -> Iterable[tuple[str, str]]:
        if self._bodies is None:
            self._bodies = [(node.id, node.body) for node in self._nodes()]
        return self._bodies


def _remaining(store: Store, gone: Collection[str]) -> Iterator[Node]:
    return (node for node in store.nodes.all() if node.provenance.document not in gone)


def _has(body: str, quote: str | None) -> bool:
    """Whether a text has the quoted words, as `find_quote` finds them exactly."""
    words = sorted(re.findall(r"\w+", quote or ""), key=len)
    if not words or words[-1] not in body:
        return False
    found = find_quote(body, quote or "")
    return found is not None and found.how == "exact"


def lost_claims(claims: Iterable[Claim], nodes: Collection[str], finder: NodeFinder) -> tuple[ClaimWithoutNote, ...]:
    """The claims on nodes that do not exist, each with the note that its text moved to."""
    lost = [claim for claim in claims if claim.node and claim.node not in nodes]
    return tuple(
        ClaimWithoutNote(claim=claim.id, node=claim.node, says=claim.says, now=finder.place(claim)[0]) for claim in lost
    )


def claims_without_nodes(
    claims: Iterable[Claim], nodes: Collection[str], finder: NodeFinder | None = None
) -> tuple[Problem, ...]:
    """A warning for each claim on a node that is not in `nodes`; the finder knows where its text is now."""
    return tuple(_unplaced(claim, nodes, finder) for claim in claims if claim.node and claim.node not in nodes)


def _unplaced(claim: Claim, nodes: Iterable[str], finder: NodeFinder | None) -> Problem:
    new, slip = finder.place(claim) if finder else (None, "")
    todo = "correct the claim's `node`" if new else "ingest the document with that node, or correct the claim's `node`"
    slip = f"{slip};" if new else did_you_mean(claim.node, nodes) or ""
    message = f"the claim {claim.id} is on the node {claim.node}, which is not there"
    return _warning(claim, "claim-without-node", message, f"{slip} {todo}" if slip else todo)


def citations_of_removed_nodes(store: Store) -> list[Problem]:
    """A warning for each node that cites a removed one."""
    found = {
        (link.node.id, stone.id): stone
        for stone in store.nodes.tombstones()
        for link in store.edges.backlinks(stone.id, ["cites"])
    }
    citing = {node.id: node for node in store.nodes.get_many(node for node, _ in found)}
    now = {stone.id: store.renamed_nodes.now(stone.id) for stone in found.values()}
    return [_orphaned(citing[node], stone, now[stone.id]) for (node, _), stone in found.items() if node in citing]


def _orphaned(node: Node, stone: Tombstone, now: str | None) -> Problem:
    where = node.provenance
    return Problem(
        document=where.document,
        line=where.first_line,
        severity=Severity.WARNING,
        code="cites-removed",
        message=f"{node.id} cites {stone.id}, which was taken out on {stone.removed_at:%Y-%m-%d}",
        hint=f"it is {now} now: correct {node.id}" if now else f"correct {node.id}, or read {stone.document} again",
    )


class QuoteChecker:
    """Checks the quotes of claims against nodes that a store has or an ingest brings."""

    def __init__(self, store: Store, entries: Iterable[DocumentReport] = ()) -> None:
        self._store = store
        self._brought = {entry.document.name: entry.document for entry in entries}

    def problems(self, claims: Iterable[Claim], nodes: Mapping[str, Node]) -> tuple[Problem, ...]:
        """A warning for each claim whose words its node does not have."""
        found = (self.problem(claim, nodes.get(claim.node)) for claim in claims)
        return tuple(problem for problem in found if problem)

    def problem(self, claim: Claim, node: Node | None) -> Problem | None:
        """A warning if the node does not have the quoted words; None for a missing node, which has one of its own."""
        if not claim.quote or node is None:
            return None
        match = find_quote(node.body, claim.quote)
        if match is None:
            message = f"the words that the claim {claim.id} quotes are not in {node.id}: {_shown(claim.quote)}"
            return _warning(claim, "quote-missing", message, _advice(claim.quote, node))
        return None if match.how == "exact" else self._differing(claim, node, match)

    def _differing(self, claim: Claim, node: Node, match: QuoteMatch) -> Problem:
        found = placed(node, match, *self._text(node.provenance.document))
        where, there = f"{found.document}:{found.anchor.line}", _shown(found.anchor.text)
        if match.how == "cut":
            around = _shown(f"{found.prefix[-8:]}{found.anchor.text}{found.suffix[:8]}")
            message = f"the quote of the claim {claim.id} begins or ends inside a number at {where}: {around}"
            return _warning(claim, "quote-cut", message, "quote the complete number")
        said = f"the words that the claim {claim.id} quotes are not in {node.id}: {_shown(claim.quote or '')}"
        message = f"{said}; the nearest passage, at {where}, is {there}{_figures(claim.quote or '', found.anchor.text)}"
        return _warning(claim, "quote-moved", message, "if it says the same, copy it into the claim's `quote`")

    def _text(self, document: str) -> tuple[str, str]:
        brought = self._brought.get(document)
        if brought is not None:
            from ingest.document_reader import shareable_text  # noqa: PLC0415  # loads every parser, 0.2 s

            return shareable_text(brought.format, brought.text), brought.text
        return written(self._store, document)


def broken_by(
    entries: Sequence[DocumentReport],
    nodes: Iterable[Node],
    removed: Iterable[Removal],
    checker: QuoteChecker,
    store: Store,
    *,
    finder: NodeFinder,
) -> dict[str, tuple[Problem, ...]]:
    """The warnings for claims that do not change and whose node changes, by the document that changes it.

    `nodes` are those that these documents have in the store before this ingest, `removed` the documents that it takes
    out; `finder` knows the nodes after it.
    """
    fresh = {entry.document.name for entry in entries} | {one.document for one in removed}
    old = {node.id: node for node in nodes if node.provenance.document in fresh}
    new = {node.id: node for entry in entries for node in entry.document.nodes}
    touched = {name for name in old.keys() | new.keys() if _body(old.get(name)) != _body(new.get(name))}
    found: dict[str, list[Problem]] = {}
    for claim in _stored_on(touched, fresh, store):
        before, after = old.get(claim.node), new.get(claim.node)
        problem = _changed_quote(claim, before, after, checker, finder)
        if problem and (source := after or before):
            found.setdefault(source.provenance.document, []).append(problem)
    return {name: tuple(problems) for name, problems in found.items()}


def with_problems(removed: Iterable[Removal], broken: Mapping[str, tuple[Problem, ...]]) -> tuple[Removal, ...]:
    """The documents that are taken out, each with the warnings for claims on its nodes."""
    return tuple(one.model_copy(update={"problems": broken.get(one.document, ())}) for one in removed)


def misquoted(claims: Iterable[Claim], store: Store) -> Iterator[Problem]:
    """A warning for each claim of a store whose words its node does not have."""
    checker = QuoteChecker(store)
    for some in batches(claim for claim in claims if claim.quote):
        nodes = store.nodes.get_many(sorted({claim.node for claim in some}))
        yield from checker.problems(some, {node.id: node for node in nodes})


def _stored_on(nodes: set[str], fresh: set[str], store: Store) -> Iterator[Claim]:
    """The stored claims on some nodes, without those of documents that this ingest brings or takes out."""
    placed = store.claims.by_node() if nodes else {}
    for some in batches(claim for node in sorted(nodes & placed.keys()) for claim in placed[node]):
        for claim in store.claims.all(ids=some):
            if claim.place is None or claim.place.document not in fresh:
                yield claim


def _changed_quote(
    claim: Claim, before: Node | None, after: Node | None, checker: QuoteChecker, finder: NodeFinder
) -> Problem | None:
    """The warning for a claim after a change of its node; None if the change makes no difference to it."""
    if after is None:
        return next(iter(claims_without_nodes([claim], (), finder)), None)
    problem = checker.problem(claim, after)
    if problem is None or before is None:
        return problem
    return None if _words(claim, before) == _words(claim, after) else problem


def _words(claim: Claim, node: Node) -> str | None:
    """What a node has for the quote of a claim."""
    match = find_quote(node.body, claim.quote or "")
    return f"{match.how} {' '.join(node.body[match.start : match.end].split())}" if match else None


def _body(node: Node | None) -> str | None:
    return node.body if node else None


def _figures(quote: str, passage: str) -> str:
    """How the figures of a passage differ from those of a quote."""
    said, there = figures_of(quote), figures_of(passage)
    if said == there:
        return ""
    lost, other = (", ".join((one - two).elements()) or "none" for one, two in ((said, there), (there, said)))
    return f"; the figures differ: {lost} in the quote, {other} in the passage"


def _advice(quote: str, node: Node) -> str:
    found = find_quote(node.title, quote)
    if found and found.how == "exact":
        return "these words are the title of the node; quote its text"
    return "correct the claim's `quote`, or put the words back"


def _shown(text: str) -> str:
    plain = " ".join(text.split())
    return f"“{plain[:_LONGEST]}…”" if len(plain) > _LONGEST else f"“{plain}”"


def _warning(claim: Claim, code: str, message: str, hint: str) -> Problem:
    place = claim.place
    return Problem(
        document=place.document if place else "",
        line=place.line if place else None,
        severity=Severity.WARNING,
        code=code,
        message=message,
        hint=hint,
    )
