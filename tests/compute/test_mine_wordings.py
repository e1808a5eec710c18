"""Wordings of trades, sciences, market notes and tables that have a relation, and numbers that are no figures."""

import pytest

from compute.mining.claim_judging import result
from compute.mining.claim_model import candidates
from compute.mining.quantities import sentences
from tests.bench.bench_mining import miner, passage
from tests.compute.test_mine_relations import computes, fitting, target

SCALES = [
    ("difference", "Of the £30m that we gained, the north brought 18 and the south £12m.", "£12m"),
    ("difference", "The barn cost €14 million and went for 20, a gain of €6m.", "€6m"),
    ("part", "The bank lends £180,000 on a mill that is worth 240, so 75% of it.", "75%"),
    ("rise", "Bookings came to 1.6bn in spring, 2.4 now: 50% up.", "50%"),
    ("part of sum", "Terms: two million into a shop valued at 6 before it. The lender then holds 25% of it.", "25%"),
    ("part", "The dam is built for 20 MW and gave 7 across the year, a load of 35%.", "35%"),
    ("rest taken", "Gross 5,000; less 20% tax, less 10% pension, both on gross; net €3,500.", "€3,500"),
    (
        "difference",
        "The old ferry took five hours and a half. The new one needed three. We gain 150 minutes.",
        "150 minutes",
    ),
]
TRADES = [
    ("trade", "On £30,000 lent at 4% simple for three months we owe £300.", "£300"),
    ("trade", "In the first month of the £180,000 mortgage at 4% the interest is £600.", "£600"),
    ("trade", "Monthly: $40. Yearly: $384. The second saves you 20%.", "20%"),
    ("trade", "The flat cost €300,000 and rents for €1,000 a month, a gross yield of 4%.", "4%"),
    ("trade", "Her bonus is 5% on what exceeds the £50k target. Ada sold 70, so £1,000.", "£1,000"),
    ("trade", "They have 12k aside, want 30k and save six thousand a year, so three years.", "three years"),
    (
        "trade",
        "Boiler: 6,000. Grant: 1,000. Saved each year: 500. It will have paid for itself in ten years.",
        "ten years",
    ),
    ("trade", "The truck cost $90k and should fetch 30 after six years: straight-line, $10k a year.", "$10k"),
    ("trade", "He cancelled his £240 annual ticket three months in and gets £180 back.", "£180"),
    ("trade", "The cover costs $60,000 for twelve months, of which five are this year: $25,000.", "$25,000"),
    ("trade", "I sent £1,000, the bank applied 1.20 and kept €15 as its fee, so €1,185 arrived.", "€1,185"),
    ("trade", "For my £500 I got 1.10 and not €1.15 to the pound, so €25 less.", "€25"),
    (
        "trade",
        "It costs $600 to win a customer, who pays $50 a month at 60% margin: payback in 20 months.",
        "20 months",
    ),
    ("trade", "At $60 a month, a margin of 50% and 2% churn the lifetime value is $1,500.", "$1,500"),
    ("trade", "Pay is £16 an hour. For 30 hours and ten more at time and a half I got £720.", "£720"),
    ("trade", "The agent keeps two thirds of the £9,000; the rest goes to three singers, £1,000 each.", "£1,000"),
    ("trade", "Input is $2, a cached token a tenth of that, and 50% is cached, so we pay $1.10.", "$1.10"),
    ("trade", "A try costs 40 cents and succeeds eight times in ten: 50 cents for each solved case.", "50 cents"),
    ("trade", "Someone on 72k who works 40 hours in 45 weeks costs €40 an hour.", "€40"),
    ("trade", "A seat is $20 a month; committing for two years takes 25% off, so $360.", "$360"),
    ("trade", "The mould costs $8,000 and a lid $3. Spread over 4,000 lids, each comes to $5.", "$5"),
    ("trade", "Half a million views at a $6 CPM are $3,000.", "$3,000"),
    ("trade", "40% of the fund is in land, which made 10%, and the rest in notes, which made 5%: 7% in all.", "7%"),
    ("exchanged", "He asked ¥15,000 a week, $100 when the dollar buys ¥150.", "$100"),
    ("product", "Three years of monthly payments of $200 are $7,200.", "$7,200"),
    ("sum taken", "For the 500 km we paid €200 in fuel, €150 in wages and €50 in tolls, €0.80 a kilometre.", "€0.80"),
    ("since", "The share closed at $21.00, up $1.00, or 5%.", "5%"),
    ("since", "It fell 50 cents, or 2%, to $24.50.", "2%"),
    ("since", "The index lost 80 points, or 2%, to 3,920.", "2%"),
]
SCIENCES = [
    ("science", "We left Ghent at 08:20 and reached Metz at 11:50, so the 350 km went by at 100 km/h.", "100 km/h"),
    ("science", "A sled of 10 kg at 4 m/s has a kinetic energy of 80 J.", "80 J"),
    ("science", "A 60 kg diver pulls with 588 N of force, g being 9.8 m/s².", "588"),
    ("science", "λ = c/f: at 150 MHz and 300 million m/s the wavelength is 2 metres.", "2 metres"),
    ("science", "Each cell divides every 20 minutes, so one has become 512 after three hours.", "512"),
    ("science", "If each of 20 sensors fails 2% of the time, the chance that one does is 33%.", "33%"),
    ("science", "If every one of four gates works nine times in ten, all do in 66% of cases.", "66%"),
    ("science", "With 20% serial work and four cores Amdahl allows 2.5x.", "2.5x"),
    ("science", "Accuracy went from 80% to 95%, so the error rate fell by 75%.", "75%"),
    ("science", "A bar: 20 g fat, 30 g carbs, 10 g protein. At 9 kcal per gram of the first and 4 for both others, 340 kcal.", "340"),
    ("science", "Frames of 1,250 bytes on a gigabit: 100,000 a second.", "100,000"),
    ("science", "At 5 litres per hundred, the 300 km take 15 litres.", "15"),
    ("science", "With 8 per thousand ill untreated and 6 per thousand treated, one treats 500 people to spare one.", "500"),
    ("science", "Gravity was 1.060 and is 1.020, times 131.25: 5.25%.", "5.25%"),
    ("science", "By the rule of 72, at 4% it doubles in 18 years.", "18 years"),
    ("science", "Six twos, four threes and three from the line: 27 points.", "27"),
    ("science", "Ten kilowatt-hours are 36 MJ.", "36"),
    ("science", "It first waits 0.5 seconds and then reads 40 pages a second, so 80 pages take 2.5 seconds.", "2.5 seconds"),
    ("science", "Charging the 60 kWh battery from 10% to 60% at 20 kW takes 90 minutes.", "90 minutes"),
    ("science", "100 km in two hours and 200 km in three: over the whole day we averaged 60 km/h.", "60"),
    ("science", "At five knots the 30 miles (nautical) take six hours.", "six hours"),
    ("flop", "C = 6ND: with N = 2e9 and D = 1e12 it is 1.2e22 FLOPs.", "1.2e22"),
    ("doubled", "Visits tripled four years in a row. From 2,000 they have come to 162,000.", "162,000"),
    ("convert", "The job runs once a minute: 60 runs an hour.", "60"),
    ("product", "30 seconds of stereo sound at 8,000 samples a second and two bytes a sample fill 0.96 MB.", "0.96"),
    ("span", "Cast about 250 BC and raised in AD 1950, the bell had lain there for 2,200 years.", "2,200 years"),
    ("difference", "Lund finished in 5:01.2 and York in 5:03.9, 2.7 seconds behind.", "2.7 seconds"),
    ("items", "It has 4 kinds: oak, ash, elm & fir.", "4"),
    ("parts", "Cats outnumber dogs 4 to 3 among the 70 animals, so there are 40 cats.", "40"),
]  # fmt: skip  # one relation a line


