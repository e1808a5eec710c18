"""Cards for link previews (1200 × 630): a note, a claim or a price with one number and a legend."""

from __future__ import annotations

from collections.abc import Iterable

from api.pages.charts.chart import Area, Line, image, keys, picture
from api.pages.page_request import PageRequest, RawResponse, path_of
from api.pages.render.figure_format import capitalize, figure, plural, readable, short_day
from api.pages.render.strips import life_strip, turn_text
from api.pages.render.verdict_signs import HEALTH, KINDS, VERDICTS, verdict_sign
from api.pages.views import price_table as prices
from api.pages.views.claim_table import PageContext, counted
from graph.models.claim_models import VerdictName

SIZE = (1200, 630)  # the size that link previews show without cropping

_LEFT, _WIDE, _TOP, _TALL = 64, 1072, 392, 62
TONES = {"holds": "good", "refuted": "bad", "stale": "two", "depends": "one", "unverifiable": "five", "error": "four"}
"""The colours of the palette by the class of a verdict."""
_LIFE = {"held": "good", "failed": "bad", "failed undated": "two", "unknown": "unknown"}
_STATES = {"held": "holds", "failed": "fails", "failed undated": "fails, first day not known", "unknown": "not known"}


def _card(
    request: PageRequest, *, title: str, number: str, word: str, below: str, path: str,
    legend: Iterable[tuple[str, str]], **values: object,
) -> RawResponse:  # fmt: skip
    values |= {"link": request.address_of(path), "keys": keys((_LEFT, 496), legend, 20, _WIDE)[0]}
    shown = {"bars": (), "area": None, "number": number, "word": word, "below": below, **values}
    says = f"{number} {word}. {below}"
    return image(request, lambda scheme: picture("card.svg", scheme, SIZE, title, says, **shown))


def claim_card(context: PageContext, request: PageRequest) -> RawResponse:
    """The card of a claim with its life line. Raises UnknownClaimError."""
    name, day = request.parts["claim"], request.day
    row, verdict, life = context.claim_row(name), context.explain(name, day), context.brain.record.life(name, day)
    strip, past = life_strip(life), [turn for turn in life.turns if turn.day <= day]
    last = f"From {short_day(past[-1].day)} it {readable(turn_text(past[-1]))}." if past else capitalize(strip.words)
    sign = verdict_sign(verdict.verdict, row.claim)
    states = dict.fromkeys(one.css for one in strip.bars)
    return _card(
        request, kicker="Claim", title=row.claim.says or name, tone=TONES.get(sign.css, "soft"),
        number=figure(verdict.value, verdict.unit), word=sign.word, beside=f"expected {readable(verdict.expected)}",
        bars=[(_LIFE[bar.css], bar.width) for bar in strip.bars], total=1000,
        legend=[(_LIFE[css], _STATES[css]) for css in states], below=readable(last),
        source=f"{short_day(strip.first)} to {short_day(strip.last)}", path=path_of("claims", name),
    )  # fmt: skip


def note_card(context: PageContext, request: PageRequest) -> RawResponse:
    """The card of a note: how many of its figures hold. Raises UnknownNodeError."""
    node = context.brain.nodes.get(request.node)
    rows, sign = context.claim_table().by_node.get(node.id, ()), HEALTH[context.health(node.id).state]
    counts = [(VERDICTS[name], count) for name, count in counted(row.verdict or "" for row in rows)]
    shown = [(TONES.get(one.css, "unknown"), one.word, count) for one, count in counts]
    published = f", {short_day(node.published)}" if node.published else ""
    holding = f"{sum(row.verdict is VerdictName.HOLDS for row in rows)} of {len(rows)}" if shown else f"{len(rows)}"
    word = ("figures hold" if shown else "figures to check") if rows else "no figures to check"
    return _card(
        request, kicker=f"{KINDS[node.kind]} · {node.brain}", title=node.title,
        tone=TONES.get(sign.css, "soft"), number=holding if rows else "", word=word, beside=sign.word,
        bars=[(tone, count) for tone, _, count in shown], total=len(rows),
        legend=[(tone, f"{count} {word}") for tone, word, count in shown],
        below=plural(len({source.id for source in node.sources}), "source") + published,
        source=short_day(request.day), path=path_of("nodes", node.id),
    )  # fmt: skip


def price_card(context: PageContext, request: PageRequest) -> RawResponse:
    """The card of one component of an item, the first one if `chart` names none. May raise UnknownPriceError."""
    row = prices.chosen_row(request, prices.item_rows(context, request.parts["item"], request.day))
    table, axis = prices.price_table(context, request.day), prices.TimeAxis.around(request.day)
    chart = prices.price_chart(row, request.day, table)
    area = Area(_LEFT, _TOP, _WIDE, _TALL, *chart.x, *chart.y)
    lines = [Line(one.corners, one.colour, 5, one.dash) for one in chart.lines]
    return _card(
        request, kicker="Price", title=f"{row.item}: {prices.row_name(row)}", tone="one",
        number=prices.price_text(row), word="", beside=prices.change_text(row), area=area, drawn=lines,
        legend=[(prices.catalog_colour(name), name) for name in dict.fromkeys(price.catalog for price in row.prices)],
        below=f"{capitalize(prices.since_text(row))}; drawn from {short_day(axis.first)} to {short_day(axis.last)}",
        source=prices.price_source(row), path=path_of("prices", row.item),
    )  # fmt: skip
