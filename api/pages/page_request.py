"""Page requests, responses and lists, independent of any web framework."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import SimpleNamespace
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from graph.models.query_models import MOST_VALUES


class PageRequestError(ValueError):
    """A parameter that cannot be read: its name, the value found, and what is expected."""

    def __init__(self, name: str, given: str, wanted: str) -> None:
        super().__init__(f"{name} is {given!r}; {wanted}.")


class TooManyValuesError(ValueError):
    """A parameter is given more often than is read."""

    def __init__(self, name: str, given: int) -> None:
        super().__init__(f"{name} is given {given:,} times; at most {MOST_VALUES} are read.")


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request: address, query in order, today. `sign_in`: the service has tokens, so readers can sign in."""

    path: str
    today: date
    parts: Mapping[str, str] = field(default_factory=dict)
    query: Sequence[tuple[str, str]] = ()
    site: str = ""
    sign_in: bool = False

    def text(self, name: str) -> str:
        """The last value of a parameter, stripped; empty if absent."""
        return next((value.strip() for key, value in reversed(self.query) if key == name), "")

    def texts(self, name: str) -> tuple[str, ...]:
        """All different non-empty values. Raises TooManyValuesError above `MOST_VALUES`."""
        found = tuple(dict.fromkeys(value.strip() for key, value in self.query if key == name and value.strip()))
        if len(found) > MOST_VALUES:
            raise TooManyValuesError(name, len(found))
        return found

    def one_of(self, name: str, allowed: Sequence[str]) -> str:
        """One of `allowed`, or empty if absent. Raises PageRequestError for other values."""
        given = self.text(name)
        if given and given not in allowed:
            raise PageRequestError(name, given, "there are " + ", ".join(allowed))
        return given

    def number(self, name: str) -> int:
        """An integer from 1 to a million; 1 if absent. Raises PageRequestError for anything else."""
        given = self.text(name)
        if not given:
            return 1
        if not (given.isascii() and given.isdigit() and len(given) < 10 and 1 <= int(given) <= 1_000_000):
            raise PageRequestError(name, given, "write an integer from 1 to 1000000")
        return int(given)

    @property
    def node(self) -> str:
        """The id of the node that an address names."""
        return f"{self.parts['brain']}/{self.parts['slug']}"

    @property
    def day(self) -> date:
        """The day in `as_of`, or today. Raises PageRequestError if it is no date."""
        return self.day_in("as_of") or self.today

    def day_in(self, name: str) -> date | None:
        """A date, if given. Raises PageRequestError if it is none."""
        given = self.text(name)
        try:
            return date.fromisoformat(given) if given else None
        except ValueError:
            raise PageRequestError(name, given, "write a day as 2026-11-21") from None

    def address_of(self, path: str) -> str:
        """The address of a page without its scheme, as pictures name it."""
        return (urlsplit(self.site).netloc or self.site) + path

    def link(self, **changes: str | int | Sequence[str] | None) -> str:
        """This address with parameters replaced (None removes one), at the first page again."""
        drop = {*changes, "cursor", "page"}
        kept = [(key, value) for key, value in self.query if key not in drop and value]
        for key, values in changes.items():
            listed = [str(values)] if isinstance(values, str | int) else values or ()
            kept += [(key, one) for one in listed if one]
        return self.path + ("?" + urlencode(kept) if kept else "")

    def toggled(self, name: str, value: str) -> str:
        """This address with one value of a repeated parameter added or removed."""
        held = self.texts(name)
        return self.link(**{name: [one for one in held if one != value] if value in held else [*held, value]})


@dataclass(frozen=True, slots=True)
class TemplateResponse:
    """A page before rendering: template, its `page`, and the status."""

    template: str
    model: Any
    status: int = 200


def page_of(template: str, status: int = 200, /, **model: object) -> TemplateResponse:
    """A page whose template reads each keyword as `page.KEYWORD`."""
    return TemplateResponse(template, SimpleNamespace(**model), status)


@dataclass(frozen=True, slots=True)
class RawResponse:
    """An answer that is no page: bytes with their media type."""

    body: bytes
    media: str


def path_of(kind: str, name: str) -> str:
    """The address of a thing, its name escaped but for slashes: `/nodes/a/b`, `/prices/x/y`."""
    return f"/{kind}/{quote(name, safe='/~')}"


LINES = 600  # how many lines of a document one page shows


def line_path(document: str, line: int | None) -> str:
    """The address of a line on the page of its document."""
    page = (line - 1) // LINES + 1 if line else 1
    query = f"?page={page}" if page > 1 else ""
    return path_of("documents", document) + query + (f"#L{line}" if line else "")


def work_path(work: str) -> str:
    """The address of a source; its slashes are escaped, as its id may be a URL."""
    return "/sources/" + quote(work, safe="")


Thing = TypeVar("Thing")

FOLDED = 60  # how many choices a facet has in its fold


@dataclass(frozen=True, slots=True)
class Option:
    """A choice of a facet: label, link, count, and whether it is chosen."""

    text: str
    href: str
    count: int | None = None
    chosen: bool = False


class Facet(NamedTuple):
    """A row of choices, folded after `shown`; `left` counts those listed only at `rest`."""

    title: str
    options: Sequence[Option]
    shown: int = 1_000
    left: int = 0
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Part(Generic[Thing]):
    """One page of a list: page length, page number, total."""

    things: tuple[Thing, ...]
    total: int
    length: int
    number: int
    pages: int


def part_of(request: PageRequest, things: Sequence[Thing], length: int) -> Part[Thing]:
    """The page of a list that `page` names, at most the last. Raises PageRequestError if it is no number."""
    pages = max(1, -(-len(things) // length))
    number = min(request.number("page"), pages)
    return Part(tuple(things[(number - 1) * length : number * length]), len(things), length, number, pages)


def facet_options(
    request: PageRequest, name: str, counts: Iterable[tuple[str, int]], words: Mapping[str, str] | None = None
) -> list[Option]:
    """A link for each value with its count; the chosen value's link removes it."""
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
        """Values in the order of `words`, or by count; a chosen value is always included."""
        counts = {value: count for value, count in found.items() if value}
        if chosen := request.text(self.name):
            counts.setdefault(chosen, 0)
        place = {value: number for number, value in enumerate(self.words)} if self.ordered else {}
        ordered = sorted(counts.items(), key=lambda one: (place.get(one[0], len(place)), -one[1], one[0]))
        options = facet_options(request, self.name, ordered[: self.shown + FOLDED], self.words)
        return Facet(self.title, options, self.shown, len(ordered) - len(options), self.rest)


class Narrowing(Generic[Thing]):
    """Things filtered by an address; each choice is counted among what passes the other filters.

    Raises PageRequestError for a value that an ordered side has not.
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
