"""What figures come to in base units, rows of tables as sentences, and what explains that two figures differ."""

import pytest

from compute.mining.contradiction_candidates import candidates
from compute.mining.contradiction_meanings import differing, statings
from compute.mining.contradiction_rows import row_texts
from tests.bench.bench_contradictions import text_of


def figures(text, name="a/one"):
    return [*statings(text_of(name, text))]


def of(figure, text):
    return next(one for one in figures(text) if figure in one.measure.figure.text)


SAME = [
    (
        "30 requests a second",
        "It takes 30 requests a second.",
        "1,800",
        "At most 1,800 requests per minute get through.",
    ),
    ("20 milliseconds", "It needs 20 milliseconds for every token.", "50 tokens", "It writes 50 tokens per second."),
    ("£9,500", "She is paid £9,500 a month before tax.", "£114,000", "Her salary is £114,000 a year."),
    (
        "118",
        "They use 118 litres of water a day.",
        "43.1",
        "A resident used 43.1 m³ in 2021, which is 43.1 m³ per year.",
    ),
    ("$4.10", "Growers got $4.10 per kilo.", "$1.86", "Growers got $1.86 a pound."),
    ("38", "They picked 38 tonnes per hectare.", "3.8", "The harvest was 3.8 kg per square metre."),
    ("25 gigabytes", "The link carries 25 gigabytes a second.", "200 Gb/s", "Each link is rated at 200 Gb/s."),
    ("245 basis", "The margin was 245 basis points.", "2.45%", "A margin of 2.45% was reported."),
    ("9", "A question takes 9 kJ.", "2.5 Wh", "It uses 2.5 Wh."),
    ("3,600", "It flies 3,600 nmi.", "6,667", "Its range is 6,667 km."),
    ("$0.6", "It is $0.6 per thousand tokens.", "$600", "It is $600 per million tokens."),
    ("34 billion", "It has 34 billion weights.", "34B", "A network of 34B parameters."),
]


@pytest.mark.parametrize(("first", "one", "second", "two"), SAME)
def test_one_value_in_other_units_is_no_difference(first, one, second, two):
    here, there = of(first, one), of(second, two)
    assert {value.dimension for value in here.values} & {value.dimension for value in there.values}
    assert differing(here, there) is None


def test_another_value_in_another_unit_differs():
    one, two = of("30 requests", "It takes 30 requests a second."), of("600", "It takes 600 requests per minute.")
    assert differing(one, two)


def test_a_year_is_no_figure_and_a_length_is_no_mass():
    assert not [one for one in figures("It was built in 1964.") if one.values]
    assert differing(of("3", "It is 3 km long."), of("4", "It weighs 4 kg.")) is None


ROWS = [
    ("| model | input, $ per 1k tokens |\n|---|---|\n| Alder | 0.0006 |", "Alder, input: $0.0006 per 1k tokens"),
    ("| card | peak BW (GB/s) |\n|---|---|\n| Tarn T7 | 2,400 |", "Tarn T7, peak BW: 2,400 GB/s"),
    ("| hall | PUE (2023) |\n|---|---|\n| Vik | 1.12 |", "Vik, PUE (2023): 1.12"),
    ("Orlo M3 | bandwidth 3.35 TB/s", "Orlo M3: bandwidth 3.35 TB/s"),
]


@pytest.mark.parametrize(("table", "said"), ROWS)
def test_a_cell_is_a_sentence(table, said):
    passage = text_of("a/one", table)
    row = next(row_texts(passage))
    assert row.text == said
    assert said[row.at :].startswith(table[row.start : row.end])


def test_the_figure_of_a_cell_is_where_it_stands_in_the_table():
    table = "| card | peak BW (GB/s) |\n|---|---|\n| Tarn T7 | 2,400 |"
    figure = figures(table)[0].measure.figure
    assert table[figure.start : figure.end] == "2,400"


EXPLAINED = [
    ("The Tarn node rents for $16 an hour.", "Eight Tarn cards make a node, at $2 an hour each."),
    ("On TarnBench the model solved 71.4% of the tasks.", "The model failed 28.6% of the tasks on TarnBench."),
    ("Half of the heat of Tarn is from wood.", "Heat of Tarn in shares: wood 50%, waste 38%."),
]


@pytest.mark.parametrize(("one", "two"), EXPLAINED)
def test_what_a_text_explains_is_not_compared(one, two):
    assert [*candidates([*figures(one), *figures(two, "b/two")])] == []


def test_figures_of_other_years_are_not_compared():
    one, two = figures("In 2019 Tarn drew 41,000 visitors."), figures("In 2021 Tarn drew 36,000 visitors.", "b/two")
    assert [*candidates([*one, *two])] == []
    assert [*candidates([*one, *figures("Tarn drew 36,000 visitors in 2019.", "b/two")])]
