"""Measures of mining: what is found, what wrong wordings are refuted, what true ones are, and how sure verdicts are.

    python -m tests.bench.bench_mining            on the whole bank, from which the weights are learned
    python -m tests.bench.bench_mining speed FOLDER    CPU seconds by kind of text, also of that of `real_prose`

Each pair is a true wording and its wrong twin. A mutation replaces the stated figure of a statement that holds by one
at least 35% off. No test asserts these figures; `tests/compute/test_mine_banks.py` asserts limits for them.
"""

import json
import random
import re
import sys
from collections import Counter
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from time import process_time
from typing import NamedTuple

from api.services.mining_service import shipped
from compute.catalogs import genai_prices_catalog
from compute.mining.miner import Miner
from compute.mining.mining_models import Passage
from ingest.text.prose_masks import masked, sentence_borders

BANK = Path(__file__).parents[1] / "compute" / "mining_bank"
DAY = date(2026, 11, 21)
_CHOICE = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")


def miner():
    return Miner(shipped().book(()), DAY)


def passage(text):
    mask = masked(text)
    return Passage("bank/text", text, mask, tuple(sentence_borders(mask)))


def pairs(part="", folder=""):
    """The pairs of a half, `build` or `measure`, or all; every second line of `pairs.txt` belongs to each half.

    Folders have pairs of other hands: `learn` only to learn from, those in `unseen` only to measure.
    """
    if not folder:
        lines = [line for line in (BANK / "pairs.txt").read_text("utf-8").splitlines() if line and line[0] != "#"]
        for line in {"build": lines[0::2], "measure": lines[1::2]}.get(part, lines):
            yield _CHOICE.sub(r"\1", line), _CHOICE.sub(r"\2", line)
    for found in _lines("pairs", part, folder):
        yield found["true"], found["wrong"]


def tricky(part="", folder=""):
    """True sentences that must not be refuted."""
    yield from (found["text"] for found in _lines("tricky", part, folder))


class Block(NamedTuple):
    """A part of a draft, as it should be, with its twins: the text with one wrong figure, and the offset of that."""

    true: str
    twins: tuple[tuple[str, int], ...]


def blocks(folder):
    """The paragraphs, lists and tables of drafts, each after the one before it; `[[right|wrong]]` marks the figures that follow."""
    for path in sorted((BANK / folder).glob("*.md")):
        every = path.read_text("utf-8").strip().split("\n\n")
        for place, text in enumerate(every):
            before = next((one for one in reversed(every[:place]) if not one.startswith("#")), "")
            yield _block("\n\n".join(part for part in (_MARK.sub(r"\1", before), text) if part))


_MARK = re.compile(r"\[\[([^|\]]+)\|([^\]]+)\]\]")


def whole_drafts(folder):
    """Each draft as it is, and twice with every second marked figure wrong, with the offsets of those."""
    for path in sorted((BANK / folder).glob("*.md")):
        text = path.read_text("utf-8")
        yield _MARK.sub(r"\1", text), tuple(_seeded(text, first) for first in (0, 1))


def _seeded(text, first):
    """A draft with every second marked figure wrong, from the `first` one on, and the offsets of those."""
    found, places, end = "", [], 0
    for number, mark in enumerate(_MARK.finditer(text)):
        found += text[end : mark.start()]
        if number % 2 == first:
            places.append(len(found))
        found, end = found + mark[2 if number % 2 == first else 1], mark.end()
    return found + text[end:], tuple(places)


def _block(text):
    true, twins, end = "", [], 0
    for mark in _MARK.finditer(text):
        true += text[end : mark.start()]
        twins.append((len(true), mark[1], mark[2]))
        true, end = true + mark[1], mark.end()
    true += text[end:]
    return Block(true, tuple((f"{true[:at]}{wrong}{true[at + len(right) :]}", at) for at, right, wrong in twins))


def _lines(kind, part, folder):
    for path in sorted((BANK / folder).glob(f"*.{kind}.{part}*jsonl")):
        yield from map(json.loads, path.read_text("utf-8").splitlines())


