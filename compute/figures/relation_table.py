"""All named relations, as one table: roles, formula, the words that claim them, and an example each.

Roles are written `name:kinds`, with `?` if they may be missing, `[cue]` for words that must be beside the figure, and
`@label` for what it is of. In an example the figure in braces is the one that is claimed, with a wrong one behind it.
"""

from __future__ import annotations

import re
from typing import Any

from compute.figures.number_words import word_set
from compute.figures.relation_models import Relation, Role

_CUES = {
    "revenue": r"revenue|sales|\bARR\b|\bMRR\b|earn|income|turnover|charg|bills?\b|sells?\b|sold|price[ds]?\b|bring"
    r"|takes? in|collect|customers? pay|list\b|top line",
    "cost": r"cost|spen[dt]|\bpa(?:y|id|ys)\b|COGS|compute|serv|infrastructure|inference|hosting|expens|GPUs?\b",
    "capex": r"cost|price|bought|buy|purchas|capex|capital|invest|pa(?:y|id)|server|cluster|hardware|upfront"
    r"|up front|outlay|node|rack|machine|build|migrat|spen[dt]|engineer|fine-tun|train",
    "saving": r"sav|less|lower|cut|profit|margin|net|cash|free|avoid|benefit|contribut|earn|return",
    "salvage": r"salvage|worth|resid|resale|resell|sell|sold|scrap|recover",
    "before": r"from|was\b|were\b|before|previous|earlier|instead of|rather than|down from|up from|old|against"
    r"|versus|vs|than|compared|originally|used to|list|last (?:year|month|quarter)",
    "active": r"activ",
    "trained": r"train|saw|seen|sees|corpus|data|on\b|over|read|pass|budget|for\b|through",
    "ratio": r"to\b",
    "peak": r"peak|spec|rated|dense|theoretical|max|of which|of a possible|capable|datasheet|hardware|offers"
    r"|deliver",
    "facility": r"facilit|hall|site|meter|building|total|data ?cent|grid|overall|wall",
    "it": r"\bIT\b|servers?|GPUs?|chips|racks?|compute|load|equipment|itself",
    "fixed": r"fixed|month|flat|server|node|cluster|reserved|commit|rent|hosting|dedicated|subscription|platform"
    r"|GPU|own|self",
    "input": r"input|prompt|\bin\b|read|sent|sends?\b",
    "output": r"output|completion|\bout\b|writ|back|returns?\b|generat|answer|repl|respon",
    "cached": r"cach|hit",
    "written": r"cache writ|written to (?:the )?cache",
    "life": r"over|life|years?\b|month|deprec|amorti|schedule|horizon|term",
    "first": r"input|prompt|cheap|small|first",
    "layers": r"layer",
    "new": r"\bto\b|now|after|new|today|current|at\b",
    "profit": r"profit|keep|contribution",
    "dim": r"dimension|\bdim\b|head[_ ]size|head size|wide|width",
}
_CLAIMED = word_set("""
    volume bill two-way-bill two-part-bill cached-bill item-bill gpu-hours rent hours-bill power
    facility-power energy energy-pue energy-price power-price carbon carbon-chain training-flop flop-hours
    weights kv-total kv-cache memory-count over-time capacity
    rescaled saved-share
    """)
