"""Cards of 1200 × 630 units for link previews: a note, a claim or a price with its name, one number and a legend."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from api.pages.charts.chart import Area, Line, plot_lines, short_address
from api.pages.charts.picture import SANS, Scheme, cut, image, keys, picture, text, wrapped
from api.pages.charts.price_charts import TimeAxis, catalog_colour, price_chart, price_source
from api.pages.render.figure_format import capitalize, figure, plural, readable, short_day
from api.pages.render.strips import life_strip
from api.pages.render.verdict_signs import HEALTH, KINDS, VERDICTS, verdict_sign
from api.pages.request.page_request import PageRequest, RawResponse, path_of
from api.pages.views.claim_table import PageContext
from api.pages.views.prices.price_table import change_text, chosen_row, item_rows, price_text, row_name, since_text
from compute.record.record_text import turn_text
from graph.models.claim_models import VerdictName
from graph.store.store_errors import UnknownClaimError

SIZE = (1200, 630)
"""The size that link previews show without cropping."""

_LEFT, _WIDE, _TOP, _TALL = 64, 1072, 392, 62
TONES = {"holds": "good", "refuted": "bad", "stale": "two", "depends": "one", "unverifiable": "five", "error": "four"}
"""The colours of the palette by the class of a verdict."""
_STATES = {"held": "holds", "failed": "fails", "failed undated": "fails, by undated prices", "unknown": "not known"}
_LIFE = dict(zip(_STATES, ("good", "bad", "two", "unknown"), strict=True))


class Card(NamedTuple):
    """What a card shows: `number` is the one large figure, `word` what it means, `drawing` is below them."""

    kicker: str
    title: str
    number: str
    word: str
    tone: str
    beside: str
    drawing: str
    legend: Sequence[tuple[str, str]]
    below: str
    source: str
    link: str


def _drawn(one: Card, scheme: Scheme) -> bytes:
    parts = [_bar(0, 12, one.tone, SIZE[1], 0), text((_LEFT, 74), one.kicker, 24, "soft")]
    parts += [
        text((_LEFT, 134 + 52 * row), words, 44, bold=True) for row, words in enumerate(wrapped(one.title, 48, 3))
    ]
    parts.append(
        f'<text x="{_LEFT}" y="344" font-family="{SANS}"><tspan font-size="64" font-weight="600" fill="var(--ink)">'
        f'{html.escape(one.number)}</tspan><tspan dx="24" font-size="36" font-weight="600" fill="var(--{one.tone})">'
        f'{html.escape(one.word)}</tspan><tspan dx="24" font-size="26" fill="var(--soft)">'
        f"{html.escape(cut(one.beside, 62 - len(one.number) * 2 - len(one.word)))}</tspan></text>"
    )
    parts += [one.drawing, *keys((_LEFT, _TOP + _TALL + 42), one.legend, 20, _WIDE)[0]]
    parts.append(text((_LEFT, _TOP + _TALL + 96), cut(one.below, 92), 24))
    parts.append(text((_LEFT, 604), cut(one.link, 62), 20, "soft"))
    parts.append(text((_LEFT + _WIDE, 604), cut(one.source, 46), 20, "soft", anchor="end"))
    return picture(SIZE, one.title, f"{one.number} {one.word}. {one.below}", parts, scheme)


def _bar(x: float, width: float, tone: str, height: float = _TALL, y: float = _TOP) -> str:
    return f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" fill="var(--{tone})"/>'


def _shares(entries: Iterable[tuple[str, float]], total: float) -> str:
    """Parts of one bar, one after the other."""
    bars, x = [], float(_LEFT)
    for tone, size in entries:
        bars.append(_bar(x, _WIDE * size / total, tone))
        x += _WIDE * size / total
    return "".join(bars)


def claim_card(context: PageContext, request: PageRequest) -> RawResponse:
    """The card of one claim, with its life line.

    Raises:
        UnknownClaimError: there is no such claim.
    """
    name, day = request.parts["claim"], request.day
    row = context.claim_table().lines.get(name)
    if row is None:
        raise UnknownClaimError(name)
    verdict, life = context.explain(name, day), context.brain.record.life(name, day)
    strip, past = life_strip(life), [turn for turn in life.turns if turn.day <= day]
    last = f"From {short_day(past[-1].day)} it {readable(turn_text(past[-1]))}." if past else capitalize(strip.words)
    sign = verdict_sign(verdict.verdict, row.claim)
    states = dict.fromkeys(one.css for one in strip.bars)
    one = Card(
        "Claim", row.claim.says or name, figure(verdict.value, verdict.unit), sign.word, TONES.get(sign.css, "soft"),
        f"expected {readable(verdict.expected)}", _shares(((_LIFE[bar.css], bar.width) for bar in strip.bars), 1000),
        [(_LIFE[css], _STATES[css]) for css in states], readable(last),
        f"{short_day(strip.first)} to {short_day(strip.last)}", short_address(request.site) + path_of("claims", name),
    )  # fmt: skip
    return image(context, request, lambda scheme: _drawn(one, scheme))


def note_card(context: PageContext, request: PageRequest) -> RawResponse:
    """The card of one note: how many of its figures hold.

    Raises:
        UnknownNodeError: there is no such note.
    """
    node = context.brain.nodes.get(f"{request.parts['brain']}/{request.parts['slug']}")
    rows, sign = context.claim_table().by_node.get(node.id, ()), HEALTH[context.health(node.id).state]
    counts = [(VERDICTS[name], sum(row.verdict is name for row in rows)) for name in VERDICTS]
    shown = [(TONES.get(one.css, "unknown"), one.word, count) for one, count in counts if count]
    published = f", {short_day(node.published)}" if node.published else ""
    holding = f"{sum(row.verdict is VerdictName.HOLDS for row in rows)} of {len(rows)}" if shown else f"{len(rows)}"
    word = ("figures hold" if shown else "figures to check") if rows else "no figures to check"
    one = Card(
        f"{KINDS[node.kind]} · {node.brain}", node.title, holding if rows else "", word,
        TONES.get(sign.css, "soft"), sign.word,
        _shares(((tone, count) for tone, _, count in shown), len(rows) or 1),
        [(tone, f"{count} {word}") for tone, word, count in shown],
        plural(len({source.id for source in node.sources}), "source") + published, short_day(request.day),
        short_address(request.site) + path_of("nodes", node.id),
    )  # fmt: skip
    return image(context, request, lambda scheme: _drawn(one, scheme))


def price_card(context: PageContext, request: PageRequest) -> RawResponse:
    """The card of one component of an item, the first one if `chart` names none.

    Raises:
        UnknownPriceError: no catalogue knows the item.
        PageRequestError: there is no such component.
    """
    row = chosen_row(request, item_rows(context, request.parts["item"], request.day))
    chart, axis = price_chart(row, request.day), TimeAxis.around(request.day)
    area = Area(_LEFT, _TOP, _WIDE, _TALL, *chart.x, *chart.y)
    lines = [Line(one.corners, one.colour, 5, one.dash) for one in chart.lines]
    one = Card(
        "Price", f"{row.item}: {row_name(row)}", price_text(row), "", "one", change_text(row),
        plot_lines(area, lines, ()),
        [(catalog_colour(name), name) for name in dict.fromkeys(price.catalog for price in row.prices)],
        f"{capitalize(since_text(row))}; drawn from {short_day(axis.first)} to {short_day(axis.last)}",
        price_source(row),
        short_address(request.site) + path_of("prices", row.item),
    )  # fmt: skip
    return image(context, request, lambda scheme: _drawn(one, scheme))
