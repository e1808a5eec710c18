"""What figures come to in base units, rows of tables as sentences, and what explains that two figures differ."""

import pytest

from compute.mining.contradiction_candidates import candidates, one_sided
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
    ("0.9", "The kiln gave off 0.9 Mt of carbon dioxide.", "900,000", "It emitted 900,000 tonnes."),
    ("212", "It boils at 212 °F.", "100", "It boils at 100 °C."),
    ("48 GB", "Each T40 comes with 48 GB.", "48 GB", "It has 48 GB."),
    ("48 kilowatt", "Its pack stores 48 kilowatt-hours.", "48 kWh", "It has a pack of 48 kWh."),
    ("30 MW", "The hall draws 30 MW at its yearly peak.", "30,000 kW", "It takes 30,000 kW at most."),
    ("$0.02", "It is $0.02 for every thousand tokens.", "$20", "It is $20 per million tokens."),
    ("12,000", "The quarry ships 12,000 t a month.", "144,000", "It shipped 144,000 tonnes over the twelve months."),
    ("0.06", "It gives at most 0.06 gigawatts.", "60 MW", "It gives 60 MW."),
    ("0.72", "It fed 0.72 terawatt-hours into the grid.", "720 GWh", "It made 720 GWh."),
    ("2,450", "It put 2,450 kilotonnes into the air.", "2.45", "It emits 2.45 Mt."),
    ("0.21", "It reaches 0.21 exaflops.", "210 petaflops", "It has 210 petaflops."),
    ("forty-eight", "It has forty-eight gibibytes.", "48 GiB", "It has 48 GiB of memory."),
    ("16,000 gigabits", "It carries 16,000 gigabits each second.", "2 terabytes", "It carries 2 terabytes a second."),
    ("half a cent", "Every thousand tokens costs half a cent.", "$5", "It is $5 per million tokens."),
    ("0.06 cents", "Per thousand tokens, the meter adds 0.06 cents.", "$0.6", "It is $0.6 per million tokens."),
    ("61", "Of each hundred people, 61 took part.", "61%", "Turnout was 61%."),
    ("58", "It solves 58 out of a hundred tasks.", "58%", "It solves 58% of them."),
    ("2 GWh", "It makes 2 GWh a month.", "24 GWh", "In 2023 it made 24 GWh."),
]


@pytest.mark.parametrize(("first", "one", "second", "two"), SAME)
def test_one_value_in_other_units_is_no_difference(first, one, second, two):
    here, there = of(first, one), of(second, two)
    assert {value.dimension for value in here.values} & {value.dimension for value in there.values}
    assert differing(here, there) is None


TOGETHER = [
    ("8 seconds", "A thousand tokens took 8 seconds.", "125 tokens", "It writes 125 tokens per second."),
    ("64", "The run kept 64 X5 cards busy for 10 days.", "15,360", "The run took 15,360 GPU-hours."),
    ("64 GPUs", "The run kept 64 GPUs busy for 10 days.", "15,360", "The run took 15,360 X5 GPU-hours."),
    ("64", "The run kept 64 X500s busy for 10 days.", "15,360", "The run took 15,360 X500-hours."),
    ("3 cents", "Reading a million tokens costs 3 cents.", "$0.03", "It reads at $0.03 per million tokens."),
    ("92 cents", "Of each euro given, 92 cents reach the school.", "92%", "The school gets 92% of it."),
    ("seven hours", "In April the site was down for seven hours.", "99.04%", "It was up 99.04% of April."),
    ("nine hours", "In 2023 the site was offline for nine hours.", "99.9%", "It was up 99.9% of 2023."),
]


@pytest.mark.parametrize(("first", "one", "second", "two"), TOGETHER)
def test_two_figures_of_a_sentence_come_to_one_that_another_text_states_at_once(first, one, second, two):
    here, there = of(first, one), of(second, two)
    assert {value.dimension for value in here.values} & {value.dimension for value in there.values}
    assert differing(here, there) is None


APART = [
    ("8 seconds", "It had a thousand tokens left. The call took 8 seconds.", "s^-1"),
    ("64", "They own 64 X5 cards. They were busy for 10 days.", "GPU^1 s^1"),
    ("seven hours", "In April the drive took seven hours.", "share"),
    ("92 cents", "A coffee is 92 cents.", "share"),
    ("14,200", "It takes a quarter of an hour for the 14,200 metres.", "m^1 s^-1"),
]


