"""Her backups: made while a server writes, complete, and restored completely; a lost run is never silent."""

import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import chdir, closing
from threading import Event, Thread
from unittest.mock import patch

import pytest

from api.brain import Brain
from api.services.nightly_job import run_night
from api.settings import Settings
from tests.command import outcome, written
from tests.stories.gpu_home import CARD, CLAIM, NOTE
from tests.stories.night_home import Home, moment
from tests.stories.own_process import TOKEN, command, environment, served
from tests.web_client import home_client


@pytest.fixture(scope="module")
def first_home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("first")
    files = {"gpu.md": NOTE, "claims.yaml": CLAIM, "prices.yaml": CARD.replace("<value>", "2")}
    vault, made = written(folder / "vault", files), folder / "home"
    brain(made, "ingest", vault)
    brain(made, "verify", "--as-of", "2026-11-10", "--append")
    return made


@pytest.fixture
def home(first_home, tmp_path):
    return shutil.copytree(first_home, tmp_path / "home")


def brain(home, *arguments, code=0, **settings):
    """Standard output of a command in this process, with standard error if it ends with another code than 0.

    Commands that are killed get a process of their own.
    """
    with patch.dict(os.environ, {"COLUMNS": "200", **settings}), chdir(home.parent):
        found = outcome(home, *arguments)
    assert found.code == code, found
    return found.out if code == 0 else found.out + found.err


def runs(home):
    with closing(sqlite3.connect(home / "brain.db")) as opened:
        return [number for (number,) in opened.execute("SELECT id FROM runs ORDER BY id DESC")]


def test_a_backup_while_the_server_appends_runs_has_every_run_that_was_acknowledged_before(home, tmp_path):
    acknowledged, stop, five = [], Event(), Event()
    with served(home) as client:

        def write():
            while not stop.is_set():
                if len(acknowledged) < 4:  # the first runs are made from different claims
                    body = CLAIM.replace("gpu-costs-two", "changing").replace("is: 2 ", f"is: {len(acknowledged)} ")
                    assert client.post("/v1/documents", params={"name": "changing.yaml"}, content=body).is_success
                answer = client.post("/v1/runs", params={"as_of": "2026-11-11", "append": "true"})
                assert answer.status_code == 201, answer.text
                acknowledged.append(answer.json()["id"])
                if len(acknowledged) >= 5:
                    five.set()

        writer = Thread(target=write)
        writer.start()
        try:
            assert five.wait(60)
            before = list(acknowledged)
            brain(home, "backup", tmp_path / "brain.zip")
        finally:
            stop.set()
            writer.join(60)
    other = tmp_path / "elsewhere"
    brain(other, "restore", tmp_path / "brain.zip")
    restored = runs(other)
    assert set(before) <= set(restored)
    assert restored == list(range(restored[0], 0, -1))
    brain(other, "check")
    assert json.loads(brain(other, "explain", "gpu-costs-two", "--json"))["verdict"] == "holds"
    assert json.loads(brain(other, "search", "dollars", "--json"))["items"]
    with Brain.open(Settings(home=other)) as opened:
        alike = {}
        for run in opened.ledger.runs(len(restored)):
            rows = tuple(opened.ledger.rows(run.id))
            first = alike.setdefault((run.rules, run.snapshot, run.as_of), (run.id, rows))
            assert rows == first[1], "runs made from the same claims and prices have the same rows"
        assert [number for number, _ in alike.values() if not opened.evaluator.rerun(number).same] == []
        verdicts = {row.verdict.value for _, rows in alike.values() for row in rows}
    assert verdicts == {"holds", "unverifiable"}, "the claims changed from run to run"


