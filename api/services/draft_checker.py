"""Checks drafts of claims for a text: quote, formula, units, prices, verdict. Nothing is stored.

    text (what the claims quote) ─┐
    claims as YAML ──load──▶ Claim ┴─▶ evaluated with the prices of this brain ─▶ what to change

A draft may leave out what a stored claim needs: `id`, `node`, `says` and `as_of`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Annotated, NamedTuple

from pydantic import Field

from api.services.claim_places import placed, written
from api.services.evaluation import ClaimEvaluator, EvaluationInputs
from compute.claims.claim_loader import load
from compute.verify.claim_verifier import explain
from graph.models.claim_models import Claim, StatedClaim, VerdictName
from graph.models.document_models import Document
from graph.models.node_models import Node
from graph.models.verdict_models import QuoteAnchor, Verdict
from graph.problems import Problem
from graph.store import Store
from graph.store.store_errors import UnknownNodeError
from graph.text.quote_anchor import QuoteMatch, find_quote
from graph.values import Value
from graph.yaml.validation import Day, Line
from ingest.document_reader import read

DRAFT_NODE = "draft/text"
"""The node of a draft that names none: the text that is checked."""
MOST_CLAIMS = 200
"""The number of claims that are checked at once."""


class DraftClaim(StatedClaim):
    """A claim as a draft: only its formula and what is expected of it are required."""

    id: Annotated[Line, Field(description="The name of the claim.")] = ""
    node: Annotated[Line, Field(description="The note that asserts it; the text by default.")] = DRAFT_NODE
    says: Line = ""
    as_of: Day = date.min


class CheckedClaim(Value):
    """A draft of a claim with what was found: `changes` say what to do, in order; empty if the claim needs no change.

    `line` is its line in the claims. `quoted` says whether the text has the words of its quote (None without a quote);
    `quote` is its place, or the most similar words. `verdict` has the prices that were read and the working.
    """

    id: str
    line: int
    quoted: bool | None
    quote: QuoteAnchor | None
    problems: tuple[Problem, ...]
    verdict: Verdict
    changes: tuple[str, ...]


class DraftCheck(Value):
    """The checked claims of a file; `problems` are those of the file and of the text."""

    items: tuple[CheckedClaim, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether no claim needs a change."""
        return not self.problems and not any(item.changes for item in self.items)


class TooManyClaimsError(ValueError):
    """A file has more claims than are checked at once."""

    def __init__(self, found: int) -> None:
        super().__init__(f"{found} claims; at most {MOST_CLAIMS} are checked at once. Send them in parts.")


class DraftChecker:
    """Checks drafts of claims with the claims, notes and prices of a brain."""

    def __init__(self, evaluator: ClaimEvaluator) -> None:
        self._store, self._inputs = evaluator.store, evaluator.inputs

    def check(
        self, claims: str, day: date, *, text: bytes | None = None, name: str = "draft.md", claims_name: str = "claims"
    ) -> DraftCheck:
        """Check claims in YAML against a text, or against the notes that they name. Stores nothing."""
        drafts, problems = load(claims_name, claims, DraftClaim)
        if len(drafts) > MOST_CLAIMS:
            raise TooManyClaimsError(len(drafts))
        document = read(text, name) if text is not None else None
        named = [_named(draft, number, day) for number, draft in enumerate(drafts, 1)]
        nodes, inputs = _Texts(self._store, document), self._inputs.now()
        own, quotes = {draft.id: draft for draft in named}, {draft.node: draft.quote for draft in named}
        find, node = inputs.find, cache(lambda name: nodes.node(name, quotes.get(name)))
        inputs = replace(inputs, find=lambda name: own.get(name) or find(name), node=node)
        groups = _by_claim(named, problems)
        items = tuple(_checked(draft, groups[draft.id], nodes, inputs, day) for draft in named)
        return DraftCheck(items=items, problems=(*groups[""], *(document.problems if document else ())))


class _Texts(NamedTuple):
    """The texts that claims may quote: the notes of a store, and the document of the draft."""

    store: Store
    document: Document | None

    def node(self, name: str, quote: str | None = None) -> Node | None:
        """A note; of a draft's document the part that has the quote."""
        own = self.document.nodes if self.document else ()
        if name == DRAFT_NODE:
            return next((one for one in own if quote and find_quote(one.body, quote)), own[0] if own else None)
        try:
            return next((one for one in own if one.id == name), None) or self.store.nodes.get(name)
        except UnknownNodeError:
            return None

    def anchor(self, node: Node, match: QuoteMatch) -> QuoteAnchor:
        """A match with its line in the document of the node."""
        own = self.document is not None and node in self.document.nodes
        lines = (self.document.text,) * 2 if own and self.document else written(self.store, node.provenance.document)
        return placed(node, match, *lines).anchor


def _named(claim: Claim, number: int, day: date) -> Claim:
    filled = {
        "id": claim.id or f"draft-{number}",
        "says": claim.says or claim.quote or "",
        "as_of": day if claim.as_of == date.min else claim.as_of,
    }
    return claim.model_copy(update=filled)


def _by_claim(drafts: Sequence[Claim], problems: Sequence[Problem]) -> dict[str, list[Problem]]:
    """The problems of each claim, by the line where it begins; those before the first are of the file, under ''."""
    starts = [draft.place.line or 1 if draft.place else 1 for draft in drafts]
    found: dict[str, list[Problem]] = {"": [], **{draft.id: [] for draft in drafts}}
    for problem in problems:
        at = bisect_right(starts, problem.line or 0)
        found[drafts[at - 1].id if at else ""].append(problem)
    return found


def _checked(
    draft: Claim, problems: Sequence[Problem], texts: _Texts, inputs: EvaluationInputs, day: date
) -> CheckedClaim:
    verdict = explain(draft, inputs.book, day, inputs.terms())
    node = texts.node(draft.node, draft.quote)
    match = find_quote(node.body, draft.quote) if node and draft.quote else None
    anchor = texts.anchor(node, match) if node and match else None
    found = None if draft.quote is None else bool(match and match.how == "exact")
    changes = [f"line {one.line}: {one.message}" + (f"; {one.hint}" if one.hint else "") for one in problems]
    if draft.quote is None:
        changes.append("Add a quote: the words of the text that state the figure.")
    elif node is None:
        changes.append(f"There is no note {draft.node}: send the text, or name the note that the claim is about.")
    elif not found:
        nearest = f" Nearest words: “{anchor.text}”." if anchor else ""
        changes.append(f"The text does not have the words of the quote; copy them exactly.{nearest}")
    if not draft.broken and verdict.verdict is not VerdictName.HOLDS:
        changes.append(f"{verdict.verdict}: {verdict.reason}")
    return CheckedClaim(
        id=draft.id, line=draft.place.line or 1 if draft.place else 1, quoted=found, quote=anchor,
        problems=tuple(problems), verdict=verdict.model_copy(update={"quote": anchor}), changes=tuple(changes),
    )  # fmt: skip
