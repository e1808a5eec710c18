"""The price book: all catalogues, families, assumptions and decisions, and one result per query.

    query ─▶ family on the day ─▶ item of the name ─▶ one price from each catalogue ─▶ decided? dated? first?

If catalogues differ, the order is: a decision; a price that states its own days over an undated one; else the first
catalogue by precedence (`IMPORTED`), with the others listed as rivals.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from datetime import date, timedelta
from functools import cached_property, lru_cache

from compute.prices.amounts import same
from compute.prices.families import Family, Names, nesting, releases
from compute.prices.market_items import COMPONENT, MarketItems
from compute.prices.price_models import IMPORTED, Assumption, Catalog, Missing, Price, Question, Quote, is_rate
from compute.prices.price_selection import ConflictingPrices, dated_first, missing, observed, of_tier, pick, unpriced
from compute.prices.rule_files import Decision
from compute.prices.snapshots import Snapshot, pack, possible, timeline
from compute.units.number_format import said
from graph.groups import group_by
from graph.text.similar_names import near

_RANK = {name: place for place, name in enumerate((IMPORTED[0], "cards", *IMPORTED[1:]))}
"""The precedence of catalogues if nothing else decides; the others come last."""

_CACHED = 200_000  # a night asks for the same prices again for its rows, its forecast and its report
_CACHED_NAMES = 1_000

ByItem = dict[str, list[Price]]  # the prices of each item, those of one catalogue together


class CatalogBook:
    """An immutable `Book` over catalogues; it caches its results."""

    def __init__(
        self,
        catalogs: Iterable[Catalog],
        families: Iterable[Family] = (),
        assumptions: Iterable[Assumption] = (),
        decisions: Iterable[Decision] = (),
    ) -> None:
        self.catalogs = tuple(catalogs)
        self.families = {family.name: family for family in families}
        self.assumptions = group_by(assumptions, lambda one: one.name)
        self.decisions = tuple(sorted(decisions, key=lambda decision: decision.weight, reverse=True))
        self.market = MarketItems(self.catalogs)
        self._taken = {catalog.name: catalog.taken for catalog in self.catalogs}
        self.names = Names(self.catalogs)
        self._released = {self.names.meaning(model): day for model, day in releases(self.families.values()).items()}
        self._stated, self._past = self._index(past=False), self._index(past=True)
        self._by_item = self._stated | {item: self._timeline(item) for item in self._past}
        self._priced_items = self._by_item.keys()
        self._answers: dict[tuple[Question, date], Quote | Missing] = {}  # no circle: garbage is looked for rarely
        names = [*self.families, *self._priced_items]
        self._near = lru_cache(_CACHED_NAMES)(lambda item: near(item, names))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles what the book was made from; `unpickled` makes it once per process."""
        return unpickled, (self._pickled,)

    @cached_property
    def _pickled(self) -> bytes:
        assumptions = [one for known in self.assumptions.values() for one in known]
        return pickle.dumps((self.catalogs, (*self.families.values(),), assumptions, self.decisions))

    def price(self, question: Question, on: date) -> Quote | Missing:
        """The price on a day, or why there is none."""
        found = self._answers.get((question, on))
        if found is None:
            if len(self._answers) >= _CACHED:
                self._answers.clear()
            found = self._answers[question, on] = self._answer(question, on)
        return found

    def _answer(self, question: Question, on: date) -> Quote | Missing:
        family = self.families.get(question.item)
        if family is None:
            found = self._model(question, question.item, on)
            absent = isinstance(found, Missing) and question.component == COMPONENT
            few = self.market.reason(question.item, on) if absent else None
            return missing(question, on, few) if few else found
        member = family.on(on)
        if member is None:
            first = family.members[0]
            reason = f"{family.name} meant no model before {first.begins}, when {first.model} came out"
            return missing(question, on, reason)
        if member.model in self.families and not self._priced(self._key(member.model)):
            return missing(question, on, nesting(family.name, self.families))
        found = self._model(question, member.model, on)
        return found.model_copy(update={"family": family.name}) if isinstance(found, Quote) else found

    @property
    def remembers(self) -> bool:
        """Whether earlier snapshots had prices that no catalogue states now."""
        return bool(self._past)

    @cached_property
    def forgetful(self) -> CatalogBook:
        """The book of what the catalogues state now, without earlier snapshots."""
        found = object.__new__(CatalogBook)
        vars(found).update(vars(self), _by_item=self._stated, _past={}, _answers={})
        return found

    def earlier(self, question: Question, on: date) -> tuple[Quote, ...]:
        """The prices of earlier snapshots for a day that no dated price contradicts."""
        item = self._model_on(question.item, on)
        key = self._key(item)
        if key not in self._past or self._refused(question, item, key, on):
            return ()
        now = self.forgetful.price(question, on)
        past = [price for price in self._past[key] if price.component == question.component and possible(price, on)]
        found = (pick([price], question, on) for price in past if question.catalog in {None, price.catalog})
        name = question.item if question.item in self.families else None
        return tuple(
            Quote(price=one, family=name, borrowed=key != self._own(item))
            for one in found
            if isinstance(one, Price) and _open_to(now, one)
        )

    def assumption(self, name: str, on: date) -> Assumption | Missing:
        """The assumption on a day, or why there is none."""
        known = self.assumptions.get(name, [])
        active = [one for one in known if one.on(on)]
        if len({(one.value, one.unit) for one in active}) == 1:
            return active[-1]
        if active:
            reason = f"it has several values for that day ({', '.join(said(one.value, one.unit) for one in active)})"
        elif known:
            spans = "; ".join(f"{one.valid_from or '…'} to {one.valid_to or '…'}" for one in known)
            reason = f"it is known for other days only: {spans}"
        else:
            close = near(name, self.assumptions)
            reason = "no such assumption" + (f"; near it: {', '.join(close)}" if close else "")
        return Missing(what=f"the assumption {name!r} on {on}", reason=reason)

    def borders(self) -> tuple[date, ...]:
        """The days on which a result may change, ascending."""
        return self._borders

    def prices(self, item: str) -> tuple[Price, ...]:
        """All prices of an item, or of the models of a family."""
        family = self.families.get(item)
        models = [member.model for member in family.members] if family else [item]
        return tuple(price for model in models for price in self._by_item.get(self._key(model), ()))

    def items(self) -> tuple[str, ...]:
        """Every item with a price, sorted."""
        return tuple(sorted(self._by_item))

    def released(self, item: str) -> date | None:
        """The release day of an item; None if no family states it."""
        return self._released.get(self._key(item))

    def meant(self, item: str, on: date) -> str:
        """The item whose prices `item` has on a day: of a family its model, of another spelling the item."""
        return self._key(self._model_on(item, on))

    def models_of(self, item: str) -> tuple[str, ...]:
        """The models that a family has meant, the latest first; a model is itself."""
        family = self.families.get(item)
        return tuple(dict.fromkeys(one.model for one in reversed(family.members))) if family else (item,)

    def _model_on(self, item: str, on: date) -> str:
        """The model that a family means on a day, else the item itself."""
        member = self.families[item].on(on) if item in self.families else None
        return member.model if member else item

    @cached_property
    def snapshot(self) -> Snapshot:
        """A snapshot of all catalogues of the book."""
        return pack(self.catalogs)

    @cached_property
    def _borders(self) -> tuple[date, ...]:
        spans: set[date | None] = set()
        for catalog in (*self.catalogs, self.market.catalog):
            spans.add(_after(catalog.taken))
            for price in catalog.prices:
                spans |= {price.valid_from, price.valid_to, price.first_seen}
                spans.add(_after(price.checked) if price.valid_to is None else None)  # it then settles no query
                spans |= {price.replaced, _after(price.last_seen)} if price.last_seen else set()
        for family in self.families.values():
            spans |= {day for member in family.members for day in (member.begins, member.released)}
        for one in (one for group in self.assumptions.values() for one in group):
            spans |= {one.valid_from, one.valid_to}
        for decision in self.decisions:
            spans |= {decision.valid_from, decision.valid_to}
        return tuple(sorted(day for day in spans if day is not None))

    def _index(self, *, past: bool) -> ByItem:
        """The past prices, or those that a catalogue states now."""
        every = (price for catalog in (*self.catalogs, self.market.catalog) for price in catalog.prices)
        return group_by((one for one in every if bool(one.last_seen) is past), lambda one: self._own(one.item))

    def _timeline(self, item: str) -> list[Price]:
        """Current and past prices of an item without contradictions."""
        slots = group_by((*self._stated.get(item, ()), *self._past[item]), lambda price: price.slot)
        lines = (
            timeline([one for one in found if not one.last_seen], [one for one in found if one.last_seen])
            for found in slots.values()
        )
        by_catalog = group_by((price for line in lines for price in line), lambda price: price.catalog)
        return [price for prices in by_catalog.values() for price in prices]

    def _own(self, item: str) -> str:
        """The item that a name means, unless another provider's."""
        meaning = self.names.meaning(item)
        return meaning if meaning.partition("/")[0] == item.partition("/")[0] else item

    def _key(self, item: str) -> str:
        """The item itself if it has prices, else the same model at its original provider."""
        own = self._own(item)
        return own if own in self._priced_items else self.names.meaning(item)

    def _priced(self, key: str) -> bool:
        return key in self._priced_items or key in self.names.items

    def _model(self, question: Question, item: str, on: date) -> Quote | Missing:
        key = self._key(item)
        if not self._priced(key):
            return missing(question, on, self._unknown(question.item))
        refused = self._refused(question, item, key, on)
        return missing(question, on, refused) if refused else self._choose(question, item, key, on)

    def _refused(self, question: Question, item: str, key: str, on: date) -> str:
        """Why the prices of `key` do not apply to an item on a day; empty if they do."""
        released = self._released.get(key)
        if released is not None and on < released:
            return f"{key} came out on {released}, after the day in question"
        if question.processing != "standard" and key != self._own(item):
            return f"{item} is priced as {key}, whose {question.processing} price may not apply there"
        return ""

    def _unknown(self, item: str) -> str:
        """That an item is unknown, with similar names: the same on every day, and slow to find."""
        if is_rate(item):
            reason = (
                "no such exchange rate is known; import rates with brain prices import eurofxref-hist.csv, or state"
            )
            return f"{reason} an assumption {item.removeprefix('fx/')}"
        close = self._near(item)
        return f"no catalogue knows {item!r}" + (f"; near it: {', '.join(close)}" if close else "")

    def _choose(self, question: Question, item: str, key: str, on: date) -> Quote | Missing:
        """The price of an item on a day; `key` is the item with the prices."""
        borrowed, known = key != item and self._own(item) != key, self._by_item.get(key, [])
        asked = [price for price in known if price.component == question.component]
        if question.catalog is not None:
            asked = [price for price in asked if price.catalog == question.catalog]
        by_catalog = group_by(asked, lambda price: price.catalog)
        found = [_offer(question, item, key, prices, on) for prices in by_catalog.values()]
        offers = [one for one in found if isinstance(one, Price)]
        conflicts = [one for one in found if isinstance(one, ConflictingPrices) and not (offers and one.regional)]
        offers = [one for one in offers if one.region == question.region] or offers
        offers = [one for one in offers if one.panel] or offers  # what is stated of a market is of another panel
        offers.sort(key=lambda price: _RANK.get(price.catalog, len(_RANK)))
        offers, seen = observed(offers, on)
        about = question.component, question.processing, on
        fitting = (one for one in self.decisions if one.fits(question.item, *about) or one.fits(key, *about))
        if decision := next(fitting, None):
            winner = next((offer for offer in offers if offer.catalog == decision.catalog), None)
            if winner is not None:
                settled = bool(conflicts) or any(not same(winner, offer) for offer in offers)
                reason, taken = decision.reason if settled else None, self._taken.get(winner.catalog)
                return Quote(price=winner, decided=reason, borrowed=borrowed, taken=taken)
        if conflicts:
            return missing(question, on, "; ".join(one.reason for one in conflicts))
        if not offers:
            return missing(question, on, unpriced(question, on, key, known))
        stated = of_tier([*offers, *seen], _with_tiers(question, on, known))
        firm = dated_first([one for one in stated if one not in seen], on)
        best, *others = [*firm, *(one for one in stated if one in seen)]
        if borrowed:
            note = f"the price of {key}, which also applies to {item}; {best.note}".rstrip("; ")
            best = best.model_copy(update={"note": note})
        rivals = tuple(other for other in others if not same(best, other))
        return Quote(price=best, rivals=rivals, borrowed=borrowed, taken=self._taken.get(best.catalog))


