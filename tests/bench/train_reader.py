"""Trains the network of `compute/mining/claim_reader.npz`, which reads what a text claims, from the bank and true prose.

    pip install -c constraints.txt ".[train]"                              nothing but this needs it
    python -m tests.bench.train_reader --prose FOLDER                      FOLDER is that of `tests.bench.real_prose`
    python -m tests.bench.train_reader --prose FOLDER --further            from the present weights, an hour on two cores
                                                                           with bfloat16, two without

After new relations: `train_mining`, then this, then `train_mining --accuse`. The texts of `learn/held` are left out: what the
network says of them teaches which accusations are right.

The encoder begins as all-MiniLM-L6-v2 with the words that the texts have. Examples are those of `train_mining`: a
stated figure of a pair must be explained by a relation that computes, any other by such a relation or by none. Digits are
hidden, so a wrong twin teaches hardly more than its true wording, and is left out.
"""

import json
import random
import sys
import zipfile
from collections import Counter
from dataclasses import dataclass
from functools import partial
from itertools import chain
from math import ceil
from pathlib import Path
from time import monotonic

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from compute.mining import claim_model, claim_reader, encoder_tokens
from compute.mining.claim_judging import result
from compute.mining.claim_traits import GROUPS, Traits
from compute.mining.encoder_tokens import SPECIAL, Vocabulary, clipped, excerpts, span_of, tokens
from compute.mining.quantities import sentences
from compute.mining.solver import prose, wide
from compute.mining.text_encoder import HEADS
from tests.bench.bench_mining import passage
from tests.bench.train_mining import (
    HEAVY,
    NAMED,
    crowded,
    is_at,
    option,
    parallel,
    prose_of_others,
    surrounded,
    texts,
)

LAYERS = (0, 1, 2, 3, 4, 5)
"""Which of the six layers of the first model are kept."""
EPOCHS, WARM = 1.7, 0.06
RATE, HEAD_RATE, SHRUNK = 1.5e-4, 1.5e-3, 0.01
TOKENS = 3500
"""The tokens of a step."""
FEW, FEW_TRAITS = 3, 12
"""How many excerpts a word must be in, how many figures must have a trait."""
WIDTHS = {"of a figure": 96, "of a relation": 48, "hidden": 160}
"""How wide the vectors of figures, of relations and traits, and of the hidden layer are."""
FURTHER = {"rounds": 3.0, "rates": 0.7}
"""With `--further`: the rounds, and what the rates count."""
SEED = 1
BFLOAT16 = torch.cpu._is_avx512_bf16_supported()  # torch has no public test
"""Whether layers compute with eight bits of precision, which takes half the time."""
PATH = Path(claim_reader.__file__).with_name("claim_reader.npz")


@dataclass
class Example:
    """An excerpt with its targets: the names of its tokens, the places of its figures, and their candidates.

    Each target is the number of its figure, whether it claims, what it counts, and its candidates: the relation, the numbers
    of the inputs, the traits, whether it computes.
    """

    names: tuple
    places: tuple
    targets: list


