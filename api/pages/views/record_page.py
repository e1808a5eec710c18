"""The record: how long figures live, drawn and as a table, by group; and the figures that broke."""

from __future__ import annotations

from urllib.parse import urlencode

from api.pages.charts.chart import NARROW, WIDE
from api.pages.charts.record_chart import described, drawable, requested
from api.pages.render.strips import life_strip
from api.pages.request.listing import choices
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of
from api.pages.views.claim_table import PageContext
from compute.record.record import DAYS, Basis, GroupField

MOST_GROUPS, MOST_BROKEN, MOST_LIVES = 40, 100, 30

_FIELDS = {
    "": "all",
    GroupField.KIND: "kind",
    GroupField.TAG: "tag",
    GroupField.MODEL: "model",
    GroupField.INPUT: "price",
    GroupField.BRAIN: "brain",
    GroupField.ASSERTED_BY: "who states it",
}


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The record, by hindsight or by the ledger.

    Raises:
        PageRequestError: the field, the basis or the day cannot be read.
    """
    found = requested(context, request)
    broken = found.broken[:MOST_BROKEN]
    query = urlencode([(name, value) for name in ("by", "basis", "as_of") if (value := request.text(name))])
    names = [one.claim for one in broken[:MOST_LIVES]]
    lives = context.recall(
        ("lives of broken", query, request.today), lambda: context.brain.record.lives_of(names, request.today)
    )
    bases = {"": Basis.HINDSIGHT.value, Basis.LEDGER.value: Basis.LEDGER.value}
    return page_of(
        "record.html",
        found=found,
        day=request.day,
        groups=found.groups[:MOST_GROUPS],
        broken=broken,
        lives={name: life_strip(life) for name, life in lives.items()},
        titles=context.brain.nodes.refs(sorted({one.node for one in broken})),
        fields=choices(request, "by", _FIELDS, request.text("by")),
        bases=choices(request, "basis", bases, request.text("basis").replace(Basis.HINDSIGHT, "")),
        days=DAYS,
        drawn=bool(drawable(found)),
        described=described(found),
        picture=f"?{query}" if query else "",
        wide=WIDE,
        narrow=NARROW,
        other_formats=(("JSON", f"/v1/record?{query}" if query else "/v1/record"),),
    )
