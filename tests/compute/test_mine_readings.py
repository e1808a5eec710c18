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

NAMED = [
    ("named", "At 165 cm and 68 kg her body-mass index is 25.", "25"),
    ("named", "He made 45 off 30 balls, a strike rate of 150.", "150"),
    ("named", "With 210 of 400 seats they hold a majority of 20.", "20"),
    ("named", "A council of 61 needs 31 votes for a majority.", "31"),
    ("named", "Deaths fell from 5% to 4%, so 100 people must be treated to save one.", "100"),
    ("named", "Promoters 60%, detractors 25%: an NPS of 35.", "35"),
    ("named", "Ten wins and six draws put them on 36 points.", "36 points"),
    ("named", "After two half-lives 25 mg of the 100 mg dose remains.", "25"),
    ("named", "With a half-life of 6 hours, 200 mg becomes 50 mg after 12 hours.", "50"),
    ("named", "After five doublings 100 cells are 3,200.", "3,200"),
    ("named", "An 8-bit channel has 256 levels.", "256"),
    ("named", "We throw a die 300 times and expect 50 fives.", "50"),
    ("named", "2 litres of 5% sugar solution contain 100 g of sugar.", "100"),
    ("named", "ARR of $20m, upsell of $3m and churn of $1m: a net retention of 110%.", "110%"),
    ("named", "Exposure in 20 of 100 cases and 10 of 100 controls: an odds ratio of 2.25.", "2.25"),
    ("reversed", "After a fall of a fifth, shares have to gain 25% to be back at par.", "25%"),
    ("reversed", "A 25% faster line needs 20% less time.", "20%"),
    ("root", "Sales went from $2m to $3.38m in four years, compound growth of 14% a year.", "14%"),
    ("root", "Listeners rose from 40m in 2018 to 160m in 2020, doubling every year.", "doubling"),
    ("root", "The lot was worth 1.331 times its cost after three years, a compound 10% a year.", "10%"),
    ("grown", "At 50% a year for four years income ends up at five times the first.", "five times"),
    ("grown", "The archive grows 5% a month. Our 400 TB will be 718 TB this time next year.", "718"),
    ("quotient", "A park of 150 MW fed 394 GWh into the grid in 8,760 hours, a load factor of 30%.", "30%"),
]  # fmt: skip  # one relation a line

WORDED = [
    ("quotient", "Gone 45 km in 1 h 30 ⇒ 30 km/h.", "30"),
    ("difference", "The whole trip took 9 h 35, with a stop of 1 h 50 ⇒ 7 h 45 on the move.", "7 h 45"),
    ("part", "Free throws 15/20 (75%), so the bench was calm.", "75%"),
    ("part", "On time in wk 41: 380/400 → 95%", "95%"),
    ("product", "Sold 230 goats at £40 a head: £9,200.", "£9,200"),
    ("run", "Oats: 7,000 l @ 42 ct → €2,940", "€2,940"),
    ("rise", "Ticket sales reached kr8.4bn against kr6bn before, up 40%.", "40%"),
    ("exchanged", "130 euros at 11 kronor each: 1,430 kr", "1,430 kr"),
    ("part", "Of five million trees, a million and a quarter, or 25%, are pines.", "25%"),
    ("product", "Half a kilo a week for 12 weeks: 6 kg.", "6"),
    ("parts", "Mix it 40:1: with 20 litres of petrol goes half a litre of oil.", "half a"),
    ("cut", "Four nines in a 30-day month leave 4.32 minutes of outage.", "4.32 minutes"),
    ("quotient", "Sunday: €9,300 through 620 receipts, so €15 each.", "€15"),
]  # fmt: skip  # one relation a line


@pytest.mark.parametrize(("rule", "text", "stated"), [*MILLIONS, *GLUED, *NAMED, *WORDED])
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
        ("At 165 cm and 68 kg her body-mass index is 31.", "31"),
        ("Deaths fell from 5% to 4%, so 40 people must be treated to save one.", "40"),
        ("An 8-bit channel has 512 levels.", "512"),
    ],
)
def test_a_wrong_figure_still_fits_nothing(text, stated):
    assert fitting(text, stated)[1] == []
