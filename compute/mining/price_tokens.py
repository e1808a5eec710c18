"""Prices per token in sentences: which figure is the price of what.

GPT-4.1 costs $2 in and $8 out per million tokens        two facts
$1.25/$10 up to 200K, $2.50/$15 beyond                   a pair for each tier
drops from $5.00 to $0.50 with a cache hit               the price before and the price of the tier
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from compute.mining.date_text import Period
from compute.mining.model_mentions import Mention
from compute.mining.price_amounts import is_spent, summed
from compute.mining.price_facts import ANY, PriceFact
from compute.mining.price_figures import COMPARED as PRICES_COMPARED
from compute.mining.price_figures import PER_TOKEN, STOP, Stated, of_item, question, stated
from compute.mining.price_pronouns import COMPARED
from compute.mining.price_times import Time, Times
from compute.mining.text_windows import Window, unwrapped

_SIZE = r"(?P<size>\d{2,4}[kK]\b|\d{2,4},000\b|\d+(?:\.\d+)?M\b|\d{2,4} thousand)"
_CACHE = re.compile(r"\bcach(?:e|ed|es|ing)\b|\ba hit\b", re.I)
_WRITE = re.compile(r"\bwrit\w+|\bwrote\b", re.I)
_TIERS = {
    "batch": re.compile(r"\bbatch(?:es|ed|ing)?\b", re.I), "flex": re.compile(r"\bflex\b", re.I),
    "priority": re.compile(r"\bpriority\b", re.I), "fast": re.compile(r"\bfast mode\b", re.I),
}  # fmt: skip
_HOURLY = re.compile(
    r"\b(?:hour-long|(?:one|1|60)[- ](?:hours?|minutes?)|for (?:an|one|a full) hour) (?:one|cache)\b", re.I
)
"""A write to a cache for an hour, beside one for five minutes: an hour-long one costs $6."""
_CACHED = re.compile(r"\bwrit\w+|\bwrote\b|\bread(?:s|ing)?\b|\bhits?\b", re.I)
_STANDARD = re.compile(
    r"\b(?:standard|regular|list|normally|on[- ]demand|synchronous|full price|uncached|fresh)\b", re.I
)
_LONG = re.compile(
    rf"(?:above|over|beyond|longer than|more than|exceed\w*|past|>)\s?(?:the )?{_SIZE}|(?P<plus>\d{{2,4}}[kK])\+"
    r"|(?P<open>beyond|long[- ]context|above(?: that| the threshold)?[.,;)]|longer prompts)",
    re.I,
)
_SHORT = re.compile(
    rf"(?:under|below|up to|within|at most|base tier|≤|<=?|to)\s?(?:the )?{_SIZE}|\bbase tier\b|\bshort context", re.I
)
_SKIPPED = re.compile(
    r"fine-?tun|\btun(?:ed|ing)\b|\baudio\b|\bimages?\b|realtime|\bPTU|provisioned|grounding|thinking mode|introductory"
    r"|promotional"
    r"|regional|open-weight|self-host|rumou?r",
    re.I,
)
_LOOSE = re.compile(
    r"\bwould\b|\bcould\b|\bmight\b|expect|\baverag|\bblend|effective|\b(?:this|that) mix\b|\bworks? out\b"
    r"|\bends? up\b|hypothetical|surcharge|\bfactor of \d|\buplift|\bpremium\b|\b(?:US|EU|UK)-only\b|\bresidency\b"
    r"|(?<![-\w])embedding\b(?!-)|nonsense|\bwrong(?:ly)?\b|\bcorrection\b|\bregret\b|\berrone\w+|\bmistak\w+|\btypo\b|\bmisquot\w+"
    r"|\badds?\b|\bhosting\b|\bwill be\b|\bbet\b|\bforecast|\bpredict|\bguess|\breckon|\bsuppos|\bsuspect|\bspeculat"
    r"|\brumou?r|\bleak(?:s|ed)?\b|\bbeliev|\bthought (?:it|that|they)\b|\bhop(?:e|ing)\b|\bby next\b"
    r"|\bclaim(?:s|ed)\b",
    re.I,
)
_ON_TOP = re.compile(
    r"\bfactor of \d|\buplift|\bpremium\b|\bsurcharge|\bmark-?up|\bVAT\b|\bgross\b|\b(?:US|EU|UK)-only\b|\bresidency\b"
    r"|negotiat\w+|\bcontract\b|\bcommit(?:ment|ted)\b|\bresellers?\b",
    re.I,
)
"""Words of the sentence before for prices that are none of the list."""
_NEAR = 160
_LOOSE_CLAUSE = re.compile(r"\bnot\b(?! (?:included|counted|assumed|even)\b)|n['’]t\b|\bnever\b|\bnor\b", re.I)
"""Words that deny what their clause says."""
_CONDITION = re.compile(r"\bif\b[^,;—]*", re.I)
_SIBLING = re.compile(
    r"\b(?P<size>mini|nano|pro|lite|fast|turbo|max|flash|small(?:er|est)?|larg(?:e|er|est)|big(?:ger|gest)?|little"
    r"|full[- ]size|full|cheap(?:er|est)|light(?:er)?|older|newer|previous|next)"
    r"(?:[- ](?:version|variant|model|one|sibling|brother|sister|edition|counterpart|cousin|mode)\b"
    r"|(?:(?<=\bmini)|(?<=\bnano))(?=\s(?:would|does|costs|is|asks|takes|wants|at|for)\b))",
    re.I,
)
"""Words for a model beside one that is named."""
_SMALLER = re.compile(r"-(?:nano|mini|lite|small)$")
"""The end of the name of a model with a bigger sibling."""
_VARIANT_OF = re.compile(
    r"\b(?:version|variant|edition|sibling|cousin|successor|predecessor|fine-?tune|flavou?r|distillation) (?:of|to) "
    r"(?:the )?$",
    re.I,
)
"""Words before a name for a model that is not the named one."""
_CLAUSE = re.compile(r"[;:—–]|\.\s|,\s(?:so|but|and|because|while|which|since|as)\s|,\s(?=(?:\w+\s){0,2}\w+n['’]t\b)")
"""Borders of clauses."""
OWN = re.compile(
    r"\bre-?s(?:ell|old|ale)\w*|mark-?ups?\b|charge-?back|negotiat\w+|overhead|\binvoice"
    r"|\bour (?:own )?(?:rates?|prices?|discount|contract|customers?)\b|\bcustomers? (?:pay|at)\b"
    r"|\binternal(?:ly)?\b|\bwe (?:charge|bill)\b|\bcommit(?:ment|ted|ting)\b|\bin (?:return|exchange) for\b"
    r"|\bVAT\b|\btax(?:es)?\b|\bgross\b|\bagreement\b|\benterprise\b"
    r"|\b(?:below|under|off|above|over|than) (?:the )?(?:public|list|sticker|official|standard)\b|\ba host\b|\bhosts\b"
    r"|\brecharg\w+|\bcost[- ]plus\b|\bthird[- ]part(?:y|ies)\b|\bserves? us\b"
    r"|\bresellers?\b|\bmarketplace|\baggregators?\b|\bbrokers?\b"
    r"|\bwe (?:got|get|secured|agreed|bargained|haggled)\b|\bcontract\w*",
    re.I,
)
"""Words for a price of the writer's own: what customers pay, or what was negotiated."""
_MIXED = re.compile(
    r"\d\s?% of (?:the |your |our |all |its )?(?:\w+ )?(?:inputs?|prompts?|tokens?|traffic|requests?|calls?)\b", re.I
)
"""A share of the tokens: a price after it is of a mix."""
_PLAIN = re.compile(
    r"\$?[\w.-]+(?: (?:cents|dollars|bucks))?\s?(?:per|an?|/|for (?:an?|each|every))\s?"
    r"(?:1?M\b|million\b|MTok\b)(?: tokens?\b)?"
    r"(?=\s?[.,;:)—]|\s(?:and|or|but|on|with|as|since|at|in either)\b|$)",
    re.I,
)
"""A price of a million tokens of which its words say nothing else."""
_BESIDE = re.compile(
    r"[,:]?\s(?:(?:is|lists|costs|sells|asks|charges|stands|bills|goes|runs)(?: (?:at|for))?\s(?:just |only )?)?", re.I
)
"""Between a model and its price, with nothing else."""
_GAP, _TWO = 60, 2
LEAD = 300
"""How many signs before a sentence may name the tier that it is about."""
_OTHER = r"\b(?:rather than|instead of|versus|vs\.?|against|compared (?:to|with)|not)\s(?:the\s)?"
_OTHER_PRICE = re.compile(rf"[^;.$]{{0,24}}{_OTHER}\$", re.I)
_COMPARED_PRICE = re.compile(rf"\$[\d.]+\b[^;.$]{{0,24}}{_OTHER}$", re.I)
"""Words after a price before the one that it is compared with, and those before the latter."""
_ITS = re.compile(r"\bits\b[^;.]*$", re.I)
_AHEAD = re.compile(r"replac|beat|undercut|supersed|outperform|succeed", re.I)
"""Verbs after whose object a price belongs to the subject."""


