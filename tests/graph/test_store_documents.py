from datetime import timedelta

import pytest

from graph.models.document_models import Changes
from graph.models.node_models import Citation, Kind, Table
from graph.problems import Problem
from graph.store.store_errors import DuplicateError, TakenError, UnknownDocumentError, UnknownNodeError, UnstorableError


def test_a_node_comes_back_as_it_went_in(store, make):
    page = "https://example.org/barley"
    table = Table(name="yields", header=("year", "t/ha"), units=(None, "t/ha"), rows=(("2024", "6.1"),), line=7)
    links = {"urls": (page, f"{page}/"), "cites": ("ada/oats",), "quotes": (make.quote("fast", page),)}
    parts = {"broader": ("ada/grain",), "tags": ("grain", "grain", "Winter"), "tables": (table,), **links}
    body = "It grows\n\n- fast “here” \x00 there"
    node = make.node("barley", "Barley, *again*", body=body, section=("Fields", "North"), **parts)
    make.put(store, node, about=(("handle", "@ada"), ("tag", "grain")))
    assert store.documents.get("farm.md").about == (("handle", "@ada"), ("tag", "grain"))
    assert store.nodes.get("ada/barley") == node
    assert list(store.nodes.all()) == [node]
    assert store.nodes.get_many(["ada/nothing", "ada/barley"]) == (node,)


def test_the_same_document_again_changes_nothing(store, make):
    document = make.document(make.node("barley"), make.node("oats", line=5))
    assert store.documents.put_all([document], make.noon)[0].added == ("ada/barley", "ada/oats")
    before = store.version(), store.graph_version()
    again = store.documents.put_all([document], make.noon + timedelta(days=1))[0]
    assert again == Changes(unchanged=2)
    assert (store.version(), store.graph_version()) == before
    assert store.documents.get("farm.md").ingested_at == make.noon


def test_added_changed_removed_and_moved_are_distinguished(store, make):
    make.put(store, make.node("a"), make.node("b", line=5), make.node("c", line=9), make.node("d", line=13))
    other = "b" * 64
    given = {"a": {}, "b": {"line": 6}, "c": {"line": 10, "body": "New words"}, "e": {"line": 14}}
    found = make.put(store, *(make.node(slug, sha=other, **fields) for slug, fields in given.items()), sha=other)
    kinds = {"added": ("ada/e",), "changed": ("ada/c",), "removed": ("ada/d",), "moved": ("ada/b",)}
    assert found == Changes(**kinds, unchanged=1)
    assert store.nodes.get("ada/a").provenance.sha256 == other
    assert store.nodes.get("ada/b").provenance.first_line == 6
    assert store.nodes.get("ada/c").body == "New words"


def test_a_table_that_moves_with_its_node_is_no_change(store, make):
    for line, sha in ((1, "a" * 64), (4, "b" * 64)):
        table = Table(name="t", header=("x",), units=(None,), rows=(("1",),), line=line + 1)
        changes = make.put(store, make.node("a", line=line, sha=sha, tables=(table,)), sha=sha)
    assert (changes.moved, store.nodes.get("ada/a").tables[0].line) == (("ada/a",), 5)


def test_other_problems_of_the_same_nodes_are_stored(store, make):
    make.put(store, make.node("a"))
    noted = Problem(document="farm.md", line=3, code="odd", message="Odd.")
    version = store.version()
    assert make.put(store, make.node("a"), problems=(noted,)).nothing
    assert store.version() == version + 1
    assert [record.problems for record in store.documents.all() if record.problems] == [(noted,)]


def test_a_cited_node_leaves_a_tombstone_and_comes_back(store, make):
    both = make.document(make.node("oats"), make.node("rye", line=5))
    store.documents.put_all([both], make.noon)
    make.put(store, make.node("bread", document="b.md", cites=("ada/oats",)), name="b.md")
    make.put(store, sha="c" * 64)
    stones = store.nodes.tombstones()
    assert [(stone.id, stone.document, stone.sha256) for stone in stones] == [("ada/oats", "farm.md", "a" * 64)]
    with pytest.raises(UnknownNodeError) as gone:
        store.nodes.get("ada/oats")
    assert gone.value.tombstone == stones[0]
    assert [link.node.id for link in store.edges.backlinks("ada/oats")] == ["ada/bread"]
    store.documents.put_all([both], make.noon)
    assert store.nodes.tombstones() == ()
    assert store.nodes.get("ada/oats").title == "Oats"
    make.put(store, make.node("bread", document="b.md"), name="b.md", sha="d" * 64)
    make.put(store, sha="c" * 64)
    assert store.nodes.tombstones() == (), "nothing cites it any more"


def test_two_documents_cannot_have_one_node(store, make):
    make.put(store, make.node("oats"))
    version = store.version()
    mine = make.document(make.node("rye", document="b.md"), make.node("oats", document="b.md"), name="b.md")
    with pytest.raises(TakenError, match=r"b\.md contains the node ada/oats, which farm\.md already has"):
        store.documents.put_all([mine], make.noon)
    with pytest.raises(DuplicateError, match="twice"):
        make.put(store, make.node("x"), make.node("x", line=9))
    assert [record.name for record in store.documents.all()] == ["farm.md"]
    assert store.version() == version
    with pytest.raises(UnknownNodeError):
        store.nodes.get("ada/rye")


