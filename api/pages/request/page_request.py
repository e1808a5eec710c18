"""Page requests and responses: values independent of any web framework."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote, urlencode

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
    """One request: the address and its parts, the query as pairs in order, today, and the address of the service.

    `sign_in` says whether the service has tokens, so that a reader can sign in.
    """

    path: str
    today: date
    parts: Mapping[str, str] = field(default_factory=dict)
    query: Sequence[tuple[str, str]] = ()
    site: str = ""
    sign_in: bool = False

    def text(self, name: str) -> str:
        """The last value of a parameter without outer blanks; empty where it is not given."""
        return next((value.strip() for key, value in reversed(self.query) if key == name), "")

    def texts(self, name: str) -> tuple[str, ...]:
        """Every value of a parameter once, empty ones left out.

        Raises:
            TooManyValuesError: there are more than `MOST_VALUES`.
        """
        found = tuple(dict.fromkeys(value.strip() for key, value in self.query if key == name and value.strip()))
        if len(found) > MOST_VALUES:
            raise TooManyValuesError(name, len(found))
        return found

    def one_of(self, name: str, allowed: Sequence[str]) -> str:
        """A parameter that must be one of a few words, or absent.

        Raises:
            PageRequestError: it is another word.
        """
        given = self.text(name)
        if given and given not in allowed:
            raise PageRequestError(name, given, "there are " + ", ".join(allowed))
        return given

    def number(self, name: str, least: int = 1, most: int = 1_000_000) -> int:
        """An integer, `least` if it is not given.

        Raises:
            PageRequestError: it is none, or out of bounds.
        """
        given = self.text(name)
        if not given:
            return least
        if not (given.isascii() and given.isdigit() and len(given) < 10 and least <= int(given) <= most):
            raise PageRequestError(name, given, f"write an integer from {least} to {most}")
        return int(given)

    @property
    def node(self) -> str:
        """The id of the node that an address names."""
        return f"{self.parts['brain']}/{self.parts['slug']}"

    @property
    def day(self) -> date:
        """The day in `as_of`, or today.

        Raises:
            PageRequestError: it is no date.
        """
        return self.date("as_of") or self.today

    def date(self, name: str) -> date | None:
        """A parameter that is a day, if it is given.

        Raises:
            PageRequestError: it is no date.
        """
        given = self.text(name)
        try:
            return date.fromisoformat(given) if given else None
        except ValueError:
            raise PageRequestError(name, given, "write a day as 2026-11-21") from None

    def link(self, **changes: str | Sequence[str] | None) -> str:
        """This address with parameters replaced; None takes one away. A change begins at the first page again."""
        drop = {*changes, "cursor", "page"}
        kept = [(key, value) for key, value in self.query if key not in drop and value]
        for key, values in changes.items():
            kept += [(key, one) for one in ([values] if isinstance(values, str) else values or ()) if one]
        return self.path + ("?" + urlencode(kept) if kept else "")

    def toggled(self, name: str, value: str) -> str:
        """This address with one value of a repeated parameter added, or taken away where it is there."""
        held = self.texts(name)
        return self.link(**{name: [one for one in held if one != value] if value in held else [*held, value]})


@dataclass(frozen=True, slots=True)
class TemplateResponse:
    """A page before it is printed: the template, what it shows as `page`, and the status of the answer."""

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


LINES = 600
"""How many lines of a document one page shows."""


def line_path(document: str, line: int | None) -> str:
    """The address of a line of a document, on the page that shows it."""
    page = (line - 1) // LINES + 1 if line else 1
    query = f"?page={page}" if page > 1 else ""
    return path_of("documents", document) + query + (f"#L{line}" if line else "")


def work_path(work: str) -> str:
    """The address of a source: its id is an address itself, so its slashes are escaped too."""
    return "/sources/" + quote(work, safe="")
