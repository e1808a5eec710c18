"""A formula that fails is compiled once, and each failure is an error of its own."""

import gc
from datetime import date
from decimal import Decimal
from types import TracebackType

import pytest

from compute.claims.claim_cases import Terms
from compute.claims.claim_evaluation import bound_sorts, unfit
from compute.claims.claim_program import program
from compute.claims.expectations import FieldError, FieldFault
from compute.claims.overrides import overrides
from compute.formula.formula_errors import MismatchError
from compute.prices.catalog_model import Catalog
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price
from compute.units.units import unit
from compute.verify.claim_verifier import verify
from graph.models.claim_models import Claim, Expectation

DAY = date(2026, 1, 1)


def claim(value):
    return Claim(
        id="it", node="acme/note", says="It is so.", as_of=DAY, value=value, expect=Expectation(form="is", bound="2")
    )


WRONG = claim("1 USD + 1 h")
UNFIT = claim('price("acme/a", "input") + price("acme/b", "input")')
HOURS = tuple(unit(text).dimension for text in ("USD", "h"))


def raised(fail):
    with pytest.raises(FieldError) as caught:
        fail()
    return caught.value


def frames(error):
    count, step = 0, error.__traceback__
    while step is not None:
        count, step = count + 1, step.tb_next
    return count


FAILURES = pytest.mark.parametrize(
    "fail",
    [lambda: program(WRONG), lambda: bound_sorts(program(UNFIT), HOURS)],
    ids=["a formula whose units differ", "prices whose units differ"],
)


@FAILURES
def test_an_error_that_is_raised_again_has_no_longer_traceback(fail):
    assert len({frames(raised(fail)) for _ in range(20)}) == 1


@FAILURES
def test_each_error_is_a_new_one_that_says_the_same(fail):
    one, other = raised(fail), raised(fail)
    assert one is not other
    assert one.error is not other.error
    assert (str(one), one.field, type(one.error)) == (str(other), other.field, type(other.error))
    assert vars(one.error) == vars(other.error)


def test_an_error_comes_back_from_its_data_with_all_that_it_knows():
    error = FieldError("value", MismatchError("add", "USD", "h", 7, "divide first"))
    again = FieldFault.of(error).error()
    assert (str(again), again.field) == (str(error), "value")
    assert isinstance(again.error, MismatchError)
    assert (again.error.left, again.error.right, again.error.at, again.error.hint) == ("USD", "h", 7, "divide first")
    assert again.error.render("1 USD + 1 h") == error.error.render("1 USD + 1 h")
    assert again.error.args == error.error.args


def test_units_that_do_not_fit_are_said_in_the_same_words_each_time():
    found = program(UNFIT)
    assert unfit(found.shape, HOURS) == unfit(found.shape, HOURS) == "units cannot meet in value: cannot add USD and h"


@pytest.fixture
def _frozen():
    """What other tests left is not looked through again and again."""
    gc.collect()
    gc.freeze()


def tracebacks():
    gc.collect()
    return sum(isinstance(one, TracebackType) for one in gc.get_objects())


@pytest.mark.usefixtures("_frozen")
@pytest.mark.parametrize("sets", [{}, {"paid": "1 h"}], ids=["units that do not fit", "a caller's wrong unit"])
def test_evaluating_again_and_again_keeps_no_traceback(sets):
    prices = [
        Price(item="acme/a", component="input", value=Decimal(1), unit=one, catalog="cards") for one in ("USD", "USD/h")
    ]
    second = prices[1].model_copy(update={"item": "acme/b"})
    book = CatalogBook([Catalog(name="cards", prices=(prices[0], second))])
    one = UNFIT.model_copy(update={"id": "unfit"})
    other = claim("paid + 1 USD").model_copy(update={"given": (("paid", "1 USD"),)})
    terms = Terms(overrides=overrides(sets))
    first = [row.reason for row in verify([one, other], book, DAY, terms)]
    before = tracebacks()
    for _ in range(20):
        assert [row.reason for row in verify([one, other], book, DAY, terms)] == first
    assert tracebacks() == before
