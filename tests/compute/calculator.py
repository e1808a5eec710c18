from typing import NamedTuple

from compute.claims.claim_cases import Cases, Terms
from compute.claims.claim_program import program
from compute.units.number_format import amount, in_unit
from graph.models.claim_models import Claim, Expectation


class Answer(NamedTuple):
    value: object
    unit: str
    text: str
    reason: str = ""


def calculate(formula, book, on, *, given=(), tables=None):
    """The value of a formula on a day; raises `FieldError` if it is wrong."""
    expect = Expectation(form="same_as", bound="-")
    claim = Claim(id="-", node="-", says="", as_of=on, given=given, value=formula, expect=expect)
    cases = Cases(book, on, Terms(tables, find={"-": claim}.get))
    day = cases.day(claim, program(claim), cases.today, ()).compared
    unit, value = day.unit, day.reading.value
    if value is None:
        return Answer(None, unit.text, "", day.reading.reason)
    return Answer(in_unit(value, unit), unit.text, amount(value, unit))
