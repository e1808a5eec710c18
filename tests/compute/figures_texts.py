"""Texts for the tests of `compute.figures`: true ones with a wrong twin each, and true ones that a hasty reader would accuse.

In a pair the figure in braces is the claimed one, with a wrong one behind it.
"""

PAIRS = {
    "change by a share": (
        "The node fee was $12.00 an hour in May and is $9.00 an hour now, a reduction of {25%|35%}.",
        "Rent climbed from $1.60 to $2.00 per GPU-hour, up {25%|15%}.",
        "- before: 400 ms per call\n- after: 300 ms per call\n\nThat is a cut of {25%|45%}.",
    ),
    "change by a factor": (
        "Throughput rose from 2,000 to 9,000 tokens per second, {4.5 times|5.4 times} the old rate.",
    ),
    "percentage points": (
        "Utilisation rose from 48% to 61%. The {13-point|18-point} gain came from packing jobs.",
        "The hit rate went from 55% to 80%, {25 percentage points|35 percentage points} more.",
    ),
    "saving of A against B": (
        "The API costs us $30,000 a month, our own cluster $21,000 a month. Moving saves {$9,000|$7,000} a month.",
    ),
    "stacked discounts": (
        "A 40% reserved discount and a further 10% discount for prepayment stack to {46%|50%} off the list price.",
    ),
    "token bill": (
        "At $2.50 per million input tokens, 800 million input tokens cost {$2,000|$2,600}.",
        "We send 3 million requests a month with 1,000 input tokens each. At $0.50 per million input tokens the bill is {$1,500|$15,000} a month.",
        "1.2 billion input tokens at $2 per million and 100 million output tokens at $8 per million make a bill of {$3,200|$2,300}.",
    ),
    "rent": (
        "We rented 32 H100s at $2.50 per GPU-hour for 10 days. The bill came to {$19,200|$29,200}.",
        "Four nodes at $20 an hour, run for 720 hours, cost {$57,600|$14,400}.",
    ),
    "GPU-hours": (
        "The run kept 256 GPUs busy for 14 days, that is {86,016|61,440} GPU-hours.",
        "Four nodes with eight GPUs each ran for 36 hours, or {1,152|1,440} GPU-hours in total.",
    ),
    "cost per token": (
        "A server at $9 an hour sustains 5,000 tokens per second, which is {$0.50|$0.90} per million tokens.",
    ),
    "useful hours": (
        "The fleet was paid for 50,000 GPU-hours. At a utilisation of 55% it did {27,500|22,500} useful GPU-hours.",
    ),
    "break-even": (
        "An own GPU costs $1.50 an hour and a rented one $2.50 an hour: break-even utilisation is {60%|70%}.",
        "Our node costs $9,000 a month and the API $1.50 per million tokens, so break-even is at {6 billion|4 billion} tokens a month.",
    ),
    "payback": (
        "The server cost $180,000 and saves $12,000 a month, so it pays for itself in {15 months|25 months}.",
        "It costs $360,000 up front. It replaces $40,000 a month of rent and takes $10,000 a month to run. Payback: {12 months|9 months}.",
    ),
    "gross profit and margin": (
        "Revenue was $80 million and the cost of revenue $28 million. Gross profit was {$52 million|$62 million}.",
        "We sell the GPU-hour at $4.00. Its cost is $1.00, which is a gross margin of {75%|85%}.",
    ),
    "depreciation": (
        "A rack bought for $2.4 million is written off straight-line over four years, {$600,000|$480,000} a year.",
    ),
    "power and energy": (
        "Sixty servers of 10 kW each make an IT load of {600 kW|660 kW}.",
        "The IT load is 5 MW and the PUE is 1.2. At the meter the hall takes {6 MW|6.6 MW}.",
        "A hall that draws a constant 2 MW uses {48 MWh|24 MWh} in 24 hours.",
        "At $0.07 per kWh, 300 MWh cost {$21,000|$2,100}.",
    ),
    "saving by a PUE": ("Cutting PUE from 1.5 to 1.2 saves {20%|25%} of the facility's power.",),
    "carbon": ("On a grid of 400 g/kWh, 50 MWh emit {20 tonnes|50 tonnes} of CO2.",),
    "training": (
        "Training a 13B model on 1T tokens takes {7.8e22 FLOP|2.6e22 FLOP}.",
        "A run of 3.6e22 FLOP on GPUs with a peak of 1,000 TFLOP/s and an MFU of 40% takes {25,000|10,000} GPU-hours.",
    ),
    "memory": (
        "The model has 30 billion parameters. At 8 bits the weights take {30 GB|60 GB}.",
        "Eight GPUs with 141 GB each have {1,128 GB|1,010 GB} in all.",
    ),
    "MoE active share": ("Of 400B parameters only 20B are active for a token, {5%|8%}.",),
    "downtime": ("At 99.9% availability, downtime is {8.76 hours|10.5 hours} a year.",),
    "total": (
        "Training cost $120,000, serving $45,000 and storage $5,000, together {$170,000|$190,000}.",
        "- GPU rent: $14,000\n- power: $3,500\n- network: $1,200\n\nTotal: {$18,700|$16,700}",
    ),
    "written equation": ("Check: 128 × 240 h × $2.00 = {$61,440|$51,440}.",),
}

TRICKY = (
    "The first 10 million tokens each month are free; after that, the price is $2.00 per million. We used 60 million tokens and paid $100.",
    "We planned 1 million requests at 2,000 input tokens and $1.00 per million, or $2,000; with 4% retries the bill was $2,080.",
    "The 500 GPUs have a nameplate of 700 W each, but metered IT power averaged 260 kW.",
    "We reserved 128 GPUs for the 30-day month and used 61,000 GPU-hours.",
    "8 GPUs × 700 W is 5.6 kW, but the node pulls 8.9 kW at the wall.",
    "Would 64 GPUs for 30 days cost $90,000 at $2.40 per GPU-hour?",
    "The deck says that going from $8 to $2 is a saving of 400%, which is wrong.",
    "Twelve million tokens at $0.50 per million would be $6. The smallest invoice is for $25, and so $25 is what we pay.",
    "Two runs of 100 GPU-hours at $2.00 per GPU-hour cost about $390 with the credits that we had left.",
    "Set `MAX_TOKENS=4096` and `--batch-size 8`; version 2.5 of the server handles 64 requests.",
    "Of our customers 62% use prompt caching, 48% use batch and 31% use both, so 21% use neither.",
    "Traffic rose from 40 to 60 million requests, while the stock fell 6% on a 4% beat.",
    "The quarter had revenue of $40 million; consensus was $38 million, and margin guidance is 61%.",
    "Nordlys charges $2.30 per GPU-hour; on 10,000 GPU-hours Quarry is only $1,000 dearer.",
    "We spent $30,000 on training last year and $45,000 this year, and 12% of the second sum went to storage.",
)
