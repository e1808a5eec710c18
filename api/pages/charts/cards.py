"""Cards of 1200 × 630 units for link previews: a note, a claim or a price with its name, one number and a legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from api.pages.charts.chart import Area, Line, image, keys, picture, short_address
from api.pages.charts.price_charts import TimeAxis, catalog_colour, price_chart, price_source
from api.pages.render.figure_format import capitalize, figure, plural, readable, short_day
from api.pages.render.strips import life_strip
from api.pages.render.verdict_signs import HEALTH, KINDS, VERDICTS, verdict_sign
from api.pages.request.page_request import PageRequest, RawResponse, path_of
from api.pages.views.claim_table import PageContext
from api.pages.views.price_table import change_text, chosen_row, item_rows, price_text, row_name, since_text
from compute.record.record_text import turn_text
from graph.models.claim_models import VerdictName

SIZE = (1200, 630)
"""The size that link previews show without cropping."""

_LEFT, _WIDE, _TOP, _TALL = 64, 1072, 392, 62
TONES = {"holds": "good", "refuted": "bad", "stale": "two", "depends": "one", "unverifiable": "five", "error": "four"}
"""The colours of the palette by the class of a verdict."""
_LIFE = {"held": "good", "failed": "bad", "failed undated": "two", "unknown": "unknown"}
_STATES = {"held": "holds", "failed": "fails", "failed undated": "fails, by undated prices", "unknown": "not known"}


def _card(
    context: PageContext, request: PageRequest, *, title: str, number: str, word: str, below: str, path: str,
    legend: Iterable[tuple[str, str]], **values: object,
) -> RawResponse:  # fmt: skip
    """A card: `number` is the one large figure, `word` what it means; `values` are its drawing, its kind and colour."""
    values |= {"link": short_address(request.site) + path, "keys": keys((_LEFT, 496), legend, 20, _WIDE)[0]}
    shown = {"bars": (), "area": None, "number": number, "word": word, "below": below, **values}
    says = f"{number} {word}. {below}"
    return image(context, request, lambda scheme: picture("card.svg", scheme, SIZE, title, says, **shown))


def _shares(entries: Iterable[tuple[str, float]], total: float) -> Sequence[tuple[str, float, float]]:
    """Parts of one bar, one after the other: the colour, the place and the width of each."""
    bars, x = [], float(_LEFT)
    for tone, size in entries:
        bars.append((tone, x, _WIDE * size / total))
        x += _WIDE * size / total
    return bars


def claim_card(context: PageContext, request: PageRequest) -> RawResponse:
    """The card of one claim, with its life line.

    Raises:
        UnknownClaimError: there is no such claim.
    """
    name, day = request.parts["claim"], request.day
    row, verdict, life = context.claim_row(name), context.explain(name, day), context.brain.record.life(name, day)
    strip, past = life_strip(life), [turn for turn in life.turns if turn.day <= day]
    last = f"From {short_day(past[-1].day)} it {readable(turn_text(past[-1]))}." if past else capitalize(strip.words)
    sign = verdict_sign(verdict.verdict, row.claim)
    states = dict.fromkeys(one.css for one in strip.bars)
    return _card(
        context, request, kicker="Claim", title=row.claim.says or name, tone=TONES.get(sign.css, "soft"),
        number=figure(verdict.value, verdict.unit), word=sign.word, beside=f"expected {readable(verdict.expected)}",
        bars=_shares(((_LIFE[bar.css], bar.width) for bar in strip.bars), 1000),
        legend=[(_LIFE[css], _STATES[css]) for css in states], below=readable(last),
        source=f"{short_day(strip.first)} to {short_day(strip.last)}", path=path_of("claims", name),
    )  # fmt: skip


def note_card(context: PageContext, request: PageRequest) -> RawResponse:
    """The card of one note: how many of its figures hold.

    Raises:
        UnknownNodeError: there is no such note.
    """
    node = context.brain.nodes.get(request.node)
    rows, sign = context.claim_table().by_node.get(node.id, ()), HEALTH[context.health(node.id).state]
    counts = [(VERDICTS[name], sum(row.verdict is name for row in rows)) for name in VERDICTS]
    shown = [(TONES.get(one.css, "unknown"), one.word, count) for one, count in counts if count]
    published = f", {short_day(node.published)}" if node.published else ""
    holding = f"{sum(row.verdict is VerdictName.HOLDS for row in rows)} of {len(rows)}" if shown else f"{len(rows)}"
    word = ("figures hold" if shown else "figures to check") if rows else "no figures to check"
    return _card(
        context, request, kicker=f"{KINDS[node.kind]} · {node.brain}", title=node.title,
        tone=TONES.get(sign.css, "soft"), number=holding if rows else "", word=word, beside=sign.word,
        bars=_shares(((tone, count) for tone, _, count in shown), len(rows) or 1),
        legend=[(tone, f"{count} {word}") for tone, word, count in shown],
        below=plural(len({source.id for source in node.sources}), "source") + published,
        source=short_day(request.day), path=path_of("nodes", node.id),
    )  # fmt: skip


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
    return _card(
        context, request, kicker="Price", title=f"{row.item}: {row_name(row)}", tone="one",
        number=price_text(row), word="", beside=change_text(row), area=area, drawn=lines,
        legend=[(catalog_colour(name), name) for name in dict.fromkeys(price.catalog for price in row.prices)],
        below=f"{capitalize(since_text(row))}; drawn from {short_day(axis.first)} to {short_day(axis.last)}",
        source=price_source(row), path=path_of("prices", row.item),
    )  # fmt: skip
