"""One rule for names: what is allowed and refused, file names that stay in their folder, and what is suggested instead."""

import ntpath
import re
from functools import partial
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.ids import ascii_slug, distinct, is_slug, slug
from graph.name_rules import (
    DOCUMENT_PATTERN,
    InvalidNameError,
    brain_named,
    check_brain,
    check_document,
    check_node_id,
    note_file,
    same_file,
)
from graph.search.name_index import BEGINS, EXACT, MENTIONED, NAMED, NameTable, NameWords, query_words, typed_words
from graph.search.query_language import parse
from graph.text.similar_names import near

ODD = st.text(max_size=30) | st.text(alphabet="./\\:ab-_ \x00\u0301é", max_size=12)


@pytest.mark.parametrize(
    "name",
    ["a/b", "mara/batch-discount", "0/1", "kai/n-839e6a", "a/é", "a/аренда-h100", "a/कीमत", f"{'a' * 160}/{'b' * 160}"],
)
def test_a_node_id_of_ours_belongs_to_its_brain(name):
    assert check_node_id(name) == name
    with pytest.raises(InvalidNameError, match="does not begin with the brain 'other'"):
        check_node_id(name, "other")


@pytest.mark.parametrize(
    "name",
    ["notes/../../../pwn", "/abs", "/tmp/x", "a", "a/", "/a", "a/b/c", "a//b", "A/b", "a/B", "a/b.", "a/..", "../a", "a/b\x00",
     "a/b\n", "a\\b/c", "c:/x", "é/a", "a/É", "a/e\u0301", "a/価格、", "a/аренда--h100", "a/а\u200bб", "a/-b", "a/b-", "a/b--c", "a/b_c", "a/b c", f"a/{'b' * 161}", "a/%2e%2e", "a/\ud800"],
)  # fmt: skip  # one list
def test_no_node_id_of_ours(name):
    with pytest.raises(InvalidNameError, match="node id"):
        check_node_id(name)


@given(ODD)
def test_every_slug_keeps_the_rule(title):
    assert check_brain(ascii_slug(title))
    assert is_slug(slug(title))
    assert slug(slug(title)) == slug(title)
    for name in distinct([(slug(title), "a"), (slug(title), "a"), (slug(title), "b")]):
        check_node_id(f"a/{name}")


@given(ODD)
def test_a_brain_is_refused_or_stored_under_a_valid_name(text):
    try:
        stored = brain_named(text)
    except InvalidNameError:
        return
    assert check_brain(stored) == stored == brain_named(stored)


def test_a_brain_is_named_as_people_write_it_and_a_path_is_none():
    assert [brain_named(name) for name in ("Mara Ohlsson", "@kai", "v1.2")] == ["mara-ohlsson", "kai", "v1-2"]
    for text in ("../x", "a/b", "a\\b", "..", "", " ", "\x00", "a\x00b", "a\nb", "--", "/abs"):
        with pytest.raises(InvalidNameError):
            brain_named(text)


@pytest.mark.parametrize(
    "name",
    ["", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a/...", "a\\b", "C:/a", "c:", "a\x00", "a\nb", "a\x85b",
     "a\u2028b", "a\ud800", "é" * 200, "a/" * 600 + "a"],
)  # fmt: skip  # one list
def test_no_name_of_a_document(name):
    with pytest.raises(InvalidNameError, match="document name"):
        check_document(name)


def test_a_name_of_a_document():
    for name in (
        "a.md", "notes/batch.md", "Acme Inc./note.md", "é/日本.md", "a...md", "Re: it.md", "a b.md", "..a", "Q: why.md",
        "x" * 255,
    ):  # fmt: skip  # rows
        assert check_document(name) == name


@given(ODD)
def test_the_pattern_of_the_api_allows_what_the_rule_allows(name):
    try:
        check_document(name)
    except InvalidNameError:
        return
    assert re.fullmatch(DOCUMENT_PATTERN[1:-1], name)


RESERVED = getattr(ntpath, "isreserved", lambda name: PureWindowsPath(name).is_reserved())
"""Whether Windows keeps a name for itself; Python 3.13 has a function for it."""


