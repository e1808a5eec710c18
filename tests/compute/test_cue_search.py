"""A pattern is searched only near its cues, and finds what it finds in the whole text."""

from __future__ import annotations

import random
import re

import pytest

from compute.mining import calendar_points, clock_points, clock_reader
from compute.mining.cue_search import MARGIN, found_near

PARTS = (
    "the shop opens at 9:30 and closes at half past five", "noon", "until midnight", "ten o'clock", "eight in the evening",
    "born on 14 March 1879", "since 1931", "from 3.15 pm to ten to six", "1800 hours", "a lap of 1:02.5", "on the 3rd",
    "and then nothing happened for a long while", "as everybody knows", "which is why we left the house", "2024-05-01",
)  # fmt: skip  # a list of texts


@pytest.mark.parametrize(
    ("cue", "pattern"),
    [
        (clock_points._CUE, clock_points._CLOCK),
        (clock_points._POINT, clock_points._DOTTED),
        (calendar_points._DIGIT, calendar_points._DATE),
        (clock_reader._MINUTES, clock_reader._CLOCK),
        (clock_reader._MINUTES, clock_reader._TENTHS),
    ],
)
def test_finds_what_a_search_of_the_whole_text_finds(cue: re.Pattern[str], pattern: re.Pattern[str]) -> None:
    drawn = random.Random(7)
    for length in (1, 3, 40, 400):
        text = ", ".join(drawn.choices(PARTS, k=length))
        expected = [match.span() for match in pattern.finditer(text)]
        assert [match.span() for match in found_near(cue, pattern, text)] == expected
        assert expected or length < 40


def test_windows_that_touch_are_one() -> None:
    text = "7" + "-" * (2 * MARGIN - 2) + "7" + "-" * (3 * MARGIN) + "7"
    found = [match.start() for match in found_near(re.compile(r"\d"), re.compile(r"\d"), text)]
    assert found == [0, 2 * MARGIN - 1, len(text) - 1]
