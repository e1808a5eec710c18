"""Opening a store: new, old, newer, foreign, damaged, unwritable, shared."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from graph.models.query_models import NodeQuery
from graph.store import Store
from graph.store import database_engine as opening
from graph.store import store_errors as errors
from graph.store.schema import metadata
from graph.store.store import HEAD, MIGRATIONS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("statements", "error", "said"), [
    (["UPDATE alembic_version SET version_num = '9999'"], errors.NewerStoreError, "has schema 9999, this program knows"),
    (["DROP TABLE alembic_version"], errors.OlderStoreError, "brain export --format json"),
    (["DROP TABLE alembic_version", "INSERT INTO meta (key, value) VALUES ('schema', '0')"], errors.OlderStoreError, "brain --home NEW ingest brain.json"),
])  # fmt: skip
def test_a_database_of_another_schema_is_refused(where, statements, error, said):
    with Store.open(where) as store, store.writing() as work:
        for statement in statements:
            work.sql.execute(text(statement))
    with pytest.raises(error, match=said):
        Store.open(where)


@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TABLE alembic_version", "INSERT INTO meta (key, value) VALUES ('schema', '1')"],
        ["UPDATE alembic_version SET version_num = '0001'"],
    ],
    ids=["before the revisions had names", "of the first revision"],
)
def test_an_earlier_home_is_upgraded(where, make, statements):
    with Store.open(where) as store:
        make.put(store, make.node("oats"))
        with store.writing() as work:
            for statement in ["DROP INDEX ix_documents_format_current_name", *statements]:
                work.sql.execute(text(statement))
    with Store.open(where) as store:
        assert store.nodes.get("ada/oats").title == "Oats"
        assert store.metadata.get("schema") is None
        with store.reading() as sql:
            assert sql.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == HEAD


def test_a_home_of_the_first_version_is_upgraded_to_the_tables_of_this_program(where):
    """The rule from 0.1.0 on: the revisions, one after the other, give what `schema` describes."""
    with Store.open(where) as store, store.reading() as sql:
        context = MigrationContext.configure(sql, opts={"include_object": _is_described, "compare_type": True})
        assert compare_metadata(context, metadata) == []
    scripts = ScriptDirectory(str(MIGRATIONS))
    assert scripts.get_bases() == ["0001"]
    assert scripts.get_heads() == [HEAD]


def _is_described(_thing, name, kind, _stored, _described):
    """Search tables and Alembic's own have no description in SQLAlchemy."""
    return not (kind in {"table", "index"} and (name or "").startswith(("search_", "ix_search_", "alembic_")))


def test_a_database_of_something_else_is_refused_and_an_empty_file_is_a_new_store(home):
    home.mkdir()
    (home / "brain.db").touch()
    Store.open(home / "brain.db").close()
    with closing(sqlite3.connect(home / "birds.db")) as other:
        other.execute("CREATE TABLE birds (name)")
    with pytest.raises(errors.ForeignStoreError, match="birds"):
        Store.open(home / "birds.db")


@pytest.mark.parametrize("damage", ["noise", "middle"])
def test_a_damaged_file_is_distinguished_from_an_empty_one(home, make, damage):
    path = home / "brain.db"
    home.mkdir()
    if damage == "noise":
        path.write_bytes(os.urandom(8192))
    else:
        with Store.open(path) as store:
            make.put(store, *(make.node(f"n{n}", body="x" * 500) for n in range(200)))
        data = bytearray(path.read_bytes())
        data[100:20000] = b"\x55" * 19900
        path.write_bytes(data)
        for beside in home.glob("brain.db-*"):
            beside.unlink()
    with pytest.raises(errors.CorruptStoreError, match="damaged"):
        Store.open(path)


def test_damage_deep_in_the_file_is_found_by_the_check(home, make):
    path = home / "brain.db"
    with Store.open(path) as store:
        make.put(store, *(make.node(f"n{n}", body="x" * 500) for n in range(400)))
    data = bytearray(path.read_bytes())
    data[-60000:-20000] = b"\x55" * 40000
    path.write_bytes(data)
    with Store.open(path) as store:
        assert "store-damaged" in {problem.code for problem in store.check()}


def test_a_place_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(errors.UnwritableError):
        Store.open(tmp_path / "file" / "brain.db")
    code = (
        "import os, sys\n"
        "from graph.store import Store\n"
        "from graph.store.store_errors import UnwritableError\n"
        "os.getuid() == 0 and os.setuid(65534)\n"
        "try:\n    Store.open(sys.argv[1])\n"
        "except UnwritableError as error:\n    print(error)\n"
    )
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    for folder in (*list(tmp_path.parents)[:-2], tmp_path):
        if folder.stat().st_uid == os.getuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    command = [sys.executable, "-c", code, str(locked / "brain.db")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "cannot be written" in done.stdout, done.stderr


SERVER = "postgresql://brain:sesame@127.0.0.1:1/none?connect_timeout=2"


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "sqlite:///:memory:", "://", SERVER])
def test_an_unknown_address_is_refused_and_its_password_not_shown(url):
    with pytest.raises(errors.UnavailableError) as caught:
        Store.open(url)
    assert "sesame" not in str(caught.value)


