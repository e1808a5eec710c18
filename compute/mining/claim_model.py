"""How likely it is that a text claims a relation: a log-linear model over the traits of its candidates.

P(candidate) = exp(weights of its traits) / (1 + the sum over all candidates of the target); the 1 is for no claim.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import exp
from operator import itemgetter
from pathlib import Path

import numpy as np

from compute.mining.claim_fits import Group
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.claim_traits import GROUPS, Traits
from compute.mining.quantities import Quantity
from compute.mining.relations import relations
from compute.mining.span_claims import special

LEAST = -3.2
"""The score by the words around a target below which a relation is not tried."""

_MOST_GROUPS = 50_000
"""The most groups of traits of which the sums are remembered."""
_PARTS = 100_000
"""What a weight of 1 is as a whole number: learned weights are whole hundredths, which add up exactly."""
_WIDTH, _ZERO = 32, 1 << 31
"""The bits for the weight of one relation in a packed number, and what stands for no weight there."""


@dataclass(frozen=True)
class Weights:
    """The weight of each trait for each relation; `bias` is that of the relation itself."""

    rules: tuple[str, ...]
    rows: Mapping[str, int]
    matrix: np.ndarray
    bias: np.ndarray
    _packed: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    _known: dict[int, tuple[Group, int]] = field(default_factory=dict, repr=False, compare=False)

    def summed(self, traits: tuple[str, ...]) -> np.ndarray:
        """What some traits add to the score of each relation."""
        places = [self.rows[one] for one in traits if one in self.rows]
        return self.matrix[places].sum(axis=0) if places else np.zeros(len(self.rules))

    @cached_property
    def columns(self) -> Mapping[str, int]:
        """The place of each relation among the weights of a trait."""
        return {rule: place for place, rule in enumerate(self.rules)}

    @cached_property
    def none(self) -> int:
        """The packed number of no traits."""
        return int.from_bytes(np.full(len(self.rules), _ZERO, "<u4").tobytes(), "little")

    def packed(self, groups: Sequence[Group]) -> int:
        """The same as `summed` of some groups of traits, packed: all weights in one number, so that one sum adds all.

        The weight of the relation in column n is in `_WIDTH` bits from `n * _WIDTH`.
        """
        known = self._known
        try:
            return self.none + sum([known[id(group)][1] for group in groups])
        except KeyError:
            numbers = [known[id(one)][1] if id(one) in known else self._of_group(one) for one in groups]
            return self.none + sum(numbers)

    def _of_group(self, group: Group) -> int:
        if len(self._known) > _MOST_GROUPS:
            self._known.clear()
        number = sum(self._of_trait(one) for one in group if one in self.rows)
        self._known[id(group)] = group, number  # the group is kept, so that no other has its id
        return number

    def _of_trait(self, name: str) -> int:
        found = self._packed.get(name)
        if found is None:
            parts = np.rint(self.matrix[self.rows[name]] * _PARTS) + _ZERO
            found = self._packed[name] = int.from_bytes(parts.astype("<u4").tobytes(), "little") - self.none
        return found


@lru_cache(maxsize=1)
def learned() -> Weights:
    """The weights, learned by `tests/bench/train_mining.py`."""
    return read(Path(__file__).with_name("claim_weights.json"))


def read(path: Path) -> Weights:
    """Weights as `saved` writes them: the rows are read as one array, several times faster than as lists."""
    head, _, body = path.read_text("utf-8").partition(_TRAITS)
    told = json.loads(f"{head}{_TRAITS}}}}}")
    names, rows = zip(*(line.rstrip("],").rsplit(": [", 1) for line in body.splitlines()[:-1]), strict=True)
    matrix = np.fromstring(",".join(rows), dtype=int, sep=",").reshape(len(names), -1) / 100
    places = {name: place for place, name in enumerate(json.loads(f"[{','.join(names)}]"))}
    return Weights(tuple(told["rules"]), places, matrix, np.array(told["bias"]) / 100)


_TRAITS = '"traits": {\n'
"""What comes before the lines of the traits."""


def saved(weights: Weights, path: Path) -> None:
    """Writes weights as JSON, in hundredths, one trait a line."""
    rows = {name: [round(100 * float(one)) for one in weights.matrix[place]] for name, place in weights.rows.items()}
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(rows.items()) if any(row)]
    bias = json.dumps([round(100 * float(one)) for one in weights.bias])
    head = f'{{"rules": {json.dumps(list(weights.rules))},\n"bias": {bias},\n{_TRAITS}'
    path.write_text(head + ",\n".join(lines) + "\n}}\n", "utf-8")


def candidates(scope: Scope, target: Quantity, wanted: frozenset[str] = frozenset(GROUPS)) -> list[Candidate]:
    """Every relation of some kinds that a target may have to the figures around it."""
    return [one for one in (*relations(scope, target, wanted), *special(scope, target)) if one.rule in wanted]


def weighed(scope: Scope, target: Quantity, weights: Weights) -> list[tuple[Candidate, float]]:
    """The candidates of a target with their probabilities, best first."""
    traits = Traits(scope, target)
    own = weights.bias + weights.summed(traits.own)
    wanted = frozenset(rule for rule, score in zip(weights.rules, own.tolist(), strict=True) if score > LEAST)
    found = candidates(scope, target, wanted) if wanted else []
    if not found:
        return []
    scores = _scores(found, traits, np.rint(own * _PARTS).astype(int).tolist(), weights)
    top = max(0.0, *scores)
    parts = [exp(score - top) for score in scores]
    whole = exp(-top) + sum(parts)
    ranked = [(one, part / whole) for one, part in zip(found, parts, strict=True)]
    ranked.sort(key=itemgetter(1), reverse=True)
    return ranked


def _scores(found: Sequence[Candidate], traits: Traits, base: Sequence[int], weights: Weights) -> list[float]:
    """The scores of some candidates; `base` is that of each relation by the words around the target, in parts."""
    columns, mask = weights.columns, (1 << _WIDTH) - 1
    scores: list[float] = []
    last: tuple[Group, ...] | None = None
    added = weights.none
    for one in found:
        groups = traits.groups(one)
        if groups is not last:
            last, added = groups, weights.packed(groups)
        column = columns[one.rule]
        scores.append((base[column] + (added >> column * _WIDTH & mask) - _ZERO) / _PARTS)
    return scores
