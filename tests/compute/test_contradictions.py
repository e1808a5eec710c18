"""Contradictions between texts: one entity, one metric, one unit, one condition, and another figure."""

from decimal import Decimal

import pytest

from compute.mining.contradictions import contradictions, pairs
from tests.bench.bench_contradictions import bank, text_of


def differ(one, two):
    return contradictions([text_of("a/one", one), text_of("b/two", two)])


def test_the_bank_of_labelled_pairs():
    build, measure = bank("build"), bank("measure")
    assert (build["found"], build["wrong"]) == (10, 0)
    assert measure["found"] >= 9
    assert measure["wrong"] == 0
    later = bank("later")
    assert later["found"] >= 15
    assert later["wrong"] == 0


CONTRADICT = [
    ("Corvin Ltd employs 1,200 people in Ostend.", "At Corvin Ltd in Ostend, 900 people are employed."),
    ("The Alder ferry carries at most 400 passengers.", "Up to 250 passengers are allowed on the Alder ferry."),
    ("The Alder tunnel is 4.2 km long.", "The length of the Alder tunnel is 3,100 metres."),
    ("Parcel Pro costs $30 a month.", "Parcel Pro is $480 a year."),
    ("Kestrel 4 was released on 3 May 2024.", "Kestrel 4 came out on 19 June 2024."),
    ("In 2020, 18% of Norland's residents were over 65.", "A third of Norland's residents were over 65 in 2020."),
    ("Unemployment in Rhea stood at 6.1% in May 2023.", "In May 2023 Rhea's unemployment rate was 7.4%."),
    ("Vega Air operates 42 aircraft.", "The fleet of Vega Air consists of 37 aircraft."),
    ("The treaty of Alder was signed on 3 May 1824.", "Alder's treaty was signed on 19 June 1824."),
    ("Version 5.0 of Quill was released on 3 May 2024.", "Quill 5.0 came out on 19 June 2024."),
    ("Orrin Cold costs $0.02 per GB a month.", "Orrin Cold costs $30 per TB a month."),
    ("The Alder gallery drew 41,000 visitors in 2023.", "Some 36,000 people visited the Alder gallery in 2023."),
    (
        "Nebius rents an H100 for $2.95 an hour on demand.",
        "| cloud | GPU | on demand |\n|---|---|---|\n| Nebius | H100 (8x) | $31.60/hr |\n",
    ),
    (
        "Ours is a Nebius H100 at $2.10 an hour, reserved.",
        "Vultr asks $2.50 for an H100 hour and Nebius $2.80 reserved.",
    ),
    ("The Tarn turbine is rated at 3 MW.", "The Tarn turbine delivers 4,500 kW."),
]


@pytest.mark.parametrize(("one", "two"), CONTRADICT)
def test_other_words_with_another_figure_differ(one, two):
    here, there = differ(one, two)
    assert {here.verdict, there.verdict} == {"differs"}
    assert here.note.startswith("two texts differ: b/two says")
    assert max(here.confidence, there.confidence) < Decimal("0.5")


