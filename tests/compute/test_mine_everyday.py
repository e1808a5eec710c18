"""What everyday sentences say of figures: among the candidates of each figure one computes it."""

from decimal import Decimal

import pytest

from compute.mining.claim_judging import holding
from compute.mining.solver import accusations
from compute.verify.calculator import calculate
from tests.bench.bench_mining import DAY, miner, passage
from tests.compute.test_mine_relations import BOOK, fitting

MINER = miner()


def computed(text, stated):
    """Whether a relation computes a figure, and the formula that is shown for each does as well."""
    scope, found = fitting(text, stated)
    for one in found:
        shown = holding(passage(text), scope, one, Decimal("0.9"))
        wanted = {"%": "0.01", "pp": "0.01", "x": "1", "": "1"}.get(shown.unit, f"1 {shown.unit}")
        given = tuple((each.name, each.formula) for each in shown.inputs)
        answer = calculate(f"({shown.expression}) / ({wanted})", BOOK, DAY, given=given)
        assert answer.value is not None, (one.candidate.rule, shown.expression, given)
        assert float(answer.value) == pytest.approx(float(shown.computed)), (
            one.candidate.rule,
            shown.expression,
            given,
        )
    return bool(found)


SHARES = [
    ("Nine out of ten of the 240 guests, 216 of them, came by train.", "216"),
    ("Of 900 seeds, two in every nine failed, so 700 came up.", "700"),
    ("One child in four of the class of 28 walks; that is seven children.", "seven children"),
    ("Of 150 patients 30 relapsed, or one in five.", "one in five"),
    ("The clinic lost 3 hours out of 600, five hours in every thousand.", "five hours"),
    ("Three in every twenty-five ballots, 12%, were blank.", "12%"),
    ("From one in twenty to one in ten: the risk has doubled.", "doubled"),
    ("Seven calls in ten cost $2 and three in ten $12, so $5 on average.", "$5"),
    ("He scored two goals in ten games, which is 0.2 a game.", "0.2"),
    ("They won three in five days and lost two, five games in all.", "five games"),
    ("40 calls of three-quarters of an hour make 30 hours.", "30 hours"),
    ("Half a litre of oil for each of 18 engines: nine litres.", "nine"),
    ("A third of a litre each for 90 runners makes 30 litres.", "30"),
    ("On a loan of €200,000 one and three-quarter per cent is €3,500.", "€3,500"),
    ("The rate rose by half a percentage point, from 4.5% to 5%.", "5%"),
    ("They dug a metre and a half a day for eight days, 12 metres in all.", "12"),
    ("He ran 30 km in an hour and forty minutes, 18 km an hour.", "18"),
]


@pytest.mark.parametrize(("text", "stated"), SHARES)
def test_fractions_in_words_are_shares_and_amounts(text, stated):
    assert computed(text, stated)


BARE = [
    ("We mowed 2,300 acres in 2022, 1,650 this year. 650 fewer, and most is sold.", "650"),
    ("Of the park's three thousand hectares 1,050 burned in May. To lose 35% of it is a disaster.", "35%"),
    ("Crab landings have gone from 250 tonnes to 1,500 since then: a sixfold increase.", "sixfold"),
    ("It is eleven euros next door and thirty-three here, three times the money.", "three times"),
    ("He began at 104 kg; at twelve months he was 83.2, having lost a fifth of it.", "a fifth"),
    ("Twenty per cent off the £200 coat, then another ten off that: I paid £144.", "£144"),
    ("On £32,000, five per cent from me and three from them put £2,560 into the pot.", "£2,560"),
    ("Unemployment is 6%; five years ago it was 8, two points more.", "two points"),
]


@pytest.mark.parametrize(("text", "stated"), BARE)
def test_a_bare_number_takes_the_unit_of_a_figure_before_it(text, stated):
    assert computed(text, stated)


WORDS = [
    ("Leg one takes 1 hour 45 minutes and leg two 2 hours 50, giving 4 hours 35 minutes in all.", "4 hours 35"),
    ("On day three we walked 18 km and on day four 22, together 40 km.", "40"),
    ("A loaf that cost eightpence would be 240 pence now. Thirty times dearer.", "Thirty times"),
    ("An apprentice had tuppence an hour and a smith sixpence, three times as much.", "three times"),
    ("A seven-billion-parameter model at two bytes a weight needs 14 GB to be loaded.", "14 GB"),
    ("A three-hundred-page book at two minutes a page takes ten hours.", "ten hours"),
    ("Of every thousand parcels some 45 need a new label. A shift with 1,200 must redo 54.", "54"),
    ("Of every pound, 61p goes on wells and 14p on training. The other 25p pays the rent.", "25p"),
    ("Sixty tickets at a pound a week bring in £3,120 over 52 weeks.", "£3,120"),
    ("From a nine-pound paperback the shop takes three pounds sixty, two-fifths of the price.", "two-fifths"),
    ("Tea was two euros forty and cake three euros ten, €5.50 in all.", "€5.50"),
    ("He sent it 1.2 million times in May and 0.9 million times in June, a quarter less.", "a quarter"),
    ("There are 26 of them with 13 books each, so by July 338 should be read.", "338"),
    ("It took 8.4 s and takes 0.35 s now: a page 24 times faster.", "24 times"),
]


