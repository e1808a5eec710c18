"""The relations that the solver finds for a figure: among its candidates one computes it, and what is shown computes."""

from decimal import Decimal

import pytest

from compute.mining.claim_judging import holding, result
from compute.mining.claim_model import candidates
from compute.mining.quantities import sentences
from compute.mining.solver import prose, wide
from compute.prices.price_book import CatalogBook
from compute.verify.calculator import calculate
from tests.bench.bench_mining import DAY, passage
from tests.compute.mining_books import flat

BOOK = CatalogBook.of([*flat("openai/acorn-4", "8", "32")])


def target(text, stated):
    """The scope and the quantity of the last figure of a text that is written so."""
    at = text.rindex(stated)
    every = [one for one in sentences(passage(text)) if prose(one)]
    scopes = [wide(every, place) for place in range(len(every))]
    found = [(scope, one) for scope in scopes for one in scope.targets if one.figure.start <= at < one.figure.end]
    assert found, f"{stated} is no figure of: {text}"
    return found[0]


def fitting(text, stated):
    scope, one = target(text, stated)
    results = [judged for candidate in candidates(scope, one) if (judged := result(candidate)) is not None]
    return scope, [judged for judged in results if judged.near]


RELATIONS = [
    ("chain", "2 (K and V) × 32 layers × 1,024 dims × 2 bytes = 131 kB for each token.", "131 kB"),
    ("chain", "We have 40 vans × 12 stops × $3 a stop × 5 = $7,200.", "$7,200"),
    ("chain", "128 cards × 24 hours × 30 days at $2 an hour: about $184k.", "$184k"),
    ("chain", "That is 500 racks × 8 cards × 0.7 kW × PUE 1.3 = 3,640 kW.", "3,640 kW"),
    ("run", "200 lamps of 60 W, six hours a day, 190 days, €0.25 per kWh: this is €3,420.", "€3,420"),
    ("run", "Loading 45 kWh at €0.50 cost us €22.50.", "€22.50"),
    ("run", "An old 100 W fridge: a year at 30p/kWh is about £263.", "£263"),
    ("bill", "We used 10M input tokens at $3 per million plus 2M output tokens at $15 per million, $60 in total.", "$60"),
    ("bill", "The base fee is €10 and calls are 5 cents a minute; 300 minutes make €25.", "€25"),
    ("bill", "Nine wins at three points plus four draws at one: 31 points.", "31 points"),
    ("blend", "200 small parcels at €5 and 50 large ones at €10: €6 on average.", "€6"),
    ("blend", "We have €30m at 4% and €10m at 8%; the blended rate is 5%.", "5%"),
    ("blend", "80% of the input costs $0.50 and 20% costs $5, so the mix is $1.40.", "$1.40"),
    ("excess", "Free time is 12 days and our box sat 18, so the overrun at £45 a day adds £270.", "£270"),
    ("sum taken", "We booked for 34, 21 and 9 people at €3,500 each, €224,000 altogether.", "€224,000"),
    ("doubled", "Compute doubles every six months; eighteen months on we have 8 times as much.", "8 times"),
    ("doubled", "The bill has tripled each year: it was $1M in 2016 and was $81M in 2020.", "$81M"),
    ("grown", "Our $10k bill grows 8% a month; in a year it will be $25.2k.", "$25.2k"),
    ("shrunk", "If 10% of those left drop out each year, after three years 73% are here.", "73%"),
    ("exchanged", "The room cost £90, which at €1.15 to the pound was €103.50.", "€103.50"),
    ("exchanged", "The service charges 14 yuan; with 7 yuan to the dollar, that is $2.", "$2"),
    ("parts", "Mix water and syrup 3:1. For a 400 ml bottle you want 100 ml of syrup.", "100"),
    ("convert", "In June we earned $310k, which annualises to $3.72M.", "$3.72M"),
    ("convert", "Traffic averages 40 requests a minute, or 57,600 per day.", "57,600"),
    ("times of times", "It is 2.4 times as fast and costs 0.8 times as much: 3 times the speed per dollar.", "3 times"),
    ("rate ratio", "Box one: 600 tok/s at $12. Box two: 400 tok/s at $20. Per dollar it gives 2.5 times the tokens.", "2.5 times"),
    ("rate ratio", "There were 12 of 40 in spring and 27 of 60 in autumn, a share 15 percentage points higher.", "15 percentage"),
    ("flow", "£80 in the box. Stamps £12.50, a cleaner £30, and £20 was put back. Left: £57.50.", "£57.50"),
    ("sum", "Load by block: servers 310, cooling 95, lights 55. Total: 460 kW.", "460 kW"),
    ("sum", "| Item | EUR |\n|---|---|\n| Compute | 4,120 |\n| Storage | 1,860 |\n| Egress | 740 |\n\nIn total we paid €6,720.", "€6,720"),
    ("times", "| Build | Time (s) |\n|---|---|\n| old | 480 |\n| new | 60 |\n\nA build is 8x quicker now.", "8x"),
    ("gap", "The share was 91% in June. It had been 78% in January. A club was credited with the 13-point jump.", "13"),
    ("stacked", "Spot is at half the rate, and the programme takes a further 20% off. Combined saving: 60%.", "60%"),
    ("span", "Work started on 1 March 2024 and ended on 5 April 2024. It lasted 35 days.", "35 days"),
    ("span", "Born in March 1984, she was 27 when she won in June 2011.", "27"),
    ("exchanged", "The agency in Oslo billed 72,000 kroner; at 12 kroner to the euro we owe €6,000.", "€6,000"),
    ("exchanged", "The dress was 90 euros, and at 80 pence to the euro my card paid £72.", "£72"),
    ("exchanged", "He owed me 500 Canadian dollars, which at 0.70 US dollars each are US$350.", "US$350"),
    ("run", "The sauna draws 30 kWh at 20 cents, hence EUR 6.", "EUR 6"),
    ("fall", "Storage costs 12 cents per million where it had been 48, a cut of 75%.", "75%"),
    ("fall", "Shares sold at 150p in May and at 120p in June, 20% less.", "20%"),
    ("taken", "Two million pounds in the account at 3% bring us £60,000.", "£60,000"),
    ("sum", "Spain sold 4.2 GWh, Portugal 2.5 and Malta 0.3, a total of 7 GWh.", "7 GWh"),
    ("sum", "Letters sorted today:\n- Leeds 840\n- York 310\n- Hull 150\n\nTogether 1,300, as every day.", "1,300"),
    ("times", "In August 30,000 guests sleep in the town, against 2,000 in March, 15 times as many.", "15 times"),
    ("part", "In May 12 of the 400 parcels were lost. That is a rate of 3%.", "3%"),
    ("difference", "It ended 21-13, so we lost by eight.", "eight"),
    ("chain", "C = 6 × 13e9 × 2e12 = 1.56e23 operations.", "1.56e23"),
    ("quotient", "Typed 900 words in 20 minutes, 45 words a minute.", "45"),
    ("product", "At 350 g of CO2 for each kWh, 2,000 kWh cause 700 kg of it.", "700"),
    ("product", "Six editors who each file 12 columns make 72 columns.", "72"),
    ("product", "Backups cost $2 per TB and month, so our 300 TB are $7,200 a year.", "$7,200"),
    ("product", "An 80-minute reel at 24 fps has 115,200 frames.", "115,200"),
    ("product", "The job held 512 GPUs for 10 days, that is 122,880 GPU-hours.", "122,880"),
    ("sum", "| Post | Weekly, €k |\n|---|---|\n| Rent | 2.4 |\n| Wages | 7.1 |\n\nAltogether €9.5k.", "€9.5k"),
    ("sum", "| Leg | km |\n|---|---|\n| One | 30 |\n| Two | 45 |\n\nThat made 75 km on the day.", "75"),
    ("quotient", "Three kilos and five hundred grams of veal at £14, so it is £4 a kilo.", "£4"),
    ("quotient", "We covered 142.5 km in four hours and three quarters: 30 km/h.", "30"),
    ("taken", "At a calving percentage of 90, our 200 cows had 180 calves.", "180"),
    ("celsius", "They fired it at 1,832 degrees Fahrenheit, that is 1,000 degrees Celsius.", "1,000"),
    ("span", "She left on 20 December 2022 and was back on 9 January; 20 days.", "20 days"),
    ("elapsed", "Doors opened at 19:10 and closed at 21:00 (110 minutes later).", "110 minutes"),
    ("weights", "At FP8 a 120B checkpoint takes up 120 GB.", "120 GB"),
    ("quotient", "The panels cost $6,000 and spare us $500 a month, so they pay for themselves in a year.", "a year"),
    ("quotient", "Over a fortnight we spent $1,400, which is $100 a day.", "$100"),
    ("product", "2 million users at a fifth of a cent each cost us $4,000.", "$4,000"),
    ("times", "Watered plots gave 9 tonnes and dry ones 3; water trebled it.", "trebled"),
    ("chain", "Fixed costs 12,000 ÷ (price 20 − cost 14) = 2,000 mugs before we earn.", "2,000"),
    ("product", "The kiln used 4,000 kWh at 250 g each, so 1,000 kg of CO2.", "1,000"),
    ("product", "It spares 15 minutes on a letter, and with 400 letters a year this makes 100 hours.", "100 hours"),
    ("convert", "One message in forty is lost, as 97.5% arrive.", "forty"),
    ("convert", "The probe sends a picture every twelve minutes, 120 a day.", "120"),
    ("convert", "A watchdog runs every minute on each of our 15 hosts. An hour sees 900 runs.", "900"),
    ("convert", "Quarterly sales were €1.5 million, hence €6 million annualised.", "€6 million"),
    ("convert", "At two hours and 15 minutes, that is 135 minutes, it is a long play.", "135 minutes"),
    ("parts", "The mix of cement to sand is 1 to 4, so cement is 20% of it.", "20%"),
    ("parts", "With three goats for every sheep on the farm, 75% are goats.", "75%"),
    ("excess", "In fifty days the calves went from 120 to 180 kg, gaining 1.2 kg a day.", "1.2"),
    ("excess", "We need $5,000, have $2,000 and save $300 a month, so ten months to go.", "ten months"),
    ("excess", "A form took 30 minutes and now takes 12. On 50 forms we gain 15 hours.", "15 hours"),
    ("items", "Guests choose one of four soups, that is tomato, leek, potato or lentil.", "four"),
    ("sum", "Cost of a page, in cents:\n- ink 0.4\n- paper 0.9\n- power 0.2\n\nTotal: 1.5 cents.", "1.5 cents"),
    ("blend", "Of 50 rooms 30 rent for €400 and 20 for €500. The average rent is €440.", "€440"),
    ("convert", "The tank holds 4,500 cubic metres, i.e. 4.5 million litres.", "4.5 million"),
    ("product", "A tap gives 6 litres a minute for ten minutes a day, so 21.9 m³ a year.", "21.9"),
    ("both", "Each filter passes 80% of the light, so after three filters only 51.2% is left.", "51.2%"),
    ("cut twice", "The sofa was cut by half and then by a further 10%, so it went for 45% of the first price.", "45%"),
    ("grown", "The club grows 50% a year. It had 400 members in its first year and so 900 in its third.", "900"),
    ("grown", "The range grew by a tenth a year from 2,000 titles, reaching 2,420 after two years.", "2,420"),
    ("doubled", "Cells doubled every 30 minutes in the first hour, so 300 cells had become 1,200.", "1,200"),
    ("mean", "Use of the four disks was 90, 70, 62 and 58 percent, an average of 70%.", "70%"),
    ("quotient", "Profit $12m / 4m shares = $3 a share.", "$3"),
    ("flop", "A 70B model trained on 15T tokens: C = 6ND = 6.3 × 10^24 FLOP.", "6.3"),
]  # fmt: skip  # one relation a line


