"""The solver on its banks: wordings of a relation with their wrong twins, and true sentences that look wrong."""

from datetime import date
from decimal import Decimal

import pytest

from compute.mining.figure_reader import figures
from compute.mining.quantities import sentences
from compute.mining.spelled_numbers import spelled
from compute.mining.statement_judge import JudgeInputs
from tests.bench.bench_mining import mutations, pairs, passage, tricky, verdicts, wordings

DAY = date(2026, 11, 21)


def test_most_wordings_are_found_and_most_wrong_twins_refuted(tool):
    counts = wordings(tool, "build")
    assert counts["found"] >= counts["pairs"] * 0.75
    assert counts["refuted"] >= counts["pairs"] * 0.6


def test_no_true_wording_of_the_bank_is_refuted(tool):
    assert [true for true, _ in pairs("build") if "refuted" in verdicts(tool, true)] == []


def test_no_tricky_true_sentence_of_the_bank_is_refuted(tool):
    assert [text for text in tricky("build") if "refuted" in verdicts(tool, text)] == []


def test_two_prices_with_a_slash_are_no_quotient(tool):
    """What is cheaper than a model whose price the sentence does not state was refuted by input divided by output."""
    text = "Wren Mini came in from below: $0.20 / $0.80 per million tokens — 60% cheaper than Wren Turbo, their old workhorse."
    assert "refuted" not in verdicts(tool, text)
    assert "holds" in verdicts(tool, "$30 / $40 = 75% of the fare.")


KNOWN_WRONG = (
    "3,500", "$1.1K/yr", "fifteen times", "6.68 MW", "$667K annually", "1.44×", "2–3×", "2-3x", "8x",
    "580 additional GPUs", "$2.50 per million input tokens", "$10 per million output tokens", "$5", "$24", "$16",
    "$3.20", "$0.80", "9%",
)  # fmt: skip  # one table
"""The figures of the documents that `docs/errata.md` knows to be wrong, as mining reads them."""


def test_no_true_figure_of_the_real_documents_is_refuted(tool, real_documents):
    for path in sorted(real_documents.iterdir()):
        text = path.read_text("utf-8")
        refuted = [one for one in tool.mine(passage(text)) if one.verdict == "refuted"]
        assert {text[one.figure_start : one.figure_end] for one in refuted} <= {*KNOWN_WRONG}, path.name


def test_a_changed_figure_seldom_holds(tool):
    sure = mutations(tool, "build", Decimal("0.8"))
    assert sure["refuted"] >= sum(sure.values()) * 0.85
    counts = mutations(tool, "build")
    assert counts["refuted"] >= sum(counts.values()) * 0.75
    assert counts["holds"] <= sum(counts.values()) * 0.02


def test_the_formula_of_a_statement_computes_its_figure(tool):
    wrong = []
    engine = JudgeInputs(tool._book, DAY)
    for both in pairs("build"):
        for text in both:
            for one in tool.mine(passage(text)):
                if one.verdict in {"holds", "refuted"} and one.computed is not None:
                    value = engine.value(one.expression, one.inputs, one.unit)
                    if value is None or abs(value - one.computed) > abs(one.computed) / 10_000:
                        wrong.append(
                            (text, one.expression, [given.formula for given in one.inputs], value, one.computed)
                        )
    assert wrong == []


FACT = [
    "The plan fell from $8 to $2, a {} cut.",
    "Once $8, the plan is now $2: {} off.",
    "We cut the plan by {}, from $8 to $2.",
    "$8 → $2 (−{}).",
    "The plan is down {} to $2 from $8.",
    "At $2 instead of $8, the plan is {} cheaper.",
    "A plan that was $8 is $2 now, {} less.",
    "The plan dropped {} (from $8 to $2).",
    "It is {} cheaper: $2 rather than $8.",
    "A drop from $8 to $2, that is, {}.",
    "The plan costs $2, {} less than the former $8.",
    "The plan costs $2 against $8 last year, a {} saving.",
]


@pytest.mark.parametrize("wording", FACT)
def test_one_fact_is_found_in_many_wordings(tool, wording):
    assert verdicts(tool, wording.format("75%")) == ["holds"]


@pytest.mark.parametrize("wording", FACT[:10])
def test_a_wrong_figure_is_refuted_in_many_wordings(tool, wording):
    assert verdicts(tool, wording.format("45%")) == ["refuted"]


@pytest.mark.parametrize(
    "text",
    [
        "We pay $15 per seat per month, so 24 seats cost $4,800 a year after the volume discount.",
        "A 40 kW rack runs for 24 hours and uses 480 kWh, because it idles half of the day.",
        "The fee fell from $8 to $2, a 50% cut including tax.",
    ],
)
def test_a_qualifier_makes_a_miss_an_assumption(tool, text):
    assert "refuted" not in verdicts(tool, text)


def test_a_qualifier_of_the_sentence_before_excuses_only_what_is_computed_from_it(tool):
    before = "Support cost $720,000 a year, half of the old bill."
    text = f"{before} The time fell from 900 ms to 300 ms, so answers come four times as fast."
    assert verdicts(tool, text) == ["refuted"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("two million", 2_000_000), ("a dozen", 12), ("half a million", 500_000), ("twenty-five", 25),
     ("two and a half million", 2_500_000), ("a hundred and twenty", 120)],
)  # fmt: skip
def test_numbers_in_words_are_read(text, value):
    (found,) = spelled(text)
    assert found.low == value


def test_up_to_after_a_verb_of_adding_is_no_bound():
    assert figures("they add up to $24k")[0].hedge == ""
    assert figures("up to $24k")[0].hedge == "at most"


def test_basis_points_are_hundredths_of_a_point():
    assert figures("50 basis points")[0].low == Decimal("0.5")


def test_what_a_quantity_is_per_is_read_from_the_words_around_it():
    (found,) = sentences(passage("Each box holds 12 jars at $2 per jar per month."))
    assert [one.pers for one in found.quantities] == [("box",), ("jar", "month")]


def test_a_version_in_a_header_is_no_count_of_the_items_after_it(tool):
    text = "Layout-Version: 2.5\nName: barrels\nSummary: Casks with staves, hoops, bungs, taps, and more.\n"
    assert verdicts(tool, text) == []
