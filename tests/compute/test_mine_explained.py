"""What a text explains: by a figure that the working leaves out, a goal, a part within a part; and what it does not."""

import pytest

from tests.bench.bench_mining import passage, verdicts

PAIRS = [
    ("She earns €5,200 a month, which makes {} a year. The firm pays fourteen salaries.", "€72,800", "€83,200"),
    ("The lots need 30, 75 and 25 days, a total of {}. A tenth is added for bad weather.", "143 days", "169 days"),
    ("Ten of the 40 guests were vegetarian, {}. Ten more never came.", "a third", "two fifths"),
    ("The model has eight experts of 7 billion parameters each and holds {} in total.", "47 billion", ""),
    ("The bill was $80k; we want it 30% lower, and so far we are at {}.", "$71k", ""),
    ("We hope to cut the 80 incidents a month by half and are at {} so far.", "61", ""),
    ("From 11 members to 1,030, it grew close to a {}.", "hundredfold", "fiftyfold"),
    ("The reading rose by 9°F, or {}°C, within an hour.", "5", "9"),
    ("The noon reading was 50°F, or {}°C.", "10", "28"),
    ("Staff: 220 in the office, of whom 60 temporary, and 80 in the depot, a total of {}.", "300", "390"),
    ("Three buses of 16 seats each have room for {} tourists, since one seat is the guide's.", "45", ""),
    ("Three buses of 16 seats each have room for {} tourists.", "48", "64"),
    ("The founder held 60%. Everybody was diluted by a third, so she is left with {}.", "40%", ""),
    ("The lamp was £100. After 30% off and then 10% off the rest, the total saving is {}.", "£37", ""),
    ("Round 1: 14, round 2: 30, round 3: 22; average: {}", "22", ""),
    ("36 l / 480 km = {} l/100 km", "7.5", ""),
    ("She worked from 22:00 to 6:00, {}. The clocks went back that night.", "nine hours", ""),
    ("She worked from 22:00 to 6:00, {}. The night was quiet.", "eight hours", "five hours"),
]
"""A text, a figure that it explains, and one that is wrong; "" where the text shows nothing that is."""


@pytest.mark.parametrize(("text", "right"), [(text, right) for text, right, _ in PAIRS])
def test_a_figure_that_the_text_explains_is_not_accused(tool, text, right):
    assert "refuted" not in verdicts(tool, text.format(right))


@pytest.mark.parametrize(("text", "wrong"), [(text, wrong) for text, _, wrong in PAIRS if wrong])
def test_a_figure_that_the_explanation_does_not_give_is_accused(tool, text, wrong):
    assert "refuted" in verdicts(tool, text.format(wrong))


@pytest.mark.parametrize("table", ["Ely counts as half.", "One of those at Ely was counted twice."])
def test_a_sentence_below_a_table_that_says_how_a_row_is_counted_makes_its_total_unsure(tool, table):
    text = f"| Site | Staff |\n|---|---|\n| Ely | 30 |\n| Bath | 50 |\n| Total | 90 |\n\n{table}\n"
    found = [one.confidence for one in tool.mine(passage(text)) if one.verdict == "refuted"]
    assert all(sure < 0.5 for sure in found)