@pytest.mark.parametrize(("figure", "text", "dimension"), APART)
def test_figures_that_do_not_belong_together_stay_apart(figure, text, dimension):
    assert dimension not in {value.dimension for value in of(figure, text).values}


def test_the_numbers_of_pages_and_notes_are_no_figures():
    assert figures("He says so elsewhere, p. 58. [58] It is a strange mistake. See also 55, p. 77.") == []


def test_another_value_in_another_unit_differs():
    one, two = of("30 requests", "It takes 30 requests a second."), of("600", "It takes 600 requests per minute.")
    assert differing(one, two)


def test_figures_that_are_far_apart_are_of_other_things():
    assert differing(of("3", "It has 3 rivals."), of("2,150,000", "It has 2,150,000 users.")) is None


def test_a_number_in_a_name_is_no_figure():
    assert figures("A silver medal of Tarnok 11 flew to the moon.") == []


def test_figures_of_one_text_are_not_compared_with_each_other():
    text = "The Tarn hall drew 41,000 visitors in 2019. In 2019 some 36,000 visitors came to the Tarn hall."
    assert [*candidates(figures(text))] == []


def test_a_condition_that_only_one_text_states_makes_two_figures_less_surely_one():
    plain, paid = figures("Tarn drew 41,000 visitors."), figures("Tarn drew an average of 36,000 visitors.", "b/two")
    assert one_sided(plain[0], paid[0])
    assert not one_sided(plain[0], plain[0])


def test_a_year_is_no_figure_and_a_length_is_no_mass():
    assert not [one for one in figures("It was built in 1964.") if one.values]
    assert differing(of("3", "It is 3 km long."), of("4", "It weighs 4 kg.")) is None


ROWS = [
    ("| model | input, $ per 1k tokens |\n|---|---|\n| Alder | 0.0006 |", "Alder, input: $0.0006 per 1k tokens"),
    ("| card | peak BW (GB/s) |\n|---|---|\n| Tarn T7 | 2,400 |", "Tarn T7, peak BW: 2,400 GB/s"),
    ("| hall | PUE (2023) |\n|---|---|\n| Vik | 1.12 |", "Vik, PUE (2023): 1.12"),
    ("| hall | IT load, MW, May 2024 |\n| Vik | 12 |", "Vik, IT load, May 2024: 12 MW"),
    ("| site | card | rent, $ |\n|---|---|---|\n| Oda | Tarn T7 | 2.49 |", "Oda, Tarn T7, rent: $2.49"),
    ("Orlo M3 | bandwidth 3.35 TB/s", "Orlo M3: bandwidth 3.35 TB/s"),
]


@pytest.mark.parametrize(("table", "said"), ROWS)
def test_a_cell_is_a_sentence(table, said):
    passage = text_of("a/one", table)
    *_, row = row_texts(passage)
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


def test_a_number_in_a_name_explains_no_multiple():
    one, two = (
        figures("Tarn-2 has a window of 64,000 tokens."),
        figures("The window of Tarn-2 ends at 128k tokens.", "b/two"),
    )
    assert [*candidates([*one, *two])]


def test_a_name_at_the_beginning_of_a_sentence_is_one():
    one, two = (
        figures("Vikholm pumped 41 GWh in 2019."),
        figures("In 2019 the turbines of Vikholm gave 0.06 TWh.", "b/two"),
    )
    assert [*candidates([*one, *two])]


def test_figures_of_other_years_are_not_compared():
    one, two = figures("In 2019 Tarn drew 41,000 visitors."), figures("In 2021 Tarn drew 36,000 visitors.", "b/two")
    assert [*candidates([*one, *two])] == []
    assert [*candidates([*one, *figures("Tarn drew 36,000 visitors in 2019.", "b/two")])]


def test_a_quarter_is_its_months():
    one = figures("In the second quarter of 2024 a room in Tarn went for €640 a month.")
    assert [*candidates([*one, *figures("From April to June 2024 a room in Tarn cost €710 a month.", "b/two")])]
    assert not [*candidates([*one, *figures("From July to August 2024 a room in Tarn cost €710 a month.", "b/two")])]
