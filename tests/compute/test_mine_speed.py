"""What makes mining quick leaves nothing out: each shortcut finds the same as the plain way."""

from datetime import date

import pytest

from compute.mining import figure_reader, price_statements, spelled_numbers, text_windows
from compute.mining.figure_reader import figures
from compute.mining.miner import RULES
from compute.mining.number_words import numerals
from compute.mining.table_figures import table_figures
from compute.mining.text_windows import windows
from tests.bench.bench_mining import BANK, pairs, passage


@pytest.fixture(scope="module")
def text():
    """The sentences of all banks."""
    return "\n\n".join(true for folder in ("", "unseen/k12") for true, _ in pairs(folder=folder))


def test_the_quick_search_for_numerals_finds_all(text):
    for pattern in (figure_reader._SPELLED, spelled_numbers._WORDED):
        found = [match.span() for match in numerals(pattern, text)]
        assert found == [match.span() for match in pattern.finditer(text)]
        assert len(found) > 50
    for phrase in ("an hour and a half", "for a fiver", "at a tenner", "Three quarters of an hour", "time and a half"):
        assert [match[0] for match in numerals(spelled_numbers._HALVES, f"It was {phrase}.")] == [phrase]


def test_no_rule_finds_more_if_its_patterns_are_tried_without_the_tags_they_need(text, monkeypatch):
    drafts = [path.read_text("utf-8") for path in sorted(BANK.glob("drafts/*.md"))]
    every = [window for some in (*drafts, text) for window in windows(passage(some))]
    quick = [list(rule(window)) for window in every for rule in RULES]
    monkeypatch.setattr(text_windows, "_tags_fit", lambda pattern, tags: True)
    assert quick == [list(rule(window)) for window in every for rule in RULES]
    assert sum(map(len, quick)) > 40


def test_a_table_of_two_thousand_rows_is_read_row_by_row():
    rows = "\n".join(f"| row {row} | ${row} |" for row in range(2000))
    mask = f"| item | price |\n|---|---|\n{rows}"
    found = figures(mask)
    assert len(found) >= 2000
    assert table_figures(mask, 0, len(mask), Counted(found)) == []
    assert Counted.read < 100
    assert [one.text for one in table_figures(mask, 0, 60, figures(mask[:60]))] == ["$0", "$1"]


class Counted(tuple):
    """Figures that count how many of them are taken in slices."""

    read = 0

    def __getitem__(self, place):
        found = super().__getitem__(place)
        Counted.read += len(found) if isinstance(place, slice) else 1
        return found


def test_the_day_of_a_price_is_the_last_one_before_it_in_its_paragraph():
    text = "In May 2024 it was $5. In June 2024 it was $4. It is $3.\n\nNow it is $2. In July 2024 it was $1."
    starts = [text.index(words) for words in ("In June", "It is", "Now", "In July")]
    days = [price_statements._paragraph_day(passage(text), start) for start in starts]
    assert [day and day.last for day in days] == [date(2024, 5, 31), date(2024, 6, 30), None, None]
