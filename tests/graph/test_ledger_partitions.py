"""The ledger in PostgreSQL is partitioned by time, and every query reads all of it as before."""

from datetime import date

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from graph.models.claim_models import VerdictName
from graph.store import Store, ledger_partitions

pytestmark = pytest.mark.postgres

PARTS = text("""SELECT c.relname, pg_get_expr(c.relpartbound, c.oid), (xpath('/row/n/text()',
    query_to_xml('SELECT count(*) AS n FROM ' || c.relname, false, true, '')))[1]::text::int
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'verdicts'::regclass ORDER BY 1""")


def parts(store):
    with store.reading() as sql:
        return [tuple(row) for row in sql.execute(PARTS)]


def test_each_year_gets_a_partition_and_queries_read_all_of_them(postgres_store, make, monkeypatch):
    with Store.open(postgres_store()) as store, store.reading() as reader:
        days = [date(2026, 11, 1), date(2026, 12, 31), date(2027, 1, 1), date(2027, 2, 1), date(2028, 3, 5)]
        verdicts = [VerdictName.HOLDS, VerdictName.HOLDS, VerdictName.STALE, VerdictName.STALE, VerdictName.HOLDS]
        made = [
            make.run(store, [make.row("a", verdict), make.row("b")], day)
            for day, verdict in zip(days, verdicts, strict=True)
        ]
        assert parts(store) == [
            ("verdicts_2027_01", "FOR VALUES FROM (3) TO (5)", 4),
            ("verdicts_2028_03", "FOR VALUES FROM (5) TO (MAXVALUE)", 2),
            ("verdicts_start", "FOR VALUES FROM (MINVALUE) TO (3)", 4),
        ]
        assert [run.id for run, _ in store.ledger.history("a")] == [5, 4, 3, 2, 1]
        assert [row.verdict for _, row in store.ledger.history("a")] == verdicts[::-1]
        assert [name for name, _, _ in store.ledger.changes(2, 5)] == []
        assert [name for name, _, _ in store.ledger.changes(1, 4)] == ["a"]
        assert not store.check() or {one.code for one in store.check()} == {"run-snapshot"}
        for table in ("verdicts", "verdicts_start", "verdicts_2028_03"):
            with pytest.raises(DBAPIError, match="append-only"), store.writing() as work:
                work.sql.execute(text(f"DELETE FROM {table}"))
        store.ledger.remove(made[1:3])
        assert [run.id for run, _ in store.ledger.history("a")] == [5, 4, 1]
        # a long reader keeps the open partition in use; the run is stored
        monkeypatch.setattr(ledger_partitions, "LOCK_WAIT", "50ms")
        reader.execute(text("SELECT count(*) FROM verdicts"))
        make.run(store, [make.row("a")], date(2029, 1, 1))
        assert [name for name, *_ in parts(store)] == ["verdicts_2027_01", "verdicts_2028_03", "verdicts_start"]
        reader.rollback()
        monkeypatch.setattr(ledger_partitions, "LARGE", -2)
        make.run(store, [make.row("a")], date(2029, 1, 2))
        make.run(store, [make.row("a")], date(2029, 2, 2))
        assert [row[0] for row in parts(store)][2:4] == ["verdicts_2029_01", "verdicts_2029_02"]
        assert len(store.ledger.history("a")) == 6