@given(ODD | st.tuples(ODD, ODD).map("/".join))
def test_a_note_file_stays_in_its_folder_on_every_system(node_id):
    path = note_file(node_id)
    parts = PurePosixPath(path).parts
    assert PureWindowsPath(path).parts == parts
    assert len(parts) == 2
    for part in parts:
        assert len(part.encode()) < 255
        assert part == part.lower()
        assert not part.endswith((".", " "))
        assert not RESERVED(part)


NEAR = st.sampled_from(["a/b", "A/b", "a/B", "a/é", "a/e\u0301", "a/con", "a/con_", "a/b/c", "a/b-c", "../a", "a/.."])


@given(st.lists(NEAR | ODD))
def test_no_two_ids_are_one_file(ids):
    ids = {node_id if "/" in node_id else f"{node_id}/" for node_id in ids}
    assert len({same_file(note_file(node_id)) for node_id in ids}) == len(ids)


KNOWN = (
    "anthropic/sonnet", "anthropic/claude-3-5-sonnet", "anthropic/haiku", "coreweave/h100-sxm", "analyst/tides",
    "analyst/kv-cache-budget", "utilisation", "output", "input",
)  # fmt: skip


@pytest.mark.parametrize(("asked", "first"), [
    ("antropic/sonet", "anthropic/sonnet"), ("sonnet", "anthropic/sonnet"), ("SONNET", "anthropic/sonnet"),
    ("openai/sonnet", "anthropic/sonnet"), ("anthropic/sonnet/input", "anthropic/sonnet"),
    ("h100", "coreweave/h100-sxm"), ("analyst/kv-cache", "analyst/kv-cache-budget"), ("inptu", "input"),
    ("utilization", "utilisation"), *((nothing, None) for nothing in ("", "zz", "q", "analyst/zzzz", "x" * 5000)),
])  # fmt: skip  # rows
def test_the_likest_comes_first_and_what_is_like_nothing_suggests_nothing(asked, first):
    assert near(asked, KNOWN)[:1] == ([first] if first else [])


@given(st.text(max_size=40), st.lists(st.text(max_size=12), max_size=12), st.integers(1, 4))
def test_suggestions_are_known_names_each_once_and_few(asked, names, count):
    found = near(asked, names, count)
    assert len(found) == len(set(found)) <= count
    assert set(found) <= set(names)


ENTRIES = (
    (("acme/large", "large"), "price"),
    (("acme/large-turbo", "large-turbo"), "price"),
    (("A large batch of tokens costs less.", "batch-of-tokens"), "waiting halves the rent"),
    (("Élan vital",), ""),
)
NUMBERED = partial(NameTable, range(len(ENTRIES)), ENTRIES.__getitem__)


@pytest.mark.parametrize(("query", "levels"), [
    ("large", {0: EXACT, 1: BEGINS, 2: NAMED}), ("acme large", {0: EXACT, 1: BEGINS}),
    ("price of large", {0: MENTIONED, 1: MENTIONED}), ("batches", {2: BEGINS}), ("rent batch", {2: MENTIONED}),
    ("tok*", {2: NAMED}), ("tok", {}), ("elan", {3: BEGINS}), ("nothing large", {}), ("", {}),
])  # fmt: skip  # rows
def test_an_entry_needs_every_word_and_its_level_says_how_well_it_matches(query, levels):
    assert {number: level for level, number in NUMBERED().find(query_words(parse(query)))} == levels


def test_where_names_are_what_counts_other_words_find_nothing_alone():
    """`cost` in a search found every price, because the word may be added to the name of one."""
    index = NUMBERED(by_name=True)
    found = {text: {one for _, one in index.find(query_words(parse(text)))} for text in ("price", "price of large")}
    assert found == {"price": set(), "price of large": {0, 1}}
    assert index.find(typed_words("pri")) == []


def test_the_word_that_is_being_typed_may_be_incomplete():
    index = NUMBERED()
    assert typed_words("lar").open
    assert not typed_words("large ").open
    assert index.find(typed_words("acme lar")) == [(BEGINS, 0), (BEGINS, 1)]
    assert index.find(typed_words("lar ")) == []
    assert index.find(typed_words("large and")) == [], "and may become android"
    assert [one for _, one in index.find(typed_words("batch of to"))] == [2]
    assert NameTable((), lambda one: one).find(NameWords(("large",))) == []
