"""What could be a claim: checkable statements in texts, and drafts of claims, checked. Nothing is stored.

    nodes ─▶ passages ─▶ mined, with the prices of this home ─▶ drafts: what each would be in YAML, and its verdict

    text (what the claims quote) ─┐
    claims as YAML ──load──▶ Claim ┴─▶ evaluated with the prices of this brain ─▶ what to change

A draft may leave out what a stored claim needs: `id`, `node`, `says` and `as_of`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, cached_property, lru_cache
from itertools import islice
from pathlib import PurePath
from typing import Annotated, NamedTuple

from pydantic import Field

from api.services.claim_quotes import placed, written
from api.services.evaluation import ClaimEvaluator, EvaluationInputs
from api.settings import SHIPPED
from compute.claims.claim_loader import load
from compute.figures.claim_writer import NO_CLAIMS, Place, claim_ids, claims
from compute.figures.figure_checker import FigureChecker, contradictions
from compute.figures.figure_models import Figure, Finding, Passage, Statement, StatementKind
from compute.figures.figure_reader import figures
from compute.prices import rule_library
from compute.prices.price_book import CatalogBook
from compute.prices.rule_library import Library
from compute.verify.claim_verifier import Verifier, explain
from graph.models.claim_models import Claim, StatedClaim, VerdictName
from graph.models.document_models import Document
from graph.models.node_models import Kind, Node
from graph.models.query_models import Card
from graph.models.verdict_models import QuoteAnchor, Verdict
from graph.problems import Problem, Severity
from graph.progress_steps import ProgressStep, no_progress
from graph.store import Store
from graph.store.cursors import Cursor
from graph.store.store_errors import UnknownNodeError
from graph.store.versioned_cache import cached_in
from graph.text.quote_anchor import QuoteMatch, find_quote
from graph.values import Value
from graph.yaml.validation import Day, Line
from ingest.document_reader import read
from ingest.source_files import SourceFile
from ingest.text.prose_masks import masked, sentence_borders
from ingest.text.source_positions import SourceMap

DONE = "~"  # sorts after the number of every statement of a node: nothing of it is left

Mined = tuple[Statement, ...]


class Draft(Statement):
    """A statement with the claim that it could be, as YAML, and the verdict of that claim on the requested day.

    Both are None if no formula can check the statement.
    """

    claim: str | None = None
    today: VerdictName | None = None


class StatementFilter(NamedTuple):
    """Which statements of which nodes to return."""

    brain: str | None = None
    tag: str | None = None
    kind: StatementKind | None = None
    verdict: Finding | None = None


def claim_file(
    statements: Iterable[Statement], on: date, place: Place = lambda _: "", ids: Mapping[str, str] | None = None
) -> tuple[str, int]:
    """The statements that a formula can check as a file of claims, and how many would be refused.

    `place` gives the document and line of a statement, for a comment; `ids` the ids of claims by those of statements.
    """
    wanted = tuple(statements)
    text = claims(wanted, on, place, ids)
    if _sound(text):
        return text, 0
    sound = tuple(one for one in wanted if _sound(claims((one,), on)))
    return claims(sound, on, place, ids), len(wanted) - len(sound)


def _sound(text: str) -> bool:
    return not any(problem.severity is Severity.ERROR for problem in load("mined.yaml", text)[1])


def drafted(statement: Statement, book: CatalogBook, on: date, ids: Mapping[str, str]) -> Draft:
    """A statement with its claim, verified for a day; `ids` are those of the claims of its node."""
    told = dict(statement)
    text = claims((statement,), on, ids=ids)
    loaded, _ = load("mined.yaml", text)
    if not loaded:
        return Draft(**told)
    return Draft(**told, claim=text, today=Verifier(book, on).row(loaded[0]).verdict)


def passage(node: Node) -> Passage:
    """A node as a text to mine."""
    mask = masked(node.body)
    return Passage(node.id, node.body, mask, tuple(sentence_borders(mask)), node.published, node.title)


@dataclass(frozen=True)
class MiningTask:
    """The statements of each passage, with the prices of a book; `on` is the day where a text names none."""

    book: CatalogBook
    on: date

    @cached_property
    def checker(self) -> FigureChecker:
        """Mines passages; it caches what they share."""
        return FigureChecker(self.book, self.on)

    def __call__(self, text: Passage) -> Mined:
        """The statements of a passage, in text order."""
        return self.checker.check(text)


class MinedNode(NamedTuple):
    """A node of a draft: its figures and statements."""

    passage: Passage
    first_line: int
    figures: tuple[Figure, ...]
    statements: tuple[Statement, ...]


class MinedDraft(NamedTuple):
    """The document of a draft, its nodes, and the claims of statements by their ids."""

    document: Document
    nodes: tuple[MinedNode, ...]
    claims: dict[str, str]


READ_AS_NOTES = frozenset({"bullet-glossary", "term-table", "context-pack"})
"""Formats of Markdown that are proofread as notes: of minutes with bold labels a glossary keeps only the labels."""


@dataclass(frozen=True)
class DraftTask(MiningTask):
    """Reads and mines each draft, as `form` if given; `step` is called before each node and may end the work."""

    form: str | None = None
    step: ProgressStep = no_progress

    def __call__(self, file: SourceFile) -> MinedDraft:  # type: ignore[override]  # other items
        """The nodes and figures of a file."""
        # names of documents obey rules that names of files need not
        inner = f"draft{PurePath(file.path or file.name).suffix}"
        document = read(file.data, inner, format=self.form)
        unknown = not document.nodes and document.format == "unknown"
        if self.form is None and (unknown or document.format in READ_AS_NOTES):
            document = read(file.data, "draft.md", format="note")
        nodes, done, total = [], 0, sum(len(node.body) for node in document.nodes)
        for node in document.nodes:
            self.step("proofreading", done, total)
            text = passage(node)
            nodes.append(MinedNode(text, node.provenance.first_line, figures(text.mask), self.checker.check(text)))
            done += len(node.body)
        self.step("proofreading", total, total)
        every = [one for node in nodes for one in node.statements]
        ids, first = claim_ids(every, self.on), dict[str, Statement]()
        for one in every:
            if one.id in ids:
                first.setdefault(ids[one.id], one)  # a repeated sentence has one draft
        files = {one.id: claim_file((one,), one.as_of or self.on, ids={one.id: name}) for name, one in first.items()}
        made = {name: text for name, (text, left) in files.items() if text != NO_CLAIMS and not left}
        return MinedDraft(document, tuple(nodes), made)


MOST_READ = 500  # how many nodes are read for one part of a walk, however few statements they hold

MOST_MINED = 10_000  # the statements of how many nodes are cached; those of the included brain take 1 kB a node


class MiningService:
    """Mines the nodes of a store, and checks drafts of claims."""

    def __init__(self, evaluator: ClaimEvaluator) -> None:
        self.store, self._evaluator = evaluator.store, evaluator
        self._cache, self._mined = self.store.cache(3), self.store.cache(MOST_MINED, "graph")

    def statements(self, nodes: Sequence[str], on: date, *, step: ProgressStep = no_progress) -> tuple[Statement, ...]:
        """The statements of some nodes, or of all where none is named, in order. Raises `UnknownNodeError`.

        Definitions of one term are compared. `on` is the day of the prices if a text names none.
        """
        chosen = [self.store.nodes.get(node) for node in nodes]
        every = {node.id: passage(node) for node in self.store.nodes.all()}
        wanted = [node.id for node in chosen] or list(every)
        listed = list(dict.fromkeys(wanted))
        mined = self._mine([every[node] for node in listed], on, step)
        found = {node: list(statements) for node, statements in zip(listed, mined, strict=True)}
        for statement in self._definitions(every):
            if statement.node in found:
                found[statement.node].append(statement.model_copy(update={"as_of": on}))
        return tuple(one for node in dict.fromkeys(wanted) for one in sorted(found[node], key=lambda one: one.start))

    def read(
        self, data: bytes, name: str, on: date, step: ProgressStep = no_progress
    ) -> tuple[tuple[Statement, ...], dict[str, str]]:
        """The statements of a file that is not stored, and the `name:line` of each by its id."""
        document = read(data, name)
        source = SourceMap(document.text, html=document.format == "html-page")
        found, places = [], {}
        texts = [passage(node) for node in document.nodes]
        mined = self._mine(texts, on, step)
        for node, text, statements in zip(document.nodes, texts, mined, strict=True):
            body = source.body(text.mask, node.provenance.first_line)
            for one in statements:
                place = body.place(one.figure_start, one.figure_end)
                places[one.id] = f"{name}:{place.line if place else node.provenance.first_line}"
                found.append(one)
        return tuple(found), places

    def _mine(self, texts: Sequence[Passage], on: date, step: ProgressStep) -> Iterator[Mined]:
        mined = self._evaluator.mapper.map(MiningTask(self.book(), on), texts, 20)
        for number in range(len(texts)):
            step("mining", number, len(texts))
            yield next(mined)

    def place(self, one: Statement) -> str:
        """The document and the line of a statement of a stored node: `notes.md:12`."""
        node = self.store.nodes.get(one.node)
        document = node.provenance.document
        match = QuoteMatch(one.figure_start, max(one.figure_end, one.figure_start + 1), "exact")
        return f"{document}:{placed(node, match, *written(self.store, document)).anchor.line}"

    def drafts(self, node: Node, on: date) -> tuple[Draft, ...]:
        """The statements of one text by itself, as drafts of claims for a day."""
        task = self._task(on)
        found = task.checker.check(passage(node))
        ids = claim_ids(found, on)
        return tuple(drafted(one, task.book, on, ids) for one in found)

    def walk(
        self, wanted: StatementFilter, on: date, limit: int, after: Cursor | None = None
    ) -> tuple[tuple[Draft, ...], Cursor | None]:
        """A part of all drafts: at most `limit`, of at most `MOST_READ` nodes; the place of the next part, if any."""
        task = self._task(on)
        begin = after or Cursor(-1, DONE)
        cards = [
            card
            for card in self.store.index_feed.cards()
            if card.serial >= int(begin.key)
            and wanted.brain in {None, card.brain}
            and (wanted.tag is None or wanted.tag in card.tags)
        ]
        found = list(islice(self._behind(begin, cards[:MOST_READ], task, wanted), limit + 1))
        nodes = dict.fromkeys(one.node for _, one in found[:limit])
        ids = {key: name for node in nodes for key, name in claim_ids(self._statements(task, node), on).items()}
        drafts = tuple(drafted(one, task.book, on, ids) for _, one in found[:limit])
        if len(found) > limit:
            return drafts, found[limit - 1][0]
        return drafts, Cursor(cards[MOST_READ - 1].serial, DONE) if len(cards) > MOST_READ else None

    def _behind(
        self, begin: Cursor, cards: Sequence[Card], task: MiningTask, wanted: StatementFilter
    ) -> Iterator[tuple[Cursor, Statement]]:
        """The matching statements of the nodes after a place, each with its own place."""
        for card in cards:
            for number, one in enumerate(self._statements(task, card.id)):
                place = Cursor(card.serial, f"{number:06d}")
                taken = wanted.kind in {None, one.kind} and wanted.verdict in {None, one.verdict}
                if taken and (place.key, place.id) > (begin.key, begin.id):
                    yield place, one

    def _statements(self, task: MiningTask, name: str) -> Mined:
        def mined() -> Mined:
            node = self.store.nodes.find(name)
            return task.checker.check(passage(node)) if node else ()

        return self._mined.get((task.checker, name), mined)

    def _task(self, on: date) -> MiningTask:
        """The task that mines texts for a day; cached until the price book changes."""
        book = self.book()

        def made(old: MiningTask | None) -> MiningTask:
            return old if old is not None and old.book is book else MiningTask(book, on)

        return self._cache.renew(on, made)

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
        named = [_named(draft, number, day) for number, draft in enumerate(drafts, 1)]
        nodes, inputs = _Texts(self.store, document), self._evaluator.inputs.now()
        own, quotes = {draft.id: draft for draft in named}, {draft.node: draft.quote for draft in named}
        find, node = inputs.find, cache(lambda name: nodes.node(name, quotes.get(name)))
        inputs = replace(inputs, find=lambda name: own.get(name) or find(name), node=node)
        groups = _by_claim(named, problems)
        items = tuple(_checked(draft, groups[draft.id], nodes, inputs, day) for draft in named)
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