def test_a_power_cut_in_the_middle_of_a_run_keeps_every_run_before_it_and_the_night_goes_on(tmp_path):
    """The home as a disk has it when the power fails: the log cut within a page, the journal as it was synced last."""
    home = Home(tmp_path, {2: "2.40"})
    home.by_hand(1)
    with home.open() as brain:
        brain.verify(moment(2).date(), at=moment(2), clock=lambda: moment(2))
        journal, acknowledged = (home.path / "runs.log").read_bytes(), (home.path / "brain.db-wal").stat().st_size
        brain.verify(moment(3).date(), at=moment(3), clock=lambda: moment(3))
        database, log = ((home.path / name).read_bytes() for name in ("brain.db", "brain.db-wal"))
    assert len(log) > acknowledged + 4200
    for cut in (acknowledged + 10, acknowledged + 2000, len(log) - 1):
        copy = tmp_path / f"cut{cut}"
        copy.mkdir()
        for name, data in (("brain.db", database), ("brain.db-wal", log[:cut]), ("runs.log", journal)):
            (copy / name).write_bytes(data)
        with Brain.open(Settings(home=copy)) as opened:
            there = [run.id for run in opened.ledger.runs(10)]
            assert there in ([2, 1], [3, 2, 1]), cut
            assert all(opened.evaluator.rerun(number).same for number in there), cut
            assert [problem.message for problem in opened.store.check() if "acknowledged" in problem.message] == [], cut
            assert [flag.claim for flag in opened.alerts.flags(standing=True)] == ["cheap-rent"], cut
            found = run_night(opened, lambda: moment(4), refresh=False)
            assert found.run.id == there[0] + 1, cut


def test_a_copy_of_the_database_file_alone_lost_runs_and_check_names_them(home, tmp_path):
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with home_client(Settings(home=home, token=TOKEN), pages=False, headers=headers) as client:
        assert client.post("/v1/runs", params={"as_of": "2026-11-11", "append": "true"}).status_code == 201
        copy = shutil.copy(home / "brain.db", tmp_path / "copy.db")  # without brain.db-wal
        for _ in range(3):
            assert client.post("/v1/runs", params={"as_of": "2026-11-12", "append": "true"}).status_code == 201
    shutil.rmtree(home / "index")
    assert "the search index is out of date" in brain(home, "check")
    for ending in ("", "-wal", "-shm"):
        (home / f"brain.db{ending}").unlink(missing_ok=True)
    shutil.copy(copy, home / "brain.db")
    lost = sorted({1, 2, 3, 4, 5} - set(runs(home)))
    assert lost
    said = brain(home, "check", code=1)
    assert f"{len(lost)} acknowledged runs are missing" in said
    assert all(f"run {number} (of 2026-11-1" in said for number in lost)
    # A later run takes the number of a lost one; the loss is still reported.
    brain(home, "verify", "--as-of", "2026-11-13", "--append")
    assert f"other runs have the numbers {lost[0]}" in brain(home, "check", code=1)


def test_restoring_an_older_backup_is_a_loss_that_was_requested(home, tmp_path):
    brain(home, "backup", tmp_path / "brain.zip")
    brain(home, "verify", "--as-of", "2026-11-11", "--append")
    said = brain(home, "restore", tmp_path / "brain.zip", code=3)
    assert "--force" in said
    assert runs(home) == [2, 1]
    brain(home, "restore", tmp_path / "brain.zip", "--force")
    assert runs(home) == [1]
    assert "acknowledged" not in brain(home, "check")
    brain(home, "verify", "--as-of", "2026-11-12", "--append")
    assert "acknowledged" not in brain(home, "check")


@pytest.mark.parametrize("how", ["restore", "copy"])
def test_an_older_database_with_a_newer_index_finds_what_it_holds_and_nothing_else(home, tmp_path, how):
    """Both histories have as many writes, so the version alone does not distinguish them."""
    shutil.copytree(home, tmp_path / "other")
    for place, word in ((home, "barley"), (tmp_path / "other", "quinoa")):
        note = tmp_path / word / f"{word}.md"
        note.parent.mkdir()
        note.write_text(NOTE.replace("GPU", word))
        brain(place, "ingest", note)
        assert "mara/" in brain(place, "search", word)
    if how == "restore":
        brain(tmp_path / "other", "backup", tmp_path / "brain.zip")
        brain(home, "restore", tmp_path / "brain.zip", "--force")
    else:
        for file in home.glob("brain.db*"):
            file.unlink()
        for file in (tmp_path / "other").glob("brain.db*"):
            shutil.copy(file, home)
    assert "mara/quinoa" in brain(home, "search", "quinoa")
    assert "mara/barley" not in brain(home, "search", "barley")


def test_a_home_in_use_is_not_replaced(home, tmp_path):
    brain(home, "backup", tmp_path / "brain.zip")
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with home_client(Settings(home=home, token=TOKEN), pages=False, headers=headers) as client:
        assert "in use by another process" in brain(home, "restore", tmp_path / "brain.zip", "--force", code=3)
        assert client.post("/v1/runs", params={"as_of": "2026-11-11", "append": "true"}).status_code == 201
    assert runs(home) == [2, 1]
    assert not list(home.glob(".restore-*"))


