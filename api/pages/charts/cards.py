"""Cards of 1200 × 630 pixels for link previews: a note, a claim or a price with its name, one number and a legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from api.pages.charts.chart import Area, Line, plot_lines, short_address
from api.pages.charts.claim_charts import source_text, strip_bars, unchanged
from api.pages.charts.picture import SERIF, Scheme, bar, cut, image, keys, picture, text, wrapped
from api.pages.charts.price_charts import TimeAxis, catalog_colour, located, price_chart, price_source
from api.pages.render.figure_format import capitalize, figure, plural, readable, short_day
from api.pages.render.strips import STATES, life_strip
from api.pages.render.verdict_signs import HEALTH, KINDS, VERDICTS, verdict_sign
from api.pages.request.page_request import PageRequest, RawResponse, path_of
from api.pages.views.claim_table import PageContext
from api.pages.views.prices.price_table import change_text, price_text, row_name, since_text
from compute.record.record_text import turn_text
from graph.models.claim_models import VerdictName
from graph.store.store_errors import UnknownClaimError

SIZE = (1200, 630)
"""The size in pixels that link previews show without cropping."""

_LEFT, _WIDTH, _STRIP = 64, 1072, 392
TONES = {"holds": "good", "refuted": "bad", "stale": "two", "depends": "one", "unverifiable": "five", "error": "four"}
"""The colours of the palette by the class of a verdict."""


@dataclass(frozen=True, slots=True)
class Card:
    """What a card shows: `number` is the one large figure, `word` what it means, `strip` the parts of a drawing."""

    kicker: str
    title: str
    number: str
    word: str
    tone: str
    beside: str
    strip: Sequence[str]
    ends: tuple[str, str]
    legend: Sequence[tuple[str, str]]
    below: str
    source: str
    link: str


def _picture(one: Card, scheme: Scheme) -> bytes:
    parts = [bar((0, 0), (12, SIZE[1]), one.tone), text((_LEFT, 74), one.kicker, 24, "soft")]
    for number, words in enumerate(wrapped(one.title, 50, 3)):
        parts.append(text((_LEFT, 134 + 52 * number), words, 44, more=f' font-family="{SERIF}"'))
    parts.append(text((_LEFT, 344), one.number, 64, bold=True))
    at = _LEFT + 35 * len(one.number) + 30
    parts.append(text((at, 344), one.word, 36, one.tone, bold=True))
    at += 19 * len(one.word) + 30
    parts.append(text((at, 344), cut(one.beside, max(6, int((_LEFT + _WIDTH - at) / 13))), 26, "soft"))
    parts += one.strip
    parts.append(text((_LEFT, _STRIP + 64), one.ends[0], 20, "soft"))
    parts.append(text((_LEFT + _WIDTH, _STRIP + 64), one.ends[1], 20, "soft", anchor="end"))
    parts += keys((_LEFT, _STRIP + 104), one.legend, 20, _WIDTH)[0]
    parts.append(text((_LEFT, _STRIP + 150), cut(one.below, 92), 24))
    parts.append(text((_LEFT, 604), cut(one.link, 62), 20, "soft"))
    parts.append(text((_LEFT + _WIDTH, 604), cut(one.source, 46), 20, "soft", anchor="end"))
    says = f"{one.number} {one.word}. {one.below}"
    return picture(SIZE, one.title, says, parts, scheme)


def _answer(context: PageContext, request: PageRequest, one: Card) -> RawResponse:
    return image(context, request, lambda scheme: _picture(one, scheme), sharp=1)


def claim_card(context: PageContext, request: PageRequest) -> RawResponse:
    """The card of one claim.

    Raises:
        UnknownClaimError: there is no such claim.
    """
    name, day = request.parts["claim"], request.day
    row = context.claim_table().lines.get(name)
    if row is None:
        raise UnknownClaimError(name)
    verdict, life = context.explain(name, day), context.brain.record.life(name, day)
    sign, strip = verdict_sign(verdict.verdict, row.claim), life_strip(life)
    past = [turn for turn in life.turns if turn.day <= day]
    turn = past[-1] if past else next(iter(life.turns), None)
    then = verdict.then.value if verdict.then.value != verdict.value else None
    was = f", was {figure(then, verdict.unit)} on {short_day(verdict.then.as_of)}" if then is not None else ""
    last = "today" if strip.last <= life.today else f"{short_day(strip.last)}, announced"
    return _answer(context, request, Card(
        kicker="Claim",
        title=row.claim.says or name,
        number=figure(verdict.value, verdict.unit),
        word=sign.word,
        tone=TONES.get(sign.css, "soft"),
        beside=f"expected {readable(verdict.expected)}{was}",
        strip=list(strip_bars(life, (_LEFT, _STRIP), (_WIDTH, 34))),
        ends=(f"stated {short_day(strip.first)}", last),
        legend=STATES,
        below=f"From {short_day(turn.day)} it {readable(turn_text(turn))}." if turn else unchanged(life),
        source=f"{source_text(verdict)} · {short_day(day)}",
        link=short_address(request.site) + path_of("claims", name),
    ))  # fmt: skip


def note_card(context: PageContext, request: PageRequest) -> RawResponse:
    """The card of one note: how many of its figures hold.

    Raises:
        UnknownNodeError: there is no such note.
    """
    node = context.brain.nodes.get(f"{request.parts['brain']}/{request.parts['slug']}")
    rows, health = context.claim_table().by_node.get(node.id, ()), context.health(node.id)
    counts = [(VERDICTS[name], sum(one.verdict is name for one in rows)) for name in VERDICTS]
    shown = [(TONES.get(sign.css, "unknown"), sign.word, count) for sign, count in counts if count]
    holding = sum(one.verdict is VerdictName.HOLDS for one in rows)
    sign, published = HEALTH[health.state], f", {short_day(node.published)}" if node.published else ""
    return _answer(context, request, Card(
        kicker=f"{KINDS[node.kind]} · {node.brain}",
        title=node.title,
        number=f"{holding} of {len(rows)}" if rows else "",
        word="figures hold" if rows else "no figures to check",
        tone=TONES.get(sign.css, "soft"),
        beside=sign.word,
        strip=list(_shares(shown)),
        ends=("", ""),
        legend=[(tone, f"{count} {word}") for tone, word, count in shown],
        below=plural(len({one.id for one in node.sources}), "source") + published,
        source=short_day(request.day),
        link=short_address(request.site) + path_of("nodes", node.id),
    ))  # fmt: skip


def _shares(shown: Iterable[tuple[str, str, int]]) -> Iterable[str]:
    """Counts as parts of one bar."""
    entries = list(shown)
    total, x = sum(count for _, _, count in entries) or 1, float(_LEFT)
    for tone, _, count in entries:
        yield bar((x, _STRIP), (_WIDTH * count / total, 34), tone)
        x += _WIDTH * count / total


def price_card(context: PageContext, request: PageRequest) -> RawResponse:
    """The card of one price.

    Raises:
        UnknownPriceError: no catalogue knows it.
    """
    row, _ = located(context, request)
    chart, axis = price_chart(row, request.day), TimeAxis.around(request.day)
    area = Area(_LEFT, _STRIP - 20, _WIDTH, 62, *chart.x, *chart.y)
    lines = [Line(one.corners, one.colour, 5, one.dash) for one in chart.lines]
    return _answer(context, request, Card(
        kicker="Price",
        title=f"{row.item}: {row_name(row)}",
        number=price_text(row),
        word="",
        tone="one",
        beside=change_text(row),
        strip=[plot_lines(area, lines)],
        ends=(short_day(axis.first), short_day(axis.last)),
        legend=[(catalog_colour(name), name) for name in dict.fromkeys(one.catalog for one in row.prices)],
        below=capitalize(since_text(row)),
        source=f"{price_source(row)} · {short_day(request.day)}",
        link=short_address(request.site) + path_of("prices", row.item),
    ))  # fmt: skip
