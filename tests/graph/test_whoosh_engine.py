"""Words that few texts have are ranked without arrays, exactly as with them and as Whoosh's index without NumPy does.

A small segment is read as a whole, and gives the postings that Whoosh reads word by word.
"""

import itertools
import random
from contextlib import closing

from graph.search.engine_protocol import Entry
from graph.search.query_language import AllOf, AnyOf, Word
from graph.search.whoosh_engine import WhooshEngine
from graph.search.whoosh_postings import SmallSegment, blocks

WORDS = [f"word{number}" for number in range(14)]


def _entry(chance, serial):
    text = chance.choices(WORDS, weights=[1 / (place + 1) for place in range(len(WORDS))], k=chance.randint(1, 20))
    return Entry(serial, "", text, text[:2], set(text))


def _rankings(folder):
    """The ranking of all pairs of words and of some triples, and the frequency of each word."""
    asked = [*itertools.product(WORDS, repeat=2), *itertools.combinations([*WORDS[:5], "none"], 3)]
    texts = [kind(tuple(map(Word, words))) for words in asked for kind in (AllOf, AnyOf)]
    with closing(WhooshEngine(folder)) as engine:
        ranked = [engine.rank(text, None) for text in texts]
        return (
            texts,
            [list(zip(one.serials.tolist(), one.scores.tolist(), strict=True)) for one in ranked],
            [engine.frequency(word) for word in (*WORDS, "none")],
        )


def test_all_pairs_of_words_are_ranked_alike_with_and_without_arrays(tmp_path, monkeypatch):
    chance = random.Random(8)
    with closing(WhooshEngine(tmp_path)) as engine:
        engine.write([_entry(chance, serial) for serial in range(40)], ())
    with closing(WhooshEngine(tmp_path)) as engine:  # a second segment, and deleted documents
        engine.write([_entry(chance, serial) for serial in range(35, 60)], (3, 4, 17))
    texts, few, counts = _rankings(tmp_path)
    monkeypatch.setattr("graph.search.whoosh_postings.SMALL", 0)  # the files are read word by word
    assert _rankings(tmp_path) == (texts, few, counts)
    for most in (0, 5):  # no word that occurs, or only some
        monkeypatch.setattr("graph.search.whoosh_engine.FEW", most)
        assert _rankings(tmp_path) == (texts, few, counts)
    assert any(len(one) > 10 for one in few)
    assert [] in few


def test_a_small_segment_has_the_postings_that_whoosh_reads(tmp_path):
    chance = random.Random(9)
    with closing(WhooshEngine(tmp_path)) as engine:
        engine.write([_entry(chance, serial) for serial in range(700)], ())  # several blocks of 128 for a word
    with closing(WhooshEngine(tmp_path)) as engine:
        ((leaf, small, first),) = engine._leaves
        assert first == 0
        assert isinstance(small, SmallSegment)
        terms = [(field, word.decode()) for field, word in leaf.all_terms()]
        assert {field for field, _ in terms} == {"text", "title"}
        for field, word in terms:
            theirs = [(list(some), list(many)) for some, many in blocks(leaf.postings(field, word))]
            assert [(list(some), list(many)) for some, many in small.blocks(field, word)] == theirs
        assert max(len(list(small.blocks(*term))) for term in terms) > 3
        assert list(small.blocks("text", "none")) == []
        assert list(small.blocks("other", WORDS[0])) == []