def verdicts(tool, text):
    return [one.verdict for one in tool.mine(passage(text))]


def wordings(tool, part=""):
    """The number of pairs, and how many are found, how many twins refuted, how many true ones refuted."""
    return counted(tool, pairs(part))


def counted(tool, some):
    """The same for some pairs."""
    counts = Counter()
    for true, wrong in some:
        right, twin = verdicts(tool, true), verdicts(tool, wrong)
        counts.update(pairs=1, found="holds" in right, refuted="refuted" in twin, accused="refuted" in right)
    return counts


def mutated(text, start, end, random_):
    """A text whose figure at `start:end` is at least 35% off; None if it has no digits."""
    digits = _DIGITS.search(text, start, end)
    if digits is None:
        return None
    value = Decimal(digits[0].replace(",", ""))
    places = len(digits[0].partition(".")[2])
    changed = round(value * Decimal(random_.choice(["0.45", "0.6", "1.45", "1.7", "2.3"])), places)
    if abs(changed - value) < value * Decimal("0.35") or not changed:
        return None
    grouped = f"{changed:,.{places}f}" if "," in digits[0] else f"{changed:.{places}f}"
    return text[: digits.start()] + grouped + text[digits.end() :]


def mutations(tool, part="", sure=0):
    """What becomes of statements that hold, with a confidence of at least `sure`, when their figure is replaced."""
    return changed(tool, pairs(part), sure)


def changed(tool, some, sure=0):
    """The same for some pairs."""
    counts, random_ = Counter(), random.Random(5)
    for true, _ in some:
        for one in tool.mine(passage(true)):
            if one.verdict == "holds" and one.kind == "arithmetic":
                other = mutated(true, one.figure_start, one.figure_end, random_)
                if other is not None and one.confidence >= sure:
                    after = tool.mine(passage(other))
                    here = [found.verdict for found in after if found.figure_start == one.figure_start]
                    refuted = any(found.verdict == "refuted" for found in after)
                    counts["refuted" if refuted else "holds" if "holds" in here else "silent"] += 1
    return counts


def calibration(tool, some, true_ones):
    """For each tenth of confidence, how many verdicts there are and how many are right.

    In a true text a verdict is right if it holds; in a wrong twin a refutation is right. What still holds in a twin is
    not counted: most twins have true figures too.
    """
    bins = Counter()
    texts = [(true, "holds") for true, _ in some] + [(true, "holds") for true in true_ones]
    for text, right in texts + [(wrong, "refuted") for _, wrong in some]:
        for one in tool.mine(passage(text)):
            if one.verdict in {"holds", "refuted"} and (right == "holds" or one.verdict == "refuted"):
                place = min(9, int(one.confidence * 10))
                bins[place, "all"] += 1
                bins[place, "right"] += one.verdict == right
    return bins


def price_miner():
    """A miner with the prices of the packaged catalogue."""
    return Miner(shipped().book([genai_prices_catalog.load()]), DAY)


def price_pairs(part):
    """The pairs of a half of the price bank, chosen by a fixed seed; `fresh` and `later` were written after the code.

    `fresh2.build` and `fresh2.measure` are the halves of a newer bank, written before the code that reads it. `fresh3`
    and those after it are by single hands, one after another, each measured before it was read, then read.
    """
    newer = part.startswith("fresh2")
    lines = _price_lines(f".{part.partition('.')[0]}" if part in WHOLE or newer else "")
    pairs = [line for line in lines if "wrong" in line]
    return pairs if part in WHOLE else _half(pairs, part)


WHOLE = ("fresh", "later", "fresh3", "fresh4", "fresh5", "fresh6", "fresh7", "fresh8", "rents")
"""Banks of prices that are not divided."""


def price_tricky(part):
    """True sentences about prices that look wrong, of a half of the newer bank, or of a whole one."""
    lines = [line for line in _price_lines(f".{part.partition('.')[0]}") if "wrong" not in line]
    return lines if part in WHOLE else _half(lines, part)


