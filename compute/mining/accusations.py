"""How likely an accusation is right: a logistic model over what surrounds a figure that fits no claimed relation.

The relations say what a text seems to claim (`claim_model`). Whether that is so shows in the rest of the sentence:
*since*, *including*, *per head*, another figure that needs the same inputs, or a result of another size. The weights
are learned from wrong figures and from true texts that look wrong, each weighed by a model that had not seen it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, pairwise
from math import exp, log, log1p
from pathlib import Path

from compute.mining.claim_judging import Result
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.claim_traits import GROUPS, Traits
from compute.mining.date_text import YEAR
from compute.mining.mining_models import Passage
from compute.mining.quantities import Quantity
from compute.mining.small_expressions import CLASSES, Fits, width

Traited = Mapping[str, float]
"""The traits of an accusation; 1 for a word or a class, a number for a measure."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a sentence says of one figure: the relations that give it, those that do not, and their probabilities."""

    within: Scope
    target: Quantity
    fits: tuple[tuple[Result, float], ...]
    wrong: tuple[tuple[Result, float], ...]
    near: float
    """The probability of all relations that give the figure, also of those that are far-fetched."""
    earlier: tuple[Quantity, ...] = ()
    """The figures of the text before the sentence, those of its scope, in text order."""
    likelier: frozenset[int] = frozenset()
    """The offsets of the figures of its sentence and of earlier ones that more probably claim something."""

    @property
    def likely(self) -> float:
        """The probability of the relations that fit."""
        return sum(chance for _, chance in self.fits)

    @property
    def claimed(self) -> float:
        """The probability of the relations that do not give the figure."""
        return sum(chance for _, chance in self.wrong)

    @property
    def rival(self) -> float:
        """The probability of the likeliest relation that does not give the figure."""
        return max((chance for _, chance in self.wrong), default=0.0)

    @property
    def holds(self) -> bool:
        """Whether relations that fit are likely, or exact ones likelier than chance and not far behind the others."""
        if self.likely >= HOLDS:
            return True
        exact = sum(chance for one, chance in self.fits if one.exact and self._result_of(one))
        if exact < max(HOLDS_EXACT, HOLDS_BESIDE * self.claimed):
            return False
        by_chance = _by_chance(self.target)
        return exact >= by_chance or (exact >= by_chance**2 and self._twice)

    def _result_of(self, one: Result) -> bool:
        """Whether the figure is the result of a relation, and neither one of its inputs nor a repetition of one."""
        return not _repeats(one) and self.likelier.isdisjoint(part.figure.start for part in one.candidate.used)

    @property
    def _twice(self) -> bool:
        """Whether one relation gives the figure from two pairs of inputs: input and output at half the price."""
        exact = [(one.candidate.rule, figures_of(one.candidate)) for one, _ in self.fits if one.exact]
        target = {self.target.figure.start}
        return any(rule == other and key & also == target for (rule, key), (other, also) in combinations(exact, 2))

    @property
    def best(self) -> Result:
        """The likeliest relation that fits; an exact one before one within the rounding of its inputs."""
        return max(self.fits, key=lambda pair: pair[1] * (1 if pair[0].exact else INEXACT))[0]


def _repeats(one: Result) -> bool:
    """Whether a relation only repeats a figure: the mean of 1886 and 1886, or 404 − 404 + 1,310."""
    target = one.candidate.target
    return any(part.kind == target.kind and part.base == target.base for part in one.candidate.used)


def _by_chance(target: Quantity) -> float:
    """The probability that a random number is a figure; 1 for a number without a unit that may be a year or a code."""
    bare = target.kind == "count" and not target.unit and _CODE.fullmatch(target.figure.text) is not None
    return 1.0 if bare else width(target)


_CODE = re.compile(r"\d{4,}")


def figures_of(one: Candidate) -> frozenset[int]:
    """The offsets of all figures of a relation."""
    return frozenset(part.figure.start for part in (one.target, *one.used))


