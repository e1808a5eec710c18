"""The text of a node with its links, quotations and verdicts."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import NamedTuple

from api.pages.page_request import path_of
from api.pages.render.figure_format import readable
from api.pages.render.figure_marks import claim_places
from api.pages.render.markdown_html import LONGEST, markdown_to_html
from api.pages.render.note_links import NoteLink, NoteLinks, node_attributes, part_of
from api.pages.render.templates import fill
from api.pages.render.text_marks import TextMark, TextMarker
from api.pages.views.claim_table import ClaimRow
from graph.groups import group_by
from graph.models.node_models import Node
from graph.models.query_models import NodeRef
from graph.models.verdict_models import QuoteAnchor
from graph.text.quote_anchor import place_in

_WIKILINK = re.compile(r"(!?)\[\[([^\[\]|\n]{1,300}?)(?:\\?\|([^\[\]\n]{0,300}))?\]\]")
_LINKED = re.compile(rf"{_WIKILINK.pattern}|https?://[^\s<>\"',]+")
_OUTWARD = {"class": "outward", "rel": "noopener nofollow ugc"}
_ALONE = re.compile(r"^(!\[\[[^\[\]\n]{1,600}\]\])[ \t]*$", re.MULTILINE)
_FILE_PLACE = re.compile(r"(?:\]\(|\]:[ \t]{1,9})<?([^()<>\n#]{1,300}\.md#[^()<>\s]{1,300})")
_HIGHLIGHT = re.compile(r"(?<![=\\])==(?=[^\s=])((?:[^\n=]|=(?!=)|\n(?![ \t]*\n)){1,1000}?)(?<=[^\s=])==(?!=)")
_EMBED = re.compile(r'<p dir="auto">(<a [^>]*>[^<]*</a>)<!--embed (\d+)--></p>')
_EMBED_TOKEN = re.compile(r"<!--embed \d+-->")
_BRACKET = re.compile(r"\[(\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*)\](?!\()")
_DIGITS = re.compile(r"\d+")

MOST_EMBEDS = 30  # a page shows so many embedded texts; the others are links

MOST_PLACES = 100  # a page looks up the headings and blocks of so many other nodes

MOST_PREVIEWS = 3  # a figure shows the previews of so many of its claims, the most severe first

PHRASE = 30  # a mark of more characters covers words and no figure; it is not set in bold

LONGEST_EMBED = 20_000  # an embedded text is shown up to this many characters


class Reading(NamedTuple):
    """A text as it is shown: HTML, and whether it was cut."""

    markup: str
    cut: bool


def annotated(
    node: Node,
    titles: Mapping[str, NodeRef],
    lines: Sequence[ClaimRow],
    differing: Collection[str] = (),
    *,
    embedded: Mapping[str, Node] | None = None,
    anchors: Mapping[str, QuoteAnchor] | None = None,
) -> Reading:
    """The body of a node; `titles` are the nodes that it cites, `lines` its claims, `differing` figures to mark.

    `embedded` are the nodes whose text it shows inside its own (`embeds_of`) and those of whose headings and blocks it
    links to (`places_of`); the citations of what it shows are among `titles`.
    `anchors` are the places of the words that the claims quote, by claim id.
    """
    marker = TextMarker(node.body)
    bodies = {**(embedded or {}), node.id: node}
    links, embeds = NoteLinks(node, titles, bodies), Embeds(bodies, titles)
    closed_off = marker.guarded()  # an embed on a line of its own is a paragraph of its own
    marker.text = _ALONE.sub(lambda found: found[0] if found.start() in closed_off else f"\n{found[1]}\n", marker.text)
    _quotations(marker, node)
    _wikilinks(marker, links, embeds)
    _highlights(marker)
    _brackets(marker, node, titles)
    _figures(marker, lines, node, anchors)
    _differing(marker, differing)
    return Reading(embeds.placed(markdown_to_html(marker, links)), cut=len(node.body) > LONGEST)


class Embeds:
    """Texts shown in place of a paragraph `![[note]]`; embeds inside them are links."""

    def __init__(self, nodes: Mapping[str, Node], titles: Mapping[str, NodeRef]) -> None:
        self._nodes, self._titles = nodes, titles
        self._texts: list[str] = []

    def token(self, link: NoteLink) -> str:
        """The placeholder of an embedded text; empty if there is none."""
        node = self._nodes.get(link.target)
        text = part_of(node.body, link.place) if node and len(self._texts) < MOST_EMBEDS else ""
        if node is None or not text.strip():
            return ""
        marker = TextMarker(text[:LONGEST_EMBED])
        links = NoteLinks(node, self._titles, self._nodes)
        _wikilinks(marker, links, None)
        _highlights(marker)
        more = "…" if len(text) > LONGEST_EMBED else ""
        self._texts.append(markdown_to_html(marker, links, f"e{len(self._texts) + 1}") + more)
        return f"<!--embed {len(self._texts) - 1}-->"

    def placed(self, markup: str) -> str:
        """A page's text with the embedded texts in their places."""
        if not self._texts:
            return markup
        start, end = '<div class="embed"><p class="embed-title">', "</div>"
        blocks = _EMBED.sub(lambda found: f"{start}{found[1]}</p>\n{self._texts[int(found[2])]}{end}", markup)
        return _EMBED_TOKEN.sub("", blocks)


