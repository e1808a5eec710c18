"""Figures as measures: what is measured, of what, and under which conditions.

In the 2021 census, Harwick had 84,300 inhabitants.
    84,300 · named harwick · said population, census · dated 2021
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache

from compute.mining.contradiction_entities import Entity, entities
from compute.mining.contradiction_words import NAME, PERIOD, alone, meaning, places
from compute.mining.date_text import MONTHS
from compute.mining.mining_models import Figure, Passage
from compute.mining.quantities import Quantity, Sentence, sentences
from compute.mining.table_grid import Grid, grids

_CHANGES = re.compile(r"(?:change|history|release|news|whatsnew|migrat|upgrad)[\w-]*\.\w+$|changelog|changes", re.I)
"""Names of documents that list changes: their entries speak of different versions."""
_LOGGED = re.compile(
    r"^(?:#{1,6}\s|\[?\d{4}-\d\d-\d\d[\sT]\d|\[?\d{1,2}:\d\d:\d\d|v?\d+\.\d+\.\d+\b|[$>]\s|(?:INFO|WARN\w*|ERROR|DEBUG)\b)"
    r"|\w\(\)|\b[a-z]+_\w+\b|[{}]|\b(?:INFO|WARNING|ERROR|DEBUG)\b|[=<>]{2}|\b\w+=\S|->|::"
    r"|\b[A-Z][a-z]+-Version: |^\W*(?:[Dd]rop|[Aa]dd|[Ff]ix|[Bb]ump|[Uu]pgrade|[Rr]emove|[Ss]upport)(?:s|ed|ping)?\b"
)
"""Headings, lines of a log or of a shell, and code are no statements."""
UNSAID = re.compile(
    r"\b(?:if|suppose|assum\w+|imagine|say,|would|should|example|e\.g\.|for instance|let us|hypothetical\w*|could|unless)\b|\?\s*$",
    re.I,
)
"""Words that make a figure an example or a condition."""
_COMPARED = re.compile(
    r"(?:\b(?:from|(?<!more )(?<!less )(?<!fewer )(?<!greater )(?<!higher )(?<!lower )than|versus|vs\.?|against|instead of|rather than|compared (?:with|to)|between|beyond|another|per|every|by"
    r"|and another|next|last|first|below an?|of the|divided by|times|plus|minus)\s*(?:an?\s|about\s|roughly\s|~|the\s)?|[×x*/+=÷]\s?|→\s*)$",
    re.I,
)
"""What a figure is compared with, and a part of a computation: no measure of the subject."""
_BEHIND = re.compile(
    r"\s*(?:→|->|[×*/÷=+]\s?[\d$]|to\s+[\d$€£~]|in \d+\b|of (?:the )?\d|out of\b|\)?\s*times (?:the|as)\b)", re.I
)
_CLAUSE = re.compile(
    r"[;]\s|:\s|,\s(?=(?:and|but|while|whereas|which|so|with|the|for|an?|it|its|they|or|not|where|when|up|down)\s)|\.\s|\s[—–]\s|—"
    r"|\(|\)|\s(?:while|whereas|but)\s|,\s(?=[^,]*\d)"
)
_WORD = re.compile(r"[A-Za-zÀ-ÿ](?:[\w.’'/-]*[\wÀ-ÿ])?|\d[\d.,]*-?[A-Za-z][\w-]*")
_YEAR = re.compile(r"\b((?:19|20)\d\d)(?:[-/–](\d\d(?:\d\d)?))?\b")
_MONTH = "|".join(name.capitalize() for name in MONTHS)
_MONTHS = re.compile(rf"\b({_MONTH})\b")
_ORDER = ("first", "second", "third", "fourth")
_QUARTERS = re.compile(rf"\b({'|'.join(_ORDER)}) quarter\b|\bQ([1-4])\b", re.I)
_SAYING = re.compile(
    r"\b(?:[A-Z][^\W\d]*[.-]?[^\W\d]*\s){1,3}(?:says?|said|puts|advises|counts|estimates|estimated|reckons|writes|cites?|argues|expects|quotes|states"
    r"|(?:reports?|reported|found|finds|claims?|claimed|announced|shows?|showed) that)\b(?:\sthat\b)?"
    r"|\b(?:according to|as reported by|says)\s(?:the )?(?:[A-Z][\w.-]*\s?){1,3}|\b(?:by|in) (?:the )?[A-Z][\w.-]*['’]s? (?:own )?(?:account|words|figures)"
)
"""Who says it: no part of what is said. A name with a digit is that of a thing: Tarn-2 writes 50 tokens a second."""
_PERIODS = {"h": Decimal(8760), "day": Decimal(365), "week": Decimal(365) / 7, "month": Decimal(12), "year": Decimal(1)}
SECONDS = {"ms": Decimal("0.001"), "second": Decimal(1), "minute": Decimal(60), "h": Decimal(3600), "day": Decimal(86400),
          "week": Decimal(604800), "month": Decimal(2629800), "quarter": Decimal(7889400), "year": Decimal(31557600)}  # fmt: skip
_DATA = {f"{prefix}B": Decimal(10) ** power for prefix, power in (("K", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15))}
_BOUNDS = re.compile(
    r"\b(?:(?:no )?(?:more|less|fewer|greater|higher|lower|longer|shorter) than|at (?:least|most)|up to|as (?:much|many|little|few) as)\b",
    re.I,
)
_OUT = re.compile(r"\bc[ao]mes? out\b|\bwent on sale\b", re.I)
_WITH = re.compile(
    r"\b(?:with|when|while|during|for those|if) (?:the|an?|its|it|they) \w+\b(?! of\b)|\bwithout \w+", re.I
)
"""A condition in words of its own."""
_BESIDE = re.compile(r"\b(?:below|beneath|near|beside|behind|opposite|outside|next to)\s(?:the )?(?=[A-Z])")
"""Before the name of a place that the figure is not about: the hut below Mount Tarrow."""
_EACH = re.compile(r"\b(?:an?|per|each|every)\s(hour|day|week|month|quarter|year)\b", re.I)
LONGEST_CLAUSE, NEAR, CLOSE = 400, 70, 45
"""The longest clause that is read, and the longest part without a figure that is read with a clause."""


@dataclass(frozen=True, slots=True)
class Context:
    """What words say: names, other words, kinds of condition, years and months, and other figures."""

    names: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    conditions: frozenset[tuple[int, int]] = frozenset()
    limits: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()

    @property
    def items(self) -> frozenset[str]:
        """Names, words, and the words that state a condition."""
        return self.names | self.words | self.marks


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure with its clause (`near`) and with its sentence and title (`wide`); `low..high` is in `dimension`."""

    passage: Passage
    start: int
    end: int
    figure: Figure
    dimension: str
    low: Decimal
    high: Decimal
    slack: Decimal
    side: str
    near: Context
    wide: Context
    clause: tuple[int, int] = (0, 0)
    place: str = field(default="")
    named: tuple[Entity, ...] = ()
    plain: bool = True
    """Whether the clause states it and no other of its kind: no example, no part of a comparison or of a list."""
    texts: tuple[str, ...] = ()
    """The words around it, from the nearest to the widest."""
    quantity: Quantity | None = None
    """What was read, in the units of the text; None for a day."""
    written: Callable[[Decimal], Decimal] | None = None
    """A value in `dimension` in the unit of the figure, if it is not in proportion to it."""

    @property
    def sentence(self) -> str:
        """Its sentence or row."""
        return self.passage.mask[self.start : self.end].replace("\x00", " ")


