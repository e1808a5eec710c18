"""The pictures of prices as SVG and PNG, and their figures as CSV, cached until the store or the day changes."""

from __future__ import annotations

from urllib.parse import urlsplit

from api.pages.charts.chart_process import PROCESS
from api.pages.charts.picture import CSV, PNG, SVG, Scheme
from api.pages.charts.price_chart import PriceChart, price_picture
from api.pages.render.figure_format import short_day
from api.pages.request.page_request import PageRequest, RawResponse, path_of
from api.pages.views.claim_table import PageContext
from api.pages.views.price_table import change_text, item_rows, price_text, row_name, since_text
from api.services.name_lookup import UnknownPriceError
from compute.prices.price_models import Price
from compute.prices.price_overview import PriceRow
from graph.models.node_models import host_of
from graph.text.csv_text import csv_row

COLUMNS = ("item", "component", "processing", "above", "region", "value", "unit", "valid_from", "valid_to", "dated",
           "catalog", "source", "checked", "licence", "derived", "note")  # fmt: skip
"""The columns of the CSV: the fields of a price."""


def price_svg(context: PageContext, request: PageRequest) -> RawResponse:
    """The picture of one component of an item, of the first one if the address names none.

    Raises:
        UnknownPriceError: no catalogue knows the item, or the component of it.
        PageRequestError: a parameter cannot be read.
    """
    return RawResponse(_picture(context, request, _scheme(request, Scheme.AUTO)), SVG)


def price_png(context: PageContext, request: PageRequest) -> RawResponse:
    """The same in pixels, light unless dark is requested.

    Raises:
        UnknownPriceError: no catalogue knows the item, or the component of it.
        PageRequestError: a parameter cannot be read.
        ChartError: the picture cannot be rendered as pixels.
    """
    svg = _picture(context, request, _scheme(request, Scheme.LIGHT))
    return context.recall(("png", svg), lambda: RawResponse(PROCESS.png(svg), PNG))


def price_csv(context: PageContext, request: PageRequest) -> RawResponse:
    """The complete history of an item as CSV, or that of one component of it.

    Raises:
        UnknownPriceError: no catalogue knows the item, or the component of it.
    """
    row, of_item = located(context, request)
    rows = item_rows(context, row.item, request.today) if of_item else (row,)
    prices = (price for one in rows for price in one.prices)
    return RawResponse("".join([csv_row(COLUMNS), *map(_record, prices)]).encode(), CSV)


def _record(price: Price) -> str:
    return csv_row(getattr(price, name) for name in COLUMNS)


def _picture(context: PageContext, request: PageRequest, scheme: Scheme) -> bytes:
    row, _ = located(context, request)
    narrow = request.text("size") == "small"
    key = ("price picture", row.item, row.component, row.processing, request.today, request.site, narrow, scheme)
    return context.recall(key, lambda: price_picture(_chart(request, row), request.today, narrow=narrow, scheme=scheme))


def _chart(request: PageRequest, row: PriceRow) -> PriceChart:
    lead = "; ".join(part for part in (f"{price_text(row)} {since_text(row)}".strip(), change_text(row)) if part)
    catalogs = ", ".join(dict.fromkeys(price.catalog for price in row.prices))
    hosts = ", ".join(dict.fromkeys(host_of(price.source) for price in row.prices if price.source))
    source = f"{catalogs} ({hosts})" if hosts else catalogs
    address = (urlsplit(request.site).netloc or request.site) + path_of("prices", row.item)
    return PriceChart(
        prices=row.prices,
        unit=row.unit,
        title=f"{row.item}: {row_name(row)}",
        lead=lead,
        source=f"Source: {source}",
        released=row.released,
        address=f"{short_day(request.today)} · {address}",
    )


def located(context: PageContext, request: PageRequest) -> tuple[PriceRow, bool]:
    """The row that the end of an address names, `ITEM` or `ITEM/COMPONENT/PROCESSING`; True if it names an item only.

    The names of items have slashes, and so have some kinds of processing.

    Raises:
        UnknownPriceError: no catalogue knows it.
    """
    name = request.parts["name"]
    parts = name.split("/")
    for end in range(len(parts) - 1, 1, -1):
        component, processing = parts[end], "/".join(parts[end + 1 :]) or "standard"
        for row in _rows(context, "/".join(parts[:end]), request):
            if (row.component, row.processing) == (component, processing):
                return row, False
    return item_rows(context, name, request.today)[0], True


def _rows(context: PageContext, item: str, request: PageRequest) -> tuple[PriceRow, ...]:
    try:
        return item_rows(context, item, request.today)
    except UnknownPriceError:
        return ()


def _scheme(request: PageRequest, otherwise: Scheme) -> Scheme:
    given = request.one_of("scheme", [Scheme.LIGHT.value, Scheme.DARK.value])
    return Scheme(given) if given else otherwise
