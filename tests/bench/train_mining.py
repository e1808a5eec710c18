"""Learns the weights of `compute/mining/claim_weights.json` from the bank and from true prose.

    python -m tests.bench.train_mining            learns from everything
    python -m tests.bench.train_mining --folds    measures on unseen parts: each quarter by the other three

A stated figure of a pair must be explained by a relation that computes in the true wording. Other figures, and those of
sentences that are true or unknown, may be explained by such a relation or by none.
"""

import random
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from compute.mining import claim_model, solver
from compute.mining.claim_judging import result
from compute.mining.claim_traits import Traits
from compute.mining.quantities import sentences
from compute.mining.solver import prose, wide
from tests.bench.bench_mining import (
    BANK,
    calibration,
    changed,
    counted,
    miner,
    pairs,
    passage,
    table,
    tricky,
    verdicts,
)
from tests.conftest import DOCUMENTS

CONTENT = Path(__file__).parents[2] / "content"
STRENGTH, ROUNDS, RATE = 0.04, 120, 0.1
NAMED, PROSE = 2.0, 0.5
"""The weight of a stated figure of the bank, and of a figure of true prose; other figures have 1."""


def stated(true, wrong):
    """The offset of the figure at which two wordings differ."""
    return next((at for at, (one, two) in enumerate(zip(true, wrong, strict=False)) if one != two), 0)


def examples(text, at=None):
    """Each target of a text: its candidates' traits, which of them compute, and whether it is the stated figure."""
    one = passage(text)
    every = [sentence for sentence in sentences(one) if prose(sentence)]
    for place in range(len(every)):
        within = wide(every, place)
        for target in within.targets:
            found = claim_model.candidates(within, target)
            if not found:
                continue
            traits = Traits(within, target)
            rows = [traits.of(candidate) for candidate in found]
            fits = [bool(judged and judged.near) for judged in map(result, found)]
            named = at is not None and target.figure.start <= at + 1 and at <= target.figure.end
            yield rows, fits, named


class Model:
    """A log-linear model with a null candidate, learned by Adam."""

    def __init__(self, data, few=3):
        counts = Counter(name for rows, _, _, _ in data for row in rows for name in set(row))
        self.places = {name: index for index, name in enumerate(sorted(n for n, c in counts.items() if c >= few))}
        self.weights = np.zeros(len(self.places))
        self._built(data)

    def _built(self, data):
        columns, starts, self.owners, self.good, self.named, self.heavy = [], [0], [], [], [], []
        for number, (rows, fits, named, heavy) in enumerate(data):
            for row, fit in zip(rows, fits, strict=True):
                columns += [self.places[name] for name in row if name in self.places]
                starts.append(len(columns))
                self.owners.append(number)
                self.good.append(fit)
            self.named.append(named and any(fits))
            self.heavy.append(heavy)
        self.columns = np.array(columns)
        self.rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self.owners, self.good = np.array(self.owners), np.array(self.good)
        self.named, self.heavy = np.array(self.named), np.array(self.heavy)

    def scores(self):
        return np.bincount(self.rows, self.weights[self.columns], len(self.owners))

    def train(self, rounds=ROUNDS, rate=RATE, strength=STRENGTH):
        count = len(self.named)
        first, second = np.zeros_like(self.weights), np.zeros_like(self.weights)
        for step in range(1, rounds + 1):
            scores = np.clip(self.scores(), -30, 30)
            power = np.exp(scores)
            whole = 1 + np.bincount(self.owners, power, count)
            right = np.bincount(self.owners, power * self.good, count) + np.where(self.named, 0, 1)
            right = np.maximum(right, 1e-9)
            loss = -(np.log(right / whole) * self.heavy).sum() / count
            gradient = power / whole[self.owners] - power * self.good / right[self.owners]
            gradient *= self.heavy[self.owners]
            total = (
                np.bincount(self.columns, gradient[self.rows], len(self.weights)) / count
                + strength / 100 * self.weights
            )
            first, second = 0.9 * first + 0.1 * total, 0.999 * second + 0.001 * total**2
            self.weights -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        return loss

    def table(self):
        return {
            name: round(float(self.weights[index]), 3)
            for name, index in self.places.items()
            if abs(self.weights[index]) > 0.01
        }


def texts():
    """The sentences to learn from, with the offset of the stated figure if there is one."""
    for true, wrong in (*pairs(), *pairs(folder="learn")):
        yield true, stated(true, wrong), 1.0
    for true in (*tricky(), *tricky(folder="learn")):
        yield true, None, 1.0
    for text, at in more():
        yield text, at, 1.0


def more():
    """The sentences of `learn.txt`, with the offset of the figure in brackets."""
    for line in (BANK / "learn.txt").read_text("utf-8").splitlines():
        if line and line[0] != "#":
            plain = line.replace("\\n", "\n")
            at = plain.rfind("[") if "[" in plain else None
            yield plain.replace("[", "").replace("]", ""), at


def true_prose():
    """Prose whose statements are mostly true: the content that ships, and documents beside the repository, if any."""
    paths = [*sorted(CONTENT.rglob("*.md")), *(sorted(DOCUMENTS.iterdir()) if DOCUMENTS.exists() else [])]
    return [path.read_text("utf-8") for path in paths]


def data_of(items):
    for text, at, heavy in items:
        for rows, fits, named in examples(text, at):
            yield rows, fits, named, heavy * (NAMED if named else 1)


def folds(count=4):
    """Measures each part of the bank with weights learned from the other parts: none of it was seen in learning."""
    bank = [*pairs(), *((true, None) for true in tricky())]
    random.Random(7).shuffle(bank)
    seen = [[*data_of([(true, stated(true, wrong) if wrong else None, 1.0)])] for true, wrong in bank]
    others = [*data_of((text, at, 1.0) for text, at in more()), *data_of((text, None, PROSE) for text in true_prose())]
    tool, sums, bins = miner(), Counter(), Counter()
    for fold in range(count):
        model = Model([one for place, part in enumerate(seen) if place % count != fold for one in part] + others)
        model.train()
        weights = claim_model.folded(model.table())
        solver.learned = lambda weights=weights: weights
        part = bank[fold::count]
        some, true_ones = [one for one in part if one[1]], [true for true, wrong in part if not wrong]
        sums.update(counted(tool, some))
        sums.update({f"mutation {name}": value for name, value in changed(tool, some).items()})
        sums.update(tricky=len(true_ones), tricky_refuted=sum("refuted" in verdicts(tool, text) for text in true_ones))
        bins.update(calibration(tool, some, true_ones))
    print(dict(sums))
    table(bins)


def main():
    if "--folds" in sys.argv:
        folds()
        return
    items = [*texts(), *((text, None, PROSE) for text in true_prose())]
    data = [*data_of(items)]
    model = Model(data)
    print(len(items), "texts,", len(data), "figures,", len(model.places), "traits, loss", model.train())
    path = Path(claim_model.__file__).with_name("claim_weights.json")
    claim_model.saved(claim_model.folded(model.table()), path)


if __name__ == "__main__":
    main()
