"""A home belongs to its owner: other users cannot read its files."""

import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from api.brain import Brain
from api.services import exports
from api.services.home_folder import open_home
from api.services.nightly_job import run_night
from api.settings import Settings
from graph.private_files import private_files
from graph.rdf.sparql.endpoint import Endpoint
from tests.conftest import NOW


def open_to_others(folder):
    """Every path of a tree with bits for the group or others, as the octal mode."""
    found = {}
    for path in (folder, *folder.rglob("*")):
        mode = stat.S_IMODE(path.lstat().st_mode)
        if mode & 0o077:
            found[str(path.relative_to(folder))] = oct(mode)
    return found


@pytest.fixture(autouse=True)
def _usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.parametrize("engine", ["whoosh", "database"])
def test_a_new_home_and_all_its_files_are_private(tmp_path, engine):
    note = tmp_path / "a.md"
    note.write_text("---\ntitle: A\nkind: reading\n---\nText.\n")
    home = tmp_path / "home"
    settings = Settings(home=home, search=engine)
    with Brain.open(settings) as brain:  # and all that leaves a file in it: store, index, night
        assert brain.ingest([note], at=NOW).stored
        brain.search.refresh()
        run_night(brain, lambda: NOW, refresh=False)
        assert (home / "brain.db-wal").exists()
        made = {path.name for path in home.iterdir()}
        assert {"brain.db", "nightly.lock", *(("index",) if engine == "whoosh" else ())} <= made
        assert open_to_others(home) == {}
    assert open_to_others(home) == {}
    assert stat.S_IMODE(note.stat().st_mode) == 0o644


def test_the_dataset_of_sparql_is_private(tmp_path):
    with Brain.open(Settings(home=tmp_path / "home")) as brain:
        endpoint = Endpoint(exports.rdf(brain, brain.site), tmp_path / "sparql")
        try:
            endpoint.query("ASK {}", seconds=60)
            assert list((tmp_path / "sparql").rglob("CURRENT"))
            assert open_to_others(tmp_path / "sparql") == {}
        finally:
            endpoint.close()


def test_an_old_home_is_made_private_when_it_is_opened_and_no_link_is_followed(shipped_copy, tmp_path):
    for path in (shipped_copy, *shipped_copy.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    Brain.open(Settings(home=shipped_copy)).close()
    assert open_to_others(shipped_copy) == {}
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o755)
    (shipped_copy / "index" / "link").symlink_to(outside)
    open_home(shipped_copy)
    assert stat.S_IMODE(outside.stat().st_mode) == 0o755


def test_files_of_others_in_the_folder_stay_as_they_are_and_a_warning_says_so(shipped_copy, capsys):
    other = shipped_copy / "report.txt"
    other.write_text("for everybody")
    shipped_copy.chmod(0o755)
    open_home(shipped_copy)
    assert set(open_to_others(shipped_copy)) == {".", "report.txt"}
    assert f"paths=[{str(shipped_copy)!r}]" in capsys.readouterr().err


def test_threads_that_make_private_files_at_the_same_time_leave_the_umask_as_it_was(tmp_path):
    meet = threading.Barrier(2)
    left = threading.Event()

    def first():
        with private_files():
            meet.wait(10)
        left.set()

    def second():
        with private_files():
            meet.wait(10)
            assert left.wait(10)
            (tmp_path / "private").write_text("")

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda one: one(), (first, second)))
    (tmp_path / "usual").write_text("")
    modes = {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in tmp_path.iterdir()}
    assert modes == {"private": "0o600", "usual": "0o644"}


WRONG = {
    "brain@127.0.0.1:55931/brain": "expected the address of a PostgreSQL server",
    "garbage": "expected the address of a PostgreSQL server",
    "./brain.db": "expected the address of a PostgreSQL server",
    "mysql://brain:sesame@127.0.0.1/brain": "expected the address of a PostgreSQL server",
    "sqlite:///sesame.db": "expected the address of a PostgreSQL server",
    "postgresql://brain:sesame@127.0.0.1:abc/brain": "the host is not valid, or its port is not a number",
    "postgresql://brain:sesame@127.0.0.1:99999/brain": "the host is not valid, or its port is not a number",
    "postgresql://brain:sesame@[::1/brain": "the host is not valid, or its port is not a number",
    "postgresql://brain:geh@sesame/77@127.0.0.1:1/brain": "write @ as %40",
    "postgresql://brain:geh@sesame@127.0.0.1:1/brain": "write @ as %40",
}


OTHERS = (("garbage", "check"), ("./brain.db", "brains"), ("sqlite:///sesame.db", "verify"))


@pytest.mark.parametrize(("address", "command"), [*((address, "claims") for address in WRONG), *OTHERS])
def test_a_wrong_address_ends_with_2_and_a_sentence_and_creates_nothing(brain, tmp_path, monkeypatch, address, command):
    monkeypatch.setenv("BRAIN_DB", address)
    told = brain(command)
    assert (told.code, told.out) == (2, "")
    assert f"the setting BRAIN_DB: {WRONG[address]}" in told.error
    assert "sesame" not in told.err
    assert list(tmp_path.iterdir()) == []


def test_a_move_to_a_wrong_address_ends_with_2(brain, write):
    brain("ingest", write("a.md", "---\ntitle: A\nkind: reading\n---\nText.\n"))
    for address in ("mysql://brain:sesame@127.0.0.1/brain", "postgresql://brain:sesame@127.0.0.1:abc/brain"):
        told = brain("move", "--to", address)
        assert (told.code, "sesame" in told.err) == (2, False)
        assert "the address of the store is wrong" in told.error


@pytest.mark.parametrize("address", ["postgresql://brain:geh%40sesame%2F77@127.0.0.1:1/brain?connect_timeout=2", ""])
def test_a_right_address_is_tried_and_an_empty_one_is_none(brain, monkeypatch, address):
    monkeypatch.setenv("BRAIN_DB", address)
    told = brain("claims")
    assert told.code == (3 if address else 0)
    assert "sesame" not in told.err
