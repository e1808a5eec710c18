"""The texts that searches show are those of the nodes as they are now."""

from hashlib import sha256

from graph.models.query_models import NodeQuery
from graph.search.search import Search

QUERY = NodeQuery(limit=20)


def written(store, make, **notes):
    nodes = [make.node(slug, title, body=body, line=n + 1) for n, (slug, (title, body)) in enumerate(notes.items())]
    make.put(store, *nodes, sha=sha256(repr(notes).encode()).hexdigest())


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
