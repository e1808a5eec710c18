"""Which brackets are markers, and which are something else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.citations.bracket_markers import bracket_markers
from ingest.text.prose_masks import NEAR

TAKEN = [
    ("Berths are sold by the hour [5].", [(5,)]),
    ("Two surveys agree [17, 18, 19], a third does not.", [(17, 18, 19)]),
    ("Silt [1–3] and sand [4-6] differ.", [(1, 2, 3), (4, 5, 6)]),
    ("[15] set the bar.", [(15,)]),
    ("Tides repeat [2][3].", [(2,), (3,)]),
    ("Tides repeat [2] [3].", [(2,), (3,)]),
    ("Tides repeat[7].", [(7,)]),
    ("Costs fell by 60% [8]: nobody noticed.", [(8,)]),
    ("It cost $3 [1] then, and $15 [2] now.", [(1,), (2,)]),
    ("As shown in [4, 5], cranes wait.", [(4, 5)]),
    ("A range ([1, 9]) of ports.", [(1, 9)]),
    ("Fees [ 3 , 4 ] rose; fees [5;6] fell.", [(3, 4), (5, 6)]),
    ("**Bold claim** [12].", [(12,)]),
    ("In 2024 [11] the bar moved.", [(11,)]),
    ("The count stood at 40 [2, 9] and grew.", [(2, 9)]),
    ("Silt [1]–[3] and sand [5] - [6] differ.", [(1, 2, 3), (5, 6)]),
    ("Three surveys agree [1], [2], [3] and [4],[5].", [(1,), (2,), (3,), (4,), (5,)]),
    ("The **bar** moved **[3]**, **[4]** twice [5]/[6].", [(3,), (4,), (5,), (6,)]),
    ("A marker [7] **before bold** words.", [(7,)]),
    ("Full-width marks ［4］ and ［5, 6］.", [(4,), (5, 6)]),
    ("Who counts from nothing [0] goes on [1]; an interval [0, 1] is none.", [(0,), (1,)]),
]

NOT_TAKEN = [
    "The interval [0, 1] is closed.",
    "Values in [1, 10] are allowed.",
    "It lies between [2, 8] metres.",
    "x ∈ [2, 5]",
    "weights = [3, 1, 2]",
    "scaled to [1, 255] first",
    "depths_m[3], argv[1], x[2] and rows[4] are cells",
    "f(x)[2] and call([1, 2])",
    "a matrix [[1, 2], [3, 4]] of fees",
    "a tensor of shape [224, 224, 3]",
    "$y \\in [1, 2]$ and $$[3]$$ and \\([4]\\)",
    "`ports[5]` and ```\ncode [6]\n```",
    "~~~\nfees [7]\n~~~",
    "[5](https://example.org) and ![6](a.png)",
    "[text][5]",
    "[5]: https://example.org/five",
    "a footnote[^5]",
    "- [ ] to do\n- [x] done",
    "[2024] and [2024-01-15] and [01-12]",
    "[1.2.3] and [v2] and [sic] and [N] and […]",
    "[5-2] runs backwards",
    "[3, 3] twice",
    "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]",
    "[10-200] is too long a row",
    "[0] and [007]",
    "rows [[1], [2], [3]] and [[1, 2],\n [3, 4], [5, 6]] of a matrix",
    "[2]**3 is a power",
    "[[5]] and [[tides|5]]",
    "[1, 2]^3",
    "<!-- [5] -->",
    "https://example.org/a[5]",
]


@pytest.mark.parametrize(("text", "numbers"), TAKEN, ids=lambda value: str(value)[:30])
def test_a_marker_is_taken(text, numbers):
    found = bracket_markers(text)
    assert [marker.numbers for marker in found] == numbers
    assert all(text[marker.start : marker.end] == marker.marker for marker in found)


@pytest.mark.parametrize("text", NOT_TAKEN)
def test_other_brackets_are_left_alone(text):
    assert bracket_markers(text) == ()


def test_the_context_is_the_sentence_or_item_around_the_marker():
    text = "Silt returns, e.g. in May. The bar rose by 0.9 m [4], says Dr. Voss. Pilots wait [5].\n\nA new thought."
    contexts = [marker.context for marker in bracket_markers(text)]
    assert contexts == ["The bar rose by 0.9 m [4], says Dr. Voss.", "Pilots wait [5]."]
    items = bracket_markers("Two things:\n- cranes idle [1]\n- pilots wait [2]")
    assert [marker.context for marker in items] == ["- cranes idle [1]", "- pilots wait [2]"]


@given(st.text(alphabet=st.sampled_from("[]()`$^1234567890, –-ab\n\\<>!=x|~"), max_size=200))
def test_no_text_raises_and_every_marker_is_where_it_says(text):
    for marker in bracket_markers(text):
        assert text[marker.start : marker.end] == marker.marker
        assert marker.numbers
        assert all(1 <= number <= 999 for number in marker.numbers)
        assert len(set(marker.numbers)) == len(marker.numbers)


@pytest.mark.documents
def test_the_brain_page_has_84_markers_of_97_references(real):
    nodes = real("kai-brain-page.txt").nodes
    markers = [marker for node in nodes for marker in bracket_markers(node.body)]
    assert (len(markers), sum(len(marker.numbers) for marker in markers)) == (84, 97)
    assert {node.kind.value for node in nodes if bracket_markers(node.body)} == {"pov", "thesis"}


def test_of_a_text_without_ends_of_sentences_a_marker_keeps_what_is_near():
    (marker,) = bracket_markers("tide and quay " * 600 + "[7] " + "crane and tug " * 600)
    assert re.fullmatch(r"….*quay \[7\] crane.*…", marker.context)
    assert len(marker.context) <= 2 * NEAR + 2
