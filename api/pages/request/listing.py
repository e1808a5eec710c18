"""Lists of a page: a part at a time, in an order, narrowed down by choices that say how many things they leave."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from api.pages.request.page_request import PageRequest

Thing = TypeVar("Thing")

FOLDED = 60
"""How many choices a facet has in its fold."""


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a facet: its label, its link, how many there are, whether it is chosen."""

    text: str
    href: str
    count: int | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Facet:
    """A named row of choices, folded beyond the first `shown`; `left` counts those that only `rest` lists."""

    title: str
    options: Sequence[Option]
    shown: int = FOLDED
    left: int = 0
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Part(Generic[Thing]):
    """One part of a list, with the length of a part, its number and the links to the parts around it."""

    things: tuple[Thing, ...]
    total: int
    length: int
    number: int
    pages: int
    previous: str | None
    following: str | None


def part_of(request: PageRequest, things: Sequence[Thing], length: int) -> Part[Thing]:
    """The part that `page` in the address names, the last one if it is beyond.

    Raises:
        PageRequestError: `page` is no number.
    """
    pages = max(1, -(-len(things) // length))
    number = min(request.number("page"), pages)
    return Part(
        things=tuple(things[(number - 1) * length : number * length]),
        total=len(things),
        length=length,
        number=number,
        pages=pages,
        previous=request.link(page=str(number - 1)) if number > 1 else None,
        following=request.link(page=str(number + 1)) if number < pages else None,
    )


def facet_options(
    request: PageRequest, name: str, counts: Iterable[tuple[str, int]], words: Mapping[str, str] | None = None
) -> list[Option]:
    """A link for each value of a parameter with the number it leaves; that of the chosen value takes it away."""
    chosen, known = request.text(name), words or {}
    return [
        Option(
            known.get(value, value), request.link(**{name: None if value == chosen else value}), count, value == chosen
        )
        for value, count in counts
    ]


@dataclass(frozen=True, slots=True)
class Side(Generic[Thing]):
    """One way to narrow a list down: the parameter, the title, and which values of it a thing has.

    `words` are the titles of values and, where `ordered`, all that the address may name. `shown` choices are before
    the fold, `rest` lists them all.
    """

    name: str
    title: str
    values: Callable[[Thing], Collection[str]]
    words: Mapping[str, str] = field(default_factory=dict)
    ordered: bool = False
    shown: int = 12
    rest: str = ""

    def facet(self, request: PageRequest, found: Mapping[str, int]) -> Facet:
        """The values in the order of `words`, or the most frequent first; a chosen value is always among them."""
        counts = {value: count for value, count in found.items() if value}
        if chosen := request.text(self.name):
            counts.setdefault(chosen, 0)
        place = {value: number for number, value in enumerate(self.words)} if self.ordered else {}
        ordered = sorted(counts.items(), key=lambda one: (place.get(one[0], len(place)), -one[1], one[0]))
        options = facet_options(request, self.name, ordered[: self.shown + FOLDED], self.words)
        return Facet(self.title, options, self.shown, len(ordered) - len(options), self.rest)


class Narrowing(Generic[Thing]):
    """Things narrowed down by the parameters of an address; each choice is counted over what passes the others.

    Raises:
        PageRequestError: an ordered side has no such value.
    """

    def __init__(
        self,
        request: PageRequest,
        things: Iterable[Thing],
        sides: Sequence[Side[Thing]],
        identity: Callable[[Thing], object] = id,
    ) -> None:
        self._request, self._things, self._sides, self._identity = request, list(things), sides, identity
        self.chosen = {
            one.name: request.one_of(one.name, list(one.words)) if one.ordered else request.text(one.name)
            for one in sides
        }
        self.filters = tuple((name, value) for name, value in self.chosen.items() if value)

    def passing(self, without: str = "") -> list[Thing]:
        """The things that have the chosen values of all sides but one."""
        wanted = [(one.values, self.chosen[one.name]) for one in self._sides if one.name != without]
        return [thing for thing in self._things if all(not value or value in values(thing) for values, value in wanted)]

    def counts(self, side: Side[Thing]) -> dict[str, int]:
        """How many different things each value of a side would leave."""
        found: dict[str, set[object]] = {}
        for thing in self.passing(without=side.name):
            for value in side.values(thing):
                found.setdefault(value, set()).add(self._identity(thing))
        return {value: len(things) for value, things in found.items()}

    def facets(self) -> tuple[Facet, ...]:
        """The facet of each side."""
        return tuple(one.facet(self._request, self.counts(one)) for one in self._sides)
