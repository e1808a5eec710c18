"""How the time for a text grows with its length, for texts that repeat one construct.

python -m tests.bench.bench_growth [CHARACTERS] [NAME …]        default: 20000, every construct

Printed are the processor's seconds for CHARACTERS and for twice as many: reading it as a note (`read`), what a search and
a preview make of it (`plain`), mining (`mine`), and its page (`page`). A factor far above 2 is marked: the work grows
faster than the text. Small times are noise and never marked.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from time import process_time

from api.pages.render.annotation import annotated
from compute.figures.figure_reader import figures
from graph.models.node_models import Node
from graph.text.plain_text import plain_text
from ingest.document_reader import read
from ingest.linking.link_resolution import resolve
from tests.pages.repeated import CONSTRUCTS

NOW = datetime(2026, 11, 21, tzinfo=UTC)
NOTICEABLE = 0.05
SUSPECT = 3.0


def _note(text: str) -> Node:
    (document,) = resolve([read(f"---\ntitle: T\n---\n\n{text}\n".encode(), "x.md", format="note")])
    return document.nodes[0]


STAGES: dict[str, Callable[[str], object]] = {
    "read": _note,
    "plain": plain_text,
    "mine": lambda text: list(figures(text)),
    "page": lambda text: annotated(_note("x").model_copy(update={"body": text}), {}, ()),
}


def _seconds(stage: Callable[[str], object], text: str) -> float:
    start = process_time()
    stage(text)
    return process_time() - start


def main(length: int, names: list[str]) -> None:
    """Print a line for each construct."""
    print(f"{'':24}" + "".join(f"{name:>18}" for name in STAGES))
    for name in names or CONSTRUCTS:
        cells, marks = [], []
        for stage, work in STAGES.items():
            one, two = (_seconds(work, CONSTRUCTS[name](size)) for size in (length, 2 * length))
            cells.append(f"{one:9.3f}{two:9.3f}")
            marks += [stage] if two > NOTICEABLE and two > SUSPECT * one else []
        print(f"{name:24}{''.join(cells)}  {' '.join(marks)}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000, sys.argv[2:])
