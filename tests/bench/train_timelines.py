"""Learns the weights of `timeline_weights.json` in `compute/mining` from the true texts of the bank.

    python -m tests.bench.train_timelines

A timeline that fits exactly is one that its text claims, one that does not fit is none; what fits roughly is left out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from compute.mining import timeline_claims
from compute.mining.timeline_fits import fit
from compute.mining.timelines import timelines
from tests.bench.bench_mining import BANK, passage

FEW, STRENGTH = 2, 1 / 0.3
"""The fewest timelines that a trait has, and how strongly weights are kept small."""
_Example = tuple[tuple[str, ...], bool]


def texts() -> list[str]:
    """The true texts of the bank that are learned from, without those that are only measured."""
    found = []
    for path in sorted(BANK.rglob("*.jsonl")):
        if "unseen" not in path.parts and ("pairs" in path.name or "tricky" in path.name):
            found += [
                told.get("true") or told["text"] for told in map(json.loads, path.read_text("utf-8").splitlines())
            ]
    return found


def examples(text: str) -> list[_Example]:
    """The traits of each timeline of a true text, and whether it fits."""
    read = passage(text)
    told = ((one, fit(one)) for one in timelines(read))
    return [(tuple({*timeline_claims.traits(one, read.mask)}), how == "exact") for one, how in told if how != "near"]


def learn(found: list[_Example]) -> dict[str, int]:
    """The weights of all traits in hundredths, by logistic regression."""
    counts = Counter(trait for traits, _ in found for trait in traits)
    names = ["bias", *sorted(trait for trait, count in counts.items() if count >= FEW)]
    places = {name: place for place, name in enumerate(names)}
    rows = [[0, *(places[trait] for trait in traits if trait in places)] for traits, _ in found]
    starts = np.cumsum([0, *map(len, rows)])
    matrix = csr_matrix(
        (np.ones(starts[-1]), [place for row in rows for place in row], starts), (len(rows), len(names))
    )
    signs = np.array([1.0 if fits else -1.0 for _, fits in found])

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        margins = signs * (matrix @ weights)
        slope = matrix.T @ (-signs / (1 + np.exp(margins)))
        return float(np.logaddexp(0, -margins).sum() + STRENGTH / 2 * weights @ weights), slope + STRENGTH * weights

    best = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return {name: value for name, one in zip(names, best.x, strict=True) if (value := round(100 * float(one)))}


def main() -> Iterator[str]:
    """Learns and writes the weights."""
    with get_context("fork").Pool(2) as pool:
        found = [one for some in pool.imap(examples, texts(), chunksize=200) for one in some]
    weights = learn(found)
    path = Path(timeline_claims.__file__).with_name("timeline_weights.json")
    path.write_text(
        "{\n" + ",\n".join(f"{json.dumps(name)}: {one}" for name, one in sorted(weights.items())) + "\n}\n", "utf-8"
    )
    yield f"{len(found)} timelines, {sum(fits for _, fits in found)} claimed; {len(weights)} weights"


if __name__ == "__main__":
    for line in main():
        print(line)
