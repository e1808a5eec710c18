"""The network that reads what a text claims: what it sees, and that its weights are kept."""

import json
from decimal import Decimal
from math import erf, sqrt

import numpy as np
import pytest

from compute.mining import accusation_trees, claim_model, claim_reader
from compute.mining.claim_model import weighed
from compute.mining.claim_traits import GROUPS
from compute.mining.encoder_tokens import MOST_TOKENS, Excerpt, Vocabulary, clipped, excerpts, span_of, tokens
from compute.mining.expressions import times, written
from compute.mining.quantities import sentences
from compute.mining.solver import accusations, opinions, wide
from compute.mining.text_encoder import gelu, layer_norm
from tests.bench.bench_mining import miner, passage

WORDS = Vocabulary(
    ["[UNK]", "#money", "#share", "#year", "#other", "sal", "##es", "rose", ",", ".", "$", "%", "to", "a"]
)


def scopes(one):
    every = list(sentences(one))
    return [wide(every, place) for place in range(len(every))]


def seen(text, vocabulary=WORDS):
    one = passage(text)
    figures = [span_of(quantity) for quantity in scopes(one)[0].quantities]
    return tokens(one.mask, Excerpt(0, len(text)), figures, vocabulary)


def test_a_number_is_only_its_kind():
    assert seen("Sales rose 8%, to $1,200.").names == (
        "[CLS]", "sal", "##es", "rose", "#share", "%", ",", "to", "$", "#money", ".", "[SEP]",
    )  # fmt: skip  # in text order


def test_two_figures_that_differ_only_in_digits_look_alike():
    """Otherwise a network could learn to compute, and would overlook wrong figures."""
    assert seen("Sales rose 8%, to $1,200.") == seen("Sales rose 64%, to $9.")


def test_each_figure_has_the_places_of_its_tokens():
    assert seen("Sales rose 8%, to $1,200.").places == ((4, 5), (8, 9))


def test_a_word_that_is_not_known_is_unknown():
    assert seen("Sales grew 8%.").names[3] == "[UNK]"


def test_accents_and_capitals_make_no_difference():
    assert WORDS.pieces("RÔSE") == WORDS.pieces("rose") == ("rose",)


def test_sentences_that_follow_each_other_are_read_together():
    one = passage(
        "Sales rose to $120 from $100. That is 20% more. " + "Nothing else happened here. " * 30 + "Then 5 of 8 left."
    )
    first, second, last = excerpts(one, scopes(one))
    assert first == second
    assert last.start > first.end


def test_of_a_long_sentence_the_part_around_its_figures_is_read():
    one = passage("a " * 400 + "fee of $5 " + "a " * 400)
    (scope,) = scopes(one)
    whole = tokens(one.mask, Excerpt(0, len(one.text)), [span_of(scope.quantities[0])], WORDS)
    part = clipped(whole, whole.places[0][0])
    assert len(part.names) == MOST_TOKENS
    assert [part.names[place] for place in part.places[0]] == ["$", "#money"]


def test_rows_are_normalised():
    found = layer_norm(np.array([[1.0, 2.0, 3.0, 6.0]], np.float32), np.ones(4, np.float32), np.zeros(4, np.float32))
    assert found.mean() == pytest.approx(0, abs=1e-6)
    assert found.std() == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("one", [-3.0, -0.5, 0.0, 0.7, 4.0])
def test_the_gaussian_unit_is_close_to_its_definition(one):
    assert gelu(np.array([one], np.float32))[0] == pytest.approx(one * (1 + erf(one / sqrt(2))) / 2, abs=1e-3)


def test_the_wanted_tokens_have_the_states_that_they_have_among_all():
    encoder = claim_reader.learned().encoder
    rows = [5, 300, 41, 7, 1200, 6]
    assert encoder.encoded(rows, [1, 4]) == pytest.approx(encoder.encoded(rows, range(6))[[1, 4]], abs=1e-4)


def test_weights_are_written_to_half_a_step_of_a_byte(tmp_path):
    """Bytes instead of four-byte numbers: a quarter of the size, and no verdict of the banks changes."""
    lists = {"vocabulary": ["[UNK]", "a"], "rules": ["rise"], "groups": ["change"], "traits": ["here"]}
    parts = {"emb.weight": np.array([[1.0, -0.3], [0.004, 0.002]], np.float32), "pos": np.zeros((2, 2), np.float32)}
    parts |= {name: np.ones(2, np.float32) for name in ("n0.weight", "n0.bias")}
    claim_reader.saved(lists, parts, tmp_path / "some.npz")
    again = claim_reader.load(tmp_path / "some.npz")
    assert again.vocabulary.rows == {"[UNK]": 0, "a": 1}
    assert again.encoder.embeddings == pytest.approx(parts["emb.weight"], abs=0.5 / 127)
    assert again.encoder.embeddings[1] == pytest.approx(parts["emb.weight"][1], abs=0.004 / 254)


