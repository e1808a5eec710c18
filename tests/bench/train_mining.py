"""Learns the weights of `claim_weights.json` and the trees of `accusation_trees.json` in `compute/mining` from the bank and true prose.

    python -m tests.bench.train_mining --prose FOLDER                  claims; FOLDER is that of `tests.bench.real_prose`
    python -m tests.bench.train_mining --prose FOLDER --accuse         accusations, after `train_reader`

A stated figure of a pair must be explained by a relation that computes in the true wording. Other figures, and those of
sentences that are true or unknown, may be explained by such a relation or by none.

Accusations are learned from those that are made in texts which no weights have seen, the folder `learn/held`: the accusation
of a relation that has the wrong figure of a twin is right, one in a true text is wrong. Prose of others, which is not in the repository, teaches
what not to accuse.
"""

import random
import re
import sys
from collections import Counter
from itertools import chain, compress
from math import exp, log
from multiprocessing import get_context
from operator import not_
from pathlib import Path
from typing import NamedTuple

import lightgbm
import numpy as np
from scipy.sparse import csr_matrix

from compute.mining import accusation_trees, claim_model, solver
from compute.mining.claim_judging import result
from compute.mining.claim_traits import GROUPS, Traits
from compute.mining.quantities import sentences
from compute.mining.solver import prose, wide
from tests.bench import real_prose
from tests.bench.bench_mining import (
    BANK,
    LAYOUTS,
    TURNS,
    blocks,
    joined,
    pairs,
    passage,
    tricky,
    whole_drafts,
)
from tests.conftest import DOCUMENTS

ROOT = Path(__file__).parents[2]
CONTENT = ROOT / "content"
STRENGTH, ROUNDS, RATE, FEW = 0.06, 120, 0.1, 12
"""How strongly weights are kept small, the rounds and rate of learning, and the fewest figures that a trait has."""
NATURAL = 2.0
"""The weight of an accusation in true prose, which was not written to teach."""
NAMED = 3.0
"""The weight of a stated figure of the bank, beside other figures of its text."""
HEAVY = {"pair": 1.0, "draft": 1.0, "note": 1.0, "crowd": 1.5, "tricky": 3.0, "prose": 0.5, "others": 0.15}
"""The weight of a figure by the kind of its text; `others` is prose of others."""
TWIN = 0.35
"""The weight of the wrong figure of a twin: nearly all of them are a third to a half off, as no other errors are."""
CLAIMS = 0.4
"""The part of the prose of others from which claims are learned; the rest teaches which accusations are wrong."""


def stated(true, wrong):
    """The offset of the figure at which two wordings differ."""
    return next((at for at, (one, two) in enumerate(zip(true, wrong, strict=False)) if one != two), 0)


class Example(NamedTuple):
    """A target: its traits, the relations, pairs of traits and fits of its candidates, and what it counts."""

    own: tuple[str, ...]
    rules: tuple[str, ...]
    pairs: tuple[tuple[str, ...], ...]
    fits: tuple[bool, ...]
    named: bool
    heavy: float


def examples(text, stated_at=(), heavy=1.0):
    """Each target of a text with a candidate; the stated figures are those at some offsets."""
    one = passage(text)
    every = [sentence for sentence in sentences(one) if prose(sentence)]
    for place in range(len(every)):
        within = wide(every, place)
        for target in within.targets:
            found = claim_model.candidates(within, target)
            if not found:
                continue
            traits = Traits(within, target)
            named = any(is_at(target, at) for at in stated_at)
            yield Example(
                own=traits.own,
                rules=tuple(candidate.rule for candidate in found),
                pairs=tuple(traits.pair(candidate) for candidate in found),
                fits=tuple(bool(judged and judged.near) for judged in map(result, found)),
                named=named,
                heavy=heavy * (NAMED if named else 1),
            )


def is_at(target, at):
    """Whether a target is the figure at an offset."""
    return target.figure.start <= at + 1 and at <= target.figure.end


