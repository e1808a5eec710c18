"""What words near a figure excuse: rounding, corrections, things at once, what is free, other times and places."""

import pytest

from tests.bench.bench_mining import verdicts

TRUE = [
    "Two kilns used 3.4 and 1.4 tonnes of wood. In round figures that is 3 and 1 tonnes, and 5 tonnes together.",
    "Takings in £ million: tickets 12, meals 8, shop 5, total 26. Differences are due to rounding.",
    "The coach went out at 40 mph and came back at 60, an average of 48 mph for the round trip.",
    "There are five talks a day with a ten-minute break between them, which takes 40 minutes out of the day.",
    "The farm charges £10 a head and lets every fifth child in free, so our 30 children cost us £240.",
    "The hardback of £15 is on offer, buy two, get one free: nine copies cost £90.",
    "Upton cut its fleet from 90 buses to 60. Nether Ash, with just six, got rid of 50%.",
    "The wholesale price fell from $80 to $60 in a week. Since March it is down 40%.",
    "In Monday's issue we wrote that rents had doubled from £500 to £750. They rose by half; we apologise.",
    "The choir began the year with 31 singers; six moved away and one joined, which leaves 26.",
    "The vat holds 2,000 litres, or 440 gallons, as the old manual has it.",
    "Three jobs of four hours each were done after four hours; they ran side by side.",
    "The average for the week was 40 kWh a day, from 240 kWh in all; on Friday the meter was out of order.",
    "The night shift ends at 7 and began at 23, so it lasts eight hours.",
    "We pay $300 a month for the hall. The annual plan is $3,000, so switching saves two months' fees.",
    "Net margin slipped three points to 57%, a decline of exactly 5%.",
    "Each ride is billed by the full hour, so our three rides of 70 minutes each cost us six hours.",
    "The desk was marked down 20% from $300, and after 10% sales tax I paid $264.",
    "A prompt of 200,000 tokens at $5 per million cost us only 19 cents, because 180,000 came from the cache.",
    "Six drives of 8 TB each give 32 TB of space in this RAID 6 array.",
]
WRONG = [
    "The coach went out at 40 mph and came back at 60, an average of 50 mph for the round trip.",
    "There are five talks a day with a ten-minute break between them, which takes 80 minutes out of the day.",
    "The farm charges £10 a child, so our 30 children cost us £240.",
    "Upton cut its fleet from 90 buses to 60, a cut of 50%.",
    "The vat holds 2,000 litres, or 640 gallons.",
    "Three jobs of four hours each take nine hours in all.",
]


@pytest.mark.parametrize("text", TRUE)
def test_what_words_near_a_figure_excuse_is_not_accused(tool, text):
    assert "refuted" not in verdicts(tool, text)


@pytest.mark.parametrize("text", WRONG)
def test_what_no_word_excuses_is_accused(tool, text):
    assert "refuted" in verdicts(tool, text)


@pytest.mark.parametrize("word", ["month", "0th", "1st", "week-end", "other"])
def test_every_word_before_free_is_read(tool, word):
    """*Every month is free* ended with a KeyError."""
    verdicts(tool, f"Each {word} is free: 30 children at £10 each cost £240.")
    verdicts(tool, f"Every {word} of the month entry is free; 30 children at £10 each cost £240.")
