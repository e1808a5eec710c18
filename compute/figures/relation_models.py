"""Relations: roles filled by kinds of figures, a formula, and the words that claim it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from types import CodeType

from compute.figures.figure_models import HOUR, TOKEN, Dimensions, Figure, combined
from compute.figures.number_words import NODES
from compute.units.unit_table import CURRENCIES

Lengths = tuple[Fraction, Fraction]
LENGTHS: tuple[Lengths, ...] = tuple(
    (Fraction(month), Fraction(year))
    for month, year in ((730, 8760), (720, 8760), (720, 8640), (744, 8760), ("730.5", 8766), (672, 8736), ("728", 8736))
)
"""Hours of a month and of a year that texts use."""
_PUE = re.compile(r"\bPUEs?\b|power usage effectiveness", re.I)
_AGE = re.compile(r"\b(?:after|within|every|past|last|next|first|previous|ago)\s$", re.I)
_SHARES = r"""
utilisation: utili[sz]|\bbusy\b|\bload(?:ed)?\b|occup|duty|\bMFU\b|\bMBU\b|efficien|uptime of the|useful|average draw
utilisation: peak|of (?:the |this |that |its |their )?(?:time|hours)|real work|idle
mfu: \bMFU\b|utili[sz]|efficien|of peak
discount: discount|\boff\b|\bless\b|cheaper|rebate|sav|reduc|\bcut\b|lower|reserved|commit|batch|spot|cach|below
discount: \bdrop|promo|markdown|further|additional|prepay
availability: availab|uptime|\bSLA\b|\bSLO\b|reliab|nines|\bup\b
idle: \bidle|unused|waste|empty|spare
keeps: of (?:the |its |our |their )?(?:list|full|standard|regular|normal|on-demand|original|base|price|input|what)
keeps: of (?:that|it)\b|half (?:of |the |price|rate)|halve|remaining|what is left|pa(?:y|id) only
hit: \bcach|\bhits?\b|\bhit rate
"""
"""The words of each kind of share."""
_KINDS: Mapping[Dimensions, str] = {
    HOUR: "hours",
    TOKEN: "tokens amount",
    (("hour", -1), ("token", 1)): "speed tokens amount",
    (("watt", 1),): "power amount",
    (("hour", 1), ("watt", 1)): "energy amount",
    (("gram", 1),): "carbon amount",
    (("gram", 1), ("hour", -1), ("watt", -1)): "intensity",
    (("FLOP", 1),): "flop amount",
    (("FLOP", 1), ("hour", -1)): "flops amount",
    (("parameter", 1),): "params amount",
    (("byte", 1),): "bytes amount",
    (("byte", 1), ("hour", -1)): "amount",
    (("byte", 1), ("parameter", -1)): "bits",
    (("byte", 1), ("token", -1)): "kv_each",
}
_AT = re.compile(
    r"(?i)(?:(?<!stands )(?<!now )(?<!valued )(?<!in )(?<!is )(?<!was )(?<!remains )\bat|@|×|\*)\s"
    r"(?:a (?:list )?price of |the |just |only )?$"
)
_PATTERNS = r"""
COST: :\s|\bdamage|\bcosts?\b|\bbill|\brent|\bspen[dt]|\bpa(?:y|id|ys|ying)\b|\bcomes? to|\bcame to
COST: \bruns? (?:to|at|you|us|about)|total|invoice|charge|\bprice|budget|=|\b(?:for|is|are|or) \$|\bthat is|\bmeans|owe
COST: that['’]s|\bmak(?:es|ing)\b|works? out|adds? up|\bwould be|\bsum\b|bring|burn|amounts? to|\bexpens|\bneed|worth
BE: :\s|\bbudget|\bis\b|\bare\b|\bwas\b|\bwere\b|\bbe\b|comes? to|came to|makes?\b|making|that['’]s|\bor\b|=|gives?
BE: giving|equal|amounts? to|works? out|total|need|use|draw|drew|pull|consum|burn|\btakes?\b|took|means|deliver|suppl
BE: provide|produce|buy|bought|yield|generat|process|send|cost|run|ran|\bspen[dt]|accrue|add|so\b|do(?:es)?\b|perform
BE: leav|requir|\bfor\b|occup|logg|bill|reach|ha(?:s|ve) to|carr(?:y|ies)|demand
SO: \b(?:is|are|was|were|be|or|so|has|have|do|does|buys|uses|takes?|took|draws?|drew|pulls?|holds?|bills?|pays?|paid)\b
SO: \b(?:mak(?:es?|ing)|giv(?:es?|ing)|in all)\b|\b(?:comes? to|came to|equal|total|means|cost|emit|runs? (?:to|at))
SO: \b(?:leav(?:es?|ing)|for \$|owe)|that['’]s|amounts? to|works? out|adds? up|requir|consum|burn|yield|i\.e|produce
SO: \bneed|deliver|serve|generate|spend|invoice|charge|commit|occup|[=:—–(]
LESS: sav(?:e|es|ed|ing|ings)\b|cheaper|less\b|lower|reduc|\bcuts?\b|cutting|fewer|fell|falls?\b|drop|declin|discount
LESS: \boff\b|\bdown\b|shrink|shrank|trim|slash|below|smaller|shav|short(?:er|en)|compress|under(?:cut|pric)
BESIDES: \btrain|tun(?:e|ing)|optimi[sz]er|gradient|activations|cache|context|overhead|\bha(?:s|ve|d)\b
BESIDES: \badam|\bstates?\b|\b(?:GPU|node|server|card|[ABHL]\d{1,3})s?\b
LATE: first token|TTFT|latency|percentile|\bp\d\d|queu|\bwait|\bwith\b|peak|mean|median|batch|in all
MORE: more\b|higher|ris(?:e|es|ing|en)\b|rose|increas|grew|grow|up\b|dearer|pricier|costlier|premium|jump|climb
MORE: mark-?up|surcharge|gain|above|larger|bigger|faster|extra|raise|improv|boost|uplift|expand|added|greater
CHANGE: {LESS}|{MORE}|chang|differ|gap|spread|swing
PAID: {COST}|{BE}
BLEND: blend|averag|mix|weighted|effective|overall|combined
EVEN: break[- ]?even|breaks? even
BACK: pa(?:id|y(?:s|ing|ed)?)(?:[- ]?(?:itself )?back| (?:for )?itself| off)|recoup|recover|{EVEN}
WRITTEN_OFF: depreciat|amorti[sz]|straight[- ]line|writ(?:e|es|ten|ing) (?:it |them |this )?(?:off|down)|spread
DOWN: down|outage|unavailab|offline
revenue: revenue|sales|\bARR\b|\bMRR\b|earn|income|turnover|charg|bills?\b|sells?\b|sold|price[ds]?\b|bring|takes? in
revenue: collect|customers? pay|list\b|top line
cost: cost|spen[dt]|\bpa(?:y|id|ys)\b|COGS|compute|serv|infrastructure|inference|hosting|expens|GPUs?\b
salvage: salvage|worth|resid|resale|resell|sell|sold|scrap|recover
active: activ
trained: train|saw|seen|sees|corpus|data|on\b|over|read|pass|budget|for\b|through
cached: cach|hit
profit: profit|keep|contribution
dim: dimension|\bdim\b|head[_ ]size|head size|wide|width
"""
"""Patterns of relations, in capitals, and the cues of roles."""
_KIND_GROUPS = {
    "COMPARED": "amount|money_any|unit_price|hours",
    "COSTS": "money|money_rate|money_each|unit_price|power|energy|gpuh|carbon",
    "PRICES": "money|money_rate|money_each|unit_price",
    "BILL": "money|money_rate|money_each|money_at",
    "PART": "amount|money|money_rate|hours|energy|things",
    "CUTS": "discount|keeps",
}
_HEAD = re.compile(r"(?P<name>[\w-]+)(?: · (?P<title>[^\[]+?))?(?: \[(?P<flags>[^]]+)\])?")
_EQUATION = re.compile(r"(?P<results>[^ ]+) = (?P<formula>.+?)(?: if (?P<condition>.+))?")
_ROLE = re.compile(
    r"(?P<name>\w+)(?P<optional>\?)?:(?P<kinds>[\w|]+)(?:\[(?P<cue>\w+)\])?(?:@(?P<label>\w+))?(?:<(?P<prefer>\w+)>)?"
)


@dataclass(frozen=True, slots=True)
class Value:
    """An exact number with its dimensions."""

    number: Fraction
    dimensions: Dimensions = ()

    def __mul__(self, other: Value) -> Value:
        return Value(self.number * other.number, combined(self.dimensions, other.dimensions))

    def __truediv__(self, other: Value) -> Value:
        return Value(self.number / other.number, combined(self.dimensions, other.dimensions, -1))

    def __add__(self, other: Value) -> Value:
        if self.dimensions != other.dimensions:
            raise ArithmeticError("different dimensions are added")
        return Value(self.number + other.number, self.dimensions)

    def __sub__(self, other: Value) -> Value:
        return self + Value(-other.number, other.dimensions)


CONSTANTS: Mapping[str, Value] = {
    "one": Value(Fraction(1)),
    "two": Value(Fraction(2)),
    "element": Value(Fraction(1), (("parameter", 1), ("token", -1))),
    "values": Value(Fraction(1), (("parameter", 1),)),
    "six": Value(Fraction(6), combined((("FLOP", 1),), (("parameter", 1), ("token", 1)), -1)),
}
"""Names in formulas that are no roles, besides `year` and `month`."""
WRITTEN = {"one": "1", "two": "2", "six": "6 FLOP/parameter/token", "element": "1 parameter/token"}
WRITTEN |= {"values": "1 parameter", "year": "1 year"}
"""Constants in the formula language; `month` depends on its length."""


@dataclass(frozen=True, slots=True)
class Role:
    """A role: a figure's own words must have the `cue`; if some figures have words to `prefer`, only these count."""

    name: str
    kinds: frozenset[str]
    optional: bool = False
    cue: re.Pattern[str] | None = None
    label: str = ""
    prefer: re.Pattern[str] | None = None


@dataclass(frozen=True)
class Relation:
    """A named relation: a formula over roles; factors and terms of missing optional roles are left out.

    `words` claim it, in the sentence of the figure; `outright` (else `words`) must be there to refute; `near` must be
    right around the figure; `condition` orders two of the roles. `flags`: `loose` words are common, so it refutes only
    if no other relation is named; `confirms` never refutes; `claimed` needs a verb between the inputs and the figure;
    with `alone` one figure is enough; figures may be `across` input and output; they come in `pairs`; the first
    share is `first`.
    """

    name: str
    title: str
    results: frozenset[str]
    roles: tuple[Role, ...]
    formula: str
    words: re.Pattern[str]
    outright: re.Pattern[str] | None = None
    near: re.Pattern[str] | None = None
    condition: str = ""
    flags: frozenset[str] = frozenset()

    @cached_property
    def rank(self) -> int:
        """How exactly words name it: 0 by name, 1 by words right around the figure, 2 by common words."""
        return 0 if "loose" not in self.flags else 1 if self.near is not None else 2

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of figures in its roles."""
        return frozenset(kind for role in self.roles for kind in role.kinds)

    def needs(self, known: frozenset[str]) -> bool:
        """Whether figures of the known kinds can fill each role that must be filled."""
        return all(role.optional or "same" in role.kinds or bool(role.kinds & known) for role in self.roles)

    def value(self, values: Mapping[str, Value]) -> Value | None:
        """The result of bound roles; None if dimensions do not fit, or on division by zero."""
        program, _ = self.program(frozenset(values))
        try:
            found = eval(program, {"__builtins__": {}}, dict(values))  # noqa: S307  # formulas of this package
        except ArithmeticError:
            return None
        return found if isinstance(found, Value) else None

    def program(self, bound: frozenset[str]) -> tuple[CodeType, str]:
        """The formula with the roles that are bound, compiled and as text."""
        return _compiled(self.formula, frozenset(role.name for role in self.roles if role.optional) - bound)


@cache
def _compiled(formula: str, missing: frozenset[str]) -> tuple[CodeType, str]:
    """A formula without the factors and terms of missing roles."""
    names = "|".join(missing) or "(?!)"
    formula = re.sub(rf"(?<!one) [-+] (?:{names})\b", "", formula)  # (revenue - cost - second)
    formula = re.sub(r"\((\w+)\)", r"\1", formula)
    formula = re.sub(rf" [*/] (?:(?:{names})\b|\(one [-+] (?:{names})\))", "", formula)
    formula = re.sub(rf"^(?:{names}) (?:\* |(?=/))", lambda first: "" if "*" in first[0] else "one ", formula)
    return compile(formula, "<relation>", "eval"), formula


def kinds(one: Figure, near: str, before: str, words: str) -> frozenset[str]:
    """What a figure may be in a relation, by its own words (`near`), those before it, and its sentence."""
    small = one.sort == "count" and not one.dimensions and 1 <= one.low < 3 and not one.spelled
    if small and (_PUE.search(near) or (_PUE.search(words) and "." in one.text)):
        return frozenset({"pue"})
    found = _by_dimensions(one, before)
    if "hours" in found and _AGE.search(before):
        found = {"age"}
    if one.sort == "x" and one.text.lower().startswith("halv"):
        return frozenset({"share", "keeps"})
    if "share" in found:
        found |= {name for name, cue in _SHARE_CUES.items() if cue.search(near)} or {"plain_share"}
    return frozenset(found)


def _by_dimensions(one: Figure, before: str) -> set[str]:  # noqa: C901, PLR0911  # one case each
    if one.sort == "pp":
        return {"points"}
    if one.sort in {"%", "x"}:
        return {"share"} if one.sort == "%" or one.low < 1 else {"factor"}
    if any(name in CURRENCIES for name, _ in one.dimensions):
        return _of_money(one, before)
    if one.noun.endswith("-hour"):
        return {"gpuh", "amount"}
    if one.unit == "bit":
        return {one.noun or "bits"}
    if one.unit == "byte" and one.low <= 8:
        return {"bits", "bytes"}
    if one.sort == "count":
        return _of_count(one)
    if one.sort == "unit" and one.period:
        if one.unit.endswith("Wh"):
            return {"energy", "amount"}
        if not one.dimensions:
            return {"duty"}
    found = set(_KINDS.get(one.dimensions, "").split())
    return found | {"tokens_each"} if one.of and "tokens" in found else found


def _of_money(one: Figure, before: str) -> set[str]:
    rest = tuple(pair for pair in one.dimensions if pair[0] not in CURRENCIES)
    if rest == (("hour", -1),):
        return {"rent", "money_any", "money_each" if one.of and one.of != "GPU" else "money_rate"}
    if rest:
        kind = {(("token", -1),): "price", (("hour", -1), ("watt", -1)): "tariff"}
        return {kind.get(rest, "money_per"), "unit_price"}
    if one.of:
        return {"money_each", "money_any"}
    if not _AT.search(before):
        return {"money", "money_any"}
    return {"money_at", "rent", "money_any"} | (set() if one.label else {"money_each"})


def _of_count(one: Figure) -> set[str]:
    if not one.noun:
        return {"bare"}
    if one.noun in {"layer", "head"}:
        return {f"{one.noun}s"}
    if one.noun == "GPU":
        return {"gpus_each"} if one.of in NODES else {"gpus", "units", "things", "amount"}
    if one.noun in NODES:
        return {"nodes", "units", "things", "amount"}
    return {"things", "amount", "rate"} if one.period else {"things", "amount"}


def _fields(lines: str) -> dict[str, list[str]]:
    """The values of labelled lines, by label."""
    found: dict[str, list[str]] = defaultdict(list)
    for label, _, value in (line.partition(": ") for line in lines.strip().split("\n")):
        found[label].append(value)
    return found


_NAMED = {name: "|".join(patterns) for name, patterns in _fields(_PATTERNS).items()}
_SHARE_CUES = {name: re.compile("|".join(patterns), re.I) for name, patterns in _fields(_SHARES).items()}


def _pattern(text: str) -> re.Pattern[str]:
    while (complete := re.sub(r"\{([A-Z_]+)\}", lambda found: _NAMED[found[1]], text)) != text:
        text = complete
    return re.compile(text, re.I)


def _kinds(text: str) -> frozenset[str]:
    return frozenset(kind for name in text.split("|") for kind in _KIND_GROUPS.get(name, name).split("|"))


def _role(text: re.Match[str]) -> Role:
    cue, prefer = (_pattern(rf"\b(?:{_NAMED[text[key]]})") if text[key] else None for key in ("cue", "prefer"))
    return Role(text["name"], _kinds(text["kinds"]), bool(text["optional"]), cue, text["label"] or "", prefer)


def relation(entry: str) -> Relation:
    """The relation of an entry of `relation_table`."""
    first, second, rest = entry.split("\n", 2)
    head, equation, fields = _HEAD.fullmatch(first), _EQUATION.fullmatch(second), _fields(rest)
    if head is None or equation is None:
        raise ValueError(f"{first!r} is not a relation")
    words, outright, near = (
        _pattern("|".join(fields[key])) if fields[key] else None for key in ("words", "outright", "near")
    )
    title, flags = head["title"] or head["name"], frozenset((head["flags"] or "").split(", "))
    roles = tuple(map(_role, _ROLE.finditer(" ".join(fields["roles"]))))
    how = (words or CLAIM, outright, near, equation["condition"] or "", flags)
    return Relation(head["name"], title, _kinds(equation["results"]), roles, equation["formula"], *how)


CLAIM = _pattern("{SO}")  # words between the inputs and the figure that claim it as their result
LESS = _pattern("{LESS}")