@pytest.mark.postgres
def test_a_restarted_server_gets_a_new_connection(postgres_database, make):
    with Store.open(postgres_database()) as store:
        make.put(store, make.node("oats"))
        assert store.version() == 1
        with store.writing() as work:
            work.changes = False
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            work.sql.execute(text(f"{others} AND datname = current_database()"))
        assert store.version() == 1
        assert store.nodes.get("ada/oats").title == "Oats"


def test_threads_write_one_after_the_other_and_lose_nothing(store, make):
    def work(number):
        for turn in range(5):
            name = f"d{number}.md"
            node = make.node(f"n{number}", body=f"turn {turn}", document=name, sha=str(turn))
            make.put(store, node, name=name, sha=str(turn))
            store.nodes.page(NodeQuery())

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(work, range(6)))
    assert store.version() == 30
    assert sum(store.nodes.count().values()) == 6


def test_two_processes_may_make_one_store_at_once(where):
    code = "import sys; from graph.store import Store; print(Store.open(sys.argv[1]).metadata.identity())"
    command = [sys.executable, "-W", "error", "-c", code, where]
    running = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = {process.communicate(timeout=60)[0] for process in running}
    assert len(said) == 1
    assert all(process.returncode == 0 for process in running)


def test_a_writer_that_waits_too_long_says_so(lite, home, monkeypatch):
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(home / "brain.db")) as other, Store.open(home / "brain.db") as second:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(errors.BusyStoreError, match="another process"):
            second.metadata.put("a", "b")
        other.rollback()
        second.metadata.put("a", "b")
        assert lite.metadata.get("a") == "b"


KILLED = """
import sys
from datetime import UTC, date, datetime
from decimal import Decimal
from graph.models.verdict_models import VerdictRow
from graph.store import Store
from tests.graph.conftest import make_document, make_node

store = Store.open(sys.argv[1])
now = datetime(2026, 1, 1, tzinfo=UTC)

def rows():
    nothing = dict.fromkeys(("margin", "then_value", "then_holds"))
    for number in range(40_000):
        if number == 3000:
            print("writing", flush=True)
        yield VerdictRow(claim=f"c{number:06}", verdict="holds", value=Decimal(number), unit="1", now_holds=True, **nothing)

if sys.argv[2] == "run":
    store.ledger.append(rows(), as_of=now.date(), started_at=now, clock=lambda: now, code="1", snapshot="s", rules="r")
else:
    document = make_document(*(make_node(f"n{number}", line=number + 1) for number in range(4000)), text="")
    print("writing", flush=True)
    store.documents.put_all([document], now)
print("done", flush=True)
"""


@pytest.mark.parametrize("what", ["run", "put"])
@pytest.mark.parametrize("after", [0.0, 0.3])
def test_a_killed_process_leaves_all_of_it_or_nothing(home, make, what, after):
    with Store.open(home / "brain.db") as store:
        make.run(store, [make.row("a")])
    command = [sys.executable, "-c", KILLED, str(home / "brain.db"), what]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        done = process.stdout.readline() == "done\n"
    with Store.open(home / "brain.db") as store:
        assert sum(1 for _ in store.ledger.rows(2)) in ({40_000} if done and what == "run" else {0, 40_000})
        assert len(store.ledger.runs()) == 1 + bool(list(store.ledger.rows(2, after="c039998")))
        assert sum(store.nodes.count().values()) in ({4000} if done and what == "put" else {0, 4000})
        assert [problem.code for problem in store.check()] == ["run-snapshot"] * len(store.ledger.runs())
        assert make.run(store, [make.row("b")]).id == len(store.ledger.runs())


def test_a_revision_is_of_one_store_and_changes_with_every_committed_write(where, make):
    with Store.open(where) as store:
        seen = [store.revision()]
        assert (seen[0].store, seen[0].version) == (store.metadata.identity(), store.version())
        with store.transaction():
            assert store.revision() == seen[0], "a transaction without a write leaves it"
        assert store.revision() == seen[0]
        for name in ("oats", "rye"):
            with store.transaction():
                make.put(store, make.node(name), name=f"{name}.md")
                assert store.revision() == seen[-1], "what is not committed yet does not show"
            seen.append(store.revision())
        with pytest.raises(ZeroDivisionError), store.transaction():
            _put_and_fail(store, make)
        assert store.revision() == seen[-1]
    assert len({one.commit for one in seen}) == len(seen) == 3
    with Store.open(where) as store:
        assert store.revision() == seen[-1]


def _put_and_fail(store, make):
    make.put(store, make.node("spelt"), name="spelt.md")
    raise ZeroDivisionError
