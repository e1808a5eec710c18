"""Reads files as documents, and loads the rules of those that contain rules instead of nodes.

A claim, price or silence that its author takes out of a file that keeps others is ordinary editing. A file of them that
is deleted, is read as something else, or is empty now, may be a mistake of the hand or of a program: its rules go only
where the caller confirms it. What another file of the same ingest states again is not lost.

A claim may be written before its prices are imported, so an unknown price is a warning; what comes with the claim is
known. The rule `unknown-input` of the linter finds the same in the store.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from api.services.import_report import DocumentReport, Removal, RuleLoss
from compute.catalogs import price_cards
from compute.claims import claim_loader
from compute.claims.claim_program import program
from compute.claims.expectations import FieldError
from compute.claims.unknown_inputs import KnownInputs, UnknownInput
from compute.prices import assumptions, data_freshness, decisions, families, own_units
from compute.prices.own_units import OwnUnit
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Catalog
from compute.runs import silence_files
from compute.units.units import Vocabulary, using, vocabulary
from compute.verify import scenarios
from graph.models.claim_models import Claim
from graph.models.query_models import DocumentHead
from graph.problems import Problem, Severity
from ingest.document_reader import read
from ingest.source_files import SourceFile
from ingest.terms import tag_merges

Loader = Callable[[str, str], tuple[Any, Sequence[Problem]]]

RULES: Mapping[str, Loader] = {
    "claims": claim_loader.load,
    "prices": price_cards.load,
    "assumptions": assumptions.load,
    "families": families.load,
    "decisions": decisions.load,
    "freshness": data_freshness.load,
    "scenarios": scenarios.load,
    "silences": silence_files.load,
    "units": own_units.load,
    "tags": lambda document, text: tag_merges.load_mapping(text, document),
}
"""The loader of the rules of each format: `(document, text) -> (values, problems)`."""

GUARDED = ("claims", "prices", "silences")
"""The formats whose rules are removed only if the caller confirms it."""

Text = Callable[[str], str]


def rules_of(form: str, name: str, text: str) -> tuple[Any, Sequence[Problem]]:
    """The rules that a document of a format states, and their problems."""
    found, problems = RULES[form](name, text)
    return (found.prices if isinstance(found, Catalog) else found), problems


class RuleLossError(Exception):
    """An ingest that would remove claims, prices or silences without a confirmation."""

    def __init__(self, losses: Iterable[RuleLoss]) -> None:
        self.losses = tuple(losses)
        said = "; ".join(f"{one.document} ({one.said()}) {one.why}" for one in self.losses)
        super().__init__(f"this would remove {counted(self.losses)}: {said}. Nothing was changed; --yes removes them")


def counted(losses: Iterable[RuleLoss]) -> str:
    """How many claims, prices and silences these are, in words."""
    sums: Counter[str] = Counter()
    for one in losses:
        sums[one.format] += one.values
    return " and ".join(RuleLoss(document="", format=form, values=sums[form]).said() for form in GUARDED if sums[form])


def of_removals(removed: Iterable[Removal]) -> tuple[RuleLoss, ...]:
    """The rules of documents that are removed."""
    found = ((one.document, form, getattr(one, form)) for one in removed for form in GUARDED)
    return tuple(RuleLoss(document=name, format=form, values=many) for name, form, many in found if many)


def lost_rules(
    held: Iterable[DocumentHead], gone: Collection[str], entries: Iterable[DocumentReport], text: Text
) -> Iterator[RuleLoss]:
    """The rules that are lost with the documents in `gone`, or that these entries replace by something else."""
    fresh = {entry.document.name: entry for entry in entries if not entry.refused}
    going = [(head, why) for head in sorted(held) if head.format in GUARDED and (why := _why(head, gone, fresh))]
    stated = [entry.document for entry in fresh.values() if going and entry.document.format in GUARDED]
    again = {key for document in stated for key in _keys(document.format, document.name, document.text)}
    for head, why in going:
        lost = [key for key in _keys(head.format, head.name, text(head.name)) if key not in again]
        if lost:
            yield RuleLoss(document=head.name, format=head.format, values=len(lost), why=why)


def _why(head: DocumentHead, gone: Collection[str], fresh: Mapping[str, DocumentReport]) -> str:
    """Why a stored document loses all its rules; empty if it does not."""
    if head.name in gone:
        return "is no longer among the files"
    entry = fresh.get(head.name)
    if entry is None:
        return ""
    if entry.document.format != head.format:
        return f"is read as {entry.document.format} now"
    return "" if entry.values else "has none of them now"


_TELLING = {
    "claims": ("id",),
    "prices": ("item", "component", "processing", "above", "region", "valid_from"),
    "silences": ("claim", "tag", "since", "until"),
}
"""The fields that identify the rules of a document, whatever file they are in."""


def _keys(form: str, name: str, text: str) -> Iterator[tuple[object, ...]]:
    for value in rules_of(form, name, text)[0]:
        yield form, *(getattr(value, field) for field in _TELLING[form])


def loss_error(losses: Sequence[RuleLoss]) -> Problem:
    """The error for a document that would lose its rules: its stored version stays."""
    return Problem(
        document=losses[0].document,
        severity=Severity.ERROR,
        code="rules-kept",
        message=f"{counted(losses)} would be removed, because the file {losses[0].why}; the stored version stays",
        hint="brain ingest --yes removes them",
    )


_UNITS = re.compile(rb"^units[ \t]*:", re.M)


@dataclass(frozen=True)
class Parser:
    """Parses files as documents of a `brain` and format `form`, where these are given; processes may share it."""

    brain: str | None
    form: str | None
    units: Vocabulary = field(default_factory=vocabulary)

    def __call__(self, files: Sequence[SourceFile]) -> tuple[DocumentReport, ...]:
        """The document of each file."""
        with using(self.units):
            return tuple(parse(one, self.brain, self.form) for one in files)


def parse(found: SourceFile, brain: str | None, form: str | None) -> DocumentReport:
    """A document; where it is one of rules, its rules are read too, so that their errors stop the ingest."""
    document = read(
        found.data, found.name, brain=brain, default_brain=found.brain or "notes", format=form, folder_format=found.form
    )
    if document.format not in RULES:
        return DocumentReport(document=document)
    values, problems = rules_of(document.format, document.name, document.text)
    return DocumentReport(
        document=document.model_copy(update={"problems": (*document.problems, *problems)}),
        claims=tuple(claim for claim in values if isinstance(claim, Claim)),
        values=len(values),
    )


def units_in(files: Iterable[SourceFile], brain: str | None, form: str | None) -> Iterator[OwnUnit]:
    """The own units that files define, which the claims and prices among them may use."""
    for one in files:
        if _UNITS.search(one.data) and (document := parse(one, brain, form).document).format == "units":
            yield from own_units.load(document.name, document.text)[0]


RULE = "unknown-input"
CODE = f"claims/{RULE}"
_READ = frozenset({"prices", "assumptions", "families"})


def add_input_warnings(entries: Sequence[DocumentReport], book: Callable[[], CatalogBook]) -> None:
    """Add a warning for each unknown price or assumption that the claims of these entries read."""
    if not any(entry.claims for entry in entries):
        return
    rules = (entry.document for entry in entries if entry.document.format in _READ)
    known = KnownInputs(book(), [RULES[one.format](one.name, one.text)[0] for one in rules])
    for entry in entries:
        entry.added += tuple(_problems(entry, known))


def _problems(entry: DocumentReport, known: KnownInputs) -> Iterator[Problem]:
    lines = entry.document.text.split("\n")
    for claim in entry.claims:
        if claim.broken or RULE in dict(claim.allow):
            continue
        try:
            unknown = known.unknown(program(claim))
        except FieldError:
            continue
        yield from (_problem(claim, one, entry.document.name, lines) for one in unknown)


def _problem(claim: Claim, unknown: UnknownInput, document: str, lines: Sequence[str]) -> Problem:
    """The warning at the formula that has the name; at the claim where that is not found."""
    first = (claim.place.line if claim.place else None) or 1
    of_formulas = sorted({first, *(line for _, line in claim.lines)})
    found = next((line for line in of_formulas if unknown.name in lines[line - 1]), None)
    text = lines[found - 1] if found else None
    return Problem(
        document=document,
        line=found or first,
        column=text.index(unknown.name) + 1 if text else None,
        severity=Severity.WARNING,
        code=CODE,
        message=f"{claim.id}: {unknown.message}",
        text=text,
        hint=unknown.hint,
    )
