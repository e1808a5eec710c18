"""What makes mining quick leaves nothing out: each shortcut finds the same as the plain way."""

import json
from datetime import date

import pytest

from compute.mining import (
    claim_model,
    date_text,
    figure_reader,
    price_tables,
    spelled_numbers,
    text_windows,
)
from compute.mining.figure_reader import figures
from compute.mining.miner import RULES, Miner
from compute.mining.model_mentions import Lexicon
from compute.mining.number_words import numerals
from compute.mining.price_days import paragraph_day
from compute.mining.rate_relations import _counts_of
from compute.mining.table_figures import table_figures
from compute.mining.text_windows import windows
from tests.bench.bench_mining import BANK, DAY, pairs, passage, price_miner, price_pairs


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


def test_weights_are_read_as_they_were_written_and_add_up_packed_as_one_by_one(tmp_path):
    weights = claim_model.learned()
    claim_model.saved(weights, tmp_path / "weights.json")
    again = claim_model.read(tmp_path / "weights.json")
    plain = json.loads((tmp_path / "weights.json").read_text("utf-8"))
    assert again.rules == weights.rules == tuple(plain["rules"])
    assert [*again.rows] == [*plain["traits"]]
    assert (100 * again.matrix).round().tolist() == [*plain["traits"].values()]
    assert (again.bias == weights.bias).all()
    names = [*weights.rows]
    groups = [tuple(names[:3]), (), tuple(names[40:90]), ("a trait without a weight", names[7])]
    packed = weights.packed(groups)
    alone = 100 * weights.summed(tuple(name for group in groups for name in group))
    mask = (1 << claim_model._WIDTH) - 1
    columns = weights.columns.values()
    read = [(packed >> place * claim_model._WIDTH & mask) - claim_model._ZERO for place in columns]
    assert [one / (claim_model._PARTS // 100) for one in read] == [float(round(one)) for one in alone.tolist()]


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
    days = [paragraph_day(text, start) for start in starts]
    assert [day and day.last for day in days] == [date(2024, 5, 31), date(2024, 6, 30), None, None]


@pytest.fixture(scope="module")
def book():
    """The packaged prices."""
    return price_miner()._book


@pytest.fixture(scope="module")
def prices():
    """The sentences of the bank of prices."""
    return " ".join(pair["true"] for pair in price_pairs("build"))


def test_set_phrases_are_found_without_a_numeral_before_them():
    words = "The plant pays for itself within a year. It took twenty grand, an hour and a half and ten Grand."
    found = [one.text.strip() for one in spelled_numbers.phrases(words)]
    assert found == ["a year", "twenty grand", "an hour and a half", "ten Grand"]


def test_periods_are_found_only_where_a_year_is(prices):
    forms = "13 May 2024, March 2024, 2024-05-13, Q3 2024, early 2025, in 2024, until April 2026, from May to June 2025"
    for text, least in ((prices, 5), (forms, 9)):
        assert list(date_text.periods(text)) == list(date_text._stated(text))
        assert len(date_text.periods(text)) >= least
    assert date_text.periods("In May, on Monday and since spring.") == ()


def test_the_last_model_before_an_offset_is_that_of_the_text_up_to_it(book, prices):
    lexicon, text = Lexicon(book), f"GPT-4o costs $2.\n\n{prices}\n\n{prices}"
    for start in (*passage(text).borders, *range(5, 600)):
        begin = text.rfind("\n\n", 0, start) + 1
        named = [*lexicon.mentions(text[begin:start])]
        last = lexicon.last_between(text, begin, start)
        assert text_windows.paragraph(text, start)[0] == begin
        assert (last and last.item) == (named[-1].item if named else None)


def test_twice_the_text_is_twice_the_work(book, monkeypatch):
    work = []
    found = claim_model.candidates
    monkeypatch.setattr(claim_model, "candidates", lambda *given: work.append(made := found(*given)) or made)
    sentences = (
        "GPT-4o costs $2.50 per million input tokens. It was $4 and is $5, 25% more, for 9 seats. It is cheap at $3. "
    )
    for joint in ("", "\n- "):
        tried, read, counted = [], [], []
        for times in (8, 16):
            miner, _, _ = Miner(book, DAY), work.clear(), _counts_of.cache_clear()
            miner._pricing._lexicon._pattern = names = Characters(miner._pricing._lexicon._pattern)
            seats = f"{joint}There are 8 seats at $5 per seat ($40 total). "
            miner.mine(passage((joint + sentences + seats) * times))
            tried.append(sum(map(len, work)))
            read.append(names.read)
            counted.append(_counts_of.cache_info().misses)
        assert tried[0] > 100
        assert tried[1] < 2.2 * tried[0]
        assert read[0] > 100
        assert read[1] < 2.2 * read[0]
        assert counted == [1, 1]


class Characters:
    """A pattern that counts the characters in which it is searched."""

    def __init__(self, pattern):
        self._pattern, self.read = pattern, 0

    def finditer(self, text, *span):
        start, end = span or (0, len(text))
        self.read += end - start
        return self._pattern.finditer(text, start, end)


def test_the_gpus_of_a_table_are_searched_once_and_not_for_each_cell(monkeypatch):
    """A table of 800 hosts took six seconds, one of twice as many 24."""
    rows = "".join(f"| Site {number} | ${2 + number % 7}.{number % 10}0 |\n" for number in range(60))
    table, read, search = f"| Host | Price per hour |\n|---|---|\n{rows}", [], price_tables.gpus
    monkeypatch.setattr(price_tables, "gpus", lambda words: read.append(len(words)) or search(words))
    price_miner().mine(passage(table))
    assert len(read) > 60
    assert sum(read) < 10 * len(table)
