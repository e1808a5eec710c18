"""A node with its neighbours is read from the store as it is found in the graph of all nodes."""

import random

import pytest

from graph.links.links import Links
from graph.links.node_graph import NodeGraph
from graph.links.relatedness import MarkIndex, Relatedness
from graph.links.stored_marks import StoredMarks
from graph.links.stored_neighbourhood import StoredNeighbourhood
from graph.models.node_models import Edge
from graph.store import Store, UnknownNodeError
from graph.store.neighbour_queries import NeighbourQueries


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
    store.documents.put(make.document(*nodes, make.term("grain", "Grain"), make.node("loner", line=900)), make.noon)
    store.edges.set_derived(
        Edge(subject=f"ada/{slug}", kind=kind, target="words/grain", reason="grain")
        for kind, step in (("mentions", 3), ("related", 7))
        for slug in slugs[::step]
    )
    return store


def same(store, ids):
    """Compare the two for each of the nodes; how many related nodes and links there were."""
    near, web, counted = StoredNeighbourhood(store), NodeGraph(store), [0, 0]
    for place, node in enumerate(ids):
        limit, cap = (1, 6, 100)[place % 3], (3, 24)[place % 2]
        assert near.related(node, limit) == web.related(node, limit), node
        assert near.around(node, cap) == web.around(node, 1, cap, ()), node
        counted[0] += len(web.related(node, 6))
        counted[1] += len(web.around(node, 1, 24, ()).links)
    return counted


def test_made_up_notes(woven, monkeypatch):
    related, links = same(woven, woven.nodes.ids()[::4])
    assert related > 50
    assert links > 100
    monkeypatch.setattr("graph.links.relatedness.BATCH", 4)
    same(woven, woven.nodes.ids()[::9])
    monkeypatch.setattr("graph.links.links.MOST_NODES", 0)
    for ask in (Links(woven).related, Links(woven).around):
        with pytest.raises(UnknownNodeError):
            ask("ada/nobody")


def test_the_content_that_ships(shipped_home):
    with Store.open(shipped_home / "brain.db") as store:
        related, links = same(store, store.nodes.ids()[::15])
    assert related > 100
    assert links > 300


def test_only_nodes_that_may_be_related_more_are_compared(woven, monkeypatch):
    """Of a frequent tag every node with it would be read."""
    marks = StoredMarks(woven)
    everything = {node: marks.of([node])[node] for node in woven.nodes.ids()}
    index = MarkIndex((node, mark) for node, own in everything.items() for mark in own)
    assert index.total == marks.total

    class Counted(MarkIndex):
        compared = 0

        def of(self, nodes):
            self.compared += len(nodes)
            return index.of(nodes)

    counted = Counted((node, mark) for node, own in everything.items() for mark in own)
    monkeypatch.setattr("graph.links.relatedness.BATCH", 4)
    Relatedness(counted).related("ada/n3", 2)
    assert counted.compared < 40


def test_a_page_of_one_node_reads_no_graph_of_all(woven, monkeypatch):
    """The first page after a start took 0.8 s at 20,000 nodes."""
    monkeypatch.setattr("graph.links.links.MOST_NODES", 0)
    links = Links(woven)
    with monkeypatch.context() as patch:
        patch.setattr("graph.links.node_graph.NodeGraph", None)
        read = links.related("ada/n3"), links.around("ada/n3")
    links.components()  # builds the graph, which then answers
    monkeypatch.setattr("graph.links.links.StoredNeighbourhood", None)
    assert (links.related("ada/n3"), links.around("ada/n3")) == read


@pytest.mark.parametrize("query", ["touching", "cards", "tag_counts"])
def test_an_answer_is_of_one_state_also_if_the_notes_are_removed_meanwhile(woven, make, monkeypatch, query):
    """The second query of an answer found no note of the first one, which then had no weight and no place."""
    near, read = StoredNeighbourhood(woven), getattr(NeighbourQueries, query)
    notes = make.document(*map(woven.nodes.get, woven.nodes.ids()))

    def removing(self, ids):
        found = read(self, ids)
        woven.documents.put(make.document(make.node("other")), make.noon)
        return found

    for ask in (near.related, near.around):
        before = ask("ada/n3", 24)
        assert before
        with monkeypatch.context() as patch:
            patch.setattr(NeighbourQueries, query, removing)
            assert ask("ada/n3", 24) == before
        woven.documents.put(notes, make.noon)
