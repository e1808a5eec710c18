"""Answers in pages: whatever the answer, every page fits and all of them hold everything exactly once."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from api.services.answer_pages import PAGE, Answer, ChangedAnswerError, Cursor, digest, page
from graph.store.store_errors import CursorError
from graph.values import dumps, loads
from tests.api.walk import Joined

QUESTION = digest(["tool", {}])

long = st.builds(lambda part, times: part * times, st.text(min_size=1, max_size=20), st.integers(1, 5_000))
texts = st.one_of(st.text(max_size=30), long)
leaves = st.one_of(texts, st.none(), st.booleans(), st.integers(), st.decimals(allow_nan=False, allow_infinity=False))
names = st.sampled_from(["id", "body", "items", "a/b~c", "ümläut"])
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=8) | st.dictionaries(names, inner, max_size=5), max_leaves=40
)


def pages(value):
    cursor, found = None, []
    while True:
        text = page(Answer(value), Cursor.read(cursor, QUESTION))
        found.append((text, loads(text)))
        if (cursor := found[-1][1].get("next")) is None:
            return found


def joined(value):
    whole = Joined()
    for text, one in pages(value):
        assert len(json.dumps(text, ensure_ascii=False).encode()) < PAGE + 1_500
        whole.add(one)
    return whole.value


@given(st.dictionaries(names, trees, max_size=5))
@example({"body": "word " * 60_000, "health": '"\\\n\x01' * 15_000})
@example({"body": "𝄞ü" * 60_000})
def test_the_pages_of_an_answer_hold_it_exactly_once(value):
    assert joined({"value": value}) == loads(dumps({"value": value}))


def test_a_text_is_cut_between_words_and_an_item_that_fits_on_a_page_is_not_split():
    first = pages({"body": "word " * 20_000})[0][1]
    assert first["body"].endswith(" ")
    items = [{"name": f"n{number}", "text": "x" * 9_000} for number in range(9)]
    for _, one in pages({"items": items}):
        assert all(len(item["text"]) == 9_000 for item in one["items"])


def test_a_cursor_of_an_answer_that_has_changed_is_refused():
    first = loads(page(Answer({"items": ["x" * 90_000]}), Cursor.read(None, QUESTION)))
    at = Cursor.read(first["next"], QUESTION)
    with pytest.raises(ChangedAnswerError):
        page(Answer({"items": ["y" * 90_000]}), at)


@given(st.text(max_size=200))
def test_any_text_is_a_cursor_or_is_refused(text):
    with pytest.raises(CursorError):
        Cursor.read(text, QUESTION)


@given(st.integers(-5, 300) | st.integers())
def test_a_made_up_place_is_refused_or_goes_on_to_the_end(piece):
    value = {"a": "x" * 30_000, "items": [{"b": "y" * 30_000}, 1]}
    at = Cursor(QUESTION, None, digest(value), piece)
    try:
        answer = loads(page(Answer(value), Cursor.read(at.text(), QUESTION)))
    except CursorError:
        return
    for _ in range(8):
        if "next" not in answer:
            return
        answer = loads(page(Answer(value), Cursor.read(answer["next"], QUESTION)))
    pytest.fail("the walk does not end")
