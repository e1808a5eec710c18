"""Warnings at the ingest of claims that read a price, a component or an assumption that nothing knows.

A claim may be written before its prices are imported, so this is a warning; what comes with the claim is known. The
rule `unknown-input` of the linter finds the same in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from api.services.import_report import DocumentReport
from api.services.rule_documents import RULES
from compute.claims.claim_program import program
from compute.claims.expectations import FieldError
from compute.claims.unknown_inputs import KnownInputs, UnknownInput
from compute.prices.price_book import CatalogBook
from graph.models.claim_models import Claim
from graph.problems import Problem, Severity

RULE = "unknown-input"
CODE = f"claims/{RULE}"
_READ = frozenset({"prices", "assumptions", "families"})


def with_input_warnings(entries: Sequence[DocumentReport], book: Callable[[], CatalogBook]) -> list[DocumentReport]:
    """The entries with a warning for each unknown price or assumption that their claims read."""
    if not any(entry.claims for entry in entries):
        return list(entries)
    rules = (entry.document for entry in entries if entry.document.format in _READ)
    known = KnownInputs(book(), [RULES[one.format](one.name, one.text)[0] for one in rules])
    told = [tuple(_problems(entry, known)) for entry in entries]
    return [
        entry.model_copy(update={"added": (*entry.added, *problems)}) if problems else entry
        for entry, problems in zip(entries, told, strict=True)
    ]


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
