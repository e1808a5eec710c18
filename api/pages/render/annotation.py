"""A node's text with all that it refers to: links to nodes, quotations with sources, figures with verdicts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from api.pages.render.figure_format import readable, share
from api.pages.render.figure_marks import stand
from api.pages.render.markdown_html import LONGEST, markdown_to_html
from api.pages.render.text_marks import TextMark, TextMarker
from api.pages.render.verdict_signs import UNSEEN, VERDICTS
from api.pages.request.page_request import path_of, work_path
from api.pages.views.claim_table import ClaimRow, verdict_order
from graph.models.node_models import Citation, Node, Quotation, Source
from graph.models.query_models import NodeRef

_WIKILINK = re.compile(r"\[\[([^\[\]|\n]{1,300})(?:\|([^\[\]\n]{1,300}))?\]\]")
_BRACKET = re.compile(r"\[(\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*)\](?!\()")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as it is shown: HTML, the ids of the claims whose figures were found in it, and whether it was cut."""

    markup: str
    placed: frozenset[str] = frozenset()
    cut: bool = False


def annotated(
    node: Node, titles: Mapping[str, NodeRef], lines: Sequence[ClaimRow], differing: Collection[str] = ()
) -> Reading:
    """The body of a node; `titles` are the nodes that it cites, `lines` its claims, `differing` figures to mark."""
    marker = TextMarker(node.body)
    _wikilinks(marker, node, titles)
    _quotations(marker, node)
    _brackets(marker, node, titles)
    placed = _figures(marker, lines)
    _differing(marker, differing)
    return Reading(markdown_to_html(marker), frozenset(placed), cut=len(node.body) > LONGEST)


def _wikilinks(marker: TextMarker, node: Node, titles: Mapping[str, NodeRef]) -> None:
    cited = _by_name(node)

    def link(found: re.Match[str]) -> tuple[str, TextMark]:
        citation = cited.get(found[1].strip().casefold())
        target = titles.get(citation.target) if citation and citation.target else None
        shown = found[2] or (target.title if target else found[1])
        if target is None:
            return _literal(shown), TextMark("span", {"class": "missing", "title": "There is no node of this name."})
        return _literal(shown), _to_node(target, citation)

    marker.replace(_WIKILINK, link)


def _by_name(node: Node) -> dict[str, Citation]:
    """The citations by what a link may call them: as written but for its label, or the target with or without brain."""
    found: dict[str, Citation] = {}
    for citation in node.cites:
        written = citation.marker.strip("[]").partition("|")[0].strip()
        for name in (written, citation.target or "", (citation.target or "").partition("/")[2]):
            if name:
                found.setdefault(name.casefold(), citation)
    return found


def _literal(text: str) -> str:
    """A text that Markdown leaves as it is."""
    return re.sub(r"([\\`*_\[\]<>&$|~])", r"\\\1", text)


def _to_node(target: NodeRef, citation: Citation | None) -> TextMark:
    unsure = citation is not None and citation.confidence < 0.8
    sure = f" ({share(citation.confidence)} sure)" if unsure and citation else ""
    return TextMark(
        "a",
        {
            "href": path_of("nodes", target.id),
            "class": "cite unsure" if unsure else "cite",
            "title": target.title + sure,
            "data-preview": path_of("previews", target.id),
        },
    )


def _brackets(marker: TextMarker, node: Node, titles: Mapping[str, NodeRef]) -> None:
    """Each number of a marker such as `[17, 18, 19]` becomes a link; the brackets stay."""
    numbered = {citation.number: citation for citation in node.cites if citation.number is not None}
    if not numbered:
        return
    closed_off = marker.guarded()
    spans = [
        (bracket.start(1) + digit.start(), bracket.start(1) + digit.end(), _to_number(numbered, titles, int(digit[0])))
        for bracket in _BRACKET.finditer(marker.text)
        if bracket.start() not in closed_off
        for digit in _DIGITS.finditer(bracket[1])
    ]
    marker.wrap_all(spans)


def _to_number(numbered: Mapping[int, Citation], titles: Mapping[str, NodeRef], number: int) -> TextMark:
    citation = numbered.get(number)
    target = titles.get(citation.target) if citation and citation.target else None
    if citation is None or target is None:
        return TextMark("span", {"class": "missing", "title": "It is not known which reading this marker means."})
    return _to_node(target, citation)


