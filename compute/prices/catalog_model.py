"""A catalogue as a value: its prices, and the name rules for its items."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import Literal

from compute.prices.price_models import Price
from graph.values import Value

OBSERVED = ("observed-genai-prices", "observed-litellm", "observed-prices", "observed-gpu-hours")
"""Catalogues of what public lists had on past days; see `compute.catalogs.price_observations`."""

IMPORTED = ("genai-prices", "ecb", "litellm", "llm-prices", "skypilot", "gpuhunt", *OBSERVED)
"""Catalogues that others publish; every other one is written by hand, as price cards."""


class Rule(Value):
    """A test of a name, as catalogues define them: a text match, or a combination (`or`, `and`) of rules."""

    op: Literal["equals", "starts_with", "ends_with", "contains", "regex", "or", "and"]
    text: str = ""
    rules: tuple[Rule, ...] = ()

    def matches(self, name: str) -> bool:
        """Whether `name`, in lower case, passes."""
        if self.op == "or":
            return any(rule.matches(name) for rule in self.rules)
        if self.op == "and":
            return all(rule.matches(name) for rule in self.rules)
        if self.op == "regex":
            pattern = _pattern(self.text)
            return pattern is not None and pattern.search(name) is not None
        text = self.text.lower()
        if self.op == "equals":
            return name == text
        if self.op == "starts_with":
            return name.startswith(text)
        return name.endswith(text) if self.op == "ends_with" else text in name


@lru_cache(maxsize=10_000)
def _pattern(text: str) -> re.Pattern[str] | None:
    """A catalogue's pattern compiled; None if Python cannot compile it, so that it matches nothing."""
    try:
        return re.compile(text)
    except re.error:
        return None


class Name(Value):
    """How a catalogue recognises an item of a provider; `item` is `provider/thing`."""

    item: str
    rule: Rule

    @property
    def provider(self) -> str:
        """The part of the item before the first slash."""
        return self.item.partition("/")[0]


class Catalog(Value):
    """The prices of one catalogue at one time.

    `names` are tried in order; the first match wins. `elsewhere` lists, for a provider, the other providers whose
    names are tried after its own, as `(provider, (provider, …))`. `taken` is the last day on which the content is
    known to have been current; `version` is the version that the catalogue gives itself.
    """

    name: str
    prices: tuple[Price, ...]
    names: tuple[Name, ...] = ()
    elsewhere: tuple[tuple[str, tuple[str, ...]], ...] = ()
    taken: date | None = None
    version: str = ""
    licence: str | None = None
