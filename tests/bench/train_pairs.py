"""Trains the network of `compute/mining/contradiction_reader.npz`, which says whether two texts state the same thing.

    pip install -c constraints.txt ".[train]"                    nothing but this needs it
    python -m tests.bench.train_pairs --prose FOLDER --further   from the present weights, once
    python -m tests.bench.train_pairs --prose FOLDER             FOLDER is that of `tests.bench.real_prose`; 20 minutes on
                                                                 two cores with bfloat16

A line of `learn/contradictions` is a pair of texts that contradict each other or do not, or four texts: `a` and `b` state one
thing, `c` and `d` look like it; `fa` to `fd` are the figures. Only figures that differ in one unit are learned from, as only
those are asked about. Of a pair that contradicts one pair of figures must be the one; it is not said which. Figures of prose of others that
are worth reading beside each other are taken for those of other things, and so are figures of two lines.

The layers begin as those of `claim_reader.npz`, and its words stay as they are: both networks share them.
"""

import json
import random
import sys
from collections import defaultdict
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from compute.mining import contradiction_reader
from compute.mining.claim_reader import learned, packed
from compute.mining.contradiction_candidates import candidates
from compute.mining.contradiction_meanings import differing, statings
from compute.mining.contradiction_reader import NEW, load_pairs, tokens_of
from compute.mining.encoder_tokens import SPECIAL, Vocabulary
from tests.bench.bench_contradictions import BANK, text_of
from tests.bench.train_mining import option
from tests.bench.train_reader import Block, descended

ROUNDS = 6
RATE, HEAD_RATE = 1.5e-4, 1e-3
TOKENS = 3500
"""The tokens of a step."""
WIDTHS = {"of a figure": 96, "hidden": 128}
OTHERS = 0.4
"""How many of the pairs are learned in which one figure is another one of its text, which is easily told."""
PROSE = ("encyclopaedia", "web-articles", "linux", "postgresql", "handbook", "reuters", "rust-book", "broadcast")
"""The prose that is learned from; the rest is there to measure on."""
OF_PROSE, MOST, LONG = 3600, 1_500_000, 3000
"""How many pairs of it are learned, the characters that are read of a source, and those of a part of it."""
REPEATED = ("-ab|0", "-ab|1", "-ac-|1", "-ad-|1")
"""The pairs of texts of which the first one is put beside itself, too."""
LESS = 0.7
"""What a pair counts that is no look-alike of the first text."""
FURTHER = (1, 0.6)
"""With `--further`: the rounds, and what the rates count."""
SEED = 1
SHARPNESS = 2.0
"""How near the mean of several pairs of figures is to the best of them."""
LEARNED = [
    *sorted((BANK / "learn" / "contradictions").glob("*.jsonl")),
    *(BANK / f"contradictions.{part}.jsonl" for part in ("build", "measure", "later")),
]
PATH = Path(contradiction_reader.__file__).with_name("contradiction_reader.npz")


@dataclass
class Example:
    """Two texts as tokens, where the second begins, the places of their figures, and whether it is the same thing."""

    rows: list
    begin: int
    here: tuple
    there: tuple
    same: bool
    group: str
    counts: float = 1.0


def examples(line, name, vocabulary):
    """The examples of a line; those of one `group` are of one pair of texts in one order."""
    told = json.loads(line)
    if "contradict" in told:
        texts = {key: [*statings(text_of(f"{key}/{name}", told[key]))] for key in "ab"}
        for one in texts["a"]:
            for two in texts["b"]:
                yield from _both(one, two, (told["contradict"], name, 1.0), vocabulary)
        return
    found, chance = {key: [*statings(text_of(f"{key}/{name}", told[key]))] for key in "abcd"}, random.Random(name)
    meant = {key: [one for one in found[key] if _is_at(one, told[key], told[f"f{key}"])] for key in "abcd"}
    for first, second in ("ab", "ac", "ad", "bc", "bd"):
        for one in found[first]:
            for two in found[second]:
                right = (one in meant[first]) + (two in meant[second])
                same = first + second == "ab" and right == 2
                if right == 2 or (right and chance.random() < OTHERS):
                    counts = 1.0 if first == "a" else LESS
                    group = f"{name}-{first}{second}" + ("" if same else "-")
                    yield from _both(one, two, (same, group, counts), vocabulary)