"""Products, which only a verb between the inputs and the figure claims; the others are named by their words."""
_ROLE = re.compile(
    r"(?P<name>\w+)(?P<optional>\?)?:(?P<kinds>[\w|]+)(?:\[(?P<cue>\w+)\])?(?:@(?P<label>\w+))?"
    r"(?:<(?P<prefer>\w+)>)?"
)
_COST = (
    r":\s|\bdamage|\bcosts?\b|\bbill|\brent|\bspen[dt]|\bpa(?:y|id|ys|ying)\b|\bcomes? to|\bcame to"
    r"|\bruns? (?:to|at|you|us|about)|total|invoice|charge|\bprice|budget|=|\bfor \$|\bis \$|\bare \$"
    r"|\bor \$|\bthat is|that['’]s|\bmak(?:es|ing)\b|works? out|adds? up|\bwould be|\bsum\b|bring|burn"
    r"|amounts? to|\bexpens|\bneed|worth|\bmeans|owe"
)
_BE = (
    r":\s|\bbudget|\bis\b|\bare\b|\bwas\b|\bwere\b|\bbe\b|comes? to|came to|makes?\b|making|that['’]s"
    r"|\bor\b|=|gives?|giving|equals?|amounts? to|works? out|total|needs?|uses?|used|draws?|drew|pulls?"
    r"|consum|burns?|\btakes?\b|took|takes up|means|deliver|provide|produce|adds? up|buys?|bought|yield"
    r"|generat|process|send|cost|runs?|ran|\bspen[dt]|accrue|add|so\b|do(?:es)?\b|perform|leav|requir"
    r"|\bfor\b|occup|logg|bill|reach|ha(?:s|ve) to|carr(?:y|ies)|demand|suppl"
)
_SO = (
    r"\bis\b|\bare\b|\bwas\b|\bwere\b|\bcomes? to|\bcame to|\bmak(?:es?|ing)\b|that['’]s|\bor\b|="
    r"|\bgiv(?:es?|ing)\b|\bequals?|amounts? to|works? out|\btotal|\bmeans|adds? up|\bcosts?|\bneeds?"
    r"|requir|\btakes?\b|\btook\b|\bdraws?\b|\bdrew\b|\bpulls?\b|consum|burns?|yield|\bso\b|i\.e|\buses\b"
    r"|\bemits?|produces?|delivers?|serves?|generates?|\bruns? (?:to|at)|\bbills?\b|spend|invoice|charge"
    r"|\bpa(?:y|id|ys)\b|commits?|:|—|–|\(|\bleav(?:es?|ing)|\bhave\b|\bhas\b|\bin all\b|\bbe\b|\bbuys\b"
    r"|\bholds?\b|occup|\bdo\b|\bdoes\b|\bfor \$|\bowe"
)
"""Words between the inputs and the figure that claim it as their result."""
_LESS = (
    r"sav(?:e|es|ed|ing|ings)\b|cheaper|less\b|lower|reduc\w*|\bcuts?\b|cutting|fewer|fell|falls?\b"
    r"|dropp?\w*|declin\w*|discount|\boff\b|\bdown\b|shrink\w*|shrank|trimm?\w*|slash\w*|below|smaller"
    r"|shav\w*|short(?:er|ens?)|compress\w*|under(?:cuts?|pric)"
)
_MORE = (
    r"more\b|higher|ris(?:e|es|ing|en)\b|rose|increas\w*|grew|grow\w*|up\b|dearer|pricier|costlier|premium"
    r"|jump\w*|climb\w*|mark-?up|surcharge|gain\w*|above|larger|bigger|faster|extra|rais(?:e|ed|es)"
    r"|improv\w*|boost\w*|uplift|expand\w*|added|greater|gr(?:ow|ew)"
)
_CHANGE = rf"{_LESS}|{_MORE}|chang\w*|differ\w*|gap|spread|swing"


def _relation(name: str, title: str, result: str, roles: str, formula: str, words: str, **rest: str | bool) -> Relation:  # noqa: PLR0917  # what a statement is of
    made = tuple(
        Role(
            one["name"],
            frozenset(one["kinds"].split("|")),
            bool(one["optional"]),
            re.compile(rf"\b(?:{_CUES[one['cue']]})", re.I) if one["cue"] else None,
            one["label"] or "",
            re.compile(rf"\b(?:{_CUES[one['prefer']]})", re.I) if one["prefer"] else None,
        )
        for one in _ROLE.finditer(roles)
    )
    rest = {"claimed": name in _CLAIMED, **rest}
    patterns: dict[str, Any] = {
        key: re.compile(str(rest.pop(key)), re.I) for key in ("outright", "near") if key in rest
    }
    return Relation(name, title, result, made, formula, re.compile(words, re.I), **{**patterns, **rest})


