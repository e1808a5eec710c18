"""Figures that the solver reads, in the words of many domains: among the candidates one computes the stated figure."""

import pytest

from compute.mining.quantities import sentences
from tests.bench.bench_mining import passage
from tests.compute.test_mine_relations import computes, fitting

MILLIONS = [
    ("part", "The depot shipped 13m parcels last year, and 5.2m of those went by rail, or 40%.", "40%"),
    ("rise", "Monthly listeners, 500m in March and 950m in June, are up 90%.", "90%"),
    ("product", "3.1m API calls at $0.002 come to $6,200.", "$6,200"),
    ("quotient", "Known stocks of 480m barrels, drawn down at 32m a year, last 15 years.", "15 years"),
    ("taken", "The fund manages $12trn and holds 7% of it, or $840bn, abroad.", "$840bn"),
    ("product", "They packed 72 trays of 30 eggs, which makes 180 dozen.", "180 dozen"),
]  # fmt: skip  # one relation a line

GLUED = [
    ("quotient", "The van does 300km in 4h, so 75km/h.", "75"),
    ("product", "Two bags of 25kg make 50kg.", "50"),
    ("product", "The room is 5m by 4m, so 20m² of floor.", "20"),
    ("quotient", "A bottle of 750ml costs £6, i.e. £8 a litre.", "£8"),
    ("sum", "Mix 200g of flour and 100g of sugar: 300g.", "300"),
    ("product", "30 pallets at 800 kg: 24 t in all.", "24"),
    ("mean", "Rye at three farms: 7.2, 8.4 and 6.9 t/ha. Our three-farm average is 7.5.", "7.5"),
]  # fmt: skip  # one relation a line


@pytest.mark.parametrize(("rule", "text", "stated"), [*MILLIONS, *GLUED])
def test_a_figure_is_read_and_computed(rule, text, stated):
    computes(rule, text, stated)


@pytest.mark.parametrize(
    "text",
    [
        "She ran the 100m hurdles and swam 400m for 5 minutes; 200m of cable lay 300m away.",
        "The wall is 12m long and 3m high; ten 400m laps go around it.",
    ],
)
def test_metres_are_no_millions(text):
    every = [one for sentence in sentences(passage(text)) for one in sentence.quantities]
    assert all(one.figure.low < 1000 for one in every)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The depot shipped 13m parcels last year, and 5.2m of those went by rail, or 65%.", "65%"),
        ("The van does 300km in 4h, so 110km/h.", "110"),
    ],
)
def test_a_wrong_figure_still_fits_nothing(text, stated):
    assert fitting(text, stated)[1] == []