def examples(item, vocabulary):
    """The excerpts of a text of some kind that have candidates."""
    one = passage(item.true)
    every = [sentence for sentence in sentences(one) if prose(sentence)]
    scopes = [wide(every, place) for place in range(len(every))]
    found = {}
    for scope, excerpt in zip(scopes, excerpts(one, scopes), strict=True):
        found.setdefault(excerpt, []).append(scope)
    for excerpt, some in found.items():
        figures = sorted({span_of(quantity) for scope in some for quantity in scope.quantities})
        rows = {figure: row for row, figure in enumerate(figures)}
        read = tokens(one.mask, excerpt, figures, vocabulary)
        middle = [place for scope in some for target in scope.targets for place in read.places[rows[span_of(target)]]]
        read = clipped(read, (min(middle) + max(middle)) // 2 if middle else len(read.names) // 2)
        every_target = ((scope, target) for scope in some for target in scope.targets)
        seen = (pair for pair in every_target if read.places[rows[span_of(pair[1])]])
        targets = [found for scope, target in seen if (found := _target(item, scope, target, rows)) is not None]
        if targets:
            yield Example(read.names, read.places, targets)


def _target(item, scope, target, rows):
    """One target; None without candidates, and for a stated figure that only a candidate which is not scored gives."""
    ranked = [candidate for candidate, _ in claim_model.weighed(scope, target, claim_model.learned())]
    fits = [bool(judged and judged.near) for judged in map(result, ranked)]
    named = any(is_at(target, at) for at in item.stated)
    few = claim_reader.TOP_CANDIDATES
    if not ranked or (named and any(fits) and not any(fits[:few])):
        return None
    seen = Traits(scope, target)
    some = [
        (one.rule, [rows[span_of(scope.quantities[used.index])] for used in one.used], seen.pair(one), fit)
        for one, fit in zip(ranked[:few], fits, strict=False)
    ]
    heavy = HEAVY[item.kind] * (NAMED if named else 1)
    return rows[span_of(target)], named and any(fits), heavy, some


def vocabulary_of(words, read):
    """The special tokens, and those of the first model that enough texts have."""
    full = Vocabulary(sorted(words, key=words.get))
    counts = Counter()
    for text in read:
        mask = passage(text).mask
        counts.update({*tokens(mask, encoder_tokens.Excerpt(0, len(mask)), (), full).names})
    special = [*(f"#{kind}" for kind in SPECIAL), encoder_tokens.PARAGRAPH, encoder_tokens.LINE]
    always = {encoder_tokens.UNKNOWN, encoder_tokens.FIRST, encoder_tokens.LAST}
    kept = (name for name in full.rows if counts[name] >= FEW or name in always or len(name.removeprefix("##")) == 1)
    return Vocabulary([*special, *kept])


FIRST_VECTORS = {
    "#money": "price cost", "#unit": "10 meters", "#time": "10 hours", "#count": "10 five", "#share": "percent 10",
    "#points": "points 10", "#ratio": "times double", "#year": "2010 2015", "#other": "7 1", "#para": ".", "#line": ";",
}  # fmt: skip  # a table
"""The words whose mean vector a special token begins with."""


def first_model():
    """The weights of all-MiniLM-L6-v2 by name, and the rows of its words, out of the package that carries it."""
    import all_minilm_l6_v2

    with zipfile.ZipFile(all_minilm_l6_v2.get_model_zip_path()) as packed:
        names = {Path(name).name: name for name in packed.namelist()}
        raw = packed.read(names["model.safetensors"])
        words = json.loads(packed.read(names["tokenizer.json"]))["model"]["vocab"]
    size = int.from_bytes(raw[:8], "little")
    head, body = json.loads(raw[8 : 8 + size]), raw[8 + size :]
    parts = {}
    for name, told in head.items():
        if name != "__metadata__" and told["dtype"] == "F32":
            start, end = told["data_offsets"]
            parts[name] = np.frombuffer(body[start:end], np.float32).reshape(told["shape"])
    return parts, words


class Block(nn.Module):
    """A layer of the encoder; the numpy one is `text_encoder.Layer`."""

    def __init__(self, width):
        super().__init__()
        self.qkv, self.o = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.n1, self.n2 = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)
        self.drop = nn.Dropout(0.1)

    def forward(self, states, mask):
        with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
            return self._applied(states, mask).float()

    def _applied(self, states, mask):
        count, length, width = states.shape
        queries, keys, values = self.qkv(states).view(count, length, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask[:, None, None, :])
        states = self.n1(states + self.drop(self.o(mixed.transpose(1, 2).reshape(count, length, width))))
        return self.n2(states + self.drop(self.down(functional.gelu(self.up(states), approximate="tanh"))))

    def begin(self, parts, name):
        """Take the weights of a layer of the first model."""
        attention = [f"{name}attention.self.{one}" for one in ("query", "key", "value")]
        with torch.no_grad():
            for kind in ("weight", "bias"):
                getattr(self.qkv, kind)[:] = torch.cat([torch.tensor(parts[f"{one}.{kind}"]) for one in attention])
                for own, theirs in (
                    (self.o, "attention.output.dense"), (self.n1, "attention.output.LayerNorm"),
                    (self.up, "intermediate.dense"), (self.down, "output.dense"), (self.n2, "output.LayerNorm"),
                ):  # fmt: skip  # pairs
                    getattr(own, kind)[:] = torch.tensor(parts[f"{name}{theirs}.{kind}"])


