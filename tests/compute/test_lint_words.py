"""What the words around a figure make of it, in sentences of several domains."""

from decimal import Decimal

import pytest

from compute.linting.hedge_words import stated_figures
from compute.linting.written_numbers import numbers, stated

HEDGED = [
    ("Drip irrigation saves up to 60% of the water.", "60%", "most"),
    ("The ferry carries as many as 400 cars.", "400", "most"),
    ("A heat pump uses less than 40% of the energy.", "40%", "most"),
    ("Rents fell to no more than $900 a month.", "$900 a month", "most"),
    ("The vaccine costs at most $12.", "$12", "most"),
    ("Every turbine yields at least 3 MW.", "3 MW", "least"),
    ("More than 70% of the harvest was lost.", "70%", "least"),
    ("The dam holds 30 days or more of supply.", "30 days", "least"),
    ("The bridge cost over $2.5M.", "$2.5M", "least"),
    ("A litre of diesel is about $1.80.", "$1.80", "about"),
    ("Shipping takes roughly 20% of the price.", "20%", "about"),
    ("The reactor ran at ~90% of its capacity.", "90%", "about"),
    ("Freight rates tripled to approximately $9,000.", "$9,000", "about"),
    ("Nearly 80% of the flights were late.", "80%", "below"),
    ("The pipeline cost almost $4 billion.", "$4 billion", "below"),
    ("A crew typically lays 200 GB of cable data.", "200 GB", "typical"),
    ("Insulation can cut the bill by 30%.", "30%", "typical"),
    ("No ship was delayed by more than 12%.", "12%", "most"),
    ("The fee is not less than $40.", "$40", "least"),
]
PLAIN = [
    ("The parts add up to $24k.", "$24k"),
    ("The five grants come to $1.2M.", "$1.2M"),
    ("It is repaid in under a year at $5 a unit.", "$5"),
    ("GPT-4o opened on 13 May 2024 at $2.50.", "$2.50"),
    ("Over the winter the price was $80.", "$80"),
    ("At least one of the mills sells flour at $0.40.", "$0.40"),
    ("About the price there is no doubt: $14.", "$14"),
    ("The plan, which can change, costs $99.", "$99"),
]


def hedge(text, figure):
    (found,) = [one for one in stated_figures(text) if one.figure.text.strip().startswith(figure)]
    return found


@pytest.mark.parametrize(("text", "figure", "kind"), HEDGED)
def test_a_hedge_is_read_with_its_figure(text, figure, kind):
    assert hedge(text, figure).hedge == kind


@pytest.mark.parametrize(("text", "figure"), PLAIN)
def test_words_that_hedge_something_else_are_no_hedge(text, figure):
    found = hedge(text, figure)
    assert (found.hedge, found.threshold) == ("", False)


@pytest.mark.parametrize(
    ("text", "figure", "threshold"),
    [
        ("A solar roof pays above 60% self-use.", "60%", True),
        ("Beyond 300 miles the train is no longer cheaper.", "300", True),
        ("The link pays from 3% of its capacity onward.", "3%", True),
        ("Break-even at 45% occupancy is usual.", "45%", True),
        ("The press is worth its price once it is busy 70% of the day.", "70%", True),
        ("The mill sold flour for $300 a tonne.", "$300", False),
        ("Prices above $300 were rare.", "$300", False),
    ],
)
def test_a_threshold_is_read(text, figure, threshold):
    assert hedge(text, figure).threshold is threshold


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("fifteen hundred sheep", "1500"),
        ("1,500 sheep", "1500"),
        ("1.5k sheep", "1500"),
        ("1.5 thousand sheep", "1500"),
        ("twenty-five wells", "25"),
        ("three quarters of the crop", "0.75"),
        ("half of it", "0.5"),
        ("3.14 × 10^23 operations", "3.14e23"),
        ("3.14×10²³ operations", "3.14e23"),
        ("2.5 million barrels", "2500000"),
        ("30 to 35% more", "32.5"),
        ("a dozen eggs", "12"),
    ],
)
def test_a_number_is_read_in_every_form(text, wanted):
    assert Decimal(wanted) in numbers(text)


def test_units_are_converted_and_other_numbers_are_not_found():
    known = numbers("The hall draws 700 W and holds 80 GB.")
    assert stated((Decimal("0.7"),), known)
    assert stated((Decimal("640"),), known)
    assert not stated((Decimal("0.65"),), known)
    assert not stated((Decimal(41),), known)
