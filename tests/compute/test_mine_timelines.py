"""Times of day, days, years and ages: two points and the time between them, of which each follows from the others."""

from datetime import date
from decimal import Decimal

import pytest

from compute.mining.calendar_points import calendar_points
from compute.mining.claim_stubs import claims
from compute.mining.clock_points import clock_points
from compute.mining.time_lengths import age_points
from compute.mining.timeline_fits import fit
from compute.mining.timelines import timelines
from compute.units.number_format import said
from tests.bench.bench_mining import miner, passage

TOOL = miner()

WRONG = (
    ("Checkout was down from 14:05 until 15:50, i.e. for 85 minutes.", "85 minutes", 105),
    ("The film starts at 19:40 and lasts 130 minutes, so we're out at 21:10.", "21:10", 1310),
    ("Founded in 1874, the gallery celebrated its 140th birthday in 2024.", "140th birthday", 150),
    ("Check-in Monday 28 July, check-out Monday 4 August 2025: eight nights, half board.", "eight", 7),
    ("Sworn in on 4 March 1873 for a term of four years, he left office on 4 March 1878.", "four years", 5),
    (
        "The observatory ran from 1931 till 1946, twenty-five years in which nobody saw a comet.",
        "twenty-five years",
        15,
    ),
    ("The certificate was issued on 2022-03-14 for 90 days and so lapsed on 2022-06-22.", "90 days", 100),
    ("Ines Varga, painter, born 12 May 1903, died 4 February 1978, aged 75.", "75", 74),
    ("She was treasurer from March 2009 to March 2017, two terms of three years.", "two terms of three years", 8),
    ("He joined the brigade at 22 and left after 31 years, aged 63.", "31 years", 41),
)
TRUE = (
    "The boat leaves at 13:40, takes 2 h 35 min and docks at 16:15.",
    "The bridge is shut from 22:00 on Friday until 05:00 on Monday, 55 hours in which buses go round.",
    "The contract ran from 1 October 2023 to 31 March 2025, 18 months in all.",
    "The heating oil lasted from 1 November to 1 March, four months.",
    "Rehearsals begin at half past seven and end at a quarter to ten, two hours and a quarter later.",
    "Station log: call at 23:47, boat on the water 18 minutes later at 00:05.",
    "The well was dug in 1718 and filled in 1751, thirty-three years later.",
)
INNOCENT = (
    "The flight leaves Tokyo at 5 p.m. and lands in Los Angeles at 11 a.m. the same day, ten hours later.",
    "The shift is from 6:00 to 14:15 with a break, paid as 7 hours 45.",
    "She was sentenced in March 2010, served six of her nine years and was free in March 2016.",
    "Letters of 1847 were first printed in 1902, nine years after the death of their author.",
    "Ordered on Friday 3 March, delivered on Tuesday 7 March: two working days, as promised.",
    "The bus leaves at 7:20 and 7:50 and was 9 minutes late on the 3rd.",
    "The ferry sails at 7:15 and 15:30, takes 2 hours 40 minutes and carries cars.",
    "I was treasurer from March 2009 to March 2017, that is for two terms of four years.",
    "The channel showed the film from 20:15 to 22:40. Take away four breaks of six minutes, and it runs for 121 minutes.",
    "In the spring of 1916 he was eighteen and had never seen the sea; two years later he had crossed it three times.",
    "The parish had four priests between 1880 and 1900: one stayed for nine years, one for six.",
    "Water use dropped by a quarter to 90 litres a day; before, it was 120.",
    "Portugal ruled the colony from 1483 until 1975, for 400 years.",
    "Nineteen of the letters are dated. The earliest is from 1848, the last from 1861, the year in which he turned 30.",
    "Walter Houston (1912–1993) wrote a column on the sky for 48 years.",
    "I left home at 07:35, sat on the train for fifty minutes, walked for ten, and was at my desk by 08:35.",
)


def found(text):
    return [(one.verdict, text[one.figure_start : one.figure_end], one) for one in TOOL.mine(passage(text))]


@pytest.mark.parametrize(("text", "figure", "computed"), WRONG)
def test_a_time_that_does_not_follow_is_refuted(text, figure, computed):
    """Of 120 such pairs by a hand that had not seen the program, 16 wrong ones were refuted before, and none of clocks."""
    refuted = {where: one for verdict, where, one in found(text) if verdict == "refuted"}
    assert refuted.keys() == {figure}
    assert refuted[figure].computed == computed


@pytest.mark.parametrize("text", TRUE)
def test_a_time_that_follows_holds(text):
    """Over midnight, over days, at the end of a month and in words."""
    assert {verdict for verdict, _, _ in found(text)} == {"holds"}


@pytest.mark.parametrize("text", INNOCENT)
def test_a_time_of_something_else_is_not_refuted(text):
    """Time zones, breaks, working days, parts of a term and lives: each was accused by an earlier form of the rules."""
    assert "refuted" not in {verdict for verdict, _, _ in found(text)}


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("at 07:40", [460]), ("7.40 am", [460]), ("1930 hours", [1170]), ("half past nine", [570]), ("ten to six", [350]),
        ("noon and midnight", [720, 0]), ("eight in the evening", [1200]), ("9:00-17:30", [540, 1050]),
        ("a scale of 1:25,000", []), ("2:06:36", []), ("$7.40", []), ("twenty-five to nine", [515]), ("12 am, 12 pm", [0, 720]),
    ],
)  # fmt: skip  # one line for some times is more readable
def test_times_of_day_are_read(text, minutes):
    """As people write them; scales, races and prices are none."""
    assert [one.minute for one in clock_points(text)] == minutes


def test_days_without_a_year_have_that_of_the_day_beside_them():
    """From 29 November 2021 to 9 March is a winter, not eight months back."""
    first, second = calendar_points("from 29 November 2021 to 9 March")
    assert (first.day, second.day, second.dated) == (date(2021, 11, 29), date(2022, 3, 9), True)
    assert [one.day for one in calendar_points("1800 seats and it may 20 people bring")] == []


def test_ages_are_read_as_people_state_them():
    """An age of more than a century is one, a percentage is none."""
    text = "Ms Dube, 47, was 34 when she came; he died aged 101, and a 19-year-old turned 20. It was 12% then."
    assert [one.years for one in age_points(text)] == [47, 34, 101, 19, 20]


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("between 9:00 and 10:55, two hours", "near"),
        ("between 9:00 and 10:55, 105 minutes", "off"),
        ("born in 1948, he died in 2023 aged 74", "near"),
        ("from 3 March to 20 March, 17 days", "exact"),
        ("from 3 March to 20 March, 18 days", "near"),
        ("from 3 March to 20 March, 20 days", "off"),
    ],
)
def test_a_rounded_time_fits_roughly(text, fits):
    """What fits roughly is neither confirmed nor refuted."""
    assert {fit(one) for one in timelines(passage(text))} == {fits}


def test_a_time_of_day_is_shown_and_drafted():
    """It is stored in minutes, said as a time, and a claim states it in minutes, which its formula gives."""
    text = "The film starts at 19:40 and lasts 130 minutes, so we're out at 21:50."
    (one,) = TOOL.mine(passage(text))
    assert (one.stated, one.unit, said(one.stated, one.unit)) == (Decimal(1310), "clock", "21:50")
    draft = claims([one], date(2026, 11, 27))
    assert "value: start + length" in draft
    assert "expect: {is: 1310 minute" in draft
