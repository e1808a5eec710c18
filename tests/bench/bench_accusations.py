"""False accusations: the figures that mining refutes in prose of others, of which almost none is wrong.

    python -m tests.bench.real_prose FOLDER       gets the prose
    python -m tests.bench accusations FOLDER [--all] [--show]

Each refuted figure counts as a false accusation until a reader finds that it is wrong: `--show` prints the sentences.
Without `--all`, only blocks that the weights were not learned from are read; the sources in `UNSEEN` were not learned from
at all.
"""

import sys
from collections import Counter
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import NamedTuple

from tests.bench.bench_mining import miner, passage
from tests.bench.real_prose import UNSEEN, Prose, blocks

TOOL = miner()


class Mined(NamedTuple):
    """What a block has: characters, statements that hold, the refuted ones, CPU seconds."""

    source: str
    length: int
    hold: int
    refuted: tuple[str, ...]
    seconds: float


def mined(block: Prose) -> Mined:
    begin = process_time()
    found = TOOL.mine(passage(block.text))
    refuted = tuple(
        f"{one.confidence} {one.expression} of {', '.join(part.text for part in one.inputs)}: "
        f"[{block.text[one.figure_start : one.figure_end]}] {' '.join(one.quote.split())}"
        for one in found
        if one.verdict == "refuted"
    )
    hold = sum(one.verdict == "holds" for one in found)
    return Mined(block.source, len(block.text), hold, refuted, process_time() - begin)


def main() -> None:
    chosen = [one for one in blocks(Path(sys.argv[1])) if "--all" in sys.argv or not one.learned]
    if not chosen:
        sys.exit(f"{sys.argv[1]} has no prose: make it by python -m tests.bench.real_prose {sys.argv[1]}")
    with get_context("fork").Pool() as pool:
        every = pool.map(mined, chosen, chunksize=20)
    sums: dict[str, Counter[str]] = {}
    for one in every:
        sums.setdefault(one.source, Counter()).update(
            length=one.length, hold=one.hold, refuted=len(one.refuted), milliseconds=round(one.seconds * 1000)
        )
        if "--show" in sys.argv:
            print(*(f"{one.source}: {said}" for said in one.refuted), sep="\n", end="\n" if one.refuted else "")
    sums["all"] = sum(sums.values(), Counter())
    print("| source | MB | hold | refuted | refuted per MB | CPU s per MB |", "|---|---|---|---|---|---|", sep="\n")
    for source, found in sums.items():
        size = found["length"] / 1e6
        name = f"{source}, never learned from" if source in UNSEEN else source
        rates = f"{found['refuted'] / size:.1f} | {found['milliseconds'] / 1000 / size:.1f}"
        print(f"| {name} | {size:.1f} | {found['hold']} | {found['refuted']} | {rates} |")


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main()