class Model:
    """A log-linear model with a null candidate, learned by Adam; the layout of its weights is that of `Weights`.

    The weight of a trait for a relation is the sum of one for all relations (only of a pair's traits and of the
    target's own), one for the group of the relation, and one for the relation itself; each is kept small.
    """

    def __init__(self, data, few=FEW):
        self.rules = sorted(GROUPS)
        groups = sorted(set(GROUPS.values()))
        self.in_group = np.array([[float(GROUPS[rule] == group) for rule in self.rules] for group in groups])
        places = {rule: place for place, rule in enumerate(self.rules)}
        self.names = tuple(_frequent((one.own if own else _once(one.pairs) for one in data), few) for own in (1, 0))
        rules = np.array([places[rule] for one in data for rule in one.rules])
        self.owners = np.repeat(np.arange(len(data)), [len(one.rules) for one in data])
        self.rules_of = rules
        self.good = np.array([fit for one in data for fit in one.fits])
        self.heavy = np.array([one.heavy for one in data])
        self.claims = np.array([one.named and any(one.fits) for one in data])
        self.own = _matrix([one.own for one in data], self.names[0])
        pairs = _matrix([pair for one in data for pair in one.pairs], self.names[1])
        self.of_rule = [np.flatnonzero(rules == place) for place in range(len(self.rules))]
        self.pairs = [pairs[chosen] for chosen in self.of_rule]
        size = (1, len(groups), len(self.rules))
        self.parts = [np.zeros((len(names), width)) for names in self.names for width in size]
        self.bias = np.zeros(len(self.rules))

    def matrices(self):
        """The weights of the traits of a target and of a pair, by relation."""
        return tuple(one + two @ self.in_group + three for one, two, three in (self.parts[:3], self.parts[3:]))

    def scores(self):
        own, pair = self.matrices()
        found = (self.own @ own + self.bias)[self.owners, self.rules_of]
        for place, (chosen, traits) in enumerate(zip(self.of_rule, self.pairs, strict=True)):
            found[chosen] += traits @ pair[:, place]
        return np.clip(found, -30, 30)

    def train(self, rounds=ROUNDS, rate=RATE, strength=STRENGTH):
        count, state = len(self.heavy), None
        for step in range(1, rounds + 1):
            power = np.exp(self.scores())
            whole = 1 + np.bincount(self.owners, power, count)
            right = np.bincount(self.owners, power * self.good, count) + np.where(self.claims, 0, 1)
            right = np.maximum(right, 1e-9)
            slope = (power / whole[self.owners] - power * self.good / right[self.owners]) * self.heavy[self.owners]
            slopes = self._slopes(slope / count)
            weights = [*self.parts, self.bias]
            state = state or [(np.zeros_like(one), np.zeros_like(one)) for one in weights]
            for part, by, (first, second) in zip(weights, slopes, state, strict=True):
                total = by + strength / 100 * part
                first[:] = 0.9 * first + 0.1 * total
                second[:] = 0.999 * second + 0.001 * total**2
                part -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)  # noqa: PLW2901 - in place
        return -(np.log(right / whole) * self.heavy).sum() / count

    def _slopes(self, slope):
        """The slopes of the loss by each part of the weights, from those by each candidate's score."""
        count, rules = len(self.heavy), len(self.rules)
        spread = np.bincount(self.owners * rules + self.rules_of, slope, count * rules).reshape(count, rules)
        own = self.own.T @ spread
        pair = np.column_stack([
            traits.T @ slope[chosen] for chosen, traits in zip(self.of_rule, self.pairs, strict=True)
        ])  # fmt: skip
        parts = [form for one in (own, pair) for form in (one.sum(1, keepdims=True), one @ self.in_group.T, one)]
        return [*parts, spread.sum(0)]

    def weights(self):
        """The learned weights, as the miner reads them."""
        rows = {name: place for place, name in enumerate((*self.names[0], *self.names[1]))}
        return claim_model.Weights(tuple(self.rules), rows, np.vstack(self.matrices()), self.bias)


def _once(pairs):
    """The traits of the different pairs of a figure."""
    return [name for pair in set(pairs) for name in pair]


def _frequent(lists, few):
    counts = Counter(name for one in lists for name in one)
    return {name: place for place, name in enumerate(sorted(name for name, count in counts.items() if count >= few))}


