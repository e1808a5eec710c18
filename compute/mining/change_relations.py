"""Changes and ratios: two figures, and the percentage or multiple stated between them.

from $3.00 to $0.15 — a 95% reduction              1 - after / before
rose 33%, from $2.35 to $3.12                      after / before - 1
$24.70 versus $0.24, a 100× spread                 before / after
at $15, half of the former $30                     after / before
halves the cost: from $1.25 to $1.00               after / before
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from compute.mining.clause_subjects import begins_anew
from compute.mining.direction_words import FALLING, RISING, against, base, expressions, of_another, shared, word_ratio
from compute.mining.mining_models import Figure, Reading
from compute.mining.readings import comparable, pair, reading
from compute.mining.text_windows import Window, compiled

_TO = r"(?:to|→|->|becomes|down to|up to)"
_VS = r"(?:vs\.?|versus|against|instead of|compared (?:to|with)|down from|up from|rather than)"
_LEAD = r"(?:an?|roughly|about|nearly|almost|some|approximately|over|that is|i\.e\.|or|~|represents|is|a full|by)"
_MODIFIES = (
    r"(?:[ -](?!(?:the|an?|of|in|at|when|and|as|its|their)\b)[\w-]+){0,2}[ -]"
    r"(?!(?:falls|fell|rises|rose|grew|grows|shrank|drops|dropped|jumps|jumped|fallen|risen)\b)"
)
PATTERNS: tuple[tuple[str, str], ...] = (
    # name, pattern; a and b are the two figures, r the stated ratio, w the direction word
    ("from-to", rf"from {{a}}~30\b{_TO}\W ?~14{{b}}~40(?:[—–,:;(-]|\b{_LEAD}\b)~20{{r:ratio}}~18{{w:way}}"),
    ("from-to", rf"{{w:way}}~45{{r:ratio}}~42\(?from {{a}}~30\b{_TO} ~14{{b}}"),
    ("from-to", rf"{{r:ratio}}{_MODIFIES}{{w:way}}~42\(?from {{a}}~30\b{_TO} ~14{{b}}"),
    ("arrow", rf"{{r:ratio}}{_MODIFIES}{{w:way}}~6\({{a}}~12(?:→|->|to|becomes)~12{{b}}"),
    ("arrow", r"{w:way}~12{r:ratio}~6\(~12{a}~12(?:→|->|to|becomes)~12{b}"),
    ("from-to", rf"from {{a}}~30\b{_TO}\W ?~14{{b}}~20[—–,(] ?(?:an? )?{{w:way}} of ~8{{r:ratio}}"),
    ("from-to", rf"from {{a}}~30\b{_TO}\W ?~14{{b}}~30[—–,(]~3(?P<w>down|up)~8{{r:P}}"),
    ("from-to", r"\bto ~12{b}~12\bfrom ~12{a}~30[—–,(]~20{r:ratio}~18{w:way}"),
    ("versus", rf"{{a}}~30[ (]{_VS}~25{{b}}~16(?P<w>saves?|saving)\b~6{{r:P}}"),
    ("versus", rf"{{a}}~30[ (]{_VS}~25{{b}}~25(?P<w>)\({{r:X}}\)"),
    ("from-to", r"{b}~16\b(?P<w>up|down) ~6{r:P}~6\bfrom ~12{a}"),
    ("from-to", r"\bto ~12{b}~12\bfrom ~12{a}~4(?P<w>up|down) ~6{r:P}"),
    ("from-to", r"{w:way}~6{r:ratio} to ~12{b}~6\bfrom ~12{a}"),
    ("yields", r"(?:from )?{a}~8(?:→|->|to)~8{b}~40(?P<v>delivers|gives|yields|produces|means|buys|brings|reduces|cuts"
               r"|raises|lowers|improves|increases)~40{r:ratio}(?:~14{w:way})?"),
    ("versus", rf"{{a}}~30[ (]{_VS}~25{{b}}~40(?:[—–,:;(-]|\b{_LEAD}\b)~12{{r:ratio}}~18{{w:way}}"),
    ("versus", rf"{{r:ratio}}~8{{w:way}}~26\({{a}} ?{_VS} ?{{b}}"),
    ("than", r"{a}~40\b(?:is|are|costs?|takes?|uses?|needs?|draws?)\b~12{r:ratio} ?~12\b"
             r"(?P<w>less|more|cheaper|smaller|larger|fewer|lower|higher|slower)\b~40\bthan\b~30{b}"),
    ("versus", rf"{{a}}~24\b{_VS}~20{{b}}~24reduc\w+~30{{r:X}}()?(?P<w>)"),
)  # fmt: skip  # aligned patterns
_LESS_THAN_HALF = r"{a:MU}(?:[^⟨⟩]|⟨C\d+⟩){0,60}?{b:MU}~3[—–,(-] ?(?P<side>less|more) than {r:X}"
_BY_PART = r"{w:down}~12\bby ~6{r:X}~20from ~12{a}~16\bto ~12{b}"
_FRACTION = r"{a}~40[—–,:(-]~12{r:X}~6(?:of|the)~26{b}"


def changes(window: Window) -> Iterator[Reading]:
    """Readings of changes and ratios in a sentence."""
    for name, pattern in PATTERNS:
        for match in window.matches(pattern):
            a, b, r = *shared(*(window.figure(match, key) for key in "ab")), window.figure(match, "r")
            verb = match.groupdict().get("v") or ""
            word = verb if FALLING.match(verb) or RISING.match(verb) else match["w"] or ""
            yield from _change(window, name, (a, b, r), word)
    yield from _words(window)
    yield from _fractions(window)
    yield from _halves(window)


def _change(window: Window, name: str, parts: tuple[Figure, Figure, Figure], word: str) -> Iterator[Reading]:
    a, b, r = parts
    between = window.passage.mask[b.end : r.start] if b.end <= r.start else ""
    if (r.sort == "pp" and a.sort != "%") or (name == "from-to" and _YIELDS.search(between)):
        return
    if not comparable(a, b) or a.low == b.low or word_ratio(r) or _other_clause(window, r, a):
        return
    if _own_subject(window, a, b, r):
        return
    if _EACH_PERIOD.match(window.passage.mask, r.end):
        return  # 10% a year, from $100 to $121
    found = expressions(a, b, r, word, ordered=name not in {"versus", "than"})
    inverse = name == "yields" and against(a, b, word)
    confidence = (
        "0.6" if name == "yields" else "0.95" if name in {"from-to", "arrow"} else "0.7" if name == "than" else "0.9"
    )
    note = f"taken as {'inversely ' if inverse else ''}proportional to the figure that changes"
    note = note if name == "yields" else ""
    cautious = (
        (name not in {"versus", "than"} and against(a, b, word)) or of_another(window, r, word) or _several(window)
    )
    cautious = cautious or name == "than"  # the comparison may not be of the two figures
    if name == "yields":
        cautious = not _beyond_share(a, b, r)
    yield reading(window, name, pair(a, b), found, r, confidence=confidence, note=note, cautious=cautious)


_YIELDS = re.compile(
    r"\b(?:deliver|giv|yield|produc|mean|buy|bring|rais|lower|improv|increas|reduc|cut)(?:e|es|s|ing)?\b"
)


_EACH_PERIOD = re.compile(
    r"(?: \w+){0,2}? ?"
    r"(?:(?:an?|per|each|every) (?:hour|day|week|month|quarter|year|decade)|annually|yearly|monthly|p\.a\.)\b",
    re.I,
)
"""Words after a share that is of each period."""


def _other_clause(window: Window, r: Figure, a: Figure) -> bool:
    """Whether another clause, or the end of another change, separates the stated ratio from the figures."""
    between = window.passage.mask[r.end : a.start] if r.end <= a.start else ""
    ends_change = re.search(
        r"\b(?:from|between)\s\S+(?:\s\S+){0,3}\s(?:to|and)\s$", window.passage.mask[window.start : r.start]
    )
    level = re.search(
        r"(?<!up )\b(?:to|at|reach\w*) (?:about |roughly |around |only |just |~)?$",
        window.passage.mask[window.start : r.start],
    )
    return bool(
        ends_change
        or (level and r.sort == "%")
        or re.search(r"\b(?:and|combined|while|as|but|whereas|when|where|although|though)\b(?! applied)", between)
    )


def _own_subject(window: Window, first: Figure, last: Figure, r: Figure) -> bool:
    """Whether what changed by the stated ratio is something else than what went from the first figure to the last."""
    mask = window.passage.mask
    between = mask[last.end : r.start] if last.end <= r.start else mask[r.end : first.start]
    return begins_anew(between, mask[window.start : min(first.start, r.start)])


def _several(window: Window) -> bool:
    """Whether a sentence states several changes, so that one figure may belong to all of them."""
    pairs = re.findall(r"\bfrom [^⟨]{0,20}⟨[A-Z]\d+⟩[^⟨]{0,20}\bto\b", window.tagged)
    return len(pairs) > 1 or bool(re.search(r"\b(?:overall|cumulative\w*|in total|altogether)\b", window.tagged, re.I))


def _beyond_share(a: Figure, b: Figure, r: Figure) -> bool:
    """Whether the stated effect of a share is more than its own growth, as for a utilisation that rises by a fifth."""
    return a.sort == "%" and r.sort == "x" and b.low > a.low and r.low > b.low / a.low


_SCOPE = re.compile(r"[^⟨:;)]{0,60}(?::[^;]*|\([^)]*|(?=from ).{0,60})")
_PAIRS = compiled(rf"(?:from |\((?:e\.g\.,? ?)?){{a}}~20\b(?:{_TO}|and) ~8{{b}}")


def _words(window: Window) -> Iterator[Reading]:
    """`halves` and `doubles`, or any multiple before a colon, with every pair of figures given for it."""
    for head in window.matches(r"{r:X}"):
        r = window.figure(head, "r")
        scope = _SCOPE.match(window.tagged, head.end())
        if scope is None or r.ranged or (r.unit == "word" and not _VERB.search(r.text)) or _other_scope(scope[0]):
            continue
        for match in _PAIRS.finditer(scope[0]):
            a, b = window.figure(match, "a"), window.figure(match, "b")
            if comparable(a, b) and "⟨X" not in scope[0][: match.start()]:
                cautious = ":" not in scope[0]  # the pairs may be of something else
                yield reading(
                    window, "multiple", pair(a, b), _as_said(a, b, r), r, unit="x", confidence="0.9", cautious=cautious
                )


_VERB = re.compile(r"halv|doubl|tripl|times|fold", re.I)
_EVERY = re.compile(
    r"\s*(?:every|each|per|an?) \w+\b.*\b(?:in|over|within|after) (?!one\b|an?\b|the\b|this\b|last\b)(?:⟨|\w+ )",
    re.I | re.S,
)


def _other_scope(scope: str) -> bool:
    """Whether the figures after a multiple are of something else, or of several periods: double each year, in three."""
    if _EVERY.match(scope):
        return True
    return bool(re.match(r"[^:(]{0,60}?\b(?:and|while|as|but|whereas|combined)\b[^:(]{0,60}?(?:from|$)", scope))


def _as_said(a: Figure, b: Figure, r: Figure) -> str:
    if r.low < 1:
        return "after / before"
    return "after / before" if base(b) > base(a) else "before / after"


def _fractions(window: Window) -> Iterator[Reading]:
    """`$15, half of the former $30`."""
    for match in window.matches(_BY_PART):
        a, b, r = (window.figure(match, key) for key in "abr")
        if comparable(a, b) and r.unit == "word" and r.low < 1 and b.low < a.low:
            yield reading(window, "fraction", pair(a, b), "1 - after / before", r, unit="x", confidence="0.9")
    for match in window.matches(_FRACTION):
        a, b, r = (window.figure(match, key) for key in "abr")
        if comparable(a, b) and r.unit == "word" and a.sort != "count":
            yield reading(window, "fraction", pair(b, a), "after / before", r, unit="x", confidence="0.9")


def _halves(window: Window) -> Iterator[Reading]:
    """`costs $0.62; the other one $0.25 — less than half`."""
    for match in window.matches(_LESS_THAN_HALF):
        a, b, r = (window.figure(match, key) for key in "abr")
        if comparable(a, b) and r.unit == "word" and r.low < 1:
            limit = replace(r, half=Decimal(0), hedge="at most" if match["side"].lower() == "less" else "at least")
            yield reading(window, "fraction", pair(a, b), "after / before", limit, unit="x", confidence="0.8")
