"""How many nodes a second are read for mentions of terms, and how long it takes to compare glossaries.

python tests/bench/bench_terms.py [PAGES]
"""

from __future__ import annotations

import random
import re
import sys
from time import process_time

from graph.models.node_models import Kind, Labels, Node
from ingest.terms.term_mentions import Matcher, link
from tests.ingest.synthetic_pages import FILLER, node, page, prose


def glossary(rng: random.Random, bodies: list[str], line: int) -> list[Node]:
    """Four hundred terms of one to three words of the texts, some of them with an abbreviation."""
    terms = []
    for number in range(400):
        found = [word for word in re.findall(r"\w+", rng.choice(bodies)) if word.lower() not in FILLER]
        at = rng.randrange(max(1, len(found) - 3))
        name = " ".join(found[at : at + rng.choice((1, 2, 2, 3))])
        short = "".join(part[0].upper() for part in name.split())
        labels = Labels(preferred=name, abbreviation=short if len(short) > 2 else None)
        terms.append(
            node(Kind.TERM, name, prose(rng, found, 14), (), line + number).model_copy(update={"labels": labels})
        )
    return terms


def main(pages: int) -> None:
    """Three figures."""
    rng = random.Random(7)
    readings = [each for seed in range(pages) for each in page(seed).nodes]
    bodies = [each.body for each in readings if each.body]
    terms = [*glossary(rng, bodies, 1), *glossary(rng, bodies, 1001)]
    begun = process_time()
    matcher = Matcher(terms)
    built = process_time()
    edges = sum(len(matcher.mentions(each)) for each in readings)
    read = process_time()
    whole = len(link([*terms, *readings]))
    done = process_time()
    size = sum(len(each.body) for each in readings) / len(readings)
    print(f"{len(terms)} terms compared and built in {built - begun:.2f} s")
    print(
        f"{len(readings)} nodes of {size:.0f} characters: {len(readings) / (read - built):.0f} nodes/s, {edges} mentions"
    )
    print(f"all of it by link(): {whole} edges in {done - read:.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
