"""What everyday sentences say of figures: among the candidates of each figure one computes it."""

import pytest

from tests.compute.test_mine_relations import fitting

SHARES = [
    ("Nine out of ten of the 240 guests, 216 of them, came by train.", "216"),
    ("Of 900 seeds, two in every nine failed, so 700 came up.", "700"),
    ("One child in four of the class of 28 walks; that is seven children.", "seven children"),
    ("Of 150 patients 30 relapsed, or one in five.", "one in five"),
    ("The clinic lost 3 hours out of 600, five hours in every thousand.", "five hours"),
    ("Three in every twenty-five ballots, 12%, were blank.", "12%"),
    ("From one in twenty to one in ten: the risk has doubled.", "doubled"),
    ("Seven calls in ten cost $2 and three in ten $12, so $5 on average.", "$5"),
    ("He scored two goals in ten games, which is 0.2 a game.", "0.2"),
    ("They won three in five days and lost two, five games in all.", "five games"),
    ("40 calls of three-quarters of an hour make 30 hours.", "30 hours"),
    ("Half a litre of oil for each of 18 engines: nine litres.", "nine"),
    ("A third of a litre each for 90 runners makes 30 litres.", "30"),
    ("On a loan of €200,000 one and three-quarter per cent is €3,500.", "€3,500"),
    ("The rate rose by half a percentage point, from 4.5% to 5%.", "5%"),
    ("They dug a metre and a half a day for eight days, 12 metres in all.", "12"),
    ("He ran 30 km in an hour and forty minutes, 18 km an hour.", "18"),
]


@pytest.mark.parametrize(("text", "stated"), SHARES)
def test_fractions_in_words_are_shares_and_amounts(text, stated):
    assert fitting(text, stated)[1] != []