CLAIM = re.compile(_SO, re.I)
RELATIONS: tuple[Relation, ...] = (
    # ---- changes
    _relation(
        "fall",
        "change by a share",
        "share",
        "before:amount|money_any|unit_price|hours|bare after:amount|money_any|unit_price|hours|bare",
        "(before - after) / before",
        _LESS,
        near=_LESS,
        ordered="before>after",
        generic=True,
        example="The price fell from $8 to $2 per million tokens, a cut of {75%|70%}.",
    ),
    _relation(
        "rise",
        "change by a share",
        "share",
        "before:amount|money_any|unit_price|hours|bare after:amount|money_any|unit_price|hours|bare",
        "(after - before) / before",
        _MORE,
        near=_MORE,
        ordered="before<after",
        generic=True,
        example="Rent rose from $2.00 to $2.50 per GPU-hour, an increase of {25%|35%}.",
    ),
    _relation(
        "factor",
        "change by a factor",
        "factor|bare",
        "large:amount|money_any|unit_price|hours|kv_each|bits|bare "
        "small:amount|money_any|unit_price|hours|kv_each|bits|bare",
        "large / small",
        rf"\btimes\b|[×x]\b|fold|factor|multipl|ratio|twice|doubl|tripl|thrice|quadrupl|{_CHANGE}"
        rf"|\bas (?:much|many|fast|expensive|cheap|long)",
        near=r"times|[×x]\b|fold|factor|multipl|ratio|twice|doubl|tripl|thrice|quadrupl",
        ordered="large>small",
        generic=True,
        example="Output costs $15 and input $3 per million tokens, {5x|6x} as much.",
    ),
    _relation(
        "points",
        "percentage points",
        "points",
        "large:share|points small:share|points",
        "large - small",
        r"point|pp\b",
        ordered="large>small",
        example="Utilisation went from 45% to 62%, a gain of {17 percentage points|27 percentage points}.",
    ),
    # ---- savings and discounts
    _relation(
        "saving",
        "saving of A against B",
        "money|money_rate|money_each|unit_price|power|energy|gpuh|carbon",
        "large:same small:same",
        "large - small",
        rf"{_CHANGE}|difference",
        near=rf"{_CHANGE}|difference|worth of",
        ordered="large>small",
        generic=True,
        example="The API costs $18,000 a month and our own cluster $11,500 a month, so hosting it saves "
        "{$6,500|$5,500} a month.",
    ),
    _relation(
        "saved-share",
        "saving of A against B",
        "money|money_rate|money_each|unit_price|power|energy|gpuh|carbon",
        "share:share whole:same",
        "whole * share",
        rf"{_LESS}|{_MORE}|\bof\b|share",
        outright=r"\bsav(?:es|ed|ings?)\b|\bcommission|share of",
        near=rf"{_LESS}|\bof\b|extra|premium|more\b|share|account|goes? to|worth",
        generic=True,
        example="A 30% discount on a bill of $40,000 saves {$12,000|$14,000}.",
    ),
    _relation(
        "discounted",
        "discount taken off",
        "money|money_rate|money_each|unit_price|power|energy|gpuh|carbon",
        "whole:same first:discount|keeps second?:discount|keeps third?:discount|keeps",
        "whole * (one - first) * (one - second) * (one - third)",
        rf"{_LESS}|stack|after|remain|leav|left|half|halv|of list|of the (?:list|full)|batch|cach|spot|reserv"
        rf"|commit",
        outright=r"discount|\boff\b|cheaper|less than|\bless\b|sav|reduc|\bcut|lower|\bdrop|fall|below|stack",
        generic=True,
        example="A reserved node is 40% off the list price of $12.00 an hour, so it costs {$7.20|$8.20} an hour.",
    ),
    _relation(
        "raised",
        "surcharge put on",
        "money|money_rate|money_each|unit_price|power|energy|gpuh|carbon",
        "whole:same share:share",
        "whole * (one + share)",
        rf"{_MORE}|overhead|on top|surcharge|tax|VAT|\bplus\b|mark",
        outright=r"premium|more (?:expensive|than)|higher|increase|rise|rose|surcharge|on top|mark-?up|up \d|raise",
        generic=True,
        example="Cache writes cost 25% more than the input price of $3.00 per million tokens, that is {$3.75|$3.95} "
        "per million tokens.",
    ),
    _relation(
        "stacked",
        "stacked discounts",
        "share",
        "first:discount|keeps second:discount|keeps third?:discount|keeps",
        "one - (one - first) * (one - second) * (one - third)",
        r"stack|combin|together|both|compound|on top|all in\b|net of|in (?:total|all)|total|further|additional"
        r"|overall|altogether|then|effective",
        near=r"^(?!.*\bof (?:the )?(?:list|full|original|standard|price))",
        outright=r"stack|combin|together|compound|on top of|further|both|then|all in\b|net of",
        example="A 50% batch discount and a 90% cache discount stack to {95%|98%} off the list price.",
    ),
    _relation(
        "remaining",
        "stacked discounts",
        "share",
        "first:share second:share third?:share",
        "(one - first) * (one - second) * (one - third)",
        r"\bof (?:the )?(?:list|full|original|standard|on-demand|price)|remain|left|leav|still pay|\bpay\b"
        r"|pays?\b",
        confirms=True,
        example="With 50% off for batch and 90% off for cache reads we pay {5%|10%} of the list price.",
    ),
    _relation(
        "complement",
        "remainder",
        "share",
        "share:share",
        "one - share",
        r"\bother\b|rest\b|remain|left|idle|still|only|leav|balance|non-|cheaper|less|pay|off|discount"
        r"|complement",
        near=r"\b(?:other|remaining|rest|remainder|left|leaving|leaves?|idle|balance)\b",
        confirms=True,
        generic=True,
        example="Of the traffic 35% is cached and the other {65%|75%} is not.",
    ),
    # ---- tokens
    _relation(
        "volume",
        "token volume",
        "tokens",
        "users?:things items:things|units each:tokens|tokens_each time?:hours",
        "users * items * each * time",
        rf"{_BE}|tokens?",
        outright=_BE,
        example="Two million requests a month of 1,200 tokens each are {2.4 billion|2.9 billion} tokens a month.",
    ),
    _relation(
        "capacity",
        "throughput over a time",
        "tokens",
        "units?:units|things speed:speed time?:hours|duty use?:utilisation",
        "units * speed * time * use",
        rf"{_BE}|per day|a day|capacity|throughput",
        outright=_BE,
        example="A node that decodes 2,500 tokens per second produces {216 million|236 million} tokens a day.",
    ),
    _relation(
        "bill",
        "token bill",
        "money|money_rate|money_each|money_at",
        "items?:things|units tokens:tokens|tokens_each price:price time?:hours off?:discount|keeps",
        "items * tokens * price * time * (one - off)",
        rf"{_COST}|{_BE}",
        example="At $3 per million tokens, 40 million tokens cost {$120|$140}.",
    ),
    _relation(
        "two-way-bill",
        "token bill",
        "money|money_rate|money_each|money_at",
        "items?:things|units first:tokens|tokens_each@input price:price|money|money_at@input "
        "second:tokens|tokens_each@output fee:price|money|money_at@output time?:hours off?:discount|keeps",
        "items * (first * price + second * fee) * time * (one - off)",
        rf"{_COST}|{_BE}",
        example="A request of 2,000 input tokens and 500 output tokens at $3 per million input tokens plus $15 per "
        "million output tokens costs {$0.0135|$0.0165}.",
    ),
    _relation(
        "two-part-bill",
        "token bill",
        "money|money_rate|money_each|money_at",
        "items?:things|units first:tokens|tokens_each price:price|money_at second:tokens|tokens_each "
        "fee:price|money_at time?:hours off?:discount|keeps",
        "items * (first * price + second * fee) * time * (one - off)",
        rf"{_COST}|{_BE}",
        ordered="pairs",
    ),
    _relation(
        "cached-bill",
        "token bill with cache",
        "money|money_rate|money_each|money_at|price",
        "items?:things tokens:tokens hit:hit price:price|money_at read:price|money_at@cache_read time?:hours",
        "items * tokens * (hit * read + (one - hit) * price) * time",
        rf"{_COST}|{_BE}",
        ordered="price>read",
        example="With 80% cache hits, 100 million input tokens at $3 per million input tokens and $0.30 per million "
        "cached tokens cost {$84|$94}.",
    ),
    _relation(
        "item-bill",
        "items at a price each",
        "money|money_rate",
        "items:things|units|speed each:money_each time?:hours users?:things off?:discount",
        "items * each * time * users * (one - off)",
        rf"{_COST}|revenue|sales|bring|earn|ARR|MRR|{_BE}",
        outright=rf"{_COST}|revenue|sales|bring|earn|ARR|MRR",
        example="Revenue from 4,000 seats at $25 per seat per month is {$100,000|$120,000} a month.",
    ),
    _relation(
        "blended",
        "blended price",
        "price|money|money_at|rent|money_rate",
        "share:share first:price|money|money_at|rent second:price|money|money_at|rent",
        "share * first + (one - share) * second",
        r"blend|averag|mix|weighted|effective|overall|combined",
        confirms=False,
        outright=r"blend|averag|weighted",
        ordered="share:first",
        example="With 75% of tokens at $1 per million and the rest at $5 per million, the blended price is {$2|$3} "
        "per million tokens.",
    ),
    _relation(
        "blended-hit",
        "blended price",
        "price|money|money_at",
        "hit:hit read:price|money|money_at[cached] fresh:price|money|money_at",
        "hit * read + (one - hit) * fresh",
        r"blend|averag|mix|weighted|effective|overall|combined",
        example="At an 80% hit rate, with cached tokens at $0.30 per million tokens and fresh ones at $3.00 per "
        "million tokens, the effective price is {$0.84|$1.14} per million tokens.",
    ),
    # ---- GPUs
    _relation(
        "gpu-hours",
        "GPU-hours",
        "gpuh",
        "nodes?:nodes units:units|gpus|gpus_each time:hours duty?:duty use?:utilisation",
        "nodes * units * time * duty * use",
        rf"{_BE}",
        example="64 H100s for 30 days are {46,080|51,080} GPU-hours.",
    ),
    _relation(
        "rent",
        "rent",
        "money|money_rate",
        "nodes?:nodes units?:units|things|gpus_each rate:rent time?:hours duty?:duty off?:discount",
        "nodes * units * rate * time * duty * (one - off)",
        rf"{_COST}|{_BE}",
        outright=_COST,
        example="Eight nodes at $12 an hour for 100 hours cost {$9,600|$8,600}.",
    ),
    _relation(
        "hours-bill",
        "rent",
        "money",
        "hours:gpuh rate:rent off?:discount",
        "hours * rate * (one - off)",
        rf"{_COST}|{_BE}",
        example="At $2.40 per GPU-hour, 46,080 GPU-hours cost {$110,592|$120,592}.",
    ),
    _relation(
        "unit-cost",
        "cost per unit",
        "price|money_each|rent|money_rate|tariff|money_per",
        "total:money|money_rate units:tokens|things|gpuh|energy|units|hours time?:hours",
        "total / units / time",
        rf"{_COST}|\bper\b|each|apiece|unit",
        outright=r"\bper\b|each|apiece|works? out|unit cost",
        generic=True,
        example="The month cost $7,200 for 2.4 billion tokens, that is {$3.00|$3.60} per million tokens.",
    ),
    _relation(
        "token-cost",
        "cost per token from rent and throughput",
        "price|money",
        "units?:units rate:rent speed:speed use?:utilisation work?:tokens",
        "units * rate / speed / use * work",
        rf"{_COST}|\bper\b|cost",
        outright=r"million|\btoken",
        example="A node at $18 an hour that serves 2,500 tokens per second costs {$2.00|$2.60} per million tokens.",
    ),
    _relation(
        "useful-hours",
        "useful hours at a utilisation",
        "hours|gpuh|duty",
        "units?:units time:hours|gpuh|duty use:utilisation",
        "units * time * use",
        r"useful|productive|busy|effective|work|used|actual|real|utili[sz]",
        example="At 60% utilisation 46,000 GPU-hours hold {27,600|29,900} useful GPU-hours.",
    ),
    _relation(
        "idle-hours",
        "useful hours at a utilisation",
        "hours|gpuh|duty|money",
        "units?:units time:hours|gpuh|duty|money use:utilisation",
        "units * time * (one - use)",
        r"idle|wast|unused|empty|lost|nothing",
        outright=r"idle|wast|unused",
        example="At 60% utilisation 46,000 GPU-hours leave {18,400|16,100} GPU-hours idle.",
    ),
    # ---- own against rented
    _relation(
        "break-even-use",
        "break-even utilisation",
        "share",
        "own:rent|money_rate|money|unit_price rented:rent|money_rate|money|unit_price time?:hours",
        "own / rented / time",
        r"break[- ]?even|breaks? even|cheaper (?:once|above|when|as soon)|pays? off|wins? (?:above|once|when)"
        r"|tip",
        ordered="own<rented",
        example="An own GPU costs $1.20 an hour whether used or not and the cloud $2.00 an hour, so break-even "
        "utilisation is {60%|70%}.",
    ),
    _relation(
        "break-even-volume",
        "break-even volume",
        "tokens|things|speed|gpuh",
        "fixed:money|money_rate price:price|money_each|money_at|rent less?:price|money_each[cost]",
        "fixed / price",
        r"break[- ]?even|breaks? even|pays? (?:off|for itself)|cheaper (?:once|above|when|beyond)|crossover"
        r"|cover|cost the same|same cost|crosses|equal|level with|match|before it beats?|beat\b",
        outright=r"break[- ]?even|breaks? even|crossover|cost the same",
        example="A server at $6,000 a month against an API at $3 per million tokens breaks even at "
        "{2 billion tokens|3 billion tokens} a month.",
    ),
    _relation(
        "break-even-margin",
        "break-even volume",
        "tokens|things|speed",
        "fixed:money|money_rate price:price|money_each cost:price|money_each",
        "fixed / (price - cost)",
        r"break[- ]?even|breaks? even|pays? (?:off|for itself)|cover",
        ordered="price>cost",
        example="With fixed costs of $50,000 a month, a price of $0.05 per request and a cost of $0.03 per request, "
        "break-even is {2.5 million requests|3.5 million requests} a month.",
    ),
    _relation(
        "payback",
        "payback",
        "hours",
        "units?:units capital:money|money_each saved:money_rate",
        "units * capital / saved",
        r"pay(?:s|ing|ed)?[- ]?(?:itself )?back|paid back|payback|pa(?:ys?|ying|id) (?:for )?itself|pays? off"
        r"|paid off|recoup|recover|break[- ]?even|breaks? even|earn(?:s|ed)? (?:back|itself)",
        example="A $240,000 server that saves $10,000 a month pays back in {24 months|30 months}.",
    ),
    _relation(
        "net-payback",
        "payback",
        "hours",
        "units?:units capital:money|money_each gain:money_rate cost:money_rate",
        "units * capital / (gain - cost)",
        r"pay(?:s|ing|ed)?[- ]?(?:itself )?back|paid back|payback|pa(?:ys?|ying|id) (?:for )?itself|pays? off"
        r"|paid off|recoup|recover|break[- ]?even|breaks? even",
        ordered="gain>cost",
        example="A cluster for $900,000 replaces a cloud bill of $60,000 a month and costs $15,000 a month to run, "
        "so it pays back in {20 months|15 months}.",
    ),
    _relation(
        "gross-profit",
        "gross profit",
        "money|money_rate|money_each|unit_price",
        "revenue:same<revenue> cost:same[cost] second?:same third?:same units?:units|things",
        "units * (revenue - cost - second - third)",
        r"profit|contribution|keep|net\b|margin of|leav|left",
        outright=r"profit|contribution",
        ordered="revenue>cost",
        example="Revenue was $4.2 million and compute cost $1.3 million, a gross profit of "
        "{$2.9 million|$3.1 million}.",
    ),
    _relation(
        "gross-margin",
        "gross margin",
        "share",
        "revenue:money|money_rate|money_each|unit_price|money_at|rent<revenue> "
        "cost:money|money_rate|money_each|unit_price|money_at|rent[cost] "
        "second?:money|money_rate|money_each|unit_price",
        "(revenue - cost - second) / revenue",
        r"margin",
        ordered="revenue>cost",
        example="Revenue of $4.0 million with compute costs of $1.2 million is a gross margin of {70%|75%}.",
    ),
    _relation(
        "profit-margin",
        "gross margin",
        "share",
        "profit:money|money_rate|money_each|unit_price[profit] revenue:money|money_rate|money_each|unit_price",
        "profit / revenue",
        r"margin",
        ordered="profit<revenue",
        example="A gross profit of $2.8 million on sales of $4.0 million is a margin of {70%|75%}.",
    ),
    _relation(
        "depreciation",
        "depreciation by year",
        "money_rate|money|rent",
        "units?:units capital:money|money_each life:hours|age",
        "units * capital / life",
        r"depreciat|amorti[sz]|straight[- ]line|writ(?:e|es|ten|ing) (?:it |them |this )?(?:off|down)|spread"
        r"|over (?:\w+|\d+) years|a year|per year",
        outright=r"depreciat|amorti[sz]|straight[- ]line|writ(?:e|es|ten|ing) (?:it |them |this )?(?:off|down)|spread",
        example="A $30,000 GPU written off over four years depreciates by {$7,500|$8,500} a year.",
    ),
    _relation(
        "book-value",
        "depreciation by year",
        "money",
        "units?:units capital:money|money_each life:hours age:age|hours",
        "units * capital * (one - age / life)",
        r"book value|carrying (?:value|amount)|net book|undepreciated|residual",
        ordered="age<life",
        example="A $32,000 GPU is written down over four years and has a book value of {$8,000|$24,000} after 3 years.",
    ),
    _relation(
        "net-depreciation",
        "depreciation by year",
        "money_rate|money|rent",
        "units?:units capital:money|money_each rest:money|money_each[salvage] life:hours|age",
        "units * (capital - rest) / life",
        r"depreciat|amorti[sz]|straight[- ]line|writ(?:e|es|ten|ing) (?:it |them |this )?(?:off|down)|spread",
        ordered="capital>rest",
        example="Written off over 5 years, a $300,000 server with a resale value of $50,000 depreciates by "
        "{$50,000|$70,000} a year.",
    ),
    # ---- power
    _relation(
        "power",
        "power of a fleet",
        "power",
        "nodes?:nodes units:units|things each:power|power_each pue?:pue use?:utilisation",
        "nodes * units * each * pue * use",
        _BE,
        example="512 GPUs of 700 W each draw {358.4 kW|398.4 kW}.",
    ),
    _relation(
        "facility-power",
        "power with PUE",
        "power",
        "it:power pue:pue use?:utilisation",
        "it * pue * use",
        rf"{_BE}|PUE",
        outright=r"PUE|\bmeters?\b|facilit|\bhall|\bwall\b|utility|\bgrid|\bsite\b|building|data ?cent",
        example="An IT load of 2 MW at a PUE of 1.3 needs {2.6 MW|2.9 MW} at the meter.",
    ),
    _relation(
        "pue",
        "PUE",
        "pue|bare",
        "facility:power|energy it:power|energy",
        "facility / it",
        r"PUE",
        ordered="facility>it",
        example="A hall that takes 2.6 MW for 2 MW of servers has a PUE of {1.3|1.5}.",
    ),
    _relation(
        "energy",
        "energy over a time",
        "energy",
        "nodes?:nodes units?:units|things each:power pue?:pue use?:utilisation time?:hours|duty",
        "nodes * units * each * pue * use * time",
        rf"{_BE}|energy|electricity",
        example="A rack that draws 40 kW uses {960 kWh|1,160 kWh} in 24 hours.",
    ),
    _relation(
        "energy-pue",
        "energy over a time",
        "energy",
        "it:energy pue:pue",
        "it * pue",
        rf"{_BE}|PUE",
        outright=r"PUE",
        example="Servers that use 100 MWh in a hall with a PUE of 1.25 need {125 MWh|145 MWh} from the grid.",
    ),
    _relation(
        "energy-price",
        "price of energy",
        "money|money_rate|money_each",
        "energy:energy tariff:tariff pue?:pue",
        "energy * tariff * pue",
        rf"{_COST}|{_BE}",
        example="At $0.08 per kWh, 500 MWh cost {$40,000|$48,000}.",
    ),
    _relation(
        "power-price",
        "price of energy",
        "money|money_rate",
        "nodes?:nodes units?:units|things each:power pue?:pue use?:utilisation time?:hours tariff:tariff",
        "nodes * units * each * pue * use * time * tariff",
        rf"{_COST}|{_BE}",
        example="A load of 100 kW for a year of 8,760 hours at $0.10 per kWh costs {$87,600|$97,600}.",
    ),
    _relation(
        "pue-share",
        "saving by a PUE",
        "share",
        "before:pue after:pue",
        "(before - after) / before",
        rf"{_LESS}|PUE",
        outright=_LESS,
        ordered="before>after",
        example="Lowering PUE from 1.5 to 1.2 cuts the facility's power by {20%|30%}.",
    ),
    _relation(
        "pue-saving",
        "saving by a PUE",
        "power|energy|money|money_rate",
        "it:power|energy before:pue after:pue time?:hours tariff?:tariff",
        "it * (before - after) * time * tariff",
        rf"{_LESS}",
        ordered="before>after",
        example="With an IT load of 10 MW, going from a PUE of 1.5 to 1.2 saves {3 MW|4 MW}.",
    ),
    _relation(
        "carbon",
        "carbon",
        "carbon",
        "energy:energy intensity:intensity pue?:pue",
        "energy * intensity * pue",
        rf"{_BE}|emit|emission|carbon|CO2|CO₂",
        example="On a grid of 370 g/kWh, 100 MWh emit {37 tonnes|43 tonnes} of CO2.",
    ),
    _relation(
        "carbon-chain",
        "carbon",
        "carbon",
        "units?:units|things each:power pue?:pue time:hours intensity:intensity",
        "units * each * pue * time * intensity",
        rf"{_BE}|emit|emission|carbon",
        example="A 100 kW load for 100 hours at 400 g/kWh emits {4 tonnes|5 tonnes} of CO2.",
    ),
    # ---- training
    _relation(
        "training-flop",
        "training FLOP (6ND)",
        "flop",
        "params:params tokens:tokens[trained]",
        "six * params * tokens",
        rf"{_BE}|FLOP|6ND|train",
        outright=r"train|6ND|FLOP|comput",
        example="Training a 7B model on 2T tokens takes {8.4e22 FLOP|9.4e22 FLOP}.",
    ),
    _relation(
        "flop-hours",
        "GPU-hours from FLOP and MFU",
        "gpuh|hours",
        "flop:flop units?:units peak:flops use?:mfu",
        "flop / peak / use / units",
        rf"{_BE}|train",
        example="At 40% MFU on GPUs of 989 TFLOPS, a run of 8.4e22 FLOP takes {59,000|69,000} GPU-hours.",
    ),
    _relation(
        "mfu",
        "MFU",
        "share",
        "real:flops peak:flops",
        "real / peak",
        r"MFU|utili[sz]|of peak|efficien",
        ordered="real<peak",
        example="Reaching 396 TFLOPS of a peak of 990 TFLOPS is an MFU of {40%|50%}.",
    ),
    # ---- memory
    _relation(
        "weights",
        "memory from parameters and bits",
        "bytes",
        "params:params bits:bits",
        "params * bits",
        rf"{_BE}|memory|weights|VRAM",
        outright=rf"weights|memory|VRAM|needs?|takes?|occup|bits?\b|bytes?|{_BE}",
        example="At 16 bits a 70B model needs {140 GB|160 GB} for its weights.",
    ),
    _relation(
        "kv-cache",
        "KV cache",
        "bytes|kv_each",
        "layers:layers heads:heads width:bare[dim] bits:bits|bytes tokens?:tokens batch?:things",
        "two * layers * heads * width * bits * tokens * batch * element",
        r"KV|cache",
        example="With 80 layers, 8 KV heads, a head dimension of 128 and 2 bytes per value, the KV cache takes "
        "{327,680 bytes|427,680 bytes} per token.",
    ),
    _relation(
        "width",
        "bytes from bits",
        "bits",
        "bits:bits",
        "bits * one",
        r"bytes?\b",
        confirms=True,
        example="A number of 16 bits takes {2 bytes|4 bytes}.",
    ),
    _relation(
        "kv-token",
        "KV cache",
        "bytes",
        "layers:layers heads:heads width:bare[dim] bits:bits|bytes",
        "two * layers * heads * width * bits * values",
        r"^(?=.*(?:KV|cache))(?=.*(?:each|per|every|one|a) token)",
    ),
    _relation(
        "kv-total",
        "KV cache",
        "bytes",
        "each:kv_each tokens:tokens batch?:things",
        "each * tokens * batch",
        rf"KV|cache|{_BE}",
        example="At 320 kB per token a context of 32,000 tokens takes {10.24 GB|12.24 GB} of KV cache.",
    ),
    _relation(
        "memory-count",
        "memory of a fleet",
        "bytes",
        "units:units|gpus_each each:bytes",
        "units * each",
        rf"{_BE}|total|together|in all|combined",
        outright=r"total|together|in all|altogether|combined|give|offer|have|hold|pool",
        example="Eight GPUs with 80 GB each have {640 GB|720 GB} in all.",
    ),
    _relation(
        "active-share",
        "MoE active share",
        "share",
        "active:params[active] whole:params",
        "active / whole",
        r"activ",
        ordered="active<whole",
        example="Of 671B parameters 37B are active for a token, {5.5%|7.5%}.",
    ),
    _relation(
        "part",
        "share of a whole",
        "share",
        "part:amount|money|money_rate|hours|energy|things|bare whole:amount|money|money_rate|hours|energy|things",
        "part / whole",
        r"\bof\b|share|fraction|portion|account|make up|utili[sz]|occup|percent|out of",
        outright=r"share of|utili[sz]|occup|accounts? for|makes? up|activ",
        ordered="part<whole",
        generic=True,
        example="Of 400 GPUs 340 were busy, a utilisation of {85%|75%}.",
    ),
    _relation(
        "of-whole",
        "share of a whole",
        "amount|money|money_rate|things|tokens|gpus|units|hours|params|power",
        "share:share whole:same",
        "whole * share",
        r"\bof\b|share",
        near=r"\bof\b|share|that is|or\b|=|are\b|is\b",
        confirms=True,
        example="Of 2 million requests a month 30% are cached, that is {600,000|700,000} requests a month.",
    ),
    # ---- downtime
    _relation(
        "downtime-year",
        "downtime from nines",
        "hours|duty",
        "up:availability|plain_share",
        "(one - up) * year",
        r"^(?!.*\b(?:month|day|week|quarter))(?=.*(?:down|outage|unavailab|offline))"
        r"|^(?=.*\b(?:year|annual))(?=.*(?:down|outage|unavailab|offline))",
        outright=r"^(?=.*\b(?:year|annual))(?=.*(?:down|outage|unavailab|offline))",
        example="An availability of 99.9% leaves {8.76 hours|9.76 hours} of downtime a year.",
    ),
    _relation(
        "downtime-month",
        "downtime from nines",
        "hours|duty",
        "up:availability|plain_share",
        "(one - up) * month",
        r"^(?=.*\bmonth)(?=.*(?:down|outage|unavailab|offline))",
        example="At 99.9% uptime the service may be down for {43.8 minutes|53.8 minutes} a month.",
    ),
    _relation(
        "downtime",
        "downtime from nines",
        "hours",
        "up:availability|plain_share time:hours",
        "(one - up) * time",
        r"down|outage|unavailab|offline",
        example="With 99.5% availability over 30 days, downtime is {3.6 hours|4.6 hours}.",
    ),
    # ---- periods
    _relation(
        "over-time",
        "rate over a time",
        "money|tokens|things|energy|hours|gpuh",
        "rate:money_rate|speed|rate time:hours",
        "rate * time",
        rf"{_COST}|{_BE}",
        outright=r"comes? to|total|in all|altogether|over (?:the|a|\w+|\d+)|adds? up|amounts? to|="
        r"|\bfor (?:the|a|\w+|\d+) (?:year|month|week|day|hour)s?|per year|a year",
        generic=True,
        example="A bill of $4,500 a month comes to {$54,000|$64,000} over 12 months.",
    ),
    _relation(
        "rescaled",
        "rate per another time",
        "money_rate|rent|speed|rate|duty|money",
        "rate:money_rate|rent|speed|rate",
        "rate * one",
        r"a year|per year|yearly|annual|a month|monthly|per month|a day|per day|daily|a week|/yr|/mo|/year"
        r"|/month|/day|an hour|per hour|hourly|per second|/s\b|/h",
        outright=r"or|that is|=|that['’]s|i\.e\.|which is|comes? to|equal|works? out|annuali[sz]ed",
        generic=True,
        example="That is 2 million requests a day, or {60 million|70 million} requests a month of 30 days.",
    ),
)
"""Every relation; the total of listed items and written equations are read by their own rules."""


def examples() -> list[tuple[Relation, str, str]]:
    """Each relation with its example, once right and once wrong."""
    return [(one, *_versions(one.example)) for one in RELATIONS if one.example]


_BRACED = re.compile(r"\{(?P<right>[^{}|]*)\|(?P<wrong>[^{}|]*)\}")


def _versions(example: str) -> tuple[str, str]:
    return _BRACED.sub(r"\g<right>", example), _BRACED.sub(r"\g<wrong>", example)


def markdown() -> str:
    """The table of relations for the documentation."""
    titles: dict[str, str] = {}
    rows = ["| relation | example |", "|---|---|"]
    for one in RELATIONS:
        if one.example and one.title not in titles:
            titles[one.title] = one.name
            example = _BRACED.sub(r"**\g<right>**", one.example)
            rows.append(f"| {one.title} | {example} |")
    rows += [
        "| total of listed items | Training cost $80 and serving $50, together **$130**. |",
        "| written equation | 64 × 720 × $2.40 = **$110,592** |",
    ]
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(markdown(), end="")  # noqa: T201  # prints the table for the docs
