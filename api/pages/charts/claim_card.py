"""The card of one claim, 1200 by 630 pixels: its words, figures, verdict and life line, and what changed it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from api.pages.charts.picture import SERIF, STATE_COLOURS, Scheme, cut, picture, text, wrapped
from api.pages.render import life_strip
from api.pages.render.figure_format import day, figure, readable
from api.pages.render.plain_words import headline
from api.pages.render.verdict_signs import VERDICTS
from compute.record.life_models import LifeLine, LifeState, LifeTurn
from compute.record.record_text import life_text, turn_text
from graph.models.claim_models import Claim, VerdictName

SIZE = (1200, 630)
"""The size in pixels that link previews show without cropping."""

_LEFT, _WIDTH, _STRIP = 64, 1072, 372
_VERDICT_COLOURS = {VerdictName.HOLDS: "good", VerdictName.STALE: "two", VerdictName.REFUTED: "bad"}


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What the card shows.

    `words` are the quoted words, empty without a quote; `then` is the value on the claim's own day, None if unknown or
    the same; `source` is where the figures are from, and `link` the address of the claim without the scheme.
    """

    claim: Claim
    words: str
    verdict: VerdictName
    then: Decimal | None
    value: Decimal | None
    unit: str
    expected: str
    life: LifeLine
    source: str
    link: str


def claim_card(facts: CardFacts, scheme: Scheme = Scheme.AUTO) -> bytes:
    """The card as SVG."""
    parts = [*_sentence(facts), *_finding(facts), *_strip(facts.life), *_turn(facts), *_foot(facts)]
    title = facts.claim.says or facts.claim.id
    says = f"{VERDICTS[facts.verdict].word}: {figure(facts.value, facts.unit)}. {life_text(facts.life)}."
    return picture(SIZE, title, says, parts, scheme)


def _sentence(facts: CardFacts) -> Iterator[str]:
    """The quoted words and the sentence of the claim; without a quote the sentence alone."""
    large, small = headline(facts.words, facts.claim.says or facts.claim.id)
    lines = wrapped(large, 52, 2 if small else 3)
    for number, line in enumerate(lines):
        yield text((_LEFT, 96 + 54 * number), line, 44, more=f' font-family="{SERIF}"')
    for number, line in enumerate(wrapped(small, 88, 2) if small else ()):
        yield text((_LEFT, 96 + 54 * len(lines) + 34 * number), line, 25, "soft")


def _finding(facts: CardFacts) -> Iterator[str]:
    colour = _VERDICT_COLOURS.get(facts.verdict, "soft")
    yield text((_LEFT, 318), VERDICTS[facts.verdict].word, 40, colour, more=' font-weight="700"')
    at = _LEFT + 22 * len(VERDICTS[facts.verdict].word) + 44
    expected = f"expected {readable(facts.expected)}" if facts.expected else ""
    values = " → ".join(figure(one, facts.unit) for one in (facts.then, facts.value) if one is not None)
    letters = len(values)
    if values:
        yield text((at, 318), cut(values, 44), 40, more=' font-weight="600"')
        at += 23 * min(letters, 44) + 34
    yield text((at, 318), cut(expected, max(8, int((_LEFT + _WIDTH - at) / 13))), 26, "soft")


def _strip(life: LifeLine) -> Iterator[str]:
    """The life line, with the first day, today and the last day below it."""
    strip, scale = life_strip.bars(life), _WIDTH / life_strip.WIDTH
    for bar in strip.bars:
        shade = ' opacity="0.45"' if bar.ahead else ""
        yield (
            f'<rect x="{_LEFT + bar.x * scale:.1f}" y="{_STRIP}" width="{bar.width * scale:.1f}" height="34" '
            f'fill="var(--{_colour(bar)})"{shade}/>'
        )
    yield text((_LEFT, _STRIP + 66), f"stated {_day(strip.first)}", 22, "soft")
    now = _LEFT + (strip.today or 0) * scale
    end = _LEFT + _WIDTH
    if strip.last <= life.today:
        yield text((end, _STRIP + 66), f"today, {_day(life.today)}", 22, "soft", anchor="end")
        return
    if strip.today is not None and _LEFT + 330 < now < end - 330:
        yield text((now, _STRIP + 66), f"today, {_day(life.today)}", 22, "soft", anchor="middle")
    yield text((end, _STRIP + 66), _day(strip.last), 22, "soft", anchor="end")


def _colour(bar: life_strip.LifeSegment) -> str:
    return "two" if bar.undated else STATE_COLOURS[LifeState(bar.state)]


def _turn(facts: CardFacts) -> Iterator[str]:
    """The turn that matters: the last one, or the next that is announced."""
    turn = _telling(facts.life)
    if turn is None:
        told = "No price has changed it." if not facts.life.fixed else "It reads no price: nothing can change it."
        yield text((_LEFT, 504), told, 26)
        return
    for number, line in enumerate(wrapped(f"From {_day(turn.day)} it {readable(turn_text(turn))}", 84, 2)):
        yield text((_LEFT, 504 + 36 * number), line, 26)


def _telling(life: LifeLine) -> LifeTurn | None:
    past = [turn for turn in life.turns if turn.day <= life.today]
    return past[-1] if past else next(iter(life.turns), None)


def _foot(facts: CardFacts) -> Iterator[str]:
    told = f"{facts.source} · {_day(facts.life.today)}"
    yield text((_LEFT, 592), cut(facts.link, 56), 22, "soft")
    yield text((_LEFT + _WIDTH, 592), cut(told, 42), 22, "soft", anchor="end")


def _day(on: date) -> str:
    return day(on)