def strangers(folder):
    """Pairs of figures of two lines, and a part of those of other people's prose."""
    chance = random.Random(SEED)
    texts = [
        (f"{path.stem}-{number}/{key}", text)
        for path in LEARNED
        for number, line in enumerate(path.read_text("utf-8").splitlines())
        for key, text in json.loads(line).items()
        if "fa" in json.loads(line) and key in "abcd"
    ]
    of_lines = [one for name, text in texts for one in statings(text_of(name, text))]
    yield from (
        (one, two)
        for one, two, _, _ in candidates(of_lines)
        if one.measure.passage.node.split("/")[0] != two.measure.passage.node.split("/")[0]
    )
    found = []
    for path in (folder / f"{name}.txt" for name in PROSE):
        parts = documents(path.read_text("utf-8")[:MOST])
        every = [one for number, text in enumerate(parts) for one in statings(text_of(f"{path.stem}-{number}/x", text))]
        found += [(one, two) for one, two, _, _ in candidates(every)]
    yield from chance.sample(found, min(OF_PROSE, len(found)))


def documents(text):
    """A text in parts of some paragraphs."""
    part = ""
    for paragraph in text.split("\n\n"):
        part += f"{paragraph}\n\n"
        if len(part) > LONG:
            yield part
            part = ""
    yield part


def repeated(found, chance):
    """Texts beside themselves, the second time without some of their words: one thing said in the same words.

    Without them a network learns from look-alikes, which share most words, that what shares most words is another thing.
    """
    for number, one in enumerate(found):
        if one.group.endswith(REPEATED):
            first = one.rows[1 : one.begin - 1]
            places = {place - 1 for place in one.here}
            lost = chance.choice((0, 0.1, 0.3))
            kept = [place for place in range(len(first)) if place in places or chance.random() >= lost]
            rows = [one.rows[0], *first, one.rows[-1], *(first[place] for place in kept), one.rows[-1]]
            there = tuple(one.begin + kept.index(place) for place in sorted(places))
            yield Example(rows, one.begin, one.here, there, True, f"repeated-{number}")


def _is_at(one, text, figure):
    start = text.find(figure)
    return one.measure.figure.start < start + len(figure) and start < one.measure.figure.end


def _both(one, two, target, vocabulary):
    """The examples of two figures, in both orders, if they differ."""
    if differing(one, two) is None:
        return
    same, group, counts = target
    yield example(one, two, (same, f"{group}|0", counts), vocabulary)
    yield example(two, one, (same, f"{group}|1", counts), vocabulary)


def example(one, two, target, vocabulary):
    """Two figures as an example; `target` is whether they are of the same thing, the group, and what it counts."""
    names, begin, here, there = tokens_of(one, two, vocabulary)
    return Example([vocabulary.rows[name] for name in names], begin, here, there, *target)


class Network(nn.Module):
    """What `contradiction_reader.PairReader` computes, for many pairs at once; the names of the weights are the same."""

    def __init__(self, words):
        super().__init__()
        known = torch.tensor(np.asarray(words.encoder.embeddings, np.float32))
        width, (figure, hidden) = known.shape[1], WIDTHS.values()
        self.words, self.pos = known, torch.tensor(np.asarray(words.encoder.positions, np.float32))
        number = known[words.vocabulary.rows[f"#{SPECIAL[-1]}"]]
        self.new = nn.Parameter(number[None] + 0.02 * torch.randn(len(NEW), width))
        self.seg, self.n0 = nn.Parameter(torch.zeros(2, width)), nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList(Block(width) for _ in words.encoder.layers)
        self.fig, self.h, self.out = (
            nn.Linear(width, figure),
            nn.Linear(4 * figure + width, hidden),
            nn.Linear(hidden, 1),
        )
        self.drop, self.some = nn.Dropout(0.1), nn.Dropout(0.2)
        with torch.no_grad():
            for own, part in zip((self.n0.weight, self.n0.bias), words.encoder.norm, strict=True):
                own[:] = torch.tensor(np.asarray(part))
        for own, layer in zip(self.layers, words.encoder.layers, strict=True):
            own.load_state_dict({name: torch.tensor(np.asarray(part)) for name, part in layer.parts.items()})

    def forward(self, batch):
        words = torch.cat([self.words, self.new])[batch["rows"]]
        states = self.drop(self.n0(words + self.pos[: words.shape[1]] + self.seg[batch["second"]]))
        for layer in self.layers:
            states = layer(states, batch["mask"])
        first, second = (self.fig((states * batch[name][..., None]).sum(1)) for name in ("here", "there"))
        apart = first - second
        joined = torch.cat([first + second, first * second, apart.abs(), apart * apart, states[:, 0]], 1)
        return self.out(functional.gelu(self.h(self.some(joined)), approximate="tanh"))[:, 0]