AGREE = [
    ("Parcel Pro costs $30 a month.", "Parcel Pro is $360 a year."),
    ("The Alder tunnel is 10 miles long.", "The length of the Alder tunnel is 16.1 km."),
    ("Parcel Pro costs $30 a month.", "Parcel Basic costs $12 a month."),
    ("Corvin Ltd had 1,200 employees in 2019.", "Corvin Ltd had 900 employees in 2023."),
    ("The median salary at Corvin is $60,000.", "The average salary at Corvin is $75,000."),
    ("The Tarn turbine draws 2 kW when idle.", "The Tarn turbine draws 9 kW."),
    ("Reading from the Orrin disk runs at 500 MB/s.", "Writing to the Orrin disk runs at 300 MB/s."),
    ("The Orrin disk holds at most 4 TB.", "The Orrin disk holds 2 TB."),
    ("The budget planned for the Alder tunnel was $90 million.", "The Alder tunnel actually cost $140 million."),
    ("The Orbit watch weighs 48 g.", "The Orbit watch weighs 62 g with the steel strap."),
    ("Unemployment in Rhea stood at 6.1% in May 2023.", "Youth unemployment in Rhea stood at 14% in May 2023."),
    ("Vega Air operates 42 aircraft.", "Vega Air ordered 20 aircraft."),
    ("If the Orrin disk holds 4 TB, it is half full.", "The Orrin disk holds 2 TB."),
    ("Orrin Cold costs $0.02 per GB a month.", "Orrin Cold costs $20 per TB a month."),
    ("Mount Alder is 3,400 metres high.", "The hut below Mount Alder is 2,600 metres high."),
    ("The Alder film cost $40 million to make.", "The Alder film took $65 million at the box office."),
    (
        "Nebius rents an H100 for $3.95 an hour on demand.",
        "| cloud | GPU | on demand |\n|---|---|---|\n| Nebius | H100 (8x) | $31.60/hr |\n",
    ),
    ("Nebius rents an H100 for $2.95 an hour.", "Nebius rents an H100 for $1.90 an hour on spot."),
    ("Nebius rents an H100 for $2.95 an hour.", "Vultr rents an H100 for $1.90 an hour, less than Nebius."),
    ("Nebius rents an H100 for $2.95 an hour in May 2025.", "In June 2026 an H100 hour at Nebius was $1.90."),
    ("The Orrin server has 8 cores.", "- `2024-05-01 10:00:00 INFO the Orrin server has 4 cores`"),
]


@pytest.mark.parametrize(("one", "two"), AGREE)
def test_other_conditions_equal_figures_and_logs_do_not_differ(one, two):
    assert not differ(one, two)


OTHER_UNITS = [
    ("Tarn-2 writes 125 tokens per second.", "Tarn-2 needs 20 ms for every token.", 50, 8),
    ("Oil of tarn boils at 80 °C.", "Oil of tarn boils at 194 °F.", 90, 176),
]


@pytest.mark.parametrize(("one", "two", "in_one", "in_two"), OTHER_UNITS)
def test_the_other_figure_is_shown_in_the_unit_of_this_one(monkeypatch, one, two, in_one, in_two):
    monkeypatch.setattr("compute.mining.contradiction_reader.PairReader.same", lambda *_: True)
    here, there = differ(one, two)
    assert (here.computed, there.computed) == (in_one, in_two)


def test_texts_of_one_node_differ_and_the_same_sentence_does_not():
    one = text_of("a/one", "The Orrin disk holds 4 TB. Later the paper says that the Orrin disk holds 2 TB.")
    (pair,) = pairs([one])
    assert {pair.one.figure.low, pair.two.figure.low} == {2, 4}
    assert not list(pairs([text_of("a/one", "The Orrin disk grew from 2 TB to 4 TB.")]))


def test_a_condition_that_only_one_text_states_is_shown_next_to_the_pair():
    found = differ("In 2023 the Orrin disk held 4 TB.", "The Orrin disk holds 2 TB.")
    assert "only here: 2023" in found[0].note
    assert "only there: 2023" in found[1].note


def test_change_logs_are_not_compared():
    now = text_of("a/one", "The Orrin disk holds 4 TB.")
    assert not list(pairs([now, text_of("b/two", "The Orrin disk holds 2 TB.", "CHANGELOG.md")]))


def test_the_number_of_pairs_compared_grows_with_the_text_and_not_with_its_square(monkeypatch):
    compared = []
    monkeypatch.setattr("compute.mining.contradictions.agree", lambda one, two: compared.append(1) or True)
    for size in (400, 800):
        texts = [
            text_of(f"a/{number}", f"Corvin plant {number} in Ostend employs {number + 7} people.")
            for number in range(size)
        ]
        list(pairs(texts))
    assert len(compared) <= 3 * 800 * 40
