"""A disk that is full, and a database server that ends its connections: one sentence, an exit code, nothing half-written."""

import gc
import logging
import os
import re
import sqlite3
import sys
from contextlib import closing, contextmanager

import psycopg
import pytest
from sqlalchemy import Engine, event

from api.brain import Brain
from api.http.responses import problem_details
from api.http.responses.problem_details import KINDS
from api.settings import Settings
from graph.store import Store
from graph.store import store_errors as errors
from tests.graph.conftest import make_claim
from tests.stories.test_two_servers import outage
from tests.web_client import web_client

TOKEN = "a-token-of-the-tests"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
NOTE = "---\ntitle: {title}\nkind: thesis\nbrain: mara\n---\n{body}\n"
OTHERS = "datname = current_database() AND pid <> pg_backend_pid()"
END = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {OTHERS}"
HEADER = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone,Generation\n"


@pytest.fixture
def home(request, tmp_path):
    return (request.getfixturevalue("disk") if "disk" in request.fixturenames else tmp_path) / "own"


def fill(disk, free):
    (disk / "filling").unlink(missing_ok=True)
    left = os.statvfs(disk)
    (disk / "filling").write_bytes(b"x" * (left.f_bavail * left.f_frsize - free * 1024))


def documents(home):
    with closing(sqlite3.connect(home / "brain.db")) as opened:
        return opened.execute("SELECT count(*) FROM documents").fetchone()[0]


def bulk(vault, notes, words):
    for number in range(notes):
        body = f"word{number} " * words
        (vault / f"n{number}.md").write_text(NOTE.format(title=f"Note {number}", body=body))


def assert_full(done, asked):
    assert (done.code, done.err.count("brain: the disk is full: ")) == (3, 1), (asked, done)
    assert done.err.rstrip().endswith("free some space and try again"), (asked, done)


def test_a_full_disk_is_a_sentence_and_an_exit_code_and_leaves_what_was_there(brain, disk, home, tmp_path):
    vault, catalog = tmp_path / "vault", tmp_path / "vms.csv"
    vault.mkdir()
    bulk(vault, 1, 6000)
    catalog.write_text(HEADER + "p5.large,H100,8,192,2048,,55.04,23.85,us-east-1,us-east-1a,\n")
    assert brain("ingest", vault).code == 0
    bulk(vault, 20, 6000)
    fill(disk, 300)  # enough to open the database and to begin a transaction
    for asked in (("ingest", vault), ("backup", disk / "b.zip"), ("export", "--format", "json", "-o", disk / "b.json")):
        if asked[0] == "backup":
            fill(disk, 40)
        assert_full(brain(*asked), asked)
    fill(disk, 0)
    for asked in (("ingest", vault), ("verify", "--append"), ("prices", "import", catalog)):
        assert_full(brain(*asked), asked)
    assert {path.name for path in disk.iterdir()} == {"filling", "own"}
    (disk / "filling").unlink()
    assert documents(home) == 1
    for asked in (("ingest", vault), ("verify", "--append"), ("prices", "import", catalog)):
        assert brain(*asked).code == 0, asked
    assert documents(home) == 20


@contextmanager
def served(**settings):
    with (
        Brain.open(Settings(token=TOKEN, **settings)) as brain,
        web_client(brain, pages=False, raise_server_exceptions=False, headers=BEARER) as client,
    ):
        yield client, brain


def test_a_server_on_a_full_disk_answers_507_and_is_well_again(tmp_path):
    small = []

    def bounded(connection, _record, _proxy):
        connection.execute(f"PRAGMA max_page_count={small[0]}")

    with served(home=tmp_path / "own") as (client, brain):
        with closing(sqlite3.connect(tmp_path / "own/brain.db")) as opened:
            small.append(opened.execute("PRAGMA page_count").fetchone()[0])
        event.listen(brain.store.engine, "checkout", bounded)
        sent = {"params": {"name": "big.md"}, "content": NOTE.format(title="Big", body="oats " * 20_000)}
        refused = client.post("/v1/documents", **sent)
        assert (refused.status_code, refused.headers["content-type"]) == (507, "application/problem+json")
        assert refused.json()["type"] == "/problems/insufficient-storage"
        assert client.get("/v1/nodes").json()["items"] == []
        small[0] = 1 << 30
        assert client.post("/v1/documents", **sent).status_code == 201
        assert [item["id"] for item in client.get("/v1/nodes").json()["items"]] == ["mara/big"]


@contextmanager
def ended(url, *, statement=None):
    """End every connection to a database once: before a statement that begins so, or before the next commit."""
    left = [True]

    def end():
        if left:
            left.clear()
            with psycopg.connect(url) as other:
                other.execute(END)

    def before(_connection, _cursor, said, *_others):
        if said.startswith(statement):
            end()

    name, listener = ("before_cursor_execute", before) if statement else ("commit", lambda _connection: end())
    event.listen(Engine, name, listener)
    try:
        yield
    finally:
        event.remove(Engine, name, listener)
    assert not left, "nothing was ended"