_OPENING = re.compile(
    r"\b(?:At|With|In|By|For|Over|About|On|Around|Nearly|Almost|Under|From|Within|After|Only|Some|Just|Of|Roughly|Up to)(?= \d)"
)
_VERSION = re.compile(r"\b(?:[Vv]ersion|[Rr]elease) (\d+(?:\.\d+)*) of (?:the )?([A-Z][\w-]*)(?=[\s,.;:)])")
"""A version before its name: Version 5.0 of Quill is Quill 5.0."""


def _version(match: re.Match[str]) -> str:
    return f"{match[2]} {match[1]}".ljust(len(match[0]))


_DAY = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?= (?:{_MONTH})\b)|(?<=\b)(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?\b(?!\d)"
)


def figures_of(passage: Passage) -> Iterator[Measure]:
    """The measures of a passage, in order; none of a change log, and none of code or logs.

    `dimension` is empty where the unit alone does not say what is measured.
    """
    if _CHANGES.search(passage.document) or _CHANGES.search(passage.node):
        return
    mask = _VERSION.sub(_version, passage.mask)
    passage = replace(passage, mask=_OPENING.sub(lambda match: match[0].lower(), mask))
    title = context_of(passage.node.rpartition("/")[2].replace("-", " "), 0)
    for sentence in sentences(passage):
        if sentence.table:
            continue
        prose = sentence.text.replace("\x00", " ")
        if not _LOGGED.search(prose.strip()):
            yield from _of_sentence(passage, sentence, title, plain=not UNSAID.search(prose))
    yield from _of_dates(passage, title)
    for grid in grids(passage):
        yield from _of_table(passage, grid, title)


