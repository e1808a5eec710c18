"""Large writes to PostgreSQL: COPY stores what INSERT stores, statistics follow the growth."""

import pytest
from sqlalchemy import text

from graph.store import Store, planner_statistics

pytestmark = pytest.mark.postgres


def test_many_documents_go_in_by_copy_and_the_planner_knows_the_size_at_once(postgres_store, make, monkeypatch):
    monkeypatch.setattr(planner_statistics, "LEAST", 1)

    def documents(start, end):
        numbers = range(start, end)
        named = [(make.node(f"n{n}", document=f"{n}.md", tags=("a\tb", "c\\d")), f"{n}.md") for n in numbers]
        return [make.document(node, name=name, text=f"{name}\n\\N\t") for node, name in named]

    with Store.open(postgres_store()) as store:
        rows = text("SELECT reltuples FROM pg_class WHERE relname = :table")
        with store.counting() as few:
            store.documents.put_all(documents(0, 150), make.noon)
        with store.reading() as sql:
            known = {name: sql.execute(rows, {"table": name}).scalar() for name in ("nodes", "documents", "node_tags")}
        assert known == {"nodes": 150, "documents": 150, "node_tags": 300}
        found = store.documents.get("7.md")  # a moment and bytes by COPY
        assert (found.ingested_at, found.text) == (make.noon, "7.md\n\\N\t")
        assert store.nodes.get("ada/n7").tags == ("a\tb", "c\\d")
        assert {tag.value: tag.count for tag in store.tags.all()} == {"a\tb": 150, "c\\d": 150}
        with store.counting() as many:
            store.documents.put_all(documents(150, 700), make.noon)
        assert many.statements <= few.statements + 2  # the ids of a thousand nodes are one parameter
        store.documents.put_all(documents(700, 710), make.noon)  # a little more: left to autovacuum
        with store.writing() as work:
            assert planner_statistics.analyse_grown(work.sql) == []
            work.changes = False
