"""What one more note costs in a home with many notes whose links lead nowhere, and what a note costs that they wait for.

python tests/bench/bench_links.py [NOTES…]
"""

from __future__ import annotations

import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from api.brain import Brain
from api.settings import Settings

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
TRIES = 5
WAITING_FOR_ONE = 10
"""How many of the notes link to the note that comes last."""


def note(number: int) -> str:
    """A note of some length with three links to notes that do not exist."""
    links = [f"[[Missing {number}-{each}]]" for each in range(2)]
    links.append("[[The late note]]" if number < WAITING_FOR_ONE else f"[[Missing {number}-late]]")
    text = "\n\n".join(
        f"Paragraph {each} of note {number} describes a ship, its crew and its load." for each in range(20)
    )
    return f"---\ntitle: Note {number}\n---\n{text}\n\nSee {', '.join(links)}.\n"


def measure(count: int) -> None:
    """Print the seconds of an unrelated note (the fastest of some), and of the note that is waited for."""
    with tempfile.TemporaryDirectory(prefix="brain-bench-") as folder:
        vault, home = Path(folder) / "vault", Path(folder) / "home"
        vault.mkdir()
        for number in range(count):
            (vault / f"note-{number}.md").write_text(note(number))
        with Brain.open(Settings(home=home)) as brain:
            print(f"{count} notes with unresolved links", f"first ingest {_ingest(brain, vault)[0]:.2f} s", sep=": ")
            unrelated = []
            for number in range(TRIES):
                (Path(folder) / f"other-{number}.md").write_text(f"Other words {number}.\n")
                unrelated.append(_ingest(brain, Path(folder) / f"other-{number}.md")[0])
            late = Path(folder) / "late.md"
            late.write_text("---\ntitle: The late note\n---\nIt is here.\n")
            seconds, woken = _ingest(brain, late)
            print(f"  unrelated note {min(unrelated):.3f} s; the note that {woken} notes link to {seconds:.3f} s")


def _ingest(brain: Brain, path: Path) -> tuple[float, int]:
    begun = perf_counter()
    report = brain.ingest([path], at=NOW)
    return perf_counter() - begun, len(report.woken)


if __name__ == "__main__":
    for count in [int(argument) for argument in sys.argv[1:]] or [1_000, 5_000]:
        measure(count)