def _of_sentence(passage: Passage, sentence: Sentence, title: Context, *, plain: bool) -> Iterator[Measure]:
    borders = [
        sentence.start,
        *(sentence.start + match.end() for match in _CLAUSE.finditer(sentence.text)),
        sentence.end,
    ]
    spans = [(one.figure.start, one.figure.end) for one in sentence.quantities]
    around = context_of(_blanked(passage.mask, sentence.start, sentence.end, spans), 1)
    days = [match.span() for match in _DAY.finditer(sentence.text)]
    stated = [one for one in sentence.quantities if not _dated(one.figure, sentence.start, days)]
    for one in stated:
        figure = one.figure
        start, end = _clause(borders, figure, [first for first, _ in spans])
        if end - start > LONGEST_CLAUSE or _LABEL.match(passage.mask[figure.end : figure.end + 12]):
            continue
        made = _valued(one) or ("", figure.low, figure.high, figure.half)
        near = context_of(_blanked(passage.mask, start, end, spans), 1 if start == sentence.start else 0)
        others = frozenset(
            _plain(two.figure.text) for two in stated if two is not one and start <= two.figure.start < end
        )
        dimension, low, high, slack = made
        side = _side(passage.mask, start, figure)
        conditions = {place for place in near.conditions if place[0] != PERIOD or not dimension.endswith("/year")}
        near = replace(near, others=others, conditions=frozenset(conditions))
        clause = passage.mask[start:end].replace("\x00", " ")
        yield Measure(
            passage, sentence.start, sentence.end, figure, dimension, low, high, slack, side, near, _joined(around, title), (start, end),
            f"{sentence.start}", tuple(entities(clause)),
            plain and not _is_compared(passage.mask, start, one) and not _is_listed(one, stated, (start, end)),
            _texts(passage, (start, end), sentence, figure), one,
        )  # fmt: skip


def _dated(figure: Figure, start: int, days: list[tuple[int, int]]) -> bool:
    return any(start + first <= figure.start and figure.end <= start + last + 6 for first, last in days)


def _clause(borders: list[int], figure: Figure, starts: list[int]) -> tuple[int, int]:
    """The clause of a figure, with short parts of the sentence next to it that have no figure."""
    at = bisect_right(borders, figure.start)
    end = next(index for index in range(at, len(borders)) if borders[index] >= figure.end)
    first = at - 1
    while first > 0 and not _figured(starts, borders[first - 1], borders[first]):
        first -= 1
    while end < len(borders) - 1 and not _figured(starts, borders[end], borders[end + 1]):
        end += 1
    return borders[first], borders[end]


def _figured(starts: list[int], start: int, end: int) -> bool:
    return end - start > NEAR or bisect_left(starts, start) < bisect_left(starts, end)


def _is_compared(mask: str, start: int, one: Quantity) -> bool:
    figure = one.figure
    before = _COMPARED.search(mask[max(start, figure.start - 28) : figure.start])
    by = before is not None and before[0].lower().startswith("by") and one.kind not in {"share", "ratio", "money"}
    return bool((before and not by) or _BEHIND.match(mask[figure.end : figure.end + 24]))


def _texts(passage: Passage, clause: tuple[int, int], sentence: Sentence, figure: Figure) -> tuple[str, ...]:
    """The words around a figure, which is `#` there: those close to it, its clause, its sentence, the node's name."""
    spans = [(max(clause[0], figure.start - CLOSE), min(clause[1], figure.end + CLOSE)), clause]
    if sentence.end - sentence.start <= NEAR * 4:
        spans.append((sentence.start, sentence.end))
    mask, name = passage.mask, passage.node.rpartition("/")[2].replace("-", " ")
    label = f"# {figure.label}" if figure.label else "#"
    texts = (f"{mask[start : figure.start]}{label}{mask[figure.end : end]}" for start, end in spans)
    return (*(" ".join(text.replace("\x00", " ").replace("*", "").split()) for text in texts), name)


def _is_listed(one: Quantity, every: Sequence[Quantity], clause: tuple[int, int]) -> bool:
    return any(
        two is not one and two.kind == one.kind and two.unit == one.unit and clause[0] <= two.figure.start < clause[1]
        and not re.fullmatch(r"(?:19|20)\d\d", two.figure.text.strip())
        for two in every
    )  # fmt: skip


