"""How the units of a candidate's inputs and of its target agree, as traits, by their types alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_

Group = tuple[str, ...]
"""Some traits that depend on the same facts; equal groups are one object, so that their weights are added up once."""


@dataclass(frozen=True, slots=True, eq=False)
class QuantityType:
    """The type of a quantity: what the traits use of it alone; equal types are one object."""

    kind: str
    unit: str
    pers: tuple[str, ...]
    flags: int
    """Which of `FLAGS` are so."""


FLAGS = ("worded", "model size", "elliptic")
quantity_type = lru_cache(maxsize=20_000)(QuantityType)


@lru_cache(maxsize=2000)
def _fit_of(rising: bool | None, flags: int, target: bool, kind: str) -> Group:
    found = [] if rising is None else ["rising" if rising else "falling"]
    found += [name for place, name in enumerate(FLAGS) if flags >> place & 1]
    return (*found, *(("elliptic target",) if target else ()), f"target {kind}")


@lru_cache(maxsize=50_000)
def types_fit(types: tuple[QuantityType, ...], rising: bool | None, other: bool) -> tuple[Group, ...]:
    """How the units of a target and of its inputs agree, and what is said of the inputs."""
    target, *used = types
    flags = reduce(or_, [one.flags for one in used])
    fit = _fit_of(rising, flags, other, target.kind)
    return (_together(_kinds(target, used)), fit) if len(used) > 1 else (fit,)


@lru_cache(maxsize=20_000)
def _together(names: Group) -> Group:
    """Some traits; equal groups are one object."""
    return names


def _kinds(target: QuantityType, used: Sequence[QuantityType]) -> Group:
    """How the units of some inputs and of the target agree."""
    first, found = used[0], []
    if len({part.kind for part in used}) == 1:
        units = {part.unit for part in used}
        if len(units) == 1:
            found.append("units none" if "" in units else "units same")
        else:
            found.append("units some" if "" in units else "units differ")
        found.append("pers same" if len({frozenset(part.pers) for part in used}) == 1 else "pers differ")
        found.append(f"inputs {first.kind}")
    if target.kind == first.kind:
        bare = not target.unit or not first.unit
        found.append("unit of target" if target.unit == first.unit else "unit none" if bare else "unit other")
        found.append("per of target" if set(target.pers) == set(first.pers) else "per other")
    return tuple(found)


@lru_cache(maxsize=50_000)
def product_fit(fit: int, types: tuple[QuantityType, ...], below: tuple[bool, ...]) -> Group:
    """How the units of a product fit a target, the first type; `below` says which inputs are below the line."""
    target, *used = types
    return _together(_product(fit, target, used, below))


def _product(fit: int, target: QuantityType, used: Sequence[QuantityType], below: tuple[bool, ...]) -> Group:
    """How the units of a product fit; `below` says which inputs are below the line."""
    every = (*used, target)
    found = [f"fit {fit}"]
    found.append(f"measured {sum(part.kind in {'unit', 'money', 'time'} for part in every)}")
    found.append(f"named {sum(bool(part.unit) for part in used) - len(used)}")
    units = [part.unit for part in every]
    linked = sum(
        not {*units[:place], *units[place + 1 :]}.isdisjoint(part.pers) for place, part in enumerate(every) if part.pers
    )
    found.append(f"linked {min(linked, 2)}")
    found += _divided(target, used, below)
    if any(part.kind == "share" for part in used):
        found.append("with share")
    return (*found, "kinds " + " ".join(part.kind for part in used))


def _divided(target: QuantityType, used: Sequence[QuantityType], below: tuple[bool, ...]) -> Iterator[str]:
    """Which inputs of a quotient are below the line."""
    for place, (part, under) in enumerate(zip(used, below, strict=True)):
        if under:
            yield "below first" if not place else "below last" if place == len(used) - 1 else "below middle"
            yield f"below {part.kind}"
            if part.unit:
                yield "below per" if part.unit in target.pers else "below other"
        elif part.unit and part.unit == target.unit:
            yield "above unit"
