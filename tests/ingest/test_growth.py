"""The work for a note grows with its length, not with its square: calls are counted, no time is measured.

Regular expressions do not call Python: the long runs and the large notes below hold them, which end.
"""

import sys
from collections import Counter

import pytest

from graph.text.anchors import anchors_in
from graph.text.plain_text import plain_text
from ingest.document_reader import read
from ingest.format_detection import DATA, FORMATS
from ingest.linking.vault_export import write_vault
from ingest.terms.glossary_terms import markdown_heading
from ingest.text.prose_masks import masked
from tests.ingest.own_documents import resolve

NOTES = {
    "words in one line": lambda n: "word " * n,
    "open brackets": lambda n: "[[" * n,
    "open parentheses": lambda n: "a:: b\n- " + "((a1" * n,
    "nested brackets": lambda n: "[" * n + "x" + "]" * n,
    "links": lambda n: " ".join(f"[[a{i}]]" for i in range(n)),
    "links to one note": lambda n: "[[x]] " * n,
    "Markdown links": lambda n: "[a](b.md) " * n,
    "tags": lambda n: " ".join(f"#t{i}" for i in range(n)),
    "headings": lambda n: "".join(f"{'#' * (i % 6 + 1)} h{i}\n" for i in range(n)),
    "underlined headings": lambda n: "a\n---\n" * n,
    "levels of a list in one line": lambda n: "- " * n + "x",
    "levels of a list": lambda n: "".join(f"{'  ' * min(i, 50)}- x\n" for i in range(n)),
    "items after many levels": lambda n: "- " * n + "x\n" + "- a\n" * n,
    "nested quotes": lambda n: ">" * n + "x",
    "lines of a quote": lambda n: "> a\n" * n,
    "quotes in lists in quotes": lambda n: "> - " * n + "x",
    "footnotes": lambda n: "".join(f"x[^{i}]\n\n[^{i}]: https://example.org/{i}\n" for i in range(n)),
    "fences": lambda n: "```\n" * n,
    "fences of many lengths": lambda n: "".join(f"{'`' * (3 + i % 50)}\nx\n" for i in range(n)),
    "backticks of many lengths": lambda n: "".join(f"{'`' * (1 + i % 30)} x " for i in range(n)),
    "open comments": lambda n: "%% a \n" * n,
    "open HTML comments": lambda n: "<!-- a \n" * n,
    "dollars": lambda n: "$$\n" * n + "$a " * n,
    "fields": lambda n: "---\n" + "".join(f"k{i}: v\n" for i in range(n)) + "---\nx",
    "broken fields": lambda n: "---\n" + "".join(f"k{i}: v: w\n" for i in range(n)) + "---\nx",
    "broken items": lambda n: "---\ntags:\n" + "".join(f"- a: b: c{i}\n" for i in range(n)) + "---\nx",
    "broken lists in lists": lambda n: (
        "---\na: b: c\nd:\n" + "".join(f"{'  ' * min(i, 40)}- e:\n" for i in range(n)) + "---\nx"
    ),
    "one field over many lines": lambda n: "---\na: b: c\n" + "  d\n" * n + "---\nx",
    "prose between rules": lambda n: "---\n" + "a line of prose\n" * n + "---\nx",
    "fields of TOML": lambda n: "+++\n" + "".join(f"k{i} = [1, {{a = 2}}]\n" for i in range(n)) + "+++\nx",
    "rules": lambda n: "---\n" * n,
    "open front matter": lambda n: "---\n" + "a: b\n" * n,
    "blocks of Logseq": lambda n: "a:: b\n" + "".join(f"- x\n  id:: a{i}1\n- ((a{i}1))\n" for i in range(n)),
    "properties of Logseq": lambda n: "".join(f"k{i}:: v\n" for i in range(n)) + "- x\n",
    "open logbooks of Logseq": lambda n: "a:: b\n" + "- x\n  :LOGBOOK:\n" * n,
    "rows of a table": lambda n: "|a|b|\n|-|-|\n" + "|1|2|\n" * n,
    "columns of a table": lambda n: "|a" * n + "|\n" + "|-" * n + "|\n" + "|1" * n + "|\n",
    "names of blocks": lambda n: "".join(f"a ^b{i}\n\n" for i in range(n)),
}


def work(text):
    """Everything that is done with a note: read, link, and find its places, its plain text and its exported form."""
    (document,) = resolve([read(text.encode(), "pages/x.md", format="note")])
    (node,) = document.nodes
    anchors_in(node.body)
    plain_text(node.body)
    write_vault([node])


def calls(text):
    counts = Counter()

    def count(_frame, event, _argument):
        counts[event] += 1

    anchors_in.cache_clear()
    sys.setprofile(count)
    try:
        work(text)
    finally:
        sys.setprofile(None)
    return counts["call"] + counts["c_call"]


@pytest.mark.parametrize("name", NOTES)
def test_four_times_the_note_is_no_more_than_five_times_the_calls(name):
    calls(NOTES[name](20))  # what is loaded once
    small, large = calls(NOTES[name](250)), calls(NOTES[name](1000))
    assert large < 5 * small + 2000


