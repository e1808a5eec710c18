"""Measures of contradictions: of labelled pairs of sentences, of the documents with the content, and of foreign Markdown.

    python -m tests.bench.bench_contradictions [FOLDER…]

The content is read with the documents that it is about, if they are next to the repository. Each shown pair is looked up
among the labels; a pair without a label is printed. A folder is foreign Markdown: each pair in it is printed.
"""

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import process_time

from api.brain import Brain
from api.services.text_tasks import passage
from api.settings import Settings
from compute.mining.contradictions import pairs
from compute.mining.mining_models import Passage
from ingest.text.prose_masks import masked, sentence_borders
from tests.conftest import DOCUMENTS, NOW, ROOT

BANK = Path(__file__).parents[1] / "compute" / "mining_bank"


def text_of(name, text, document=""):
    mask = masked(text)
    return Passage(name, text, mask, tuple(sentence_borders(mask)), document or f"{name}.md")


def labelled(part):
    """The pairs of sentences of a half: two texts, and whether they contradict each other."""
    for line in (BANK / f"contradictions.{part}.jsonl").read_text("utf-8").splitlines():
        told = json.loads(line)
        yield told["a"], told["b"], told["contradict"]


def bank(part):
    """How many contradicting pairs there are and are found, and how many others are called contradictions."""
    counts = Counter()
    for one, two, contradict in labelled(part):
        found = bool(list(pairs([text_of("a/one", one), text_of("b/two", two)])))
        counts.update(contradicting=contradict, found=contradict and found, wrong=found and not contradict)
    return counts


def passages(folder):
    """The texts of the content and of the documents."""
    with Brain.open(Settings(home=folder)) as brain:
        brain.ingest([ROOT / "content", *sorted(DOCUMENTS.glob("*"))], at=NOW)
        return [passage(node) for node in brain.store.nodes.all()]


def shown(pair):
    return tuple(sorted((one.passage.node, one.figure.text.strip()) for one in (pair.one, pair.two)))


def labels():
    """Each labelled pair, and whether the two texts really differ."""
    for line in (BANK / "contradictions.labels.jsonl").read_text("utf-8").splitlines():
        told = json.loads(line)
        yield (tuple(told["one"]), tuple(told["two"])), told["real"]


def main():
    for part in ("build", "measure", "later", "unseen", "fresh"):
        told = bank(part)
        print(f"{part}: {told['found']} of {told['contradicting']} found, {told['wrong']} others called contradictions")
    if DOCUMENTS.is_dir():
        with tempfile.TemporaryDirectory() as folder:
            texts = passages(Path(folder))
        began = process_time()
        found = list(pairs(texts))
        size = sum(len(text.text) for text in texts)
        known = dict(labels())
        real = Counter(known.get(shown(pair)) for pair in found)
        print(f"documents and content, {size:,} characters: {len(found)} pairs in {process_time() - began:.1f} s")
        print(f"  real {real[True]}, not {real[False]}, without a label {real[None]}")
        for pair in found:
            if shown(pair) not in known:
                print("   ", pair.how, *shown(pair))
    for folder in sys.argv[1:]:
        files = [
            path
            for path in sorted(Path(folder).rglob("*"))
            if path.suffix in {".md", ".rst"} or path.name == "METADATA"
        ]
        texts = [text_of(str(path), path.read_text("utf-8", "replace"), path.name) for path in files]
        began = process_time()
        found = list(pairs(texts))
        print(
            f"{folder}: {sum(len(text.text) for text in texts):,} characters, {len(found)} pairs in {process_time() - began:.1f} s"
        )
        for pair in found:
            print("   ", pair.how, *shown(pair))


if __name__ == "__main__":
    main()