def _quotations(marker: TextMarker, node: Node) -> None:
    """Each cite span, in the order of the text, with a note shown next to it on wide pages."""
    sources = {source.url: source for source in node.sources}
    spans: dict[int, list[Quotation]] = {}
    for quotation in node.quotes:
        spans.setdefault(quotation.span, []).append(quotation)
    places, beside, last = [], "", 0
    for number, quotations in sorted(spans.items()):
        start = marker.text.find(quotations[0].quote, last)
        if start < 0 or not quotations[0].quote:
            continue
        last = start + len(quotations[0].quote)
        note = _note(number, quotations, sources)
        shown = "" if _named(quotations) == beside else note
        beside = _named(quotations)
        number_link = f'<sup class="mark"><a href="#quote-{number + 1}" id="in-{number + 1}">{number + 1}</a></sup>'
        places.append(
            (start, last, TextMark("q", {"class": f"quoted {quotations[0].resolution}"}, number_link + shown))
        )
    marker.wrap_all(places)


def _named(quotations: Sequence[Quotation]) -> str:
    return "|".join(str(quotation.source) for quotation in quotations)


def _note(number: int, quotations: Sequence[Quotation], sources: Mapping[str, Source]) -> str:
    """The margin note of a quotation: host and name of the source, or how many it may be from."""
    works = " · ".join(dict.fromkeys(_source(quotation, sources) for quotation in quotations))
    return f'<small class="beside" role="note"><span class="count">{number + 1}</span> {works}</small>'


def _source(quotation: Quotation, sources: Mapping[str, Source]) -> str:
    source = sources.get(quotation.source or "")
    if source is None:
        count = len(quotation.candidates)
        return f"one of {count} sources" if count > 1 else "source not known"
    unsure = "" if quotation.resolution == "exact" else f" <i>{quotation.resolution}</i>"
    name = escape(source.title or source.host or source.id)
    return f'<a href="{escape(work_path(source.id))}">{name}</a>{unsure}'


def _figures(marker: TextMarker, lines: Sequence[ClaimRow]) -> list[str]:
    claims = {line.claim.id: line for line in lines}
    places = stand(marker.text, (line.claim for line in lines), marker.guarded())
    at: dict[tuple[int, int], list[ClaimRow]] = {}
    for claim, place in places.items():
        at.setdefault(place, []).append(claims[claim])
    marker.wrap_all((start, end, _verdict(group)) for (start, end), group in _apart(at))
    return list(places)


def _differing(marker: TextMarker, texts: Collection[str]) -> None:
    """The figures that another definition gives otherwise."""
    if not texts:
        return
    closed_off = marker.guarded()
    written = "|".join(r"\s+".join(map(re.escape, text.split())) for text in sorted(texts, key=len, reverse=True))
    places = (found.span() for found in re.finditer(rf"(?<![\w.,])(?:{written})(?!\w)", marker.text))
    mark = TextMark("mark", {"class": "differs"})
    marker.wrap_all([(start, end, mark) for start, end in places if start not in closed_off])


def _apart(at: Mapping[tuple[int, int], list[ClaimRow]]) -> Iterator[tuple[tuple[int, int], list[ClaimRow]]]:
    """The places in order, without those that begin inside the one before."""
    last = 0
    for place, group in sorted(at.items()):
        if place[0] >= last:
            yield place, group
            last = place[1]


def _word(line: ClaimRow) -> str:
    sign = VERDICTS[line.verdict] if line.verdict else UNSEEN
    return f'<a class="word {sign.css}" href="{escape(path_of("claims", line.claim.id))}">{sign.word}</a>'


def _verdict(group: Sequence[ClaimRow]) -> TextMark:
    """The figure as a link to its most severe claim, in the colour of the verdict, followed by each claim's verdict."""
    line = min(group, key=lambda one: verdict_order(one.verdict))
    sign = VERDICTS[line.verdict] if line.verdict else UNSEEN
    others = (_word(one) for one in group if one is not line)
    word = " ".join([f'<span class="word {sign.css}">{sign.word}</span>', *others])
    return TextMark(
        "a",
        {
            "href": path_of("claims", line.claim.id),
            "class": f"figure {sign.css}",
            "title": readable(line.row.reason) if line.row and line.row.reason else sign.meaning,
            "data-preview": path_of("claim-previews", line.claim.id),
        },
        word,
    )
