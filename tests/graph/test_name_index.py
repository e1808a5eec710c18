"""Names in memory: every word, in any form and order; the better the name, the lower the level."""

import pytest

from graph.search.name_index import BEGINS, EXACT, MENTIONED, NAMED, NameIndex, NameWords, query_words, typed_words
from graph.search.query_language import parse

ENTRIES = (
    (("acme/large", "large"), "price"),
    (("acme/large-turbo", "large-turbo"), "price"),
    (("A large batch of tokens costs less.", "batch-of-tokens"), "waiting halves the rent"),
    (("Élan vital",), ""),
)


@pytest.mark.parametrize(
    ("query", "levels"),
    [
        ("large", {0: EXACT, 1: BEGINS, 2: NAMED}),
        ("acme large", {0: EXACT, 1: BEGINS}),
        ("price of large", {0: MENTIONED, 1: MENTIONED}),
        ("batches", {2: BEGINS}),
        ("rent batch", {2: MENTIONED}),
        ("tok*", {2: NAMED}),
        ("tok", {}),
        ("elan", {3: BEGINS}),
        ("nothing large", {}),
        ("", {}),
    ],
)
def test_an_entry_needs_every_word_and_its_level_says_how_well_it_matches(query, levels):
    assert {one.number: one.level for one in NameIndex(ENTRIES).find(query_words(parse(query)))} == levels


def test_where_names_are_what_counts_other_words_find_nothing_alone():
    """`cost` in a search found every price, because the word may be added to the name of one."""
    index = NameIndex(ENTRIES, by_name=True)
    found = {text: {one.number for one in index.find(query_words(parse(text)))} for text in ("price", "price of large")}
    assert found == {"price": set(), "price of large": {0, 1}}
    assert index.find(typed_words("pri")) == []


def test_the_word_that_is_being_typed_may_be_incomplete():
    index = NameIndex(ENTRIES)
    assert typed_words("lar").open
    assert not typed_words("large ").open
    assert [(one.level, one.number) for one in index.find(typed_words("acme lar"))] == [(BEGINS, 0), (BEGINS, 1)]
    assert index.find(typed_words("lar ")) == []
    assert index.find(typed_words("large and")) == [], "and may become android"
    assert [one.number for one in index.find(typed_words("batch of to"))] == [2]
    assert NameIndex(()).find(NameWords(("large",))) == []