def _flipped(data):
    return data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 0xFF]) + data[len(data) // 2 + 1 :]


def _packed_anew(data, change):
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        files = {name: old.read(name) for name in old.namelist()}
    change(files)
    with zipfile.ZipFile(packed := io.BytesIO(), "w") as new:
        for name, part in files.items():
            new.writestr(name, part)
    return packed.getvalue()


def _add_path_outside(files):
    manifest = json.loads(files["manifest.json"])
    manifest["files"]["../outside"] = manifest["files"]["brain.db"]
    files |= {"manifest.json": json.dumps(manifest), "../outside": files["brain.db"]}


DAMAGE = {
    "a bit flipped": _flipped,
    "cut": lambda data: data[:-2000],
    "another text": lambda _data: b"# my notes\n",
    "no database": lambda data: _packed_anew(data, lambda files: files.pop("brain.db")),
    "a path outside": lambda data: _packed_anew(data, _add_path_outside),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_backup_changes_nothing(home, tmp_path, damage):
    file = tmp_path / "brain.zip"
    brain(home, "backup", file)
    file.write_bytes(damage(file.read_bytes()))
    assert "is not a complete backup" in brain(home, "restore", file, "--force", code=3)
    assert runs(home) == [1]
    assert {"home/outside", "outside"}.isdisjoint(path.name for path in tmp_path.rglob("*"))
    assert not list(tmp_path.rglob(".restore-*"))
    brain(home, "check")


def test_a_backup_never_replaces_a_file_that_is_no_backup(home, tmp_path):
    notes = tmp_path / "notes.md"
    notes.write_text("# mine\n")
    assert "is not a backup" in brain(home, "backup", notes, code=3)
    assert notes.read_text() == "# mine\n"
    brain(home, "backup", tmp_path / "brain.zip")
    brain(home, "verify", "--as-of", "2026-11-11", "--append")
    brain(home, "backup", tmp_path / "brain.zip")  # an older backup is replaced
    with zipfile.ZipFile(tmp_path / "brain.zip") as packed:
        assert json.loads(packed.read("manifest.json"))["last_run"] == 2
        assert "index" not in " ".join(packed.namelist())
    assert (tmp_path / "brain.zip").stat().st_mode & 0o077 == 0


STOPPED_AT_THE_MOVE = """
import os, signal, pathlib, sys
real = pathlib.Path.replace
def replace(self, target):
    if str(target).endswith("brain.db"):
        if sys.argv[1] == "after":
            real(self, target)
        os.kill(os.getpid(), signal.SIGKILL)
    return real(self, target)
pathlib.Path.replace = replace
from api.cli.root import main
main(sys.argv[2:])
"""


def test_a_killed_restore_leaves_the_old_home_or_the_new_one(home, tmp_path):
    file = tmp_path / "brain.zip"
    brain(home, "backup", file)
    brain(home, "verify", "--as-of", "2026-11-11", "--append")
    for point, left in (("before", [2, 1]), ("after", [1])):
        call = [sys.executable, "-c", STOPPED_AT_THE_MOVE, point, *command(home, "restore", file, "--force")[3:]]
        killed = subprocess.run(call, cwd=tmp_path, env=environment(), check=False)
        assert killed.returncode == -9
        assert runs(home) == left
        with closing(sqlite3.connect(home / "brain.db")) as opened:
            assert opened.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_postgresql_has_its_own_tools(home, tmp_path):
    said = brain(home, "backup", tmp_path / "brain.zip", code=2, BRAIN_DB="postgresql://nobody@127.0.0.1:1/none")
    assert "pg_dump" in said
    assert "Traceback" not in said


def test_a_refused_backup_names_the_missing_folder_and_a_refused_restore_leaves_no_home(home, tmp_path):
    missing = tmp_path / "nowhere"
    assert f"the folder {missing} does not exist" in brain(home, "backup", missing / "b.zip", code=3)
    brain(home, "backup", tmp_path / "b.zip")
    (tmp_path / "b.zip").write_bytes(_flipped((tmp_path / "b.zip").read_bytes()))
    brain(tmp_path / "fresh", "restore", tmp_path / "b.zip", code=3)
    assert not (tmp_path / "fresh").exists()
