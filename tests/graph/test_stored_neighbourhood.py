"""A node with its neighbours is read from the store, without the graph of all nodes."""

import random

import pytest

from graph.links.links import Links
from graph.links.relatedness import Relatedness
from graph.models.link_models import Link
from graph.store import Store
from graph.store.edge_tables import NeighbourQueries
from graph.store.store_errors import UnknownNodeError


@pytest.fixture
def woven(store, make):
    """Sixty notes with tags, works and citations by chance, some of themselves, of nobody, and several of one note."""
    chance = random.Random(5)
    slugs = [f"n{number}" for number in range(60)]
    nodes = [
        make.node(
            slug,
            tags=tuple(chance.sample(("grain", "seed", "rare", "field", "all"), chance.randrange(4))),
            urls=tuple(f"https://e.org/{chance.randrange(9)}" for _ in range(chance.randrange(3))),
            cites=tuple(f"ada/{chance.choice([*slugs[:12], 'gone', slug])}" for _ in range(chance.randrange(5))),
            line=1 + 4 * place,
        )
        for place, slug in enumerate(slugs)
    ]
    make.put(store, *nodes, make.term("grain", "Grain"), make.node("loner", line=900))
    store.edges.set_derived(
        Link(subject=f"ada/{slug}", kind=kind, target="words/grain", reason="grain")
        for kind, step in (("mentions", 3), ("related", 7))
        for slug in slugs[::step]
    )
    return store


def test_a_neighbourhood_of_one_step_is_the_first_ring_of_a_wider_one(woven, shipped_home):
    """The first is asked of the store, the second of a graph of all nodes."""
    with Store.open(shipped_home / "brain.db") as shipped:
        for store, step in ((woven, 3), (shipped, 40)):
            links = Links(store)
            for node in store.nodes.ids()[::step]:
                star, rings = links.around(node, 1, 1000), links.around(node, 2, 1000)
                inner = {dot.id: dot.degree for dot in rings.dots if dot.distance <= 1}
                assert {dot.id: dot.degree for dot in star.dots} == inner
                among = [one for one in rings.links if {one.subject, one.target} <= inner.keys()]
                assert list(star.links) == among
                assert links.around(node, 1, 3).left_out == max(0, len(inner) - 3)
        with pytest.raises(UnknownNodeError):
            links.around("ada/nobody")
        with pytest.raises(UnknownNodeError):
            links.related("ada/nobody")


def test_between_many_nodes_the_links_are_the_same(woven, monkeypatch):
    links = Links(woven)
    few = [links.around(node, 3, 60) for node in woven.nodes.ids()[::9]]
    monkeypatch.setattr("graph.links.links.TOGETHER", 0)
    assert [links.around(node, 3, 60) for node in woven.nodes.ids()[::9]] == few


def test_only_nodes_that_may_be_related_more_are_compared(woven, monkeypatch):
    """Of a frequent tag every node with it would be read."""

    class Counted(NeighbourQueries):
        compared = 0

        def marks_of(self, nodes):
            self.compared += len(nodes)
            return super().marks_of(nodes)

    counted, total = Counted(woven), woven.neighbours.marked_count()
    every = Relatedness(woven.neighbours, total).related("ada/n3", 100)
    monkeypatch.setattr("graph.links.relatedness.BATCH", 4)
    assert Relatedness(counted, total).related("ada/n3", 2) == every[:2]
    assert counted.compared < 40 < len(every) + 10


def test_a_page_of_one_node_reads_no_graph_of_all(woven, monkeypatch):
    """The first page after a start took 0.8 s at 20,000 nodes."""
    monkeypatch.setattr("graph.links.node_graph.NodeGraph", None)
    links = Links(woven)
    assert links.related("ada/n3")
    assert links.around("ada/n3").links
    assert links.dependents("ada/n3")


@pytest.mark.parametrize("query", ["touching", "cards", "mark_counts"])
def test_an_answer_is_of_one_state_also_if_the_notes_are_removed_meanwhile(woven, make, monkeypatch, query):
    """The second query of an answer found no note of the first one, which then had no weight and no place."""
    near, read = Links(woven), getattr(NeighbourQueries, query)
    notes = make.document(*map(woven.nodes.get, woven.nodes.ids()))

    def removing(self, ids):
        found = read(self, ids)
        make.put(woven, make.node("other"))
        return found

    for ask in (lambda node, _: near.related(node, 24), lambda node, _: near.around(node, 1, 24)):
        before = ask("ada/n3", 24)
        assert before
        with monkeypatch.context() as patch:
            patch.setattr(NeighbourQueries, query, removing)
            assert ask("ada/n3", 24) == before
        woven.documents.put(notes, make.noon)
