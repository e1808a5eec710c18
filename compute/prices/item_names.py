"""Resolves names of items in formulas, cards and other catalogues.

Lookup order: the item id, the rules of its provider in order, the same with a compact date (`-20251211`) expanded, then
the providers whose models this provider also sells.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from compute.prices.price_models import Catalog, Name
from graph.values import Value

_COMPACT = re.compile(r"-(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)")


class Meaning(Value):
    """The item that a name means; `elsewhere` is True for another provider's item that the named provider sells."""

    item: str
    elsewhere: bool = False


class Names:
    """The names of all catalogues."""

    def __init__(self, catalogs: Iterable[Catalog]) -> None:
        self._rules: dict[str, list[Name]] = defaultdict(list)
        self._elsewhere: dict[str, tuple[str, ...]] = {}
        self._items: set[str] = set()
        for catalog in catalogs:
            self._elsewhere.update(catalog.elsewhere)
            for name in catalog.names:
                self._rules[name.provider].append(name)
                self._items.add(name.item)
        self._cache: dict[str, Meaning] = {}

    def meaning(self, name: str) -> Meaning:
        """The item that `name` means; `name` itself if no catalogue has a rule for it."""
        found = self._cache.get(name)
        if found is None:
            found = self._cache[name] = self._find(name)
        return found

    def items(self) -> frozenset[str]:
        """Every item named in a catalogue."""
        return frozenset(self._items)

    def _find(self, name: str) -> Meaning:
        if name in self._items:
            return Meaning(item=name)
        provider, _, thing = name.partition("/")
        thing = thing.lower()
        for spelling in dict.fromkeys((thing, _COMPACT.sub(r"-\1-\2-\3", thing))):
            for seller in (provider, *self._elsewhere.get(provider, ())):
                item = self._first(seller, spelling)
                if item is not None:
                    return Meaning(item=item, elsewhere=seller != provider)
        return Meaning(item=name)

    def _first(self, provider: str, thing: str) -> str | None:
        rules = self._rules.get(provider, ())
        return next((name.item for name in rules if name.rule.matches(thing)), None)
