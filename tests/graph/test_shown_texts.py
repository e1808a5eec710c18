"""The texts that searches show are those of the nodes as they are now; an index that is locked holds up one search."""

import random
from collections import Counter
from contextlib import closing
from hashlib import sha256

import numpy as np
import pytest
from filelock import FileLock

from graph.models.facet_counts import in_order
from graph.models.query_models import NodeQuery
from graph.search import SearchNotReadyError
from graph.search.facet_column import FacetColumn
from graph.search.search import Search

QUERY = NodeQuery(limit=20)


def written(store, make, **notes):
    """Store one document: each note is a title and a body."""
    nodes = [make.node(slug, title, body=body, line=n + 1) for n, (slug, (title, body)) in enumerate(notes.items())]
    store.documents.put(make.document(*nodes, sha=sha256(repr(notes).encode()).hexdigest()), make.noon)


def snippet(search, typed):
    return search.search(typed, QUERY).hits[0].snippet


def test_a_link_shows_the_title_that_its_target_has_now(lite, home, make):
    search = Search(lite, home / "index")
    rye = ("Rye", "Rye follows [[oats]].")
    written(lite, make, rye=rye)
    assert snippet(search, "rye") == "<mark>Rye</mark> follows oats."
    written(lite, make, rye=rye, oats=("White oats", "Oats."))
    assert snippet(search, "rye") == "<mark>Rye</mark> follows White oats."
    written(lite, make, rye=rye, oats=("Black oats", "Oats."))
    assert snippet(search, "rye") == "<mark>Rye</mark> follows Black oats."
    written(lite, make, rye=rye)
    assert snippet(search, "rye") == "<mark>Rye</mark> follows oats."
    search.close()


def test_values_are_counted_as_one_by_one():
    chance = random.Random(4)
    for number in range(60):
        names = ["b", "a", "B", "é", *map(str, range(number))]
        cards = [
            tuple(chance.choices(names, k=chance.randint(0 if number else 1, 4))) for _ in range(chance.randint(0, 9))
        ]
        places = [place for place in range(len(cards)) if chance.random() < 0.7]
        counts = Counter(name for place in places for name in set(cards[place]))
        found = FacetColumn(cards).ranked(np.array(places, dtype=np.int64), 3)
        assert (found.listed, found.left) == (in_order(counts, 3), max(0, len(counts) - 3))
        assert FacetColumn(cards).having("a").tolist() == ["a" in card for card in cards]
        assert FacetColumn(cards).having("b", folded=True).tolist() == [bool({"b", "B"} & {*card}) for card in cards]


def test_after_one_search_has_waited_for_a_locked_index_the_next_do_not(lite, home, make, monkeypatch):
    """Forty searches waited a second each, four at a time, and a page waited ten seconds behind them."""
    written(lite, make, rye=("Rye", "Rye."))
    with closing(Search(lite, home / "index", patience=0.01)) as search:
        (home / "index").mkdir()
        with FileLock(home / "index" / "lock"):
            search.in_background()
            with pytest.raises(SearchNotReadyError):
                search.search("rye")
            waited = []
            with monkeypatch.context() as patch:
                patch.setattr(search._build._done, "wait", waited.append)
                with pytest.raises(SearchNotReadyError):
                    search.search("rye")
        assert waited == [0]
