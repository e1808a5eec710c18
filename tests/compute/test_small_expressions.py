"""Small expressions that may give a figure: they make an accusation less likely, whatever the text says."""

from decimal import Decimal

from compute.mining.claim_judging import result
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.expressions import Op
from compute.mining.quantities import Quantity, sentences
from compute.mining.small_expressions import small_expressions
from compute.mining.solver import wide
from tests.bench.bench_mining import passage


def seen(text: str, figure: str) -> tuple[Scope, Quantity]:
    """The scope and the quantity of a figure of a text."""
    within = wide([*sentences(passage(text))], 0)
    return within, next(one for one in within.targets if one.figure.text.strip() == figure)


def test_two_figures_give_a_third_by_a_relation_that_the_text_does_not_name():
    fits = small_expressions(*seen("Crew 6, tents 4, hooks 24.", "24"))
    assert fits["two"].given


def test_a_factor_that_a_text_leaves_out_gives_a_figure():
    fits = small_expressions(*seen("The fee of $17 is $204.", "$204"))
    assert not fits["two"].given
    assert fits["constant"].given


def test_three_figures_give_a_fourth():
    assert small_expressions(*seen("9 racks, 7 shelves, 11 bins: 693.", "693"))["three"].given


def test_what_fits_counts_less_where_more_would_fit_any_figure():
    alone = small_expressions(*seen("Of 1,733 lamps 211 broke.", "211"))["two"]
    among = small_expressions(*seen("Of 1,733 lamps, 52 blue, 87 red, 61 green and 9 white, 211 broke.", "211"))["two"]
    assert not alone.given
    assert among.expected > alone.expected


def test_a_figure_of_zero_has_no_scale():
    within, target = seen("0 boxes of 12 bottles are 40 bottles.", "40")
    names = ("boxes", "bottles")
    one = Candidate("product", target, within.quantities[:2], names, Op("*", *names), united=False)
    found = result(one)
    assert found is not None
    assert found.computed == Decimal(0)
