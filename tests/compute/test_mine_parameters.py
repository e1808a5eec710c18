"""Figures that follow from others of the same text, by cause: number formats, parameters stated earlier, parts, pairs.

In each text `[a|b]` is a figure: with `a` it follows from the others and holds, with `b` it does not. Three texts for a
cause, of different trades; a long reach (another sentence or paragraph) is a part of the story.
"""

import re

import pytest

from tests.bench.bench_mining import miner, passage

_CHOICE = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
TOOL = miner()
HOLDS = {
    "a format and the size of another": [
        "An INT8 copy of the float32 index takes [a quarter|an eighth] of the disk.",
        "The sensor logs in float64; a switch to float32 [halves|doubles] the size of each file.",
        "Storing the embeddings as INT4 instead of FP16 cuts the memory by a factor of [4|8].",
    ],
    "a share between formats": [
        "The map tiles in 8-bit integers need [75%|60%] less storage than those in 32-bit floats.",
        "With FP8 weights the memory of the card is filled [50%|30%] less than with BF16 weights.",
        "An FP4 cache takes [75%|50%] less memory than an FP16 cache.",
    ],
    "the bytes of a format": [
        "Elevations are saved as INT16, so each takes [2 bytes|4 bytes].",
        "A float64 reading takes [8 bytes|6 bytes].",
        "The texture keeps FP32 values of [4 bytes|2 bytes] in each cell.",
    ],
    "the weights of a model": [
        "Our 13B chat model is served in BF16. It needs [26 GB|32 GB] of memory before any cache.",
        "The 9B model is compressed to 4-bit weights and takes only [4.5 GB|9 GB].",
        "The translator has 3 billion parameters.\n\nEach is kept in FP16, so the download is [6 GB|9 GB].",
    ],
    "the values of some bits": [
        "The meter has a 12-bit converter that tells [4,096|2,048] levels apart.",
        "A 10-bit panel shows [1,024|1,000] steps of each colour.",
        "The badge has a 16-bit code, enough for [65,536|60,000] codes.",
    ],
    "a rate stated earlier": [
        "Electricity here is $0.20/kWh. Nothing else is metered.\n\nThe kiln took 450 kWh in May and the bill said [$90|$120].",
        "Transfers cost $0.05 per GB. The archive moved 40 TB in the spring. It paid about [$2,000|$3,000] for 40 TB in transfers.",
        "The printer charges €0.30 per kg. Freight is free.\n\nWe sent 250 kg and the invoice was [€75|€90].",
    ],
    "tokens at prices stated earlier": [
        "The model costs $2 per million input tokens, $8 per million output tokens. A 50K prompt costs [$0.10|$0.40].",
        "It is $4 per million input tokens, $20 per million output tokens.\n\nA 10K token prompt plus 1K response costs [$0.06|$0.09].",
        "We pay $1 per million input tokens, $5 per million output tokens. A request of 20K tokens comes to [$0.02|$0.03].",
    ],
    "a price that changes by a factor": [
        "The plan is $4 per million input and $12 per million output tokens. Batches are 50% off: [$2|$3] input.",
        "It was $1 input and $5 output per million tokens.\n\nThe fine-tuned model doubled the rate to [$2|$3] input.",
        "They ask $10 input and $30 output per million tokens. At night a 20% discount makes it [$8|$9] input.",
    ],
    "a share below an earlier price": [
        "The old model is $8 input and $24 output per million tokens. Its rival at $6 input undercut it by [25%|40%].",
        "It was $5 input. The new one, at $2 input, is [60%|70%] cheaper.",
        "We pay $20 output for a million tokens.\n\nWith $15 output theirs is [25%|35%] below ours.",
    ],
    "what a share leaves": [
        "The pumps draw 85% of their rating. This was measured for a year.\n\nWe oversize the cable by [15%|25%].",
        "About 64% of the seats were sold. The matinee was fuller. So [36%|46%] stayed empty.",
        "The tank is kept at 90%. The manual asks for it.\n\nThere is [10%|20%] headroom.",
    ],
    "the overhead of a facility": [
        "The hall runs at a PUE of 1.25. The site is new. Its overhead is [25%|35%].",
        "Our PUE was 1.42 in June.\n\nThat means the overhead is [42%|58%].",
        "In winter the PUE falls to 1.12. Then overhead is [12%|21%].",
    ],
    "the share of a compared whole": [
        "The heat pump needs 900 kWh versus 7,500 kWh for the old boiler. It uses [12%|22%] of the boiler's energy.",
        "Proofreading took 30 hours against 400 hours for translation.\n\nProofreading adds [7.5%|12%] of the translation.",
        "The pilot trained 12 drivers, compared with 480 drivers in the main programme. It was [2.5%|5%] of the programme.",
    ],
    "a ratio of two named things": [
        "The school has 600 pupils and 40 teachers, a [15:1|20:1] pupil-to-teacher ratio.",
        "With 90 beds and 18 nurses the ward keeps a [5:1|8:1] bed-to-nurse ratio.",
        "It mixes 120 litres for 30 kilos, a [4:1|6:1] litre-to-kilo ratio.",
    ],
    "a number by a named ratio": [
        "The rule is a 12:1 guest-to-waiter ratio. A wedding with [180|150] guests needs 15 waiters.",
        "We keep a 6:1 child-to-carer ratio. For [48|60] children we need 8 carers.",
        "They plan for a 25:1 student-to-tutor ratio, which is a lot. Next year [500|600] students meet 20 tutors.",
    ],
    "equal parts": [
        "The rack has four drawers with 2 TB in each, and the six cages of 12 kg weigh [72 kg|90 kg] together.",
        "The barge carries eight tanks (30 kg per tank) and [240 kg|300 kg] in total.",
        "The lock lets 40 m of convoy through on a single cycle. It is old.\n\nIn total six cycles let [240 m|300 m] through.",
    ],
    "lines of a bus": [
        "A 64-bit bus at 3.2 GT/s moves [25.6 GB/s|32 GB/s].",
        "The 8-lane link runs at 16 GT/s and carries [16 GB/s|24 GB/s].",
        "The camera port has a 32-bit bus at 400 Mbps and delivers [1.6 GB/s|2.4 GB/s].",
    ],
    "the others": [
        "A class of 24 sits in one room, so each child talks over [23|30] others.",
        "With 50 tenants, a renter shares the stairs with [49|60] others.",
        "Of 12 jurors one was ill and the [11|10] others went on.",
    ],
    "the years in parentheses": [
        "The ferry served for [14 years|21 years] (1998-2012).",
        "The treaty held [30 years|25 years] in practice (1970–2000).",
        "She led the choir for [8 years|12 years] (2009–2017).",
    ],
    "a sum over other periods": [
        "Written off over four years, the $80,000 lathe costs less; over eight years, only [$10,000|$16,000].",
        "If you spread £6,000 over two years, £3,000 is due each year; over three years, just [£2,000|£2,600].",
        "The €900 fee seems high, but over six months it is [€150|€190].",
    ],
    "a proportion": [
        "At grade 2.0 the mill draws 60 kW; at grade 1.5 it draws [45 kW|52 kW].",
        "With 40 guests we cook 12 kg, with 60 guests we cook [18 kg|24 kg].",
        "For 300 visitors the café orders £450 of food; for 500 visitors it orders [£750|£850].",
    ],
    "a ratio with a label": [
        "Kiln A: 40 kg dry, 52 kg wet. Kiln B: 50 kg dry, 78 kg wet. Kiln B is [50%|80%] heavier when wet.",
        "The van does 12 km/h uphill and 90 km/h downhill. The truck does 8 km/h uphill.\n\nThe van is [1.5×|3×] faster at uphill.",
        "Press one prints 300 sheets in duplex, press two 450 sheets in duplex; press two is [50%|75%] faster in duplex.",
    ],
    "the sizes of two models": [
        "The 8B student replaces a 64B teacher at [8×|5×] lower cost.",
        "Their 3B model matches our 12B one. It has a [4×|6×] smaller footprint.",
        "A 20B model answers like the 100B one at [one-fifth|one-third] the memory.",
    ],
    "an elasticity": [
        "With an elasticity of 0.5, a 10% price rise costs [5%|8%] of the demand.",
        "The elasticity is 1.2, so a 5% cut adds [6%|9%] of volume.",
        "At an income elasticity of 0.3 a raise of 20% lifts spending by [6%|9%].",
    ],
    "an intensity": [
        "The grid emitted 90 million tonnes for 300 TWh, which is [300|450] g/kWh.",
        "Burning it released 2,000 tons for 4 GWh, or [500|800] gCO₂/kWh.",
        "With 36 tonnes for 120 MWh the heat has [0.3|0.5] kg/kWh.",
    ],
    "a fraction of two prices": [
        "The large model was $8 input and $40 output. The small one is $2 input and $10 output, at [a quarter|half] of the price.",
        "Theirs is $3/$9 per million tokens. We sell $1/$3 per million tokens.\n\nSo the work is done for [one-third|one-half] of the cost.",
        "The old tier was $6 input, $30 output; the new one is $3 input, $15 output, [half|a third] the rate.",
    ],
    "the operations of a training run": [
        "The 7B model took [8.4E22|4.2E22] FLOPs for its 2 trillion tokens.",
        "We train 1 billion parameters on 20 billion tokens, which needs [1.2 x 10^20|2.4 x 10^20] FLOPs.",
        "The corpus has 300 billion tokens.\n\nFor the 13B model that makes [2.3E22|1.1E22] FLOPs.",
    ],
    "the use of an accelerator": [
        "The run kept 445 TFLOPS on each H100, [45%|65%] of the peak.",
        "With 156 TFLOPS per A100 they report [50%|35%] utilisation.",
        "The H100 cluster averaged 400 TFLOPS, so the MFU was [40%|55%].",
    ],
    "a proportion with a round number": [
        "We print 1,000 books for €4,000. A million books would cost [€4 million|€6 million].",
        "With 500 visitors a day the tills cost $50 per day. At a thousand visitors a day they cost [$100 per day|$180 per day].",
        "For 200 letters the stamps are £160. For a thousand letters they are [£800|£950].",
    ],
}  # fmt: skip  # a text is a line
REFUTED = [
    "Output costs [4–6×|9–12×] input here. The small model is $1 input and $5 output, the large one $3 input and $15 output.",
    "With them output tokens cost [3x|7x] as much as input. We pay $2 input, $6 output, or at night $1 input, $3 output.",
    "The old tier is $2 input and $8 output, the new one $1 input and $4 output.\n\nOutput is priced at [4×|7×] the input rate.",
    "A hall of 400 H100s at a PUE of 1.2 draws [650 kW|4 MW].",
    "Their 2,000 H100 GPUs at a PUE of 1.3 use [3.5 MW|15 MW].",
    "With 64 H100s the lab needs [90 kW|500 kW] of power.",
    "Of the lamps, 12 failed out of 400 in 90 days, an annualised failure rate of [12%|20%].",
    "The clinic lost 3 out of 150 nurses in 2 months, an annual quit rate of [12%|30%].",
    "There were 7 breakdowns among 280 buses over 13 weeks, an annualized rate of [10%|16%].",
    "The ward has 60 beds and uses 300 kW; the new chiller saves 50 kW, enough power for [10|14] more beds.",
    "A 400-seat hall takes 80 kW. Half-size lamps in a 400-seat hall with 80 kW save 20 kW, enough power for [100|160] more seats.",
    "The farm waters 90 trees with 45 kW of pumps and frees 15 kW, enough power for [30|45] extra trees.",
]  # fmt: skip  # a text is a line
TEXTS = [(cause, text) for cause, texts in HOLDS.items() for text in texts] + [("refuting", text) for text in REFUTED]


