"""What drafts of real people have: lines that are broken anywhere, columns of changes, names with sizes, tiers of rates."""

import pytest

from compute.mining.encoder_tokens import excerpts
from compute.mining.figure_reader import figures
from compute.mining.quantities import sentences
from compute.mining.solver import wide
from tests.bench.bench_mining import miner, passage

MINER = miner()


def said(text, verdict):
    """The figures of a text that have a verdict."""
    return [text[one.figure_start : one.figure_end] for one in MINER.mine(passage(text)) if one.verdict == verdict]


@pytest.mark.parametrize(
    "text", ["We had\n80 guests", "it grew by\n25% in", "some\n400 g of", "now have\n1,080 readers"]
)
def test_a_number_at_the_start_of_a_broken_line_is_a_figure(text):
    assert [one.text for one in figures(text)] == [text.split()[-2] if "of" not in text else "400"]


@pytest.mark.parametrize("text", ["1. Milk\n2. Bread", "GPT-\n4 is a name", "as in x\n3rd place"])
def test_list_marks_and_ordinals_at_the_start_of_a_line_are_none(text):
    assert figures(text) == ()


def test_a_sentence_holds_whether_its_lines_are_broken_or_not():
    text = "The larder holds some 400 g of rice, and at 4 kcal per gram that makes 1,600 kcal."
    assert said(text, "holds") == said(text.replace("some ", "some\n"), "holds") == ["1,600"]


CHANGES = """| Line | Spring | Autumn | {name} |
|---|---|---|---|
| Bowls | 400 | 460 | {one} |
| Tiles | 300 | 270 | {two} |
| Mugs | 100 | 120 | {three} |
| Total | 800 | 850 | {total} |
"""


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("Change", ("+15%", "-10%", "+20%", "+6.3%")),
        ("Growth", ("15%", "10%", "20%", "46%")),
        ("Margin", ("15%", "10%", "20%", "14%")),
    ],
)
def test_the_last_row_of_a_column_of_changes_or_rates_is_no_sum(name, cells):
    one, two, three, total = cells
    assert total not in said(CHANGES.format(name=name, one=one, two=two, three=three, total=total), "refuted")


def test_a_column_of_shares_still_has_a_sum():
    table = "| Source | Share |\n|---|---|\n| Wind | 40% |\n| Sun | 25% |\n| Water | 15% |\n| Total | 95% |\n"
    assert said(table, "refuted") == ["95%"]


def test_a_change_that_the_words_beside_it_name_is_refuted_whatever_figures_stand_around():
    text = (
        "In October the desk read 42 million tokens at $0.60 a million, which comes to $25.20.\n"
        "Prices fell from $8 to $2, a cut of 45%.\nThe team grew from 12 to 18 people, 50% more."
    )
    assert said(text, "refuted") == ["45%"]
    assert said(text.replace("45%", "75%"), "refuted") == []


def test_the_size_in_the_name_of_a_model_is_no_factor_of_a_bill():
    text = "Llama 3.1 70B costs $0.88 per million tokens. For 110 million tokens that works out at $96.80."
    inputs = [{one.text for one in each.inputs} for each in MINER.mine(passage(text)) if each.verdict == "holds"]
    assert inputs == [{"$0.88 per million tokens", "110 million tokens"}]


def test_a_total_that_ends_another_list_is_no_item_of_the_next():
    text = "- The small press: £1.80 and £0.90, so £2.70.\n- The large press: £36 and £22.50, which makes £{}."
    assert said(text.format("58.50"), "refuted") == []
    assert said(text.format("78.50"), "refuted") == ["£78.50"]


def test_rates_that_change_at_a_limit_accuse_no_total():
    assert not said(
        "She earned £20 an hour for the first 30 hours, £32 beyond that. In 36 hours she made £792.", "refuted"
    )


def test_a_word_between_the_count_and_its_list_is_no_item():
    text = "There are four CPU schedulers available, fifo, deadline, budget and idle. The default is idle."
    assert said(text, "refuted") + said(text, "needs-assumption") == []


def test_an_excerpt_has_no_empty_lines_at_its_end():
    one = passage("The fee rose from £40 to £50, by 25%.\n\nNobody else came.")
    every = [*sentences(one)]
    scopes = [wide(every, place) for place in range(len(every))]
    assert not any(one.text[each.end - 1].isspace() for each in excerpts(one, scopes))


FAIR = (
    "Fence: 75 m, posts every 3 m, so with one at each end 26 posts; rails we have, from 2016.",
    "Three sisters share the £88,000 in the ratio 6:4:1, so the eldest has £48,000.",
    "Trams leave every 10 minutes between 5:00 and 22:00, which gives 102 departures a day.",
    "They took it from 25 to 10, a drop to 40%.",
    "The bill of $800 fell by $200, a fall of 25%.",
    "The dam lost 30 of 120 million litres, a drop of 25%.",
    "The club lost 10 of its 25 members, a fall of 40%.",
    "The rent was cut by $200 from $800, a cut of 25%.",
    "Thefts fell by 10 from 25, a drop of 40%.",
    "Staff grew by 10 on 25, an increase of 40%.",
    "Sales fell $30 million from $120 million, a decline of 25%.",
    "The tariff has been cut four times this year, from 4% to 2.5%.",
    "We've two girls and a boy at judo, £5.50 a lesson for each child, 36 lessons in the season. That's £594 gone.",
    "Two aunts and an uncle skate, £6 an evening for each guest, 30 evenings in the winter. That's £540 gone.",
    "The tank drips at 0.5 litres an hour and holds 4 litres, leaving 2.5 after three hours.",
    "My drive used to be 65 minutes each way and is now 40, so I get back 50 minutes every day.",
    "Fees went up 12% on average, ours from $1,500 to $1,950 since April.",
    "Waste came down from 500 to 440 tonnes. The target, minus 40% by 2035, is of all sites.",
    "The hall's rent dropped to £840 from £1,190, and heating, which is most of it, dropped 37%.",
    "We cut the crew from 40 people to 30 and saved 18%, for those who went earned little.",
    "Of all requests 9,300 hit the cache and 3,100 missed it, so a hit ratio of 75% since Monday.",
    "May brought 170% of the usual sun, i.e. 70% more than normal.",
    "With a pipe of 60 instead of 30 mm the cross-section is four times what it was.",
    "Churn among new users is 30%; among all it is 12%. Both are up by two points.",
    "The levy takes 30% above a threshold. Of her 4,200 she kept 3,300.",
    "Of the £144 you paid, £24 was VAT. The rate is 20%.",
    "Barley closed at 588 cents a bushel, down 12 on the day, a loss of 2%; oats were flat at 410.",
)


