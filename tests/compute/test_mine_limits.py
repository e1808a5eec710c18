"""Limits, repeated changes, written equations: what readers outside found, in pairs of a true text and a wrong one."""

import pytest

from tests.bench.bench_mining import miner, passage

FAIR = [
    "Sales rose 25% and we let a fifth of the shops go, so takings are unchanged, 0% less than before.",
    "The pond of 240 carp halved in May and halved again in June, so 60 were left.",
    "They drove 200 miles in five hours, an hour of which was a break, so they averaged 50 mph on the move.",
    "The mill opened in 1910 and shut in 1990 but stood idle from 1942 to 1950, so it worked for 72 years.",
    "Out of 800 parts 776 passed, well above the 95% that the buyer had asked for.",
    "The 405 km trip took four and a half hours, so the van never needed to average more than 100 km/h.",
    "The tap gives 30 litres a minute, so an hour is enough to fill a 1,500 litre trough.",
    "The pier was open from 1931 to 1974, over four decades.",
    "A grant of $45,000 is enough for 30 desks at $1,250.",
    "Reading 200 million tokens at $0.80 per million stays under our $200 cap.",
    "The ferry ran for three decades or so, from 1961 to 1993.",
    "Of 500 letters 460 were answered. Now 71% of the members are content.",
    "At 9% a month it doubles in 8 months, and after 12 months it is 2.8 times as large.",
    "The plan allows for rises of 4%, though his took him from $50,000 to $51,500, or 3%.",
    "Sending 30 crates at €40 each cost us €1,260, the extra €60 being a toll.",
    "The rumour that staff had grown 60% is false: it went from 1,000 to 1,250, up 25%.",
    "Precision is 0.80 and recall 0.40, so the F1 score is 0.53.",
    "The chair, $800 in May, had its price cut in half twice and ended up at $200.",
    "Doubled three times, the 25p stake is now £2.",
    "€1,500 + 20% VAT = €1,800",
    "Taking 20% off twice in a row leaves the $500 licence at $320.",
    "Two successive cuts of 50% took the fee from $12 to $3.",
    "The leaflet said that going from $9 to $3 was a 33% cut. It is of course a 67% cut.",
    "The firm, founded in 2004, opened its first shop five years later and was sold in 2020.",
    "We aim to go from $3m to $9m by 2028; so far we are up 40% on last year.",
    "An uptime of 99.9% allows for less than nine hours of downtime a year.",
    "Our bill fell by 20% although the token price was cut from $6 to $3, because we sent more tokens.",
    "The dryer lasted from 2008 to 2020, twice as long as its six-year warranty.",
    "His pay went from $40,000 to $50,000, and the firm gave his manager a 5% rise.",
    "He averaged 12 points a game over the year, with 20, 24 and 16 in the last three.",
]


@pytest.fixture(scope="module")
def mine():
    tool = miner()
    return lambda text: [(one.verdict, text[one.figure_start : one.figure_end]) for one in tool.mine(passage(text))]


@pytest.mark.parametrize("text", FAIR)
def test_what_has_a_fair_reading_is_not_accused(mine, text):
    assert "refuted" not in [verdict for verdict, _ in mine(text)]


PAIRS = [
    ("(210 + 240 + 270) / 3 = ", "240", "330"),
    ("(15 − 12) / 15 = ", "20%", "30%"),
    ("5,256 MWh / (2 MW × 8,760 h) = ", "30%", "45%"),
    ("€1,500 + 20% VAT = ", "€1,800", "€1,900"),
    ("1.5 kW × 10 h × 200 = ", "3,000 kWh", "4,500 kWh"),
    ("A $400 plan, less 20% and then a further 10% off the reduced price, costs ", "$288", "$352"),
    ("His £4,000 invoice, turned into dollars at $1.30 to the pound, came to ", "$5,200", "$3,077"),
    ("Precision is 0.95 and recall 0.45, so the F1 score is ", "0.61", "0.70"),
    ("Running at 40 litres a minute for 90 minutes, the pump moved ", "3,600 litres", "2,400 litres"),
    ("The lease is €2,500 per month, or ", "€30,000 a year", "€20,000 a year"),
    ("Latency was 400 ms. It was halved in May and halved again in June, which leaves ", "100 ms", "200 ms"),
    ("List price is $8.00/M; with the 75% caching discount you pay ", "$2.00/M", "$6.00/M"),
    ("Wind farms made 90 of the 150 TWh produced, a share of ", "60%", "40%"),
    ("Taking 20% off twice in a row leaves the $500 licence at ", "$320", "$380"),
    ("The shop charges $20 a month for each user. With 65 of them, that is ", "$1,300 each month", "$1,900 each month"),
]


@pytest.mark.parametrize(("start", "right", "wrong"), PAIRS)
def test_the_right_figure_holds_and_the_wrong_one_is_refuted(mine, start, right, wrong):
    assert "holds" in [verdict for verdict, figure in mine(f"{start}{right}.")]
    assert "refuted" in [verdict for verdict, figure in mine(f"{start}{wrong}.")]


NEVER_CONFIRMED = [
    ("Doubled three times, the 50p stake is now £3.", "£3"),
    ("The sofa, $1,200 in June, had its price cut in half twice and ended up at $600.", "$600"),
    ("Costs that grow 8% a month double in 9 months; after 27 months they are three times as high.", "three times"),
    ("In 6 months usage tripled, and in 18 months it grew fivefold.", "tripled"),
    ("By cutting the run from 14 hours to 3.5, the new mesh sped it up by a factor of 10.5.", "10.5"),
]


@pytest.mark.parametrize(("text", "figure"), NEVER_CONFIRMED)
def test_what_words_exclude_does_not_hold(mine, text, figure):
    assert ("holds", figure) not in mine(text)


def test_an_emoji_before_a_sentence_begins_it(mine):
    plain = "The bill fell from $5,760 to $2,520, a cut of 66%. Of 400 tickets 372 were right, or 91%."
    assert mine(plain.replace(". Of", ". 🚀 Of")) == mine(plain)
    assert len(mine(plain)) == 2