def _matrix(lists, places):
    """A row for each list of names, with a 1 in the column of each name."""
    columns = [[places[name] for name in one if name in places] for one in lists]
    ends = np.cumsum([0, *map(len, columns)])
    return csr_matrix(
        (np.ones(ends[-1]), np.fromiter(chain.from_iterable(columns), int), ends), (len(lists), len(places))
    )


class Text(NamedTuple):
    """A true text of some kind (see `HEAVY`), the offsets of its stated figures, and its wrong twins."""

    kind: str
    true: str
    stated: tuple[int, ...] = ()
    twins: tuple[tuple[str | int, ...], ...] = ()
    """Each a text, then the offsets of its wrong figures."""


def paired(true, wrong):
    """The text of a pair."""
    at = stated(true, wrong)
    return Text("pair", true, (at,), ((wrong, at),))


def texts():
    """The texts to learn from."""
    yield from (paired(true, wrong) for true, wrong in pairs())
    yield from (Text("tricky", true) for true in tricky())
    yield from texts_in("learn")
    for text, at in more():
        yield Text("note", text, () if at is None else (at,))
    for text in true_prose():
        yield Text("prose", text)


HELD = "learn/held"
"""The texts that teach which accusations are right: neither the cues nor the network have seen them."""


def texts_in(folder):
    """The pairs, the tricky sentences and the drafts of a folder of the bank."""
    yield from (paired(true, wrong) for true, wrong in pairs(folder=folder))
    yield from (Text("tricky", true) for true in tricky(folder=folder))
    for block in blocks(f"{folder}/drafts"):
        yield Text("draft", block.true, tuple(at for _, at in block.twins), block.twins)


_SHORT = frozenset({"pair", "tricky", "note"})


def surrounded(items, seed=3, part=0.5):
    """The texts, a part of them between two others of one paragraph: most figures of prose stand among figures of others."""
    chance = random.Random(seed)
    plain = [one.true for one in items if one.kind in _SHORT and "\n" not in one.true and one.true[-1:] in ".!"]
    for one in items:
        if one.kind not in _SHORT or "\n" in one.true or chance.random() >= part:
            yield one
            continue
        before = f"{chance.choice(plain)} " if chance.random() < 0.8 else ""
        after = f" {chance.choice(plain)}" if one.true[-1:] in ".!?" and chance.random() < 0.8 else ""
        yield one._replace(
            true=before + one.true + after,
            stated=tuple(len(before) + at for at in one.stated),
            twins=tuple((before + wrong + after, len(before) + at) for wrong, at in one.twins),
        )


FEWEST, MOST = 3, 9
"""How many texts are put together."""


def crowded(items, seed=4, part=0.45):
    """Some of the short texts, put together at random: what a sentence claims does not depend on what surrounds it."""
    chance = random.Random(seed)
    plain = [one for one in items if one.kind in _SHORT and "\n" not in one.true and one.true[-1:] in ".!?"]
    left = chance.sample(plain, round(part * len(plain)))
    while left:
        size = chance.randint(FEWEST, MOST)
        some, left = left[:size], left[size:]
        yield _together(some, *LAYOUTS[chance.choice(["one paragraph", *LAYOUTS])])


def _together(some, before, between):
    true, starts = joined([one.true for one in some], before, between)
    at = tuple(start + at for start, one in zip(starts, some, strict=True) for at in one.stated)
    twins = []
    for turn in range(TURNS):
        chosen = [one.twins[0] if one.twins and place % TURNS == turn else None for place, one in enumerate(some)]
        wordings = [twin[0] if twin else one.true for one, twin in zip(some, chosen, strict=True)]
        wrong, starts = joined(wordings, before, between)
        places = [start + twin[1] for start, twin in zip(starts, chosen, strict=True) if twin]
        if places:
            twins.append((wrong, *places))
    return Text("crowd", true, at, tuple(twins))


