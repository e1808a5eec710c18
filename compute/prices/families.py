"""What a name means: a family a model on each day, another spelling its item; docs/prices.md has the form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from pydantic import Field, field_validator

from compute.prices.price_models import Catalog
from graph.groups import group_by
from graph.problems import Problem
from graph.values import Value
from graph.yaml.reader import Position, Tree, field, position, position_at
from graph.yaml.validation import Day, Line, Source, Written, entry, head, mistake


class Member(Written):
    """The model that a family means from `begins` on; `released` is the release day of the model."""

    begins: Day = Field(validation_alias="from", description="The day from which the family means this model.")
    model: Line = Field(description="provider/model")
    released: Day = Field(
        default_factory=lambda data: data["begins"], description="The release day, if it differs from `from`."
    )
    source: Line | None = None
    note: Line = ""

    @field_validator("model")
    @classmethod
    def _provided(cls, model: str) -> str:
        if "/" not in model:
            raise mistake("bad-item", f"the model {model!r} needs a provider", hint=f"provider/{model}")
        return model


class Family(Value):
    """A family with its members by date."""

    name: str
    members: tuple[Member, ...]

    def on(self, day: date) -> Member | None:
        """The member on a day; None before the first begins."""
        current = [member for member in self.members if member.begins <= day]
        return current[-1] if current else None


class Families(Written):
    """A file of families: each name with its models."""

    families: dict[str, tuple[Member, ...]]


def load(document: str, text: str) -> tuple[tuple[Family, ...], tuple[Problem, ...]]:
    """The valid families of a file, each with a member, and its problems."""
    source = Source(document, text)
    tree = source.tree()
    listing = tree
    if isinstance(tree, dict):
        head(source, tree, Families)
        listing = field(tree, "families")
    if listing is not None and not isinstance(listing, dict):
        hint = "write the name of a family, a colon, and its models on the lines below"
        source.complain(position(listing), "'families' must map a name to its models", code="yaml-shape", hint=hint)
    named = listing if isinstance(listing, dict) else {}
    families = [_family(name, position_at(listing, (name,)), below, source) for name, below in named.items()]
    return tuple(family for family in families if family.members), tuple(source.problems)


def _family(name: str, where: Position | None, tree: Tree, source: Source) -> Family:
    listing = tree if isinstance(tree, list) else []
    if not listing:
        source.complain(where, f"the family {str(name)!r} needs a list of models", code="yaml-shape", hint="- from: …")
    if "/" not in name:
        source.complain(where, f"the family {str(name)!r} needs a provider", code="bad-item", hint=f"provider/{name}")
    members: list[Member] = []
    for number, below in enumerate(listing):
        found = entry(source, Member, below, f"a model of {str(name)!r}", position_at(listing, (number,)))
        member = found.value
        if member is None:
            continue
        if members and member.begins <= members[-1].begins:
            message = f"{member.model} begins on {member.begins}, not after {members[-1].model}"
            found.complain((), message, code="family-order", hint="oldest first, one model per day")
            continue
        members.append(member)
    return Family(name=str(name), members=tuple(members))


def circle(name: str, families: Mapping[str, Family]) -> tuple[str, ...]:
    """The families that mean each other, from `name` back to it; empty without a circle."""
    waiting: list[tuple[str, ...]] = [(name,)]
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        for model in dict.fromkeys(member.model for member in families[path[-1]].members):
            if model == name:
                return (*path, name)
            if model in families and model not in seen:
                seen.add(model)
                waiting.append((*path, model))
    return ()


def nesting(name: str, families: Mapping[str, Family]) -> str:
    """Why a family that means another family, not a model with prices, has no price."""
    if found := circle(name, families):
        return f"the family {found[0]} means " + ", which means ".join(found[1:]) + ": a circle without a model"
    inner = next(member.model for member in families[name].members if member.model in families)
    return f"the family {name} means {inner}, which is a family too; name its model"


_VERSION = re.compile(r"(?<![\w.])\d{1,2}(?:[.-]\d{1,2})*(?![\w.])")
_ENDS = re.compile(r"-(?:preview|latest)$")


def _line(model: str) -> tuple[str, tuple[int, ...]]:
    """A model's name without its version, and the version: `openai/gpt-6.1-sol` is `openai/gpt-#-sol`, (6, 1)."""
    version = _VERSION.search(model := _ENDS.sub("", model))
    numbers = tuple(int(part) for part in re.split(r"[.-]", version[0])) if version else ()
    return _VERSION.sub("#", model, count=1), numbers


def newer(family: Family, items: Iterable[str]) -> str | None:
    """The item of the highest version above that of a family's last model, by name; else None."""
    line, version = _line(family.members[-1].model)
    found = [(numbers, item) for item in items for name, numbers in (_line(item),) if name == line]
    best = max(found, default=None)
    return best[1] if version and best and best[0] > version else None


def releases(families: Iterable[Family]) -> dict[str, date]:
    """The first day of each model named in a family."""
    days: dict[str, date] = {}
    for family in families:
        for member in family.members:
            days[member.model] = min(member.released, days.get(member.model, member.released))
    return days


_COMPACT = re.compile(r"-(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)")


class Names:
    """The item of each name, by the rules of all catalogues.

    Lookup order: the item id, the rules of its provider in order, the same with a compact date (`-20251211`) expanded,
    then the providers whose models this provider also sells.
    """

    def __init__(self, catalogs: Sequence[Catalog]) -> None:
        names = [name for catalog in catalogs for name in catalog.names]
        self._rules = group_by(names, lambda name: name.item.partition("/")[0])
        self._elsewhere = dict(pair for catalog in catalogs for pair in catalog.elsewhere)
        self.items = frozenset(name.item for name in names)
        self._cache: dict[str, str] = {}

    def meaning(self, name: str) -> str:
        """The item that a name means, maybe of another provider; the name itself if no rule matches."""
        if name not in self._cache:
            self._cache[name] = name if name in self.items else self._find(name)
        return self._cache[name]

    def _find(self, name: str) -> str:
        provider, _, thing = name.partition("/")
        thing = thing.lower()
        for spelling in dict.fromkeys((thing, _COMPACT.sub(r"-\1-\2-\3", thing))):
            for seller in (provider, *self._elsewhere.get(provider, ())):
                for one in self._rules.get(seller, ()):
                    if one.rule.matches(spelling):
                        return one.item
        return name