@pytest.mark.parametrize(("rule", "text", "stated"), [*SCALES, *TRADES, *SCIENCES])
def test_a_wording_has_a_relation_that_computes_its_figure(rule, text, stated):
    computes(rule, text, stated)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("On £30,000 lent at 4% simple for three months we owe £470.", "£470"),
        ("Monthly: $40. Yearly: $384. The second saves you 33%.", "33%"),
        ("The share closed at $21.00, up $1.00, or 8%.", "8%"),
        ("Each cell divides every 20 minutes, so one has become 700 after three hours.", "700"),
        ("Charging the 60 kWh battery from 10% to 60% at 20 kW takes 140 minutes.", "140 minutes"),
    ],
)
def test_a_wrong_figure_of_such_a_wording_fits_no_relation(text, stated):
    assert fitting(text, stated)[1] == []


@pytest.mark.parametrize(
    ("text", "stated", "rule"),
    [
        ("She was 24 years old when she moved in 1984; the house was sold in 1999.", "24 years", "span"),
        ("He left in 1981 at the age of 14 and came back in 1990.", "14", "span"),
    ],
)
def test_an_age_follows_from_nothing_of_the_kind(text, stated, rule):
    scope, one = target(text, stated)
    assert rule not in {found.rule for found in candidates(scope, one) if result(found)}


