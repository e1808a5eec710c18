"""How fast claims are verified, ledger included, compared with the bare cost of the same compiled expressions.

Usage: bench_verify.py [COUNT] [REPEATS]

Everything runs in one process. The best of REPEATS is printed (other work on the machine only ever adds), once in
seconds of the processor and once in those of the clock. The ledger is a real store in a new file of SQLite; its run is
read back, so the rows are there. The claims are made before, the catalogue is in memory.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, localcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from compute.claims.claim_program import program
from compute.claims.input_lookups import Figure, Lookups
from compute.prices import snapshots
from compute.prices.price_models import Assumption, Missing, Price, Question, Quote
from compute.runs import run_ledger
from compute.units.units import EXACT
from compute.verify.claim_verifier import findings
from graph.models.claim_models import Claim, Expectation
from graph.store import Store

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


class MemoryBook:
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


NOW = datetime(2026, 11, 21, 4, 30, tzinfo=UTC)


def print_rate(what: str, count: int, cpu: float, wall: float) -> None:
    print(
        f"{what:<62} {count / cpu:>11,.0f} /s   {cpu / count * 1e6:7.2f} µs each   {cpu:6.2f} s CPU   {wall:6.2f} s clock"
    )


def best(what: str, count: int, repeats: int, work: Callable[[], object]) -> None:
    """The best of several times, each of its own."""
    spent = []
    for _ in range(repeats):
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        spent.append((time.process_time() - cpu, time.perf_counter() - wall))
    print_rate(what, count, min(cpu for cpu, _ in spent), min(wall for _, wall in spent))


def bare(made: list[Claim], book: MemoryBook) -> Callable[[], None]:
    """The compiled expressions alone, on figures that are ready."""
    today, ready = Lookups(book, TODAY), []
    for claim in made:
        compiled = program(claim)
        figures = [today.figure(leaf) for leaf in compiled.leaves]
        ready.append((compiled, [figure.value for figure in figures if isinstance(figure, Figure)]))

    def work() -> None:
        with localcontext(EXACT):
            for compiled, values in ready:
                compiled.value(compiled.frame(values))

    return work


def appended(made: Iterable[Claim], book: MemoryBook, store: Store, count: int) -> None:
    """A complete run: verified, and appended to the store with its snapshot and its manifest."""
    run = run_ledger.append(
        store,
        findings(made, book, TODAY),
        snapshot=snapshots.pack([]),
        rules=run_ledger.manifest([]),
        as_of=TODAY,
        started_at=NOW,
        clock=lambda: NOW,
        code="bench",
    )
    if sum(run.counts.values()) != count or next(store.ledger.rows(run.id)).claim != "claim-0000000":
        raise SystemExit("the ledger has not got every row")


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(count: int, repeats: int) -> None:
    book = MemoryBook()
    distinct = list(claims(len(FORMULAS) * MODELS, 1))
    cpu, wall = time.process_time(), time.perf_counter()
    for claim in distinct:
        program(claim)
    print_rate("compile, once for each formula", len(distinct), time.process_time() - cpu, time.perf_counter() - wall)
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "brain.db") as store:
        in_memory(count, repeats, book, store)
        before, many = peak(), 1_000_000
        cpu, wall = time.process_time(), time.perf_counter()
        appended(claims(many, 1_000), book, store, many)
        spent = time.process_time() - cpu, time.perf_counter() - wall
        print_rate("make 1,000,000 claims one by one, verify, append", many, *spent)
    print(f"peak memory {peak():,.0f} MB; before the 1,000,000 it was {before:,.0f} MB")


def in_memory(count: int, repeats: int, book: MemoryBook, store: Store) -> None:
    """The work of a nightly run: claims that are loaded already, verified and appended."""
    made = list(claims(count, 1_000))
    best("bare: one evaluation of the same compiled expressions", count, repeats, bare(made, book))
    best(f"verify {count:,}, then and now", count, repeats, lambda: sum(1 for _ in findings(made, book, TODAY)))
    what = f"verify {count:,} and append the run to the ledger"
    best(what, count, repeats, lambda: appended(made, book, store, count))


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    main(numbers[0] if numbers else 100_000, numbers[1] if len(numbers) > 1 else 7)
