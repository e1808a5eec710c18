"""Words that decide what a text means: which of two readings, whether something else is in a figure, how near is near."""

from datetime import date

import pytest

from api.services.claim_matching import ClaimMatcher
from graph.models.claim_models import Claim, Expectation
from tests.bench.bench_mining import miner, passage

MINER = miner()


def verdicts(text):
    return {text[one.figure_start : one.figure_end].strip(): one.verdict for one in MINER.mine(passage(text))}


DECIDED = [
    ("The bill of €240 includes VAT at 20%, of which {} goes to the state.", "€40", "€48"),
    ("The receipt of £360 includes VAT at 20%. The net amount for the books is {}.", "£300", "£288"),
    ("Set a pole every 4 m along the 48 m path, with one at each end: {} poles.", "13", "12"),
    ("Eight lamps hang in a line, 3 m apart, so the first and the last are {} m from each other.", "21", "24"),
    ("The school is 6 km away. Going there and back on five days a week makes {} km.", "60", "30"),
    ("She drove out at 30 km/h and came home on the same road at 60 km/h, {} km/h over the round trip.", "40", "45"),
    ("The fair is open from 4 to 9 June inclusive, {} in all.", "six days", "five days"),
    ("The oven is at 200 °C ({} °F) for the first rise.", "392", "420"),
]


@pytest.mark.parametrize(("text", "right", "mistake"), DECIDED)
def test_where_words_decide_the_usual_mistake_is_refuted(text, right, mistake):
    """VAT of a gross price, posts at both ends, both ways, the mean speed: each was confirmed as it is usually wrong."""
    assert verdicts(text.format(right)).get(right) == "holds"
    assert verdicts(text.format(mistake)).get(mistake) == "refuted"


@pytest.mark.parametrize(
    "text",
    [
        "Nine prints at £5 each came to £48 with postage.",
        "Four laps of 9 km and the climb make a stage of 39 km.",
        "Six seats at €20 came to €135, booking fee included.",
        "The field has 8 ha of rye, 3 ha of oats and a strip of flowers, 12 ha altogether.",
    ],
)
def test_an_item_without_a_figure_makes_a_higher_total_no_error(text):
    assert "refuted" not in verdicts(text).values()


@pytest.mark.parametrize(
    "text",
    [
        "We counted 72 kinds of beetle in the park and 55 in the wood, 101 in all, since some live in both.",
        "April brought 40 mm of rain and May 62 mm; the two together, 102 mm, filled the pond.",
        "The shares peaked at $180 in May and closed at $150, or 24 times next year's earnings.",
        "Of the 300 km of cable 80 km go underground, at eight times the cost.",
        "Rents averaged 1,200 in spring, 9% lower than a year ago, says a site that looked at 5 million flats.",
    ],
)
def test_figures_of_something_else_are_not_set_against_each_other(text):
    assert "refuted" not in verdicts(text).values()


def test_of_two_figures_that_contradict_each_other_the_conclusion_is_accused():
    text = (
        "Last spring 2,640 seedlings died of frost. We replanted each of those, and only 150 died again, so the second "
        "planting saved 1,490 seedlings."
    )
    found = [text[one.figure_start : one.figure_end] for one in MINER.mine(passage(text)) if one.verdict == "refuted"]
    assert found == ["1,490"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Thanks to the new feed, milk rose by 15%, from 20 to 26 litres a day.", "15%"),
        ("Jones scored 27 of her team's 81 points, exactly a quarter, and sat out most of the last set.", "a quarter"),
        ("A mortgage of £150,000 on a house of £200,000 is 65% of its value.", "65%"),
        ("The trail is 8 km long, about 9.5 miles, with the tide.", "9.5"),
    ],
)
def test_words_that_cannot_change_a_figure_do_not_excuse_it(text, wrong):
    """Causes, parts of something else and the noun of a stated amount were taken for conditions without a figure."""
    assert verdicts(text).get(wrong) == "refuted"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The cache takes 90% off and the batch another 50% off, {} in total.", {"95%": "holds", "97%": "refuted"}),
        ("The cache takes 90% off and the batch another 80% off, {} in total.", {"98%": "holds", "99.9%": "refuted"}),
        ("Of the 40 lamps 39 work, {}.", {"97.5%": "holds", "96%": "refuted"}),
    ],
)
def test_near_100_percent_the_tolerance_is_that_of_what_is_missing(text, verdict):
    """97% was confirmed as a rounding of 95%: two points of a hundred, although the price is 3% in place of 5%."""
    assert {stated: verdicts(text.format(stated)).get(stated) for stated in verdict} == verdict


def test_a_rate_after_both_ends_of_a_change_is_of_the_change():
    """190 kg in a hundred days are 1.9 kg a day; but the calf had grown from there."""
    text = "The pig grew from 90 to 150 kg in fifty days, {} kg a day."
    assert verdicts(text.format("1.2")).get("1.2") == "holds"
    assert verdicts(text.format("1.8")).get("1.8") != "holds"


def test_the_correction_is_the_nearest_of_what_the_figures_equally_mean():
    text = "Revenue of €50 million and costs of €40 million, a margin of 28%."
    (found,) = [one for one in MINER.mine(passage(text)) if one.verdict == "refuted"]
    assert found.computed == 20


def test_a_change_from_an_amount_is_a_share_of_that_amount():
    assert verdicts("The club raised its fee by €3, from €12, an increase of 25%.").get("25%") != "refuted"


@pytest.mark.parametrize(
    "text",
    [
        "Buns 2.40, milk 1.60, eggs 3.10, tea 4.90 — total 12.00.",
        "Hours this week: Ann 12, Ben 9.5, Cy 14. Altogether 35.5, billed at €8.",
        "Five of the nine rowers come from Leeds and one from York, which leaves three from elsewhere.",
    ],
)
def test_an_item_that_is_read_as_no_figure_counts_all_the_same(text):
    """*Buns 2.40* looks like a version; without it the total was refuted with 0.85."""
    assert "refuted" not in verdicts(text).values()


def claim(**fields):
    usual = {"node": "ledger/servers", "as_of": date(2026, 1, 10)}
    return Claim(**usual | fields)


def test_a_claim_that_is_given_other_figures_speaks_of_something_else():
    four = claim(
        id="four-bits", says="At four bits a 70B model takes 35 GB.", given=(("width", "4 bit/parameter"),),
        value="70B parameter * width", expect=Expectation(form="is", bound="35 GB"),
    )  # fmt: skip
    matcher = ClaimMatcher([four], {"four-bits": "GB"}, frozenset())
    assert [one.id for one in matcher.find("At four bits a 70B model takes 36 GB.", "GB", frozenset())] == ["four-bits"]
    assert not matcher.find("At 16 bits a 70B model takes 140 GB.", "GB", frozenset())
