"""Trails, neighbourhoods (also as the store has them), related nodes, dependents, drawings; which citations depend."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.links.links import Links
from graph.links.relatedness import Relatedness
from graph.models.link_models import ARGUING, SURE, Link
from graph.models.node_models import Citation
from graph.store import Store
from graph.store.edge_tables import NeighbourQueries
from graph.store.store_errors import UnknownNodeError


@pytest.fixture
def field(lite, make):
    """A thesis on two readings, one of which depends on a third; a circle; a loner; a disputing note."""
    against = Citation(marker="[[seed]]", target="ada/seed", resolution="link", confidence=1, cito="disputes")
    make.put(
        lite,
        make.node("seed", tags=("seed", "rare"), urls=("https://e.org/1",)),
        make.node("oats", tags=("grain", "rare"), urls=("https://e.org/1",), cites=("ada/seed",), line=5),
        make.node("rye", tags=("grain",), line=9),
        make.node("mix", tags=("grain",), cites=("ada/oats", "ada/rye", "ada/gone"), line=13),
        make.node("hen", cites=("ada/egg",), line=17),
        make.node("egg", cites=("ada/hen",), line=21),
        make.node("loner", line=25),
        make.node("doubt", line=29).model_copy(update={"citations": (against,)}),
        make.term("grain", "Grain"),
    )
    lite.edges.set_derived(
        [
            Link(subject="ada/rye", kind="mentions", target="words/grain", reason="grain"),
            Link(subject="ada/oats", kind="mentions", target="words/grain", reason="grains", confidence=0.8),
        ]
    )
    return lite


@pytest.fixture
def links(field):
    return Links(field)


def ids(refs):
    return [ref.id.partition("/")[2] for ref in refs]


def test_a_trail_says_over_which_links_it_goes(links):
    trail = links.path("ada/mix", "ada/seed")
    assert ids(trail.nodes) == ["mix", "oats", "seed"]
    assert [(link.kind, link.forwards, link.reason) for link in trail.links] == [
        ("cites", True, "So much for ada/oats."),
        ("cites", True, "So much for ada/seed."),
    ]
    back = links.path("ada/seed", "ada/rye")
    assert ids(back.nodes) == ["seed", "oats", "mix", "rye"]
    assert [link.forwards for link in back.links] == [False, False, True]
    assert links.path("ada/seed", "ada/loner") is None
    assert links.path("ada/seed", "ada/seed").links == ()
    assert "grain" not in ids(links.path("ada/oats", "ada/rye").nodes), "a citation is preferred to a mention"
    for pair in (("ada/seed", "ada/none"), ("ada/gone", "ada/seed")):
        with pytest.raises(UnknownNodeError):
            links.path(*pair)


def test_dependents_rest_on_a_node_by_the_shortest_chain_and_links_follow_the_store(links, field, make):
    found = links.dependents("ada/seed")
    assert [(one.node.id, one.distance, ids(one.chain)) for one in found] == [
        ("ada/oats", 1, ["oats", "seed"]),
        ("ada/mix", 2, ["mix", "oats", "seed"]),
    ]
    assert found[1].confidence == pytest.approx(0.81)
    ends = [(link.subject, link.target) for link in found[1].links]
    assert ends == [("ada/mix", "ada/oats"), ("ada/oats", "ada/seed")]
    assert links.dependents("ada/loner") == ()
    assert links.path("ada/seed", "ada/loner") is None
    make.put(field, make.node("new", document="n.md", cites=("ada/seed", "ada/loner")), name="n.md")
    assert ids(links.path("ada/seed", "ada/loner").nodes) == ["seed", "new", "loner"]
    assert "ada/new" in [one.node.id for one in links.dependents("ada/loner")]


def test_related_nodes_come_with_the_reasons(links):
    first, *others = links.related("ada/oats")
    assert first.node.id in {"ada/seed", "ada/rye"}
    reasons = {one.node.id: {reason.kind: reason.names for reason in one.reasons} for one in (first, *others)}
    assert reasons["ada/seed"] == {"sources": ("https://e.org/1",), "tags": ("rare",)}
    assert reasons["ada/rye"] == {"tags": ("grain",), "terms": ("Grain",), "cited by": ("Mix",)}
    assert reasons["ada/mix"] == {"tags": ("grain",)}
    assert all(0 < one.score <= 1 for one in (first, *others))
    assert links.related("ada/loner") == ()
    assert len(links.related("ada/oats", limit=1)) == 1


def test_a_rare_tag_weighs_more_than_a_common_one(lite, make):
    common = [make.node(f"n{number}", tags=("common",), line=number + 9) for number in range(6)]
    twins = [make.node("one", tags=("common", "odd")), make.node("two", tags=("odd",), line=4)]
    others = [make.node(f"x{number}", line=number + 90, tags=(f"x{number}",)) for number in range(9)]
    make.put(lite, *twins, *common, *others)
    assert Links(lite).related("ada/one")[0].node.id == "ada/two"


def test_a_neighbourhood_is_cut_where_it_grows_too_large(links):
    near = links.around("ada/oats", depth=1)
    assert {dot.id for dot in near.dots} == {"ada/oats", "ada/seed", "ada/mix", "words/grain"}
    assert {dot.distance for dot in near.dots} == {0, 1}
    assert near.left_out == 0
    assert all(0 <= dot.x <= 1 and 0 <= dot.y <= 1 for dot in near.dots)
    assert len({(dot.x, dot.y) for dot in near.dots}) == 4
    cut = links.around("ada/oats", depth=5, cap=2)
    assert next(dot.id for dot in cut.dots) == "ada/oats"
    assert len(cut.dots) == 2
    assert cut.left_out == 4
    assert {link.subject for link in cut.links} <= {dot.id for dot in cut.dots}
    only = links.around("ada/oats", depth=2, kinds=["mentions"])
    assert {dot.id for dot in only.dots} == {"ada/oats", "words/grain", "ada/rye"}
    assert {link.kind for link in only.links} == {"mentions"}
    assert [dot.id for dot in links.around("ada/loner", depth=3).dots] == ["ada/loner"]


def test_a_filter_by_kind_finds_nodes_that_another_link_joins_too(lite, make):
    make.put(lite, make.node("oats", cites=("words/grain",)), make.term("grain", "Grain"))
    lite.edges.set_derived([Link(subject="ada/oats", kind="mentions", target="words/grain", reason="grain")])
    for kind in ("cites", "mentions"):
        found = Links(lite).around("ada/oats", kinds=[kind])
        assert [dot.id for dot in found.dots] == ["ada/oats", "words/grain"]
        assert [link.kind for link in found.links] == [kind]


def test_the_map_has_a_place_for_every_node_and_stays_the_map_one_knows(field, links, make):
    drawing = links.drawing()
    first = {dot.id: (dot.x, dot.y) for dot in drawing.dots}
    assert len(first) == len(set(first.values())) == 9
    assert all(0 <= place <= 1 for spot in first.values() for place in spot)
    assert {link.kind for link in drawing.links} == {"cites", "mentions"}
    assert {dot.id: (dot.x, dot.y) for dot in Links(field).drawing().dots} == first
    make.put(field, make.node("new", document="n.md", cites=("ada/seed",)), name="n.md")
    second = {dot.id: (dot.x, dot.y) for dot in links.drawing().dots}
    assert second.pop("ada/new") == pytest.approx(first["ada/seed"], abs=0.05)
    assert second == first


def test_of_a_large_brain_the_map_has_the_best_connected_nodes(links, monkeypatch):
    monkeypatch.setattr("graph.links.node_graph.MAPPED", 4)
    drawing = links.drawing()
    assert (len(drawing.dots), drawing.left_out) == (4, 5)
    assert min(dot.degree for dot in drawing.dots) == 2
    assert {end for link in drawing.links for end in (link.subject, link.target)} <= {dot.id for dot in drawing.dots}


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pairs=st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=24))
def test_dependents_are_all_that_reach_a_node_whatever_the_circles(lite, make, pairs):
    cites = {n: tuple(f"ada/n{b}" for a, b in sorted(pairs) if a == n) for n in range(8)}
    make.put(lite, *(make.node(f"n{n}", cites=cites[n], line=n * 4 + 1) for n in range(8)), sha=str(sorted(pairs)))
    links = Links(lite)
    for end in range(8):
        assert {one.node.id for one in links.dependents(f"ada/n{end}")} == _reaching(pairs, end)
    for one in links.dependents("ada/n0"):
        steps = [(link.subject, link.target) for link in one.links]
        assert len(steps) == one.distance
        assert all((int(a[5:]), int(b[5:])) in pairs for a, b in steps)


def _reaching(pairs, end):
    found, grown = {end}, True
    while grown:
        fresh = {a for a, b in pairs if b in found} - found
        found, grown = found | fresh, bool(fresh)
    return {f"ada/n{number}" for number in found - {end}}


def test_a_citation_that_argues_is_a_dependency_and_none_of_a_node_on_itself(store, make):
    cases = [("batch", "cites", sure, sure >= SURE) for sure in (0.9, SURE, SURE - 0.01)]
    cases += [("link", cito, 1.0, cito in ARGUING) for cito in ("cites", "discusses", "disputes", *sorted(ARGUING))]
    assert [depends for *_, depends in cases[:6]] == [True, True, False, False, False, False]
    theses = []
    for number, (resolution, cito, sure, _) in enumerate(cases, 1):
        cited = Citation(marker="[1]", target="ada/base", resolution=resolution, cito=cito, confidence=sure)
        theses.append(make.node(f"n{number:02}", line=9 * number).model_copy(update={"citations": (cited,)}))
    make.put(store, make.node("base", cites=("ada/base",)), *theses)
    expected = [f"ada/n{n:02}" for n, (*_, depends) in enumerate(cases, 1) if depends]
    assert sorted(store.edges.arguing()) == [(thesis, "ada/base") for thesis in expected]
    assert sorted(one.node.id for one in Links(store).dependents("ada/base")) == expected


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


def test_between_many_nodes_the_links_are_the_same_and_a_page_of_one_node_reads_no_graph_of_all(woven, monkeypatch):
    """The first page after a start took 0.8 s at 20,000 nodes."""
    links = Links(woven)
    few = [links.around(node, 3, 60) for node in woven.nodes.ids()[::9]]
    with monkeypatch.context() as patch:
        patch.setattr("graph.links.links.TOGETHER", 0)
        assert [links.around(node, 3, 60) for node in woven.nodes.ids()[::9]] == few
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
        woven.documents.put_all([notes], make.noon)
