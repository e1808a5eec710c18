"""True texts whose figures look wrong at first, each with a fair reading that saves it, and wrong ones of that shape."""

import pytest

from tests.bench.bench_mining import miner, verdicts


@pytest.mark.parametrize(
    "text",
    [
        "Of 4,800 calls in June the desk settled 1,344 without help. At 28% it misses the 36% written into the charter.",
        "Of last month's 900 leads, 45 have signed so far; the 8% in the sales deck is for January's, which had more time.",
        "A quarter of the 3,200 plots are sold. Of the rest, 1,100 are reserved and 200 lie in the flood plain.",
        "Staff cost: $2.0M last year, $2.6M planned. Of the difference, about 45% is for two new sites.",
        "Plums: 3 kg for $9, or $3.80 a kilo. Figs: $6, gone by noon.",
        "Fuel use of the tug: 2,700 litres for a trip of 18 nautical miles, so 150 litres per mile at 9 knots.",
        "We have 12 people on $2,900 a month. Contributions are 23% on top of gross, so payroll comes to about $42,800 a month.",
        "The plan is $4 in and $16 out for each million tokens, 70% dearer than the one for batches.",
        "The tier for the impatient costs $4.25 in and $17 out, a 70% premium over the standard one.",
        "For a week the large model was listed at $1.36 and $4.18 per million, double what it had been before.",
        "The dearest one is $600 for a million tokens out and $150 for a million in. That's ten times its small brother.",
        "June, list prices: 310M input × $3 = $930, and 22M output × $15 = $330.",
        "A little model: 3.75 cents buys a million input tokens, 15 cents a million output tokens.",
        "Headset: 12 hours of talk, 3 hours to charge, or 60% in 25 minutes.",
        "Snow on the five days of the trek: 9 cm, none, 14 cm, 4 cm, 8 cm; on average 7 cm a day.",
        "On the boat: 12 rowers, 5 cooks, 2 nurses and one vet, hence 20 people.",
        "Half of the cyclists and a quarter of the walkers wore lights; overall it was 31%.",
        "The surgery opens at 8:00 and closes at 16:30, with half an hour for lunch. That leaves 8 hours for patients.",
        "Stir one part of resin into eight parts of oil. Two litres of resin therefore make 18 litres of varnish.",
        "The berth costs €90 a night from night one to night five and €60 from night six; eight nights came to €630.",
        "Profit fell from $6.0m to $5.1m. The share price, by contrast, gained 26% over the same twelve months.",
    ],
)
def test_a_fair_reading_saves_a_figure(text):
    assert "refuted" not in verdicts(miner(), text)


@pytest.mark.parametrize(
    "text",
    [
        "Sales fell from $5.2m to $4.6m, a drop of 31%.",
        "Plums: 3 kg for $9, which is $3.80 a kilo.",
        "Six pickers filled 1,800 crates in 5 days, or 90 crates a day per picker.",
        "We spent $3,600 on 3 cars for 4 days, or $450 per car per day.",
        "On the boat: 12 rowers, 5 cooks, 2 nurses and one vet, hence 26 people.",
        "For the post we had 40 letters, against 32 a year before. That is 45% more than last time.",
        "Of 300 replies 120 praised the food and 60 the music. The remaining 150 said that they had come for the boats.",
        "Of 5,000 calls the desk settled 1,450 at once, which is 40%.",
    ],
)
def test_without_one_it_is_refuted(text):
    assert "refuted" in verdicts(miner(), text)