def traits(
    passage: Passage,
    view: Opinion,
    best: Result,
    around: Sequence[Opinion],
    *,
    given: Mapping[str, Fits],
    supposed: bool,
) -> Traited:
    """The traits of an accusation by the relation `best`.

    `around` are the opinions on the figures of the same sentence and of its neighbours; `given` says whether small
    expressions give the figure, by class; `supposed` that the sentence has words of a condition or a plan.
    """
    found = dict.fromkeys((*_named(view, best), *_shaped(passage, view, best), *_worded(passage, view)), 1.0)
    sizes = {"off by 3": float(far(best, 3)), "off by 8": float(far(best, 8))}
    return found | _measured(view, best, around) | _given(given) | sizes | {"supposed": float(supposed)}


def far(one: Result, times: int) -> bool:
    """Whether a result is more than some times off, and not by a power of ten: it is likely of something else."""
    figure = one.candidate.target.figure
    if not figure.low or not one.computed:
        return True
    ratio = abs(figure.low / one.computed)
    shifted = abs(one.computed) * Decimal(10) ** round(ratio.log10())
    return not 1 / Decimal(times) <= ratio <= times and abs(shifted - abs(figure.low)) > figure.half


def _measured(view: Opinion, best: Result, around: Sequence[Opinion]) -> dict[str, float]:
    key = figures_of(best.candidate)
    target = view.target.figure.start
    others = [other for other in around if other.target.figure.start != target]
    here = [other for other in others if other.within is view.within]
    none = 1 - view.claimed
    for other in here:
        if not other.fits:
            none *= 1 - sum(chance for one, chance in other.wrong if figures_of(one.candidate) == key)
    holding = [figures_of(other.best.candidate) for other in others if other.holds]
    return {
        "claimed": _logit(view.claimed),
        "claimed by any": _logit(1 - none),
        "best": _logit(view.rival),
        "near": log(view.near + 1e-5),
        "likely": log(view.likely + 1e-5),
        "others": max((other.claimed for other in here), default=0.0),
        "used": float(any(one & key for one in holding)),
        "target used": float(any(target in one for one in holding)),
        "figures": log1p(view.within.last - view.within.first),
        "plain": float(_is_plain(view, best)),
    }


def _is_plain(view: Opinion, best: Result) -> bool:
    """Whether a sentence likely says just this: its figures are those of the relation, which is 10% to half off."""
    figure, computed = best.candidate.target.figure, abs(best.computed)
    own = {one.figure.start for one in view.within.targets}
    if view.claimed <= PLAIN or figures_of(best.candidate) != own or not figure.low or not computed:
        return False
    if "=" in view.within.sentence.text:
        return False  # an equation, perhaps of functions
    if best.candidate.rule in {"fall", "rise"} and "and" in view.within.left(view.target):
        return False  # from 40 people to 30, and saved 18%
    return PLAIN_OFF[0] < abs(log(abs(figure.low) / computed)) < PLAIN_OFF[1]


PLAIN, PLAIN_OFF = 0.5, (0.095, 0.7)
"""The probability of a claim from which it is plain, and how far off its figure is then, as a logarithm."""


def _given(every: Mapping[str, Fits]) -> dict[str, float]:
    """Whether small expressions give the figure, and how many would give a random one, by class."""
    found = {}
    for name, fits in every.items():
        found[f"given by {name}"] = float(fits.given)
        found[f"expected by {name}"] = min(fits.expected, 3.0)
    return found


HOLDS = 0.2
"""The probability of the relations that fit from which a figure holds, also within the rounding of the inputs."""
HOLDS_EXACT, HOLDS_BESIDE = 0.0005, 0.03
"""The same of those that give it exactly, and how much of the probability of those that do not fit it must be."""
INEXACT = 0.05
"""What the probability of a relation that fits within the rounding of its inputs counts beside that of an exact one."""
FAIR = 4
"""How many times likelier than all readings that give a figure the best one is that does not, where it is accused."""
MEASURES = (
    "claimed", "claimed by any", "best", "near", "likely", "others", "used", "target used", "figures",
    "supposed", "off by 3", "off by 8", "plain",
    *(f"{what} by {name}" for name in CLASSES for what in ("given", "expected")),
)  # fmt: skip  # a list of names


def _logit(chance: float) -> float:
    return log((chance + 1e-4) / (1 - min(chance, 1.0) + 1e-4))


