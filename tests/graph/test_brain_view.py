"""Views of a store in which brains do not exist, on both databases."""

import subprocess
import sys
from datetime import date

import pytest
from sqlalchemy import select, text

from graph.models.access_models import BrainPolicy, BrainUsage
from graph.models.alert_models import Flag, Silence
from graph.models.verdict_models import RunPart
from graph.store import Store
from graph.store.brain_view import OPEN
from graph.store.price_tables import ObservedPrice
from graph.store.schema import metadata
from graph.store.store_errors import QuotaError, ReadOnlyViewError, UnknownNodeError


def put(store, make, node, brain, **fields):
    name = f"{brain}.md"
    document = make.document(node, name=name, sha=brain[0] * 64, text=brain).model_copy(update={"brain": brain})
    store.documents.put_all([document], make.noon)


def test_a_view_has_nothing_of_a_hidden_brain_and_all_else(store, make):
    put(store, make, make.node("barley", cites=("eve/oats", "eve/none"), tags=("field",), document="ada.md"), "ada")
    oats = make.node(
        "oats", brain="eve", cites=("ada/barley",), broader=("ada/barley",), tags=("field", "night"), document="eve.md",
        urls=("https://eve.example/a",),
    )  # fmt: skip
    put(store, make, oats, "eve")
    store.claims.put("ada.md", [make.claim("open", tags=("field",))])
    store.claims.put("eve.md", [make.claim("closed", node="eve/oats"), make.claim("about-ada", node="ada/barley")])
    make.run(store, [make.row("open"), make.row("closed"), make.row("about-ada"), make.row("long-gone")])
    parts = [RunPart(brain="eve", snapshot="p" * 64, rules="q" * 64)]
    make.run(store, [make.row("open")], parts=parts, notes=("eve/oats is new",))
    for name, claim in (("eve.md#1", None), ("claim:closed", "closed"), ("claim:open", "open")):
        silence = Silence(id=name, claim=claim, tag=None if claim else "field", reason="x", since=make.noon.date())
        store.alerts.put_silence(silence)
    store.snapshots.put_brains("s" * 64, ["eve"])
    store.brains.put(BrainPolicy(name="eve", private=True))
    flag = Flag(claim="open", verdict="stale", first_run=1, first_seen=make.noon.date(), reason="eve's price")
    store.alerts.put_flags([flag])
    view = store.for_reader(store.brains.private())
    assert [node.id for node in view.nodes.all()] == ["ada/barley"]
    assert [(one.target, one.marker) for one in view.nodes.get("ada/barley").cites] == [(None, "[1]"), (None, "[2]")]
    with pytest.raises(UnknownNodeError):
        view.nodes.get("eve/oats")
    assert view.edges.backlinks("ada/barley") == ()
    assert [*view.edges.all()] == []
    assert [(one.value, one.count) for one in view.tags.all()] == [("field", 1)]
    assert view.sources.count() == 0
    assert [head.name for head in view.documents.heads()] == ["ada.md"]
    assert [claim.id for claim in view.claims.all()] == ["open"]
    assert [(run.id, run.counts, run.notes) for run in view.ledger.runs()] == [(n, {"holds": 1}, ()) for n in (2, 1)]
    assert [row.claim for row in view.ledger.rows(1)] == ["open"]
    assert [row.reason for row in view.ledger.rows(1)] == [""]  # it was computed from prices of eve too
    assert [flag.reason for flag in view.alerts.flags()] == [""]
    assert view.ledger.parts() == ()
    assert [one.id for one in view.alerts.silences()] == ["claim:open"]
    assert view.brains.usage().keys() == {"ada"}
    assert view.version() == store.version()
    with pytest.raises(ReadOnlyViewError):
        view.claims.put("ada.md", ())
    assert store.ledger.runs()[1].counts == {"holds": 4}
    assert store.ledger.for_claim(store.ledger.run(2), "closed").snapshot == "p" * 64


def test_a_table_without_a_rule_is_empty_in_a_view(store, make):
    put(store, make, make.node("barley", document="ada.md"), "ada")
    shown = {"documents", "nodes", "node_log", "meta", *OPEN}
    view = store.for_reader(frozenset({"eve"}))
    with view.reading() as sql:
        filled = {table.name for table in metadata.sorted_tables if sql.execute(select(table).limit(1)).first()}
        keys = set(sql.execute(text("SELECT key FROM meta")).scalars())
    assert filled <= shown
    assert keys <= {"identity", "commit", "prices.seen"}


def test_verdicts_of_a_claim_stay_with_the_brain_that_it_came_from(store, make):
    put(store, make, make.node("oats", brain="eve", document="eve.md"), "eve")
    put(store, make, make.node("barley", document="ada.md"), "ada")
    store.claims.put("eve.md", [make.claim("moved", node="eve/oats")])
    make.run(store, [make.row("moved")])
    with store.transaction():
        store.claims.put("eve.md", ())
        store.claims.put("ada.md", [make.claim("moved")])
    make.run(store, [make.row("moved")])
    view = store.for_reader(frozenset({"eve"}))
    assert [run.id for run, _ in view.ledger.history("moved")] == [2]