class Network(nn.Module):
    """What `claim_reader.Network` computes, for many excerpts at once; the names of the weights are the same."""

    def __init__(self, vocabulary, rules, groups, traits, parts, words):
        super().__init__()
        width = parts["embeddings.word_embeddings.weight"].shape[1]
        figure, relation, hidden = WIDTHS.values()
        self.emb, self.n0 = nn.Embedding(len(vocabulary.rows), width), nn.LayerNorm(width, eps=1e-12)
        self.pos = nn.Parameter(torch.zeros(256, width))
        self.layers = nn.ModuleList(Block(width) for _ in LAYERS)
        self.t, self.u, self.f = (nn.Linear(width, figure) for _ in range(3))
        self.tr = nn.Linear(width, relation)
        self.rule, self.group = nn.Embedding(rules, relation), nn.Embedding(groups, relation)
        self.trait = nn.EmbeddingBag(traits, relation, mode="sum")
        self.h, self.out = nn.Linear(4 * figure + 3 * relation, hidden), nn.Linear(hidden, 1)
        self.drop, self.some = nn.Dropout(0.1), nn.Dropout(0.2)
        for table, spread in ((self.rule, 0.2), (self.group, 0.2), (self.trait, 0.05)):
            nn.init.normal_(table.weight, std=spread)
        self._begin(vocabulary, parts, words)

    @torch.no_grad()
    def _begin(self, vocabulary, parts, words):
        known = torch.tensor(parts["embeddings.word_embeddings.weight"])
        for name, row in vocabulary.rows.items():
            alike = [name] if name in words else FIRST_VECTORS[name].split()
            self.emb.weight[row] = torch.stack([known[words[one]] for one in alike]).mean(0)
        places = parts["embeddings.position_embeddings.weight"][:256]
        self.pos[:] = torch.tensor(places + parts["embeddings.token_type_embeddings.weight"][0])
        for kind in ("weight", "bias"):
            getattr(self.n0, kind)[:] = torch.tensor(parts[f"embeddings.LayerNorm.{kind}"])
        for layer, place in zip(self.layers, LAYERS, strict=True):
            layer.begin(parts, f"encoder.layer.{place}.")

    def forward(self, batch):
        states = self.drop(self.n0(self.emb(batch["rows"]) + self.pos[: batch["rows"].shape[1]]))
        for layer in self.layers:
            states = layer(states, batch["mask"])
        width = states.shape[-1]
        vectors = torch.zeros(batch["figures"], width).index_add(
            0, batch["of figure"], states.reshape(-1, width)[batch["token"]] * batch["part of figure"][:, None]
        )
        target = batch["figure of target"][batch["target"]]
        here, wanted = self.t(vectors)[target], self.tr(vectors)[target]
        inputs = self.u(vectors)[batch["input"]] * batch["part of inputs"][:, None]
        means = torch.zeros(len(target), here.shape[1]).index_add(0, batch["candidate of input"], inputs)
        firsts = self.f(vectors)[batch["first"]] * batch["has inputs"][:, None]
        rules = self.rule(batch["rule"]) + self.group(batch["group"])
        traits = self.trait(batch["traits"], batch["traits from"])
        joined = torch.cat([here, means, firsts, here * means, rules, traits * rules, wanted * rules], 1)
        hidden = functional.gelu(self.h(self.some(joined)), approximate="tanh")
        return (self.out(hidden)[:, 0] + ((traits + wanted) * rules).sum(1)).clamp(-25, 25)