def _named(view: Opinion, best: Result) -> Iterator[str]:
    """The relation, and the traits by which it was chosen."""
    one = best.candidate
    seen = Traits(view.within, view.target)
    yield f"relation {one.rule}"
    yield f"group {GROUPS[one.rule]}"
    yield from seen.pair(one)
    yield from (name for name in seen.own if name.startswith(("kind|", "hedge|", "place|", "repeated", "target per")))


def _shaped(passage: Passage, view: Opinion, best: Result) -> Iterator[str]:
    """What figures look like that seldom take part in a relation: years, section numbers, parts of names."""
    group, used = GROUPS[best.candidate.rule], best.candidate.used
    if any(map(is_year, used)):
        yield f"years {group}"
    if is_year(view.target):
        yield f"year {group}"
    for one in (view.target, *used):
        role = "target" if one is view.target else "input"
        named = bool(_NAME_AFTER.match(passage.mask, one.figure.end))
        opens = not passage.mask[max(0, one.figure.start - 200) : one.figure.start].rpartition("\n")[2].strip(_OPENING)
        shapes = {
            "name after": named,
            "name before": bool(_NAME_BEFORE.search(passage.mask[max(0, one.figure.start - 30) : one.figure.start])),
            "opens": opens,
            "numbers": opens and named,
        }
        yield from (f"{name} {role}" for name, found in shapes.items() if found)


def is_year(one: Quantity) -> bool:
    """Whether a figure is written as a year of the calendar: 1890, and not 1,890 or 1890 people."""
    return one.kind == "count" and not one.unit and bool(YEAR.fullmatch(one.figure.text))


_NAME_AFTER = re.compile(r"[-–’']?s?\s+[A-Z]")
_NAME_BEFORE = re.compile(r"[a-z,]\s+[A-Z][\w'’]*\s+$")
_OPENING = ' \n\t-*>#([“"'


def _worded(passage: Passage, view: Opinion) -> Iterator[str]:
    """The words of the sentence on both sides of the figure, and those before and after the sentence."""
    left, right = _sides(view)
    sentence = view.within.sentence
    following = passage.mask[sentence.end : sentence.end + 90].partition("\n\n")[0]
    yield from (f"left {word}" for word in left)
    yield from (f"right {word}" for word in right)
    yield from (f"then {word}" for word in _words(following)[:10])
    yield from (f"lead {word}" for word in _words(sentence.lead)[-25:])
    yield from (f"last left {word}" for word in left[-1:])
    yield from (f"first right {word}" for word in right[:1])
    yield from (f"right {one} {two}" for one, two in pairwise(right))


def _sides(view: Opinion) -> tuple[list[str], list[str]]:
    sentence, figure = view.within.sentence, view.target.figure
    at = figure.start - sentence.start
    return _words(sentence.text[:at]), _words(sentence.text[figure.end - sentence.start :])


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?|[.,;:()—–?\"“”=|-]")


# ---- weights


@lru_cache(maxsize=1)
def learned() -> Mapping[str, float]:
    """The weights, learned by `tests/bench/train_mining.py`; that of `bias` counts for each accusation."""
    found: dict[str, float] = json.loads(Path(__file__).with_name("accusation_weights.json").read_text("utf-8"))
    return found


def saved(weights: Mapping[str, float], path: Path) -> None:
    """Writes weights as JSON, rounded to thousandths, one a line."""
    rounded = {name: round(weight, 3) for name, weight in sorted(weights.items()) if abs(weight) >= 0.0005}
    path.write_text(json.dumps(rounded, indent=0, ensure_ascii=False) + "\n", "utf-8")


def score(found: Traited, weights: Mapping[str, float]) -> float:
    """The logit of the probability that an accusation is right, among those to learn from."""
    return weights["bias"] + sum(value * weights.get(name, 0.0) for name, value in found.items())


INNOCENCE = 2.0
"""How much rarer, as a logit, wrong figures are in other texts than among those to learn from."""


def confidence(total: float) -> Decimal:
    """The confidence of an accusation of some score: its probability in a text whose figures are mostly right."""
    return Decimal(str(round(min(0.97, 1 / (1 + exp(INNOCENCE - total))), 2)))
