"""Rules of science and sport that the words of a sentence name, with the constants that go without saying.

two clocks, 300 km at 120 km/h                                 300 / the hours between them
10 kg at 4 m/s, a kinetic energy of 80 J                       10 * 4 * 4 / 2
a wavelength of 3 m at 100 MHz and 300 million m/s             300M / 100M
one cell divides every 20 minutes: 512 after three hours       2 ^ (180 / 20)
each of 20 tests fails 2% of the time: 33% that one does       1 - (1 - 2%) ^ 20
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import permutations
from itertools import product as product_of

from compute.mining.claim_scopes import HOURS, Scope
from compute.mining.expressions import Op, product, times, total
from compute.mining.quantities import Quantity
from compute.mining.span_claims import hours_between
from compute.mining.worded_rules import ONE, Found, Near, Rule, filled, integral, timed, worded

_TWO, _HALF = Decimal(2), Decimal("0.5")


def _of(near: Near, unit: str, *pers: str) -> list[Quantity]:
    """The figures of a unit for each of some others."""
    return [one for one in near if one.unit == unit and one.pers == pers]


def _speed(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:
    """A distance over the time between two times of day."""
    hours = hours_between(scope.sentence.lead + scope.sentence.text) if target.unit == "m" else None
    if hours and (target.pers == ("h",) or target.figure.unit in {"mph", "kph"}):
        for one in _of(near, "m"):
            yield (one,), times("x", one.factor / target.factor / hours)


def _kinetic(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - one signature for all rules
    """Half the mass times the square of the speed."""
    for mass in _of(near, "g") if target.unit == "J" else ():
        for speed in _of(near, "m", "second"):
            factor = mass.factor / 1000 * speed.factor**2 / target.factor / 2
            yield (mass, speed), product("x", "y", "y", factor)


def _weight(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The force on a mass."""
    for mass in _of(near, "g") if target.unit.lower() in {"n", "kn", "newton"} else ():
        for pull in (one for one in near if Decimal("9.7") < one.figure.low <= 10 and one is not mass):
            yield (mass, pull), product("x", "y", mass.factor / 1000)


