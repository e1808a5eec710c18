"""Long runs of one sign in a document of each format: reading ends, as no expression tries every start of a run."""

import pytest

from ingest.document_reader import read
from ingest.format_detection import DATA, FORMATS
from ingest.terms.glossary_terms import markdown_heading
from ingest.text.prose_masks import masked

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
