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
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple

from api.services.claim_status import ClaimStatus, ClaimStatusService
from api.services.evaluation import ClaimEvaluator
from api.services.texts.claim_drafts import DraftTask, MinedDraft, MinedNode, MiningService
from api.services.texts.claim_figures import Asked, ClaimMatcher, Meant, asked, converted, formulas, meant_by, numbers
from compute.figures.figure_models import Figure, MinedInput, Statement, StatementKind
from compute.figures.statement_writer import LONGEST_QUOTE, SURE, quoted, unit_of, without_computed
from compute.linting.rule_table import LintRule
from compute.units.number_format import said
from graph.models.claim_models import Claim
from graph.models.verdict_models import Verdict
from graph.problems import Problem, Severity
from graph.progress_steps import ProgressStep, no_progress
from graph.store.versioned_cache import cached_in
from graph.values import Value
from ingest.source_files import SourceFile
from ingest.text.prose_masks import sentence_span
from ingest.text.source_positions import BodyMap, SourceMap

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


_CACHED = 4  # the claims by their words, and for several days by their prices


class Proofreader:
    """Proofreads texts with the prices and the claims of a brain."""

    def __init__(self, mining: MiningService, evaluator: ClaimEvaluator, status: ClaimStatusService) -> None:
        self._mining, self._evaluator, self._status = mining, evaluator, status
        self._cache = evaluator.store.cache(_CACHED)

    def proof(self, data: bytes, name: str, on: date, step: ProgressStep = no_progress) -> Proof:
        """Check a document's figures by the prices of the day that the text states, else of `on`.

        `step` is called before each node; an exception from it ends the work.
        """
        file = SourceFile(data, name)
        return self._proof(file, DraftTask(self._mining.book(), on, step=step)(file), on)

    def proofs(
        self, files: Sequence[SourceFile], on: date, form: str | None = None, step: ProgressStep = no_progress
    ) -> Iterator[Proof]:
        """The same for several documents, in their order; `step` receives the bytes that are read."""
        mined = self._evaluator.mapper.map(DraftTask(self._mining.book(), on, form=form), files, 4)
        done, total = 0, sum(len(one.data) for one in files)
        for one in files:
            step("proofreading", done, total)
            yield self._proof(one, next(mined), on)
            done += len(one.data)

    def _proof(self, file: SourceFile, mined: MinedDraft, on: date) -> Proof:
        name, document = file.path or file.name, mined.document
        if not file.data.removeprefix(BOM_UTF8).strip():
            return Proof(document=name)
        if not document.nodes:
            readable = document.format != "unknown" and not any(
                one.severity is Severity.ERROR for one in document.problems
            )
            problems = tuple(one.model_copy(update={"document": name}) for one in document.problems)
            return Proof(document=name, problems=problems, read=readable)
        source = SourceMap(document.text, html=document.format == "html-page")
        claims = self._claims(on)
        named = claims.matcher.names(document.text)
        found: list[ProofItem] = []
        count = 0
        for node in mined.nodes:
            body = source.body(node.passage.mask, node.first_line)
            found += _Reader(name, node, body, claims, mined.claims, named).items()
            count += len({one.start for one in node.figures} | {one.figure_start for one in node.statements})
        items = tuple(sorted(found, key=lambda one: (one.line, one.column, one.expression)))
        return Proof(document=name, items=items, figures=count, checked=checked(items))

    def _claims(self, on: date) -> _Claims:
        matcher, meant = self._matcher(), partial(meant_by, self._mining.book(), on)
        priced = self._cache.get(("priced", on), lambda: matcher.by_prices(meant))
        return _Claims(matcher, priced, meant, self._status.by_id(), lambda claim: self._evaluator.explain(claim, on))

    @cached_in("_cache")
    def _matcher(self) -> ClaimMatcher:
        names = (item.lower().replace("/", "-").split("-") for item in self._mining.book().items())
        makers = frozenset(word for name in names for word in name if len(word) > 2)
        units = {name: state.unit for name, state in self._status.by_id().items()}
        return ClaimMatcher(self._status.claims(), units, makers)


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
        began = [one.valid_from for one in verdict.inputs if one.kind == "price" and one.valid_from is not None]
        since = max((day for day in began if claim.as_of < day <= verdict.now.as_of), default=None) if was else None
        words = f"your brain says {said(state.value, state.unit)}" + (f" since {since}" if since else "")
        return _Spoken(claim, agrees, was, f"{words} ({claim.id})")


