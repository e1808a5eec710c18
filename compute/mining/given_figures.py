"""Whether other figures give a figure that a relation does not give, and the changes that the words beside it name."""

from __future__ import annotations

from collections.abc import Mapping

from compute.mining.accusations import Opinion
from compute.mining.claim_cues import DOWNWARD, UPWARD, has
from compute.mining.claim_judging import Result
from compute.mining.claim_scopes import Scope
from compute.mining.deciding_words import is_decided
from compute.mining.misreadings import CHANGES, REACHED
from compute.mining.noun_reader import PERIODS, TIMES, stem
from compute.mining.quantities import Quantity
from compute.mining.small_expressions import CHANCE, Fits, earlier_expressions, small_expressions, spoken_expressions

STACKED = frozenset({"stacked", "compound"})
"""Relations of shares whose sum is the usual mistake, so that a sum saves no figure."""
CERTAIN = 0.98
"""The probability of a claim from which only figures of its sentence save it, and only if they hardly do by chance."""
HARDLY_CHANCE = 0.05
"""How many expressions may give a random figure where one that gives the figure saves a claim as probable as that."""
NO_CHANCE = 0.005
"""The same for such a claim over several sentences: £26,208 less £22,260 is £3,948, whatever stands between."""
RARE = 0.03
"""The same where others that give the figure save it, and do not only raise a doubt."""
OWN = 0.9
"""The probability of a claim from which a relation of figures of one sentence is saved by figures of that only."""


def given_by_a_named_factor(view: Opinion, best: Result) -> bool:
    """Whether one or two figures and a factor that the words name give it: $30 a month, $360 a year; a round trip.

    Only an amount of any time may be of one that the words do not say, such as 40 hours a week at $25 an hour, which
    are $52,000; but 45 litres a minute for 80 minutes are no 2,700.
    """
    most = _most(view, best, CHANCE)
    if not most:
        return False
    spoken = spoken_expressions(view.within, view.target, among=_among(view, best))
    return _fits_below(spoken, most) or (
        _of_any_time(best) and _fits_below(_small_expressions(view, best)["named"], most)
    )


def _of_any_time(best: Result) -> bool:
    """Whether a relation makes an amount of a rate for some time, and neither says for how long."""
    one = best.candidate
    rates = [part for part in one.used if not {*TIMES}.isdisjoint(part.pers)]
    lasting = (part for part in one.used if part.kind == "time" and part not in rates)
    return bool(rates) and one.target.kind != "time" and {*TIMES}.isdisjoint(one.target.pers) and not any(lasting)


def given_by_others(view: Opinion, best: Result, chance: float) -> bool:
    """Whether figures stated earlier or three nearby give it, of which fewer than `chance` give a random one.

    Of a change that the text names, the two amounts say one thing only: a cut from 90 to 60 is none of 50%.
    """
    most = _most(view, best, chance)
    if not most or _alone(view, best):
        return bool(most) and _fits_below(_small_expressions(view, best)["three"], most)
    earlier = view.earlier
    if best.candidate.rule in named_rules(view.within, view.target):
        own = {part.figure.start for part in best.candidate.used}
        earlier = tuple(one for one in earlier if one.figure.start not in own)
    three = _small_expressions(view, best)["three"]
    return any(_fits_below(fits, most) for fits in (three, earlier_expressions(view.target, earlier)))


def _most(view: Opinion, best: Result, chance: float) -> float:
    """How many expressions may give a random figure so that one saves this one: at most `chance`, 0 if none may."""
    if best.candidate.rule in STACKED or is_decided(view.within, best.candidate):
        return 0.0
    if view.claimed < CERTAIN:
        return chance
    return min(chance, HARDLY_CHANCE if _alone(view, best) else NO_CHANCE)


def _fits_below(fits: Fits, most: float) -> bool:
    return fits.given and fits.expected < most


def _small_expressions(view: Opinion, best: Result) -> Mapping[str, Fits]:
    """The fits by the figures of the sentence if it likely states a relation of its own figures, else of its scope."""
    return small_expressions(view.within, view.target, among=_among(view, best))


def _among(view: Opinion, best: Result) -> tuple[Quantity, ...]:
    return (*view.within.targets,) if _alone(view, best) else ()


def _alone(view: Opinion, best: Result) -> bool:
    """Whether a sentence likely states a relation of its own figures: it is not about those of others."""
    inside = all(view.within.first <= part.index < view.within.last for part in best.candidate.used)
    return inside and view.claimed >= OWN


def named_rules(within: Scope, target: Quantity) -> set[str]:
    """The changes that the words next to a figure name; a drop to 40%, a cut at 40%, or 40% a year, is none of 40%."""
    if has(within.left(target)[-1:], REACHED) or (target.kind == "share" and timed(within, target)):
        return set()
    right = within.right(target)
    if target.kind == "share" and right[1:2] == ("than",):  # 23% longer than
        return {rule for rule, words in _COMPARATIVES.items() if words.fullmatch(right[0])}
    said = (*within.left(target)[-4:], *right[:2])
    named = {rule for rule, words in CHANGES.items() if has(said, words)}
    if not named and target.kind == "share" and within.left(target)[-1:] == ("by",):  # cuts the rent by 32%
        verbs = within.before(target)[-_VERB:]
        return {rule for rule, words in _COMPARATIVES.items() if any(map(words.fullmatch, verbs))}
    return named


_COMPARATIVES = {"rise": UPWARD, "fall": DOWNWARD}
"""Words that say which of two amounts is the larger one: before *than*, or as the verb of *by*."""
_VERB = 7
"""How many words before *by 32%* the verb is."""


def timed(within: Scope, one: Quantity) -> bool:
    """Whether the words after a figure say for how long it is: 10% a year, 14 points an hour."""
    said = {PERIODS.get(stem(word), stem(word)) for word in within.right(one)[:3]}
    return not {*TIMES}.isdisjoint({*one.pers} & said) or not {*TIMES}.isdisjoint(one.figure.per.split("/"))
