"""How often bracket markers are resolved rightly, and whether their confidence is what it says.

python tests/bench/bench_resolution.py [PAGES]
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import pairwise
from time import process_time

from ingest.citations.marker_resolution import resolve
from tests.ingest.synthetic_pages import Manner, Page, page

MANNERS = {
    "telling": Manner(clue=0.95, own=0.8),
    "usual": Manner(),
    "vague": Manner(clue=0.7, own=0.4),
    "readings missing": Manner(missing=1.0),
}
BORDERS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)


def outcomes(pages: Iterable[Page]) -> list[tuple[float, bool, bool]]:
    """For each reference its confidence, whether it was resolved, and whether rightly."""
    found = []
    for each in pages:
        nodes, _ = resolve(each.nodes)
        for node in nodes:
            for citation, target in zip(node.cites, each.meant.get(node.id, ()), strict=True):
                found.append((citation.confidence, citation.target is not None, citation.target == target))
    return found


def report(name: str, found: list[tuple[float, bool, bool]]) -> None:
    """One line for all, and one for each band of confidence."""
    resolved = [right for _, done, right in found if done]
    sure = [right for chance, done, right in found if done and chance >= 0.9]
    print(f"{name}: {len(found)} references, {len(resolved) / len(found):.1%} resolved, "
          f"{sum(resolved) / max(len(resolved), 1):.1%} of them rightly; "
          f"{len(sure) / len(found):.1%} sure, {sum(sure) / max(len(sure), 1):.2%} of them rightly")  # fmt: skip  # one sentence
    for low, high in pairwise(BORDERS):
        band = [(chance, right) for chance, done, right in found if done and low <= chance < high]
        if band:
            mean = sum(chance for chance, _ in band) / len(band)
            print(
                f"    {low:.2f}–{min(high, 1):.2f}  {len(band):6}  said {mean:.3f}  right {sum(r for _, r in band) / len(band):.3f}"
            )


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    begun = process_time()
    for name, manner in MANNERS.items():
        report(name, outcomes(page(seed, manner) for seed in range(count)))
    print(f"{process_time() - begun:.1f} s")