def _wave(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The length of a wave from its speed and frequency, or the frequency from both."""
    for speed in (one for one in near if one.unit == "m" and one.pers == ("second",)):
        for other in near:
            if {other.unit, target.unit} == {"hz", "m"} and not other.pers:
                factor = speed.factor / other.factor / target.factor
                yield (speed, other), times(Op("/", "x", "y"), factor)


def _split(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:
    """How many there are after some time if each divides, or how much is left if it halves, every so often."""
    halved = re.search(r"\bhal[fv]\w*\b(?! (?:an? )?(?:hour|minute|day))", scope.sentence.text) is not None
    timings = [one for one in near if timed(one)]
    for passed, each in permutations(timings[:3], 2):
        often = passed.figure.low * HOURS[passed.unit] / (each.figure.low * HOURS[each.unit])
        if not (2 <= often <= 64 and "every" in scope.left(each)[-2:]):
            continue
        power = Op("^", _HALF if halved else _TWO, Op("/", times("x", HOURS[passed.unit] / HOURS[each.unit]), "y"))
        if target.kind in {"count", "ratio"}:
            yield (passed, each), power
        for base in near:
            if base.kind == target.kind and base.kind in {"count", "unit", "money"} and base.factor == target.factor:
                yield (passed, each, base), Op("*", "z", power)


def _chance(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The chance that at least one of some happens, that all do, and that none does."""
    if target.kind != "share":
        return
    for share in (one for one in near if one.kind == "share"):
        for number in (one for one in near if integral(one) and 2 <= one.figure.low <= 1000):
            none, every = Op("^", Op("-", ONE, "x"), "y"), Op("^", "x", "y")
            yield from (((share, number), tree) for tree in (Op("-", ONE, none), every, none))


def _amdahl(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """How much faster some cores are, if a share of the work is for one of them."""
    for share in (one for one in near if one.kind == "share"):
        for cores in (
            one for one in near if integral(one) and one.figure.low > 1 and target.kind in {"ratio", "count"}
        ):
            rest = Op("-", ONE, "x")
            yield (share, cores), Op("/", ONE, total("x", Op("/", rest, "y")))
            yield (share, cores), Op("/", ONE, total(rest, Op("/", "x", "y")))


def _errors(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """By how much the errors fell, of two shares of what was right."""
    shares = [one for one in near if one.kind == "share" and one.index < target.index][-3:]
    for one, two in permutations(shares, 2) if target.kind in {"share", "ratio"} else ():
        if one.figure.low < two.figure.low < 100:
            part = Op("/", Op("-", ONE, "y"), Op("-", ONE, "x"))
            yield (one, two), part if target.kind == "ratio" else Op("-", ONE, part)


def _food(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:
    """The energy of fat at one rate, and of carbohydrates and protein at another."""
    rates = [
        one for one in near if one.pers in {("gram",), ("g",), ("each",)} or (one.kind == "count" and not one.unit)
    ]
    masses = [one for one in near if one.unit == "g" and not one.pers][:3]
    if target.unit != "kcal" or len(masses) < 2:
        return
    for high, low in permutations(rates[:3], 2):
        fat = [one for one in masses if "fat" in (*scope.left(one)[-2:], *scope.right(one)[:3])]
        for one in (fat or masses) if high.figure.low > low.figure.low else ():
            others = tuple(other for other in masses if other is not one)
            names = ("w", "v")[: len(others)]
            yield (
                (high, low, one, *others),
                total(product("x", "z"), Op("*", "y", total(*names) if len(names) > 1 else names[0])),
            )


def _diluted(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The strength of a solution of which a volume is filled up to another."""
    volumes = [one for one in near if one.unit == "m³"]
    strengths = [one for one in near if one.kind == target.kind and one.unit == target.unit and one not in volumes]
    for small, large in permutations(volumes[:3], 2):
        for strength in strengths[:2] if small.base < large.base and target.unit != "m³" else ():
            yield (small, strength, large), times(Op("/", Op("*", "x", "y"), "z"), small.factor / large.factor)


def _frames(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:
    """How many frames of some bytes a line of one or ten gigabits carries in a second."""
    lines = re.search(r"\b(a|one|ten|10) ?gigabits?\b(?!/)", scope.sentence.text, re.I)
    speed = Decimal(10) ** (10 if lines and lines[1].lower() in {"ten", "10"} else 9)
    for one in (one for one in near if one.unit == "byte" and not one.pers) if lines else ():
        if target.kind in {"count", "unit"}:
            yield (one,), Op("/", speed / 8 / one.factor, "x")


def _fuel(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """What a way takes at some litres per hundred kilometres."""
    for rate in (one for one in near if one.unit == "m³" and target.unit == "m³"):
        for way in (one for one in near if one.unit == "m" and not one.pers and one.figure.low != 100):
            yield (rate, way), times(Op("*", "x", "y"), way.factor / 100_000 * rate.factor / target.factor)


def _thousand(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """How many must be treated to spare one, of two numbers in each thousand or hundred."""
    numbers = [one for one in near if one.kind == "count" and one.pers and one.pers[0] in _POWERS]
    for one, two in permutations(numbers[:3], 2):
        if target.kind == "count" and one.figure.low > two.figure.low and one.pers[0] == two.pers[0]:
            yield (one, two), Op("/", _POWERS[one.pers[0]], Op("-", "x", "y"))


_POWERS = {"hundred": Decimal(100), "thousand": Decimal(1000), "million": Decimal(10) ** 6}


def _gravity(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The strength of a beer from the gravity before and after it fermented."""
    numbers = [one for one in near if one.kind == "count"]
    for first, last in permutations([one for one in numbers if Decimal("0.9") < one.figure.low < 2][:3], 2):
        for factor in (one for one in numbers if 100 < one.figure.low < 150):
            if target.kind == "share" and first.figure.low > last.figure.low:
                yield (first, last, factor), Op("/", Op("*", Op("-", "x", "y"), "z"), Decimal(100))


def _rule_of(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:
    """The years in which an amount doubles, by the rule of 70 or 72."""
    found = re.search(r"rule of (7\d)", scope.sentence.lead + scope.sentence.text, re.I)
    for one in near if found else ():
        if found and {one.kind, target.kind} == {"share", "time"}:
            yield (one,), Op("/", Decimal(found[1]) / 100, "x")


_SCORES = {"ones": 1, "singles": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {word: number for number, word in enumerate(_WORDS, 1)}
_SCORED = re.compile(
    rf"\b(\d{{1,3}}|{'|'.join(_NUMBERS)}) (?:({'|'.join(_SCORES)})\b|(?:from the (?:foul )?line|free throws?)\b)", re.I
)


def _scored(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The points of some twos, threes and throws from the line."""
    found = _SCORED.findall(scope.sentence.lead[-160:] + scope.sentence.text)
    if len(found) > 1 and target.kind == "count":
        numbers = [Decimal(_NUMBERS.get(many.lower(), many)) * _SCORES.get(each.lower(), 1) for many, each in found]
        yield (), sum(numbers, Decimal(0))


def _ore(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The ounces of a metal, by the grams of it in a tonne and the grams of an ounce that the text states."""
    tonnes = [one for one in near if one.unit == "g" and one.factor == 10**6 and not one.pers]
    grades = [one for one in near if one.unit == "g" and one.pers == ("tonne",)]
    ounces = [one for one in near if one.unit == "g" and one.pers == ("ounce",) and target.kind == "count"]
    for mass, grade, ounce in product_of(tonnes[:2], grades[:2], ounces[:1]):
        yield (mass, grade, ounce), Op("/", Op("*", "x", "y"), "z")


def _at_sea(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The time for some nautical miles that the text calls miles, at some knots."""
    for speed in (one for one in near if one.unit == "m" and one.factor == 1852 and one.pers == ("h",)):
        for way in (one for one in near if one.unit == "m" and not one.pers):
            if timed(target):
                yield (way, speed), times(Op("/", "x", "y"), 1 / HOURS[target.unit])


def _joules(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """Watt-hours in joules, and joules in watt-hours."""
    for one in near:
        if {one.unit, target.unit} == {"Wh", "J"} and not (one.pers or target.pers):
            factor = one.factor / target.factor
            yield (one,), Op("*", "x", factor * 3600) if one.unit == "Wh" else Op("*", "x", factor / 3600)


def _begun(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """A time before something begins, and the time that an amount takes at a rate."""
    for rate in (one for one in near if target.unit == "second" and one.pers == ("second",)):
        for amount in (one for one in near if one.unit == rate.unit and not one.pers):
            for wait in (one for one in near if one.kind == "time" and one.unit == "second"):
                yield (wait, amount, rate), total("x", Op("/", "y", "z"))


def _overall(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The speed over two stretches, from their lengths and times."""
    ways, timings = _of(near, "m")[:3], [one for one in near if timed(one)][:3]
    if len(timings) == 1:  # two hours … and three
        timings += [filled(one, timings[0]) for one in near if one.kind == "count" and not one.unit][:2]
    alike = len({one.unit for one in timings}) == len({one.factor for one in ways}) == 1
    if alike and target.unit == "m" and target.pers == ("h",) and len(ways) == len(timings) == 2:
        factor = ways[0].factor / target.factor / HOURS[timings[0].unit]
        yield (*ways, *timings), times(Op("/", total("x", "y"), total("z", "w")), factor)


def _charged(scope: Scope, target: Quantity, near: Near) -> Iterator[Found]:  # noqa: ARG001 - as above
    """The time that a battery takes from one share to another."""
    works, powers = _of(near, "Wh")[:2], _of(near, "W")[:2]
    for one, two in permutations([one for one in near if one.kind == "share"][:3], 2):
        for work, power in zip(works, powers, strict=False):
            if timed(target) and one.figure.low > two.figure.low:
                hours = work.factor / power.factor / HOURS[target.unit]
                yield (work, one, two, power), times(Op("/", Op("*", "x", Op("-", "y", "z")), "w"), hours)


RULES: tuple[Rule, ...] = (
    worded(r"\d[:.]\d\d.*\d[:.]\d\d", _speed),
    worded(r"½ ?m ?v|\bhalf (?:of )?m v|\bkinetic\b", _kinetic),
    worded(r"\bg (?:being|is|=|of)\b|\b9\.8\d?\b|\bforce\b|\bgravity\b|\bnewtons?\b", _weight),
    worded(r"\bwavelength|\bwaves?\b|\bλ|\bfrequenc", _wave),
    worded(
        r"\b(?:divid\w+|split\w*|doubl\w+|halv\w+|half)\b.*\bevery\b|\bevery\b.*\b(?:divid|split|doubl|halv)", _split
    ),
    worded(
        r"\b(?:chance|probab\w+|odds|likel\w+|independent\w*|at least (?:one|once)|fail\w*|succe\w+|flak\w+|works?)\b",
        _chance,
    ),
    worded(r"\bAmdahl|\bserial\b|\bparallel", _amdahl),
    worded(r"\b(?:error|errors|accuracy|defects?|misses|mistakes|failures?|word error|wrong)\b", _errors),
    worded(r"\b(?:fat|carb\w*|protein)\b", _food),
    worded(r"\b(?:stock|dilut\w+|top(?:ped)? up|working solution|made? up to|filled? up)\b", _diluted),
    worded(r"\bgigabits?\b", _frames),
    worded(r"\b(?:per|every|each|to the|for) hundred\b", _fuel),
    worded(r"\bper (?:thousand|hundred|million)\b|\bin (?:a|every|each) (?:thousand|hundred|million)\b", _thousand),
    worded(r"\bgravit(?:y|ies)\b|\bOG\b", _gravity),
    worded(r"\b[kMG]?J\b|\bjoules?\b|\bmegajoules?\b", _joules),
    worded(r"\bthen\b|\bfirst\b|\bstarts?\b|\bafter\b", _begun),
    worded(r"\b(?:entire|whole|overall|averag\w+|mean)\b", _overall),
    worded(r"\bcharg(?:e|es|ed|ing)\b", _charged),
    worded(r"\bounces?\b", _ore),
    worded(r"\bnautical\b|\bknots?\b", _at_sea),
    worded(r"\brule of 7", _rule_of),
    worded(r"\b(?:twos|threes|fours|sixes|free throws?|from the line)\b", _scored),
)
"""Each rule with the words that name it."""
