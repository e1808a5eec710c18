"""All named relations: name and title, equation, roles, the words that claim them, and an example each.

`relation_models` says how they are written. In an example the claimed figure is in braces, a wrong one behind it.
"""

from __future__ import annotations

import re

from compute.figures import relation_models as words
from compute.figures.relation_models import Relation, loose, relation

RELATIONS: tuple[Relation, ...] = (
    # ---- changes
    loose(
        "fall · change by a share",
        "share = (before - after) / before if before > after",
        "before:COMPARED|bare after:COMPARED|bare",
        words.LESS,
        near=words.LESS,
        example="The price fell from $8 to $2 per million tokens, a cut of {75%|70%}.",
    ),
    loose(
        "rise · change by a share",
        "share = (after - before) / before if before < after",
        "before:COMPARED|bare after:COMPARED|bare",
        words.MORE,
        near=words.MORE,
        example="Rent rose from $2.00 to $2.50 per GPU-hour, an increase of {25%|35%}.",
    ),
    loose(
        "factor · change by a factor",
        "factor|bare = large / small if large > small",
        "large:COMPARED|kv_each|bits|bare small:COMPARED|kv_each|bits|bare",
        rf"\btimes\b|[×x]\b|fold|factor|multipl|ratio|twice|doubl|tripl|thrice|quadrupl|{words.CHANGE}"
        rf"|\bas (?:much|many|fast|expensive|cheap|long)",
        near=r"times|[×x]\b|fold|factor|multipl|ratio|twice|doubl|tripl|thrice|quadrupl",
        example="Output costs $15 and input $3 per million tokens, {5x|6x} as much.",
    ),
    relation(
        "points · percentage points",
        "points = large - small if large > small",
        "large:share|points small:share|points",
        r"point|pp\b",
        example="Utilisation went from 45% to 62%, a gain of {17 percentage points|27 percentage points}.",
    ),
    # ---- savings and discounts
    loose(
        "saving · saving of A against B",
        "COSTS = large - small if large > small",
        "large:same small:same",
        rf"{words.CHANGE}|difference",
        near=rf"{words.CHANGE}|difference|worth of",
        example="The API costs $18,000 a month and our cluster $11,500 a month, a saving of {$6,500|$5,500} a month.",
    ),
    loose(
        "saved-share · saving of A against B",
        "COSTS = whole * share",
        "share:share whole:same",
        rf"{words.LESS}|{words.MORE}|\bof\b|share",
        outright=r"\bsav(?:es|ed|ings?)\b|\bcommission|share of",
        near=rf"{words.LESS}|\bof\b|extra|premium|more\b|share|account|goes? to|worth",
        example="A 30% discount on a bill of $40,000 saves {$12,000|$14,000}.",
    ),
    loose(
        "discounted · discount taken off",
        "COSTS = whole * (one - first) * (one - second) * (one - third)",
        "whole:same first:CUTS second?:CUTS third?:CUTS",
        rf"{words.LESS}|stack|after|remain|leav|left|half|halv|of list|of the (?:list|full)|batch|cach|spot|reserv"
        rf"|commit",
        outright=r"discount|\boff\b|cheaper|less than|\bless\b|sav|reduc|\bcut|lower|\bdrop|fall|below|stack",
        example="A reserved node is 40% off the list price of $12.00 an hour, so it costs {$7.20|$8.20} an hour.",
    ),
    loose(
        "raised · surcharge put on",
        "COSTS = whole * (one + share)",
        "whole:same share:share",
        rf"{words.MORE}|overhead|on top|surcharge|tax|VAT|\bplus\b|mark",
        outright=r"premium|more (?:expensive|than)|higher|increase|rise|rose|surcharge|on top|mark-?up|up \d|raise",
        example="Writes cost 25% more than the $3.00 per million tokens of input, {$3.75|$3.95} per million tokens.",
    ),
    relation(
        "stacked · stacked discounts",
        "share = one - (one - first) * (one - second) * (one - third)",
        "first:CUTS second:CUTS third?:CUTS",
        r"stack|combin|together|both|compound|on top|all in\b|net of|in (?:total|all)|total|further|additional"
        r"|overall|altogether|then|effective",
        near=r"^(?!.*\bof (?:the )?(?:list|full|original|standard|price))",
        outright=r"stack|combin|together|compound|on top of|further|both|then|all in\b|net of",
        example="A 50% batch discount and a 90% cache discount stack to {95%|98%} off the list price.",
    ),
    relation(
        "remaining · stacked discounts",
        "share = (one - first) * (one - second) * (one - third)",
        "first:share second:share third?:share",
        r"\bof (?:the )?(?:list|full|original|standard|on-demand|price)|remain|left|leav|\bpays?\b",
        confirms=True,
        example="With 50% off for batch and 90% off for cache reads we pay {5%|10%} of the list price.",
    ),
    loose(
        "complement · remainder",
        "share = one - share",
        "share:share",
        r"\bother\b|rest\b|remain|left|idle|still|only|leav|balance|non-|cheaper|less|pay|off|discount|complement",
        near=r"\b(?:other|remaining|rest|remainder|left|leaving|leaves?|idle|balance)\b",
        confirms=True,
        example="Of the traffic 35% is cached and the other {65%|75%} is not.",
    ),
    # ---- tokens
    relation(
        "volume · token volume",
        "tokens = users * items * each * time",
        "users?:things items:things|units each:tokens|tokens_each time?:hours",
        rf"{words.BE}|tokens?",
        outright=words.BE,
        example="Two million requests a month of 1,200 tokens each are {2.4 billion|2.9 billion} tokens a month.",
    ),
    relation(
        "capacity · throughput over a time",
        "tokens = units * speed * time * use",
        "units?:units|things speed:speed time?:hours|duty use?:utilisation",
        rf"{words.BE}|per day|a day|capacity|throughput",
        outright=words.BE,
        example="A node that decodes 2,500 tokens per second produces {216 million|236 million} tokens a day.",
    ),
    relation(
        "bill · token bill",
        "BILL = items * tokens * price * time * (one - off)",
        "items?:things|units tokens:tokens|tokens_each price:price time?:hours off?:CUTS",
        words.PAID,
        example="At $3 per million tokens, 40 million tokens cost {$120|$140}.",
    ),
    relation(
        "two-way-bill · token bill",
        "BILL = items * (first * price + second * fee) * time * (one - off)",
        "items?:things|units first:tokens|tokens_each@input price:price|money|money_at@input "
        "second:tokens|tokens_each@output fee:price|money|money_at@output time?:hours off?:CUTS",
        words.PAID,
        example="2,000 input tokens at $3 per million and 500 output tokens at $15 per million cost {$0.0135|$0.0165}.",
    ),
    relation(
        "two-part-bill · token bill",
        "BILL = items * (first * price + second * fee) * time * (one - off)",
        "items?:things|units first:tokens|tokens_each price:price|money_at second:tokens|tokens_each "
        "fee:price|money_at time?:hours off?:CUTS",
        words.PAID,
        ordered="pairs",
    ),
    relation(
        "cached-bill · token bill with cache",
        "BILL|price = items * tokens * (hit * read + (one - hit) * price) * time if price > read",
        "items?:things tokens:tokens hit:hit price:price|money_at read:price|money_at@cache_read time?:hours",
        words.PAID,
        example="At 80% hits, 100 million tokens at $3 per million input and $0.30 per million cached cost {$84|$94}.",
    ),
    relation(
        "item-bill · items at a price each",
        "money|money_rate = items * each * time * users * (one - off)",
        "items:things|units|speed each:money_each time?:hours users?:things off?:discount",
        rf"{words.COST}|revenue|sales|bring|earn|ARR|MRR|{words.BE}",
        outright=rf"{words.COST}|revenue|sales|bring|earn|ARR|MRR",
        example="Revenue from 4,000 seats at $25 per seat per month is {$100,000|$120,000} a month.",
    ),
    relation(
        "blended · blended price",
        "price|money|money_at|rent|money_rate = share * first + (one - share) * second",
        "share:share first:price|money|money_at|rent second:price|money|money_at|rent",
        words.BLEND,
        outright=r"blend|averag|weighted",
        ordered="share:first",
        example="With 75% of tokens at $1 per million and the rest at $5 per million, the blended price is "
        "{$2|$3} per million tokens.",
    ),
    relation(
        "blended-hit · blended price",
        "price|money|money_at = hit * read + (one - hit) * fresh",
        "hit:hit read:price|money|money_at[cached] fresh:price|money|money_at",
        words.BLEND,
        example="At an 80% hit rate, with cached tokens at $0.30 per million tokens and fresh ones at $3.00 per "
        "million tokens, the effective price is {$0.84|$1.14} per million tokens.",
    ),
    # ---- GPUs
    relation(
        "gpu-hours · GPU-hours",
        "gpuh = nodes * units * time * duty * use",
        "nodes?:nodes units:units|gpus|gpus_each time:hours duty?:duty use?:utilisation",
        words.BE,
        example="64 H100s for 30 days are {46,080|51,080} GPU-hours.",
    ),
    relation(
        "rent",
        "money|money_rate = nodes * units * rate * time * duty * (one - off)",
        "nodes?:nodes units?:units|things|gpus_each rate:rent time?:hours duty?:duty off?:discount",
        words.PAID,
        outright=words.COST,
        example="Eight nodes at $12 an hour for 100 hours cost {$9,600|$8,600}.",
    ),
    relation(
        "hours-bill · rent",
        "money = hours * rate * (one - off)",
        "hours:gpuh rate:rent off?:discount",
        words.PAID,
        example="At $2.40 per GPU-hour, 46,080 GPU-hours cost {$110,592|$120,592}.",
    ),
    loose(
        "unit-cost · cost per unit",
        "price|money_each|rent|money_rate|tariff|money_per = total / units / time",
        "total:money|money_rate units:tokens|things|gpuh|energy|units|hours time?:hours",
        rf"{words.COST}|\bper\b|each|apiece|unit",
        outright=r"\bper\b|each|apiece|works? out|unit cost",
        example="The month cost $7,200 for 2.4 billion tokens, that is {$3.00|$3.60} per million tokens.",
    ),
    relation(
        "token-cost · cost per token from rent and throughput",
        "price|money = units * rate / speed / use * work",
        "units?:units rate:rent speed:speed use?:utilisation work?:tokens",
        rf"{words.COST}|\bper\b|cost",
        outright=r"million|\btoken",
        example="A node at $18 an hour that serves 2,500 tokens per second costs {$2.00|$2.60} per million tokens.",
    ),
    relation(
        "useful-hours · useful hours at a utilisation",
        "hours|gpuh|duty = units * time * use",
        "units?:units time:hours|gpuh|duty use:utilisation",
        r"useful|productive|busy|effective|work|used|actual|real|utili[sz]",
        example="At 60% utilisation 46,000 GPU-hours hold {27,600|29,900} useful GPU-hours.",
    ),
    relation(
        "idle-hours · useful hours at a utilisation",
        "hours|gpuh|duty|money = units * time * (one - use)",
        "units?:units time:hours|gpuh|duty|money use:utilisation",
        r"idle|wast|unused|empty|lost|nothing",
        outright=r"idle|wast|unused",
        example="At 60% utilisation 46,000 GPU-hours leave {18,400|16,100} GPU-hours idle.",
    ),
    # ---- own against rented
    relation(
        "break-even-use · break-even utilisation",
        "share = own / rented / time if own < rented",
        "own:rent|money_rate|money|unit_price rented:rent|money_rate|money|unit_price time?:hours",
        rf"{words.EVEN}|cheaper (?:once|above|when|as soon)|pays? off|wins? (?:above|once|when)"
        r"|tip",
        example="An own GPU costs $1.20 an hour, the cloud $2.00 an hour, so break-even utilisation is {60%|70%}.",
    ),
    relation(
        "break-even-volume · break-even volume",
        "tokens|things|speed|gpuh = fixed / price",
        "fixed:money|money_rate price:price|money_each|money_at|rent less?:price|money_each[cost]",
        rf"{words.EVEN}|pays? (?:off|for itself)|cheaper (?:once|above|when|beyond)|crossover"
        r"|cover|cost the same|same cost|crosses|equal|level with|match|before it beats?|beat\b",
        outright=rf"{words.EVEN}|crossover|cost the same",
        example="At $6,000 a month against $3 per million tokens, break-even is {2 billion|3 billion} tokens a month.",
    ),
    relation(
        "break-even-margin · break-even volume",
        "tokens|things|speed = fixed / (price - cost) if price > cost",
        "fixed:money|money_rate price:price|money_each cost:price|money_each",
        rf"{words.EVEN}|pays? (?:off|for itself)|cover",
        example="With fixed costs of $50,000 a month, a price of $0.05 per request and a cost of $0.03 per request, "
        "break-even is {2.5 million requests|3.5 million requests} a month.",
    ),
    relation(
        "payback",
        "hours = units * capital / saved",
        "units?:units capital:money|money_each saved:money_rate",
        rf"{words.BACK}|earn(?:s|ed)? (?:back|itself)",
        example="A $240,000 server that saves $10,000 a month pays back in {24 months|30 months}.",
    ),
    relation(
        "net-payback · payback",
        "hours = units * capital / (gain - cost) if gain > cost",
        "units?:units capital:money|money_each gain:money_rate cost:money_rate",
        words.BACK,
        example="A $900,000 cluster saves $60,000 a month, costs $15,000 a month and pays back in {20|15} months.",
    ),
    relation(
        "gross-profit · gross profit",
        "PRICES = units * (revenue - cost - second - third) if revenue > cost",
        "revenue:same<revenue> cost:same[cost] second?:same third?:same units?:units|things",
        r"profit|contribution|keep|net\b|margin of|leav|left",
        outright=r"profit|contribution",
        example="Revenue was $4.2 million and compute cost $1.3 million, a gross profit of {$2.9|$3.1} million.",
    ),
    relation(
        "gross-margin · gross margin",
        "share = (revenue - cost - second) / revenue if revenue > cost",
        "revenue:PRICES|money_at|rent<revenue> cost:PRICES|money_at|rent[cost] second?:PRICES",
        r"margin",
        example="Revenue of $4.0 million with compute costs of $1.2 million is a gross margin of {70%|75%}.",
    ),
    relation(
        "profit-margin · gross margin",
        "share = profit / revenue if profit < revenue",
        "profit:PRICES[profit] revenue:PRICES",
        r"margin",
        example="A gross profit of $2.8 million on sales of $4.0 million is a margin of {70%|75%}.",
    ),
    relation(
        "depreciation · depreciation by year",
        "money_rate|money|rent = units * (capital - rest) / life if capital > rest",
        "units?:units capital:money|money_each rest?:money|money_each[salvage] life:hours|age",
        rf"{words.WRITTEN_OFF}|over (?:\w+|\d+) years|a year|per year",
        outright=words.WRITTEN_OFF,
        example="A $30,000 GPU written off over four years depreciates by {$7,500|$8,500} a year.",
    ),
    relation(
        "book-value · depreciation by year",
        "money = units * capital * (one - age / life) if age < life",
        "units?:units capital:money|money_each life:hours age:age|hours",
        r"book value|carrying (?:value|amount)|net book|undepreciated|residual",
        example="A $32,000 GPU is written down over four years and has a book value of {$8,000|$24,000} after 3 years.",
    ),
    # ---- power
    relation(
        "power · power of a fleet",
        "power = nodes * units * each * pue * use",
        "nodes?:nodes units:units|things each:power|power_each pue?:pue use?:utilisation",
        words.BE,
        example="512 GPUs of 700 W each draw {358.4 kW|398.4 kW}.",
    ),
    relation(
        "facility-power · power with PUE",
        "power = it * pue * use",
        "it:power pue:pue use?:utilisation",
        rf"{words.BE}|PUE",
        outright=r"PUE|\bmeters?\b|facilit|\bhall|\bwall\b|utility|\bgrid|\bsite\b|building|data ?cent",
        example="An IT load of 2 MW at a PUE of 1.3 needs {2.6 MW|2.9 MW} at the meter.",
    ),
    relation(
        "pue · PUE",
        "pue|bare = facility / it if facility > it",
        "facility:power|energy it:power|energy",
        r"PUE",
        example="A hall that takes 2.6 MW for 2 MW of servers has a PUE of {1.3|1.5}.",
    ),
    relation(
        "energy · energy over a time",
        "energy = nodes * units * each * pue * use * time",
        "nodes?:nodes units?:units|things each:power pue?:pue use?:utilisation time?:hours|duty",
        rf"{words.BE}|energy|electricity",
        example="A rack that draws 40 kW uses {960 kWh|1,160 kWh} in 24 hours.",
    ),
    relation(
        "energy-pue · energy over a time",
        "energy = it * pue",
        "it:energy pue:pue",
        rf"{words.BE}|PUE",
        outright=r"PUE",
        example="Servers that use 100 MWh in a hall with a PUE of 1.25 need {125 MWh|145 MWh} from the grid.",
    ),
    relation(
        "energy-price · price of energy",
        "money|money_rate|money_each = energy * tariff * pue",
        "energy:energy tariff:tariff pue?:pue",
        words.PAID,
        example="At $0.08 per kWh, 500 MWh cost {$40,000|$48,000}.",
    ),
    relation(
        "power-price · price of energy",
        "money|money_rate = nodes * units * each * pue * use * time * tariff",
        "nodes?:nodes units?:units|things each:power pue?:pue use?:utilisation time?:hours tariff:tariff",
        words.PAID,
        example="A load of 100 kW for a year of 8,760 hours at $0.10 per kWh costs {$87,600|$97,600}.",
    ),
    relation(
        "pue-share · saving by a PUE",
        "share = (before - after) / before if before > after",
        "before:pue after:pue",
        rf"{words.LESS}|PUE",
        outright=words.LESS,
        example="Lowering PUE from 1.5 to 1.2 cuts the facility's power by {20%|30%}.",
    ),
    relation(
        "pue-saving · saving by a PUE",
        "power|energy|money|money_rate = it * (before - after) * time * tariff if before > after",
        "it:power|energy before:pue after:pue time?:hours tariff?:tariff",
        words.LESS,
        example="With an IT load of 10 MW, going from a PUE of 1.5 to 1.2 saves {3 MW|4 MW}.",
    ),
    relation(
        "carbon",
        "carbon = energy * intensity * pue",
        "energy:energy intensity:intensity pue?:pue",
        rf"{words.BE}|emit|emission|carbon|CO2|CO₂",
        example="On a grid of 370 g/kWh, 100 MWh emit {37 tonnes|43 tonnes} of CO2.",
    ),
    relation(
        "carbon-chain · carbon",
        "carbon = units * each * pue * time * intensity",
        "units?:units|things each:power pue?:pue time:hours intensity:intensity",
        rf"{words.BE}|emit|emission|carbon",
        example="A 100 kW load for 100 hours at 400 g/kWh emits {4 tonnes|5 tonnes} of CO2.",
    ),
    # ---- training
    relation(
        "training-flop · training FLOP (6ND)",
        "flop = six * params * tokens",
        "params:params tokens:tokens[trained]",
        rf"{words.BE}|FLOP|6ND|train",
        outright=r"train|6ND|FLOP|comput",
        example="Training a 7B model on 2T tokens takes {8.4e22 FLOP|9.4e22 FLOP}.",
    ),
    relation(
        "flop-hours · GPU-hours from FLOP and MFU",
        "gpuh|hours = flop / peak / use / units",
        "flop:flop units?:units peak:flops use?:mfu",
        rf"{words.BE}|train",
        example="At 40% MFU on GPUs of 989 TFLOPS, a run of 8.4e22 FLOP takes {59,000|69,000} GPU-hours.",
    ),
    relation(
        "mfu · MFU",
        "share = real / peak if real < peak",
        "real:flops peak:flops",
        r"MFU|utili[sz]|of peak|efficien",
        example="Reaching 396 TFLOPS of a peak of 990 TFLOPS is an MFU of {40%|50%}.",
    ),
    # ---- memory
    relation(
        "weights · memory from parameters and bits",
        "bytes = params * bits",
        "params:params bits:bits",
        rf"{words.BE}|memory|weights|VRAM",
        outright=rf"weights|memory|VRAM|needs?|takes?|occup|bits?\b|bytes?|{words.BE}",
        example="At 16 bits a 70B model needs {140 GB|160 GB} for its weights.",
    ),
    relation(
        "kv-cache · KV cache",
        "bytes|kv_each = two * layers * heads * width * bits * tokens * batch * element",
        "layers:layers heads:heads width:bare[dim] bits:bits|bytes tokens?:tokens batch?:things",
        r"KV|cache",
        example="80 layers, 8 KV heads of dimension 128 and 2 bytes: a KV cache of {327,680|427,680} bytes a token.",
    ),
    relation(
        "width · bytes from bits",
        "bits = bits * one",
        "bits:bits",
        r"bytes?\b",
        confirms=True,
        example="A number of 16 bits takes {2 bytes|4 bytes}.",
    ),
    relation(
        "kv-token · KV cache",
        "bytes = two * layers * heads * width * bits * values",
        "layers:layers heads:heads width:bare[dim] bits:bits|bytes",
        r"^(?=.*(?:KV|cache))(?=.*(?:each|per|every|one|a) token)",
    ),
    relation(
        "kv-total · KV cache",
        "bytes = each * tokens * batch",
        "each:kv_each tokens:tokens batch?:things",
        rf"KV|cache|{words.BE}",
        example="At 320 kB per token a context of 32,000 tokens takes {10.24 GB|12.24 GB} of KV cache.",
    ),
    relation(
        "memory-count · memory of a fleet",
        "bytes = units * each",
        "units:units|gpus_each each:bytes",
        rf"{words.BE}|total|together|in all|combined",
        outright=r"total|together|in all|altogether|combined|give|offer|have|hold|pool",
        example="Eight GPUs with 80 GB each have {640 GB|720 GB} in all.",
    ),
    relation(
        "active-share · MoE active share",
        "share = active / whole if active < whole",
        "active:params[active] whole:params",
        r"activ",
        example="Of 671B parameters 37B are active for a token, {5.5%|7.5%}.",
    ),
    loose(
        "part · share of a whole",
        "share = part / whole if part < whole",
        "part:PART|bare whole:PART",
        r"\bof\b|share|fraction|portion|account|make up|utili[sz]|occup|percent|out of",
        outright=r"share of|utili[sz]|occup|accounts? for|makes? up|activ",
        example="Of 400 GPUs 340 were busy, a utilisation of {85%|75%}.",
    ),
    relation(
        "of-whole · share of a whole",
        "amount|money|money_rate|things|tokens|gpus|units|hours|params|power = whole * share",
        "share:share whole:same",
        r"\bof\b|share",
        near=r"\bof\b|share|that is|or\b|=|are\b|is\b",
        confirms=True,
        example="Of 2 million requests a month 30% are cached, that is {600,000|700,000} requests a month.",
    ),
    # ---- downtime
    relation(
        "downtime-year · downtime from nines",
        "hours|duty = (one - up) * year",
        "up:availability|plain_share",
        rf"^(?!.*\b(?:month|day|week|quarter))(?=.*(?:{words.DOWN}))|^(?=.*\b(?:year|annual))(?=.*(?:{words.DOWN}))",
        outright=rf"^(?=.*\b(?:year|annual))(?=.*(?:{words.DOWN}))",
        example="An availability of 99.9% leaves {8.76 hours|9.76 hours} of downtime a year.",
    ),
    relation(
        "downtime-month · downtime from nines",
        "hours|duty = (one - up) * month",
        "up:availability|plain_share",
        rf"^(?=.*\bmonth)(?=.*(?:{words.DOWN}))",
        example="At 99.9% uptime the service may be down for {43.8 minutes|53.8 minutes} a month.",
    ),
    relation(
        "downtime · downtime from nines",
        "hours = (one - up) * time",
        "up:availability|plain_share time:hours",
        words.DOWN,
        example="With 99.5% availability over 30 days, downtime is {3.6 hours|4.6 hours}.",
    ),
    # ---- periods
    loose(
        "over-time · rate over a time",
        "money|tokens|things|energy|hours|gpuh = rate * time",
        "rate:money_rate|speed|rate time:hours",
        words.PAID,
        outright=r"comes? to|total|in all|altogether|over (?:the|a|\w+|\d+)|adds? up|amounts? to|="
        r"|\bfor (?:the|a|\w+|\d+) (?:year|month|week|day|hour)s?|per year|a year",
        example="A bill of $4,500 a month comes to {$54,000|$64,000} over 12 months.",
    ),
    loose(
        "rescaled · rate per another time",
        "money_rate|rent|speed|rate|duty|money = rate * one",
        "rate:money_rate|rent|speed|rate",
        r"a year|per year|yearly|annual|a month|monthly|per month|a day|per day|daily|a week|/yr|/mo|/year"
        r"|/month|/day|an hour|per hour|hourly|per second|/s\b|/h",
        outright=r"or|that is|=|that['’]s|i\.e\.|which is|comes? to|equal|works? out|annuali[sz]ed",
        example="That is 2 million requests a day, or {60 million|70 million} requests a month of 30 days.",
    ),
)
"""Every relation; the total of listed items and written equations are read by their own rules."""


_BRACED = re.compile(r"\{([^{}|]*)\|[^{}|]*\}")
_OTHERS = """\
| total of listed items | Training cost $80 and serving $50, together **$130**. |
| written equation | 64 × 720 × $2.40 = **$110,592** |
"""


def markdown() -> str:
    """The table of relations for the documentation."""
    examples = {one.title: _BRACED.sub(r"**\1**", one.example) for one in reversed(RELATIONS) if one.example}
    titles = dict.fromkeys(one.title for one in RELATIONS if one.example)
    rows = "".join(f"| {title} | {examples[title]} |\n" for title in titles)
    return f"| relation | example |\n|---|---|\n{rows}{_OTHERS}"


if __name__ == "__main__":
    print(markdown(), end="")  # noqa: T201  # prints the table for the docs
