"""The texts next to the index are those of the nodes as they are now, with the titles of now in their links."""

import random
from collections import Counter
from contextlib import closing
from hashlib import sha256

import numpy as np
import pytest

from graph.models.facet_counts import in_order
from graph.models.query_models import NodeQuery
from graph.search.facet_column import FacetColumn
from graph.search.search import Search
from graph.search.stored_texts import StoredTexts, titles_of
from graph.text.plain_text import naming, plain_text

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


def test_after_any_writes_the_texts_are_those_of_all_nodes(lite, home, make):
    chance = random.Random(3)
    slugs = [f"n{number}" for number in range(8)]
    search = Search(lite, home / "index")
    for _ in range(25):
        kept = chance.sample(slugs, chance.randint(1, 8))
        links = {
            slug: " ".join(f"[[{other}]]" for other in chance.sample(slugs, chance.randint(0, 3))) for slug in kept
        }
        written(lite, make, **{s: (f"*Title* {chance.randint(1, 3)}", f"Some {links[s]}.") for s in kept})
        search.refresh()
        cards = list(lite.index_feed.cards())
        bodies = lite.index_feed.markdown([card.serial for card in cards])
        named = naming(titles_of(cards))
        with closing(StoredTexts(next((home / "index").glob("whoosh-*")))) as texts:
            assert texts.of([*bodies, 999]) == {serial: plain_text(body, named) for serial, body in bodies.items()}
    search.close()


def test_who_has_the_texts_open_reads_them_as_they_were_also_when_a_new_file_is_written(lite, home, make, monkeypatch):
    monkeypatch.setattr("graph.search.stored_texts.SPARE", 0)
    oats = ("Oats", "Oats. " + "Sown in March. " * 50)
    written(lite, make, rye=("Rye", "Rye 0."), oats=oats)
    search = Search(lite, home / "index")
    search.refresh()
    folder = next((home / "index").glob("whoosh-*"))
    serials = [card.serial for card in lite.index_feed.cards()]
    with closing(StoredTexts(folder)) as before:
        for number in range(1, 80):
            written(lite, make, rye=("Rye", f"Rye {number} " + "and wheat " * 20), oats=oats)
            search.refresh()
        with closing(StoredTexts(folder)) as after:
            assert after.of(serials)[serials[0]].startswith("Rye 79 and wheat")
            assert before.of(serials) == after.of(serials) | {serials[0]: "Rye 0."}
    files = list(folder.glob("texts-*.bin"))
    assert [path.name == "texts-1.bin" for path in files] == [False]
    assert files[0].stat().st_size < 4000
    search.close()


def test_an_index_without_its_texts_is_built_again(lite, home, make):
    written(lite, make, rye=("Rye", "Rye follows oats."))
    damages = (lambda path: path.unlink(), lambda path: path.write_bytes(b"Rye"))
    for file, damage in [(file, damage) for file in ("texts.db", "texts-1.bin") for damage in damages]:
        with closing(Search(lite, home / "index")) as search:
            search.refresh()
        damage(next((home / "index").glob("whoosh-*")) / file)
        with closing(Search(lite, home / "index")) as search:
            assert snippet(search, "rye") == "<mark>Rye</mark> follows oats."


def test_an_index_that_has_to_be_built_is_not_waited_for(lite, home, make, monkeypatch):
    written(lite, make, rye=("Rye", "Rye."))
    with closing(Search(lite, home / "index")) as search:
        search.in_background()
        search._build.stop()
        monkeypatch.setattr(search, "_begun", lambda: pytest.fail("it waits"))
        written(lite, make, rye=("Rye", "Rye and oats."))
        search.wait_open(20)


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