def loss_of(scores, batch):
    """Minus the log of the probability of what each target may claim, weighed."""
    count, powers = len(batch["heavy"]), scores.exp()
    whole = 1 + torch.zeros(count).index_add(0, batch["target"], powers)
    right = torch.zeros(count).index_add(0, batch["target"], powers * batch["fits"]) + 1 - batch["claims"]
    return ((whole.log() - right.clamp_min(1e-9).log()) * batch["heavy"]).sum() / batch["heavy"].sum()


def frequent_traits(found):
    """The names of the traits that enough figures have."""
    counts = Counter(
        name for one in found for target in one.targets for name in {name for some in target[3] for name in some[2]}
    )
    return sorted(name for name, count in counts.items() if count >= FEW_TRAITS)


class Columns:
    """The layout of weights: the rows of the vocabulary, of relations, of their groups and of traits."""

    def __init__(self, vocabulary, traits):
        self.lists = {
            "vocabulary": [*vocabulary.rows],
            "rules": sorted(GROUPS),
            "groups": sorted(set(GROUPS.values())),
            "traits": [*traits],
        }
        self.rows = {kind: {name: row for row, name in enumerate(names)} for kind, names in self.lists.items()}

    def batch(self, some):
        """Some excerpts as tensors; their figures, targets and candidates are numbered through."""
        longest, rows = max(len(one.names) for one in some), self.rows
        found = {name: [] for name in (*_WHOLE, *_REAL)}
        words, mask = np.zeros((len(some), longest), np.int64), np.zeros((len(some), longest), bool)
        figures = 0
        for number, one in enumerate(some):
            words[number, : len(one.names)] = [rows["vocabulary"][name] for name in one.names]
            mask[number, : len(one.names)] = True
            for figure, places in enumerate(one.places, figures):
                found["of figure"] += [figure] * len(places)
                found["token"] += [number * longest + place for place in places]
                found["part of figure"] += [1 / len(places) for _ in places]
            for row, claims, heavy, candidates in one.targets:
                self._target(found, figures, candidates)
                found["figure of target"].append(figures + row)
                found["claims"].append(float(claims))
                found["heavy"].append(heavy)
            figures += len(one.places)
        tensors = {name: torch.tensor(found[name], dtype=torch.long) for name in _WHOLE}
        tensors |= {name: torch.tensor(found[name], dtype=torch.float32) for name in _REAL}
        return tensors | {"rows": torch.from_numpy(words), "mask": torch.from_numpy(mask), "figures": figures}

    def _target(self, found, figures, candidates):
        number = len(found["heavy"])
        for rule, inputs, traits, fits in candidates:
            found["candidate of input"] += [len(found["rule"])] * len(inputs)
            found["input"] += [figures + one for one in inputs]
            found["part of inputs"] += [1 / len(inputs) for _ in inputs]
            found["first"].append(figures + (inputs[0] if inputs else 0))
            found["has inputs"].append(float(bool(inputs)))
            found["target"].append(number)
            found["rule"].append(self.rows["rules"][rule])
            found["group"].append(self.rows["groups"][GROUPS[rule]])
            found["traits from"].append(len(found["traits"]))
            found["traits"] += [self.rows["traits"][name] for name in traits if name in self.rows["traits"]]
            found["fits"].append(float(fits))


_WHOLE = (
    "of figure", "token", "figure of target", "target", "rule", "group", "input", "candidate of input", "first",
    "traits", "traits from",
)  # fmt: skip  # a list of names
_REAL = ("part of figure", "part of inputs", "has inputs", "fits", "claims", "heavy")


def steps(found, chance):
    """The excerpts in groups of about `TOKENS` tokens, alike in length, in random order."""
    order = sorted(found, key=lambda one: len(one.names) + chance.random() * 12)
    groups, longest = [[]], 0
    for one in order:
        longest = max(longest, len(one.names))
        if groups[-1] and longest * (len(groups[-1]) + 1) > TOKENS:
            groups.append([])
            longest = len(one.names)
        groups[-1].append(one)
    chance.shuffle(groups)
    return groups