@pytest.mark.parametrize(("rule", "text", "stated"), RELATIONS)
def test_a_relation_of_the_text_computes_its_figure_and_so_does_the_formula_that_is_shown(rule, text, stated):
    computes(rule, text, stated)


def computes(rule, text, stated):
    """A relation of a text gives a figure, and the formula that is shown gives it too."""
    scope, found = fitting(text, stated)
    best = next((one for one in found if one.candidate.rule == rule), None)
    assert best is not None, sorted({one.candidate.rule for one in found})
    shown = holding(passage(text), scope, best, Decimal("0.9"))
    wanted = {"%": "0.01", "pp": "0.01", "x": "1", "": "1"}.get(shown.unit, f"1 {shown.unit}")
    given = tuple((one.name, one.formula) for one in shown.inputs)
    answer = calculate(f"({shown.expression}) / ({wanted})", BOOK, DAY, given=given)
    assert answer.value is not None
    assert float(answer.value) == pytest.approx(float(shown.computed))


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("We have 40 vans × 12 stops × $3 a stop × 5 = $9,900.", "$9,900"),
        ("Compute doubles every six months; eighteen months on we have 5 times as much.", "5 times"),
        ("The room cost £90, which at €1.15 to the pound was €150.", "€150"),
        ("Work started on 1 March 2024 and ended on 5 April 2024. It lasted 61 days.", "61 days"),
        ("Free time is 12 days and our box sat 18, so the overrun at £45 a day adds £430.", "£430"),
        ("The probe sends a picture every twelve minutes, 190 a day.", "190"),
        ("In fifty days the calves went from 120 to 180 kg, gaining 2.9 kg a day.", "2.9"),
        ("The mix of cement to sand is 1 to 4, so cement is 35% of it.", "35%"),
        ("Three kilos and five hundred grams of veal at £14, so it is £7 a kilo.", "£7"),
        ("The sauna draws 30 kWh at 20 cents, hence EUR 17.", "EUR 17"),
    ],
)
def test_a_wrong_figure_fits_no_relation(text, stated):
    assert fitting(text, stated)[1] == []
