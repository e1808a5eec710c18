"""The figures of any text, checked: each with its place in the file, its working and the claim that speaks of it.

file ─▶ document ─▶ nodes ─▶ statements ─▶ place in the file ─▶ items
                                  └─▶ claims of the brain about the same prices, else with similar words
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import PurePath
from typing import Any, Literal

from api.services.claim_status import ClaimStatusService
from api.services.evaluation import ClaimEvaluator
from api.services.texts.claim_drafts import MinedText, MiningService
from api.services.texts.claim_matcher import ClaimMatcher, DayClaims, formulas
from compute.figures.claim_writer import claim_ids
from compute.figures.figure_models import Figure, MinedInput, Statement, StatementKind
from compute.figures.figure_reader import figures
from compute.figures.statement_writer import LONGEST_QUOTE, SURE, quoted, unit_of, without_computed
from compute.linting.linter import LintRule
from compute.units.number_format import said
from graph.models.claim_models import Claim
from graph.models.document_models import Document
from graph.problems import Problem, Severity
from graph.progress_steps import ProgressStep, no_progress
from graph.store.versioned_cache import cached_in
from graph.values import Value
from ingest.document_reader import read
from ingest.source_files import SourceFile
from ingest.text.prose_masks import sentence_span

ProofVerdict = Literal["holds", "refuted", "stale", "needs-assumption", "unpriced"]

LONGEST = 200_000  # the most bytes of a text that is checked over HTTP; the command has no limit


class ProofItem(Value):
    """One checked figure: `quote` is its sentence, `line` and `column` (from 1) to `end_column` its place in the file.

    `quote_start` is where the figure begins in the quote (from 0), None where the quote ends before it.

    `stated` and `computed` are numbers in `unit`. `verdict` is `stale` where the figure was right and a price has
    changed since. `claim` is the claim of the brain that speaks of the figure; `draft` is the statement as a claim in
    YAML, where a formula can check it.
    """

    document: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    quote: str
    quote_start: int | None = None
    kind: StatementKind
    expression: str
    inputs: tuple[MinedInput, ...] = ()
    stated: Decimal
    computed: Decimal | None
    unit: str
    verdict: ProofVerdict
    confidence: Decimal
    claim: str | None = None
    note: str = ""
    draft: str | None = None


def checked(items: Iterable[ProofItem]) -> int:
    """How many figures some items are about; one figure can be computed in several ways."""
    return len({(one.document, one.line, one.column) for one in items})


class ProofDocument(Value):
    """A file that was proofread: how many `figures` its prose has, how many were `checked`, and its problems."""

    document: str
    figures: int = 0
    checked: int = 0
    read: bool = True
    problems: tuple[Problem, ...] = ()


class Proof(ProofDocument):
    """The proof of one file: its items by place."""

    items: tuple[ProofItem, ...] = ()

    @property
    def summary(self) -> dict[str, object]:
        """The `ProofDocument` alone."""
        return self.model_dump(exclude={"items"})


RULES = (
    LintRule(
        "figure-refuted", "The figure is wrong by the other figures of the text, or by a dated price.",
        "Correct the figure, or the figures that it follows from: the message has both values and the working.",
        Severity.ERROR,
    ),
    LintRule(
        "figure-stale", "The figure was right once, and a price has changed since.",
        "Bring the figure up to date, or write the day for which it holds.", Severity.WARNING,
    ),
    LintRule(
        "figure-needs-assumption", "The figure cannot be computed from what the text states.",
        "State the missing input, or the day of a price: the message says what its value would have to be.",
        Severity.NOTE,
    ),
    LintRule(
        "figure-unpriced", "No catalogue has the price for that day.",
        "Check the price at its source, or add it with a price card (docs/prices.md).", Severity.NOTE,
    ),
)  # fmt: skip
"""What the verdicts of figures mean, for SARIF."""
_SEVERITIES = {rule.code: Severity(rule.severity) for rule in RULES}


def figures_text(one: ProofItem | Statement) -> str:
    """The stated figure, and the computed one."""
    computed = "" if one.computed is None else f", computed {said(one.computed, one.unit)}"
    return f"stated {said(one.stated, one.unit)}{computed}"


def note_text(one: ProofItem | Statement) -> str:
    """The note, without the computed figure where that is shown next to the stated one."""
    return one.note if one.computed is None else without_computed(one.note)


def findings(proofs: Iterable[Proof], verdicts: Container[str]) -> Iterator[Problem]:
    """The figures of some verdicts that do not hold, as problems with their places."""
    for proof in proofs:
        yield from proof.problems
        for item in proof.items:
            if item.verdict in verdicts and (severity := _SEVERITIES.get(f"figure-{item.verdict}")):
                yield Problem(
                    document=item.document, line=item.line, column=item.column, end_column=item.end_column,
                    severity=severity, code=f"figure-{item.verdict}",
                    message=f"{item.text}: {figures_text(item)}", hint=note_text(item) or None,
                )  # fmt: skip


READ_AS_NOTES = frozenset({"bullet-glossary", "term-table", "context-pack"})
"""Formats of Markdown that are proofread as notes: of minutes with bold labels a glossary keeps only the labels."""

_CACHED = 4  # the claims by their words, and by their prices on several days


class Proofreader:
    """Proofreads texts with the prices and the claims of a brain."""

    def __init__(self, mining: MiningService, evaluator: ClaimEvaluator, status: ClaimStatusService) -> None:
        self._mining, self._evaluator, self._status = mining, evaluator, status
        self._cache = evaluator.store.cache(_CACHED)

    def proof(self, data: bytes, name: str, on: date, step: ProgressStep = no_progress) -> Proof:
        """The proof of one document."""
        return next(self.proofs([SourceFile(data, name)], on, step=step))

    def proofs(
        self, files: Sequence[SourceFile], on: date, form: str | None = None, step: ProgressStep = no_progress
    ) -> Iterator[Proof]:
        """Check the figures of documents by the prices of the day that each text states, else of `on`.

        `step` is called before and after each node; an exception from it ends the work.
        """
        documents = [_document(one, form) for one in files]
        texts = self._mining.texts(documents, on, step)
        return (self._proof(*one, on) for one in zip(files, documents, texts, strict=True))

    def _proof(self, file: SourceFile, document: Document, texts: Sequence[MinedText], on: date) -> Proof:
        name = file.path or file.name
        if not file.data.removeprefix(BOM_UTF8).strip():
            return Proof(document=name)
        if not document.nodes:
            errors = any(one.severity is Severity.ERROR for one in document.problems)
            problems = tuple(one.model_copy(update={"document": name}) for one in document.problems)
            return Proof(document=name, problems=problems, read=document.format != "unknown" and not errors)
        statements = [one for text in texts for one in text.statements]
        ids = claim_ids(statements, on)
        drafts = {one.id: self._mining.draft(one, on, ids).claim for one in statements}
        reader = _Reader(name, drafts, self._claims(on), document)
        found = [item for text in texts for item in reader.items(text)]
        items = tuple(sorted(found, key=lambda one: (one.line, one.column, one.expression)))
        return Proof(document=name, items=items, figures=reader.count, checked=checked(items))

    @cached_in("_cache")
    def _claims(self, on: date) -> DayClaims:
        return DayClaims(self._matcher(), on, partial(self._evaluator.explain, as_of=on))

    @cached_in("_cache")
    def _matcher(self) -> ClaimMatcher:
        return ClaimMatcher(self._status.claims(), self._status.by_id(), self._mining.book())


def _document(file: SourceFile, form: str | None) -> Document:
    """A text as a document, in the format `form` if given."""
    # names of documents obey rules that names of files need not
    document = read(file.data, f"draft{PurePath(file.path or file.name).suffix}", format=form)
    unknown = not document.nodes and document.format == "unknown"
    if form is None and (unknown or document.format in READ_AS_NOTES):
        return read(file.data, "draft.md", format="note")
    return document


class _Reader:
    """Proofreads the texts of one document, named `name`; `count` is the number of figures in those that were read."""

    def __init__(self, name: str, drafts: Mapping[str, str | None], claims: DayClaims, document: Document) -> None:
        self._name, self._drafts, self._claims, self.count = name, drafts, claims, 0
        self._named = claims.matcher.names(document.text)
        self._drafted: set[str | None] = set()

    def items(self, text: MinedText) -> Iterator[ProofItem]:
        """The items of a text: each statement, and each other figure of which a claim speaks."""
        free = {one.start: one for one in figures(text.passage.mask)}
        self.count += len(free.keys() | {one.figure_start for one in text.statements})
        for statement in text.statements:
            draft = self._draft(statement)
            if item := self._stated(text, statement, free.pop(statement.figure_start, None), draft):
                yield item
        for figure in free.values():
            if item := self._claimed(text, figure):
                yield item

    def _draft(self, one: Statement) -> str | None:
        """The claim of a statement in YAML; a repeated sentence has one draft."""
        text = self._drafts.get(one.id)
        known = text in self._drafted
        self._drafted.add(text)
        return None if known else text

    def _stated(self, text: MinedText, one: Statement, figure: Figure | None, draft: str | None) -> ProofItem | None:
        spoken = self._claims.about(figure, self._near(text, one, figure), one.unit, one) if figure else None
        where = self._where(text, one.figure_start, one.figure_end, one.start, one.start + len(one.quote))
        if where is None or one.verdict == "differs":
            return None  # one text is compared with no other
        return ProofItem(
            **where, kind=one.kind, expression=one.expression, inputs=one.inputs, stated=one.stated,
            computed=one.computed, unit=one.unit, confidence=one.confidence, draft=draft,
            verdict="stale" if spoken and spoken.was and one.verdict != "refuted" else one.verdict,
            claim=spoken.claim.id if spoken else None,
            note="; ".join(note for note in (one.note, spoken.note if spoken else "") if note),
        )  # fmt: skip

    def _claimed(self, text: MinedText, figure: Figure) -> ProofItem | None:
        """An item for a figure that no statement is about, and that a claim has."""
        unit = unit_of(figure)
        where = self._where(text, figure.start, figure.end, *sentence_span(text.passage.borders, figure.start))
        near = self._alike(text, figure, where["quote"], unit) if where else ()
        spoken = self._claims.about(figure, near, unit)
        if spoken is None or where is None:
            return None
        claim = spoken.claim
        return ProofItem(
            **where,
            kind="price" if any("price(" in text for text in formulas(claim)) else "arithmetic",
            expression=claim.value, stated=figure.low, computed=None, unit=unit,
            verdict="holds" if spoken.agrees else "stale", confidence=SURE, claim=claim.id, note=spoken.note,
        )  # fmt: skip

    def _where(self, text: MinedText, first: int, last: int, start: int, end: int) -> dict[str, Any] | None:
        """The place of a figure in the file and in its quotation; None if not found."""
        place = text.body.place(first, last)
        if place is None:
            return None
        body = text.passage.text
        if start + LONGEST_QUOTE < last:  # of a very long sentence the words up to the figure
            space = body.find(" ", last - LONGEST_QUOTE, last - LONGEST_QUOTE // 2)
            start, end = max(space, last - LONGEST_QUOTE), last
        quote, begin = quoted(body, start, end)
        at = first - begin
        return {
            "document": self._name, "line": place.line, "column": place.column, "end_line": place.end_line,
            "end_column": place.end_column, "text": body[first:last], "quote": quote,
            "quote_start": at if at >= 0 and quote.startswith(body[first:last], at) else None,
        }  # fmt: skip

    def _near(self, text: MinedText, one: Statement, figure: Figure) -> Sequence[Claim]:
        """The claims about the prices of a statement; else those with similar words."""
        near = self._claims.priced(one)
        return self._alike(text, figure, one.quote, one.unit) if near is None else near

    def _alike(self, text: MinedText, figure: Figure, quote: str, unit: str) -> Sequence[Claim]:
        """The claims with words similar to those of a sentence, and about what its figure is."""
        (start, end), matcher = sentence_span(text.passage.borders, figure.start), self._claims.matcher
        return matcher.find(quote, unit, self._named, matcher.topic(text.passage.mask[start:end], figure, start))
