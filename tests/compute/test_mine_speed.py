"""What makes mining quick leaves nothing out: each shortcut finds the same as the plain way."""

import pytest

from compute.mining import figure_reader, spelled_numbers, text_windows
from compute.mining.miner import RULES
from compute.mining.number_words import numerals
from compute.mining.text_windows import windows
from tests.bench.bench_mining import BANK, pairs, passage


@pytest.fixture(scope="module")
def text():
    """The sentences of all banks."""
    return "\n\n".join(true for folder in ("", "learn", "unseen/k12") for true, _ in pairs(folder=folder))


def test_the_quick_search_for_numerals_finds_all(text):
    for pattern in (figure_reader._SPELLED, spelled_numbers._WORDED):
        found = [match.span() for match in numerals(pattern, text)]
        assert found == [match.span() for match in pattern.finditer(text)]
        assert len(found) > 300
    for phrase in ("an hour and a half", "for a fiver", "at a tenner", "Three quarters of an hour", "time and a half"):
        assert [match[0] for match in numerals(spelled_numbers._HALVES, f"It was {phrase}.")] == [phrase]


def test_no_rule_finds_more_if_its_patterns_are_tried_without_the_tags_they_need(text, monkeypatch):
    drafts = [path.read_text("utf-8") for path in sorted(BANK.glob("drafts/*.md"))]
    every = [window for some in (*drafts, text) for window in windows(passage(some))]
    quick = [list(rule(window)) for window in every for rule in RULES]
    monkeypatch.setattr(text_windows, "_tags_fit", lambda pattern, tags: True)
    assert quick == [list(rule(window)) for window in every for rule in RULES]
    assert sum(map(len, quick)) > 100
