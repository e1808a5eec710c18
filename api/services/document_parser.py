"""Parses files as documents, and the rules of those that hold rules instead of nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from api.services.import_report import DocumentReport
from api.services.rule_documents import RULES, rules_of
from compute.prices import own_units
from compute.prices.own_units import OwnUnit
from compute.units.units import Vocabulary, using, vocabulary
from graph.models.claim_models import Claim
from ingest.document_reader import read
from ingest.source_files import SourceFile

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
