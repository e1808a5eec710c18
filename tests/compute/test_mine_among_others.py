"""What a sentence claims does not depend on the sentences around it that have nothing to do with it.

Found with a list of plain errors: alone most of them were refuted, as bullets of one list or sentences of one paragraph hardly
any. The network had learned that texts full of figures claim little, and any of sixteen figures nearby could excuse one.
"""

import pytest

from tests.bench.bench_mining import LAYOUTS, among_others, joined, miner, pairs, passage

STATEMENTS = [
    ("Prices fell from $8 to $2, a cut of 75%.", "75%", "45%"),
    ("It costs $90 for 30 users, $3 per user.", "$3 per", "$5 per"),
    ("The rent is $1,200 a month, which is $14,400 a year.", "$14,400", "$20,400"),
    ("Eight GPUs at $2.50 an hour for 24 hours cost $480.", "$480", "$740"),
    ("Sales went up from 120 to 180, an increase of 50%.", "50%", "80%"),
    ("We read 42 million tokens at $0.60 a million, which comes to $25.20.", "$25.20", "$35.90"),
]


def verdicts(tool, texts, layout):
    """What is said of each of some texts that are put together."""
    text, starts = joined(texts, *LAYOUTS[layout])
    found = tool.mine(passage(text))
    return [
        {one.verdict for one in found if start <= one.figure_start < start + len(part)}
        for start, part in zip(starts, texts, strict=True)
    ]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_true_statements_of_a_list_hold_and_none_is_refuted(tool, layout):
    found = verdicts(tool, [text for text, _, _ in STATEMENTS], layout)
    assert [some == {"holds"} for some in found] == [True] * len(STATEMENTS)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_plain_errors_are_refuted_also_among_other_statements(tool, layout):
    refuted = 0
    for turn in (0, 1):
        wrong = [place % 2 == turn for place in range(len(STATEMENTS))]
        mixed = [
            text.replace(was, error) if bad else text for bad, (text, was, error) in zip(wrong, STATEMENTS, strict=True)
        ]
        found = verdicts(tool, mixed, layout)
        assert not any("refuted" in some for some, bad in zip(found, wrong, strict=True) if not bad)
        refuted += sum("refuted" in some for some in found)
    assert refuted >= 3


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_bank_by_another_hand_is_read_as_well_among_others(tool, layout):
    counts = among_others(tool, [*pairs(folder="unseen/k60")][:90], layout)
    assert counts["found"] >= counts["pairs"] * 0.65
    assert counts["refuted"] >= counts["pairs"] * 0.3
    assert counts["accused"] <= 2


def test_a_list_is_held_to_its_total_also_between_other_sentences():
    """Words of the next sentence hid the end of the list, and those of the one before seemed to say that it is not all."""
    text = (
        "Rent fell from €12,000 to €9,000 a month, a cut of 25%, without any other change. There are 31 desks: 18 let and"
        " 17 owned. The new press prints 90 pages a minute, including the covers."
    )
    assert [
        text[one.figure_start : one.figure_end] for one in miner().mine(passage(text)) if one.verdict == "refuted"
    ] == ["31"]
