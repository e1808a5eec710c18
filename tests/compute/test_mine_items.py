"""Counts of listed items, and sentences with the marks of citations between them."""

import pytest

from tests.bench.bench_mining import passage


def test_a_citation_behind_a_full_stop_does_not_join_two_sentences(tool):
    """The marks of citations are blanks to mining; two sentences around them were read as one."""
    text = (
        '<i index="1-2">Some teams run a three-stage line: wash, press, and fold.</i> <i index="3-4">The press is'
        " new and takes 40 shirts an hour.</i>"
    )
    found = passage(text)
    assert [text[start:][:5] for start in found.borders[1:-1]] == ["</i> "]
    assert [(one.verdict, text[one.figure_start : one.figure_end]) for one in tool.mine(found)] == [("holds", "three")]


def test_times_of_one_unit_are_no_product_of_each_other(tool):
    """Percentiles of 1,200, 287 and 23 ms were said to follow left * right / 1000."""
    text = (
        "| Package | 99th percentile | 95th percentile | 50th percentile |\n|---|---|---|---|\n"
        "| old-reader | 1300 ms | 300 ms | 25 ms |\n| new-reader | 100 ms | 50 ms | 5 ms |\n"
    )
    assert [one.verdict for one in tool.mine(passage(text)) if one.verdict == "refuted"] == []


def test_an_exponent_is_no_number_of_the_text(tool):
    text = "The limit is 2<sup>32</sup> (about 4 GiB), or 10<sup>9</sup> words."
    assert [one.verdict for one in tool.mine(passage(text)) if one.verdict == "refuted"] == []


@pytest.mark.parametrize(
    "text",
    [
        "It needs four copies of the plan (draft, review, final, archive) on the desk.",
        "The kit came in three sizes: 7B, 13B, and 70B.",
        "The norm has three tiers: TX1 (monthly), TX2 (daily), and TX3 (every 15 minutes).",
        "The work has three stages: (1) tuning on demos, (2) training on ranked data, (3) a test.",
    ],
)
def test_a_count_of_items_in_brackets_of_codes_or_with_numbers_is_found(tool, text):
    assert "holds" in {one.verdict for one in tool.mine(passage(text))}