def embeds_of(node: Node) -> tuple[str, ...]:
    """The ids of the nodes that a text embeds."""
    links = _links_of(node)
    found = (links.wikilink(one[2]).target for one in _WIKILINK.finditer(node.body) if one[1])
    return tuple(dict.fromkeys(target for target in found if target))[:MOST_EMBEDS]


def places_of(node: Node) -> tuple[str, ...]:
    """The ids of other nodes to whose headings or blocks a text links."""
    if "#" not in node.body:
        return ()
    links = _links_of(node)
    wikilinks = (links.wikilink(one[2]) for one in _WIKILINK.finditer(node.body) if "#" in one[2])
    addresses = (links.address(one[1]) for one in _FILE_PLACE.finditer(node.body))
    found = (link.target for link in (*wikilinks, *addresses) if link and link.place)
    return tuple(dict.fromkeys(target for target in found if target not in {"", node.id}))[:MOST_PLACES]


def _links_of(node: Node) -> NoteLinks:
    known = {one.target: NodeRef(id=one.target, kind=node.kind, title="") for one in node.cites if one.target}
    return NoteLinks(node, known)


def _wikilinks(marker: TextMarker, links: NoteLinks, embeds: Embeds | None) -> None:
    def link(found: re.Match[str]) -> tuple[str, TextMark]:
        made = links.wikilink(found[2])
        picture = made.attributes["class"] == "attachment"
        words = made.words if picture else (found[3] or made.words)
        token = embeds.token(made) if found[1] and embeds else ""
        literal = re.sub(r"([\\`*_\[\]<>&$|~=^])", r"\\\1", words)  # what Markdown leaves as it is
        return literal, TextMark(made.tag, made.attributes, token)

    marker.replace(_WIKILINK, link)


def linked_text(text: str, links: NoteLinks) -> str:
    """A line of plain text as HTML, with wikilinks and addresses as links."""
    pieces, last = [], 0
    for found in _LINKED.finditer(text):
        pieces.append(escape(text[last : found.start()]))
        last = found.end()
        made = links.wikilink(found[2]) if found[2] else NoteLink("a", _OUTWARD | {"href": found[0]}, found[0])
        mark = TextMark(made.tag, made.attributes)
        pieces += (mark.opening(linked=False), escape(found[3] or made.words), mark.closing(linked=False))
    return "".join((*pieces, escape(text[last:])))


def _highlights(marker: TextMarker) -> None:
    marker.replace(_HIGHLIGHT, lambda found: (found[1], TextMark("mark", {"class": "highlight"})))


