"""Finding quoted words in a text: whatever the text and whatever part of it is quoted."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graph.text.quote_anchor import SHORTEST, figures_of, find_quote, folded, place_in

TEXTS = st.text(alphabet="ab 19.,%*_[]()|>-#`\n“”–é\u0301<&;\\=~!\U000f0000", min_size=1, max_size=80)
BODY = "A cached token costs 90% less. A batch halves the price of every token. The rent is 2.10 USD an hour.\n"
WORDS = st.lists(st.sampled_from(f"{BODY} 3 USD, 4 of 5.5".split()), min_size=4)


def anchored(body, quote):
    found = find_quote(body, quote)
    return (body[found.start : found.end], found.how) if found else None


@given(TEXTS, st.data())
def test_any_part_of_a_text_is_found_in_it(body, data):
    start = data.draw(st.integers(0, len(body) - 1))
    end = data.draw(st.integers(start + 1, len(body)))
    quote = " ".join(body[start:end].split())
    assume(quote)
    text, how = anchored(body, quote)
    assert how in {"exact", "cut"}
    assert " ".join(text.split()) == quote or folded(text).text.strip() == folded(quote).text.strip()


@given(WORDS, st.data())
def test_a_passage_with_other_figures_is_never_called_exact(words, data):
    body = " ".join(words)
    start = data.draw(st.integers(0, len(words) - 1))
    part = words[start : data.draw(st.integers(start + 1, len(words)))]
    changed = [data.draw(st.sampled_from([word, "7", "90%", "few"])) for word in part]
    found = find_quote(body, " ".join(changed))
    if found and found.how == "exact":
        assert figures_of(body[found.start : found.end]) == figures_of(" ".join(changed))


@given(TEXTS, TEXTS, TEXTS, st.data())
def test_a_passage_is_found_again_in_a_longer_text(before, body, after, data):
    start = data.draw(st.integers(0, len(body) - 1))
    end = data.draw(st.integers(start + 1, len(body)))
    assume(body[start:end].split())
    whole = f"{before}\n{body}\n{after}"
    found = place_in(whole, body, start, end)
    assert found
    assert whole[slice(*found)].split() == body[start:end].split() or folded(whole[slice(*found)]).text.split()


@given(TEXTS)
def test_each_character_of_a_folded_text_has_its_place(text):
    plain = folded(text)
    assert len(plain.text) == len(plain.starts) == len(plain.ends)
    assert list(plain.starts) == sorted(plain.starts)
    assert all(0 <= start < end <= len(text) for start, end in zip(plain.starts, plain.ends, strict=True))


@pytest.mark.parametrize(
    ("quote", "text", "how"),
    [
        ("costs 90% less", "costs 90% less", "exact"),
        ("token costs 92% less", "token costs 90% less", "near"),
        ("A batch request halves the price of every token", "A batch halves the price of every token", "near"),
        ("the rent is 2.10 USD per hour", "The rent is 2.10 USD an hour", "near"),
        ("0% less", "0% less", "cut"),
        ("2.1", "2.1", "cut"),
        *((lost, None, None) for lost in ("", " ", "95%", "99 EUR", "nobody said anything like this", "x" * SHORTEST)),
    ],
)
def test_the_nearest_passage_is_shown_as_such_and_what_is_not_there_is_not_found(quote, text, how):
    assert anchored(BODY, quote) == ((text, how) if how else None)


def test_of_two_like_passages_the_one_with_the_same_figure_is_nearest_and_of_several_places_the_first():
    body = "A cached token costs 90% less today. A cached token now costs 75% less tomorrow."
    assert anchored(body, "A cached token costs 75% less") == ("A cached token now costs 75% less", "near")
    found = find_quote("13 USD, 3 USD and 3 USD", "3 USD")
    assert (found.start, found.how) == (8, "exact")


@pytest.mark.parametrize(("markdown", "plain"), [
    ("**95%** of *it*", "95% of it"),
    ("`code` and ~~struck~~ and ==marked==", "code and struck and marked"),
    ("see [the list](https://x.example/a(1)) [5], [17, 18].", "see the list,."),
    ("[[prices|the prices]] of <cite index=\"5-2\">it</cite>", "the prices of it"),
    ("“a” – ‘b’ … &amp; ﬁne", "\"a\" - 'b' ... & fine"),
    ("<td>H100</td><td class=\"x\">2.10 <b>USD</b></td>", " H100 2.10 USD "),
    ("> quoted\n> twice\n- item\n# Head", " quoted twice item Head"),
    ("2*3 snake_case a * b", "2*3 snake_case a * b"),
    ("e\u0301t\u00e9\u200b", "été"),
])  # fmt: skip
def test_markup_and_typography_are_left_out(markdown, plain):
    assert folded(markdown).text == plain


LONG = (" " * 50_000, "|-" * 20_000, "](" * 20_000, "[" * 40_000, "<a" * 20_000, "\n> " * 15_000)


@pytest.mark.parametrize("text", LONG, ids=lambda text: ascii(text[:4]))
def test_no_text_takes_long(text):
    assert find_quote(text, json.dumps("a cached token costs 90% less")) is None