@pytest.mark.parametrize(("text", "stated"), WORDS)
def test_numbers_in_words_and_in_names(text, stated):
    assert computed(text, stated)


UNITS = [
    ("At 22 litres a hectare, ploughing the thirty-five we have left takes 770 litres.", "770"),
    ("Each tile is 0.09 m², the wall 3.6, so buy forty and a few for breakages.", "forty"),
    ("The pool is 25 m long, 12.5 wide and 1.8 deep, which is 562.5 cubic metres of water.", "562.5"),
    ("The field is 120 m by 80, that is 9,600 square metres.", "9,600"),
    ("86 tonnes of gravel, one lorry that takes 21.5: four trips.", "four"),
    ("Sugar and caps were £66. The kit made 120 pints, 55p apiece.", "55p"),
    ("At £3 a kilo the seven we picked are worth £21.", "£21"),
    ("Fifteen square kilometres, forty-five thousand people: 3,000 to the square kilometre.", "3,000"),
    ("Twenty-two kilometres at five and a half an hour: four hours of walking.", "four hours"),
]


@pytest.mark.parametrize(("text", "stated"), UNITS)
def test_a_factor_of_a_product_may_leave_its_unit_unsaid(text, stated):
    assert computed(text, stated)


ONE_MORE = [
    ("Four bays of six beds less the three closed for painting leaves 21 staffed tonight.", "21"),
    ("The list was 7,200. Two weekends of nine hundred patients apiece leaves 5,400 to be seen.", "5,400"),
    ("Each of four swimmers does 1.5 km of the lake and the last another 400 m. In all it is 6.4 km.", "6.4"),
    ("Eight sixteen-bar verses and an eight-bar coda: 136 bars.", "136"),
    ("Allow twenty minutes a kilo and twenty over; for our 3.5 kg joint that is 90 minutes.", "90 minutes"),
    ("Pocket money at £2.50 a week, and a tenner for her birthday: she's had £140 this year.", "£140"),
    ("The fee of 1.4% and 25 cents takes €1.44 out of a basket of €85.", "€1.44"),
    ("1,500 vials, ten doses to the vial, a tenth wasted: enough for 13,500 arms.", "13,500"),
    ("40 rows of 25 plants, 5% of which died, are 950 plants.", "950"),
    ("200 jars at £3 less a commission of 10% brought in £540.", "£540"),
    ("Five lengths of 2.4 m and an offcut of 60 cm make 12.6 m of rail.", "12.6"),
    ("The share was 40% and rose by five percentage points to 45%.", "45%"),
    ("Our £180,000 loan went up by half a percentage point, which adds £900 to a year.", "£900"),
    ("Fifteen basis points on a block of $40M are $60,000 to the desk.", "$60,000"),
]


@pytest.mark.parametrize(("text", "stated"), ONE_MORE)
def test_a_product_with_one_more_amount_or_without_a_share_and_points_of_an_amount(text, stated):
    assert computed(text, stated)


SAID = [
    ("420 sign-ups for €12,600 spent, so €30 a sign-up.", "€30"),
    ("The cottage was £1,890 for the week, so £270 a night.", "£270"),
    ("Three nights at £90 a night come to £270.", "£270"),
    ("The camera writes 20 TB a night. It is open on 300 nights of the year, giving 6 PB.", "6 PB"),
    ("A box takes eighteen tonnes and costs $5,400; each tonne of fish accordingly bears $300 of it.", "$300"),
    ("Eighty kegs on Monday, two hundred came, 235 went out to pubs. Left on Saturday: 45.", "45"),
    ("Three-sixteenths of the 320 peas, 60, are green.", "60"),
    ("Eight wolves came. They increased by half in each of the next two years, which gave eighteen.", "eighteen"),
    ("252 miles on 28 gallons: nine to the gallon.", "nine"),
    ("The bank went from 5.25 to 4.50 in three steps, so 75 basis points altogether.", "75 basis"),
]


@pytest.mark.parametrize(("text", "stated"), SAID)
def test_what_a_figure_is_for_may_be_said_in_other_words(text, stated):
    assert computed(text, stated)


