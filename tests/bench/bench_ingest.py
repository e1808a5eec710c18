"""How fast documents are read: nodes a second for each format, and from text to store. Prints figures, asserts nothing.

    python tests/bench/bench_ingest.py [nodes]

`parsing` is detection, parsing, quotations and markers; `to the store` adds one transaction in a fresh SQLite file.
"""

from __future__ import annotations

import gc
import random
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from api.cli.root import RARELY
from graph.store import Store
from ingest.document_reader import read
from ingest.linking.link_resolution import resolve

WORDS = [
    "harbour",
    "tide",
    "quay",
    "pilot",
    "berth",
    "crane",
    "silt",
    "dredge",
    "draught",
    "hull",
    "fender",
    "mooring",
    "lock",
    "basin",
    "channel",
    "buoy",
    "survey",
    "bid",
    "rate",
    "ton",
    "metre",
    "winter",
    "crew",
    "window",
    "delay",
    "queue",
    "tug",
    "rope",
    "bollard",
    "depth",
    "chart",
    "sand",
    "basalt",
    "larch",
    "pier",
    "slip",
    "ramp",
    "gate",
    "pump",
]


def prose(chance: random.Random, words: int) -> str:
    """Words without meaning, as a sentence."""
    return " ".join(chance.choices(WORDS, k=words)).capitalize() + "."


def page(count: int, chance: random.Random) -> str:
    """A brain page: one thesis for twenty readings, quotations in every reading."""
    theses = count // 20
    lines = ["@mira · pilot", "Mira’s brain", f"{count} nodes", f"Thesis{theses} nodes"]
    for number in range(theses):
        lines += [
            f"  • Thesis {number} {prose(chance, 4)}",
            "",
            f"    {prose(chance, 40)[:-1]} [{chance.randint(1, 15)}].",
            "",
        ]
        lines += [f"    {prose(chance, 60)}", "", "    #tides#quay"]
    lines.append(f"Reading{count - theses} nodes")
    for number in range(count - theses):
        lines += [f"  • Reading {number} {prose(chance, 5)}", ""]
        for document in range(1, 4):
            quoted = f'(cite index="{document}-{chance.randint(1, 40)}">{prose(chance, 25)}</cite>'
            lines += [f"    {prose(chance, 20)} {quoted} {prose(chance, 15)}", ""]
        lines += ["    Sources:", ""]
        lines += [f"    • https://example.org/{chance.choice(WORDS)}/{number}-{chance.choice(WORDS)}" for _ in range(3)]
        lines.append("    " + "".join(f"#{chance.choice(WORDS)}-{chance.choice(WORDS)}" for _ in range(8)))
    return "\n".join(lines)


def glossary(count: int, chance: random.Random) -> str:
    """An arrow glossary."""
    lines = ["Harbour Glossary", ""]
    for number in range(count):
        if number % 20 == 0:
            lines += ["", f"{number // 20 + 1}. {chance.choice(WORDS).title()} Things", ""]
        lines.append(f"- **{chance.choice(WORDS).title()} {number} (AB{number})** → {prose(chance, 14)}")
    return "\n".join(lines)


def table(count: int, chance: random.Random) -> str:
    """A term table."""
    rows = (f"| **Term {number}** | {prose(chance, 12)} |" for number in range(count))
    return "\n".join(["# Words", "", "| Term | Definition |", "|---|---|", *rows])


def bullets(count: int, chance: random.Random) -> str:
    """A bullet glossary."""
    return "\n".join(
        ["# Glossary", *(f"- **Term {number} (T{number}):** {prose(chance, 14)}" for number in range(count))]
    )


def terms(count: int, chance: random.Random) -> str:
    """Terms in YAML."""
    items = (f"- label: Term {n}\n  variants: [t{n}]\n  definition: {prose(chance, 14)}\n" for n in range(count))
    return "terms:\n" + "".join(items)


def notes(count: int, chance: random.Random) -> list[tuple[str, str]]:
    """A vault."""
    return [
        (
            f"note-{n}.md",
            f"---\ntitle: Note {n}\nkind: reading\ntags: [tides, quay]\nsources:\n  - url: https://example.org/{n}\n---\n"
            f"{prose(chance, 60)} See [[note-{chance.randrange(count)}]].\n",
        )
        for n in range(count)
    ]


def timed(texts: list[tuple[str, str]]) -> tuple[int, float, float]:
    """Nodes, seconds of parsing, and seconds with the store."""
    start = time.perf_counter()
    documents = resolve([read(text.encode(), name) for name, text in texts])
    parsed = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as home, Store.open(Path(home) / "brain.db") as store:
        start = time.perf_counter()
        store.documents.put_all(documents, datetime(2025, 1, 1, tzinfo=UTC))
        stored = time.perf_counter() - start
    return sum(len(document.nodes) for document in documents), parsed, parsed + stored


def main(count: int) -> None:
    """One line for each format."""
    chance = random.Random(1)
    cases = [
        ("brain page", [("page.txt", page(count, chance))]),
        ("arrow glossary", [("arrows.txt", glossary(count, chance))]),
        ("term table", [("table.md", table(count, chance))]),
        ("bullet glossary", [("bullets.md", bullets(count, chance))]),
        ("terms in YAML", [("terms.yaml", terms(count, chance))]),
        ("vault of notes", notes(count, chance)),
    ]
    real = Path(__file__).parents[2] / "../shared/documents"
    if real.is_dir():
        cases.append(("the documents", [(path.name, path.read_text("utf-8")) for path in sorted(real.iterdir())]))
    print(f"{'':18}{'nodes':>8}{'KB':>8}{'parsing, nodes/s':>20}{'to the store, nodes/s':>24}")
    whole = [0, 0, 0.0, 0.0]
    for name, texts in cases:
        size = sum(len(text.encode()) for _, text in texts) // 1000
        nodes, parsed, stored = timed(texts)
        whole = [sum(pair) for pair in zip(whole, (nodes, size, parsed, stored), strict=True)]
        print_rates(name, nodes, size, parsed, stored)
    print_rates("together", *whole)


def print_rates(name: str, nodes: float, size: float, parsed: float, stored: float) -> None:
    """One line of the table."""
    print(f"{name:18}{nodes:8}{size:8}{nodes / parsed:20,.0f}{nodes / stored:24,.0f}", flush=True)


if __name__ == "__main__":
    gc.set_threshold(*RARELY)  # as the program does
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
