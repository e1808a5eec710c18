"""What a query means, and that there is no wrong one."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.search.query_language import AllOf, AnyOf, Filter, InTitle, Item, Phrase, Prefix, Word, parse, text_of
from graph.search.tokenizer import fold, stem, stems, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Prices of GPT-4o fell 3.5%", ["prices", "of", "gpt", "4o", "fell", "3.5"]),
        ("1,000 H100s/FP8", ["1000", "h100s", "fp8"]),
        ("naïve Café ﬁve", ["naive", "cafe", "five"]),
        ("don't snake_case", ["don", "t", "snake", "case"]),
        ("東京 2026", ["東", "京", "2026"]),
        ("…!?*", []),
        ("a" * 100, ["a" * 64]),
    ],
)
def test_text_is_divided_into_words(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    "text", ["naïve Übergröße, señorita", "한국어 카드", "ガスの値段", "שָׁלוֹם", "क़लम", "Zürich-3.5 é_à"]
)
def test_composed_and_decomposed_texts_have_the_same_words(text):
    composed, decomposed = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert words(composed) == words(decomposed)
    assert stems(composed) == stems(decomposed)


def test_forms_of_a_word_have_one_stem_and_figures_stay():
    assert stem("Caching") == stem("caches") == stem("CACHED")
    assert stems("H100 3.5 GPUs vllm") == ["h100", "3.5", "gpu", "vllm"]
    assert stem("gas") == "gas"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("utilisation", "utilization"),
        ("optimised", "optimizes"),
        ("quantise", "quantizing"),
        ("amortise", "amortization"),
        ("tokeniser", "tokenizers"),
        ("analyse", "analyzing"),
        ("prioritise", "prioritized"),
        # these only look British
        ("precise", "precision"),
        ("revise", "revision"),
        ("advertised", "advertisement"),
    ],
)
def test_british_and_american_spelling_are_one(one, other):
    assert stem(one) == stem(other)


@given(st.text(max_size=80))
def test_folding_twice_is_folding_once(text):
    assert all(fold(word) == word for word in words(text) if len(word) < 64)


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("caching prices", (Word("cach"), Word("price"))),
        ('"prompt caching"', (Phrase(("prompt", "cach")),)),
        ("GPT-4", (AnyOf((Phrase(("gpt", "4")), Word("gpt4"))),)),
        ("3/4", (Phrase(("3", "4")),)),
        ('"break-even"', (Phrase(("break", "even")),)),
        ("quant*", (Prefix("quant"),)),
        ("gpt-4*", (AllOf((Word("gpt"), Prefix("4"))),)),
        ("title:caching", (InTitle(Word("cach")),)),
        ('title:"two words"', (InTitle(Phrase(("two", "word"))),)),
        ("note: barley", (Word("note"), Word("barlei"))),
        ("kind:unheard", (Phrase(("kind", "unheard")),)),
        ("the price of it", (Word("price"),)),
        ("the of", (Word("the"), Word("of"))),
        ("Why does rye vs. oats pay?", (Word("rye"), Word("oat"), Word("pay"))),
        ("the* or* rye", (Prefix("the"), Prefix("or"), Word("rye"))),
        ('"unclosed quote', (Word("unclos"), Word("quot"))),
        ("tag:", (Word("tag"),)),
        ("((b)) OR && b:c", (Word("b"), Phrase(("b", "c")))),
    ],
)
def test_what_is_looked_for(typed, wanted):
    assert tuple(item.text for item in parse(typed).required) == wanted


@pytest.mark.parametrize(
    ("typed", "filters"),
    [
        ("tag:Prompt-Caching", (Filter("tag", "prompt-caching"),)),
        ("tag:#gpu -tag:cpu", (Filter("tag", "gpu"), Filter("tag", "cpu", negated=True))),
        ('tag:"two words" kind:Theses', (Filter("tag", "two words"), Filter("kind", "thesis"))),
        ("-kind:reading BRAIN:ada", (Filter("kind", "reading", negated=True), Filter("brain", "ada"))),
    ],
)
def test_what_must_hold(typed, filters):
    asked = parse(typed)
    assert asked.filters == filters
    assert asked.items == ()


def test_what_is_left_out_that_nothing_typed_is_everything_and_only_marks_are_nothing_and_how_items_are_joined():
    asked = parse('barley -oats -"rye bread"')
    assert asked.required == (Item("barley", Word("barlei")),)
    assert [item.text for item in asked.unwanted] == [Word("oat"), Phrase(("rye", "bread"))]
    assert (parse("  ").blank, parse("  ").empty) == (True, False)
    assert (parse("?!").empty, parse("?! tag:x").empty) == (True, False)
    items = parse("barley oats").required
    assert text_of(items) == AllOf((Word("barlei"), Word("oat")))
    assert text_of(items, relaxed=True) == AnyOf((Word("barlei"), Word("oat")))
    assert text_of(()) is None


PIECES = st.sampled_from(['"', *"-* #a\\(\x00é", "tag:", "kind:", "title:", "brain:", "barley"])


@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=30).map("".join)))
def test_there_is_no_wrong_query(typed):
    asked = parse(typed)
    assert asked.typed == typed
    assert len(asked.items) + len(asked.filters) <= 32