_LABEL = re.compile(
    r"[\s-](?:(?:dense|sparse|large|small|open|base)\s)?(?:cards?|GPUs?|models?|[AH]\d00|versions?|servers?|tier|box(?:es)?)\b|-(?:card|GPU|node|token|bit|year|month|day|hour)\b"
)
"""What makes a figure a part of a name: the 80 GB card."""


def _blanked(mask: str, start: int, end: int, spans: list[tuple[int, int]]) -> str:
    """The text between two offsets without its figures; the words of a figure stay."""
    text = mask[start:end]
    for first, last in spans:
        if start <= first < end:
            inner = text[first - start : last - start]
            inner = re.sub(r"[\d.,$€£¥%~]", " ", inner) if re.search(r"\d", inner) else " " * len(inner)
            text = text[: first - start] + inner + text[last - start :]
    return text.replace("\x00", " ")


@lru_cache(maxsize=4096)
def context_of(text: str, opening: int) -> Context:
    """What a text says; its first word, with `opening`, is no name for being capitalised."""
    dates = frozenset((*(match[0] for match in _YEAR.finditer(text)), *_MONTHS.findall(text), *_months(text)))
    text = _OUT.sub("released", _BOUNDS.sub(" ", _MONTHS.sub(" ", _YEAR.sub(" ", _SAYING.sub(" ", text)))))
    names, words, marks, limits = set(), set(), set(), set()
    conditions = {
        place for match in _EACH.finditer(text) for place in places(f"{match[1]}ly".replace("dayly", "daily"))
    }
    text = _EACH.sub(" ", text)
    if _WITH.search(text):
        limits.add("with")
    if _BESIDE.search(text):
        limits.add("near")
    for index, match in enumerate(_WORD.finditer(text)):
        word = match[0]
        conditions.update(places(word))
        if alone(word):
            limits.add(word.lower())
        said = meaning(word)
        if not said or (len(said) == 1 and not word.isupper()):
            continue
        named = NAME.search(word) and not (word.isupper() and word.isalpha())
        if named or (word[0].isupper() and not (opening and index == 0) and not word.isupper()):
            names.add(said)
        elif places(word):
            marks.add(said)
        else:
            words.add(said)
    return Context(
        frozenset(names), frozenset(words), frozenset(marks), frozenset(conditions), frozenset(limits), dates
    )


def _months(text: str) -> Iterator[str]:
    """The months of the quarters that a text names."""
    for match in _QUARTERS.finditer(text):
        number = _ORDER.index(match[1].lower()) if match[1] else int(match[2]) - 1
        yield from _MONTH.split("|")[3 * number : 3 * number + 3]


def _joined(one: Context, two: Context) -> Context:
    return Context(
        one.names | two.names, one.words | two.words, one.marks | two.marks, one.conditions | two.conditions, one.limits | two.limits,
        one.dates | two.dates, one.others,
    )  # fmt: skip


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _side(mask: str, start: int, figure: Figure) -> str:
    """`low` for an upper bound, `high` for a lower one; a bound after `not` or `no` is the other one."""
    before = mask[max(start, figure.start - 40) : figure.start].lower()
    side = {"at most": "low", "at least": "high"}.get(figure.hedge, "")
    if side == "high" and re.search(r"\b(?:no|not|never|n['’]t|nobody|none)\b", mask[start : figure.start].lower()):
        return "low"
    return side or ("low" if re.search(r"\b(?:at most|up to|maximum of)\b|\bwithin\s+$", before) else "")


