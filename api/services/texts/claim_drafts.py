"""What could be a claim: checkable statements in texts, and drafts of claims, checked. Nothing is stored.

    nodes ─▶ passages ─▶ mined, with the prices of this home ─▶ drafts: what each would be in YAML, and its verdict

    text (what the claims quote) ─┐
    claims as YAML ──load──▶ Claim ┴─▶ evaluated with the prices of this brain ─▶ what to change

A draft may leave out what a stored claim needs: `id`, `node`, `says` and `as_of`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, NamedTuple

from pydantic import Field

from api.services.claim_quotes import QuoteFinder
from api.services.evaluation import ClaimEvaluator, EvaluationInputs
from api.settings import SHIPPED
from compute.claims.claim_loader import load
from compute.figures.claim_writer import claim, claim_ids
from compute.figures.figure_checker import FigureChecker, contradictions
from compute.figures.figure_models import Finding, Passage, Statement, StatementKind
from compute.prices import rule_library
from compute.prices.price_book import CatalogBook
from compute.prices.rule_library import Library
from compute.units import units
from compute.verify.claim_verifier import Verifier, explain
from graph.models.claim_models import Claim, StatedClaim, VerdictName
from graph.models.document_models import Document
from graph.models.node_models import Kind, Node
from graph.models.verdict_models import QuoteAnchor, Verdict, VerdictRow
from graph.problems import Problem, Severity
from graph.progress_steps import ProgressStep, no_progress
from graph.store import Store
from graph.store.cursors import Cursor
from graph.store.versioned_cache import cached_in
from graph.text.quote_anchor import find_quote
from graph.values import Value
from graph.yaml.validation import Day, Line
from ingest.document_reader import read
from ingest.text.prose_masks import masked, sentence_borders
from ingest.text.source_positions import BodyMap, SourceMap

DONE = "~"  # sorts after the number of every statement of a node: nothing of it is left

Mined = tuple[Statement, ...]

Place = Callable[[Statement], str]
"""Where a statement was read: `notes.md:12`."""

_SAME, _HEAD = Decimal("1e-9"), "claims:\n"


class Draft(Statement):
    """A statement with the claim that it could be, as YAML, and the verdict of that claim on the requested day.

    Both are None if no formula gives what the statement says.
    """

    claim: str | None = None
    today: VerdictName | None = None


def _agree(one: Statement, row: VerdictRow) -> bool:
    """Whether the verdict of a claim is that of its statement, with the same value."""
    unit, own = units.known(row.unit), units.known(one.unit)
    if unit is None or own is None or unit.dimension is not own.dimension or one.computed is None:
        return False
    right = one.computed * own.factor
    values = [value * unit.factor for value in (row.value, row.then_value) if value is not None]
    aged = one.verdict == "holds" and row.verdict is VerdictName.STALE  # in a text of an earlier day
    return (row.verdict == one.verdict or aged) and any(abs(value - right) <= abs(right) * _SAME for value in values)


def passage(node: Node) -> Passage:
    """A node as a text to mine."""
    mask = masked(node.body)
    return Passage(node.id, node.body, mask, tuple(sentence_borders(mask)), node.published, node.title)


class MinedText(NamedTuple):
    """The text of a node in a file, with its statements; `body` finds places in the file."""

    passage: Passage
    first_line: int
    body: BodyMap
    statements: Mined

    def line(self, one: Statement) -> int:
        """The line of a statement in the file."""
        place = self.body.place(one.figure_start, one.figure_end)
        return place.line if place else self.first_line


MOST_READ = 500  # how many nodes are read for one part of a walk, however few statements they hold

MOST_MINED = 10_000  # the statements of how many nodes are cached; those of the included brain take 1 kB a node


class MiningService:
    """Mines the nodes of a store, and checks drafts of claims."""

    def __init__(self, evaluator: ClaimEvaluator) -> None:
        self.store, self.quotes, self._evaluator = evaluator.store, evaluator.quotes, evaluator
        self._cache, self._mined = self.store.cache(3), self.store.cache(MOST_MINED)

    def statements(self, nodes: Sequence[str], on: date, *, step: ProgressStep = no_progress) -> Mined:
        """The statements of some nodes, or of all where none is named, in order. Raises `UnknownNodeError`.

        Definitions of one term are compared. `on` is the day of the prices if a text names none.
        """
        chosen = [self.store.nodes.get(node) for node in nodes]
        every = {node.id: passage(node) for node in self.store.nodes.all()}
        wanted = list(dict.fromkeys(node.id for node in chosen) or every)
        mined = self._mine([every[node] for node in wanted], on, step)
        found = {node: list(statements) for node, statements in zip(wanted, mined, strict=True)}
        for statement in self._definitions(every):
            if statement.node in found:
                found[statement.node].append(statement.model_copy(update={"as_of": on}))
        return tuple(one for node in wanted for one in sorted(found[node], key=lambda one: one.start))

    def texts(
        self, documents: Sequence[Document], on: date, step: ProgressStep = no_progress
    ) -> Iterator[tuple[MinedText, ...]]:
        """The mined texts of each document, which need not be stored.

        `step` is called before and after each node; an exception from it ends the work.
        """
        texts = [[passage(node) for node in document.nodes] for document in documents]
        mined = self._mine([one for some in texts for one in some], on, step)
        for document, some in zip(documents, texts, strict=True):
            source = SourceMap(document.text, html=document.format == "html-page")
            lines = [node.provenance.first_line for node in document.nodes]
            bodies = [source.body(one.mask, line) for one, line in zip(some, lines, strict=True)]
            yield tuple(map(MinedText, some, lines, bodies, mined))

    def _mine(self, texts: Sequence[Passage], on: date, step: ProgressStep) -> Iterator[Mined]:
        mined = self._evaluator.mapper.map(FigureChecker(self.book(), on).check, texts, 20)
        done, total = 0, sum(len(one.text) for one in texts)
        step("mining", done, total)
        for one in texts:
            found = next(mined)
            done += len(one.text)
            step("mining", done, total)
            yield found

    def place(self, one: Statement) -> str:
        """The document and the line of a statement of a stored node: `notes.md:12`."""
        node, end = self.store.nodes.get(one.node), max(one.figure_end, one.figure_start + 1)
        return self.quotes.line(node, one.figure_start, end)

    def drafts(self, node: Node, on: date) -> tuple[Draft, ...]:
        """The statements of one text by itself, as drafts of claims for a day."""
        found = self._statements(node.id, on)
        ids = claim_ids(found, on)
        return tuple(self.draft(one, on, ids) for one in found)

    def draft(self, one: Statement, on: date, ids: Mapping[str, str]) -> Draft:
        """A statement with its claim for a day, if one says the same; `ids` are those of its file."""
        text = claim(one, name, on) if (name := ids.get(one.id)) else ""
        loaded, problems = load("mined.yaml", text)
        if not loaded or any(problem.severity is Severity.ERROR for problem in problems):
            return Draft(**dict(one))
        row = Verifier(self.book(), on).row(loaded[0])
        return Draft(**dict(one), claim=text, today=row.verdict) if _agree(one, row) else Draft(**dict(one))

    def claim_file(self, statements: Iterable[Statement], on: date, place: Place) -> tuple[str, tuple[Statement, ...]]:
        """Statements as a file of claims, and those left out because no claim says the same.

        Each has its `place` as a comment.
        """
        wanted, texts = tuple(statements), dict[str, str]()
        ids = claim_ids(wanted, on)
        drafts = [self.draft(one, on, ids) for one in wanted]
        for one in drafts:
            if one.claim and one.claim not in texts:
                texts[one.claim] = f"  # {' '.join(place(one).split())}\n{one.claim.removeprefix(_HEAD)}"
        left = tuple(one for one in drafts if one.claim is None)
        return _HEAD + "".join(texts.values()) if texts else "claims: []\n", left

    def walk(
        self, on: date, limit: int, after: Cursor | None, *,
        brain: str | None, tag: str | None, kind: StatementKind | None, verdict: Finding | None,
    ) -> tuple[tuple[Draft, ...], Cursor | None]:  # fmt: skip
        """A part of all drafts: at most `limit`, of at most `MOST_READ` nodes; the place of the next part, if any."""
        place = begin = after or Cursor(-1, DONE)
        cards = [
            card
            for card in self.store.index_feed.cards()
            if card.serial >= int(begin.key) and brain in {None, card.brain} and (tag is None or tag in card.tags)
        ]
        drafts: list[Draft] = []
        for card in cards[:MOST_READ]:
            found = self._statements(card.id, on)
            ids = claim_ids(found, on)
            for number, one in enumerate(found):
                here = Cursor(card.serial, f"{number:06d}")
                taken = kind in {None, one.kind} and verdict in {None, one.verdict}
                if taken and (here.key, here.id) > (begin.key, begin.id):
                    if len(drafts) == limit:
                        return tuple(drafts), place
                    drafts.append(self.draft(one, on, ids))
                    place = here
        return tuple(drafts), Cursor(cards[MOST_READ - 1].serial, DONE) if len(cards) > MOST_READ else None

    @cached_in("_mined")
    def _statements(self, name: str, on: date) -> Mined:
        node = self.store.nodes.find(name)
        return self._checker(on).check(passage(node)) if node else ()

    @cached_in("_cache")
    def _checker(self, on: date) -> FigureChecker:
        return FigureChecker(self.book(), on)

    @cached_in("_cache")
    def book(self) -> CatalogBook:
        """The prices of this data directory; if it states none, the catalogues with the included content."""
        prices = self._evaluator.prices
        own = prices.library()
        if own.cards or own.families or own.assumptions:
            return prices.book()
        return shipped().book(shipped().catalogs(prices.catalogs()))

    def check_drafts(
        self, claims: str, day: date, *, text: bytes | None = None, name: str = "draft.md", claims_name: str = "claims"
    ) -> DraftCheck:
        """Check claims in YAML against a text, or the notes that they name. Raises `TooManyClaimsError`."""
        drafts, problems = load(claims_name, claims, DraftClaim)
        if len(drafts) > MOST_CLAIMS:
            raise TooManyClaimsError(len(drafts))
        document = read(text, name) if text is not None else None
        texts = _Texts(self.store, document)
        named = [_named(draft, number, day) for number, draft in enumerate(drafts, 1)]
        own, inputs = {draft.id: draft for draft in named}, self._evaluator.inputs.now()
        find, groups = inputs.find, _by_claim(named, problems)
        inputs = replace(inputs, find=lambda name: own.get(name) or find(name))
        items = tuple(_checked(draft, groups[draft.id], texts, inputs, day) for draft in named)
        return DraftCheck(items=items, problems=(*groups[""], *(document.problems if document else ())))

    def _definitions(self, every: dict[str, Passage]) -> Iterator[Statement]:
        """Definitions of one term in several glossaries whose figures exclude each other."""
        groups: dict[str, set[str]] = {}
        for edge in self.store.edges.select(kind="same_as"):
            groups.setdefault(edge.subject, {edge.subject}).add(edge.target)
        told: set[str] = set()
        for group in groups.values():
            terms = [node for node in self.store.nodes.get_many(sorted(group)) if node.kind is Kind.TERM]
            for statement in contradictions(every[node.id] for node in terms):
                if statement.id not in told:
                    told.add(statement.id)
                    yield statement


@lru_cache(maxsize=1)
def shipped() -> Library:
    """Cards, families and assumptions of the included content."""
    return rule_library.load(SHIPPED)


DRAFT_NODE = "draft/text"  # the node of a draft that names none: the text that is checked
MOST_CLAIMS = 200


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


class _Texts:
    """The texts that claims may quote: the notes of a store, and the document of the draft."""

    def __init__(self, store: Store, document: Document | None) -> None:
        self._store, self._own = store, document.nodes if document else ()
        self.quotes = QuoteFinder(store, [document] if document else ())

    def node(self, name: str, quote: str | None) -> Node | None:
        """A note; of a draft's document the part that has the quote."""
        if name == DRAFT_NODE:
            having = (one for one in self._own if quote and find_quote(one.body, quote))
            return next(having, self._own[0] if self._own else None)
        return next((one for one in self._own if one.id == name), None) or self._store.nodes.find(name)