_NEAR = 5  # how many claims with similar words are checked for a figure


@dataclass(frozen=True)
class _Reader:
    """Proofreads one node; `named` are models and makers in the complete document, `drafts` are taken once."""

    document: str
    node: MinedNode
    body: BodyMap
    claims: _Claims
    drafts: dict[str, str]
    named: frozenset[str]

    @cached_property
    def figures(self) -> Mapping[int, Figure]:
        return {figure.start: figure for figure in self.node.figures}

    def items(self) -> Iterator[ProofItem]:
        """The items: each statement, and each other figure of which a claim speaks."""
        told: set[int] = set()
        for statement in self.node.statements:
            told.add(statement.figure_start)
            item = self._item(statement, self.drafts.pop(statement.id, None))
            if item is not None:
                yield item
        for start, figure in self.figures.items():
            if start not in told and (claimed := self._claimed(figure)) is not None:
                yield claimed

    def _item(self, one: Statement, draft: str | None) -> ProofItem | None:
        figure = self.figures.get(one.figure_start)
        spoken = self.claims.about(figure, self._near(one), one.unit, one) if figure else None
        if one.verdict == "differs":
            return None  # one text is compared with no other
        verdict: ProofVerdict = one.verdict
        if spoken and spoken.was and one.verdict != "refuted":
            verdict = "stale"
        where = self._where(one.figure_start, one.figure_end, one.start, one.start + len(one.quote))
        if where is None:
            return None
        return ProofItem(
            **where, kind=one.kind, expression=one.expression, inputs=one.inputs, stated=one.stated,
            computed=one.computed, unit=one.unit, verdict=verdict, confidence=one.confidence,
            claim=spoken.claim.id if spoken else None,
            note="; ".join(note for note in (one.note, spoken.note if spoken else "") if note),
            draft=draft,
        )  # fmt: skip

    def _claimed(self, figure: Figure) -> ProofItem | None:
        """An item for a figure that no statement is about, and that a claim has."""
        unit = unit_of(figure)
        where = self._where(figure.start, figure.end, *sentence_span(self.node.passage.borders, figure.start))
        near = self.claims.matcher.find(where["quote"], unit, self.named) if where else ()
        spoken = self.claims.about(figure, near, unit)
        if spoken is None or where is None:
            return None
        claim = spoken.claim
        return ProofItem(
            **where,
            kind="price" if any("price(" in text for text in formulas(claim)) else "arithmetic",
            expression=claim.value, stated=figure.low, computed=None, unit=unit,
            verdict="holds" if spoken.agrees else "stale", confidence=SURE, claim=claim.id, note=spoken.note,
        )  # fmt: skip

    def _where(self, first: int, last: int, start: int, end: int) -> dict[str, Any] | None:
        """The place of a figure in the file and in its quotation; None if not found."""
        place = self.body.place(first, last)
        if place is None:
            return None
        text = self.node.passage.text[first:last]
        quote, begin = self._quoted(start, end, last)
        at = first - begin
        return {
            "document": self.document, "line": place.line, "column": place.column, "end_line": place.end_line,
            "end_column": place.end_column, "text": text, "quote": quote,
            "quote_start": at if at >= 0 and quote.startswith(text, at) else None,
        }  # fmt: skip

    def _quoted(self, start: int, end: int, figure_end: int) -> tuple[str, int]:
        """The quotation and its start; of a very long sentence the words up to the figure."""
        text = self.node.passage.text
        if start + LONGEST_QUOTE < figure_end:
            space = text.find(" ", figure_end - LONGEST_QUOTE, figure_end - LONGEST_QUOTE // 2)
            start, end = max(space, figure_end - LONGEST_QUOTE), figure_end
        return quoted(text, start, end)

    def _near(self, one: Statement) -> Sequence[Claim]:
        """The claims about the prices of a statement; else those with similar words."""
        matcher = self.claims.matcher
        prices = asked([one.expression], self.claims.meant) if one.kind == "price" else None
        if prices:
            return matcher.nearest(self.claims.priced.get(prices, ()), one.quote, one.unit)
        return matcher.find(one.quote, one.unit, self.named)