def more():
    """The sentences of `learn.txt`, with the offset of the figure in brackets."""
    for line in (BANK / "learn.txt").read_text("utf-8").splitlines():
        if line and line[0] != "#":
            plain = line.replace("\\n", "\n")
            at = plain.rfind("[") if "[" in plain else None
            yield plain.replace("[", "").replace("]", ""), at


def true_prose():
    """Prose whose statements are mostly true: content, documentation, and documents beside the repository, if any."""
    paths = [*sorted(CONTENT.rglob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "CHANGELOG.md"]
    paths += sorted(DOCUMENTS.iterdir()) if DOCUMENTS.exists() else []
    return [path.read_text("utf-8") for path in paths]


# ---- accusations


def accused(item):
    """The accusations that the present weights make of a text and of its twins: measures, whether right, what it counts."""
    if item.kind != "mutated":
        for _, found in solver.accusations(passage(item.true)):
            yield found, False, NATURAL if item.kind in {"prose", "others"} else 1.0
    for wrong, *places in item.twins:
        for best, found in solver.accusations(passage(wrong)):
            every = (best.candidate.target, *best.candidate.used)
            if any(is_at(figure, at) for figure in every for at in places):
                yield found, True, 1.0 if item.kind in {"mutated", "draft"} else TWIN


DRAFTS = 0.4
"""The part of the whole drafts that is read: they take most of the time."""


def held():
    """The texts from which accusations are learned: short ones, a part of them between others, and some whole drafts."""
    short = [item for item in texts_in(HELD) if item.kind != "draft"]
    yield from surrounded(short)
    yield from crowded(short, part=1.0)
    yield from crowded(short, seed=11, part=1.0)
    yield from mutants(short)
    for true, seeded in whole_drafts(f"{HELD}/drafts"):
        if random.Random(true[:40]).random() < DRAFTS:
            yield Text("draft", true, twins=tuple((wrong, *places) for wrong, places in seeded))


_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
SLIGHT, GREAT = 0.06, 1.6
"""How far off misstated figures are, as a logarithm: 6% to five times."""


_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORDS = (
    _NUMBERS,
    ("half", "a third", "a quarter", "a fifth", "a tenth", "two thirds", "three quarters", "two fifths"),
    ("a third", "a quarter", "a fifth", "a sixth", "an eighth"),
    ("third", "quarter", "fifth", "sixth"),
    ("thirds", "fifths", "sevenths"),
    ("twice", "three times", "four times", "five times", "ten times"),
    ("doubled", "tripled", "quadrupled"), ("doubles", "triples", "quadruples"), ("double", "triple", "quadruple"),
    ("twofold", "threefold", "fourfold", "fivefold", "tenfold"),
    ("twenty", "thirty", "forty", "fifty", "sixty", "eighty", "ninety"),
)  # fmt: skip  # a table
"""Words for figures; each may stand in place of another of its line."""
_WORDED = re.compile(
    r"(?<![\w-])(?:" + "|".join(sorted({word for line in _WORDS for word in line}, key=len, reverse=True)) + r")(?!\w)",
    re.I,
)


def reworded(text, at, chance):
    """A text with another word for the figure at an offset; None if none of `_WORDS` is there."""
    found = next((one for one in _WORDED.finditer(text) if one.start() <= at <= one.end()), None)
    if found is None:
        return None
    line = chance.choice([line for line in _WORDS if found[0].lower() in line])
    other = chance.choice([word for word in line if word != found[0].lower()])
    return text[: found.start()] + (other.capitalize() if found[0][0].isupper() else other) + text[found.end() :]


def misstated(text, at, chance):
    """A text with another figure at an offset, as often 10% off as three times, or another word for one; None without."""
    found = _DIGITS.search(text, max(0, at - 2), at + 12)
    value = float(found[0].replace(",", "")) if found else 0.0
    if (worded := reworded(text, at, chance)) is not None or not value:
        return worded
    places = len(found[0].partition(".")[2])
    off = chance.choice((-1, 1)) * exp(chance.uniform(log(SLIGHT), log(GREAT)))
    size = value * exp(off)
    if not places and size >= 1000 and found[0].endswith("0"):
        size = float(f"{size:.3g}")
    other = f"{size:,.{places}f}" if "," in found[0] else f"{size:.{places}f}"
    changed = abs(float(other.replace(",", "")) / value - 1) > SLIGHT / 2
    return text[: found.start()] + other + text[found.end() :] if changed else None


def mutants(short, seed=21):
    """The pairs of short texts with misstated figures: helpers who write twins make all of them about half off.

    The texts themselves are not tried again; their kind is `mutated`.
    """
    chance = random.Random(seed)
    items = []
    for item in short:
        wrong = misstated(item.true, item.twins[0][1], chance) if item.twins else None
        items.append(item._replace(twins=((wrong, item.twins[0][1]),) if wrong else ()))
    every = [*surrounded(items, seed=31), *crowded(items, seed=32, part=1.0)]
    yield from (item._replace(kind="mutated") for item in every if item.twins)


def parallel(function, items):
    """The results of a function for each of some texts, in order, by a process for each core."""
    with get_context("fork").Pool() as pool:
        return pool.map(function, items, chunksize=50)


def _examples_of(item):
    return [*examples(item.true, item.stated, HEAVY[item.kind])]


def _accused(item):
    return [*accused(item)]


LEAST_ACCUSATIONS = 30
"""The accusations that a relation needs, so that the trees may ask for it."""
BOOSTED = {
    "objective": "binary", "learning_rate": 0.03, "num_leaves": 15, "min_data_in_leaf": 25, "lambda_l2": 5,
    "feature_fraction": 0.3, "bagging_fraction": 0.8, "bagging_freq": 1,
    "verbose": -1, "num_threads": 1, "deterministic": True, "seed": 1,
}  # fmt: skip  # a list of settings
TREES = 450


def boosted(found):
    """Trees that say which accusations are right, learned by LightGBM."""
    counts = Counter(name for measures, _, _ in found for name in measures)
    names = sorted(name for name, seen in counts.items() if seen >= LEAST_ACCUSATIONS)
    rows = np.array([[measures.get(name, 0.0) for name in names] for measures, _, _ in found])
    right, heavy = (np.array([float(one[place]) for one in found]) for place in (1, 2))
    done = lightgbm.train(BOOSTED, lightgbm.Dataset(rows, right, weight=heavy), TREES)
    trees = tuple(_tree(one["tree_structure"]) for one in done.dump_model()["tree_info"])
    return accusation_trees.Trees(tuple(names), trees)


def _tree(node):
    if "leaf_value" in node:
        return round(node["leaf_value"], 4)
    place, threshold = node["split_feature"], round(node["threshold"], 6)
    return accusation_trees.Split(place, threshold, _tree(node["left_child"]), _tree(node["right_child"]))


def prose_of_others(folder, seed=5):
    """The texts to learn claims from, and those to learn accusations from."""
    chance = random.Random(seed)
    found = [Text("others", one.text) for one in real_prose.blocks(folder) if one.learned]
    chosen = [chance.random() < CLAIMS for _ in found]
    return [*compress(found, chosen)], [*compress(found, map(not_, chosen))]


def main():
    if "--prose" not in sys.argv:
        sys.exit(
            "train_mining needs the prose of others: --prose FOLDER, made by python -m tests.bench.real_prose FOLDER"
        )
    some, rest = prose_of_others(Path(option("--prose")))
    home = Path(claim_model.__file__).parent
    if "--accuse" in sys.argv:
        found = [*chain.from_iterable(parallel(_accused, [*held(), *rest]))]
        print(f"{len(found)} accusations in texts not learned from, {sum(one[1] for one in found)} of them right")
        accusation_trees.saved(boosted(found), accusation_trees.PATH)
        return
    items = [*surrounded([*texts()]), *some]
    model = Model([*chain.from_iterable(parallel(_examples_of, items))])
    loss = model.train()
    print(f"{len(items)} texts, {len(model.heavy)} figures, loss {loss:.4f}")
    claim_model.saved(model.weights(), home / "claim_weights.json")


def option(name):
    """What follows an option of the command."""
    return sys.argv[sys.argv.index(name) + 1]


if __name__ == "__main__":
    main()