def _valued(one: Quantity) -> tuple[str, Decimal, Decimal, Decimal] | None:
    """The dimension of a quantity, and its least, its greatest value and its rounding there; None if it has none."""
    figure, factor, pers = one.figure, one.factor, list(one.pers)
    kind: str = one.kind
    if figure.sort == "x" and figure.unit == "word" and figure.low < 1:
        kind, factor = "share", Decimal(1)
    if kind == "count" and re.fullmatch(r"(?:19|20)\d\d", figure.text.strip()):
        return None
    if kind == "count" and one.unit in {"m", "g", "m³", "m/h"}:
        kind = "unit"
    if kind == "time":
        factor *= SECONDS.get(figure.unit or one.unit, Decimal(0))
    pers = (
        [per for per in pers if per not in {"each", "GPU", "seat"}] if kind == "money" or one.unit == "FLOPS" else pers
    )
    if kind == "unit" and not figure.per:
        pers = [per for per in pers if per not in _PERIODS]  # `a daily dose of 60 mg` has its period elsewhere
    period = next((per for per in pers if per in _PERIODS), "")
    if (
        period
        and kind in {"money", "unit"}
        and one.unit not in {"byte", "FLOPS"}
        and (period != "h" or kind != "money")
    ):
        factor *= _PERIODS[period]
        pers = ["year" if per == period else per for per in pers]
    unit = one.unit if kind in {"money", "unit"} else ""
    for index, per in enumerate(pers):
        if per in _DATA:
            pers[index], factor = "byte", factor / _DATA[per]
    if factor == 0 or one.unit == "bit" or kind == "points" or (kind == "ratio" and figure.unit == "word"):
        return None
    half = figure.half
    return "/".join([kind, unit, *sorted(pers)]), figure.low * factor, figure.high * factor, half * factor


DATE = "date"
"""The unit of a day, a number such as 20230314."""
_DATED = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})\s(?P<month>{_MONTH})|(?P<before>{_MONTH})\s(?P<after>\d{{1,2}})),?\s(?P<year>1[1-9]\d\d|20\d\d)\b"
)
_UNTIL = re.compile(r"\b(?:years?|quarters?|months?|weeks?|periods?|half) (?:end(?:ed|ing)|to)\b", re.I)
"""What says until when an amount is counted, which is no event: the year ending 30 June."""
_EVENT = re.compile(
    r"\b(?:releas|launch|found|open|publish|announc|introduc|born|died|sign|complet|acquir|c[ao]me out|ship|start|beg[aiu]n|end|clos"
    r"|merg|elect|built|inaugurat|established|appeared|debut|went on sale|deprecat|retire)\w*",
    re.I,
)


def _of_dates(passage: Passage, title: Context) -> Iterator[Measure]:
    """The days of events: of a sentence that names one event and one day."""
    for match in _DATED.finditer(passage.mask):
        at = bisect_right(passage.borders, match.start())
        start, end = passage.borders[at - 1], passage.borders[min(at, len(passage.borders) - 1)]
        text = passage.mask[start:end]
        if (
            len(text) > LONGEST_CLAUSE
            or not _EVENT.search(_UNTIL.sub(" ", text))
            or len(_DATED.findall(text)) > 1
            or _LOGGED.search(text.strip())
        ):
            continue
        month = 1 + [name.capitalize() for name in MONTHS].index(match["month"] or match["before"])
        value = Decimal(int(match["year"]) * 10_000 + month * 100 + int(match["day"] or match["after"]))
        figure = Figure(match.start(), match.end(), match[0], value, value, Decimal(0), "unit", DATE)
        near = context_of(text.replace(match[0], " ").replace("\x00", " "), 1)
        yield Measure(
            passage, start, end, figure, f"{DATE}/", value, value, Decimal(0), "", near, _joined(near, title), (start, end), f"{start}",
            tuple(entities(text)),
        )  # fmt: skip


def _of_table(passage: Passage, grid: Grid, title: Context) -> Iterator[Measure]:
    """The cells of a table that names its rows; none of a table of years."""
    if any(_YEAR.search(cell) for cell in grid.header) or any(
        _YEAR.search(row.cells[0]) for row in grid.rows if row.cells
    ):
        return
    heads = [context_of(head, 0) for head in grid.header]
    for row in grid.rows:
        named = context_of(row.cells[0], 0) if row.cells and not row.figures[0] else None
        for index, found in enumerate(row.figures[1:], 1):
            if named is None or index >= len(heads) or len(found) != 1 or not heads[index].items:
                continue
            figure = found[0]
            made = _cell(figure, row.cells[index])
            if made is not None:
                near = _joined(named, heads[index])
                yield Measure(
                    passage, row.start, row.end, figure, *made, {"at most": "low", "at least": "high"}.get(figure.hedge, ""),
                    near, _joined(near, title), (row.start, row.end), f"{row.start}:{index}", tuple(entities(row.cells[0])), True,
                    (f"{row.cells[0]} {grid.header[index]} #", ""),
                )  # fmt: skip


def _cell(figure: Figure, cell: str) -> tuple[str, Decimal, Decimal, Decimal] | None:
    """The dimension and the values of the one figure of a cell."""
    if figure.sort == "count":
        return None
    read = sentences(Passage("", cell, cell, (0, len(cell))))
    return next((_valued(one) for sentence in read for one in sentence.quantities), None)
