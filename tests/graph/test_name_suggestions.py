"""What is suggested for a name that is not there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.text.similar_names import near

NAMES = (
    "anthropic/sonnet", "anthropic/claude-3-5-sonnet", "anthropic/haiku", "coreweave/h100-sxm", "analyst/tides",
    "analyst/kv-cache-budget", "utilisation", "output", "input",
)  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("antropic/sonet", "anthropic/sonnet"),
        ("sonnet", "anthropic/sonnet"),
        ("SONNET", "anthropic/sonnet"),
        ("openai/sonnet", "anthropic/sonnet"),
        ("anthropic/sonnet/input", "anthropic/sonnet"),
        ("h100", "coreweave/h100-sxm"),
        ("analyst/kv-cache", "analyst/kv-cache-budget"),
        ("inptu", "input"),
        ("utilization", "utilisation"),
    ],
)
def test_the_likest_comes_first(asked, first):
    assert near(asked, NAMES)[0] == first


@pytest.mark.parametrize("asked", ["", "zz", "q", "analyst/zzzz", "x" * 5000])
def test_what_is_like_nothing_suggests_nothing(asked):
    assert near(asked, NAMES) == []


@given(st.text(max_size=40), st.lists(st.text(max_size=12), max_size=12), st.integers(1, 4))
def test_suggestions_are_known_names_each_once_and_few(asked, names, count):
    found = near(asked, names, count)
    assert len(found) == len(set(found)) <= count
    assert set(found) <= set(names)
