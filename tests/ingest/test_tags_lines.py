"""Lines of tags, with marks and without."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.terms.tag_parsing import divided, header_tags, normal, split_tags

USED = {"tides": 9, "dredging-costs": 5, "quay": 3, "costs": 1, "dredging": 1, "port-economics": 2}


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("#tides#dredging-costs#quay", ("tides", "dredging-costs", "quay")),
        ("# tides # dredging costs", ("tides", "dredging-costs")),
        ("#tides, #quay; #tides", ("tides", "quay")),
        ("#Tides#QUAY#fp8_e4m3", ("tides", "quay", "fp8-e4m3")),
        ("##tides##", ("tides",)),
        ("#Größe#ﬁne", ("größe", "fine")),
        ("tides, quay | port", ("tides", "quay", "port")),
        ("#", ()),
        ("", ()),
        ("#a--b#-c-", ("a-b", "c")),
    ],
)
def test_a_line_is_split_at_its_marks(line, tags):
    assert split_tags(line) == tags


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("tidesdredging-costsquay", ("tides", "dredging-costs", "quay")),
        ("quayeconomicstides", ("quay", "economics", "tides")),
        ("tides", ("tides",)),
        ("dredging-costs", ("dredging-costs",)),
        ("tidesunknown", ()),
        ("", ()),
    ],
)
def test_known_tags_divide_what_runs_together(word, pieces):
    assert divided(word, USED) == pieces


def test_what_the_vocabulary_cannot_divide_stays_one_tag_and_is_reported():
    tags, undivided = header_tags("tidesquay pilotage", USED)
    assert tags == ("tides", "quay", "pilotage")
    assert undivided == ("pilotage",)
    assert header_tags("#pilotage#salvage", {}) == (("pilotage", "salvage"), ()), "marks need no vocabulary"


@given(st.lists(st.sampled_from(sorted(USED)), min_size=1, max_size=6))
def test_any_row_of_known_tags_is_divided_into_known_words(row):
    pieces = divided("".join(row), USED)
    assert "".join(pieces) == "".join(row)
    assert len(pieces) <= len(row)


@given(st.text(max_size=60), st.lists(st.text(max_size=8), max_size=5))
def test_no_line_raises_and_tags_are_normal_and_distinct(line, vocabulary):
    tags = split_tags(line, frozenset(vocabulary))
    assert len(set(tags)) == len(tags)
    assert [normal(tag) for tag in tags] == [*tags]
    assert all(tag and "#" not in tag and not tag.isspace() for tag in tags)
    header_tags(line, dict.fromkeys(vocabulary, 1))