def _brackets(marker: TextMarker, node: Node, titles: Mapping[str, NodeRef]) -> None:
    """Links for the numbers of a marker such as `[17, 18]`; the first has its title in the margin."""
    numbered = {citation.number: citation for citation in node.cites if citation.number is not None}
    if not numbered:
        return
    known = {number: titles[one.target] for number, one in numbered.items() if one.target and one.target in titles}
    unknown = TextMark("span", {"class": "missing", "title": "It is not known which reading this marker means."})
    closed_off, noted, spans = marker.guarded(), set[int](), list[tuple[int, int, TextMark]]()
    for bracket in _BRACKET.finditer(marker.text):
        if bracket.start() in closed_off:
            continue
        new: dict[int, NodeRef] = {}
        for digits in _DIGITS.finditer(marker.text, *bracket.span(1)):
            number = int(digits[0])
            if number in known:
                spans.append((*digits.span(), TextMark("a", node_attributes(known[number], numbered[number]))))
                new |= {number: known[number]} if number not in noted else {}
            else:
                spans.append((*digits.span(), unknown))
        noted.update(new)
        if new:
            spans.append((*bracket.span(), TextMark("span", {"class": "refs"}, fill("citation_note.html", cited=new))))
    marker.wrap_all(spans)


def _quotations(marker: TextMarker, node: Node) -> None:
    sources = {source.url: source for source in node.sources}
    spans = group_by(node.quotes, lambda quotation: quotation.span)
    places, beside, last = [], list[str | None](), 0
    for number, quotations in sorted(spans.items()):
        start = marker.text.find(quotations[0].quote, last)
        if start < 0 or not quotations[0].quote:
            continue
        last = start + len(quotations[0].quote)
        works = {(one.source, one.resolution if one.source else len(one.candidates)): one for one in quotations}
        named = [one.source for one in quotations]
        shown = () if named == beside else [(sources.get(one.source or ""), one) for one in works.values()]
        beside, note = named, fill("quotation_note.html", number=number + 1, works=shown)
        places.append((start, last, TextMark("q", {"class": f"quoted {quotations[0].resolution}"}, note)))
    marker.wrap_all(places)


def _figures(
    marker: TextMarker, lines: Sequence[ClaimRow], node: Node, anchors: Mapping[str, QuoteAnchor] | None
) -> None:
    claims = {line.claim.id: line for line in lines}
    spans = {name: place_in(marker.text, node.body, one.start, one.end) for name, one in (anchors or {}).items()}
    quoted = {name: span for name, span in spans.items() if span}
    rows = {line.claim.id: line.row for line in lines if line.row}
    known = quoted if anchors is not None else None
    places = claim_places(marker.text, (line.claim for line in lines), marker.guarded(), known, rows)
    groups: list[tuple[int, int, list[ClaimRow]]] = []
    for (start, end), claim in sorted((place, claim) for claim, place in places.items()):
        if groups and start < groups[-1][1]:
            groups[-1][2].append(claims[claim])  # its place begins inside the one before: both share that one
        else:
            groups.append((start, end, [claims[claim]]))
    marker.wrap_all((start, end, _verdict(group, marker.text[start:end])) for start, end, group in groups)


def _differing(marker: TextMarker, texts: Collection[str]) -> None:
    if not texts:
        return
    closed_off = marker.guarded()
    written = "|".join(r"\s+".join(map(re.escape, text.split())) for text in sorted(texts, key=len, reverse=True))
    places = (found.span() for found in re.finditer(rf"(?<![\w.,])(?:{written})(?!\w)", marker.text))
    mark = TextMark("mark", {"class": "differs"})
    marker.wrap_all([(start, end, mark) for start, end in places if start not in closed_off])


def _verdict(group: Sequence[ClaimRow], words: str) -> TextMark:
    """The figure, or a band that an example lies in, as a link to its most severe claim; CSS shows the verdict."""
    rows = sorted(group, key=lambda one: one.gravity)
    row, same = rows[0], sum(one.state == rows[0].state for one in rows)
    within = "–" in words and row.state == "holds" and all(one.claim.expect.form == "between" for one in rows)
    many = "" if len(rows) == 1 else f", {'all' if same == len(rows) else f'{same} of'} {len(rows)}"
    return TextMark(
        "a",
        {
            "href": path_of("claims", row.claim.id),
            "class": f"figure {row.sign.css}{' phrase' if len(words) > PHRASE else ''}{' within' if within else ''}",
            "title": "One example lies within. " * within + readable((row.row and row.row.reason) or row.sign.meaning),
            "data-word": f"{row.sign.word}{many}",
            "data-preview": " ".join(path_of("claim-previews", one.claim.id) for one in rows[:MOST_PREVIEWS]),
        },
    )
