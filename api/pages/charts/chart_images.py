"""Chart images of prices, drawn once and cached until the store or the day changes."""

from __future__ import annotations

from api.pages.charts.price_chart import price_over_time
from api.pages.render.figure_format import figure
from api.pages.request.page_request import PageRequest, RawResponse
from api.pages.views.claim_table import PageContext
from api.pages.views.price_pages import components, known_of
from api.services.name_lookup import UnknownPriceError

SVG = "image/svg+xml"


def _narrow(asked: PageRequest) -> bool:
    """Whether the request asks for a small screen."""
    return asked.text("size") == "small"


def price(desk: PageContext, asked: PageRequest) -> RawResponse:
    """The history of one component of an item.

    Raises:
        UnknownPriceError: no catalogue knows the item, or the component of it.
    """
    item, component, processing = asked.parts["item"], asked.parts["component"], asked.parts["processing"]
    book = desk.brain.prices.book()
    known = components(item, known_of(book, item), asked.today)
    found = next((one for one in known if (one.name, one.processing) == (component, processing)), None)
    if found is None:
        raise UnknownPriceError(f"{item}/{component}")
    today = ", ".join(figure(one.value, one.unit) for one in found.now) or "none"
    says = f"{len(found.prices)} prices of {component}; today {today}."
    return desk.recall(
        ("price", item, component, processing, asked.today, _narrow(asked)),
        lambda: RawResponse(price_over_time(found.prices, asked.today, says, narrow=_narrow(asked)), SVG),
    )
