"""What the words around a figure make of it: a bound, an approximation, something typical, a threshold.

    up to 60%          most            at least 60%      least          about 60%      about
    nearly 60%         below           typically 60%     typical        above 60%      least, a threshold

A hedge belongs to the figure before or after it, without another figure or clause between them:
`add up to $24k` and `in under a year at $5` hedge no price.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from compute.figures.figure_models import Figure
from compute.figures.figure_reader import figures
from compute.linting.lint_models import StatedFigure

_GAP = r"(?:\s+(?:a|an|the|some|its|just|only|another|further|still))?\s*[(~≈$]?$"
_NEAR = rf"(?:\s+(?:about|around|roughly|approximately|a factor of|an average of))?{_GAP}"
_MOST = re.compile(
    r"(?:(?<!add )(?<!adds )(?<!added )(?<!adding )(?<!sum )(?<!sums )(?<!comes )(?<!come )(?<!amounts )\bup to"
    r"|\bas (?:much|many|high|far) as|\bat (?:the )?most|\bno more than|\bnot more than|\bno higher than"
    r"|\bless than|\bfewer than|\blower than|\b(?:a )?maximum(?: of)?|\bmax\.?|\bbelow|\bunder|\bwithin|<=?|≤"
    r"|\bcapped at|\bceiling of|\bcheaper than)" + _NEAR,
    re.I,
)
_LEAST = re.compile(
    r"(?:\bat (?:the )?least|\bno less than|\bnot less than|\bno fewer than|\bmore than|\bgreater than|\bhigher than"
    r"|\bover|\babove|\bbeyond|\bupwards? of|\bexceed(?:s|ed|ing)?|\b(?:a )?minimum(?: of)?|\bmin\.|>=?|≥"
    r"|\bas (?:little|few|low) as|\blarger than|\blonger than|\bpast)" + _NEAR,
    re.I,
)
_ABOUT = re.compile(
    r"(?:\babout|\baround|\broughly|\bapproximately|\bapprox\.?|\bcirca|\bsome|~|≈|\bon the order of|\bclose to"
    r"|\bin the region of)" + _GAP,
    re.I,
)
_BELOW = re.compile(r"(?:\bnearly|\balmost|\bjust (?:under|below|short of)|\bnot quite)" + _GAP, re.I)
_FROM = re.compile(r"(?:\bbetween|\brang(?:e|es|ed|ing) from)" + _GAP, re.I)
_BETWEEN = re.compile(r"(?:\bbetween|\brang(?:e|es|ed|ing) from)\s[^,.;:]{1,30}?\s(?:and|to)" + _GAP, re.I)
_AND = re.compile(r"[\w /%-]{0,25}?\s(?:and|to)\s[~≈$€£]?\d", re.I)
_TYPICAL = re.compile(
    r"\b(?P<word>typically|usually|often|generally|commonly|on average|can|(?-i:may)|might|could)\b"
    r"(?P<between>[^.;:!?()]{0,50})$",
    re.I,
)
_BEHIND_LEAST = re.compile(r"\s*(?:or|and) (?:more|higher|longer|above|up)\b|\s*(?:upwards?|plus)\b", re.I)
_BEHIND_MOST = re.compile(
    r"\s*(?:or|and) (?:less|fewer|lower|below|under)\b|\s*(?:at (?:the )?most|max(?:imum)?\b)", re.I
)
_BEHIND_ABOUT = re.compile(r"\s*(?:or so|give or take|-ish)\b", re.I)
_ON = re.compile(r"[\w /%]{0,30}?\b(?:on|onwards?|upwards?)\b", re.I)
_CROSSED = re.compile(r"(?:\babove|\bbeyond|\bexceed(?:s|ed|ing)?|\bpast|\bover|\bbelow|\bunder)" + _GAP, re.I)
_TURNS = re.compile(
    r"\b(?:wins?|won|pays?|paid|cheaper|dearer|better|worse|beats?|worth|loses?|lost|dominat\w+|outweighs?|becomes?"
    r"|profitable|favou?rs?|viable|sensible|makes sense|break|applies|applied|starts?|needs?|requires?)\b",
    re.I,
)
_THRESHOLD = re.compile(
    r"(?:\bbreak[- ]?even(?:s|ing)?(?: point)?(?: (?:is|of|lies|comes))?"
    r"(?: at| near| around| above)?|\bbreaks? even(?: at| near| around| above)?"
    r"|\bcross(?:es|ing|over)?(?: (?:point|is))* at"
    r"|\b(?:once|if|when|as soon as|until)\b[^,.;:]{0,50}\b(?:reach(?:es)?|exceeds?|passes|above|over|beyond|busy))"
    + _GAP,
    re.I,
)
_NOT = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|neither|nor|without|rarely|hardly|n['’]t|cannot)\b[^,.;:]*$", re.I
)
_TURNED = {"most": "least", "least": "most"}
_CLAUSE = re.compile(r"[.;:!?()—–]|,\s")


@lru_cache(maxsize=4_000)
def stated_figures(text: str) -> tuple[StatedFigure, ...]:
    """The figures of a text, each with its hedge."""
    return tuple(_stated(text))


def _stated(text: str) -> Iterator[StatedFigure]:
    text, last = f". {text}", 0  # so that a capital at the start is that of a sentence, not of a name
    for figure in figures(text):
        start = max(last, figure.start - 80)
        before, behind = text[start : figure.start], text[figure.end : figure.end + 40]
        yield _read(figure, before, behind, text)
        last = figure.end


def _read(figure: Figure, before: str, behind: str, text: str) -> StatedFigure:
    own = before[max((match.end() for match in _CLAUSE.finditer(before)), default=0) :]
    threshold = _threshold(own, behind, text)
    kind, words = _hedge(own, behind)
    if kind in _TURNED and _NOT.search(own[: own.lower().rfind(words.lower().split()[0])] if words else ""):
        kind = _TURNED[kind]
    if not kind and figure.hedge and figure.text.endswith("+"):
        kind, words = "least", "+"
    return StatedFigure(figure, kind, words or threshold, bool(threshold))


def _threshold(own: str, behind: str, text: str) -> str:
    """The words that make a figure a threshold; `above` does so only where something changes there."""
    crossed = _CROSSED.search(own)
    if crossed and _TURNS.search(text):
        return crossed[0].strip(" (~≈$")
    found = _THRESHOLD.search(own)
    if found:
        return " ".join(found[0].split())
    started = re.search(r"\b(?:from|starting (?:at|from)|as of)\s*[$~]?$", own, re.I)
    return "from … on" if started and _ON.match(behind) else ""


_BEFORE = (("below", _BELOW), ("most", _MOST), ("least", _LEAST), ("about", _ABOUT))
_BEHIND = (("least", _BEHIND_LEAST), ("most", _BEHIND_MOST), ("about", _BEHIND_ABOUT))


def _hedge(own: str, behind: str) -> tuple[str, str]:
    if _BETWEEN.search(own) or (_FROM.search(own) and _AND.match(behind)):
        return "between", "one end of a range,"
    for kind, pattern in _BEFORE:
        if match := pattern.search(own):
            return kind, match[0].strip(" (~≈$") or match[0].strip()
    for kind, pattern in _BEHIND:
        if match := pattern.match(behind):
            return kind, match[0].strip()
    if match := _TYPICAL.search(own):
        return "typical", match["word"]
    return "", ""