@pytest.mark.postgres
def test_a_backend_that_is_ended_is_a_503_and_nothing_is_half_written(brain, tmp_path, monkeypatch, postgres_database):
    url = postgres_database()
    monkeypatch.setenv("BRAIN_DB", url)
    vault = tmp_path / "vault"
    vault.mkdir()
    bulk(vault, 3, 10)
    lost = r"brain: the connection to the store at \S+ was lost: nothing of this transaction was stored; try again\n"
    unknown = r"brain: the connection to the store at \S+ was lost during the commit: .* brain runs .*\n"
    for asked, statement, said in (
        (("ingest", vault), "INSERT INTO nodes", lost),
        (("ingest", vault), None, unknown),
        (("verify", "--append"), "SELECT", lost),
        (("verify", "--append"), "INSERT INTO runs", lost),
        (("verify", "--append"), None, unknown),
    ):
        with ended(url, statement=statement):
            done = brain(*asked)
        assert done.code == 3, (asked, done)
        assert re.fullmatch(said, done.err), (asked, done)
        assert brain("runs", "--json").json["items"] == [], asked
    assert brain("ingest", vault).code == 0
    assert brain("verify", "--append").code == 0
    with served(home=tmp_path / "own", db=url) as (client, _):
        for address in ("/v1/nodes/mara/n0", "/v1/nodes?limit=2"):
            with ended(url, statement="SELECT"):
                refused = client.get(address)
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1"), address
            assert refused.headers["content-type"] == "application/problem+json"
            assert client.get(address).status_code == 200, address
        sent = {"params": {"name": "rye.md"}, "content": NOTE.format(title="Rye", body="Rye.")}
        with ended(url, statement="INSERT INTO nodes"):
            assert client.post("/v1/documents", **sent).status_code == 503
        assert client.get("/v1/nodes/mara/rye").status_code == 404
        assert client.post("/v1/documents", **sent).status_code == 201


@pytest.fixture
def forgotten(monkeypatch):
    monkeypatch.setattr(problem_details, "LOGGED", {})


@pytest.mark.postgres
def test_a_503_names_no_address_and_the_log_does_once(tmp_path, postgres_database, forgotten, capsys):
    url = postgres_database()
    name = url.partition("@/")[2].partition("?")[0]
    with served(home=tmp_path / "own", db=url) as (client, _):
        capsys.readouterr()
        with outage(url):
            refused = [client.get(path, headers={"Authorization": ""}) for path in ("/v1/nodes", "/v1/claims", "/")]
        assert [one.status_code for one in refused] == [503] * 3
        for one in refused:
            assert "cannot be reached" in one.text or "was lost" in one.text
            assert not re.search(rf"{name}|psycopg|postgresql|brain@|tmp", one.text), one.text
        lines = "".join(capsys.readouterr()).splitlines()
        said = [line for line in lines if "event=store" in line or "store  " in line]
        assert 1 <= len(said) <= 2, "one line for each class of errors"
        assert name in said[0], "the operator is told which database"
        assert client.get("/v1/nodes").status_code == 200


def test_a_damaged_or_unusable_file_names_no_folder_of_the_operator(forgotten):
    for error, *more in (
        (errors.CorruptStoreError, "malformed"), (errors.UnwritableError, "read-only"), (errors.FullDiskError,),
        (errors.BusyStoreError,), (errors.PoolExhaustedError, 40), (errors.UnknownCommitError,),
    ):  # fmt: skip
        told = problem_details.problem_of(error("/srv/secret/brain.db", *more))
        assert told.kind in KINDS
        assert "secret" not in told.detail


@pytest.mark.postgres
def test_a_reader_that_is_cut_off_leaves_one_line_and_no_traceback(postgres_store, caplog, monkeypatch):
    """The server is stopped under requests: what they read is dropped with its connection, silently."""
    ignored = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)
    url = postgres_store()
    with Store.open(url) as store:
        store.claims.put("c.yaml", [make_claim(f"c{number}") for number in range(3000)])
        reading = store.claims.all()
        next(reading)
        quick = store.engine.raw_connection()  # as that of a prepared query
        quick.cursor().execute("SELECT 1")
        with psycopg.connect(url) as other:
            other.execute(END)
        del reading
        quick.close()
        gc.collect()
        assert store.claims.count() == 3000
    shown = [one for one in ignored if not issubclass(one.exc_type, ResourceWarning)]  # that is shown to tests only
    assert shown == []
    (record,) = caplog.records
    assert (record.levelno, record.exc_info) == (logging.WARNING, None)
    assert record.getMessage().startswith("a database connection is dropped: ")
    assert "\n" not in record.getMessage()