def test_titles_periods_and_how_often_something_was_are_no_multiples():
    def multiples(text):
        return [
            one.figure.text for found in sentences(passage(text)) for one in found.quantities if one.kind == "ratio"
        ]

    assert (
        multiples("The doubles title and 12 cups went to a stunt double who was elected twice, in the second half.")
        == []
    )
    assert multiples("In three quarters of 2005 and 5 games they lost 4 halves.") == []
    assert multiples("Costs doubled to 4, twice as much, and half of the 30 left.") == ["doubled", "twice", "half"]


TABLE = "| Item | £ |\n|---|---|\n| Rope, 40 m at £2.50 | 100 |\n| Glue, 6 tins at £4 | 24 |\n| Sand, 9 bags at £3 | [27|44] |\n"
SHARES = "| Fuel | GWh | Share |\n|---|---|---|\n| Gas | 20 | 40% |\n| Sun | 15 | 30% |\n| Wind | 10 | [20%|35%] |\n| Oil | 5 | 10% |\n| Total | 50 | 100% |\n"  # fmt: skip
STORED = "| Tier | TB | $/GB | $ |\n|---|---|---|---|\n| Hot | 40 | 0.02 | 800 |\n| Cold | 300 | 0.004 | [1,200|2,900] |\n| Both | 340 | | 2,000 |\n"  # fmt: skip


@pytest.mark.parametrize("text", [TABLE, SHARES, STORED])
def test_a_cell_that_follows_from_its_label_or_its_column_holds_and_a_wrong_one_is_refuted(text):
    tool = miner()
    head, _, rest = text.partition("[")
    (right, wrong), tail = rest.partition("]")[0].split("|"), rest.partition("]")[2]

    def verdicts(figure):
        return {
            one.verdict
            for one in tool.mine(passage(head + figure + tail))
            if one.figure_start <= len(head) + 1 < one.figure_end + 1
        }

    assert verdicts(right) == {"holds"}
    assert verdicts(wrong) == {"refuted"}


def test_a_price_for_each_above_a_total_is_no_part_of_it():
    rows = "| | Ash | Elm |\n|---|---|---|\n| Price per board | £2 | £3 |\n| Delivery | £50 | £40 |\n| Total | £450 | £640 |\n"
    assert [one for one in miner().mine(passage(rows)) if one.verdict == "refuted"] == []


def test_a_stated_zero_has_no_scale():
    """It ended the mining of the text with an error of decimal arithmetic."""
    text = "C = 6ND: with N = 2e9 and D = {} it is 1.2e22 FLOPs."
    assert [one.verdict for one in miner().mine(passage(text.format("1e12")))] == ["holds"]
    assert "holds" not in [one.verdict for one in miner().mine(passage(text.format("0e12")))]