def test_a_quota_refuses_what_a_transaction_has_written(store, make):
    store.brains.put(BrainPolicy(name="eve", max_nodes=1, max_claims=0))
    with store.transaction():
        put(store, make, make.node("oats", brain="eve", document="eve.md"), "eve")
        store.brains.check_quotas()

    def exceed():
        with store.transaction():
            store.claims.put("eve.md", [make.claim("one", node="eve/oats")])
            store.brains.check_quotas()

    with pytest.raises(QuotaError, match="1 claims, its quota is 0"):
        exceed()
    used = store.brains.usage()["eve"]
    assert used == BrainUsage(documents=1, nodes=1, claims=0, bytes=used.bytes)
    assert used.bytes > 0


def test_a_view_leaves_the_locks_of_the_store_to_it(home):
    """It opened and closed the database file, which dropped the locks: another process then deleted the log."""
    write = (
        "import sqlite3, sys; sql = sqlite3.connect(sys.argv[1]);"
        "sql.execute(\"UPDATE counters SET number = number + 1 WHERE name = 'version'\"); sql.commit(); sql.close()"
    )
    file = home / "brain.db"
    with Store.open(file) as store:
        view = store.for_reader(frozenset({"eve"}))
        before = store.version()
        for more in (1, 2):
            subprocess.run([sys.executable, "-c", write, str(file)], check=True)
            assert file.with_name("brain.db-wal").exists()
            assert (store.version(), view.version()) == (before + more, before + more)


NEVER_SHOWN = {"audit", "deliveries", "notices", "origins", "receivers", "tokens"}
"""Tables of the service itself, and what is derived from all brains: a view has none of their rows."""

FTS5 = {"search_text", *(f"search_text_{part}" for part in ("config", "content", "data", "docsize", "idx"))}
WHOLE = {*OPEN, "alembic_version", "search_words"}
"""Tables without a view: the same for every reader."""

OWNERS = {"brain", "node", "claim", "subject", "target", "serial", "document", "node_brain", "document_brain"}
"""Columns that say of whom a row is."""


def base_tables(sql):
    """Each table of the database itself, also those that `schema.py` does not declare, with its columns."""
    found = """SELECT m.name AS name, c.name AS part FROM sqlite_schema m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"""
    if sql.dialect.name == "postgresql":
        found = """SELECT c.relname AS name, a.attname AS part FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped"""
    columns = {}
    for name, part in sql.execute(text(found)):
        columns.setdefault(name, set()).add(part)
    return columns


def conditions(sql):
    """Each view of the connection, with the condition for its rows."""
    found = "SELECT name, sql FROM sqlite_temp_schema WHERE type = 'view'"
    if sql.dialect.name == "postgresql":
        found = """SELECT relname, pg_get_viewdef(oid) FROM pg_class
            WHERE relnamespace = pg_my_temp_schema() AND relkind = 'v'"""
    return {name: stated.rpartition("WHERE")[2] for name, stated in sql.execute(text(found))}


def unfiltered(tables, views):
    """Tables whose rows belong to somebody and that a view shows whole."""
    return {name for name, columns in tables.items() if columns & OWNERS and not views.get(name, "").strip(" ;()\n")}


def test_every_table_whose_rows_are_of_somebody_is_filtered(store):
    with store.writing() as work:
        work.sql.execute(text("CREATE TABLE later (node text, body text)"))
    view = store.for_reader(frozenset({"eve"}))
    with view.reading() as sql:
        tables, views = base_tables(sql), conditions(sql)
    assert unfiltered(tables, views) == {"later"}  # the check sees what `schema.py` does not declare
    del tables["later"]
    whole = WHOLE if store.on_server else WHOLE | FTS5  # a view of FTS5 cannot be searched: queries join `nodes`
    assert tables.keys() >= {table.name for table in metadata.sorted_tables} | {"search_text", "search_names"}
    assert tables.keys() - views.keys() == whole
    empty = {name for name, condition in views.items() if "1 = 0" in condition}
    assert empty == NEVER_SHOWN  # a table without a rule, to which nobody has given one
    shown = {name for name, condition in views.items() if name not in empty}
    assert {name for name in shown if "eve" not in views[name]} == set()


def test_a_view_has_the_new_ids_of_notes_whose_brains_it_shows(store):
    pairs = {"ada/old": "ada/new", "eve/old": "eve/new", "ada/given": "eve/taken", "eve/given": "ada/taken"}
    store.renamed_nodes.put(pairs)
    view = store.for_reader(frozenset({"eve"}))
    assert view.metadata.under("renamed.") == {"ada/old": "ada/new"}
    assert store.metadata.under("renamed.") == pairs


def test_a_view_has_the_observed_prices_that_no_hidden_document_states(store):
    day = date(2026, 1, 1)
    rows = [ObservedPrice(catalog="cards", statement=name, first_seen=day, body="{}") for name in ("a", "b", "c")]
    store.observed_prices.add(rows)
    store.observed_prices.put_cards("ada", [("cards", "a"), ("cards", "c")])
    store.observed_prices.put_cards("eve", [("cards", "b"), ("cards", "c"), ("other", "a")])
    store.observed_prices.close(rows[2].model_copy(update={"last_seen": day, "replaced": date(2026, 1, 2)}))
    view = store.for_reader(frozenset({"eve"}))
    assert [one.statement for one in view.observed_prices.current()] == ["a"]
    assert view.observed_prices.past() == ()  # "c" is stated by eve too
    assert [one.statement for one in store.observed_prices.past()] == ["c"]
