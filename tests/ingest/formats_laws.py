"""What holds for every document that is read, whatever its bytes, and inputs that try to break it."""

import random

from hypothesis import strategies as st

from ingest.document_reader import read
from ingest.format_detection import DATA, FORMATS
from ingest.formats.brain_export import stream_json, write_notes
from tests.ingest.own_documents import resolve

PIECES = (
    "\n", "\n\n", "  • ", "    • ", "    ", "\t", "\r\n", "\r", "\ufeff", "\xa0", "\u2028", "\x0c", "\x85", "\ud800", "\x00",
    "Reading3 nodes\n", "Thesis0 nodes\n", "5 nodes\n", "@mira · pilot\n", "Mira’s brain\n", "#a#b-c\n", "Sources:\n", "#", "##",
    "https://example.org/a(b)", "arxiv.org/abs/2101.00001", "www.x", "[1, 2]", "[5]", '(cite index="5-2,7-1">', "</cite>", "(cite",
    "&lt;cite index='1'&gt;", "<cite index=“1-2”>", "*", "**", "_", "$x^2$", "`", "```\n", "~~~", "| a | b |\n", "|---|---|\n", "|", "||\n",
    "| Term | Definition |\n", "| **A** | b |\n", "- **Ab (Ac):** d\n", "- **T** → d:\n", " - **U** -> e\n", "-\n", "---\n", "...\n",
    "L1 - One\n", "1. Two\n", "1. **S** → t\n", "Source: <https://x.org>\n", "Caption of it\n", "Sub Head\n", "Title....3\n", "→", "■ ",
    "title: x\n", "kind: thesis\n", "tags: [a, b]\n", "cites:\n  - to: y\n    as: extends\n", "brain_export: 1\n", "id: a/b\n", "name: n\n",
    "terms:\n", "- label: A\n", "  broader: [B]\n", "&a ", "*a", "!!python/object ", "{", "}", "[", "]", '"', "'", "[[y|z]]", "[[", "]]",
    "![[p.png]]", "[^1]: x https://x.org\n", '{"brain_export": 1, "documents": [', '{"name": "x"}', "]}", "א", "😀", "e\u0301", "x" * 300,
)  # fmt: skip  # a bag of pieces
DEMANDS = (None, *(form for form in FORMATS if form not in DATA), "claims")


@st.composite
def texts(draw, seeds=()):
    """A document made of pieces, or one of `seeds` with pieces put in, cut out and moved."""
    if not seeds or draw(st.booleans()):
        return "".join(draw(st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=40)))
    return damaged(draw(st.sampled_from(seeds)), random.Random(draw(st.integers(0, 2**32))))


def damaged(text, chance):
    """`text` with a few random edits."""
    for _ in range(chance.randint(1, 8)):
        one, two = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        two = min(two, one + chance.choice((0, 1, 5, 60, 400)))
        piece = chance.choice((*PIECES, text[one:two] * 2, ""))
        text = text[:one] + piece + text[two:]
    return text


def check(data, name="x.txt", demand=None):
    """Read `data` and hold what comes to every law; the document."""
    document = read(data, name, format=demand)
    assert document.lines.total == document.lines.kept + document.lines.skipped
    filled = sum(1 for line in document.text.split("\n") if line.strip())
    if document.text and document.format != "brain-export" and demand != "brain-export":
        assert document.lines.total == filled
    assert document.nodes or document.format in DATA or "error" in {problem.severity for problem in document.problems}
    assert len({node.id for node in document.nodes}) == len(document.nodes)
    document.model_dump_json().encode()
    for node in document.nodes:
        _check_node(document, node)
    for problem in document.problems:
        assert problem.line is None or problem.line >= 1
        problem.render()
    return document


def _check_node(document, node):
    assert node.id.startswith(f"{node.brain}/")
    assert node.slug
    assert node.title.strip() or document.format == "note"
    assert 1 <= node.provenance.first_line <= node.provenance.last_line
    assert all(quote.quote in node.body for quote in node.quotes)
    assert all(tag.strip() for tag in node.tags)
    assert all(len(row) == len(table.header) == len(table.units) for table in node.tables for row in table.rows)


def write_json(documents):
    return "".join(stream_json(sorted(documents, key=lambda document: document.name)))


def check_round_trip(document):
    """What was read once is the same after writing and reading it, as JSON and as notes."""
    (linked,) = resolve([document])
    assert resolve([linked]) == [linked]
    (again,) = resolve([read(write_json([linked]).encode(), "x.json")])
    assert again == linked
    files = write_notes(linked.nodes)
    notes = resolve([read(text.encode(), name) for name, text in files.items()])
    assert write_notes(node for note in notes for node in note.nodes) == files
