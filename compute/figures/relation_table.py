"""All named relations, as data.

    name · title [flags]
    result = formula if one > other   results of several kinds are joined by `|`; `if` orders two of the roles
    roles: role:kinds role?:kinds     `?` may be missing · `[cue]` words near it · `<cue>` words that one is chosen by
                                      · `@label` what it is of
    words: pattern                    what claims it, in the sentence of the figure
    outright: pattern                 what must be there to refute, in place of `words`
    near: pattern                     what must be right around the figure
    example: text                     the claimed figure is in braces, a wrong one behind it

Lines with one label are read as one. `{NAME}` in a pattern is one of `relation_models`.
"""

from __future__ import annotations

from compute.figures.relation_models import Relation, relation

_RELATIONS = r"""
fall · change by a share [loose, across]
share = (before - after) / before if before > after
roles: before:COMPARED|bare after:COMPARED|bare
words: {LESS}
near: {LESS}
example: The price fell from $8 to $2 per million tokens, a cut of {75%|70%}.

rise · change by a share [loose, across]
share = (after - before) / before if before < after
roles: before:COMPARED|bare after:COMPARED|bare
words: {MORE}
near: {MORE}
example: Rent rose from $2.00 to $2.50 per GPU-hour, an increase of {25%|35%}.

factor · change by a factor [loose, across]
factor|bare = large / small if large > small
roles: large:COMPARED|kv_each|bits|bare small:COMPARED|kv_each|bits|bare
words: \btimes\b|[×x]\b|fold|factor|multipl|ratio|twice|doubl|tripl|thrice|quadrupl|{CHANGE}
words: \bas (?:much|many|fast|expensive|cheap|long)
near: times|[×x]\b|fold|factor|multipl|ratio|twice|doubl|tripl|thrice|quadrupl
example: Output costs $15 and input $3 per million tokens, {5x|6x} as much.

points · percentage points
points = large - small if large > small
roles: large:share|points small:share|points
words: point|pp\b
example: Utilisation went from 45% to 62%, a gain of {17 percentage points|27 percentage points}.

saving · saving of A against B [loose, across]
COSTS = large - small if large > small
roles: large:same small:same
words: {CHANGE}|difference
near: {CHANGE}|difference|worth of
example: The API costs $18,000 a month and our cluster $11,500 a month, a saving of {$6,500|$5,500} a month.

saved-share · saving of A against B [loose, claimed, across]
COSTS = whole * share
roles: share:share whole:same
words: {LESS}|{MORE}|\bof\b|share
outright: \bsav(?:es|ed|ings?)\b|\bcommission|share of
near: {LESS}|\bof\b|extra|premium|more\b|share|account|goes? to|worth
example: A 30% discount on a bill of $40,000 saves {$12,000|$14,000}.

discounted · discount taken off [loose]
COSTS = whole * (one - first) * (one - second) * (one - third)
roles: whole:same first:CUTS second?:CUTS third?:CUTS
words: {LESS}|stack|after|remain|leav|left|half|halv|of list|of the (?:list|full)|batch|cach|spot|reserv|commit
outright: discount|\boff\b|cheaper|less than|\bless\b|sav|reduc|\bcut|lower|\bdrop|fall|below|stack
example: A reserved node is 40% off the list price of $12.00 an hour, so it costs {$7.20|$8.20} an hour.

raised · surcharge put on [loose]
COSTS = whole * (one + share)
roles: whole:same share:share
words: {MORE}|overhead|on top|surcharge|tax|VAT|\bplus\b|mark
outright: premium|more (?:expensive|than)|higher|increase|rise|rose|surcharge|on top|mark-?up|up \d|raise
example: Writes cost 25% more than the $3.00 per million tokens of input, {$3.75|$3.95} per million tokens.

stacked · stacked discounts
share = one - (one - first) * (one - second) * (one - third)
roles: first:CUTS second:CUTS third?:CUTS
words: stack|combin|together|both|compound|on top|all in\b|net of|in (?:total|all)|total|further|additional|overall
words: altogether|then|effective
outright: stack|combin|together|compound|on top of|further|both|then|all in\b|net of
near: ^(?!.*\bof (?:the )?(?:list|full|original|standard|price))
example: A 50% batch discount and a 90% cache discount stack to {95%|98%} off the list price.

remaining · stacked discounts [confirms]
share = (one - first) * (one - second) * (one - third)
roles: first:share second:share third?:share
words: \bof (?:the )?(?:list|full|original|standard|on-demand|price)|remain|left|leav|\bpays?\b
example: With 50% off for batch and 90% off for cache reads we pay {5%|10%} of the list price.

complement · remainder [loose, confirms, alone]
share = one - share
roles: share:share
words: \bother\b|rest\b|remain|left|idle|still|only|leav|balance|non-|cheaper|less|pay|off|discount|complement
near: \b(?:other|remaining|rest|remainder|left|leaving|leaves?|idle|balance)\b
example: Of the traffic 35% is cached and the other {65%|75%} is not.

volume · token volume [claimed, across]
tokens = users * items * each * time
roles: users?:things items:things|units each:tokens|tokens_each time?:hours
words: {BE}|tokens?
outright: {BE}
example: Two million requests a month of 1,200 tokens each are {2.4 billion|2.9 billion} tokens a month.

capacity · throughput over a time [claimed, alone]
tokens = units * speed * time * use
roles: units?:units|things speed:speed time?:hours|duty use?:utilisation
words: {BE}|per day|a day|capacity|throughput
outright: {BE}
example: A node that decodes 2,500 tokens per second produces {216 million|236 million} tokens a day.

bill · token bill [claimed]
BILL = items * tokens * price * time * (one - off)
roles: items?:things|units tokens:tokens|tokens_each price:price time?:hours off?:CUTS
words: {PAID}
example: At $3 per million tokens, 40 million tokens cost {$120|$140}.

two-way-bill · token bill [claimed]
BILL = items * (first * price + second * fee) * time * (one - off)
roles: items?:things|units first:tokens|tokens_each@input price:price|money|money_at@input
roles: second:tokens|tokens_each@output fee:price|money|money_at@output time?:hours off?:CUTS
words: {PAID}
example: 2,000 input tokens at $3 per million and 500 output tokens at $15 per million cost {$0.0135|$0.0165}.

two-part-bill · token bill [claimed, pairs, across]
BILL = items * (first * price + second * fee) * time * (one - off)
roles: items?:things|units first:tokens|tokens_each price:price|money_at second:tokens|tokens_each fee:price|money_at
roles: time?:hours off?:CUTS
words: {PAID}

cached-bill · token bill with cache [claimed]
BILL|price = items * tokens * (hit * read + (one - hit) * price) * time if price > read
roles: items?:things tokens:tokens hit:hit price:price|money_at read:price|money_at@cache_read time?:hours
words: {PAID}
example: At 80% hits, 100 million tokens at $3 per million input and $0.30 per million cached cost {$84|$94}.

item-bill · items at a price each [claimed]
money|money_rate = items * each * time * users * (one - off)
roles: items:things|units|speed each:money_each time?:hours users?:things off?:discount
words: {COST}|revenue|sales|bring|earn|ARR|MRR|{BE}
outright: {COST}|revenue|sales|bring|earn|ARR|MRR
example: Revenue from 4,000 seats at $25 per seat per month is {$100,000|$120,000} a month.

blended · blended price [first, across]
price|money|money_at|rent|money_rate = share * first + (one - share) * second
roles: share:share first:price|money|money_at|rent second:price|money|money_at|rent
words: {BLEND}
outright: blend|averag|weighted
example: With 75% of tokens at $1 per million and the rest at $5 per million, the blended price is {$2|$3} per million
example: tokens.

blended-hit · blended price [across]
price|money|money_at = hit * read + (one - hit) * fresh
roles: hit:hit read:price|money|money_at[cached] fresh:price|money|money_at
words: {BLEND}
example: At an 80% hit rate, with cached tokens at $0.30 per million tokens and fresh ones at $3.00 per million tokens,
example: the effective price is {$0.84|$1.14} per million tokens.

gpu-hours · GPU-hours [claimed]
gpuh = nodes * units * time * duty * use
roles: nodes?:nodes units:units|gpus|gpus_each time:hours duty?:duty use?:utilisation
words: {BE}
example: 64 H100s for 30 days are {46,080|51,080} GPU-hours.

rent [claimed]
money|money_rate = nodes * units * rate * time * duty * (one - off)
roles: nodes?:nodes units?:units|things|gpus_each rate:rent time?:hours duty?:duty off?:discount
words: {PAID}
outright: {COST}
example: Eight nodes at $12 an hour for 100 hours cost {$9,600|$8,600}.

hours-bill · rent [claimed]
money = hours * rate * (one - off)
roles: hours:gpuh rate:rent off?:discount
words: {PAID}
example: At $2.40 per GPU-hour, 46,080 GPU-hours cost {$110,592|$120,592}.

unit-cost · cost per unit [loose]
price|money_each|rent|money_rate|tariff|money_per = total / units / time
roles: total:money|money_rate units:tokens|things|gpuh|energy|units|hours time?:hours
words: {COST}|\bper\b|each|apiece|unit
outright: \bper\b|each|apiece|works? out|unit cost
example: The month cost $7,200 for 2.4 billion tokens, that is {$3.00|$3.60} per million tokens.

token-cost · cost per token from rent and throughput
price|money = units * rate / speed / use * work
roles: units?:units rate:rent speed:speed use?:utilisation work?:tokens
words: {COST}|\bper\b|cost
outright: million|\btoken
example: A node at $18 an hour that serves 2,500 tokens per second costs {$2.00|$2.60} per million tokens.

useful-hours · useful hours at a utilisation
hours|gpuh|duty = units * time * use
roles: units?:units time:hours|gpuh|duty use:utilisation
words: useful|productive|busy|effective|work|used|actual|real|utili[sz]
example: At 60% utilisation 46,000 GPU-hours hold {27,600|29,900} useful GPU-hours.

idle-hours · useful hours at a utilisation
hours|gpuh|duty|money = units * time * (one - use)
roles: units?:units time:hours|gpuh|duty|money use:utilisation
words: idle|wast|unused|empty|lost|nothing
outright: idle|wast|unused
example: At 60% utilisation 46,000 GPU-hours leave {18,400|16,100} GPU-hours idle.

break-even-use · break-even utilisation
share = own / rented / time if own < rented
roles: own:rent|money_rate|money|unit_price rented:rent|money_rate|money|unit_price time?:hours
words: {EVEN}|cheaper (?:once|above|when|as soon)|pays? off|wins? (?:above|once|when)|tip
example: An own GPU costs $1.20 an hour, the cloud $2.00 an hour, so break-even utilisation is {60%|70%}.

break-even-volume · break-even volume
tokens|things|speed|gpuh = fixed / price
roles: fixed:money|money_rate price:price|money_each|money_at|rent less?:price|money_each[cost]
words: {EVEN}|pays? (?:off|for itself)|cheaper (?:once|above|when|beyond)|crossover|cover|cost the same|same cost
words: crosses|equal|level with|match|before it beats?|beat\b
outright: {EVEN}|crossover|cost the same
example: At $6,000 a month against $3 per million tokens, break-even is {2 billion|3 billion} tokens a month.

break-even-margin · break-even volume
tokens|things|speed = fixed / (price - cost) if price > cost
roles: fixed:money|money_rate price:price|money_each cost:price|money_each
words: {EVEN}|pays? (?:off|for itself)|cover
example: With fixed costs of $50,000 a month, a price of $0.05 per request and a cost of $0.03 per request, break-even
example: is {2.5 million requests|3.5 million requests} a month.

payback
hours = units * capital / saved
roles: units?:units capital:money|money_each saved:money_rate
words: {BACK}|earn(?:s|ed)? (?:back|itself)
example: A $240,000 server that saves $10,000 a month pays back in {24 months|30 months}.

net-payback · payback
hours = units * capital / (gain - cost) if gain > cost
roles: units?:units capital:money|money_each gain:money_rate cost:money_rate
words: {BACK}
example: A $900,000 cluster saves $60,000 a month, costs $15,000 a month and pays back in {20|15} months.

gross-profit · gross profit
PRICES = units * (revenue - cost - second - third) if revenue > cost
roles: revenue:same<revenue> cost:same[cost] second?:same third?:same units?:units|things
words: profit|contribution|keep|net\b|margin of|leav|left
outright: profit|contribution
example: Revenue was $4.2 million and compute cost $1.3 million, a gross profit of {$2.9|$3.1} million.

gross-margin · gross margin
share = (revenue - cost - second) / revenue if revenue > cost
roles: revenue:PRICES|money_at|rent<revenue> cost:PRICES|money_at|rent[cost] second?:PRICES
words: margin
example: Revenue of $4.0 million with compute costs of $1.2 million is a gross margin of {70%|75%}.

profit-margin · gross margin
share = profit / revenue if profit < revenue
roles: profit:PRICES[profit] revenue:PRICES
words: margin
example: A gross profit of $2.8 million on sales of $4.0 million is a margin of {70%|75%}.

depreciation · depreciation by year
money_rate|money|rent = units * (capital - rest) / life if capital > rest
roles: units?:units capital:money|money_each rest?:money|money_each[salvage] life:hours|age
words: {WRITTEN_OFF}|over (?:\w+|\d+) years|a year|per year
outright: {WRITTEN_OFF}
example: A $30,000 GPU written off over four years depreciates by {$7,500|$8,500} a year.

book-value · depreciation by year
money = units * capital * (one - age / life) if age < life
roles: units?:units capital:money|money_each life:hours age:age|hours
words: book value|carrying (?:value|amount)|net book|undepreciated|residual
example: A $32,000 GPU is written down over four years and has a book value of {$8,000|$24,000} after 3 years.

power · power of a fleet [claimed]
power = nodes * units * each * pue * use
roles: nodes?:nodes units:units|things each:power pue?:pue use?:utilisation
words: {BE}
example: 512 GPUs of 700 W each draw {358.4 kW|398.4 kW}.

facility-power · power with PUE [claimed]
power = it * pue * use
roles: it:power pue:pue use?:utilisation
words: {BE}|PUE
outright: PUE|\bmeters?\b|facilit|\bhall|\bwall\b|utility|\bgrid|\bsite\b|building|data ?cent
example: An IT load of 2 MW at a PUE of 1.3 needs {2.6 MW|2.9 MW} at the meter.

pue · PUE
pue|bare = facility / it if facility > it
roles: facility:power|energy it:power|energy
words: PUE
example: A hall that takes 2.6 MW for 2 MW of servers has a PUE of {1.3|1.5}.

energy · energy over a time [claimed]
energy = nodes * units * each * pue * use * time
roles: nodes?:nodes units?:units|things each:power pue?:pue use?:utilisation time?:hours|duty
words: {BE}|energy|electricity
example: A rack that draws 40 kW uses {960 kWh|1,160 kWh} in 24 hours.

energy-pue · energy over a time [claimed]
energy = it * pue
roles: it:energy pue:pue
words: {BE}|PUE
outright: PUE
example: Servers that use 100 MWh in a hall with a PUE of 1.25 need {125 MWh|145 MWh} from the grid.

energy-price · price of energy [claimed]
money|money_rate|money_each = energy * tariff * pue
roles: energy:energy tariff:tariff pue?:pue
words: {PAID}
example: At $0.08 per kWh, 500 MWh cost {$40,000|$48,000}.

power-price · price of energy [claimed]
money|money_rate = nodes * units * each * pue * use * time * tariff
roles: nodes?:nodes units?:units|things each:power pue?:pue use?:utilisation time?:hours tariff:tariff
words: {PAID}
example: A load of 100 kW for a year of 8,760 hours at $0.10 per kWh costs {$87,600|$97,600}.

pue-share · saving by a PUE
share = (before - after) / before if before > after
roles: before:pue after:pue
words: {LESS}|PUE
outright: {LESS}
example: Lowering PUE from 1.5 to 1.2 cuts the facility's power by {20%|30%}.

pue-saving · saving by a PUE
power|energy|money|money_rate = it * (before - after) * time * tariff if before > after
roles: it:power|energy before:pue after:pue time?:hours tariff?:tariff
words: {LESS}
example: With an IT load of 10 MW, going from a PUE of 1.5 to 1.2 saves {3 MW|4 MW}.

carbon [claimed]
carbon = energy * intensity * pue
roles: energy:energy intensity:intensity pue?:pue
words: {BE}|emit|emission|carbon|CO2|CO₂
example: On a grid of 370 g/kWh, 100 MWh emit {37 tonnes|43 tonnes} of CO2.

carbon-chain · carbon [claimed]
carbon = units * each * pue * time * intensity
roles: units?:units|things each:power pue?:pue time:hours intensity:intensity
words: {BE}|emit|emission|carbon
example: A 100 kW load for 100 hours at 400 g/kWh emits {4 tonnes|5 tonnes} of CO2.

training-flop · training FLOP (6ND) [claimed]
flop = six * params * tokens
roles: params:params tokens:tokens[trained]
words: {BE}|FLOP|6ND|train
outright: train|6ND|FLOP|comput
example: Training a 7B model on 2T tokens takes {8.4e22 FLOP|9.4e22 FLOP}.

flop-hours · GPU-hours from FLOP and MFU [claimed]
gpuh|hours = flop / peak / use / units
roles: flop:flop units?:units peak:flops use?:mfu
words: {BE}|train
example: At 40% MFU on GPUs of 989 TFLOPS, a run of 8.4e22 FLOP takes {59,000|69,000} GPU-hours.

mfu · MFU
share = real / peak if real < peak
roles: real:flops peak:flops
words: MFU|utili[sz]|of peak|efficien
example: Reaching 396 TFLOPS of a peak of 990 TFLOPS is an MFU of {40%|50%}.

weights · memory from parameters and bits [claimed]
bytes = params * bits
roles: params:params bits:bits
words: {BE}|memory|weights|VRAM
outright: weights|memory|VRAM|needs?|takes?|occup|bits?\b|bytes?|{BE}
example: At 16 bits a 70B model needs {140 GB|160 GB} for its weights.

kv-cache · KV cache [claimed]
bytes|kv_each = two * layers * heads * width * bits * tokens * batch * element
roles: layers:layers heads:heads width:bare[dim] bits:bits|bytes tokens?:tokens batch?:things
words: KV|cache
example: 80 layers, 8 KV heads of dimension 128 and 2 bytes: a KV cache of {327,680|427,680} bytes a token.

width · bytes from bits [confirms, alone]
bits = bits * one
roles: bits:bits
words: bytes?\b
example: A number of 16 bits takes {2 bytes|4 bytes}.

kv-token · KV cache
bytes = two * layers * heads * width * bits * values
roles: layers:layers heads:heads width:bare[dim] bits:bits|bytes
words: ^(?=.*(?:KV|cache))(?=.*(?:each|per|every|one|a) token)

kv-total · KV cache [claimed]
bytes = each * tokens * batch
roles: each:kv_each tokens:tokens batch?:things
words: KV|cache|{BE}
example: At 320 kB per token a context of 32,000 tokens takes {10.24 GB|12.24 GB} of KV cache.

memory-count · memory of a fleet [claimed]
bytes = units * each
roles: units:units|gpus_each each:bytes
words: {BE}|total|together|in all|combined
outright: total|together|in all|altogether|combined|give|offer|have|hold|pool
example: Eight GPUs with 80 GB each have {640 GB|720 GB} in all.

active-share · MoE active share
share = active / whole if active < whole
roles: active:params[active] whole:params
words: activ
example: Of 671B parameters 37B are active for a token, {5.5%|7.5%}.

part · share of a whole [loose]
share = part / whole if part < whole
roles: part:PART|bare whole:PART
words: \bof\b|share|fraction|portion|account|make up|utili[sz]|occup|percent|out of
outright: share of|utili[sz]|occup|accounts? for|makes? up|activ
example: Of 400 GPUs 340 were busy, a utilisation of {85%|75%}.

of-whole · share of a whole [confirms]
amount|money|money_rate|things|tokens|gpus|units|hours|params|power = whole * share
roles: share:share whole:same
words: \bof\b|share
near: \bof\b|share|that is|or\b|=|are\b|is\b
example: Of 2 million requests a month 30% are cached, that is {600,000|700,000} requests a month.

downtime-year · downtime from nines [alone]
hours|duty = (one - up) * year
roles: up:availability|plain_share
words: ^(?!.*\b(?:month|day|week|quarter))(?=.*(?:{DOWN}))|^(?=.*\b(?:year|annual))(?=.*(?:{DOWN}))
outright: ^(?=.*\b(?:year|annual))(?=.*(?:{DOWN}))
example: An availability of 99.9% leaves {8.76 hours|9.76 hours} of downtime a year.

downtime-month · downtime from nines [alone]
hours|duty = (one - up) * month
roles: up:availability|plain_share
words: ^(?=.*\bmonth)(?=.*(?:{DOWN}))
example: At 99.9% uptime the service may be down for {43.8 minutes|53.8 minutes} a month.

downtime · downtime from nines
hours = (one - up) * time
roles: up:availability|plain_share time:hours
words: {DOWN}
example: With 99.5% availability over 30 days, downtime is {3.6 hours|4.6 hours}.

over-time · rate over a time [loose, claimed]
money|tokens|things|energy|hours|gpuh = rate * time
roles: rate:money_rate|speed|rate time:hours
words: {PAID}
outright: comes? to|total|in all|altogether|over (?:the|a|\w+|\d+)|adds? up|amounts? to|=
outright: \bfor (?:the|a|\w+|\d+) (?:year|month|week|day|hour)s?|per year|a year
example: A bill of $4,500 a month comes to {$54,000|$64,000} over 12 months.

rescaled · rate per another time [loose, claimed, alone]
money_rate|rent|speed|rate|duty|money = rate * one
roles: rate:money_rate|rent|speed|rate
words: a year|per year|yearly|annual|a month|monthly|per month|a day|per day|daily|a week|/yr|/mo|/year|/month|/day
words: an hour|per hour|hourly|per second|/s\b|/h
outright: or|that is|=|that['’]s|i\.e\.|which is|comes? to|equal|works? out|annuali[sz]ed
example: That is 2 million requests a day, or {60 million|70 million} requests a month of 30 days.
"""
RELATIONS: tuple[Relation, ...] = tuple(map(relation, _RELATIONS.strip().split("\n\n")))
"""Every relation, but for totals of listed items and written equations."""
