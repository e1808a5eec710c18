from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.terms.tag_merges import load_mapping, near_duplicates, renamed
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
    for tags in (split_tags(line), header_tags(line, dict.fromkeys(vocabulary, 1))[0]):
        assert len(set(tags)) == len(tags)
        assert [normal(tag) for tag in tags] == [*tags]
        assert all(tag and "#" not in tag and not tag.isspace() for tag in tags)


@pytest.mark.parametrize(
    ("counts", "merges"),
    [
        ({"tide": 1, "tides": 4}, [("tide", "tides", "plural")]),
        ({"quay-fees": 3, "quay-fee": 1}, [("quay-fee", "quay-fees", "plural")]),
        ({"policy": 2, "policies": 1}, [("policies", "policy", "plural")]),
        ({"tidewindow": 1, "tide-window": 2}, [("tidewindow", "tide-window", "hyphen")]),
        ({"cost-per-berth": 2, "per-berth-cost": 1}, [("per-berth-cost", "cost-per-berth", "order")]),
        ({"dredging-costs": 5, "dreding-costs": 1}, [("dreding-costs", "dredging-costs", "spelling")]),
        ({"utilisation-now": 1, "utilization-now": 2}, [("utilisation-now", "utilization-now", "spelling")]),
        ({"gpt-3": 1, "gpt-4": 2}, []),
        ({"berth-14-metres": 1, "berth-15-metres": 1}, []),
        ({"input-price": 1, "output-price": 1}, []),
        ({"retraining": 1, "pretraining": 1}, []),
        ({"quaysides": 1, "quaysodas": 1}, []),
        ({"bus": 1, "buses": 1, "class": 1}, []),
    ],
)
def test_near_duplicates_are_suggested_towards_the_tag_used_most(counts, merges):
    assert [(merge.source, merge.target, merge.reason) for merge in near_duplicates(counts)] == merges


def test_a_chain_of_spellings_ends_in_one_tag():
    merges = near_duplicates({"tide-windows": 3, "tide-window": 2, "tidewindow": 1, "window-tide": 1})
    assert {merge.target for merge in merges} == {"tide-windows"}
    assert {merge.source for merge in merges} == {"tide-window", "tidewindow", "window-tide"}


@given(st.dictionaries(st.from_regex(r"[a-z]{1,5}(-[a-z]{1,5}){0,2}", fullmatch=True), st.integers(1, 9), max_size=30))
def test_no_tag_is_both_merged_and_merged_into(counts):
    merges = near_duplicates(counts)
    assert not {merge.source for merge in merges} & {merge.target for merge in merges}
    assert len({merge.source for merge in merges}) == len(merges)


def test_a_mapping_renames_and_follows_its_chains():
    mapping, problems = load_mapping("tags:\n  Tide: tides\n  tidal: tide\n  tide: tides\n", "tags.yaml")
    assert mapping == {"tide": "tides", "tidal": "tides"}
    assert not problems
    assert renamed(("tidal", "quay", "tide", "tides"), mapping) == ("tides", "quay")


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("tags:\n  a: [b]\n", 2, "one tag"),
        ("tags: [a, b]\n", 1, "mapping"),
        ("- a\n- b\n", 1, "mapping"),
        ("", None, "empty"),
        ("tags:\n  a: b\n  b: a\n", 2, "circle"),
        ("tags:\n  a: b\n  a: c\n", 3, "twice"),
        ("tags:\n  a: ''\n", 2, "missing"),
        ("tags:\n  a: b\nother: 1\n", 3, "no field 'other'"),
        ("tags:\n  a: a\n", 2, "itself"),
        ("tags:\n  a: {\n", 3, "expected a value here"),
        ("tags: \x07\n", 1, "U+0007"),
    ],
)
def test_a_wrong_mapping_says_where_and_what(text, line, word):
    _, problems = load_mapping(text, "tags.yaml")
    assert any(problem.line == line and word in problem.message for problem in problems), problems


@given(st.text(max_size=80))
def test_no_mapping_raises(text):
    mapping, _ = load_mapping(text, "tags.yaml")
    assert all(target not in mapping for target in mapping.values())


@pytest.mark.documents
def test_the_tags_of_the_brain_page_have_few_near_duplicates(real):
    counts = Counter(tag for node in real("kai-brain-page.txt").nodes for tag in node.tags)
    merges = {merge.source: merge.target for merge in near_duplicates(counts)}
    assert merges["per-token-cost"] == "cost-per-token"
    assert merges["inference-cost"] == "inference-costs"
    assert len(merges) < 20