def _price_lines(name):
    return [json.loads(line) for line in (BANK / f"prices{name}.jsonl").read_text("utf-8").splitlines()]


def _half(lines, part):
    build = set(random.Random(16).sample(range(len(lines)), len(lines) // 2))
    return [line for place, line in enumerate(lines) if (place in build) == part.endswith("build")]


def price_verdicts(tool, pair, wording):
    """The verdicts on prices in one wording of a pair, on its day."""
    on = date.fromisoformat(pair["on"]) if pair["on"] else None
    return [one.verdict for one in tool.mine(replace(passage(pair[wording]), on=on)) if one.kind == "price"]


def prices(tool, part):
    """The number of pairs, and how many are found, accused, have a wrong twin that does not hold or is refuted."""
    counts = Counter()
    for pair in price_pairs(part):
        right, twin = price_verdicts(tool, pair, "true"), price_verdicts(tool, pair, "wrong")
        kept = [sum(one in {"holds", "stale"} for one in found) for found in (right, twin)]
        wrong = kept[1] < max(kept[0], 1) or "refuted" in twin
        found = pair.get("expect", "holds") in right
        counts.update(pairs=1, found=found, accused="refuted" in right, wrong=wrong, refuted="refuted" in twin)
    return counts


def price_report():
    """Print the figures of the price bank."""
    tool = price_miner()
    for part in ("build", "measure", "fresh2.build", "fresh2.measure", *WHOLE):
        found = prices(tool, part)
        print(f"prices, {part}: {found['pairs']} pairs, found {found['found'] / found['pairs']:.0%},", end=" ")
        print(f"wrong twins not holding {found['wrong'] / found['pairs']:.0%}, refuted", end=" ")
        print(f"{found['refuted'] / found['pairs']:.0%}, true ones refuted {found['accused']}")
        if part in (*WHOLE[2:],) or part.startswith("fresh2"):
            some = price_tricky(part)
            accused = sum("refuted" in price_verdicts(tool, one, "true") for one in some)
            print(f"    {len(some)} tricky true sentences, refuted {accused}")


def told(tool, some, true_ones):
    """Prints the measures of some pairs and of some true sentences."""
    found, after = counted(tool, some), changed(tool, some)
    accused = sum("refuted" in verdicts(tool, text) for text in true_ones)
    print(f"{found['pairs']} pairs, found {found['found'] / found['pairs']:.0%},", end=" ")
    print(f"twins refuted {found['refuted'] / found['pairs']:.0%}, true ones refuted {found['accused']}")
    print(f"{len(true_ones)} tricky true sentences, refuted {accused}")
    total = sum(after.values())
    print("mutations", total, ", ".join(f"{name} {count / total:.1%}" for name, count in after.items()))
    for layout in LAYOUTS:
        found = among_others(tool, some, layout)
        print(f"in {layout} of nine: found {found['found'] / found['pairs']:.0%},", end=" ")
        print(f"twins refuted {found['refuted'] / found['pairs']:.0%}, true figures refuted {found['accused']}")
    table(calibration(tool, some, true_ones))


LAYOUTS = {"one paragraph": ("", " "), "a list": ("- ", "\n- "), "paragraphs": ("", "\n\n")}
"""What stands before the first of some texts that are put together, and between two of them."""
TOGETHER, TURNS = 9, 3
"""How many texts are put together, and in how many turns each of them is wrong once."""


def joined(wordings, before, between):
    """Some texts as one, and where each begins."""
    starts, at = [], len(before)
    for one in wordings:
        starts.append(at)
        at += len(one) + len(between)
    return before + between.join(wordings), starts


def among_others(tool, some, layout, seed=7):
    """What becomes of pairs in texts of several that have nothing to do with each other, counted as in `counted`.

    `accused` counts all figures that are refuted in texts without an error.
    """
    counts = Counter()
    left = [pair for pair in some if "\n" not in pair[0] and pair[0][-1:] in ".!?"]
    random.Random(seed).shuffle(left)
    for first in range(0, len(left), TOGETHER):
        group = left[first : first + TOGETHER]
        text, starts = joined([true for true, _ in group], *LAYOUTS[layout])
        right = tool.mine(passage(text))
        counts["accused"] += sum(one.verdict == "refuted" for one in right)
        counts["pairs"] += len(group)
        for start, (true, _) in zip(starts, group, strict=True):
            counts["found"] += "holds" in _within(right, start, start + len(true))
        for turn in range(TURNS):
            mixed = [pair[place % TURNS == turn] for place, pair in enumerate(group)]
            text, starts = joined(mixed, *LAYOUTS[layout])
            told_of = tool.mine(passage(text))
            for place in range(turn, len(group), TURNS):
                counts["refuted"] += "refuted" in _within(told_of, starts[place], starts[place] + len(mixed[place]))
    return counts


def _within(statements, start, end):
    return [one.verdict for one in statements if start <= one.figure_start < end]


def in_drafts(tool, some):
    """What becomes of the figures of drafts that follow from others, and of those that replace them, by verdict.

    `accused` counts all figures of the true drafts that are refuted.
    """
    counts = Counter()
    for block in some:
        right = tool.mine(passage(block.true))
        counts["accused"] += sum(one.verdict == "refuted" for one in right)
        for wrong, at in block.twins:
            counts["figures"] += 1
            counts["found"] += any(one.verdict == "holds" for one in _at(right, at))
            twin = {one.verdict for one in _at(tool.mine(passage(wrong)), at)}
            counts["refuted"] += "refuted" in twin
            counts["wrong ones hold"] += "holds" in twin
    return counts


def _at(statements, offset):
    return [one for one in statements if one.figure_start <= offset + 1 and offset <= one.figure_end]


def table(bins):
    """Prints the calibration in ten bins."""
    print("confidence   verdicts   right")
    for place in range(10):
        count = bins[place, "all"]
        right = f"{bins[place, 'right'] / count:.0%}" if count else "-"
        print(f"{place / 10:.1f} to {place / 10 + 0.1:.1f} {count:10} {right:>7}")


def main():
    price_report()
    tool = miner()
    told(tool, [*pairs()], [*tricky()])
    for bank in sorted(path.name for path in (BANK / "unseen").iterdir() if path.name != "drafts"):
        print(f"{bank}, by another hand, not used in learning:")
        told(tool, [*pairs(folder=f"unseen/{bank}")], [*tricky(folder=f"unseen/{bank}")])
    for folder in sorted(path.name for path in (BANK / "unseen/drafts").iterdir()):
        print(
            f"drafts {folder}, by another hand, not used in learning:",
            dict(in_drafts(tool, blocks(f"unseen/drafts/{folder}"))),
        )
    speed()


def kinds(folder=None):
    """Texts of several kinds, by name: those of the banks, this documentation, and 40 kB of each source of a folder."""
    yield "sentences", ["\n\n".join(true for true, _ in pairs())]
    yield "drafts", [path.read_text("utf-8") for path in sorted((BANK / "drafts").glob("*.md"))]
    yield "documentation", [path.read_text("utf-8") for path in sorted((BANK.parents[2] / "docs").glob("*.md"))]
    if folder is not None:
        for path in sorted(Path(folder).glob("*.txt")):
            text = path.read_text("utf-8")
            yield path.stem, [text[len(text) // 2 :][:40_000]]


def speed(folder=None):
    """Prints the CPU seconds for a megabyte of each kind of text; a miner that has read nothing is not yet warm."""
    tool = price_miner()
    tool.mine(passage("From $8 to $2, a 75% cut."))
    for name, texts in kinds(folder):
        begin = process_time()
        for text in texts:
            tool.mine(passage(text))
        seconds, size = process_time() - begin, sum(map(len, texts)) / 1e6
        print(f"{seconds / size:7.1f} CPU seconds for a megabyte of {name} ({size:.2f} MB)")


if __name__ == "__main__":
    if sys.argv[1:2] == ["speed"]:
        speed(*sys.argv[2:3])
    else:
        main()
