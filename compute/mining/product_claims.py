"""Products and quotients whose dimensions fit a stated amount, with the conversions of units that they need.

24 seats at $15 per seat per month, $4,320 a year          24 * 15 USD * 12
300 km in 2.5 hours, an average of 120 km/h                300 / 2.5
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from compute.mining.claim_cues import has, phrase
from compute.mining.claim_scopes import HOURS, Candidate, Scope
from compute.mining.expressions import Op, product
from compute.mining.quantities import TIMES, Quantity

_SOFT = frozenset({"GPU", "request", "token", "parameter"})
MEASURES = frozenset({"m", "g", "litre"})
CALENDAR: dict[tuple[str, str], tuple[str, ...]] = {
    ("day", "month"): ("30", "31", "28"), ("day", "year"): ("365", "360", "366"), ("h", "month"): ("720", "744"),
    ("h", "year"): ("8784", "8640"), ("week", "month"): ("4", "4.33", "4.35", "5"), ("week", "year"): ("52",),
    ("month", "year"): ("12",), ("week", "quarter"): ("13", "12"),
}  # fmt: skip  # one line per group is more readable
"""How many of a unit another may have: months and years differ."""
WORKING: dict[tuple[str, str], tuple[str, ...]] = {
    ("h", "day"): ("8", "10", "12", "7.5"), ("day", "week"): ("5", "6"), ("day", "month"): ("20", "21", "22", "25"),
    ("day", "year"): ("250", "260", "252", "240", "220", "200"), ("h", "month"): ("160", "168", "173.33"),
    ("h", "year"): ("2080", "2000", "1920"), ("week", "year"): ("50", "48", "46"), ("h", "week"): ("40", "35", "37.5"),
}  # fmt: skip  # one line per group is more readable
"""The same where a text speaks of work."""
_WORK = re.compile(
    r"\b(?:work\w*|shifts?|office|staff|employee|employees|salar\w+|wages?|paid|earns?|engineers?|commut\w+|school|open|weekdays?|business|season)\b",
    re.I,
)
_OPERANDS = 5


@dataclass(frozen=True, slots=True)
class _Fit:
    """How a product fits a target: what it costs, and the factors between their units of time, likeliest first."""

    cost: float
    factors: tuple[Decimal, ...] = (Decimal(1),)


def dimensions(one: Quantity) -> Counter[str]:
    """The exponent of each unit of a quantity; a share has none."""
    found: Counter[str] = Counter()
    if one.kind in {"share", "ratio", "points"}:
        return found
    if one.unit == "Wh":
        found.update({"W": 1, "h": 1})
    elif one.unit.endswith(("²", "³")):
        found[one.unit[:-1]] += 2 if one.unit[-1] == "²" else 3
    elif one.unit:
        found[one.unit] += 1
    for per in one.pers:
        if per in {"kWh", "MWh", "Wh"}:
            found.subtract({"W": 1, "h": 1})
        else:
            found[_BASES.get(per, (per, Decimal(1)))[0]] -= 1
    return found


_BASES = {
    "GB": ("byte", Decimal(10) ** 9), "TB": ("byte", Decimal(10) ** 12), "MB": ("byte", Decimal(10) ** 6), "kB": ("byte", Decimal(10) ** 3), "kWh": ("Wh", Decimal(1000)),
    "MWh": ("Wh", Decimal(10) ** 6), "kW": ("W", Decimal(1000)), "MW": ("W", Decimal(10) ** 6), "Mtok": ("token", Decimal(10) ** 6), "ktok": ("token", Decimal(1000)), "km": ("m", Decimal(1000)),
    "ml": ("litre", Decimal("0.001")), "mg": ("g", Decimal("0.001")), "cl": ("litre", Decimal("0.01")), "kilometre": ("m", Decimal(1000)), "kilometer": ("m", Decimal(1000)), "cm": ("m", Decimal("0.01")),
    "kg": ("g", Decimal(1000)), "tonne": ("g", Decimal(10) ** 6), "gram": ("g", Decimal(1)), "liter": ("litre", Decimal(1)), "l": ("litre", Decimal(1)), "meter": ("m", Decimal(1)), "metre": ("m", Decimal(1)),
}  # fmt: skip  # as many as fit a line


def magnitude(one: Quantity) -> Decimal:
    """The value of a quantity with what it is per, in base units: $1.20 per GB is 1.2e-9 dollars per byte."""
    found = one.base
    for per in one.pers:
        found /= _BASES.get(per, ("", Decimal(1)))[1]
    return found


def products(scope: Scope, target: Quantity, strength: float) -> Iterator[Candidate]:
    """The products and quotients of nearby quantities that have the dimension of a target."""
    near = sorted(
        (one for one in scope.quantities if one.index != target.index and _factor(scope, one)),
        key=lambda one: abs(one.index - target.index),
    )
    operands = sorted(near[:_OPERANDS], key=lambda one: one.index)
    wanted = dimensions(target)
    every = len(
        [
            one
            for one in scope.quantities
            if one.index < target.index
            or (one.index > target.index and not has(scope.between(target, one), {";", "."}))
        ]
    )
    fewest = max(1, every - int((2.8 + 0.8 * strength) / 0.7))
    for size in range(fewest, min(4, len(operands)) + 1):
        for chosen in combinations(operands, size):
            for below in (None, *(range(size) if size > 1 else ())):
                fit = _fit(scope, wanted, chosen, below, target)
                if fit is not None:
                    yield from _product(scope, target, chosen, below, fit, strength, every - size)


def _factor(scope: Scope, one: Quantity) -> bool:
    if one.kind == "share" and scope.right(one)[:1] != ("of",):
        return False
    inch = scope.right(one)[:1] == ("-",)
    return (
        one.kind in {"money", "unit", "time", "count", "share"}
        and not inch
        and not one.figure.ranged
        and one.figure.low > 0
    )


def _fit(
    scope: Scope, wanted: Counter[str], chosen: tuple[Quantity, ...], below: int | None, target: Quantity
) -> _Fit | None:
    found: Counter[str] = Counter()
    for index, one in enumerate(chosen):
        (found.subtract if index == below else found.update)(dimensions(one))
    if len(chosen) == 1 and (chosen[0].kind == "share" or not _converts(chosen[0], target)):
        return None
    cost, each = 0.0, found.pop("each", 0)
    rest = Counter(wanted)
    every = rest.pop("each", 0)
    rest.subtract(found)
    times = {unit: power for unit, power in rest.items() if power and unit in TIMES}
    nouns = {unit: power for unit, power in rest.items() if power and unit not in TIMES}
    for unit, power in nouns.items():
        if _hard(unit, (*chosen, target)) or abs(power) > 1:
            return None
        if power < 0 < found[unit]:
            spoken = (
                each < 0
                or any(unit in one.pers or "each" in one.pers for one in chosen)
                or "each" in scope.sentence.text
                or "every" in scope.sentence.text
            )
            cost += 0.2 if spoken else 0.9
        elif power < 0:
            cost += 0.3 if every else 2.0
        elif found[unit] < 0:
            cost += 0.1 if every < 0 else 2.4
            every = 0
        else:
            cost += 0.5
    if every < 0 and below is None:
        cost += 1.5
    lost = _time(scope, times, target)
    return None if lost is None or cost + lost.cost > 2.6 else _Fit(cost + lost.cost, lost.factors)


def _converts(one: Quantity, target: Quantity) -> bool:
    """Whether one amount alone may be the other in another unit."""
    if one.unit == target.unit and one.factor != target.factor and one.pers == target.pers and one.kind == target.kind:
        return abs(one.index - target.index) == 1
    if (one.unit, target.unit) != ("W", "Wh") and not all(
        {part.unit, *part.pers} & set(TIMES) for part in (one, target)
    ):
        return False
    return (
        dimensions(one) != dimensions(target)
        and (one.kind == target.kind == "time" or bool({*one.pers, *target.pers} & set(TIMES)))
        and (one.unit in {target.unit, *TIMES} or (one.unit, target.unit) == ("W", "Wh"))
    )


def _hard(unit: str, among: Iterable[Quantity]) -> bool:
    """Whether a unit must match: money and measures do, things that are counted need not."""
    return (
        unit in MEASURES
        or (unit.isupper() and len(unit) == 3 and unit != "GPU")
        or any(one.unit == unit and one.kind in {"money", "unit"} and unit not in _SOFT for one in among)
        or unit in {"byte", "W", "FLOPS"}
    )


def _time(scope: Scope, times: dict[str, int], target: Quantity) -> _Fit | None:
    """What differs in time between a target and a product: nothing, one conversion, or a period that goes without saying."""
    if not times:
        return _Fit(0)
    if len(times) == 1:
        ((unit, power),) = times.items()
        around = (*scope.left(target)[-6:], *scope.right(target)[:5])
        said = next((period for word, period in SAID.items() if word in around), "")
        if power == 1 and said and said != unit:
            return _Fit(0.4, factors_between(said, unit, scope.sentence.text))
        if power == 1 and said == unit:
            return _Fit(0.2)
        return _Fit(1.2) if power == 1 else None
    if len(times) == 2 and sorted(times.values()) == [-1, 1]:
        up, down = (next(unit for unit, power in times.items() if power == sign) for sign in (1, -1))
        return _Fit(0.3, tuple(factors_between(down, up, scope.sentence.text)))
    return None


SAID = {
    "year": "year",
    "annual": "year",
    "annually": "year",
    "yearly": "year",
    "month": "month",
    "monthly": "month",
    "week": "week",
    "weekly": "week",
    "quarter": "quarter",
    "quarterly": "quarter",
    "day": "day",
    "daily": "day",
    "hour": "h",
    "hourly": "h",
}


def factors_between(larger: str, smaller: str, text: str = "") -> tuple[Decimal, ...]:
    """How many of the second unit the first has; several where calendars differ."""
    main = HOURS[larger] / HOURS[smaller]
    tables = (CALENDAR, WORKING) if text and _WORK.search(text) else (CALENDAR,)
    others = [Decimal(one) for table in tables for one in table.get((smaller, larger), ())]
    turned = [1 / Decimal(one) for table in tables for one in table.get((larger, smaller), ())]
    return (main, *(one for one in (*others, *turned) if one != main))


def _product(  # noqa: PLR0917 - private, called once
    scope: Scope,
    target: Quantity,
    chosen: tuple[Quantity, ...],
    below: int | None,
    fit: _Fit,
    strength: float,
    unused: int,
) -> Iterator[Candidate]:
    rate = any(one.pers for one in chosen) or bool(target.pers)
    score = (
        1.4
        + 0.8 * strength
        - fit.cost
        - 0.7 * unused
        + (0.8 if rate else 0)
        + 0.2 * len(chosen)
        + (0.5 if target.index == len(scope.quantities) - 1 else 0)
    )
    score -= 0.6 * sum(one.kind == "share" for one in chosen) + (0.5 if below is not None and not rate else 0)
    if below is not None and chosen[below].kind == "share":
        return
    linked = _linked(scope, target, chosen)
    units_fit = not fit.cost and any(one.unit in _MEASURED for one in chosen)
    last = target.index == len(scope.quantities) - 1
    if sum(one.unit == "m" and not one.pers for one in chosen) > 1 or target.unit.endswith(("²", "³")):
        linked = (
            len(chosen) == len(scope.quantities) - 1 and below is None and (target.unit[-1:] in {"²", "³"} or linked)
        )
        score += 2.2 if linked and target.unit[-1:] in {"²", "³"} else 0
    sure = (
        linked
        and (
            strength >= 1.5
            or (not unused and strength >= 0.4 and (last or (fit.cost <= 0.3 and len(chosen) > 2)))
            or (units_fit and strength >= 0.4)
        )
        and _settled(scope, target, chosen)
    )
    if not linked and (unused or strength < 2):
        return
    sure = (
        sure and (strength >= 1.5 or all(one.unit for one in chosen)) and sum(one.kind == "count" for one in chosen) < 4
    )
    if below is not None and (len(chosen) > 2 or all(one.pers for one in chosen)):
        sure = False
    if any(one.index < scope.first for one in chosen) and (len(chosen) < len(scope.quantities) - 1 or strength < 1.5):
        sure = False
    if len(chosen) == 1:
        sure = (
            sure
            and chosen[0].index >= scope.first
            and len(scope.between(*sorted((chosen[0], target), key=lambda one: one.index))) < 9
            and abs(target.index - chosen[0].index) == 1
        )
        sure = sure and (
            has(scope.left(target)[-4:], {"or", "=", "i", "is", "≈", "equals", "makes", "to", "means", "that", "per"})
            or strength >= 2
            or bool(target.pers)
        )
    if below is not None and target.kind in {"time", "count"} and sum(one.kind == "money" for one in chosen) > 1:
        sure = sure and not last
    score += (0.8 if units_fit else 0) - (0 if linked else 1.6)
    gap = scope.between(*sorted((chosen[-1], target), key=lambda one: one.index))
    score -= 0.5 * sum(word in {".", ";"} for word in gap)
    names = _names(chosen)
    above = [name for index, name in enumerate(names) if index != below]
    for index, factor in enumerate(fit.factors):
        parts: list[Op | str | Decimal] = [*above, *([factor] if factor != 1 else [])]
        tree: Op | str | Decimal = product(*parts) if parts else Decimal(1)
        if below is not None:
            tree = Op("/", tree, names[below])
        yield Candidate("product", target, chosen, names, tree, score - (0.15 if index else 0), united=False, sure=sure)


def _linked(scope: Scope, target: Quantity, chosen: tuple[Quantity, ...]) -> bool:
    """Whether each factor belongs to the others: one is a rate for the other, or they are measures that combine."""
    units = {one.unit for one in (*chosen, target) if one.unit}
    pers = {per for one in (*chosen, target) for per in one.pers}
    if len(chosen) == 1 and chosen[0].factor != target.factor and chosen[0].unit == target.unit:
        return has(scope.left(target)[-7:], {"=", "i", "≈", "equals"}) or phrase(
            scope.left(target), ("that is", "which is", "i . e .")
        )
    if len(chosen) == 1 or (units >= {"W", "Wh"} and units & set(TIMES)):
        return True
    loose = 0
    for one in chosen:
        met = set(one.pers) & (units | pers | {"each"}) or one.unit in pers or (one.kind == "count" and "each" in pers)
        met = met or (one.kind == "time" and bool(pers & set(TIMES))) or one.kind == "share" or one.unit in _MEASURED
        loose += not met
    return loose == 0 or (loose == 1 and len(chosen) == 2 and bool(pers))


_TIERED = frozenset({"rest", "remaining", "beyond", "thereafter", "free", "tier", "tiers"})


def _settled(scope: Scope, target: Quantity, used: tuple[Quantity, ...]) -> bool:
    """Whether no figure is left over that may belong to the relation, and no tier or free part is named."""
    tokens = [token for gap in scope.gaps for token in gap]
    if has(tokens, _TIERED) or any(has(gap[-2:], {"first", "above", "extra", "additional"}) for gap in scope.gaps[:-1]):
        return False
    for one in scope.quantities:
        if one.index == target.index or any(one.index == part.index for part in used):
            continue
        if one.kind != "count" or one.kind == target.kind or one.unit:
            return False
    return True


_MEASURED = frozenset({"W", "Wh", "byte", "FLOPS"})


def _names(chosen: tuple[Quantity, ...]) -> tuple[str, ...]:
    kinds = [
        "rate"
        if one.pers and one.kind != "share"
        else {"money": "amount", "time": "time", "share": "share"}.get(one.kind, "quantity")
        for one in chosen
    ]
    return tuple(
        kind if kinds.count(kind) == 1 else f"{kind}_{kinds[:index].count(kind) + 1}"
        for index, kind in enumerate(kinds)
    )
