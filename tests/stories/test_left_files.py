"""What a killed process leaves is removed by the next; files that change under a service are seen; what can be read is read."""

import os
import shutil
import signal
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from api.services.backup import backup, restore
from api.settings import Settings
from graph.scratch_folder import remove_left, scratch_folder
from graph.store import Store
from graph.store.store_errors import UnwritableError
from tests.stories.own_process import environment

AT = datetime(2026, 11, 21, tzinfo=UTC)
NOTE = "# Rents\n\nAn hour of the card rents for two dollars.\n"

KILLED = """
import os, signal, sys
from pathlib import Path
from datetime import UTC, datetime
from api.services import backup as home_backup
from api.settings import Settings
home_backup.{step} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
{call}
"""
HOLDER = """
import sys
from pathlib import Path
from graph.scratch_folder import scratch_folder
with scratch_folder(Path(sys.argv[1]), ".b.zip.", ".part"):
    print("made", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def made(brain, home, write):
    assert brain("ingest", write("rents.md", NOTE)).code == 0
    return Settings(home=home)


def left(folder):
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("."))


def killed(step, call):
    ended = subprocess.run([sys.executable, "-c", KILLED.format(step=step, call=call)], env=environment(), check=False)
    assert ended.returncode == -signal.SIGKILL


def test_a_backup_removes_what_a_killed_one_left_and_not_what_a_running_one_has(made, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    file = out / "b.zip"
    call = f"home_backup.backup(Settings(home=Path({str(made.home)!r})), Path({str(file)!r}), datetime.now(UTC))"
    killed("_pack", call)
    assert len(left(out)) == 1
    (out / ".movie.mkv.0a1b2c3d.part").write_bytes(b"of another program")
    hold = [sys.executable, "-c", HOLDER, str(out)]
    with subprocess.Popen(hold, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()) as running:
        assert running.stdout.readline() == b"made\n"
        backup(made, file, AT)
        assert len(left(out)) == 2
        assert ".movie.mkv.0a1b2c3d.part" in left(out)
        running.kill()
    backup(made, out / "another.zip", AT)
    assert left(out) == [".movie.mkv.0a1b2c3d.part"]
    assert zipfile.is_zipfile(file)


def test_the_next_command_removes_what_a_killed_restore_left(made, brain, tmp_path):
    backup(made, tmp_path / "b.zip", AT)
    file = tmp_path / "b.zip"
    call = f"home_backup.restore(Settings(home=Path({str(made.home)!r})), Path({str(file)!r}), force=True)"
    killed("replace_database", call)
    assert [name[:9] for name in left(made.home)] == [".restore-"]
    assert "rents" in brain("search", "dollars").out
    assert brain("show", "notes/rents").code == 0
    assert left(made.home) == []
    restore(made, tmp_path / "b.zip", force=True)
    assert left(made.home) == []


def test_an_export_removes_what_a_killed_one_left(made, brain, tmp_path):
    out = tmp_path / "vault"
    (out / ".brain-export-0a1b2c3d").mkdir(parents=True)
    assert brain("export", "--format", "vault", "-o", out).code == 0
    assert left(out) == []


def test_a_folder_that_is_being_made_is_left_alone(tmp_path):
    (tmp_path / ".restore-0a1b2c3d.new").mkdir()
    remove_left(tmp_path, ".restore-")
    assert left(tmp_path) == [".restore-0a1b2c3d.new"]
    os.utime(tmp_path / ".restore-0a1b2c3d.new", (0, 0))
    with scratch_folder(tmp_path, ".restore-") as folder:
        remove_left(tmp_path, ".restore-")
        assert left(tmp_path) == [folder.name]
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("log", "brain.db-wal was deleted"), ("cut", "is cut off: it has 40,000 of"), ("emptied", "is damaged"),
        ("replaced", "brain.db was deleted or replaced"),
    ],
)  # fmt: skip
def test_readyz_sees_what_happened_to_the_files_of_a_running_service(made, served, monkeypatch, what, said):
    monkeypatch.setattr("graph.store.database_engine.BUSY_SECONDS", 0.5)  # an emptied file is busy until then
    database = made.home / "brain.db"
    with served() as client:
        assert client.get("/readyz").status_code == 200
        if what == "log":
            (made.home / "brain.db-wal").unlink()
        elif what == "replaced":
            shutil.copy(database, made.home / "copy")
            (made.home / "copy").replace(database)
        else:
            os.truncate(database, 0 if what == "emptied" else 40_000)
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert said in answer.json()["detail"]


@pytest.fixture
def read_only(made, request):
    """The home as a process sees it that may not write it: of another user, as the super-user may write anywhere."""
    if os.geteuid() != 0:
        for path in (made.home, made.home / "brain.db"):
            path.chmod(0o500 if path.is_dir() else 0o400)
        yield made
        made.home.chmod(0o700)
        return
    disk = request.getfixturevalue("disk")
    shutil.copytree(made.home, disk / "own")
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    yield Settings(home=disk / "own")


def test_what_can_be_read_on_a_read_only_disk_is_read(read_only, brain, tmp_path):
    home = ["--home", str(read_only.home)]
    for typed in ("search dollars", "search dollars --json", "show notes/rents", "tags", "claims"):
        command = typed.split()
        assert brain(*home, *command).code == 0, command
    with Store.open(read_only.home / "brain.db") as store, pytest.raises(UnwritableError, match=str(read_only.home)):
        store.metadata.put("a", "b")
    assert backup(read_only, tmp_path / "b.zip", AT).manifest.documents == 1
    with pytest.raises(OSError, match=r"ead-only|denied") as refused:
        backup(read_only, read_only.home / "b.zip", AT)
    assert Path(refused.value.filename) == read_only.home


def test_an_index_that_is_missing_there_is_made_elsewhere(made, read_only, brain):
    if read_only.home == made.home:
        pytest.skip("the files of this home are its own")
    subprocess.run(["mount", "-o", "remount,rw", read_only.home.parent], check=True)
    shutil.rmtree(read_only.home / "index")
    subprocess.run(["mount", "-o", "remount,ro", read_only.home.parent], check=True)
    found = brain("--home", str(read_only.home), "search", "dollars")
    assert found.code == 0
    assert "rents" in found.out
