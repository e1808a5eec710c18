"""The record: how long figures live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import Query, Response

from api.http.api_route import ApiRoute
from api.http.responses.request_context import AppContext, Ask, Day
from compute.record.record import Basis, GroupField, Record

By = Annotated[
    Literal["tag", "kind", "brain", "model", "input", "asserted_by"] | None,
    Query(description="The field by which claims are grouped.", examples=["kind"]),
]
Seen = Annotated[
    Basis, Query(description="Replayed over the prices as known now, or only what the runs saw.", examples=["ledger"])
]


class Records:
    """The route over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._brain = desk.brain

    def record(self, ask: Ask, day: Day, by: By = None, basis: Seen = Basis.HINDSIGHT) -> Response:
        """Of the figures that were true when written, the share that still holds after 30, 90 and 365 days.

        By group, with 95% intervals, the half-life, the curve, and a list of the figures that broke, each with the
        inputs that broke it.
        """
        return ask.record(self._brain.record.record(day.day, basis, GroupField(by) if by else None))


def routes(desk: AppContext) -> Sequence[ApiRoute]:
    """The routes in their order."""
    return (ApiRoute("/v1/record", Records(desk).record, Record, ("json", "html"), ("invalid-datetime",)),)
