"""Nodes, documents, claims and rows of our own invention, and a store on each database."""

import itertools
import os
import shutil
import subprocess
import tempfile
from datetime import UTC, date, datetime
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest

from graph.models.claim_models import Claim, Expectation, VerdictName
from graph.models.document_models import Document, LineCount
from graph.models.node_models import Citation, Kind, Labels, Node, Provenance, Quotation, Relation, Source
from graph.models.verdict_models import VerdictRow
from graph.store import Store

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
_NUMBERS = itertools.count()


def make_node(
    slug, title=None, *, document="farm.md", line=1, sha="a" * 64, cites=(), broader=(), urls=(), brain="ada", **fields
):
    """A node with the parts that a test cares for; `cites` and `broader` are ids, `urls` become sources and works."""
    fields.setdefault("kind", Kind.READING)
    sure = {"resolution": "batch", "confidence": 0.9}
    marks = tuple(
        Citation(marker=f"[{number}]", number=number, target=target, context=f"So much for {target}.", **sure)
        for number, target in enumerate(cites, 1)
    )
    return Node(
        id=f"{brain}/{slug}",
        brain=brain,
        title=title or slug.replace("-", " ").capitalize(),
        sources=tuple(Source(id=url.rstrip("/"), url=url) for url in urls),
        citations=(*marks, *fields.pop("quotes", ())),
        relations=tuple(Relation(kind="broader", target=target) for target in broader),
        provenance=Provenance(document=document, first_line=line, last_line=line + 2, sha256=sha),
        **fields,
    )


def make_document(*nodes, name="farm.md", sha="a" * 64, text="Barley\n", **fields):
    fields.setdefault("lines", LineCount(total=1, kept=1, skipped=0))
    return Document(name=name, format="note", brain="ada", sha256=sha, text=text, nodes=nodes, **fields)


def put(store, *nodes, **fields):
    return store.documents.put_all([make_document(*nodes, **fields)], NOON)[0]


def put_texts(store, **texts):
    nodes = [make_node(slug, body=body, document="f.md", line=n) for n, (slug, body) in enumerate(texts.items(), 1)]
    put(store, *nodes, name="f.md", sha=sha256(repr(texts).encode()).hexdigest())


def make_claim(name, node="ada/barley", **fields):
    expect = Expectation(form="at_least", bound="3")
    fields.setdefault("as_of", date(2026, 1, 2))
    return Claim(id=name, node=node, says=f"{name} says so.", value="1 + 2", expect=expect, **fields)


def make_row(claim, verdict=VerdictName.HOLDS, value="0.950", **fields):
    number = None if value is None else Decimal(value)
    fields.setdefault("reason", "It is as it was said.")
    fields.setdefault("now_holds", verdict is VerdictName.HOLDS)
    fields.setdefault("then_holds", None)
    return VerdictRow(claim=claim, verdict=verdict, value=number, margin=number, unit="%", then_value=None, **fields)


def make_term(slug, preferred, **names):
    body = names.pop("body", "What it means.")
    labels = Labels(preferred=preferred, **names)
    return make_node(slug, preferred, brain="words", kind=Kind.TERM, body=body, labels=labels)


def make_quote(text, url):
    return Quotation(marker="1-2", document=1, sentences=(2,), quote=text, source=url, resolution="exact", confidence=1)


def append(store, rows, day=date(2026, 3, 4), **fields):
    started = datetime(day.year, day.month, day.day, 3, tzinfo=UTC)
    fields = {"snapshot": "s" * 64, "rules": "r" * 64, "code": "1.0", **fields}
    return store.ledger.append(rows, as_of=day, started_at=started, clock=lambda: NOON, **fields)


@pytest.fixture(scope="session")
def make():
    parts = {"node": make_node, "document": make_document, "claim": make_claim, "row": make_row, "term": make_term}
    return SimpleNamespace(**parts, quote=make_quote, put=put, texts=put_texts, run=append, noon=NOON)


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def where(request, home):
    """The address of an empty database, once of each kind; for a test that asks for a store, it has the tables."""
    if request.param == "sqlite":
        return str(home / "brain.db")
    name = "postgres_store" if "store" in request.fixturenames else "postgres_database"
    make = request.getfixturevalue(name)
    return make()


@pytest.fixture
def store(where):
    with Store.open(where) as opened:
        yield opened


@pytest.fixture
def lite(home):
    with Store.open(home / "brain.db") as opened:
        yield opened


@pytest.fixture(scope="session")
def postgres_database():
    """Makes an empty database on a server that lives as long as the tests."""
    programs = _postgres_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    folder = _roomy_folder()
    try:
        yield from _serve(programs, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_store(postgres_database):
    """Makes a database with the tables of an empty store: a copy of one that was migrated once."""
    migrated = postgres_database()
    Store.open(migrated).close()
    name = migrated.partition("@/")[2]
    return lambda: postgres_database(name.partition("?")[0])


def _postgres_programs():
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def _roomy_folder():
    """A new folder, in memory where there is room: of the files of a database each test makes a copy."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 4 << 30
    return Path(tempfile.mkdtemp(prefix="brain-pg-", dir=memory if roomy else None))


def _as_postgres(*command):
    """Run as the user postgres where we are root, whom the server refuses."""
    who = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    subprocess.run([*map(str, command)], check=True, stdout=subprocess.DEVNULL, timeout=60, cwd="/", **who)


def _serve(programs, folder):
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    data = folder / "data"
    _as_postgres(programs / "initdb", "-D", data, "-A", "trust", "-U", "brain", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c autovacuum=off"
    _as_postgres(programs / "pg_ctl", "-D", data, "-o", options, "-l", folder / "log", "-w", "start")

    def make(template="template1"):
        name = f"brain_{next(_NUMBERS)}"
        with psycopg.connect(f"host={folder} user=brain dbname=postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return f"postgresql://brain@/{name}?host={folder}"

    try:
        yield make
    finally:
        _as_postgres(programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
