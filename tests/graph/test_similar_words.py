"""Ruling words out by their letters changes no suggestion."""

import random

from graph.search.similar_words import SimilarWords
from graph.search.spelling import nearest

LETTERS = "abcdeil3éßж猫"


def _word(chance):
    return "".join(chance.choices(LETTERS, k=chance.randint(1, 11)))


def test_a_suggestion_is_that_of_the_whole_vocabulary():
    chance = random.Random(4)
    counts = {_word(chance): chance.randint(0, 4) for _ in range(1500)}
    similar = SimilarWords(counts)
    words = [_word(chance) for _ in range(400)]
    words += [known[1:] + known[:1] for known in list(counts)[:100]]
    words += [known.replace("a", "b", 1) for known in list(counts)[:200]]
    found = [similar.nearest(word) for word in words]
    assert found == [nearest(word, counts) for word in words]
    assert sum(one is not None for one in found) > 50


def test_an_empty_vocabulary_suggests_nothing():
    assert SimilarWords({}).nearest("caching") is None
