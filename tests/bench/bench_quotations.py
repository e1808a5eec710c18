"""How often cite spans find their source, and whether `exact` and `likely` are what they say.

python tests/bench/bench_quotations.py [PAGES]
"""

from __future__ import annotations

import sys
from collections import Counter
from time import process_time

from ingest.quotations.source_resolution import resolve_page
from tests.ingest.synthetic_quotes import Habits, quoting

HABITS = {
    "usual": Habits(),
    "orderly": Habits(unlisted=0.0, unquoted=0.0, moved=0.0),
    "silent addresses": Habits(telling=0.0),
    "careless": Habits(unlisted=0.25, unquoted=0.1, moved=0.15),
}


def outcomes(pages: int, habits: Habits) -> Counter[tuple[str, bool]]:
    """How many documents were resolved how, rightly or not."""
    found: Counter[tuple[str, bool]] = Counter()
    for seed in range(pages):
        page = quoting(seed, habits)
        for node in resolve_page(page.items):
            for document, quotation in {quote.document: quote for quote in node.quotes}.items():
                found[quotation.resolution, quotation.source == page.meant[node.id][document]] += 1
    return found


def main(pages: int) -> None:
    """One line for each type of author."""
    for name, habits in HABITS.items():
        begun = process_time()
        found = outcomes(pages, habits)
        whole = sum(found.values())
        parts = [
            f"{resolution} {(found[resolution, True] + found[resolution, False]) / whole:.1%}"
            f" (right {found[resolution, True] / max(found[resolution, True] + found[resolution, False], 1):.1%})"
            for resolution in ("exact", "likely", "ambiguous", "unresolved")
        ]
        print(f"{name}: {whole} documents in {process_time() - begun:.1f} s: {', '.join(parts)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
