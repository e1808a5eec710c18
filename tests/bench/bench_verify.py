"""How fast claims are verified, beside the bare cost of the same compiled expressions. Usage: bench_verify.py [COUNT]

Times are seconds of the processor, so that other work on the machine counts less.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal, localcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from compute.lookups import Figure, Lookups
from compute.prices import Assumption, Missing, Price, Question, Quote
from compute.program import program
from compute.units import EXACT
from compute.verify import verify
from graph.claims import Claim, Expectation

TODAY = date(2026, 11, 21)
MODELS = 500
FORMULAS = (
    (
        (("list", 'price("{m}", "input")'), ("cached", 'price("{m}", "cache_read", processing="batch")')),
        "1 - cached / list",
        Expectation(form="is", bound="95%", within="0.5pp"),
    ),
    (
        (("first", 'price("{m}", "input")'), ("last", 'price("{m}", "output")')),
        "last / first",
        Expectation(form="times", bound="5", within="10%"),
    ),
    (
        (
            ("list", 'price("{m}", "input")'),
            ("cached", 'price("{m}", "cache_read", processing="batch")'),
            ("hits", "90%"),
        ),
        "cache_blend(list, cached, hits)",
        Expectation(form="at_most", bound="0.50 USD/Mtok"),
    ),
    (
        (
            ("purchase", "30k USD/GPU"),
            ("network", "4k USD/GPU"),
            ("facility", "1_500 USD/GPU/year"),
            ("life", "3 years"),
            ("cloud", 'price("{m}", "on_demand")'),
            ("energy", 'energy_cost(0.7 kW/GPU, life, assume("electricity"), pue=assume("pue"))'),
            ("total", "purchase + network + facility * life + energy"),
        ),
        "total / (cloud * life)",
        Expectation(form="at_most", bound="60%"),
    ),
)


class Shelf:
    """A book in memory, two eras with a cut between them."""

    def __init__(self) -> None:
        self.quotes: dict[tuple[str, str, bool], Quote] = {}
        for number in range(MODELS):
            for component, value, unit in (
                ("input", Decimal(3), "USD/Mtok"),
                ("output", Decimal(15), "USD/Mtok"),
                ("cache_read", Decimal("0.15"), "USD/Mtok"),
                ("on_demand", Decimal("2.50"), "USD/GPU/h"),
            ):
                for late in (False, True):
                    factor = Decimal(100 - number % 7) / 100 if late else Decimal(1)
                    price = Price(
                        item=f"m/{number}", component=component, value=value * factor, unit=unit, catalog="bench"
                    )
                    self.quotes[f"m/{number}", component, late] = Quote(price=price)

    def price(self, question: Question, on: date) -> Quote | Missing:
        return self.quotes[question.item, question.component, on.year >= 2026]

    def assumption(self, name: str, _on: date) -> Assumption | Missing:
        value, unit = {"pue": (Decimal("1.3"), ""), "electricity": (Decimal("0.06"), "USD/kWh")}[name]
        return Assumption(name=name, value=value, unit=unit)

    def borders(self) -> tuple[date, ...]:
        return (date(2026, 1, 1),)


def claims(count: int, days: int) -> Iterator[Claim]:
    for number in range(count):
        given, value, expect = FORMULAS[number % len(FORMULAS)]
        item = f"m/{number // len(FORMULAS) % MODELS}"
        yield Claim(
            id=f"claim-{number:07}",
            node=f"bench/{number % 1000}",
            says="a figure",
            as_of=date(2025, 1, 1) + timedelta(days=number // (len(FORMULAS) * MODELS) % days),
            given=tuple((name, text.replace("{m}", item)) for name, text in given),
            value=value,
            expect=expect,
        )


def seconds(what: str, count: int, start: float) -> float:
    spent = time.process_time() - start
    print(f"{what:<58} {count / spent:>12,.0f} /s   {spent / count * 1e6:6.2f} µs each")
    return spent


def bare(made: list[Claim], book: Shelf) -> None:
    """The compiled expressions alone, on figures that are ready."""
    today = Lookups(book, TODAY)
    ready = []
    for claim in made:
        compiled = program(claim)
        figures = [today.figure(leaf) for leaf in compiled.leaves]
        ready.append((compiled, [figure.value for figure in figures if isinstance(figure, Figure)]))
    with localcontext(EXACT):
        start = time.process_time()
        for compiled, values in ready:
            compiled.value(compiled.frame(values))
        seconds("bare compiled expressions, one evaluation", len(ready), start)


def run(what: str, made: list[Claim], book: Shelf) -> None:
    start = time.process_time()
    rows = sum(1 for _ in verify(made, book, TODAY))
    seconds(what, rows, start)


def main(count: int) -> None:
    book = Shelf()
    distinct = list(claims(len(FORMULAS) * MODELS, 1))
    start = time.process_time()
    for claim in distinct:
        program(claim)
    seconds("compile (distinct formulas)", len(distinct), start)
    bare(distinct * 10, book)
    run("verify the same once, nothing found before", distinct, book)
    made = list(claims(count, 1))
    run(f"verify {count:,}: 2,000 formulas, one day of assertion", made, book)
    made = list(claims(count, 1_000))
    run(f"verify {count:,}: 2,000 formulas, up to 1,000 days of assertion", made, book)
    del made
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    total = sum(1 for _ in verify(claims(1_000_000, 1_000), book, TODAY))
    seconds("verify 1,000,000 from a stream (making them included)", total, start)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory {after / 1024:,.0f} MB, of it by the stream {(after - before) / 1024:,.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