def test_a_document_goes_and_its_versions_stay(store, make):
    make.put(store, make.node("oats"), text="first")
    make.put(store, make.node("rye"), sha="b" * 64, text="second\x00☂")
    assert store.documents.get("farm.md").text == "second\x00☂"
    assert store.documents.get("farm.md", "a" * 64).text == "first"
    assert store.documents.remove("farm.md", make.noon).removed == ("ada/rye",)
    assert store.documents.all() == ()
    assert [version.sha256[0] for version in store.documents.every_version("ada", "note")] == ["a", "b"]
    assert store.documents.get("farm.md", "b" * 64).current is False
    documents = store.documents
    for ask, other in ((documents.get, None), (documents.remove, make.noon), (documents.get, "f" * 64)):
        with pytest.raises(UnknownDocumentError):
            ask("farm.md", other)


def test_an_older_version_may_come_back(store, make):
    old, new = make.document(make.node("oats")), make.document(make.node("oats", body="x"), sha="b" * 64)
    for document in (old, new, old):
        store.documents.put_all([document], make.noon)
    assert store.documents.get("farm.md").sha256 == "a" * 64
    assert len(store.documents.every_version("ada", "note")) == 2
    assert store.nodes.get("ada/oats").body == ""


def test_a_document_with_text_that_is_not_unicode_is_rejected_as_one(store, make):
    bad = make.node("bad").model_copy(update={"body": "\ud800"})
    for document in (make.document(make.node("oats"), bad), make.document(make.node("oats"), text="\udfff")):
        with pytest.raises(UnstorableError):
            store.documents.put_all([document], make.noon)
    assert store.documents.all() == ()
    assert store.version() == 0


def test_writes_inside_a_transaction_are_committed_together_or_not_at_all(store, make):
    def interrupted():
        with store.transaction():
            make.put(store, make.node("oats"))
            assert store.nodes.get("ada/oats").title == "Oats"
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        interrupted()
    assert store.version() == 0
    assert store.documents.all() == ()
    with store.transaction():
        make.put(store, make.node("oats"))
        store.metadata.put("season", "spring")
        make.put(store, make.node("oats"))
    assert (store.version(), store.nodes.get("ada/oats").title) == (1, "Oats")
    with store.transaction():
        make.put(store, make.node("oats"))
    assert store.version() == 1


def test_every_write_raises_the_version_and_one_of_nodes_that_of_the_graph(store, make):
    seen = [(store.version(), store.graph_version())]

    def rises():
        seen.append((store.version(), store.graph_version()))
        return tuple(new > old for new, old in zip(seen[-1], seen[-2], strict=True))

    make.put(store, make.node("oats"))
    assert rises() == (True, True)
    store.claims.put("claims.yaml", [make.claim("one")])
    assert rises() == (True, False)
    store.claims.put("claims.yaml", [make.claim("one")])
    assert rises() == (False, False)
    make.run(store, [make.row("one")])
    assert rises() == (True, False)
    store.documents.remove("farm.md", make.noon)
    assert rises() == (True, True)


def test_a_document_of_five_thousand_nodes_is_stored_completely(lite, make):
    nodes = [make.node(f"n{n}", line=n * 3 + 1, cites=(f"ada/n{n - 1}",) if n else ()) for n in range(5000)]
    make.put(lite, *nodes)
    make.put(lite, *nodes[2500:], sha="b" * 64)
    assert sum(lite.nodes.count().values()) == 2500
    assert [stone.id for stone in lite.nodes.tombstones()] == ["ada/n2499"]
    assert lite.check() == []


def test_kinds_are_counted_in_their_order_and_an_unresolved_citation_points_nowhere(store, make):
    lost = make.node("a").model_copy(update={"citations": (Citation(marker="[9]", number=9),)})
    make.put(store, lost, make.node("b", kind=Kind.THESIS), make.node("c", kind=Kind.READING))
    assert list(store.nodes.count().items()) == [(Kind.THESIS, 1), (Kind.READING, 2)]
    assert list(store.edges.all()) == []
    assert store.edges.citation_counts() == {"unresolved": 1, "quotations": 0}


def test_a_node_may_go_from_one_document_to_another_when_both_come(store, make):
    rye, oats = make.node("rye"), make.node("oats")
    store.documents.put_all([make.document(rye, oats), make.document(name="b.md")], make.noon)
    elsewhere = make.node("oats", document="b.md")
    first, second = store.documents.put_all([make.document(rye), make.document(elsewhere, name="b.md")], make.noon)
    assert (first.removed, second.added) == (("ada/oats",), ("ada/oats",))
    assert store.nodes.get("ada/oats").provenance.document == "b.md"
    assert [node.id for node in store.nodes.all()] == ["ada/rye", "ada/oats"]


def test_documents_that_come_together_share_no_node_and_come_all_or_none(store, make):
    both = [make.document(make.node("rye", document=name), name=name) for name in ("a.md", "b.md")]
    with pytest.raises(TakenError, match=r"ada/rye.*a\.md"):
        store.documents.put_all([make.document(make.node("oats")), *both], make.noon)
    assert not store.documents.all()
    assert not list(store.nodes.all())