def test_the_probabilities_of_all_relations_and_of_none_are_one_at_most_and_in_order():
    """Those that are not scored again count too, so that a text with many relations does not claim more than one."""
    one = passage("Of the 40 boats 12 are sold, 9 hired out and 3 under repair, 30% in all, and so 16 are left.")
    (scope,) = scopes(one)
    reranker = claim_reader.Reranker(one, [scope])
    for target in scope.targets:
        ranked = reranker.rerank(0, target, weighed(scope, target, claim_model.learned()))
        chances = [chance for _, chance in ranked]
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) <= 1


def test_a_relation_is_as_likely_in_a_wrong_text_as_in_the_right_one():
    """Whether a text claims a relation is decided without looking at whether it computes."""

    def likeliest(text):
        one = passage(text)
        (scope,) = scopes(one)
        target = scope.targets[-1]
        ranked = claim_reader.Reranker(one, [scope]).rerank(0, target, weighed(scope, target, claim_model.learned()))
        return [(found.rule, round(chance, 2)) for found, chance in ranked[:3]]

    assert likeliest("An LP sells for £15 and pressing is £6, so we see £9.") == likeliest(
        "An LP sells for £15 and pressing is £6, so we see £8."
    )


def test_what_is_masked_is_one_token_and_a_word_without_end_is_unknown():
    """A link of sixty signs took sixty of the two hundred tokens; a word of two thousand letters took seconds."""
    assert seen("See https://example.org/a/long/address and 8%.").names.count("[UNK]") == 3
    assert WORDS.pieces("a" * 2000) == ("[UNK]",)


def test_a_text_without_sentences_or_figures_is_read_without_an_error():
    assert list(opinions(passage(""))) == list(opinions(passage("No figures here."))) == []


def test_every_relation_has_weights():
    """A relation that is newer than the weights is scored by its group alone: train again."""
    assert set(GROUPS) == set(claim_reader.learned().rules)


def test_every_measure_of_an_accusation_was_learned():
    text = "From 88 kg in January to 77 in June, he has lost a quarter of himself."
    measured = next(found for _, found in accusations(passage(text)))
    assert {name for name in measured if not name.startswith("relation ")} <= {*accusation_trees.learned().names}


def test_the_heading_after_a_paragraph_is_not_read_with_it():
    """A question in the heading below made a plain ratio of the paragraph above it improbable: 0.01 instead of 0.9."""
    plain = "The old press printed 600 pages an hour; the new one prints 1,500, and that is 2.5 times as fast."
    below = f"{plain}\n\n## Is it worth it?\n\nWe asked three printers."
    one, other = passage(plain), passage(below)
    first, second = (excerpts(read, scopes(read))[0] for read in (one, other))
    assert below[second.start : second.end].strip() == plain[first.start : first.end].strip()
    assert "holds" in {found.verdict for found in miner().mine(other)}


@pytest.mark.parametrize(
    ("scale", "text"),
    [
        (Decimal(1) / 60 * 3600, "x * 60"),
        (Decimal(1) / 3, "x / 3"),
        (Decimal("453.59237"), "x * 453.59237"),
        (Decimal("0.01"), "x * 0.01"),
        (Decimal(1), "x"),
    ],
)
def test_a_constant_that_was_rounded_on_the_way_is_written_as_the_number_it_is(scale, text):
    assert written(times("x", scale)) == text


def test_trees_are_kept_as_they_were_learned(tmp_path):
    split = accusation_trees.Split(1, 0.5, -0.25, accusation_trees.Split(0, 2.0, 0.125, 1.5))
    path = tmp_path / "trees.json"
    accusation_trees.saved(accusation_trees.Trees(("off", "words"), (split, 0.0625)), path)
    kept = json.loads(path.read_text("utf-8"))
    assert kept["names"] == ["off", "words"]
    assert kept["trees"] == [[1, 0.5, -0.25, [0, 2.0, 0.125, 1.5]], 0.0625]


@pytest.mark.parametrize(
    ("measures", "score"), [({}, -0.25), ({"words": 0.5}, -0.25), ({"words": 1}, 0.125), ({"words": 1, "off": 3}, 1.5)]
)
def test_a_tree_asks_for_one_measure_after_the_other(measures, score):
    split = accusation_trees.Split(1, 0.5, -0.25, accusation_trees.Split(0, 2.0, 0.125, 1.5))
    assert accusation_trees.Trees(("off", "words"), (split,)).score(measures) == score
