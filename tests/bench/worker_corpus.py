"""Made-up claims with formulas of their own over the packaged prices, and made-up prose with figures, each by a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from api.brain import Brain
from api.settings import Settings
from compute.prices.price_book import CatalogBook
from graph.models.claim_models import Claim, Expectation, Speaker

NOW = datetime(2026, 11, 22, 4, 30, tzinfo=UTC)
TODAY = NOW.date()
PER_DOCUMENT = 20_000
"""Claims of one document: they are in memory together while a home is made."""

MISSED = 0.02
"""The share of claims that their prices do not meet."""

PER_NOTE = 4_000
"""Characters of a note of prose, about."""


class _Items(NamedTuple):
    """The items of a book that have prices of some components."""

    models: tuple[str, ...]
    cached: tuple[str, ...]
    rented: tuple[str, ...]


def _items(book: CatalogBook) -> _Items:
    found = {item: {price.component for price in book.prices(item)} for item in book.items()}
    return _Items(*(_having(found, wanted) for wanted in ({"input", "output"}, {"input", "cache_read"}, {"on_demand"})))


def _having(found: dict[str, set[str]], wanted: set[str]) -> tuple[str, ...]:
    return tuple(item for item, components in found.items() if wanted <= components)


def claims(count: int, book: CatalogBook, seed: int = 1) -> Iterator[Claim]:
    """Claims by their ids; no two have the same formula, so none shares its result with another.

    Some name another claim and some of the refuted ones have a quote: those need the store.
    """
    chance, items = random.Random(seed), _items(book)
    for number in range(count):
        given, value, expect = _formula(chance, items, number)
        yield Claim(
            id=f"claim-{number:07}",
            node=f"bench/note-{number // 10}",
            says=f"A call of this size costs what note {number} says.",
            as_of=date(2024, 1, 1) + timedelta(days=chance.randrange(1000)),
            given=given,
            value=value,
            expect=expect,
            quote="a call costs about that" if chance.random() < 0.02 else None,
            asserted_by=Speaker.SOURCE,
        )


def _formula(chance: random.Random, items: _Items, number: int) -> tuple[tuple[tuple[str, str], ...], str, Expectation]:
    """The givens, the value and the expectation of a claim; the number makes the figures its own."""
    if number % 100 == 99:
        same = Expectation(form="same_as", bound=f"claim-{number - 1:07}", within="50%")
        return (("tokens", f"{number + 1_000} token"),), "tokens / (1 token) * 0.000001 USD", same
    own, kind, missed = f"{number + 1_000}", chance.random(), chance.random() < MISSED
    model = chance.choice(items.models)
    if kind < 0.4:
        given = (("input", f'price("{model}", "input")'), ("output", f'price("{model}", "output")'))
        value = f"{own} token * input + {chance.randint(100, 9_999)} token * output"
        return given, value, _at_most(missed, "0.0001", "2000", "USD", chance)
    if kind < 0.6:
        given = (("input", f'price("{model}", "input")'), ("output", f'price("{model}", "output")'))
        value = f"(output * {own}) / (input * {own} + 0.001 * input)"
        return given, value, _at_most(missed, "0.1", "500", "", chance)
    if kind < 0.85:
        item = chance.choice(items.cached)
        given = (
            ("full", f'price("{item}", "input")'),
            ("cached", f'price("{item}", "cache_read")'),
            ("hits", f"{chance.randint(1, 98)}.{own}%"),
        )
        return given, "cache_blend(full, cached, hits)", _at_most(missed, "0.0001", "900", "USD/Mtok", chance)
    given = (
        ("purchase", f"{20 + number % 10}{own} USD/GPU"),
        ("life", f"{chance.randint(2, 6)} years"),
        ("cloud", f'price("{chance.choice(items.rented)}", "on_demand")'),
        ("energy", 'energy_cost(0.7 kW/GPU, life, assume("electricity_price"), pue=assume("pue"))'),
        ("total", "purchase + energy"),
    )
    return given, "total / (cloud * life)", _at_most(missed, "0.001", "90000", "", chance)


def _at_most(missed: bool, low: str, high: str, unit: str, chance: random.Random) -> Expectation:
    bound = f"{low}{chance.randint(1, 9_999)}" if missed else high
    return Expectation(form="at_most", bound=f"{bound} {unit}".strip())


_SENTENCES = (
    "Revenue grew from ${a} million to ${b} million, by {share}%.",
    "Of {a} servers, {b} run at night, that is {share}%.",
    "The team handles {a} tickets a day at ${c} each, {total} dollars in all.",
    "A call costs ${c}.50 per million tokens, {share}% less than the ${b} of the year before.",
    "{model} costs ${c} per million input tokens.",
    "With {a} million input tokens a month, {model} comes to ${b} a month.",
    "A rack draws {a} kW, and {c} racks draw {total} kW.",
)
_PLAIN = (
    "The plan was read by the whole group before the summer and nobody objected to it.",
    "Whether this holds for smaller houses as well depends on how they buy their machines.",
    "Most of the work went into the parts that readers never see.",
    "It is not clear who pays when a supplier changes the terms in the middle of a contract.",
)


def prose(characters: int, models: Sequence[str], seed: int = 1) -> Iterator[str]:
    """Notes as Markdown, of so many characters together; a third of the sentences state figures."""
    chance, written = random.Random(seed), 0
    while written < characters:
        body, length = [], 0
        while length < PER_NOTE:
            paragraph = " ".join(_sentence(chance, models) for _ in range(6))
            body.append(paragraph)
            length += len(paragraph)
        text = "\n\n".join(body)
        written += len(text)
        yield f"# Note\n\n{text}\n"


def _sentence(chance: random.Random, models: Sequence[str]) -> str:
    if chance.random() > 1 / 3:
        return chance.choice(_PLAIN)
    a, b, c = chance.randint(10, 900), chance.randint(10, 900), chance.randint(2, 40)
    share = round(abs(b - a) / a * 100) if chance.random() < 0.7 else chance.randint(1, 99)
    model = chance.choice(models).partition("/")[2]
    return chance.choice(_SENTENCES).format(a=a, b=b, c=c, share=share, total=a * c, model=model)


def claims_home(home: Path, count: int, seed: int) -> None:
    """A data directory with the prices that ship and so many claims."""
    with Brain.open(Settings(home=home)) as brain:
        brain.ingest([], at=NOW, shipped=True)
        for document, held in brain.claims.documents().items():
            brain.claims.put(document, ()) if held else None
        made = claims(count, brain.prices.book(), seed)
        for number in range(0, count, PER_DOCUMENT):
            some = [next(made) for _ in range(min(PER_DOCUMENT, count - number))]
            brain.claims.put(f"bench/claims-{number:07}.yaml", some)


def prose_home(home: Path, characters: int, seed: int) -> None:
    """A data directory with notes of so many characters together."""
    folder = home / "notes"
    folder.mkdir(parents=True)
    with Brain.open(Settings(home=home)) as brain:
        for number, text in enumerate(prose(characters, _items(brain.mining.book()).models, seed)):
            (folder / f"note-{number:05}.md").write_text(text, "utf-8")
        brain.ingest([folder], at=NOW)
