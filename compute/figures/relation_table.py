"""All named relations, as data.

    name · title [flags]
    result = formula if one > other   results of several kinds are joined by `|`; `if` orders two of the roles
    roles: role:kinds role?:kinds     `?` may be missing · `[cue]` words near it · `<cue>` words that one is chosen by
                                      · `@label` what it is of
    words: pattern                    what claims it, in the sentence of the figure
    outright: pattern                 what must be there to refute, in place of `words`
    near: pattern                     what must be right around the figure

Lines with one label are read as one. `{NAME}` in a pattern is one of `relation_models`. Examples are in
tests/compute/figures_texts.yaml.
"""

from __future__ import annotations

from compute.figures.relation_models import Relation, relation

_RELATIONS = r"""
fall · change by a share [loose, across]
share = (before - after) / before if before > after
roles: before:COMPARED|bare after:COMPARED|bare
words: {LESS}|\bfrom\b
near: {LESS}|\bfrom\b.*\bto\b

rise · change by a share [loose, across]
share = (after - before) / before if after > before
roles: before:COMPARED|bare after:COMPARED|bare
words: {MORE}|\bfrom\b
near: {MORE}|\bfrom\b.*\bto\b

factor · change by a factor [loose, across]
factor|bare = large / small if large > small
roles: large:COMPARED|kv_each|bits|bare small:COMPARED|kv_each|bits|bare
words: \btimes\b|[×x]\b|fold|factor|multipl|ratio|twice|doubl|tripl|thrice|quadrupl|{CHANGE}
words: \bas (?:much|many|fast|expensive|cheap|long)
near: times|[×x]\b|fold|factor|multipl|ratio|twice|doubl|tripl|thrice|quadrupl

points · percentage points
points = large - small if large > small
roles: large:share|points small:share|points
words: point|pp\b

saving · saving of A against B [loose, across]
COSTS = large - small if large > small
roles: large:same small:same
words: {CHANGE}|difference
near: {CHANGE}|difference|worth of

saved-share · saving of A against B [loose, claimed, across]
COSTS = whole * share
roles: share:share whole:same
words: {LESS}|{MORE}|\bof\b|share|profit|margin|revenue
outright: \bsav(?:es|ed|ings?)\b|\bcommission|share of|gross margin of.* (?:is|gives|leaves|means) a gross profit
near: {LESS}|\bof\b|gross profit|extra|premium|more\b|share|account|goes? to|worth

discounted · discount taken off [loose]
COSTS = whole * (one - first) * (one - second) * (one - third)
roles: whole:same first:CUTS second?:CUTS third?:CUTS
words: {LESS}|stack|after|remain|leav|left|half|halv|of list|of the (?:list|full)|batch|cach|spot|reserv|commit
outright: discount|\boff\b|cheaper|less than|\bless\b|sav|reduc|\bcut|lower|\bdrop|fall|below|stack

raised · surcharge put on [loose]
COSTS = whole * (one + share)
roles: whole:same share:plain_share|discount|keeps|hit|availability|idle
words: {MORE}|overhead|on top|surcharge|tax|VAT|\bplus\b|mark
outright: grew \S+% from [$€£]|premium|more (?:expensive|than)|higher|increas|r[io]se|surcharge|on top|mark-?up|up \d

stacked · stacked discounts
share = one - (one - first) * (one - second) * (one - third)
roles: first:CUTS second:CUTS third?:CUTS
words: stack|combin|together|both|compound|on top|all in\b|net of|in all|total|further|additional|overall|then|effective
outright: stack|combin|together|compound|on top of|further|both|then|all in\b|net of
near: ^(?!.*\bof (?:the )?(?:list|full|original|standard|price))

remaining · stacked discounts [confirms]
share = (one - first) * (one - second) * (one - third)
roles: first:share second:share third?:share
words: \bof (?:the )?(?:list|full|original|standard|on-demand|price)|remain|left|leav|\bpays?\b

complement · remainder [loose, confirms, alone]
share = one - share
roles: share:share
words: \bother\b|rest\b|remain|left|idle|still|only|leav|balance|non-|cheaper|less|pay|off|discount|complement
near: \b(?:other|remaining|rest|remainder|left|leaving|leaves?|idle|balance)\b

volume · token volume [claimed, across]
tokens = users * items * each * time
roles: users?:things items:things|units each:tokens|tokens_each time?:hours
words: {BE}|tokens?
outright: {BE}

capacity · throughput over a time [claimed, alone]
tokens = units * speed * time * use
roles: units?:units|things speed:speed time?:hours|duty use?:utilisation
words: {BE}|per day|a day|capacity|throughput
outright: {BE}

bill · token bill [claimed]
BILL = items * tokens * price * time * (one - off)
roles: items?:things|units tokens:tokens|tokens_each price:price time?:hours off?:CUTS
words: {PAID}

two-way-bill · token bill [claimed]
BILL = items * (first * price + second * fee) * time * (one - off)
roles: items?:things|units first:tokens|tokens_each@input price:price|money|money_at@input
roles: second:tokens|tokens_each@output fee:price|money|money_at@output time?:hours off?:CUTS
words: {PAID}

two-part-bill · token bill [claimed, pairs, across]
BILL = items * (first * price + second * fee) * time * (one - off)
roles: items?:things|units first:tokens|tokens_each price:price|money_at second:tokens|tokens_each fee:price|money_at
roles: time?:hours off?:CUTS
words: {PAID}

cached-bill · token bill with cache [claimed]
BILL|price = items * tokens * (hit * read + (one - hit) * price) * time if price > read
roles: items?:things tokens:tokens hit:hit price:price|money_at read:price|money_at@cache_read time?:hours
words: {PAID}

item-bill · items at a price each [claimed]
money|money_rate = items * each * time * users * (one - off)
roles: items:things|units|speed each:money_each time?:hours users?:things off?:discount
words: {COST}|revenue|sales|bring|earn|ARR|MRR|{BE}
outright: {COST}|revenue|sales|bring|earn|ARR|MRR

blended · blended price [first, across]
price|money|money_at|rent|money_rate = share * first + (one - share) * second
roles: share:share first:price|money|money_at|rent second:price|money|money_at|rent
words: {BLEND}
outright: blend|averag|weighted

blended-hit · blended price [across]
price|money|money_at = hit * read + (one - hit) * fresh
roles: hit:hit read:price|money|money_at[cached] fresh:price|money|money_at
words: {BLEND}

gpu-hours · GPU-hours [claimed]
gpuh = nodes * units * time * duty * use
roles: nodes?:nodes units:units|gpus|gpus_each time:hours duty?:duty use?:utilisation
words: {BE}

rent · cost at a rate [claimed]
money|money_rate = nodes * units * rate * time * duty * (one - off)
roles: nodes?:nodes units?:units|things|gpus_each rate:rent time?:hours duty?:duty off?:discount
words: {PAID}
outright: {COST}

hours-bill · cost at a rate [claimed]
money = hours * rate * (one - off)
roles: hours:gpuh rate:rent off?:discount
words: {PAID}

unit-cost · cost per unit [loose]
price|money_each|rent|money_rate|tariff|money_per = total / units / time
roles: total:money|money_rate units:tokens|things|gpuh|energy|units|hours time?:hours
words: {COST}|\bper\b|each|apiece|unit
outright: \bper\b|each|apiece|works? out|unit cost

token-cost · cost per token from rent and throughput
price|money = units * rate / speed / use * work
roles: units?:units rate:rent speed:speed use?:utilisation work?:tokens
words: {COST}|\bper\b|cost
outright: million|\btoken

useful-hours · useful hours at a utilisation
hours|gpuh|duty = units * time * use
roles: units?:units time:hours|gpuh|duty use:utilisation
words: useful|productive|busy|effective|work|used|actual|real|utili[sz]

useful-cost · useful hours at a utilisation
rent|money_rate = rate / use
roles: rate:rent use:utilisation
near: ^(?!.*\b(?:sold|sells?|earn|charg|price)).*(?:useful|busy|productive|effective|utili[sz]ed) (?:GPU[- ])?hour

idle-hours · useful hours at a utilisation
hours|gpuh|duty|money = units * time * (one - use)
roles: units?:units time:hours|gpuh|duty|money use:utilisation
words: idle|wast|unused|empty|lost|nothing
outright: idle|wast|unused

break-even-use · break-even utilisation
share = own / rented / time if rented > own
roles: own:rent|money_rate|money|unit_price rented:rent|money_rate|money|unit_price time?:hours
words: {EVEN}|cheaper (?:once|above|when|as soon)|pays? off|wins? (?:above|once|when)|tip

break-even-volume · break-even volume
tokens|things|speed|gpuh = fixed / (price - cost) if price > cost
roles: fixed:money|money_rate price:price|money_each|money_at|rent cost?:price|money_each[cost]
words: {EVEN}|pays? (?:off|for itself)|cheaper (?:once|above|when|beyond)|crossover|cover|cost the same|same cost
words: crosses|equal|level with|match|before it beats?|beat\b
outright: {EVEN}|crossover|cost the same

payback
hours|age = units * capital / (saved - cost) if saved > cost
roles: units?:units capital:money|money_each saved:money_rate cost?:money_rate
words: {BACK}|earn(?:s|ed)? (?:back|itself)|\bsaves\b
outright: {BACK}|earn(?:s|ed)? (?:back|itself)

gross-profit · gross profit
PRICES = units * (revenue - cost - second - third) if revenue > cost
roles: revenue:same<revenue> cost:same[cost] second?:same third?:same units?:units|things
words: profit|contribution|keep|net\b(?! of\b)|margin of|leav|left
outright: profit|contribution
near: profit|contribution|keep|net\b|margin of|leav|left

gross-margin · gross margin
share = (revenue - cost - second) / revenue if revenue > cost
roles: revenue:PRICES|money_at|rent<revenue> cost:PRICES|money_at|rent[cost] second?:PRICES
words: margin
outright: (?<!operating )(?<!net )(?<!EBITDA )margin

profit-margin · gross margin
share = profit / revenue if revenue > profit
roles: profit:PRICES[profit] revenue:PRICES
words: margin

depreciation · depreciation by year
money_rate|money|rent = units * (capital - rest) / life if capital > rest
roles: units?:units capital:money|money_each rest?:money|money_each[salvage] life:hours|age
words: {WRITTEN_OFF}|over (?:\w+|\d+) years|a year|per year
outright: {WRITTEN_OFF}

book-value · depreciation by year
money = units * capital * (one - age / life) if life > age
roles: units?:units capital:money|money_each life:hours age:age|hours
words: book value|carrying (?:value|amount)|net book|undepreciated|residual

power · power of a fleet [claimed]
power = nodes * units * each * pue * use
roles: nodes?:nodes units:units|things each:power pue?:pue use?:utilisation
words: {BE}

facility-power · power with PUE [claimed]
power|energy = it * pue * use
roles: it:power|energy pue:pue use?:utilisation
words: {BE}|PUE
outright: PUE|\bmeters?\b|facilit|\bhall|\bwall\b|utility|\bgrid|\bsite\b|building|data ?cent

pue · PUE
pue|bare = facility / it if facility > it
roles: facility:power|energy it:power|energy
words: PUE

energy · energy over a time [claimed]
energy = nodes * units * each * pue * use * time
roles: nodes?:nodes units?:units|things each:power pue?:pue use?:utilisation time?:hours|duty
words: {BE}|energy|electricity

energy-price · price of energy [claimed]
money|money_rate|money_each = nodes * units * each * pue * use * time * tariff
roles: nodes?:nodes units?:units|things each:energy|power pue?:pue use?:utilisation time?:hours tariff:tariff
words: {PAID}

pue-share · saving by a PUE
share = (before - after) / before if before > after
roles: before:pue after:pue
words: {LESS}|PUE
outright: {LESS}

pue-saving · saving by a PUE
power|energy|money|money_rate = it * (before - after) * time * tariff if before > after
roles: it:power|energy before:pue after:pue time?:hours tariff?:tariff
words: {LESS}

carbon [claimed]
carbon = units * each * pue * time * intensity
roles: units?:units|things each:energy|power pue?:pue time?:hours intensity:intensity
words: {BE}|emit|emission|carbon|CO2|CO₂

training-flop · training FLOP (6ND) [claimed]
flop = six * params * tokens
roles: params:params tokens:tokens[trained]
words: {BE}|FLOP|6ND|train
outright: train|6ND|FLOP|comput

flop-hours · GPU-hours from FLOP and MFU [claimed]
gpuh|hours = flop / peak / use / units
roles: flop:flop units?:units peak:flops use?:mfu
words: {BE}|train

mfu · MFU
share = real / peak if peak > real
roles: real:flops peak:flops
words: MFU|utili[sz]|of peak|efficien

weights · memory from parameters and bits [claimed]
bytes = params * bits
roles: params:params bits:bits|format
words: {BE}|memory|weights|VRAM
outright: ^(?!.*(?:{BESIDES}))(?=.*(?:{BE}))

kv-cache · KV cache [claimed]
bytes|kv_each = two * layers * heads * width * bits * tokens * batch * element
roles: layers:layers heads:heads width:bare[dim] bits:bits|bytes tokens?:tokens batch?:things
words: KV|cache

width · bytes from bits [confirms, alone]
bits = bits * one
roles: bits:bits
words: bytes?\b

kv-token · KV cache
bytes = two * layers * heads * width * bits * values
roles: layers:layers heads:heads width:bare[dim] bits:bits|bytes
words: ^(?=.*(?:KV|cache))(?=.*(?:each|per|every|one|a) token)

kv-total · KV cache [claimed]
bytes = each * tokens * batch
roles: each:kv_each tokens:tokens batch?:things
words: KV|cache|{BE}

memory-count · memory of a fleet [claimed]
bytes = units * each
roles: units:units|gpus_each each:bytes
words: {BE}|total|together|in all|combined
outright: total|together|in all|altogether|combined|give|offer|have|hold|pool

active-share · MoE active share
share = active / whole if whole > active
roles: active:params[active] whole:params
words: activ

part · share of a whole [loose]
share = part / whole if whole > part
roles: part:PART|bare whole:PART
words: \bof\b|share|fraction|portion|account|make up|utili[sz]|occup|percent|out of
outright: share of|^(?!.*useful hour).*utili[sz]|occup|accounts? for|makes? up|activ

of-whole · share of a whole [confirms]
amount|money|money_rate|things|tokens|gpus|units|hours|params|power = whole * share
roles: share:share whole:same
words: \bof\b|share
near: \bof\b|share|that is|or\b|=|are\b|is\b

downtime-year · downtime from nines [alone]
hours|duty = (one - up) * year
roles: up:availability|plain_share
words: ^(?!.*\b(?:month|day|week|quarter))(?=.*(?:{DOWN}))|^(?=.*\b(?:year|annual))(?=.*(?:{DOWN}))
outright: ^(?=.*\b(?:year|annual))(?=.*(?:{DOWN}))

downtime-month · downtime from nines [alone]
hours|duty = (one - up) * month
roles: up:availability|plain_share
words: ^(?=.*\bmonth)(?=.*(?:{DOWN}))

downtime · downtime from nines
hours = (one - up) * time
roles: up:availability|plain_share time:hours
words: {DOWN}

duration · throughput over a time
hours = tokens / speed
roles: tokens:tokens speed:speed
words: \btakes?\b|\btook\b|\blasts?\b|\bin\b|\bis\b
outright: ^(?!.*(?:{LATE}))(?=.*\b(?:takes?|lasts?)\b)
near: ^\s*(?:[\w-]+ ){0,6}?(?:takes?|took|lasts?|in|is)\s+\S

over-time · rate over a time [loose, claimed]
money|tokens|things|energy|hours|gpuh = rate * time
roles: rate:money_rate|speed|rate time:hours
words: {PAID}
outright: comes? to|total|in all|altogether|over (?:the|a|\w+|\d+)|adds? up|amounts? to|=
outright: \bfor (?:the|a|\w+|\d+) (?:year|month|week|day|hour)s?|per year|a year

rescaled · rate per another time [loose, claimed, alone]
money_rate|rent|speed|rate|duty|money = rate * one
roles: rate:money_rate|rent|speed|rate
words: (?:an?|per) (?:year|month|day|hour)|a week|yearly|annual|monthly|daily|hourly|per second|/(?:y|mo|day|h|s\b)
outright: or|that is|=|that['’]s|i\.e\.|which is|comes? to|equal|works? out|annuali[sz]ed
"""
RELATIONS: tuple[Relation, ...] = tuple(map(relation, _RELATIONS.strip().split("\n\n")))
"""Every relation, but for totals of listed items and written equations."""