def _offer(question: Question, item: str, key: str, known: list[Price], on: date) -> Price | ConflictingPrices | None:
    """The price of one catalogue: by the queried name, by the item id, else by names that agree."""
    for spelling in (item, key):
        if own := [price for price in known if price.item == spelling]:
            return pick(own, question, on)
    by_name = group_by(known, lambda price: price.item)
    offers = [one for prices in by_name.values() if isinstance(one := pick(prices, question, on), Price)]
    return offers[0] if offers and all(same(offers[0], offer) for offer in offers) else None


def _with_tiers(question: Question, on: date, known: Iterable[Price]) -> frozenset[str]:
    wanted = (question.component, question.processing)
    return frozenset(
        one.catalog for one in known if one.above and (one.component, one.processing) == wanted and one.on(on)
    )


def _after(day: date | None) -> date | None:
    return day + timedelta(days=1) if day is not None and day < date.max else None


def _open_to(now: Quote | Missing, past: Price) -> bool:
    if isinstance(now, Missing):
        return True
    return now.price.catalog == past.catalog and (not now.price.explicit or now.price.corrects(past))


@lru_cache(maxsize=2)
def unpickled(data: bytes) -> CatalogBook:
    """The book of a pickle, the same for the same bytes."""
    return CatalogBook(*pickle.loads(data))  # noqa: S301  # of another process of the same program
