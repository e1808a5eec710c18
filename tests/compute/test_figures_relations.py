"""What is said of figures in texts about the economics of AI: true ones are confirmed, wrong twins refuted, nobody else accused."""

import re
from datetime import date

import pytest

from compute.figures.figure_checker import FigureChecker
from compute.figures.figure_models import Passage
from compute.figures.relation_table import RELATIONS
from compute.prices.price_book import CatalogBook
from ingest.text.prose_masks import masked, sentence_borders
from tests.compute.figures_texts import PAIRS, TRICKY

DAY = date(2026, 11, 20)
CHECKER = FigureChecker(CatalogBook.of([]), DAY)
BRACED = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")
EXAMPLES = [(one.title, one.example) for one in RELATIONS if one.example]
TEXTS = [(name, text) for name, texts in PAIRS.items() for text in texts]


def check(text):
    mask = masked(text)
    return CHECKER.check(Passage("n", text, mask, tuple(sentence_borders(mask))))


def texts(found, text, verdict):
    return [text[one.figure_start : one.figure_end] for one in found if one.verdict == verdict]


def twins(text):
    return BRACED.sub(r"\1", text), BRACED.sub(r"\2", text), *BRACED.search(text).groups()


@pytest.mark.parametrize(("_name", "text"), TEXTS)
def test_true_figure_is_confirmed_and_its_wrong_twin_refuted(_name, text):
    true, wrong, right, slip = twins(text)
    assert any(one in right or right in one for one in texts(check(true), true, "holds"))
    assert not texts(check(true), true, "refuted")
    assert any(one in slip or slip in one for one in texts(check(wrong), wrong, "refuted"))
    assert not any(one in slip or slip in one for one in texts(check(wrong), wrong, "holds"))


@pytest.mark.parametrize(("_title", "text"), EXAMPLES)
def test_examples_of_the_table_are_confirmed_and_never_accused(_title, text):
    true, wrong, _, slip = twins(text)
    found = check(true)
    assert texts(found, true, "holds")
    assert not texts(found, true, "refuted")
    assert not any(one in slip or slip in one for one in texts(check(wrong), wrong, "holds"))


@pytest.mark.parametrize("text", TRICKY)
def test_true_texts_that_look_wrong_are_not_accused(text):
    assert not texts(check(text), text, "refuted")


@pytest.mark.parametrize("hedge", ["about ", "roughly ", "at least ", "up to "])
@pytest.mark.parametrize(("_name", "text"), TEXTS)
def test_no_hedged_figure_is_accused(_name, text, hedge):
    hedged = BRACED.sub(rf"{hedge}\2", text)
    slip = BRACED.search(text)[2]
    assert not any(one in slip or slip in one for one in texts(check(hedged), hedged, "refuted"))


@pytest.mark.parametrize(("_name", "text"), TEXTS)
def test_no_question_is_accused(_name, text):
    asked = BRACED.sub(r"\2", text).rstrip(".") + "?"
    slip = BRACED.search(text)[2]
    assert not any(one in slip or slip in one for one in texts(check(asked), asked, "refuted"))


@pytest.mark.parametrize(("name", "verdict"), [("true.md", "holds"), ("wrong.md", "refuted")])
def test_unit_price_is_no_amount_of_a_total(name, verdict):
    """A wrong total was once confirmed by adding the unit prices."""
    lines = {
        "holds": ("We sent 40 million tokens at $2 and paid $80, and 5 million output tokens at $10 and paid $50, together $130.",
                  "Eight nodes at $12 an hour cost $96, two switches cost $30, together $126."),
        "refuted": ("We sent 40 million tokens at $2 and paid $80, and 5 million output tokens at $10 and paid $50, together $140.",
                    "Eight nodes at $12 an hour cost $96, two switches cost $30, together $138."),
    }  # fmt: skip
    for text in lines[verdict]:
        assert texts(check(text), text, verdict)[-1] == re.search(r"\$\d+(?=\.$)", text)[0], name