KNOWN = [
    ("Thirty minutes door to door, there and back, on some 220 days a year. That is 220 hours a year.", "220 hours"),
    ("It was half an hour each way, so five days cost me five hours.", "five hours"),
    ("Echo back after 0.8 s, sound at 1,500 m/s in the sea, there and back: the bottom is 600 m down.", "600"),
    ("It is seven km each way, so 14 km there and back.", "14"),
    ("I save two 35-minute trips a day, three days a week. Over 44 weeks that is 154 hours.", "154 hours"),
    ("Fourteen clubs, each meeting every other once at home and once away. So a club plays 26 matches.", "26"),
    ("A dozen sides, everyone against everyone just the once: 66 games before the cup.", "66"),
    ("Eight guests clinked glasses with each other, 28 clinks.", "28 clinks"),
    ("With 61 of the 113 council seats, the Greens can outvote everyone else combined by nine.", "nine"),
    ("Seven wins, four draws, no defeat: she finished on 9 points.", "9 points"),
    ("A £20 win bet at 7–2 gives you back £90 in all.", "£90"),
    ("She staked €10 at odds of 5 to 2 and won €25.", "€25"),
    ("A 750 ml bottle at 12% has nine units of alcohol.", "nine"),
    ("A nine-inch pizza against a three-inch one? Same shape, so in area it is nine times as much.", "nine times"),
    ("Members gave £12,400 and the fund matched it pound for pound, so they have £24,800.", "£24,800"),
]


@pytest.mark.parametrize(("text", "stated"), KNOWN)
def test_rules_that_go_without_saying(text, stated):
    assert computed(text, stated)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("A dozen sides, everyone against everyone just the once: 88 games before the cup.", "88"),
        ("Four bays of six beds less the three closed for painting leaves 34 staffed tonight.", "34"),
        ("1,500 vials, ten doses to the vial, a tenth wasted: enough for 19,500 arms.", "19,500"),
        ("Each tile is 0.09 m², the wall 3.6, so buy seventy and a few for breakages.", "seventy"),
        ("Of 900 seeds, two in every nine failed, so 450 came up.", "450"),
        ("Our £180,000 loan went up by half a percentage point, which adds £1,900 to a year.", "£1,900"),
    ],
)
def test_a_wrong_figure_of_everyday_sentences_fits_no_relation(text, stated):
    assert fitting(text, stated)[1] == []


@pytest.mark.parametrize(
    ("label", "figure", "verdicts"),
    [
        ("All", "96", ["holds"]),
        ("**In all**", "110", ["refuted"]),
        ("All", "80", []),  # people in two rows may be counted once
        ("Mean", "32", ["holds"]),
        ("Simple average", "47", ["refuted"]),
        ("Mean", "35", []),  # it may be weighted
    ],
)
def test_a_last_row_is_a_sum_or_a_mean_whatever_it_is_called(label, figure, verdicts):
    table = f"| Hall | Guests |\n|---|---|\n| North | 40 |\n| South | 30 |\n| Port | 26 |\n| {label} | {figure} |\n"
    assert [one.verdict for one in MINER.mine(passage(table))] == verdicts


@pytest.mark.parametrize("number", ["4e42", "9" * 40, "5e300", "1e-40", "1.5e60%", "6e40 years"])
def test_a_number_larger_than_any_count_is_read_and_nothing_breaks(number):
    """A page of a driver's documentation writes USB ids, 4e42:3502, that read as 4 × 10⁴²; a remainder of it has no digits."""
    text = (
        f"There are {number}: bread, milk and eggs. It rose from 10 to {number}, by 50%. Of the {number} seats half voted, "
        f"{number} is a majority. {number} hours at 500 W, {number} kWh in all, tripled each year from 2 in 2016 to {number}."
    )
    assert isinstance(MINER.mine(passage(text)), tuple)


@pytest.mark.parametrize(
    ("text", "figure", "wanted"),
    [
        ("Four hours for 48 km: that's just under 5 minutes a kilometre.", "5 minutes", "holds"),
        ("Four hours for 48 km: that's just under 9 minutes a kilometre.", "9 minutes", "no longer holds"),
        ("The share of members who vote went from 4% to 5%, 25% more of them.", "25%", "holds"),
        ("The share of members who vote went from 4% to 5%, 36% more of them.", "36%", "says nothing"),
    ],
)
def test_what_other_figures_would_fit_as_well_neither_holds_nor_is_wrong(text, figure, wanted):
    """`Just under` was read as a limit, below which everything fits; figures of one digit made 36% of 25% true."""
    found = [one.verdict for one in MINER.mine(passage(text)) if text[one.figure_start :].startswith(figure)]
    assert found == {"holds": ["holds"], "says nothing": []}.get(wanted, found)
    assert wanted != "no longer holds" or "holds" not in found


@pytest.mark.parametrize(
    "text",
    [
        "It is a threefold portrait of a soldier who served from 1814 to 1827.",
        "Clearings for the first ten months of 1890 show, compared with the same months of 1889, an increase of 8.4 per cent.",
        "The harbour, dredged in 1860 and 1830, took another twenty acres.",
    ],
)
def test_years_of_the_calendar_are_no_amounts(text):
    """In nineteen megabytes of prose of others the surest false accusations compared years."""
    assert "refuted" not in [one.verdict for one in MINER.mine(passage(text))]


def test_a_cut_is_not_saved_by_the_rise_that_would_undo_it():
    """From 90 to 60 is a cut of a third; 50% is what takes 60 back to 90, the usual mistake."""
    text = "Energy fell from 90 kWh to 60 kWh, a cut of 50%."
    assert "50%" in [found.candidate.target.figure.text for found, _ in accusations(passage(text))]
