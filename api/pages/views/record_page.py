"""The record: how long figures live, drawn and as a table, by group; and the figures that broke."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from api.pages.charts.survival_chart import NARROW, WIDE, described, drawable
from api.pages.request.page_request import Option, PageRequest, TemplateResponse
from api.pages.views.claim_table import PageContext
from compute.record.life_models import LifeLine
from compute.record.record import DAYS, Basis, BrokenFigure, GroupField, Record, RecordGroup
from graph.models.query_models import NodeRef

MOST_GROUPS, MOST_BROKEN, MOST_LIVES = 40, 100, 30

_FIELDS = {
    None: "all",
    GroupField.KIND: "kind",
    GroupField.TAG: "tag",
    GroupField.MODEL: "model",
    GroupField.INPUT: "price",
    GroupField.BRAIN: "brain",
    GroupField.ASSERTED_BY: "who states it",
}


@dataclass(frozen=True, slots=True)
class RecordPage:
    """The page. `groups` and `broken` are the first of them; `picture` is the query of the pictures, with its `?`.

    `lives` are the life lines of the first broken figures.
    """

    found: Record
    today: date
    groups: tuple[RecordGroup, ...]
    broken: tuple[BrokenFigure, ...]
    lives: Mapping[str, LifeLine]
    titles: dict[str, NodeRef]
    fields: tuple[Option, ...]
    bases: tuple[Option, ...]
    days: tuple[int, ...]
    drawn: bool
    described: str
    picture: str
    wide: tuple[int, int]
    narrow: tuple[int, int]
    other_formats: tuple[tuple[str, str], ...]


def requested(desk: PageContext, asked: PageRequest) -> Record:
    """The record that a request asks for.

    Raises:
        PageRequestError: the field, the basis or the day cannot be read.
    """
    by = asked.one_of("by", [one.value for one in GroupField])
    basis = asked.one_of("basis", [one.value for one in Basis])
    chosen = GroupField(by) if by else None
    return desk.brain.record.record(asked.day, Basis(basis) if basis else Basis.HINDSIGHT, chosen)


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The record, by hindsight or by the ledger.

    Raises:
        PageRequestError: the field, the basis or the day cannot be read.
    """
    found = requested(desk, asked)
    broken = found.broken[:MOST_BROKEN]
    query = _query(asked)
    model = RecordPage(
        found=found,
        today=asked.today,
        groups=found.groups[:MOST_GROUPS],
        broken=broken,
        lives=desk.recall(("lives of broken", query, asked.today), lambda: _lives(desk, asked, broken)),
        titles=desk.brain.nodes.refs(sorted({one.node for one in broken})),
        fields=tuple(_field(asked, one, name) for one, name in _FIELDS.items()),
        bases=tuple(_basis(asked, one) for one in Basis),
        days=DAYS,
        drawn=bool(drawable(found)),
        described=described(found),
        picture=f"?{query}" if query else "",
        wide=(WIDE[0] * 3 // 4, WIDE[1] * 3 // 4),
        narrow=(NARROW[0] // 2, NARROW[1] // 2),
        other_formats=(("JSON", f"/v1/record?{query}" if query else "/v1/record"),),
    )
    return TemplateResponse("record.html", model)


def _lives(desk: PageContext, asked: PageRequest, broken: Sequence[BrokenFigure]) -> dict[str, LifeLine]:
    return {one.claim: desk.brain.record.life(one.claim, asked.today) for one in broken[:MOST_LIVES]}


def _query(asked: PageRequest) -> str:
    """The parameters that choose the record."""
    return urlencode([(name, value) for name in ("by", "basis", "as_of") if (value := asked.text(name))])


def _field(asked: PageRequest, field: GroupField | None, name: str) -> Option:
    value = field.value if field else ""
    return Option(name, asked.link(by=value or None), chosen=asked.text("by") == value)


def _basis(asked: PageRequest, basis: Basis) -> Option:
    chosen = (asked.text("basis") or Basis.HINDSIGHT.value) == basis.value
    return Option(basis.value, asked.link(basis=basis.value if basis is Basis.LEDGER else None), chosen=chosen)
