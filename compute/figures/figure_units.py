"""What a number in prose measures: its unit with dimensions, the thing that it counts, and what it is per.

million input tokens · GPU-hours · kW per server · USD for each of a million tokens · requests a day
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from compute.figures.figure_models import Dimensions
from compute.figures.number_words import ATOMS, CHIP, COINS, EACH, GPUS, IRREGULAR, PERIODS, SIGNS, word_set
from compute.units.unit_table import CURRENCIES

_KIND = re.compile(
    r"(?P<pp>[\s-]?(?:pp\b|percentage[ -]points?\b|points? of (?:margin|gross margin|utili[sz]ation)\b"
    r"|basis[ -]points?\b|bps\b)|(?P<bare>[ -]points?\b(?! (?:of|in|out|at|to|where|that|release|version"
    r"|presentation)\b)))|(?P<percent>\s?%|[ -]per ?cent\b(?!age))"
    r"|(?P<times>\s?×(?!\s?[\d$€£])|x(?![A-Za-z0-9])(?! ?(?:[A-Z]+\d|\d|GPU))|-times\b"
    r"| times\b(?!,? (?:a|per|each|every|in|over|during|on|and|when|before|after|until|faster than)\b"
    r"(?! (?:price|cost|input|output|list))|[.,;:)]?$)|[ -]?fold\b)"
)
_COIN = re.compile(rf"\s?(?P<coin>{'|'.join(map(re.escape, COINS))})s?(?![A-Za-z])", re.I)
_WORD = re.compile(r"[ \u00a0-]?(?P<word>[A-Za-zµ][A-Za-z0-9]*(?:-(?!per\b|and\b)[A-Za-z0-9]+)*)")
_PER = re.compile(
    r"(?:(?: \(?(?:for )?(?:in|out|input|output)\)?)? per[ -]|\s?/\s?|,? per[ -]"
    r"| for (?:one |a |1 )?(?=million|1M|thousand)|-per-|(?P<article>,? an? )|,? (?:for )?(?:each|every) "
    r"|(?<=\$)(?=))(?P<count>1M\b|1 ?(?:million|K\b)|(?:one )?million\b|M(?:illion)?\b(?!-)|MM\b|K\b"
    r"|thousand\b|1,000\b|1000\b|1,000,000\b|1k\b)?[ -]?(?P<mtok>M[Tt]ok(?:ens?)?\b|ktok\b)?"
)
_STOPS = word_set("""
    in of at and for per a an the to with on by from over is are was were or as than that which when while if
    into after before each every so but then it we they more less fewer off out up down cheaper higher lower
    faster slower larger bigger longer smaller total would will can could costs cost takes took gives had has
    have do does did not all both until since during between because plus minus times versus vs cuts makes gives
    uses needs comes saves leaves draws runs brings pays adds means serves sends gets holds reads writes works
    drops falls rises goes lasts buys earns keeps sells burns emits produces delivers handles meets equals
    yields averages generates i.e e.g this these those what now only just still also too again instead through
    under above below within without across against per
    """)
_CODES = frozenset({"usd", "eur", "gbp", "chf"})
"""Codes that are money only in capitals: 450GBps is none."""


class Measure(NamedTuple):
    """What follows a number: where it ends, the type, the unit with its dimensions and size, and what is counted."""

    end: int
    sort: str
    unit: str = ""
    per: str = ""
    dimensions: Dimensions = ()
    factor: Fraction = Fraction(1)
    noun: str = ""
    of: str = ""
    adjective: str = ""
    period: str = ""


def measure_after(text: str, match: re.Match[str], value: Decimal) -> Measure:
    """What a matched number measures, from the words after it; `value` is the number."""
    end = match.end()
    if match["sign"]:
        sign = match["sign"].strip()
        return _money(text, end, SIGNS.get(sign, sign), value)
    kind = _KIND.match(text, end)
    if kind and kind["bare"]:
        kind = kind if "%" in text[max(0, match.start() - 160) : match.start()] else None
    if kind and not (kind["times"] and match["scale"] and len(match["scale"].strip()) > 1):
        sort = "pp" if kind["pp"] or kind["bare"] else "%" if kind["percent"] else "x"
        return Measure(kind.end(), sort, factor=Fraction(1) if sort == "x" else Fraction(1, 100))
    if match["first"]:
        return Measure(end, "%", factor=Fraction(1, 100))
    coin = _COIN.match(text, end)
    if coin and (coin["coin"].lower() not in _CODES or coin["coin"].isupper()):
        return _money(text, coin.end(), COINS[coin["coin"].lower()], value)
    return quantity_after(text, end, match, value)


def _money(text: str, end: int, currency: str, value: Decimal) -> Measure:
    base = {"cent": "USD", "pence": "GBP"}.get(currency, currency)
    if base not in CURRENCIES:
        return Measure(end, "count")
    made = Measure(end, "money", currency, dimensions=((base, 1),))
    return _with_per(text, made, value)


def quantity_after(text: str, end: int, match: re.Match[str], value: Decimal) -> Measure:  # noqa: C901  # one case after the other
    """A number with the unit or the counted thing after it."""
    words, at = list[str](), end
    glued = bool(text[end : end + 1].isalpha())
    chosen, unit_end = None, end
    first = None
    for _ in range(4):
        word = _WORD.match(text, at)
        if (
            word is None
            or word["word"].lower() in _STOPS
            or (words and text[at : at + 1] == "-" and not CHIP.fullmatch(words[-1]))
        ):
            break
        if first is None:
            first = word
        words.append(word["word"])
        at = word.end()
        found = _atom(words, text, at, value)
        if found is not None:
            chosen, unit_end = found, found.end
            break
        if glued or (words[-1].lower() not in GPUS and _is_plural(words[-1])) or len(words) == 3:
            break
    if chosen is not None:
        titled = _PER_TITLE.search(text[max(0, match.start() - 40) : match.start()])
        if titled and singular(titled["of"]) in EACH:
            chosen = chosen._replace(of=singular(titled["of"]))
        if chosen.noun == "billion parameters":
            chosen = chosen._replace(noun="")
        return _with_per(text, chosen._replace(end=unit_end, adjective=" ".join(words[:-1])), value)
    if match["scale"] == "B" and (_parametric(text, match) or glued):
        return Measure(match.end(), "unit", "parameter", dimensions=(("parameter", 1),), adjective="")
    noun, at = _noun(text, end)
    holder = _HOLDER.match(text, at) if noun == "GPU" else None
    made = Measure(
        at if noun else end,
        "count",
        noun=noun,
        of=singular(holder["holder"]) if holder else "",
        adjective=" ".join(words[:-1]) if len(words) > 1 else "",
    )
    named = _TITLE.search(text[max(0, match.start() - 60) : match.start()]) if not noun else None
    if named:
        made = made._replace(noun="GPU" if named["noun"].lower() in GPUS else singular(named["noun"]))
        if (named["of"] or "") in ATOMS and ATOMS[named["of"]][1] == "hour":
            made = per_time(made, ATOMS[named["of"]][0], made.end)
    after = _with_per(text, made, value)
    return after._replace(end=end) if after.end == made.end else after


_TITLE = re.compile(
    r"(?:^|[\n|])\s*(?:[-*•+]\s+)?\**(?:[A-Za-z][\w-]* ){0,3}?(?P<noun>[A-Za-z]+s)\**"
    r"(?: (?:per|a|each) (?P<of>\w+)| each)?\**\s*[:=]\**\s*$"
)
"""The label of an item before its number: `Requests: 300,000`."""
_PER_TITLE = re.compile(r"(?:^|[\n|*-])[^\n:|]{0,30}\b(?:per|each|a) (?P<of>[a-z]+)\**\s*[:=]\**\s*$", re.I)
_HOLDER = re.compile(
    r"[ -](?:\w+ )?(?P<holder>nodes?|servers?|machines?|box(?:es)?|instances?|hosts?|chassis|systems?)\b", re.I
)
"""After so many GPUs: they are those of one node."""
_PARAMETRIC = re.compile(
    r"[ -](?:param|dense|model|MoE|mixture|LLM|checkpoint|weights|active|total|instruct|chat|base|class"
    r"|at\b|in\b|needs|on\b|with\b)",
    re.I,
)
_OF_MODEL = re.compile(
    r"\b(?:Llama|LLaMA|Qwen|Mixtral|Mistral|Gemma|DeepSeek|Falcon|Yi|OLMo|Phi|GPT|Nemotron|Kimi|GLM|model"
    r"|parameters?|params|active|activates?|weights)\b",
    re.I,
)


def _parametric(text: str, match: re.Match[str]) -> bool:
    """Whether so many billion are the parameters of a model: a 70B model, Llama 3.1 405B, 37B of them active."""
    near = text[max(0, match.start() - 90) : match.end() + 60]
    return bool(_PARAMETRIC.match(text, match.end()) or _OF_MODEL.search(near))


def _is_plural(word: str) -> bool:
    return (word.endswith("s") and not word.endswith(("ss", "us", "is"))) or word in IRREGULAR


def singular(noun: str) -> str:
    """A noun in the singular: requests and request, queries and query."""
    lower = noun.lower()
    if lower in IRREGULAR:
        return IRREGULAR[lower]
    return lower[:-1] if _is_plural(lower) else lower


def _noun(text: str, end: int) -> tuple[str, int]:
    """What a number counts, and where the word ends: the first plural among the words after it."""
    at, kept = end, ("", end)
    for place in range(4):
        word = _WORD.match(text, at)
        if word is None or word["word"].lower() in _STOPS or text[at : at + 2] == " \n":
            break
        name, at = word["word"], word.end()
        lower = name.lower()
        if CHIP.fullmatch(name) and (
            name.endswith("s")
            or not re.match(
                r"[ -](?:GPU|SXM|PCIe|card|accelerator|chip|node|server|instance|box|machine|hour)", text[at:]
            )
        ):
            return "GPU", at
        if lower in GPUS:
            return "GPU", at
        if _is_plural(name) and not re.match(r"-", text[at : at + 1]):
            return singular(name), at
        if place == 0 and (text[end : end + 1] == "-" or lower in EACH):
            kept = (singular(name), at)
    return kept


def _atom(words: list[str], text: str, at: int, value: Decimal) -> Measure | None:
    """The unit that words end with: tokens, GPU-hours, kilowatt hours, TFLOPS."""
    last = words[-1]
    joined = last.split("-")
    if len(joined) == 2 and joined[1].lower() in {
        "hour",
        "hours",
        "hr",
        "hrs",
        "day",
        "days",
        "month",
        "months",
        "year",
        "years",
    }:
        return _thing_hours(joined[0], joined[1], at)
    if (
        last in {"hours", "hour", "hrs", "days", "months", "years"}
        and len(words) > 1
        and (words[-2].lower() in GPUS or CHIP.fullmatch(words[-2]) or words[-2].lower() in {"node", "instance"})
    ):
        return _thing_hours(words[-2], last, at)
    for name in (" ".join(words[-2:]), last, last.lower() if len(last) > 2 else last):
        if name in ATOMS and not (
            len(words) == 1
            and name in {"s", "t", "g", "h", "mo"}
            and text[at - len(name) - 1 : at - len(name)] == " "
            and value > 500
            and name == "s"
        ):
            unit, base, size = ATOMS[name]
            if (
                base == "FLOP"
                and len(name) < 7
                and name.endswith("s")
                and text[at : at + 1] != "/"
                and value * Decimal(size.numerator) < Decimal("1e18")
            ):
                unit, base, size = f"{unit}S", "FLOP/hour", size * 3600  # 312 TFLOPs of a chip, a second
            if base == "FLOP/hour" and text[at : at + 2] == "/s":
                unit, base, size = unit[:-1], "FLOP", size / 3600
            elif base == "FLOP/hour" and name.isupper() and value * Decimal(size.numerator) > Decimal("3600e19"):
                unit, base, size = unit[:-1], "FLOP", size / 3600  # 3e23 FLOPS of a training run
            following = re.match(r" of (?:CO2|CO₂|carbon)e?\b| CO2e?\b| CO₂e?\b", text[at:])
            return Measure(
                at + (following.end() if following else 0), "unit", unit, dimensions=_dimensions(base), factor=size
            )
    return None


def _thing_hours(thing: str, time: str, at: int) -> Measure | None:
    name = "GPU" if thing.lower() in GPUS or CHIP.fullmatch(thing) else singular(thing)
    if not (name == "GPU" or name in EACH):
        return None
    unit, _, size = ATOMS[time.lower()]
    return Measure(
        at,
        "unit",
        "GPUh" if (name, unit) == ("GPU", "h") else f"{name}*{unit}",
        dimensions=(("hour", 1),),
        factor=size,
        noun=f"{name}-hour",
    )


def _dimensions(base: str) -> Dimensions:
    above, _, below = base.partition("/")
    powers: dict[str, int] = {}
    for name in above.split("*"):
        powers[name] = powers.get(name, 0) + 1
    for name in below.split("*") if below else ():
        powers[name] = powers.get(name, 0) - 1
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def combined(one: Dimensions, other: Dimensions, times: int = 1) -> Dimensions:
    """The dimensions of a product; of a quotient with `times` -1."""
    powers = dict(one)
    for name, power in other:
        powers[name] = powers.get(name, 0) + power * times
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def _with_per(text: str, made: Measure, value: Decimal) -> Measure:
    """A measure with what follows it: per million input tokens, /GPU/h, a month, each, monthly."""
    for _ in range(3):
        match = _PER.match(text, made.end)
        step = _per(text, match, made, value) if match and match.end() > made.end else None
        if step is None:
            break
        made = step
    each = re.match(
        r" (?:each|apiece)\b|,? per (?:GPU|card|chip)\b|(?:, | )(?P<adverb>hourly|daily|weekly|monthly"
        r"|quarterly|annually|yearly)\b",
        text[made.end :],
    )
    if each and each["adverb"]:
        name = PERIODS[each["adverb"]]
        return per_time(made, name, made.end + each.end())
    return made._replace(of=made.of or "each") if each and "each" in each[0] + "each" else made


def per_time(made: Measure, name: str, end: int) -> Measure:
    """A measure per a time with a name of the formula language."""
    size = ATOMS.get(name, ("", "", Fraction(2190)))[2]
    per = f"{made.per}/{name}" if made.per else name
    return made._replace(
        end=end,
        per=per,
        dimensions=combined(made.dimensions, (("hour", 1),), -1),
        factor=made.factor / size,
        period=name,
    )


def _per(text: str, match: re.Match[str], made: Measure, value: Decimal) -> Measure | None:  # noqa: ARG001, C901, PLR0911  # one signature
    at, count = match.end(), Fraction(1)
    if match["mtok"] or match["count"]:
        many = match["mtok"] or match["count"]
        count = Fraction(
            1000
            if many[0] in "kK" or "housand" in many or many.replace(",", "") == "1000" or many.endswith("K")
            else 10**6
        )
    if match["mtok"]:
        return made._replace(
            end=at,
            per="Mtok" if count > 1000 else "ktok",
            dimensions=combined(made.dimensions, (("token", 1),), -1),
            factor=made.factor / count,
        )
    words, here = list[str](), at
    for _ in range(3):
        word = _WORD.match(text, here)
        if word is None or word["word"].lower() in _STOPS or (not words and text[at : at + 1] == " "):
            break
        words.append(word["word"])
        here = word.end()
        atom = _atom(words, text, here, Decimal(0))
        name = words[-1]
        if atom is not None and _PAST.match(text, here):
            return None
        if atom is not None and (atom.dimensions != (("hour", 1),) or not match["count"]):
            return _over(made, atom, count, here)
        if name.lower() in GPUS or CHIP.fullmatch(name) or singular(name) in EACH:
            joined = re.match(r"[- /](?P<time>hours?|hrs?|h|days?|months?|years?|yr)\b", text[here:])
            if joined and (name.lower() in GPUS or CHIP.fullmatch(name) or singular(name) in EACH):
                rate = per_time(made, ATOMS[joined["time"]][0], here + joined.end())
                return rate._replace(
                    of="GPU" if name.lower() in GPUS or CHIP.fullmatch(name) else singular(name),
                    per=_gpu_per(made, name, rate),
                )
            thing = "GPU" if name.lower() in GPUS or CHIP.fullmatch(name) else singular(name)
            per = (
                f"{made.per}/{thing}"
                if made.per and thing == "GPU"
                else thing
                if thing in {"GPU", "node", "request", "user", "image", "page", "seat", "server", "instance"}
                else made.per
            )
            return made._replace(end=here, of=thing, per=per, factor=made.factor / count)
    if match["count"] and made.sort == "money":
        return made._replace(
            end=match.end("count"),
            per="Mtok" if count > 1000 else "ktok",
            dimensions=combined(made.dimensions, (("token", 1),), -1),
            factor=made.factor / count,
        )
    if (
        words
        and not match["article"]
        and "each" not in match[0]
        and "every" not in match[0]
        and text[match.start() : match.start() + 1] != "/"
        and _is_thing(words[0])
    ):
        word = _WORD.match(text, at)
        return made._replace(end=word.end() if word else at, of=singular(words[0]), factor=made.factor / count)
    return None


_PAST = re.compile(r" (?:ago|earlier|later|before|prior|into|after)\b")


def _gpu_per(made: Measure, name: str, rate: Measure) -> str:  # noqa: ARG001  # one signature
    thing = "GPU" if name.lower() in GPUS or CHIP.fullmatch(name) else ""
    return f"{thing}/{rate.period}" if thing else rate.per


def _is_thing(word: str) -> bool:
    return word.isalpha() and len(word) > 2 and word.lower() not in {"cent", "se", "annum", "unit"}


def _over(made: Measure, atom: Measure, count: Fraction, end: int) -> Measure:
    if atom.noun:  # per GPU-hour
        thing = atom.noun.removesuffix("-hour")
        return made._replace(
            end=end,
            of=thing,
            per=f"{thing}/{'h' if atom.factor == 1 else atom.unit.rpartition('*')[2]}" if thing == "GPU" else "h",
            dimensions=combined(made.dimensions, atom.dimensions, -1),
            factor=made.factor / atom.factor,
            period="h",
        )
    if made.sort == "count" and atom.unit == "token":
        return made._replace(end=end, of="token", factor=made.factor / count)
    unit = {(True, 10**6): "Mtok", (True, 1000): "ktok"}.get((atom.unit == "token", count.numerator), atom.unit)
    hour = atom.dimensions == (("hour", 1),)
    return made._replace(
        end=end,
        per=f"{made.per}/{unit}" if made.per else unit,
        dimensions=combined(made.dimensions, atom.dimensions, -1),
        factor=made.factor / (atom.factor * count),
        period=atom.unit if hour else made.period,
    )
