"""How relations are written, and the words that several of them share.

name · title
result = formula if one > other     the result may be of several kinds; `if` orders two of the roles
role:kinds role?:kinds              `?` may be missing · `[cue]` words beside it · `<cue>` words that one has
                                    before others · `@label` what it is of
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
    "salvage": r"salvage|worth|resid|resale|resell|sell|sold|scrap|recover",
    "active": r"activ",
    "trained": r"train|saw|seen|sees|corpus|data|on\b|over|read|pass|budget|for\b|through",
    "cached": r"cach|hit",
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
    r"(?P<name>\w+)(?P<optional>\?)?:(?P<kinds>[\w|]+)(?:\[(?P<cue>\w+)\])?(?:@(?P<label>\w+))?(?:<(?P<prefer>\w+)>)?"
)
_KINDS = {
    "COMPARED": "amount|money_any|unit_price|hours",
    "COSTS": "money|money_rate|money_each|unit_price|power|energy|gpuh|carbon",
    "PRICES": "money|money_rate|money_each|unit_price",
    "BILL": "money|money_rate|money_each|money_at",
    "PART": "amount|money|money_rate|hours|energy|things",
    "CUTS": "discount|keeps",
}
"""Names for kinds of figures that often come together."""
COST = (
    r":\s|\bdamage|\bcosts?\b|\bbill|\brent|\bspen[dt]|\bpa(?:y|id|ys|ying)\b|\bcomes? to|\bcame to"
    r"|\bruns? (?:to|at|you|us|about)|total|invoice|charge|\bprice|budget|=|\bfor \$|\bis \$|\bare \$"
    r"|\bor \$|\bthat is|that['’]s|\bmak(?:es|ing)\b|works? out|adds? up|\bwould be|\bsum\b|bring|burn"
    r"|amounts? to|\bexpens|\bneed|worth|\bmeans|owe"
)
BE = (
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
LESS = (
    r"sav(?:e|es|ed|ing|ings)\b|cheaper|less\b|lower|reduc\w*|\bcuts?\b|cutting|fewer|fell|falls?\b"
    r"|dropp?\w*|declin\w*|discount|\boff\b|\bdown\b|shrink\w*|shrank|trimm?\w*|slash\w*|below|smaller"
    r"|shav\w*|short(?:er|ens?)|compress\w*|under(?:cuts?|pric)"
)
MORE = (
    r"more\b|higher|ris(?:e|es|ing|en)\b|rose|increas\w*|grew|grow\w*|up\b|dearer|pricier|costlier|premium"
    r"|jump\w*|climb\w*|mark-?up|surcharge|gain\w*|above|larger|bigger|faster|extra|rais(?:e|ed|es)"
    r"|improv\w*|boost\w*|uplift|expand\w*|added|greater"
)
CHANGE = rf"{LESS}|{MORE}|chang\w*|differ\w*|gap|spread|swing"
PAID = rf"{COST}|{BE}"
BLEND = r"blend|averag|mix|weighted|effective|overall|combined"
EVEN = r"break[- ]?even|breaks? even"
BACK = (
    r"pay(?:s|ing|ed)?[- ]?(?:itself )?back|paid back|payback|pa(?:ys?|ying|id) (?:for )?itself|pays? off|paid off"
    rf"|recoup|recover|{EVEN}"
)
WRITTEN_OFF = r"depreciat|amorti[sz]|straight[- ]line|writ(?:e|es|ten|ing) (?:it |them |this )?(?:off|down)|spread"
DOWN = r"down|outage|unavailab|offline"
CLAIM = re.compile(_SO, re.I)


def relation(head: str, equation: str, roles: str, words: str, **rest: str | bool) -> Relation:
    """A relation `name · title` with an equation `result = formula if one > other`."""
    name, _, title = head.partition(" · ")
    result, _, formula = equation.partition(" = ")
    formula, _, condition = formula.partition(" if ")
    made = tuple(_role(one) for one in _ROLE.finditer(roles))
    patterns: dict[str, Any] = {
        key: re.compile(str(rest.pop(key)), re.I) for key in ("outright", "near") if key in rest
    }
    claimed: dict[str, Any] = {"claimed": name in _CLAIMED, "condition": condition, **patterns, **rest}
    return Relation(name, title or name, _kinds(result), made, formula, re.compile(words, re.I), **claimed)


def loose(head: str, equation: str, roles: str, words: str, **rest: str | bool) -> Relation:
    """A relation whose words are common: it refutes only where no other relation is named."""
    return relation(head, equation, roles, words, generic=True, **rest)


def _role(text: re.Match[str]) -> Role:
    cue, prefer = (re.compile(rf"\b(?:{_CUES[text[key]]})", re.I) if text[key] else None for key in ("cue", "prefer"))
    return Role(text["name"], _kinds(text["kinds"]), bool(text["optional"]), cue, text["label"] or "", prefer)


def _kinds(text: str) -> frozenset[str]:
    return frozenset(kind for name in text.split("|") for kind in _KINDS.get(name, name).split("|"))
