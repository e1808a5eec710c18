"""How likely an accusation is right: decision trees over its measures, learned by gradient boosting.

Their sum is the logit of the probability that an accusation is right. They are learned by LightGBM from wrong figures
and from true texts that look wrong, each weighed by a network that had not seen it (`tests/bench/train_mining.py`).
To use them takes no library: a tree is a number, or `[measure, threshold, tree up to it, tree above it]`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import Any, NamedTuple

PATH = Path(__file__).with_name("accusation_trees.json")


class Split(NamedTuple):
    """A measure, by its place among the names, with a threshold: the tree for values up to it, and that for others."""

    place: int
    threshold: float
    up_to: Tree
    above: Tree


Tree = Split | float


@dataclass(frozen=True, slots=True)
class Trees:
    """Decision trees, with the names of the measures that they compare."""

    names: tuple[str, ...]
    trees: tuple[Tree, ...]

    def score(self, measures: Mapping[str, float]) -> float:
        """The logit of the probability that an accusation is right, among those to learn from."""
        row = [measures.get(name, 0.0) for name in self.names]
        return sum(_leaf(tree, row) for tree in self.trees)


def _leaf(tree: Tree, row: Sequence[float]) -> float:
    while isinstance(tree, Split):
        tree = tree.up_to if row[tree.place] <= tree.threshold else tree.above
    return tree


@lru_cache(maxsize=1)
def learned() -> Trees:
    """The trees, learned by `tests/bench/train_mining.py`."""
    found = json.loads(PATH.read_text("utf-8"))
    return Trees(tuple(found["names"]), tuple(map(_read, found["trees"])))


def _read(stored: Any) -> Tree:  # noqa: ANN401 -- JSON: a number, or a list of four
    if not isinstance(stored, list):
        return float(stored)
    place, threshold, up_to, above = stored
    return Split(place, threshold, _read(up_to), _read(above))


def saved(trees: Trees, path: Path) -> None:
    """Writes trees as JSON, one a line."""
    lines = ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in trees.trees)
    path.write_text(f'{{"names": {json.dumps(trees.names)},\n"trees": [\n{lines}\n]}}\n', "utf-8")


INNOCENCE = 2.1
"""How much rarer, as a logit, wrong figures are in other texts than among those to learn from."""


def confidence(total: float) -> Decimal:
    """The confidence of an accusation of some score: its probability in a text whose figures are mostly right."""
    return Decimal(str(round(min(0.97, 1 / (1 + exp(INNOCENCE - total))), 2)))
