"""Learns the weights of `compute/mining/claim_weights.json` from the bank and from true prose.

    python -m tests.bench.train_mining            learns from everything
    python -m tests.bench.train_mining --folds 5  measures on unseen parts: each fifth by the other four

A stated figure of a pair must be explained by a relation that computes in the true wording. Other figures, and those of
sentences that are true or unknown, may be explained by such a relation or by none.
"""

import sys
from collections import Counter
from pathlib import Path

import numpy as np

from compute.mining import claim_model
from compute.mining.claim_judging import result
from compute.mining.claim_traits import Traits
from compute.mining.quantities import sentences
from compute.mining.solver import prose, wide
from tests.bench.bench_mining import BANK, pairs, passage, tricky

STRENGTH, ROUNDS, RATE = 0.02, 160, 0.08


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

    def __init__(self, data, few=2):
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
    for part in ("build", "measure"):
        for true, wrong in pairs(part):
            yield true, stated(true, wrong), 1.0
        for true in tricky(part):
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


def unseen_prose(limit=400_000, skip=0):
    """Markdown of installed packages, which mostly claims nothing."""
    size = 0
    roots = [Path(sys.prefix).resolve() / "lib", Path("/usr/lib/node_modules"), Path("/work/main/.venv/lib")]
    files = sorted(path for root in roots if root.exists() for path in root.rglob("*.md"))
    for index, path in enumerate(files):
        if index % 2 == skip:
            text = path.read_text("utf-8", "replace")
            size += len(text)
            yield text
            if size > limit:
                return


def data_of(items):
    for text, at, heavy in items:
        for rows, fits, named in examples(text, at):
            yield rows, fits, named, heavy


def main():
    items = list(texts())
    extra = [(text, None, 1.0) for text in unseen_prose()] if "--plain" not in sys.argv else []
    data = [*data_of(items), *data_of(extra)]
    named = sum(one[2] for one in data)
    print(
        len(items),
        "texts,",
        len(data),
        "targets,",
        named,
        "stated,",
        sum(one[2] and any(one[1]) for one in data),
        "explained",
    )
    model = Model(data)
    print(len(model.places), "traits, loss", model.train())
    path = Path(claim_model.__file__).with_name("claim_weights.json")
    claim_model.saved(claim_model.folded(model.table()), path)


if __name__ == "__main__":
    main()
