"""The pictures of the record and the cards of claims, as SVG and PNG, cached until the store or the day changes."""

from __future__ import annotations

from api.pages.charts.chart_process import PROCESS
from api.pages.charts.claim_card import CardFacts, claim_card
from api.pages.charts.claim_images import short_address, source_text
from api.pages.charts.picture import PNG, SVG, Scheme
from api.pages.charts.survival_chart import survival_chart
from api.pages.render.plain_words import plain_words
from api.pages.request.page_request import PageRequest, RawResponse, path_of
from api.pages.views.claim_table import PageContext
from api.pages.views.record_page import requested
from graph.store.store_errors import UnknownClaimError


def record_svg(desk: PageContext, asked: PageRequest) -> RawResponse:
    """The survival of figures; `scheme` is light or dark, else that of the reader.

    Raises:
        PageRequestError: a parameter cannot be read.
    """
    return RawResponse(_record(desk, asked, _scheme(asked, Scheme.AUTO)), SVG)


def record_png(desk: PageContext, asked: PageRequest) -> RawResponse:
    """The same in pixels, light unless the dark theme is requested.

    Raises:
        PageRequestError: a parameter cannot be read.
        ChartError: the picture cannot be rendered as pixels.
    """
    svg = _record(desk, asked, _scheme(asked, Scheme.LIGHT))
    return desk.recall(("png", svg), lambda: RawResponse(PROCESS.png(svg), PNG))


def _record(desk: PageContext, asked: PageRequest, scheme: Scheme) -> bytes:
    found = requested(desk, asked)
    return survival_chart(
        found, f"Source: {short_address(asked.site)}/record", narrow=asked.text("size") == "small", scheme=scheme
    )


def _scheme(asked: PageRequest, otherwise: Scheme) -> Scheme:
    given = asked.one_of("scheme", [Scheme.LIGHT.value, Scheme.DARK.value])
    return Scheme(given) if given else otherwise


def card_svg(desk: PageContext, asked: PageRequest) -> RawResponse:
    """The card of one claim.

    Raises:
        UnknownClaimError: there is no such claim.
        PageRequestError: a parameter cannot be read.
    """
    return RawResponse(_card(desk, asked, _scheme(asked, Scheme.AUTO)), SVG)


def card_png(desk: PageContext, asked: PageRequest) -> RawResponse:
    """The same in pixels, light unless the dark theme is requested.

    Raises:
        UnknownClaimError: there is no such claim.
        PageRequestError: a parameter cannot be read.
        ChartError: the picture cannot be rendered as pixels.
    """
    svg = _card(desk, asked, _scheme(asked, Scheme.LIGHT))
    return desk.recall(("png", svg), lambda: RawResponse(PROCESS.png(svg), PNG))


def _card(desk: PageContext, asked: PageRequest, scheme: Scheme) -> bytes:
    name = asked.parts["claim"]
    line = desk.claim_table().lines.get(name)
    if line is None:
        raise UnknownClaimError(name)
    verdict = desk.explain(name, asked.today)
    facts = CardFacts(
        claim=line.claim,
        words=plain_words(verdict.quote.text) if verdict.quote else "",
        verdict=verdict.verdict,
        then=verdict.then.value if verdict.then.value != verdict.value else None,
        value=verdict.value,
        unit=verdict.unit,
        expected=verdict.expected,
        life=desk.brain.record.life(name, asked.today),
        source=source_text(verdict),
        link=short_address(asked.site) + path_of("claims", name),
    )
    return claim_card(facts, scheme)
