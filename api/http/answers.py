"""Answers as JSON in which numbers keep their digits, and what the routes share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Query, Response

from api.brain import Brain
from graph.values import dumps

AsOf = Annotated[date | None, Query(description="The day to answer for, as 2026-11-21. Default: today.")]
Limit = Annotated[int, Query(ge=1, le=1000, description="The longest list that is wanted; 1,000 at most.")]


class Exact(Response):
    """JSON; a decimal is a number with every digit it has."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:  # noqa: ANN401  # the signature of the class above
        """The content as UTF-8 text."""
        return dumps(content).encode()


@dataclass(frozen=True)
class Desk:
    """What every route works with: the brain, and the time at the door."""

    brain: Brain
    clock: Callable[[], datetime]

    def day(self, asked: date | None) -> date:
        """The day that is asked for, else today."""
        return asked or self.clock().date()

    @staticmethod
    def next_link(path: str, cursor: str, **parameters: object) -> str:
        """The `Link` header of the following page, with the parameters of this one."""
        given = {name: value for name, value in parameters.items() if value not in (None, "", [])}
        return f'<{path}?{urlencode({**given, "cursor": cursor}, doseq=True)}>; rel="next"'


def items(found: object, **more: object) -> Exact:
    """A list in the shape of the contract."""
    return Exact({"items": found, **more})
