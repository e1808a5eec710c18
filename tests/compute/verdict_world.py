"""An invented price, claims about it, and what is found of them."""

from datetime import date
from decimal import Decimal

from compute.claims.claim_cases import Terms
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price
from compute.verify.claim_verifier import explain
from graph.models.claim_models import Claim, Expectation

THEN, CUT, NOW = date(2025, 2, 1), date(2025, 9, 1), date(2026, 5, 1)
INPUT = 'price("acme/large", "input")'


def price(value, item="acme/large", component="input", unit="USD/Mtok", catalog="cards", **rest):
    return Price(item=item, component=component, value=Decimal(value), unit=unit, catalog=catalog, **rest)


def dated(value, *place, **rest):
    """A price that is known since long before the claims, and was looked at now."""
    return price(value, *place, **{"valid_from": date(2024, 1, 1), "checked": NOW, **rest})


def moved(then, now, **rest):
    """One dated price until the cut and another from it on."""
    return [dated(then, valid_to=CUT, **rest), dated(now, valid_from=CUT, **rest)]


def claim(value=INPUT, given=None, *, ranges=(), within=None, upper=None, **rest):
    """A claim of `THEN`; what is no field of a claim is its expectation: `at_most="5 USD/Mtok"`, `is_="95%"`."""
    fields = {name: rest.pop(name) for name in (*rest,) if name in Claim.model_fields}
    form, bound = next(iter(rest.items()), ("at_most", "5 USD/Mtok"))
    return Claim(
        **{"id": "it", "node": "acme/note", "says": "It is so.", "as_of": THEN, **fields}, value=value, ranges=ranges,
        given=tuple((given or {}).items()),
        expect=Expectation(form=form.rstrip("_"), bound=bound, within=within, upper=upper),
    )  # fmt: skip


def found(one, *prices, terms=None, on=NOW, **rest):
    return explain(one, CatalogBook.of(prices, **rest), on, terms or Terms())
