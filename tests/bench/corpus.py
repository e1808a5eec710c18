"""Made-up notes of any number: words by Zipf's law, a few tags each from a growing set, a link to another note.

python tests/bench/corpus.py 20000 FOLDER
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Iterator
from pathlib import Path

VOCABULARY = 30_000
LENGTH = 195
"""Words in a note."""
TAGS = 3
"""Tags of a note; there are a tenth as many as notes, but 100 at least and 2,000 at most."""

_SYLLABLES = ["".join(pair) for pair in itertools.product("bcdfglmnprstv", "aeiou")]


def vocabulary(chance: random.Random) -> list[str]:
    """Words of two to four syllables, the most frequent first."""
    return ["".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4))) for _ in range(VOCABULARY)]


def notes(count: int) -> Iterator[str]:
    """The notes as Markdown with front matter; the same for the same number."""
    chance = random.Random(1)
    words = vocabulary(chance)
    weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(VOCABULARY)))
    tags = [f"tag-{word}-{number}" for number, word in enumerate(words[: max(100, min(2000, count // 10))])]
    for number in range(count):
        body = " ".join(chance.choices(words, cum_weights=weights, k=LENGTH))
        title = " ".join(chance.choices(words[:5000], k=3))
        tagged = ", ".join(sorted(set(chance.choices(tags, k=TAGS))))
        yield (
            f"---\nid: note-{number}\ntitle: {title} {number}\nkind: reading\ntags: [{tagged}]\n---\n"
            f"{body}. See [[note-{chance.randrange(count)}]].\n"
        )


def write_notes(count: int, folder: Path) -> Path:
    """The notes as files of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(notes(count)):
        (folder / f"note-{number}.md").write_text(text)
    return folder


if __name__ == "__main__":
    write_notes(int(sys.argv[1]), Path(sys.argv[2]))
