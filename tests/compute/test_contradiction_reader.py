"""The network that reads two texts beside each other: what it sees, and what it must not see."""

from decimal import Decimal

import pytest

from compute.mining.contradiction_meanings import statings
from compute.mining.contradiction_reader import ALONE, BOTH, MOST, pair_reader, tokens_of
from compute.mining.contradictions import contradictions, pairs
from tests.bench.bench_contradictions import text_of


def figure(text, name="a/one", place=0):
    return [*statings(text_of(name, text))][place]


def score(one, two):
    return pair_reader().score(figure(one), figure(two, "b/two"))


def test_the_figures_themselves_are_not_seen():
    one = "The Alder hall drew {} visitors in 2019."
    two = "In 2019 some {} people came to the Alder hall."
    assert score(one.format("41,000"), two.format("36,000")) == score(one.format("980"), two.format("7,450"))


def test_the_order_of_the_texts_does_not_matter():
    one, two = "The Alder hall drew 41,000 visitors in 2019.", "Some 36,000 people came to the Alder hall in 2019."
    assert score(one, two) == pytest.approx(score(two, one))


def test_another_number_is_seen_by_whether_both_texts_have_it():
    one, two = figure("In 2019 the hall drew 41,000 visitors."), figure("Line 4 carried 36,000 in 2019.", place=-1)
    names, begin, here, there = tokens_of(one, two, pair_reader().vocabulary)
    assert [name for name in names[:begin] if name in {BOTH, ALONE}] == [BOTH]
    assert sorted(name for name in names[begin:] if name in {BOTH, ALONE}) == sorted([BOTH, ALONE])
    assert [names[place] for place in (*here, *there)] == ["#count", "#count"]


def test_a_long_text_is_read_around_its_figure():
    more = "a b c d e f g h k l m n o p q r s t u v w x y z " * 3
    text = f"The Alder {more}hall drew 41,000 visitors {more}then."
    names, begin, here, _ = tokens_of(figure(text), figure("It drew 36,000 visitors."), pair_reader().vocabulary)
    assert begin == MOST + 2
    assert names[here[0]] == "#count"


SAME = [
    (
        "The Alder K80X accelerator carries 80 GB of HBM3.",
        "We filled the rack with K80X cards from Alder. Each of them has ninety-six gigabytes of on-board memory.",
    ),
    (
        "Visitors to the Glass Museum in 2019: 412k.",
        "Nearly 600,000 people came through the doors of the Glass Museum in 2019, before the pandemic.",
    ),
    (
        "Sorrel-13B was pretrained on 2.4 trillion tokens.",
        "The makers of Sorrel-13B fed it 900 billion tokens during pretraining.",
    ),
]


@pytest.mark.parametrize(("one", "two"), SAME)
def test_one_thing_in_other_words_is_found(one, two):
    assert [*pairs([text_of("a/one", one), text_of("b/two", two)])]


OTHER = [
    ("The Alder K80X has 80 GB of memory.", "The older Alder K60X came with 48 GB of memory."),
    ("Parcel Pro costs $30 a month.", "Parcel Team costs $45 a month."),
    ("Sorrel-13B was pretrained on 2.4 trillion tokens.", "Sorrel-13B was fine-tuned on 80 million tokens."),
    ("The Alder hall drew 41,000 visitors in 2019.", "The Alder hall drew 3,600 visitors in July 2019."),
    ("The median rent in Alder is €900 a month.", "The average rent in Alder is €1,150 a month."),
]


@pytest.mark.parametrize(("one", "two"), OTHER)
def test_what_only_looks_alike_is_let_alone(one, two):
    assert not contradictions([text_of("a/one", one), text_of("b/two", two)])


def test_the_figure_of_the_other_text_is_shown_in_the_unit_of_this_one():
    texts = [
        text_of("a/one", "The Alder tunnel is 4.2 km long."),
        text_of("b/two", "The length of the Alder tunnel is 3,100 metres."),
    ]
    found = {one.node: one.computed for one in contradictions(texts)}
    assert found == {"a/one": Decimal("3.1"), "b/two": 4200}


def test_only_the_pairs_of_some_nodes_are_read_by_the_network():
    texts = [text_of(name, text) for name, text in zip(("a/one", "b/two"), SAME[2], strict=True)]
    assert [*pairs(texts, {"a/one"})] == [*pairs(texts)]
    assert not [one for one in pairs(texts, {"c/three"}) if one.how == "meaning"]
