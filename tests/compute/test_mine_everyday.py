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


BARE = [
    ("We mowed 2,300 acres in 2022, 1,650 this year. 650 fewer, and most is sold.", "650"),
    ("Of the park's three thousand hectares 1,050 burned in May. To lose 35% of it is a disaster.", "35%"),
    ("Crab landings have gone from 250 tonnes to 1,500 since then: a sixfold increase.", "sixfold"),
    ("It is eleven euros next door and thirty-three here, three times the money.", "three times"),
    ("He began at 104 kg; at twelve months he was 83.2, having lost a fifth of it.", "a fifth"),
    ("Twenty per cent off the £200 coat, then another ten off that: I paid £144.", "£144"),
    ("On £32,000, five per cent from me and three from them put £2,560 into the pot.", "£2,560"),
    ("Unemployment is 6%; five years ago it was 8, two points more.", "two points"),
]


@pytest.mark.parametrize(("text", "stated"), BARE)
def test_a_bare_number_takes_the_unit_of_a_figure_before_it(text, stated):
    assert fitting(text, stated)[1] != []


WORDS = [
    ("Leg one takes 1 hour 45 minutes and leg two 2 hours 50, giving 4 hours 35 minutes in all.", "4 hours 35"),
    ("On day three we walked 18 km and on day four 22, together 40 km.", "40"),
    ("A loaf that cost eightpence would be 240 pence now. Thirty times dearer.", "Thirty times"),
    ("An apprentice had tuppence an hour and a smith sixpence, three times as much.", "three times"),
    ("A seven-billion-parameter model at two bytes a weight needs 14 GB to be loaded.", "14 GB"),
    ("A three-hundred-page book at two minutes a page takes ten hours.", "ten hours"),
    ("Of every thousand parcels some 45 need a new label. A shift with 1,200 must redo 54.", "54"),
    ("Of every pound, 61p goes on wells and 14p on training. The other 25p pays the rent.", "25p"),
    ("Sixty tickets at a pound a week bring in £3,120 over 52 weeks.", "£3,120"),
    ("From a nine-pound paperback the shop takes three pounds sixty, two-fifths of the price.", "two-fifths"),
    ("Tea was two euros forty and cake three euros ten, €5.50 in all.", "€5.50"),
    ("He sent it 1.2 million times in May and 0.9 million times in June, a quarter less.", "a quarter"),
    ("There are 26 of them with 13 books each, so by July 338 should be read.", "338"),
    ("It took 8.4 s and takes 0.35 s now: a page 24 times faster.", "24 times"),
]


@pytest.mark.parametrize(("text", "stated"), WORDS)
def test_numbers_in_words_and_in_names(text, stated):
    assert fitting(text, stated)[1] != []