def unsure(text: str) -> bool:
    """Whether a text has words for prices that are none of a list, or not those of today."""
    return any(words.search(text) for words in (_LOOSE, OWN, _MIXED))


def sibling(text: str, mention: Mention, known: frozenset[str]) -> tuple[Mention, bool]:
    """The model that a text names by another one, such as its mini version; and whether it is not known."""
    found = [match for match in _SIBLING.finditer(text) if match["size"].lower() not in mention.item]
    if not found:
        return mention, False
    size = found[-1]["size"].lower()
    item = _SMALLER.sub("", mention.item) if size.startswith("full") else f"{mention.item}-{size}"
    return (replace(mention, item=item), False) if item in known else (mention, True)


class Sentence:
    """The facts of one sentence."""

    def __init__(
        self, window: Window, mentions: tuple[Mention, ...], items: dict[str, tuple[str, ...]], known: frozenset[str]
    ) -> None:
        """`items` are those that hosts have of a model, `known` all items of the book."""
        self._window, self._mentions, self._items, self._known = window, mentions, items, known
        self._times = Times(window.prose)
        self._text = window.prose
        mask = unwrapped(window.passage.mask)
        begin = max(window.start - LEAD, 0)
        first = max(mask.rfind("\n\n", begin, window.start), begin)
        self._lead = mask[first : window.start]
        above = mask[max(first - LEAD, 0) : first].rstrip().rpartition("\n")[2]
        self._heading = above if above.startswith("#") else ""
        self._stated = stated(window, self._lead)

    def facts(
        self, *, carried: Mention | None = None, sure: bool = False, day: Period | None = None
    ) -> Iterator[PriceFact]:
        """A fact for each price; `carried` is the model of the text before, `sure` if no other one can be meant.

        `day` is the paragraph's day.
        """
        if _SKIPPED.search(self._text) or not self._stated:
            return
        loose = unsure(self._text) or self._text.rstrip().endswith("?")
        loose = loose or _ON_TOP.search(self._lead[-_NEAR:]) is not None or OWN.search(self._heading) is not None
        loose = loose or (is_spent(self._text) and not PER_TOKEN.search(self._text))
        added = summed(self._window.figures, self._text, self._window.start)
        conditions = [match.span() for match in _CONDITION.finditer(self._text)]
        for index, one in enumerate(self._stated):
            mention = self._subject(index) or carried
            if mention is None:
                continue
            mention, unclear = self._relative(index, mention)
            unclear = unclear or self._of_a_stranger(index)
            fact = self._fact(index, one, mention)
            time = fact.time
            earlier = day if time.period is None and not time.now and not time.past else None
            known = mention in self._mentions or mention.item != (carried.item if carried else "")
            if not known and len(fact.components) > 1:
                continue
            vague = len(fact.components) > 1 and "cache_write" not in fact.components
            at = one.figure.start - self._window.start
            beside = not one.figure.per and _BESIDE.fullmatch(self._text, mention.end, at)
            vague = vague and not (beside or _PLAIN.match(self._text, at))
            hedges = {other.figure.hedge for other in self._stated if other.pair == one.pair}
            cautious = loose or not (known or sure) or vague or bool(hedges & {"at most", "at least"})
            cautious = cautious or unclear or any(start <= at < end for start, end in conditions) or self._denied(at)
            cautious = cautious or one.figure.start in added
            cautious = cautious or (len(self._mentions) > 1 and self._of_another(one))
            yield replace(fact, earlier=earlier, cautious=cautious)

    def _relative(self, index: int, mention: Mention) -> tuple[Mention, bool]:
        """The model that is named by another one: GPT-4o, and its mini version; and whether that is not known."""
        first = min(place for place, other in enumerate(self._stated) if other.pair == self._stated[index].pair)
        if mention in self._mentions and _VARIANT_OF.search(self._text[: mention.start]):
            return mention, True
        begin = mention.end if mention in self._mentions else 0
        between = self._text[begin : max(begin, self._stated[first].figure.start - self._window.start)]
        return sibling(between, mention, self._known)

    def _of_a_stranger(self, index: int) -> bool:
        """Whether a model that is not in the book is named between a figure and its neighbours: A 4 beside A 4.7."""
        before, after = self._around(index)
        named = {self._text[one.start : one.end].lower() for one in self._mentions}
        found = (match[0].lower() for match in _strangers(self._known).finditer(f"{before} # {after}"))
        return any(not any(one in name or name in one for name in named) for one in found)

    def _denied(self, at: int) -> bool:
        """Whether the clause of an offset has a word that denies it."""
        borders = [0, *(match.end() for match in _CLAUSE.finditer(self._text)), len(self._text)]
        begin, end = max(one for one in borders if one <= at), min(one for one in borders if one > at)
        return _LOOSE_CLAUSE.search(self._text, begin, end) is not None

    def _fact(self, index: int, one: Stated, mention: Mention) -> PriceFact:
        before, after = self._around(index)
        before = before if one.pair else f"{question(self._lead)} {before}"
        tier, named = self._tier(before, after, one)
        components = self._components(one, before, after)
        confidence = Decimal("0.6") if mention.family or not one.component else Decimal("0.8")
        return PriceFact(
            start=self._window.start, end=self._window.end, figure=one.figure,
            items=self._items.get(mention.item, (mention.item,)), components=components, unit=one.unit,
            time=self._time(index), processing=tier, tiers=named, confidence=confidence,
            context=0 if one.role == "from" else self._context(before, after),
            pair=one.pair, role=one.role, family=mention.item if mention.family else "",
        )  # fmt: skip

    # ---- what a figure belongs to

    def _subject(self, index: int) -> Mention | None:
        """The model of a figure: named right after it, else the last one before it, else the first one after it."""
        figure, base = self._stated[index].figure, self._window.start
        first = min(place for place, other in enumerate(self._stated) if other.pair == self._stated[index].pair)
        figure = self._stated[first].figure
        last = max((place for place, other in enumerate(self._stated) if other.pair == self._stated[index].pair))
        end = self._stated[last].figure.end - base
        listed = self._listed(index) or self._against(index)
        if listed is not None:
            return listed
        earlier = [one for one in self._mentions if one.end <= figure.start - base]
        stop = self._stated[last + 1].figure.start - base if last + 1 < len(self._stated) else len(self._text)
        later = [
            one for one in self._mentions if end <= one.start < stop and not COMPARED.search(self._text[: one.start])
        ]
        if later and (self._adjacent(end, later[0].start) or (not earlier and self._follows(end, later[0].start))):
            return later[0]
        return self._spoken_of(earlier, figure.start - base) if earlier else None

    def _spoken_of(self, earlier: list[Mention], start: int) -> Mention:
        """The last model before a figure, except one that is only compared with: `X replaced Y — $5 input`."""
        last = earlier[-1]
        compared = len(earlier) > 1 and COMPARED.search(self._text[: last.start])
        near = self._text[last.end : start]
        if compared and (_AHEAD.search(compared[0]) and re.search(r"\bat\s$", near)):
            return self._spoken_of(earlier[:-1], start)
        inside = re.fullmatch(r"(?:['’]s)?\s?\([^)]*", near)
        if compared and not inside and not re.fullmatch(r"(?:['’]s)?[^;.,—]{0,14}(?:\(|\bat )?", near):
            return self._spoken_of(earlier[:-1], start)
        return last

    def _follows(self, end: int, start: int) -> bool:
        """Whether a model after a figure may be the one that it belongs to: `$2 … that is GPT-4o today`."""
        gap = self._text[end:start]
        return len(gap) < _GAP and not re.search(r"[(),;\d]|\band\b|\bthan\b|\bversus\b", gap)

    def _adjacent(self, end: int, start: int) -> bool:
        """Whether a model right after a figure is the one that it belongs to: `$0.28/1M DeepSeek tokens`."""
        return bool(
            re.fullmatch(
                r"(?:[\w./ ]{0,18}tokens?)? ?(?:\(|for |from |on |with |of |that |which )?(?:the )?",
                self._text[end:start],
            )
        )

    def _of_another(self, one: Stated) -> bool:
        """Whether a figure is of `its` price, in a sentence with several models."""
        return bool(_ITS.search(self._text[: one.figure.start - self._window.start]))

    def _listed(self, index: int) -> Mention | None:
        """The model of one of several figures in the order of several models."""
        many = len({one.pair for one in self._stated})
        listed = re.search(r"\brespectively\b", self._text) or re.search(
            r"\(\$[\d.]+ (?:vs\.?|versus) \$[\d.]+", self._text
        )
        if listed and len(self._mentions) == many == len(self._stated) > 1:
            return self._mentions[index]
        models = list({one.item: one for one in self._mentions}.values())
        first = self._stated[0].figure.start - self._window.start
        if len(models) == _TWO and models[1].end <= first and self._all_compared(models[0]):
            return models[index % _TWO]
        return None

    def _all_compared(self, subject: Mention) -> bool:
        """Whether the prices are pairs that compare a subject: $15 vs. $1 for input, $120 vs. $10 for output."""
        if COMPARED.search(self._text[: subject.start]):
            return False
        ends = [(one.figure.start - self._window.start, one.figure.end - self._window.start) for one in self._stated]
        pairs = [*zip(ends[::_TWO], ends[1::_TWO], strict=False)]
        compared = all(PRICES_COMPARED.fullmatch(self._text[one[1] : two[0]]) for one, two in pairs)
        return compared and len(ends) == _TWO * len(pairs)

    def _against(self, index: int) -> Mention | None:
        """The model of one of two prices that are compared: `X is cheaper than Y: $5 rather than $15`."""
        models = list({one.item: one for one in self._mentions}.values())
        figure, base = self._stated[index].figure, self._window.start
        if (
            len(models) != 2
            or not COMPARED.search(self._text[: models[1].start])
            or models[1].end > figure.start - base
        ):
            return None
        if _OTHER_PRICE.match(self._text, figure.end - base):
            return models[0]
        return models[1] if _COMPARED_PRICE.search(self._text[models[1].end : figure.start - base]) else None

    def _around(self, index: int) -> tuple[str, str]:
        """The words before and after the pair of a figure, up to its neighbours."""
        pair = [place for place, one in enumerate(self._stated) if one.pair == self._stated[index].pair]
        base, text = self._window.start, self._text
        begin = self._stated[pair[0] - 1].figure.end - base if pair[0] else 0
        stop = self._stated[pair[-1] + 1].figure.start - base if pair[-1] + 1 < len(self._stated) else len(text)
        before = of_item(text[begin : self._stated[pair[0]].figure.start - base], last=True).rpartition("\n")[2]
        after = of_item(text[self._stated[pair[-1]].figure.end - base : stop]).partition("\n")[0]
        inner = (
            ""
            if pair[0] == pair[-1]
            else text[self._stated[pair[0]].figure.start - base : self._stated[pair[-1]].figure.end - base]
        )
        if pair[0]:
            edge = re.search(r"^[^;,.(]*?(?:[;,(]|\.\s|\band\b)", before)
            before = before[edge.end() :] if edge else before
        if pair[-1] + 1 < len(self._stated):
            edge = re.search(r";|,\s|\.\s|\band\b|\bor\b(?! more)|\bgoing\b", after)
            after = after[: edge.start()] if edge else after
        return f"{before} {inner if _CACHE.search(inner) else ''}", after

    # ---- tiers

    def _components(self, one: Stated, before: str, after: str) -> tuple[str, ...]:
        after = after.partition(";")[0]
        first = after if _CACHE.search(after) or _WRITE.search(after) else before
        named = bool(_CACHE.search(self._text))
        cached = bool(_CACHE.search(first)) or (named and (one.role == "to" or bool(_CACHED.search(first))))
        hourly = bool(named and _HOURLY.search(before) and _WRITE.search(self._text))
        if one.role == "from" or one.component == "output" or not (cached or hourly) or _STANDARD.search(before[-40:]):
            return (one.component,) if one.component else ("input", "output")
        return ("cache_write", "cache_write_1h") if hourly or _WRITE.search(first) else ("cache_read",)

    def _tier(self, before: str, after: str, one: Stated) -> tuple[str, frozenset[str]]:
        """The tier of a figure, and the tiers that its sentence names."""
        named = frozenset(name for name, words in _TIERS.items() if words.search(self._text))
        if not named:
            before_it = frozenset(name for name, words in _TIERS.items() if words.search(self._lead))
            return next(iter(before_it)) if len(before_it) == 1 and one.role == "to" else "", before_it
        if one.role == "from" or not named:
            return "", named
        if _STANDARD.search(before[-30:]) and not any(words.search(before[-30:]) for words in _TIERS.values()):
            return "", named
        own = [name for name, words in _TIERS.items() if words.search(before) or words.search(after)]
        if own:
            return own[0], named
        lead = self._text[: one.figure.start - self._window.start]
        stops = [match.end() for match in STOP.finditer(lead)]
        led = lead[stops[-1] :] if stops else lead
        carried = [name for name in named if _TIERS[name].search(led)]
        return (carried[0] if carried and not _STANDARD.search(led) else ""), named

    def _context(self, before: str, after: str) -> int:
        for text in (after, before):
            size = self._size(text)
            if size is not None:
                return size
        lead = _LONG.search(self._text)
        if lead and len({one.pair for one in self._stated}) == 1:
            return _tokens(lead)
        return ANY if lead else 0

    def _size(self, own: str) -> int | None:
        short, long = _SHORT.search(own), _LONG.search(own)
        if long and not (short and short.start() < long.start()):
            return _tokens(long)
        return 0 if short else None

    def _time(self, index: int) -> Time:
        one, base = self._stated[index], self._window.start
        time = self._times.at(one.figure.start - base, one.figure.end - base)
        if one.role == "from":
            period = time.period
            return Time(Period(None, period.last) if period else None, past=True)
        return time


@lru_cache(maxsize=4)
def _strangers(items: frozenset[str]) -> re.Pattern[str]:
    """Names with a version that begin as those of some items do."""
    firsts = {re.split(r"[-\d.]", item.rpartition("/")[2])[0].lower() for item in items}
    words = sorted(word for word in firsts if word.isalpha() and len(word) > _SHORTEST)
    return re.compile(rf"\b(?:{'|'.join(words) or '(?!)'})[ -]?\d+(?:\.\d+)?(?:[ -](?:mini|nano|pro))?\b", re.I)


_SHORTEST = 2
"""The letters from which the first word of a name is looked for."""


def _tokens(match: re.Match[str]) -> int:
    """The context in tokens that a match states as a border, one more than it; `ANY` if it states none."""
    size = match["size"] or match["plus"] or ""
    if not size:
        return ANY
    number = Decimal(re.sub(r"[^\d.]", "", size.replace(",", "")) or "0")
    scale = 1_000_000 if size.endswith("M") else 1 if ",000" in size else 1000
    return int(number * scale) + 1
