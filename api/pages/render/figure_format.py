"""Figures, dates and words for readers: units, minus signs, no break inside a figure."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import ROUND_HALF_EVEN, Context, Decimal

from compute.units.number_format import behind, nines, number
from compute.units.units import SHARES

MONEY = ("USD", "EUR", "GBP", "JPY", "CNY", "CHF")
READ = 5  # a figure with this many digits is not shortened

_DAY = re.compile(r"(?<![\w/.:-])\d{4}-\d\d-\d\d(?![\w/-])")
_LONG = re.compile(r"(?<![\w.,])\d[\d,]*\.\d{4,}(?![\w.,]*\d)")
_ASSUMED = re.compile(r'assume\("(\w+)"\)')
_TWICE = re.compile(r"(\d[\d.,]{0,24}[kMBT]?)(\s[^±]{1,40}?)(\s(?:±|and)\s)(\d[\d.,]{0,24}[kMBT]?)\2(?![\w/])")
"""Two figures in the same unit of letters: `2.00 USD/Mtok ± 0.05 USD/Mtok`, `between 5.00 USD and 15.00 USD`."""
_POWER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([-−+]?\d+)(?![\w.])")
_MINUS = re.compile(r"(?<![\w.:/)−-])-(?=\d)")
_UNIT = re.compile(r"(?:(?<=[\d⁰¹²³⁴-⁹])|(?<=illion)) (?=(?:USD|EUR|GBP|JPY|CNY|CHF)\b|[A-Za-z]+/[A-Za-z])")
_INPUT = re.compile(r"(?<![\w/])(?:the assumption )?([A-Za-z_]\w*)(?= (?:at \d|is \d|went from ))")
_RENAMED = re.compile(r"^(\S+) moved from (\S+) to ([^\s,]+)")
_REREAD = re.compile(r"^(\w+) is read from ")
_OTHER_ITEM = re.compile(r"^(\w+) is (\S+(?: \S+)?) for (\S+) and was (\S+(?: \S+)?) for ([^\s,]+)")
_THEN = "when the note was written"
_CHANGED = re.compile(r"^\w+ (?:is|went from) ")
_STATED = re.compile(r"(\d[\d,]*(?:\.\d+)?)(?:[ \u00a0](million|billion|trillion)|([MBT])(?!\w))?")
_SCALES = {"trillion": Decimal(10) ** 12, "billion": Decimal(10) ** 9, "million": Decimal(10) ** 6}
_LETTERS = {word[0]: size for word, size in _SCALES.items()}
_REPRICED = re.compile(r", (\w+) is (\S+)(?: (\S+))? for \S+ and was (\S+)(?: \S+)? for [^\s,]+")
_NEXT_CAUSE = re.compile(r", | and \d+ more")

_MARKUP = (
    (re.compile(r"\n {0,3}>[ \t]?"), "\n"),
    (re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]"), r"\1"),
    (re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*+\)"), r"\1"),
    (re.compile(r"\*\*|__|`|==|\\(?=[$*_`])"), ""),
)
"""The marks of Markdown, each with what stays of it."""

_RAISED = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻", "+")

NBSP = "\u00a0"
NOTHING = "–"


def figure(value: Decimal | None, unit: str = "") -> str:
    """`2, "USD/Mtok"` → `2.00 USD/Mtok`, `-2, "pp"` → `−2pp`, None → `–`."""
    if value is None:
        return NOTHING
    few = _few(value)
    few = nines(value, few) if unit in SHARES and few != value else few
    text = number(few, money=unit.startswith(MONEY), share=unit in SHARES)
    return printed(text.replace("-", "−")) + behind(value, unit).replace(" ", NBSP)


def amount(value: Decimal | None, unit: str = "") -> str:
    """A figure without its unit: `2, "USD/Mtok"` → `2.00`."""
    return NOTHING if value is None else figure(value, unit).removesuffix(behind(value, unit).replace(" ", NBSP))


def figures(before: Decimal | None, after: Decimal | None, unit: str = "") -> str:
    """Before and after with the unit once: `2.00 → 4.00 USD/Mtok`."""
    if before is None or before == after:
        return figure(after, unit)
    if after is None:
        return f"{figure(before, unit)} → {NOTHING}"
    letters = behind(after, unit).replace(" ", NBSP)
    was = figure(before, unit)
    return f"{was.removesuffix(letters) if letters.startswith(NBSP) else was}{NBSP}→ {figure(after, unit)}"


def corrected(stated: str, computed: Decimal | None, unit: str) -> tuple[str, str]:
    """A stated figure without its tolerance and the computed one, in one scale, and with as many digits, at least 3."""
    said, value = printed(stated.partition(" ± ")[0] or "otherwise"), computed
    numbers = _numbers(said)
    if value is None or not numbers:
        return said, "no value" if value is None else figure(value, unit)
    if value != value.to_integral_value() or abs(value) >= _SCALES["million"] / 100:
        value = Context(prec=max(3, *(len(one.normalize().as_tuple().digits) for one in numbers))).plus(value)
    said, shown = alike(said, value, unit)
    return said, shown if "." in said else shown.replace(".00", "")


def alike(expected: str, value: Decimal, unit: str, digits: int = 28) -> tuple[str, str]:
    """What is expected and a value of so many digits, both in millions (billions) where the expectation is as large."""
    value, largest = Context(prec=digits).plus(value), max(_numbers(expected), default=0)
    word = next((word for word, size in _SCALES.items() if word in expected or largest >= size), "")
    if not word:
        return expected, figure(value, unit)

    def scaled(found: re.Match[str]) -> str:
        bare = expected[found.end() :].startswith(("%", "pp")) or word in expected
        return found[0] if bare else f"{_number(found) / _SCALES[word]:,f}{NBSP}{word}"

    said = re.sub(rf"{NBSP}{word}(?={NBSP}±| and )", "", _STATED.sub(scaled, expected))
    shown = f"{figure(value / _SCALES[word])}{NBSP}{word}{behind(value, unit)}"
    return said.replace(f"{word}{NBSP}", f"{word} "), shown


def _number(found: re.Match[str]) -> Decimal:
    return Decimal(found[1].replace(",", "")) * _LETTERS.get((found[2] or found[3] or "")[:1].lower(), 1)


def _numbers(text: str) -> list[Decimal]:
    return [_number(one) for one in _STATED.finditer(text)]


def times_off(stated: str, computed: Decimal | None) -> Decimal | None:
    """A stated figure, of two the nearer one, as a multiple of the computed one; None if they have no ratio."""
    numbers = [one for one in _numbers(stated.partition("±")[0]) if one]
    if not numbers or computed is None or computed <= 0:
        return None
    return min(numbers, key=lambda one: abs(one - computed)) / computed


def factor(stated: str, computed: Decimal | None) -> Decimal:
    """How many times too high or too low a stated figure is; 0 if that has no ratio."""
    times = times_off(stated, computed)
    return max(times, 1 / times) if times else Decimal(0)


def printed(text: str) -> str:
    """Figures of a text in print: `-10 USD` → `−10 USD`, `2 USD ± 1 USD` → `2 ± 1 USD`."""
    return _UNIT.sub(NBSP, _MINUS.sub("−", _POWER.sub(_power, _TWICE.sub(r"\1\3\4\2", text)))).replace(
        " ± ", f"{NBSP}±{NBSP}"
    )


def _power(found: re.Match[str]) -> str:
    times = "" if found[1] == "1" else f"{found[1]}{NBSP}×{NBSP}"
    return f"{times}10{found[2].translate(_RAISED)}"


def _few(value: Decimal) -> Decimal:
    if len(value.normalize().as_tuple().digits) <= READ:
        return value
    digits = value.adjusted() + 1
    return Context(prec=max(4, digits if digits < 10 else 0), rounding=ROUND_HALF_EVEN).plus(value)


def readable(text: str) -> str:
    """A sentence for readers: days as `21 Nov 2026`, insignificant digits dropped."""
    named = _ASSUMED.sub(lambda found: found[1].replace("_", " "), _DAY.sub(_spelled, text))
    return printed(_LONG.sub(lambda found: figure(Decimal(found[0].replace(",", ""))), named))


def first_cause(reason: str) -> str:
    """The first input that a reason says has moved, in words; empty if it names none."""
    told = reason.partition(", because ")[2].partition(". ")[0].rstrip(".")
    if found := _RENAMED.match(told):
        prices = [(one[1].replace("_", " "), one[2], one[4], f" {one[3] or ''}") for one in _REPRICED.finditer(told)]
        now, was = (", ".join(f"{one[0]} {one[at]}{one[3]}".rstrip() for one in prices) for at in (1, 2))
        now, was = (f"{model} ({read})" if read else model for model, read in ((found[3], now), (found[2], was)))
        words = f"the name {found[1]} now means {now}; {_THEN}, {was}"
    elif (found := _REREAD.match(told)) and (figures := told.partition(" has ")[2].partition(", ")) and figures[2]:
        before = figures[2].partition(" had ")[2].partition(" ")[0].rstrip(",")
        words = f"“{found[1].replace('_', ' ')}” is now read from another source: {figures[0]} there; {_THEN}, {before}"
    elif found := _OTHER_ITEM.match(told):
        name = found[1].replace("_", " ")
        words = f"“{name}” is now the price of {found[3]}, {found[2]}; {_THEN}, of {found[5]}, {found[4]}"
    else:
        words = _NEXT_CAUSE.split(told, 1)[0] if _CHANGED.match(told) else ""
    return readable(named_inputs(words))


def named_inputs(text: str) -> str:
    """The names of inputs as words in quotation marks: `idle_share at 40%` → `“idle share” at 40%`."""
    return _INPUT.sub(lambda found: f"“{found[1].replace('_', ' ')}”", text)


def plain_words(words: str) -> str:
    """A quotation on one line without Markdown."""
    for mark, stays in _MARKUP:
        words = mark.sub(stays, words)
    return " ".join(words.split())


def working(text: str) -> str:
    """A formula in print: `a * b - c` → `a × b − c`."""
    return readable(text).replace(" * ", " × ").replace(" - ", " − ")


def _spelled(found: re.Match[str]) -> str:
    try:
        return short_day(date.fromisoformat(found[0]))
    except ValueError:
        return found[0]


def difference(value: Decimal | None, unit: str = "") -> str:
    """A margin with its sign and three digits; a distance between percentages is in percentage points."""
    few = value if value is None or abs(value) >= 1000 else Context(prec=3, rounding=ROUND_HALF_EVEN).plus(value)
    shown = figure(few, "pp" if unit == "%" else unit)
    return f"+{shown}" if value is not None and value > 0 else shown


def share(part: Decimal | float | None) -> str:
    """A share from 0 to 1 as a whole percentage; `<1%` if it would vanish."""
    if part is None:
        return NOTHING
    percent = round(100 * float(part))
    return "<1%" if part and not percent else f"{percent}%"


def day(on: date | datetime | None) -> str:
    """`21 November 2026`; `–` where unknown."""
    return NOTHING if on is None else f"{on.day}{NBSP}{on:%B}{NBSP}{on.year}"


def short_day(on: date | datetime | None) -> str:
    """`21 Nov 2026`; `–` where unknown."""
    return NOTHING if on is None else f"{on.day}{NBSP}{on:%b}{NBSP}{on.year}"


def stamp(at: datetime) -> str:
    """`21 Nov 2026, 05:00`, in UTC."""
    return f"{short_day(at)}, {at:%H:%M}{NBSP}UTC"


def span(days: int) -> str:
    """A number of days in words: `today`, `3 weeks`, `5 months`."""
    units = ((730, 365, "year"), (61, 30, "month"), (14, 7, "week"), (1, 1, "day"))
    found = next(((size, word) for least, size, word in units if days >= least), None)
    return plural(days // found[0], found[1]) if found else "today"


def plural(count: int, word: str, many: str = "") -> str:
    """`1 claim`, `3 claims`, `1,204 claims`."""
    return f"{count:,}{NBSP}{word if count == 1 else many or word + 's'}"


def capitalize(text: str) -> str:
    """The text with a capital first letter; unlike `str.capitalize`, the rest stays."""
    return text[:1].upper() + text[1:]


def wrapped(words: str, letters: int, most: int) -> list[str]:
    """At most `most` lines of about `letters`; the last ends in an ellipsis if cut."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= letters or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    shown = lines if len(lines) <= most else [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [cut(one, letters) for one in shown]


def cut(words: str, letters: int) -> str:
    """At most `letters` characters, with an ellipsis if cut."""
    return words if len(words) <= letters else words[: letters - 1].rstrip(" ,;:–—") + "…"
