"""Small expressions that may give a figure: they make an accusation less likely, whatever the text says."""

from decimal import Decimal

import pytest

from compute.mining.claim_judging import result
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.expressions import Op
from compute.mining.quantities import Quantity, sentences
from compute.mining.small_expressions import earlier_expressions, small_expressions
from compute.mining.solver import wide
from tests.bench.bench_mining import miner, passage, verdicts


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


def test_an_amount_of_money_follows_from_one_and_customers_are_not_subtracted_from_it():
    """£48 was saved by 50 customers less the ratio of two amounts, which nobody would read in it."""
    text = "The flyers cost £1,750 and brought 50 customers, £48 each; posters never did it for under £60."
    assert not any(small_expressions(*seen(text, "£48"))[name].given for name in ("two", "named", "three"))
    assert "refuted" in verdicts(miner(), text)
    assert small_expressions(*seen("The flyers cost £1,750 and won us 50 customers, £35 each.", "£35"))["two"].given


def test_bare_numbers_may_be_of_money_and_shares_are_taken_from_one():
    bare = "The flyers cost 1,750, their stamps 50, £1,800 in all."
    assert small_expressions(*seen(bare, "£1,800"))["two"].given
    assert small_expressions(*seen("Of £80 the tax is 25%, which leaves £60.", "£60"))["two"].given
    assert not small_expressions(*seen("Of 80 tents 25 leak, which leaves £55.", "£55"))["two"].given


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


EARLIER = (
    "The trust took £26,208 at the gate and in the shop. Its wages and repairs were £22,260.\n\n"
    "Nobody expected the summer to be so wet, and the three fairs were moved indoors twice.\n\n"
    "{} That leaves a surplus of {}, which the trustees will keep for the roof."
)


def test_a_figure_that_two_earlier_figures_give_is_accused_by_no_nearer_ones():
    tool = miner()
    nearer = "The café made £9,400 and paid £3,100 for its oven."
    assert "refuted" not in verdicts(tool, EARLIER.format(nearer, "£3,948"))
    assert earlier_expressions(*_last(EARLIER.format(nearer, "£3,948"))).given
    assert not earlier_expressions(*_last(EARLIER.format(nearer, "£5,120"))).given


def _last(text: str) -> tuple[Quantity, list[Quantity]]:
    every = [one for sentence in sentences(passage(text)) for one in sentence.quantities]
    return every[-1], every[:-1]


def test_a_bare_number_in_the_scale_of_another_gives_a_figure():
    figure, others = _last("Sales went up by €36m. New shops brought 24 of that, the others the remaining €12m.")
    assert earlier_expressions(figure, others).given


@pytest.mark.parametrize(
    "text",
    [
        "Sales went up by €36m. New shops brought 24 of that, the others the remaining €12m.",
        "Bought from Braga for 22 million, sold to Porto for 57: a profit of €35m on a boy of nineteen.",
        "The first boat came home in 6:04.9, the second in 6:12.4, 7.5 seconds behind.",
        "A season ticket is £600 for 20 games, £45 a game with the programme.",
        "The rent rose from £800 to £900, and with the car park it is 20% more.",
    ],
)
def test_true_sentences_of_which_something_is_left_out_are_not_refuted(text):
    assert "refuted" not in verdicts(miner(), text)


def test_the_working_of_a_refuted_increase_is_an_increase():
    (one,) = miner().mine(passage("Riders made 129,600 trips, up from 96,000; that is an increase of 52%."))
    assert (one.verdict, one.note.partition(";")[0]) == ("refuted", "computed 35%")


@pytest.mark.parametrize(
    "text",
    [
        "The fund held £4,010 after the raffle.\n\nThe choir asked for robes (£640), a piano tuner (£315) and stands"
        " (£1,240 if bought new). All were granted, £2,195 in total. This leaves £1,815.",
        "On gas we would have paid £1,139.\n\nAt night we used 1,440 kWh at 13p, which is £187. The other 2,160 kWh cost 26p,"
        " or £562. Together that makes £749, so compared with gas we saved £390.",
        "- rent to the river board, £6,800\n- boat repairs, £5,240, including a rudder at £310\n- coaching, £4,600\n"
        "- insurance, £4,150\n- power, £1,470\n\nThat adds up to £22,260.",
    ],
)
def test_the_same_relation_with_a_figure_of_an_earlier_paragraph_saves_a_figure(text):
    """In 26 unseen drafts nine true figures were accused of not being what the figures beside them give."""
    assert "refuted" not in verdicts(miner(), text)
