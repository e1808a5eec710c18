"""What the rules of a brain state that cannot be meant: each rule is sound by itself, so no file's reader sees it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from compute.catalogs.price_cards import collisions
from compute.prices.families import Family, nesting
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price
from compute.units.number_format import stated
from compute.units.units import unit
from graph.models.alert_models import Silence
from graph.problems import Problem, Severity
from graph.text.similar_names import did_you_mean


def contradicting_prices(cards: Iterable[tuple[str, Price]]) -> Iterator[Problem]:
    """Prices of different documents for the same days; `cards` are prices, each with the name of its document."""
    named = list(cards)
    places = {id(price): name for name, price in named}
    for first, second in collisions(price for _, price in named):
        told = [f"{stated(one.value, unit(one.unit))} in {places[id(one)]}" for one in (first, second)]
        what = f"{second.component} of {second.item} is {' and '.join(told)} for some of the same days"
        yield _doubt(places[id(second)], "price-twice", what, "give the earlier one a 'to', or take one document out")


def families_without_prices(families: Iterable[Family], book: CatalogBook) -> Iterator[Problem]:
    """Models of families that no catalogue knows, and families that mean families."""
    known, named = set(book.items()), {family.name: family for family in families}
    for family in named.values():
        for member in family.members:
            if member.model in known or book.prices(member.model):
                continue
            if member.model in named:
                yield _doubt("families", "family-circle", nesting(family.name, named), "name a model, provider/model")
            else:
                what = f"the family {family.name} means {member.model}, of which there is no price"
                yield _doubt("families", "family-model", what, did_you_mean(member.model, known))


def silences_without_claims(silences: Iterable[Silence], claims: Collection[str]) -> Iterator[Problem]:
    """Silences of claims that are not there."""
    for silence in silences:
        if silence.claim and silence.claim not in claims:
            what = f"the silence {silence.id} is of the claim {silence.claim}, which is not there"
            yield _doubt(silence.id.partition("#")[0], "silence-claim", what, did_you_mean(silence.claim, claims))


def _doubt(document: str, code: str, message: str, hint: str | None) -> Problem:
    return Problem(document=document, severity=Severity.WARNING, code=code, message=message, hint=hint)