def _named(claim: Claim, number: int, day: date) -> Claim:
    filled = {
        "id": claim.id or f"draft-{number}",
        "says": claim.says or claim.quote or "",
        "as_of": day if claim.as_of == date.min else claim.as_of,
    }
    return claim.model_copy(update=filled)


def _by_claim(drafts: Sequence[Claim], problems: Sequence[Problem]) -> dict[str, list[Problem]]:
    """The problems of each claim, by its first line; those before the first are under ''."""
    starts = [draft.place.line or 1 if draft.place else 1 for draft in drafts]
    found: dict[str, list[Problem]] = {"": [], **{draft.id: [] for draft in drafts}}
    for problem in problems:
        at = bisect_right(starts, problem.line or 0)
        found[drafts[at - 1].id if at else ""].append(problem)
    return found


def _checked(
    draft: Claim, problems: Sequence[Problem], texts: _Texts, inputs: EvaluationInputs, day: date
) -> CheckedClaim:
    inputs = replace(inputs, node=lambda name: texts.node(name, draft.quote))
    verdict, node = explain(draft, inputs.book, day, inputs.terms()), texts.node(draft.node, draft.quote)
    match = find_quote(node.body, draft.quote) if node and draft.quote else None
    anchor = texts.quotes.located(node, match).anchor if node and match else None
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
