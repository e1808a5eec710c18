"""Stored facets of tags in SQLite: always those of the nodes, whatever was written by whom."""

import random

import pytest
from alembic import command
from sqlalchemy import text

from api.models.api_models import page_fields
from api.models.node_text import tag_text
from graph.models.access_models import BrainPolicy
from graph.models.node_models import Kind
from graph.models.query_models import NodeQuery
from graph.store import Store, tag_facets
from graph.store.brain_view import BrainView
from graph.store.schema_upgrade import configuration
from graph.values import dumps_flat

TAGS = ("a", "b", "c", "d d", "é'\"\\", "#", "!", "日本")


@pytest.fixture
def kept(tmp_path):
    with Store.open(tmp_path / "kept.db") as store:
        yield store


def change(store, make, chance, number):
    """A document with some nodes of one of two brains, or none any more."""
    brain, name = chance.choice(("ada", "bob")), f"{number}.md"
    nodes = [
        make.node(
            f"{number}-{n}", f'Node "{n}"', brain=brain, document=name, line=n + 1,
            kind=chance.choice((Kind.READING, Kind.THESIS)), tags=tuple(chance.sample(TAGS, chance.randint(0, 4))),
        )
        for n in range(chance.randint(0, 3))
    ]  # fmt: skip
    document = make.document(*nodes, name=name, sha=f"{chance.randrange(16**8):064x}", text=f"{chance.random()}")
    store.documents.put(document.model_copy(update={"brain": brain}), make.noon)


def the_same_as_counted(store, tag, limit):
    found = store.nodes.tagged(tag, limit)
    page = store.nodes._read_page(NodeQuery(tags=(tag,), limit=limit))
    if found is None:
        return False
    fields = page_fields(page)
    whole = {"items": fields.pop("items"), "next": fields.pop("next"), **fields}
    assert tag_text(found) == dumps_flat(whole)
    assert found.revision == store.revision()
    return True


def test_they_are_counted_again_with_every_write(kept, make):
    chance = random.Random(3)
    seen = 0
    for _ in range(60):
        change(kept, make, chance, chance.randrange(8))
        seen += sum(the_same_as_counted(kept, tag, limit) for tag in TAGS for limit in (1, 2, 100))
        with kept._reader.connect() as sql:
            known = {tag for (tag,) in sql.exec_driver_sql("SELECT DISTINCT tag FROM node_tags")}
        assert all(kept.nodes.tagged(tag, 5) is not None for tag in known)
    assert seen > 500
    assert kept.nodes.tagged("none", 5) is None


def test_a_tag_of_many_nodes_is_counted_when_somebody_asks(kept, make, monkeypatch):
    monkeypatch.setattr(tag_facets, "MOST", 2)
    nodes = [make.node(f"n-{n}", line=n + 1, tags=("a", "b") if n < 2 else ("a",)) for n in range(3)]
    kept.documents.put(make.document(*nodes), make.noon)
    assert kept.nodes.tagged("a", 5) is None
    assert the_same_as_counted(kept, "b", 5)
    kept.documents.put(make.document(*nodes[:1], sha="b" * 64, text="Rye\n"), make.noon)
    assert the_same_as_counted(kept, "a", 5)


def test_what_another_program_writes_is_not_answered_from_old_counts(kept, make):
    kept.documents.put(make.document(make.node("barley", tags=("a",))), make.noon)
    with kept._writer.begin() as sql:  # as a program that knows the table, and not the counting
        sql.execute(text("DELETE FROM node_tags"))
    assert kept.nodes.tagged("a", 5) is None


def test_a_view_has_none_of_all_nodes(kept, make):
    put = [
        make.document(make.node("x", brain=brain, document=brain, tags=("a",)), name=brain) for brain in ("ada", "eve")
    ]
    for document in put:
        kept.documents.put(document.model_copy(update={"brain": document.name}), make.noon)
    kept.brains.put(BrainPolicy(name="eve", private=True))
    assert kept.nodes.tagged("a", 5).total == 2
    with BrainView(kept, kept.brains.private()) as view:
        assert view.nodes.tagged("a", 5) is None
        with view.reading() as sql:
            assert sql.execute(text("SELECT count(*) FROM search_facets")).scalar_one() == 0
        assert view.nodes.page(NodeQuery(tags=("a",))).total == 1


def test_the_store_of_an_older_program_is_counted_when_it_is_opened(tmp_path, make):
    with Store.open(tmp_path / "old.db") as store:
        store.documents.put(make.document(make.node("barley", tags=("a",))), make.noon)
        store.before_commit.clear()
        with store.writing() as work:
            config = configuration()
            config.attributes["connection"] = work.sql
            command.downgrade(config, "0011")
    with Store.open(tmp_path / "old.db") as store:
        assert the_same_as_counted(store, "a", 5)
        store.documents.put(make.document(sha="b" * 64, text="Rye\n"), make.noon)
        assert store.nodes.tagged("a", 5) is None
