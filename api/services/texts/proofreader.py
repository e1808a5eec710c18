"""The figures of any text, checked: each with its place in the file, its working and the claim that speaks of it.

file ─▶ document ─▶ nodes ─▶ statements ─▶ place in the file ─▶ items
                                  └─▶ claims of the brain about the same prices, else with similar words
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import PurePath
from typing import Any, Literal, NamedTuple

from api.services.claim_status import ClaimStatus, ClaimStatusService
from api.services.evaluation import ClaimEvaluator
from api.services.texts.claim_drafts import MinedText, MiningService, is_sound
from api.services.texts.claim_figures import Asked, ClaimMatcher, Meant, asked, converted, formulas, meant_by, numbers
from compute.figures.claim_writer import claim, claim_ids
from compute.figures.figure_models import Figure, MinedInput, Statement, StatementKind
from compute.figures.figure_reader import figures
from compute.figures.price_subjects import lexicon
from compute.figures.statement_writer import LONGEST_QUOTE, SURE, quoted, unit_of, without_computed
from compute.linting.linter import LintRule
from compute.units.number_format import said
from graph.models.claim_models import Claim
from graph.models.document_models import Document
from graph.models.verdict_models import Verdict
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

_CACHED = 4  # the claims by their words, and for several days by their prices


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
        reader = _Reader(name, on, self._claims(on), document, texts)
        found = [item for text in texts for item in reader.items(text)]
        items = tuple(sorted(found, key=lambda one: (one.line, one.column, one.expression)))
        return Proof(document=name, items=items, figures=reader.count, checked=checked(items))

    def _claims(self, on: date) -> _Claims:
        matcher, meant = self._matcher(), partial(meant_by, self._mining.book(), on)
        priced = self._cache.get(("priced", on), lambda: matcher.by_prices(meant))
        return _Claims(matcher, priced, meant, self._status.by_id(), lambda claim: self._evaluator.explain(claim, on))

    @cached_in("_cache")
    def _matcher(self) -> ClaimMatcher:
        names = (item.lower().replace("/", "-").split("-") for item in self._mining.book().items())
        makers = frozenset(word for name in names for word in name if len(word) > 2)
        units = {name: state.unit for name, state in self._status.by_id().items()}
        return ClaimMatcher(self._status.claims(), units, makers, lexicon(self._mining.book()).mentions)


def _document(file: SourceFile, form: str | None) -> Document:
    """A text as a document, in the format `form` if given."""
    # names of documents obey rules that names of files need not
    document = read(file.data, f"draft{PurePath(file.path or file.name).suffix}", format=form)
    unknown = not document.nodes and document.format == "unknown"
    if form is None and (unknown or document.format in READ_AS_NOTES):
        return read(file.data, "draft.md", format="note")
    return document


class _Spoken(NamedTuple):
    """What a claim says of a figure: it `agrees` with today's value, or `was` that of the claim's day."""

    claim: Claim
    agrees: bool
    was: bool
    note: str


@dataclass(frozen=True, slots=True)
class _Claims:
    """The claims of a brain on a day, with their states: by words, and by the prices that they ask for."""

    matcher: ClaimMatcher
    priced: Mapping[Asked, Sequence[Claim]]
    meant: Meant
    states: Mapping[str, ClaimStatus]
    explain: Callable[[str], Verdict]

    def about(self, figure: Figure, near: Sequence[Claim], unit: str, one: Statement | None = None) -> _Spoken | None:
        """The answer of the most similar claim with a figure, else of the first claim of the sentence."""
        spoken = [found for claim in near[:_NEAR] if (found := self._spoken(claim, figure, unit)) is not None]
        having = next((each for each in spoken if each.agrees or each.was), None)
        if having or one is None:
            return having
        bill = set[Decimal]()
        if one.kind == "price":
            bill = {given.value for given in one.inputs if given.value is not None} | numbers(one.expression)
        others = (each for each in spoken if self.matcher.may_differ(each.claim, one.quote, unit, bill))
        return next(others, None)

    def _spoken(self, claim: Claim, figure: Figure, unit: str) -> _Spoken | None:
        """The value of a figure today by the claims, and whether the figure is the expected one."""
        state = self.states.get(claim.id)
        if state is None or state.value is None or state.verdict is None:
            return None
        low, high = (converted(one, unit, state.unit) for one in (figure.low, figure.high))
        half = converted(figure.half, unit, state.unit)
        if low is None or high is None or half is None:
            return None
        reach = abs(half) + (abs(high) / 10 if figure.hedge else 0)
        agrees = low - reach <= state.value <= high + reach
        verdict = self.explain(claim.id)
        then = verdict.then.value  # on the claim's own day
        was = not agrees and then is not None and low - reach <= then <= high + reach
        began = [one.valid_from for one in verdict.inputs if one.valid_from is not None]
        since = max((day for day in began if claim.as_of < day <= verdict.now.as_of), default=None) if was else None
        words = f"your brain says {said(state.value, state.unit)}" + (f" since {since}" if since else "")
        return _Spoken(claim, agrees, was, f"{words} ({claim.id})")


_NEAR = 5  # how many claims with similar words are checked for a figure


class _Reader:
    """Proofreads the texts of one document, named `name`; `count` is the number of figures in those that were read."""

    def __init__(self, name: str, on: date, claims: _Claims, document: Document, texts: Iterable[MinedText]) -> None:
        self._name, self._on, self._claims, self.count = name, on, claims, 0
        self._named = claims.matcher.names(document.text)
        self._ids = claim_ids((one for text in texts for one in text.statements), on)
        self._drafted: set[str] = set()

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
        name = self._ids.get(one.id)
        if name is None or name in self._drafted:
            return None
        self._drafted.add(name)
        text = claim(one, name, self._on)
        return text if is_sound(text) else None

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
        matcher = self._claims.matcher
        prices = asked([one.expression], self._claims.meant) if one.kind == "price" else None
        if prices:
            return matcher.nearest(self._claims.priced.get(prices, ()), one.quote, one.unit)
        return self._alike(text, figure, one.quote, one.unit)

    def _alike(self, text: MinedText, figure: Figure, quote: str, unit: str) -> Sequence[Claim]:
        """The claims with words similar to those of a sentence, and about what its figure is."""
        (start, end), matcher = sentence_span(text.passage.borders, figure.start), self._claims.matcher
        return matcher.find(quote, unit, self._named, matcher.topic(text.passage.mask[start:end], figure, start))