def verdicts(text, side):
    """The verdicts of the figure that the two sides of a text state differently."""
    at = text.index("[")
    plain = _CHOICE.sub(rf"\{side}", text)
    end = at + len(_CHOICE.search(text)[side])
    return {one.verdict for one in TOOL.mine(passage(plain)) if one.figure_start < end and at < one.figure_end}


@pytest.mark.parametrize(("cause", "text"), TEXTS)
def test_a_figure_follows_from_others_and_another_does_not(cause, text):
    assert "holds" in verdicts(text, 1)
    wrong = verdicts(text, 2)
    assert "holds" not in wrong
    assert "refuted" in wrong or cause != "refuting"
    assert "refuted" not in verdicts(text, 1)


@pytest.mark.parametrize(
    "text",
    [
        "Printing a page now costs $0.02 per page versus $0.50 in 2012. Copy shops entered the market with 80% lower prices than print shops.",
        "A ticket was €60 and is €15 today. The new line runs with 40% lower fares than the railway.",
        "The lamp draws 9 W against 60 W for the old bulb. Its maker asks 30% higher prices than others.",
    ],
)  # fmt: skip  # a text is a line
def test_a_comparison_with_something_else_is_not_refuted_by_the_sentence_before(text):
    assert "refuted" not in {one.verdict for one in TOOL.mine(passage(text))}
