"""What a number in prose measures: its unit, the thing that it counts, and what it is per."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from compute.figures.figure_models import HOUR, TOKEN, Measure
from compute.figures.number_words import ATOMS, CHIP, COINS, EACH, GPUS, IRREGULAR, PERIODS, SIGNS, word_set

_KIND = re.compile(
    r"(?P<pp>[\s-]?(?:pp\b|percentage[ -]points?\b|points? of (?:margin|gross margin|utili[sz]ation)\b"
    r"|basis[ -]points?\b|bps\b)|(?P<bare>[ -]points?\b(?! (?:of|in|out|at|to|where|that|release|version"
    r"|presentation)\b)))|(?P<percent>\s?%|[ -]per ?cent\b(?!age))"
    r"|(?P<times>\s?×(?!\s?(?:[\d$€£]|[A-Z]+\d|GPU))|x(?![A-Za-z0-9])(?! ?(?:[A-Z]+\d|\d|GPU))|-times\b"
    r"| times\b(?!,? (?:a|per|each|every|in|over|during|on|and|when|before|after|until|faster than)\b"
    r"(?! (?:price|cost|input|output|list))|[.,;:)]?$)|[ -]?fold\b)"
)
_COIN = re.compile(rf"\s?(?P<coin>{'|'.join(map(re.escape, COINS))})s?(?![A-Za-z])(?!(?<=[$€¢])\s?\d)", re.I)
"""A currency after a number; in 2025 $3 it is the next number's."""
_WORD = re.compile(r"[ \u00a0-]?(?P<word>[A-Za-zµ][A-Za-z0-9]*(?:-(?!per\b|and\b)[A-Za-z0-9]+)*)")
_PER = re.compile(
    r"(?:(?: \(?(?:for )?(?:in|out|input|output)\)?)? per[ -]|\s?/\s?|,? per[ -]"
    r"| for (?:one |a |1 )?(?=million|1M|thousand)|-per-|(?P<article>,? an? )|,? (?:for )?(?:each|every) "
    r"|(?<=\$)(?=\S))(?P<count>1M\b|1 ?(?:million|K\b)|(?:one )?million\b|M(?:illion)?\b(?!-)|MM\b|K\b"
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
_CODES = frozenset({"usd", "eur", "gbp", "chf"})  # money only in capitals: 450GBps is none
_TITLE = re.compile(
    r"(?:^|[\n|])\s*(?:[-*•+]\s+)?\**(?:[A-Za-z][\w-]* ){0,3}?(?P<noun>[A-Za-z]+s)\**"
    r"(?: (?:per|a|each) (?P<of>\w+)| each)?\**\s*[:=]\**\s*$"
)
"""The label of an item before its number: `Requests: 300,000`."""
_PER_TITLE = re.compile(r"(?:^|[\n|*-])[^\n:|]{0,30}\b(?:per|each|a) (?P<of>[a-z]+)\**\s*[:=]\**\s*$", re.I)
_MANY = re.compile(r"\s?[x×](?=\s?(?:[A-Z]+\d\w*|GPUs?)(?! (?:perf|throughput|memory|speed|bandwidth)))")  # 8x H100
_HOLDER = re.compile(
    r"[ -](?:\w+ )?(?P<holder>nodes?|servers?|machines?|box(?:es)?|instances?|hosts?|chassis|systems?)\b", re.I
)
"""After a number of GPUs: they are those of one node."""
_PARAMETRIC = re.compile(
    r"(?i)[ -](?:param|dense|model|MoE|mixture|LLM|checkpoint|weights|active|total|instruct|chat|base|class|at\b|in\b"
    r"|needs|on\b|with\b)"
)
_OF_MODEL = re.compile(
    r"(?i)\b(?:Llama|LLaMA|Qwen|Mixtral|Mistral|Gemma|DeepSeek|Falcon|Yi|OLMo|Phi|GPT|Nemotron|Kimi|GLM|model"
    r"|parameters?|params|active|activates?|weights)\b"
)
_OF_CHIP = re.compile(r"[ -](?:GPU|SXM|PCIe|card|accelerator|chip|node|server|instance|box|machine|hour)")
_TIMES = word_set("hour hours hr hrs day days month months year years")
_CARBON = re.compile(r" of (?:CO2|CO₂|carbon)e?\b| CO2e?\b| CO₂e?\b")
_ADVERB = re.compile(
    r" (?:each|apiece)\b|,? per (?:GPU|card|chip)\b"
    r"|(?:, | )(?P<adverb>hourly|daily|weekly|monthly|quarterly|annually|yearly)\b"
)
_THOUSAND = re.compile(r"^(?:1 ?)?[kK]|housand|^1,?000$")
_JOINED_TIME = re.compile(r"[- /](?P<time>hours?|hrs?|h|days?|months?|years?|yr)\b")
_PAST = re.compile(r" (?:ago|earlier|later|before|prior|into|after)\b")
_RATED = word_set("GPU node request user image page seat server instance")


def measure_after(text: str, match: re.Match[str], value: Decimal) -> Measure:
    """The measure of a matched number, from the words after it."""
    end = match.end()
    if match["sign"]:
        sign = match["sign"].strip()
        return _money(text, end, SIGNS.get(sign, sign))
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
        return _money(text, coin.end(), COINS[coin["coin"].lower()])
    return quantity_after(text, end, match, value)


def _money(text: str, end: int, currency: str) -> Measure:
    made = Measure(end, "money", currency, dimensions=((currency, 1),))
    hour = _unit_after(text, end, Decimal(0), most=1)
    return _over(made, hour, Fraction(1), hour.end) if hour and hour.noun else _with_per(text, made)  # a $3 GPU-hour


def quantity_after(text: str, end: int, match: re.Match[str], value: Decimal) -> Measure:
    """The measure of a number by the unit or the counted thing after it."""
    many = _MANY.match(text, end)
    end = many.end() if many else end
    glued = text[end : end + 1].isalpha()
    before = text[max(0, match.start() - 60) : match.start()]
    unit = _unit_after(text, end, value, most=1 if glued else 3)
    if unit is not None:
        titled = _PER_TITLE.search(before[-40:])
        if titled and singular(titled["of"]) in EACH:
            unit = replace(unit, of=singular(titled["of"]))
        return _with_per(text, unit)
    near = text[max(0, match.start() - 90) : match.end() + 60]
    if match["scale"] == "B" and (glued or _PARAMETRIC.match(text, match.end()) or _OF_MODEL.search(near)):
        return Measure(match.end(), "unit", "parameter", dimensions=(("parameter", 1),))
    noun, at = _noun(text, end)
    holder = _HOLDER.match(text, at) if noun == "GPU" else None
    made = Measure(at, "count", noun=noun, of=singular(holder["holder"]) if holder else "")
    named = _TITLE.search(before) if not noun else None
    if named:
        made = replace(made, noun=_thing(named["noun"]))
        if ATOMS.get(named["of"] or "", ("", "", 0))[1] == "hour":
            made = made.per_time(ATOMS[named["of"]][0], at)
    after = _with_per(text, made)
    return replace(after, end=end) if after.end == made.end else after


def _unit_after(text: str, end: int, value: Decimal, most: int) -> Measure | None:
    """The unit in the first words: tokens, input tokens, kilowatt hours."""
    words, at = list[str](), end
    while len(words) < most:
        word = _WORD.match(text, at)
        hyphened = words and text[at : at + 1] == "-" and not CHIP.fullmatch(words[-1])
        if word is None or word["word"].lower() in _STOPS or hyphened:
            return None
        words.append(word["word"])
        at = word.end()
        found = _atom(words, text, at, value)
        if found is not None or (words[-1].lower() not in GPUS and _is_plural(words[-1])):
            return found
    return None


def _is_plural(word: str) -> bool:
    return (word.endswith("s") and not word.endswith(("ss", "us", "is"))) or word in IRREGULAR


def singular(noun: str) -> str:
    """A noun in the singular: query for queries."""
    lower = noun.lower()
    return IRREGULAR.get(lower, lower[:-1] if _is_plural(lower) else lower)


def _thing(word: str) -> str:
    """What a word counts: GPU by any name, else the singular."""
    return "GPU" if word.lower() in GPUS or CHIP.fullmatch(word) else singular(word)


def _noun(text: str, end: int) -> tuple[str, int]:
    """What a number counts, and where the word ends."""
    at, kept = end, ("", end)
    for place in range(4):
        word = _WORD.match(text, at)
        if word is None or word["word"].lower() in _STOPS or text[at : at + 2] == " \n":
            break
        name, at = word["word"], word.end()
        lower = name.lower()
        if lower in GPUS or (CHIP.fullmatch(name) and (name.endswith("s") or not _OF_CHIP.match(text, at))):
            return "GPU", at
        if _is_plural(name) and text[at : at + 1] != "-":
            return singular(name), at
        if place == 0 and (text[end : end + 1] == "-" or lower in EACH):
            kept = (singular(name), at)
    return kept


def _atom(words: list[str], text: str, at: int, value: Decimal) -> Measure | None:
    """The unit that words end with: tokens, GPU-hours, TFLOPS."""
    last = words[-1]
    joined = last.split("-")
    if len(joined) == 2 and joined[1].lower() in _TIMES:
        return _thing_hours(joined[0], joined[1], at)
    if last in _TIMES and len(words) > 1 and _thing(words[-2]) in {"GPU", "node", "instance"}:
        return _thing_hours(words[-2], last, at)
    names = (" ".join(words[-2:]), last, last.lower() if len(last) > 2 else last)
    name = next((name for name in names if name in ATOMS), None)
    if name is None or (name == "s" and len(words) == 1 and value > 500 and text[at - 2] == " "):
        return None
    unit, base, size = ATOMS[name]
    amount = value * Decimal(size.numerator)
    one_of_many = base == "FLOP" and len(name) < 7 and name.endswith("s") and text[at : at + 1] != "/"
    if one_of_many and amount < Decimal("1e18"):
        unit, base, size = f"{unit}S", "FLOP/hour", size * 3600  # 312 TFLOPs of a chip, a second
    if base == "FLOP/hour" and text[at : at + 2] == "/s":
        unit, base, size = unit[:-1], "FLOP", size / 3600
    elif base == "FLOP/hour" and name.isupper() and amount > Decimal("3600e19"):
        unit, base, size = unit[:-1], "FLOP", size / 3600  # 3e23 FLOPS of a training run
    above, _, below = base.partition("/")
    dimensions = tuple(sorted([*((name, 1) for name in above.split("*")), *([(below, -1)] if below else [])]))
    following = _CARBON.match(text, at)
    return Measure(following.end() if following else at, "unit", unit, dimensions=dimensions, factor=size)


def _thing_hours(thing: str, time: str, at: int) -> Measure | None:
    name = _thing(thing)
    if name != "GPU" and name not in EACH:
        return None
    unit, _, size = ATOMS[time.lower()]
    unit = "GPUh" if (name, unit) == ("GPU", "h") else f"{name}*{unit}"
    return Measure(at, "unit", unit, dimensions=HOUR, factor=size, noun=f"{name}-hour")


def _with_per(text: str, made: Measure) -> Measure:
    """A measure with the rates after it: per million tokens, /GPU/h, monthly."""
    for _ in range(3):
        match = _PER.match(text, made.end)
        step = _per(text, match, made) if match and match.end() > made.end else None
        if step is None:
            break
        made = step
    each = _ADVERB.match(text, made.end)
    if each and each["adverb"]:
        return made.per_time(PERIODS[each["adverb"]], each.end())
    return replace(made, of=made.of or "each") if each else made


def _per(text: str, match: re.Match[str], made: Measure) -> Measure | None:  # noqa: C901, PLR0911  # one case each
    """A measure per one thing; None if the words mean something else."""
    at, count = match.end(), Fraction(1)
    many = match["mtok"] or match["count"]
    if many:
        count = Fraction(1000 if _THOUSAND.search(many) else 10**6)
    tokens = "Mtok" if count > 1000 else "ktok"
    if match["mtok"]:
        return made.over(at, tokens, TOKEN, count)
    words, here = list[str](), at
    for _ in range(3):
        word = _WORD.match(text, here)
        if word is None or word["word"].lower() in _STOPS or (not words and text[at : at + 1] == " "):
            break
        words.append(word["word"])
        here = word.end()
        atom = _atom(words, text, here, Decimal(0))
        if atom is not None and _PAST.match(text, here):
            return None
        if atom is not None and (atom.dimensions != HOUR or not match["count"]):
            return _over(made, atom, count, here)
        thing = _thing(words[-1])
        joined = _JOINED_TIME.match(text, here) if thing == "GPU" or thing in EACH else None
        if joined:
            rate = made.per_time(ATOMS[joined["time"]][0], joined.end())
            return replace(rate, of=thing, per=f"GPU/{rate.period}" if thing == "GPU" else rate.per)
        if thing == "GPU" or thing in EACH:
            per = f"{made.per}/{thing}".strip("/") if thing in _RATED else made.per
            return replace(made, end=here, of=thing, per=per, factor=made.factor / count)
    if match["count"] and made.sort == "money":
        return made.over(match.end("count"), tokens, TOKEN, count)
    each = match["article"] or "each" in match[0] or "every" in match[0] or match[0].startswith("/")
    named = bool(words) and words[0].isalpha() and len(words[0]) > 2
    if named and not each and words[0].lower() not in {"cent", "annum", "unit"}:
        word = _WORD.match(text, at)
        return replace(made, end=word.end() if word else at, of=singular(words[0]), factor=made.factor / count)
    return None


def _over(made: Measure, atom: Measure, count: Fraction, end: int) -> Measure:
    if atom.noun:  # per GPU-hour
        thing = atom.noun.removesuffix("-hour")
        time = "h" if atom.factor == 1 else atom.unit.rpartition("*")[2]
        rate = made.over(end, "", atom.dimensions, atom.factor, of=thing, period="h")
        return replace(rate, per=f"GPU/{time}" if thing == "GPU" else "h")
    if made.sort == "count" and atom.unit == "token":
        return replace(made, end=end, of="token", factor=made.factor / count)
    unit = {10**6: "Mtok", 1000: "ktok"}.get(int(count), "token") if atom.unit == "token" else atom.unit
    period = atom.unit if atom.dimensions == HOUR else made.period
    return made.over(end, unit, atom.dimensions, atom.factor * count, period=period)
