"""What is said of figures in texts about the economics of AI: true ones are confirmed, wrong twins refuted, nobody else accused."""

import re
from datetime import date
from pathlib import Path

import pytest
import yaml

from compute.figures.figure_checker import FigureChecker, contradictions, differences
from compute.figures.figure_models import Passage
from compute.figures.figure_reader import figures
from compute.figures.relation_table import RELATIONS
from ingest.text.prose_masks import masked, sentence_borders
from tests.compute.made import book_of

DAY = date(2026, 11, 20)
CHECKER = FigureChecker(book_of(), DAY)
BRACED = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")
BANK = yaml.safe_load(Path(__file__).with_name("figures_texts.yaml").read_text("utf-8"))
TEXTS = [(name, text) for name, texts in BANK["pairs"].items() for text in texts]


def passage(text, node="n"):
    mask = masked(text)
    return Passage(node, text, mask, tuple(sentence_borders(mask)))


def check(text):
    return CHECKER.check(passage(text))


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


@pytest.mark.parametrize(("name", "text"), [*BANK["examples"].items(), *(("part", one) for one in BANK["clauses"])])
def test_example_of_a_relation_is_confirmed_and_never_accused(name, text):
    assert name in {one.name for one in RELATIONS}
    true, wrong, _, slip = twins(text)
    found = check(true)
    assert texts(found, true, "holds")
    assert not texts(found, true, "refuted")
    assert not any(one in slip or slip in one for one in texts(check(wrong), wrong, "holds"))


@pytest.mark.parametrize("text", BANK["tricky"])
def test_true_texts_that_look_wrong_are_not_accused(text):
    assert not texts(check(text), text, "refuted")


@pytest.mark.parametrize("hedge", ["at least ", "up to ", "?"])
@pytest.mark.parametrize(("_name", "text"), TEXTS)
def test_no_bound_and_no_question_is_accused(_name, text, hedge):
    hedged = BRACED.sub(r"\2", text).rstrip(".") + "?" if hedge == "?" else BRACED.sub(rf"{hedge}\2", text)
    slip = BRACED.search(text)[2]
    assert not any(one in slip or slip in one for one in texts(check(hedged), hedged, "refuted"))


@pytest.mark.parametrize(
    ("text", "accused"),
    [
        ("At 40 tokens per second, a reply of 600 tokens takes about 21 seconds.", []),
        ("A 70B model in FP16 needs roughly 35 GB.", ["35 GB"]),
        ("A bidder quoted 50% off and then 40% off, together 90% off. They make 70%.", []),
        ("The rate was cut from $5 to $3, a reduction of 67%.", ["67%"]),
        ("Servers that use 100 MWh in a hall with a PUE of 1.25 need 150 MWh from the grid.", ["150 MWh"]),
    ],
)
def test_a_hedge_excuses_half_and_a_correction_all(text, accused):
    assert texts(check(text), text, "refuted") == accused


@pytest.mark.parametrize("text", BANK["figures"])
def test_digits_of_names_references_and_days_are_no_figures(text):
    assert [text[one.start : one.end] for one in figures(text)] == BANK["figures"][text]


@pytest.mark.parametrize(
    ("one", "other", "differing", "contradict"),
    [
        ("At most 14 days, 3 years", "At most 15 days, 3 years", [("day", ("14 days",), ("15 days",))], True),
        ("14 days", "some days, 7 berths", [], False),
        ("a 2-3x speedup", "a 3x speedup in 8 layers", [("x", ("2-3x",), ("3x",))], False),
        ("1B parameters", "10B parameters, 16 bits", [("parameter", ("1B parameters",), ("10B parameters",))], True),
        ("`8 bits` or 4 bits", "values 0-255 in 4 bits, 10 fraction bits", [], False),
    ],
)
def test_definitions_that_state_other_figures_differ_and_single_ones_contradict(one, other, differing, contradict):
    pair = passage(one, "a"), passage(other, "b")
    assert [(unit, *(figures for _, figures in told)) for unit, told in differences(pair)] == differing
    found = [(one.node, one.verdict) for one in contradictions(pair)]
    assert found == ([("a", "differs"), ("b", "differs")] if contradict else [])
