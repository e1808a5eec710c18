"""How long prices take: reading the catalogue, making the book, one answer, a snapshot, the flags of a run."""

import time
from datetime import UTC, date, datetime
from decimal import Decimal

from compute.catalogs import genai_prices_catalog
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Question
from compute.prices.snapshots import pack, unpack
from compute.runs.flag_rules import advance
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import VerdictRow

DAY = date(2026, 11, 21)
ROWS = 100_000


def timed(label, work, count=1):
    begun = time.perf_counter()
    result = work()
    spent = time.perf_counter() - begun
    each = f", {spent / count * 1e6:.2f} µs each" if count > 1 else ""
    print(f"{label:<44} {spent * 1000:9.1f} ms{each}")
    return result


def row(number):
    verdict = VerdictName.STALE if number % 10 == 0 else VerdictName.HOLDS
    return VerdictRow(
        claim=f"c{number}", verdict=verdict, value=Decimal(2), margin=Decimal(1), unit="USD", then_value=None,
        then_holds=True, now_holds=verdict is VerdictName.HOLDS,
    )  # fmt: skip


def main():
    catalog = timed("genai-prices to records", genai_prices_catalog.load)
    print(f"{'records':<44} {len(catalog.prices):9,}")
    book = timed("book", lambda: CatalogBook([catalog]))
    keys = dict.fromkeys((p.item, p.component, p.processing) for p in catalog.prices)
    questions = [Question(item=item, component=component, processing=kind) for item, component, kind in keys]
    timed("every question, first time", lambda: [book.price(one, DAY) for one in questions], len(questions))
    timed("every question, again", lambda: [book.price(one, DAY) for one in questions], len(questions))
    snapshot = timed("snapshot packed", lambda: pack([catalog]))
    print(f"{'its size':<44} {len(snapshot.text):9,} bytes")
    timed("snapshot unpacked", lambda: unpack(snapshot))
    rows = [row(number) for number in range(ROWS)]
    on = datetime(2026, 11, 21, tzinfo=UTC).date()
    turns = timed("flags of a first run", lambda: advance((), rows, lambda _: None, run=1, on=on), ROWS)
    timed("flags of a second run", lambda: advance(turns.keep, rows, lambda _: None, run=2, on=on), ROWS)


if __name__ == "__main__":
    main()