def batch_of(some):
    """Some examples as tensors."""
    shape = len(some), max(len(one.rows) for one in some)
    found = {name: np.zeros(shape, np.int64) for name in ("rows", "second")}
    found |= {name: np.zeros(shape, np.float32) for name in ("here", "there")} | {"mask": np.zeros(shape, bool)}
    for number, one in enumerate(some):
        found["rows"][number, : len(one.rows)] = one.rows
        found["second"][number, one.begin : len(one.rows)] = 1
        found["mask"][number, : len(one.rows)] = True
        for name in ("here", "there"):
            places = [*getattr(one, name)]
            found[name][number, places] = 1 / len(places)
    return {name: torch.from_numpy(part) for name, part in found.items()}


def loss_of(scores, some):
    """Minus the log of the probability of what each pair is; the best pair of figures stands for two texts."""
    right, total, weight = defaultdict(list), scores.new_zeros(()), 0.0
    for score, one in zip(scores, some, strict=True):
        if one.same:
            right[one.group].append(score)
        else:
            total, weight = total + functional.softplus(score) * one.counts, weight + one.counts
    for several in right.values():
        best = torch.logsumexp(torch.stack(several) * SHARPNESS, 0) / SHARPNESS
        total, weight = total + functional.softplus(-best), weight + 1
    return total / weight


def steps(found, chance):
    """The groups of examples, some for each step, alike in length, in random order."""
    groups = defaultdict(list)
    for one in found:
        groups[one.group].append(one)
    order = sorted(groups.values(), key=lambda some: max(len(one.rows) for one in some) + chance.random() * 20)
    made = [[]]
    for some in order:
        longest = max(len(one.rows) for one in (*made[-1], *some))
        if made[-1] and longest * (len(made[-1]) + len(some)) > TOKENS:
            made.append([])
        made[-1] += some
    chance.shuffle(made)
    return made


def trained(found, network, rounds, slower):
    """The network after some rounds."""
    chance = random.Random(SEED)
    every = [some for _ in range(ceil(rounds)) for some in steps(found, chance)]
    rates = {"encoder": RATE * slower, "head": HEAD_RATE * slower}
    return descended(network.train(), every, lambda some: loss_of(network(batch_of(some)), some), rates).eval()


def main():
    if "--prose" not in sys.argv:
        sys.exit(
            "train_pairs needs the prose of others: --prose FOLDER, made by python -m tests.bench.real_prose FOLDER"
        )
    words, found, chance = learned(), [], random.Random(SEED)
    vocabulary = Vocabulary([*words.vocabulary.rows, *NEW])
    for path in LEARNED:
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            found += examples(line, f"{path.stem}-{number}", vocabulary)
    for number, (one, two) in enumerate(strangers(Path(option("--prose")))):
        pair = (one, two) if chance.random() < 0.5 else (two, one)
        found.append(example(*pair, (False, f"prose-{number}", 1.0), vocabulary))
    found += [*repeated(found, chance)]
    print(f"{len(found)} pairs of figures, {sum(one.same for one in found)} of the same thing", flush=True)
    torch.manual_seed(SEED)
    network = Network(words)
    if "--further" in sys.argv:
        known = load_pairs(PATH).parts
        network.load_state_dict({name: torch.tensor(np.asarray(part)) for name, part in known.items()})
    network = trained(found, network, *(FURTHER if "--further" in sys.argv else (ROUNDS, 1.0)))
    parts = {name: part.numpy() for name, part in network.state_dict().items()}
    np.savez_compressed(PATH, allow_pickle=False, **packed(parts))


if __name__ == "__main__":
    main()
