"""Evaluates one formula on one day: for the API, the documentation, and statements found in prose."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from compute.claims.claim_case import unit_of_value
from compute.claims.claim_evaluation import measured
from compute.claims.claim_program import program
from compute.claims.input_lookups import Lookups, Tables
from compute.prices.price_models import Book
from compute.units.number_format import amount, in_unit
from graph.models.claim_models import Claim, Expectation

_ANY = Expectation(form="same_as", bound="-")


@dataclass(frozen=True, slots=True)
class Answer:
    """A figure in `unit` and as displayed text; or the reason why it is missing."""

    value: Decimal | None
    unit: str
    text: str
    reason: str = ""


def calculate(
    formula: str, book: Book, on: date, *, given: tuple[tuple[str, str], ...] = (), tables: Tables | None = None
) -> Answer:
    """The value of a formula on a day; `given` are names with their formulas, in order.

    Raises:
        FieldError: the formula is wrong; the error has the field and the position.
    """
    asked = Claim(id="-", node="-", says="", as_of=on, given=given, value=formula, expect=_ANY)
    compiled = program(asked)
    found = measured(compiled, Lookups(book, on, tables), Decimal(0))
    unit, value = unit_of_value(compiled, found), found.reading.value
    if value is None:
        return Answer(None, unit.text, "", found.reading.reason)
    return Answer(in_unit(value, unit), unit.text, amount(value, unit))