@pytest.mark.parametrize("text", FAIR)
def test_a_fair_reading_saves_the_figure(text):
    """Posts with both ends, three parts by a ratio, a part of a day, what a drop leads to, what was lost, how often something was done: all were refuted once."""
    assert said(text, "refuted") == []


WRONG = (
    "Of 120 kg we sold 45 kg, so 165 kg are left.",
    "£15,750 of the £45,000 raised was spent on the roof, that is 65%.",
    "12 out of 60 patients relapsed: 25%.",
    "160 of 640 pupils walk to school (33%).",
    "Sales tripled from 1,200 to 1,600.",
    "The new server handles 2,400 requests a second instead of 1,200, four times as many.",
    "Wages are $18.40 an hour; for 37.5 hours that makes $552.00.",
)


@pytest.mark.parametrize("text", WRONG)
def test_a_plain_mistake_is_not_excused_by_its_inverse_or_a_constant(text):
    """A second reader's: the inputs held from the wrong result, or another expression of them excused it."""
    assert len(said(text, "refuted")) == 1
    assert said(text, "holds") == []


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("We shipped 45 January orders, 120 February orders and 30 March orders, 195 in total.", "195"),
        ("Of 500 tickets we refunded 45 May tickets and 120 June ones, leaving 335.", "335"),
    ],
)
def test_things_of_a_month_are_counted(text, total):
    assert said(text, "holds") == [total]


def test_a_list_of_the_larger_items_only_has_no_wrong_total():
    text = "Coach, £1,300; barn, £360; medals, £140: these are only the larger items. All told, the day cost us £2,315."
    assert said(text, "refuted") == []
    assert said(text, "needs-assumption") == ["£2,315"]


def test_a_rate_of_a_day_has_the_unit_of_the_way():
    text = "Walked the northern dyke, 84 miles, six days. 14 a day, carrying a tent."
    assert said(text, "holds") == ["14 a day"]


def test_months_before_amounts_are_no_dates():
    text = "Rainfall: Jan 71 mm, Feb 58 mm, Mar 66 mm. First quarter {} mm."
    assert said(text.format(195), "holds") == ["195"]
    assert said(text.format(295), "holds") == []


def test_seconds_after_a_space_are_part_of_a_duration():
    assert said("A side of 12 songs of 3 min 30 s each has 42 minutes.", "holds") == ["42 minutes"]
    assert figures("A 40 s pause, and 40 sheep")[0].text == "40 s"
    assert not any(one.unit == "second" for one in figures("the 1990 s and 3 s-orbitals"))


def test_a_named_change_is_no_share_of_the_same_amounts():
    assert said("Thefts: 25 in spring and 10 in autumn, a fall of 60%.", "holds") == ["60%"]
    assert said("Thefts: 25 in spring and 10 in autumn, a fall of 40%.", "holds") == []


def test_a_formula_shows_whole_numbers_of_minutes():
    text = (
        "A ride covers 2.4 km in 12 minutes, an average speed of 12 km/h. Then 12 songs of 3 min 30 s make 42 minutes."
    )
    found = [one.expression for one in MINER.mine(passage(text))]
    assert found
    assert not any("999" in one or "666" in one for one in found)


TOTALS = "We count what was closed.\n\n| Month | Closed |\n|---|---|\n| May | {} |\n| June | {} |\n| July | {} |\n| Total | {} |\n"


@pytest.mark.parametrize(
    ("cells", "verdict"),
    [
        (("1,500", "2,400", "3,900", "7,800"), ["holds"]),
        (("1,500", "2,400", "3,900", "7,900"), ["refuted"]),
        (("$1,500", "$2,400", "$3,900", "$7,900"), ["refuted"]),
        (("1,234", "2,345", "3,456", "7,036"), ["holds"]),  # each may be rounded
        (("1,230", "4,560", "6,560", "12,345"), ["holds"]),  # in tens, and the total is not
        (("33.3", "33.3", "33.3", "100.0"), ["holds"]),
    ],
)
def test_a_total_of_whole_numbers_is_as_wrong_in_a_table_as_in_a_sentence(cells, verdict):
    """A total of 7,900 for 7,800 held in a table, and the same figures in a sentence were refuted."""
    text = TOTALS.format(*cells)
    assert [
        one.verdict for one in MINER.mine(passage(text)) if text[one.figure_start : one.figure_end] == cells[-1]
    ] == verdict