def trained(found, columns, network, rounds=EPOCHS, slower=1.0):
    """The network after some rounds."""
    chance = random.Random(SEED)
    every = [group for _ in range(ceil(rounds)) for group in steps(found, chance)]
    every = every[: round(rounds * len(every) / ceil(rounds))]

    def loss(some):
        batch = columns.batch(some)
        return loss_of(network(batch), batch)

    return descended(network, every, loss, {"encoder": RATE * slower, "head": HEAD_RATE * slower})


def descended(network, every, loss_of_step, rates):
    """The network after a step by AdamW for each of some groups of examples; the rate rises, then falls to nothing."""
    parts = {"encoder": [], "head": []}
    for name, part in network.named_parameters():
        parts["encoder" if name.startswith(("emb", "new", "pos", "seg", "n0", "layers")) else "head"].append(part)
    groups = [{"params": some, "lr": rates[kind]} for kind, some in parts.items()]
    optimiser = torch.optim.AdamW(groups, weight_decay=SHRUNK)
    slope = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / (WARM * len(every)), 1) * max(0.02, 1 - step / len(every))
    )
    begin, mean = monotonic(), 0.0
    for step, some in enumerate(every, 1):
        loss = loss_of_step(some)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        slope.step()
        mean = loss.item() if step == 1 else 0.98 * mean + 0.02 * loss.item()
        if step % 50 == 0:
            left = (monotonic() - begin) / step * (len(every) - step) / 60
            print(f"step {step} of {len(every)}, loss {mean:.3f}, {left:.0f} minutes left", flush=True)
    return network


def main():
    if "--prose" not in sys.argv:
        sys.exit(
            "train_reader needs the prose of others: --prose FOLDER, made by python -m tests.bench.real_prose FOLDER"
        )
    every = [*texts()]
    items = [*surrounded(every), *prose_of_others(Path(option("--prose")))[0], *crowded(every)]
    parts, words = first_model()
    further = claim_reader.load(PATH) if "--further" in sys.argv else None
    vocabulary = vocabulary_of(words, (item.true for item in items)) if further is None else further.vocabulary
    found = [*chain.from_iterable(parallel(partial(_examples, vocabulary=vocabulary), items))]
    columns = Columns(vocabulary, frequent_traits(found) if further is None else further.traits)
    print(f"{len(items)} texts, {len(found)} excerpts, {len(vocabulary.rows)} tokens known", flush=True)
    torch.manual_seed(SEED)
    sizes = [len(columns.lists[kind]) for kind in ("rules", "groups", "traits")]
    network = Network(vocabulary, *sizes, parts, words)
    if further is None:
        trained(found, columns, network)
    else:
        _continue_from(network, further, columns)
        trained(found, columns, network, FURTHER["rounds"], FURTHER["rates"])
    parts = {name: part.numpy() for name, part in network.state_dict().items()}
    claim_reader.saved(columns.lists, parts if further is None else _mean(parts, further.parts), PATH)


def _mean(one, two):
    """The mean of two sets of weights, of which one was trained on from the other (Wortsman et al. 2022, arXiv 2203.05482).

    It knows the texts that were learned less well than the later one, and others better: minus the log of the probability
    of the right relation in five banks that teach nothing was 1.00 before, 0.99 after three more passes, 0.93 for the mean.
    """
    return {name: (part + np.asarray(two[name], np.float32)) / 2 for name, part in one.items()}


def _continue_from(network, further, columns):
    """Take the weights of a stored network, which must know the relations of today."""
    if [*further.rules] != columns.lists["rules"]:
        sys.exit("there are relations that the stored network does not know: train it from the first model")
    known = {name: torch.tensor(np.asarray(part, np.float32)) for name, part in further.parts.items()}
    network.load_state_dict(known)


def _examples(item, vocabulary):
    return [*examples(item, vocabulary)]


if __name__ == "__main__":
    main()