def test_many_sections_of_a_pack_are_no_square():
    """Each group of sections was looked up in the list of all others: 8,000 took half of the time."""
    text = "".join(f"## h{i}\ntext\n### e{i}\n" for i in range(4000))
    assert len(read(text.encode(), "x.md", format="context-pack").nodes) == 4000


LARGE = {
    "5 MB in one line": "word " * 1_000_000,
    "5 MB without a space": "a" * 5_000_000,
    "a long run of quotes": ">" * 300_000,
    "a long run of items": "- " * 150_000,
    "a heading with spaces": "x\n# a" + " " * 1_000_000 + "b\n",
    "10,000 headings": NOTES["headings"](10_000),
    "3,000 levels of a list": "".join(f"{'  ' * min(i, 500)}- x\n" for i in range(3_000)),
    "3,000 fields": NOTES["broken fields"](3_000),
    "open brackets of front matter": "---\na: " + "[" * 100_000 + "\n---\nx",
    "open brackets of TOML": "+++\na = " + "[" * 100_000 + "\n+++\nx",
    "spaces of TOML": "+++\na" + " " * 1_000_000 + "b = 1\n+++\nx",
    "a long name of a field": "---\n" + "a" * 1_000_000 + ": b: c\n---\nx",
    "a property of Logseq": "a::" + " " * 1_000_000 + "b\n- x" + " " * 100_000 + "\n  id::" + " " * 100_000,
    "open queries of Logseq": "a:: b\n- " + "{{query " * 100_000 + "{{embed " * 100_000,
    "a day": "---\ndate: 5" + " " * 1_000_000 + "Jan\n---\nx",
    "addresses with percent signs": "https://example.org/" + "a%%20" * 200_000,
    "rules with spaces": "- " * 100_000 + "x\n" + "* * " * 100_000 + "x\n",
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_note_is_read_to_its_end(name):
    work(LARGE[name])


LONG = 40_000
RUNS = {
    "tabs": "- **A** → b" + "\t" * LONG + "c\n",
    "spaces": "- **A:** b" + " " * LONG + "c\n",
    "a title with spaces": "# A" + " " * LONG + "b\n\n- **A:** b\n",
    "a head of a table": f"| Term ({' ' * LONG}x | Definition |\n|--|--|\n| A | b |\n",
    "variants": f"| Term | Definition | Variants |\n|--|--|--|\n| A | b | c{' ' * LONG}d |\n",
    "a delimiter": f"| Term | Definition |\n|--|--{' ' * LONG}x|\n| A | b |\n",
    "a title with marks": "# A" + " #" * (LONG // 2) + "b\n\n- **A:** b\n",
    "a title of marks": "# A" + "#" * LONG + "b\n\n- **A:** b\n",
    "broken front matter": "---\na" + " " * LONG + "b\nc: d" + " " * LONG + "e\nf:" + " " * LONG + "g\nh: [\n---\nx\n",
    "an entry that is a heading": "# A\n\n" + "".join(f"## T{n}{' ' * (LONG // 10)}x\nmeans\n" for n in range(10)),
    "a marker": f"Reading1 node\n  • T\n\n    a [1{' ' * LONG}–2]\n",
    "terms that are nothing": "terms:\n" + "-\n" * (LONG // 4),
    "blocks in blocks": "::: {.callout-note}\n# A\n" * (LONG // 10),
    "a fence of a block": "".join(f"::: {{.callout-note title='{' ' * LONG}{end}\n" for end in ("", "'", "'}", "'} x")),
    "attributes": "x {#a" * LONG + "\nx" + " " * LONG + "{#a" + "](b){#a" * LONG,
    "a cell": f"```{{r{', ' * LONG}\n```\n```{' ' * LONG}{{r {'a' * LONG}",
    "links to files of Quarto": "[a](" * LONG + "[a](b.qmd " * LONG + "[a](" + "b" * LONG + ".qmd)",
    "an expansion": "| Term | Definition |\n|--|--|\n| AB | A" + " " * LONG + "B |\n",
}


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("form", [None, *(form for form in FORMATS if form not in DATA and form != "brain-export")])
def test_a_long_run_does_not_stall_a_parser(form, name):
    assert read(RUNS[name].encode(), "x.md", format=form).text


@pytest.mark.parametrize(
    ("line", "name"),
    [("# A", "A"), ("## A ##", "A"), ("# A #b", "A #b"), ("# A # #", "A #"), ("# C#", "C"), ("# ##", "#"), ("#  **A**  ", "A"),
     ("# a   b  #  ", "a   b")],
)  # fmt: skip  # one list
def test_the_name_of_a_heading_is_without_the_marks_that_close_it(line, name):
    assert markdown_heading(line) == (len(line) - len(line.lstrip("#")), name)


@pytest.mark.parametrize("sign", ["`", "~"])
def test_a_long_run_of_fence_marks_does_not_stall_the_masks(sign):
    """Without a line break after it, every part of the run was tried as a fence: 100,000 took ten seconds."""
    run = sign * 1_000_000
    assert masked(run) == run
    assert masked(f"{sign * 3}\ncode\n{sign * 3}\nx").endswith("\nx")
