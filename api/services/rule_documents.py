"""Documents that hold rules instead of nodes: who reads each, and which rules an ingest would take out.

A claim, price or silence that its author takes out of a file that keeps others is ordinary editing. A file of them that
is deleted, is read as something else, or is empty now, may be a mistake of the hand or of a program: its rules go only
where the caller confirms it. What another file of the same ingest states again is not lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from api.services.import_report import DocumentReport, Removal, RuleLoss
from compute.catalogs import price_cards
from compute.claims import claim_loader
from compute.prices import assumptions, data_freshness, decisions, families, own_units
from compute.prices.catalog_model import Catalog
from compute.runs import silence_files
from compute.verify import scenarios
from graph.models.query_models import DocumentHead
from graph.problems import Problem, Severity
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
"""Who reads the rules of each format: `(document, text) -> (values, problems)`."""

GUARDED = ("claims", "prices", "silences")
"""The formats whose rules go only where the caller confirms it."""

Text = Callable[[str], str]


def rules_of(form: str, name: str, text: str) -> tuple[Any, Sequence[Problem]]:
    """The rules that a document of a format states, and their problems."""
    found, problems = RULES[form](name, text)
    return (found.prices if isinstance(found, Catalog) else found), problems


class RuleLossError(Exception):
    """An ingest that would take claims, prices or silences out of the brain, and nobody confirmed it."""

    def __init__(self, losses: Iterable[RuleLoss]) -> None:
        self.losses = tuple(losses)
        said = "; ".join(f"{one.document} ({one.said()}) {one.why}" for one in self.losses)
        super().__init__(
            f"this takes {counted(self.losses)} out of the brain: {said}. Nothing was changed; --yes does it"
        )


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
    """The rules that go with documents that are `gone`, or that these entries replace by something else."""
    fresh = {entry.document.name: entry for entry in entries if not entry.refused}
    going = [(head, why) for head in sorted(held) if head.format in GUARDED and (why := _why(head, gone, fresh))]
    stated = [entry.document for entry in fresh.values() if going and entry.document.format in GUARDED]
    again = {key for document in stated for key in _keys(document.format, document.name, document.text)}
    for head, why in going:
        lost = [key for key in _keys(head.format, head.name, text(head.name)) if key not in again]
        if lost:
            yield RuleLoss(document=head.name, format=head.format, values=len(lost), why=why)


def _why(head: DocumentHead, gone: Collection[str], fresh: Mapping[str, DocumentReport]) -> str:
    """Why all rules of a stored document go; empty if they do not."""
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
"""The fields that tell the rules of a document apart, whatever file they are in."""


def _keys(form: str, name: str, text: str) -> Iterator[tuple[object, ...]]:
    for value in rules_of(form, name, text)[0]:
        yield form, *(getattr(value, field) for field in _TELLING[form])


def loss_error(losses: Sequence[RuleLoss]) -> Problem:
    """The error for a document whose rules would go: its stored version stays."""
    return Problem(
        document=losses[0].document,
        severity=Severity.ERROR,
        code="rules-kept",
        message=f"{counted(losses)} would go, since the file {losses[0].why}; the stored version stays",
        hint="brain ingest --yes takes them out",
    )
