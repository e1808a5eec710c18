"""How much of the arithmetic and of the prices of the real documents is found, by what three readers listed in them.

    python -m tests.bench.bench_documents FOLDER    FOLDER has the documents; `--missed` lists what is not found

The readers had not seen the program. `documents.jsonl` has what they were sure of: file, line and figure, without a
sentence; for arithmetic the expression, how far its inputs stand away, and whether it is right.
"""

import json
import sys
from bisect import bisect_right
from collections import Counter
from pathlib import Path

from tests.bench.bench_mining import BANK, passage, price_miner

CHECKED = frozenset({"holds", "refuted", "needs-assumption"})


def statements(tool, path):
    """The statements of a document by the line of their figure, each with that figure as it is written."""
    text = path.read_text("utf-8")
    starts = [0, *(place + 1 for place, sign in enumerate(text) if sign == "\n")]
    found = {}
    for one in tool.mine(passage(text)):
        line = found.setdefault(bisect_right(starts, one.figure_start), [])
        line.append((one, text[one.figure_start : one.figure_end]))
    return found


def alike(one, other):
    """Whether two figures as they are written are the same: *~5x* and *5x*, *four* and *four copies*."""
    digits = ["".join(sign for sign in text if sign.isdigit() or sign == ".").strip(".") for text in (one, other)]
    words = [text.lower().strip(" ~") for text in (one, other)]
    return (digits[0] != "" and digits[0] == digits[1]) or words[0] in words[1] or words[1] in words[0]


def is_found(row, here):
    """Whether a statement of a line is that of a row: of its figure, or of a relation with it and one of its inputs."""
    for one, text in here:
        if one.kind == row["kind"] and (one.verdict in CHECKED or one.kind == "price") and alike(row["stated"], text):
            return True
        parts = [text, *(part.text for part in one.inputs)]
        if row["kind"] == one.kind == "arithmetic" and any(alike(row["stated"], part) for part in parts):
            others = [part for part in parts if not alike(row["stated"], part)]
            if any(alike(put, part) for put in row["inputs"] for part in others):
                return True
    return False


def report(folder, missed):
    """Prints how much is found, by kind and by how far the inputs stand away."""
    tool, documents, counts = price_miner(), {}, Counter()
    for row in map(json.loads, (BANK / "documents.jsonl").read_text("utf-8").splitlines()):
        if row["file"] not in documents:
            documents[row["file"]] = statements(tool, folder / row["file"])
        here = documents[row["file"]].get(row["line"], [])
        name = f"{row['kind']}, in the {row['near']}" if "near" in row else row["kind"]
        found = is_found(row, here)
        as_price = not found and any(one.kind == "price" and alike(row["stated"], text) for one, text in here)
        counts.update([(name, "all"), *([(name, "found")] if found else []), *([(name, "price")] if as_price else [])])
        if missed and not (found or as_price):
            print(f"{row['file']}:{row['line']}: {row['stated']} {row.get('expression') or row['name']}")
    for name in sorted({name for name, _ in counts}):
        print(f"{name}: {counts[name, 'found']} of {counts[name, 'all']}, {counts[name, 'price']} more as prices")
    every = [name for name, _ in counts if name.startswith("arithmetic")]
    total = {key: sum(counts[name, key] for name in {*every}) for key in ("all", "found", "price")}
    print(
        f"arithmetic: {total['found'] / total['all']:.0%}, with prices {(total['found'] + total['price']) / total['all']:.0%}"
    )


if __name__ == "__main__":
    options = [one for one in sys.argv[1:] if one != "--missed"]
    report(Path(options[0]), "--missed" in sys.argv)
