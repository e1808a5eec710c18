"""Exports stay in their folder, whatever a store holds and whatever links are in the folder."""

import pytest
from sqlalchemy import create_engine, text

from api.brain import Brain
from api.services import exports
from api.services.checks import content_problems
from api.services.exports import TargetError, write_texts
from api.settings import Settings
from tests.command import written
from tests.conftest import NOW


@pytest.fixture
def home(tmp_path):
    folder = written(tmp_path / "in", {"batch.md": "---\ntitle: Batch\n---\nHalf the price.\n"})
    with Brain.open(Settings(home=tmp_path / "home")) as brain:
        assert brain.ingest([folder], at=NOW).stored
    return tmp_path / "home"


def _files(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("stored", ["notes/../../../pwn", "/abs", "notes/..", "../../x/y", "notes/a\\..\\b", "CON/nul"])
def test_a_poisoned_store_of_an_older_version_is_exported_inside_the_folder(home, tmp_path, stored):
    engine = create_engine(f"sqlite:///{home / 'brain.db'}")
    with engine.begin() as sql:
        sql.execute(text("PRAGMA foreign_keys=OFF"))
        sql.execute(text("UPDATE nodes SET id = :id"), {"id": stored})
    engine.dispose()
    target = tmp_path / "deep/er/out"
    before = set(_files(tmp_path)) | {"home/brain.db-wal", "home/brain.db-shm"}
    with Brain.open(Settings(home=home)) as brain:
        assert exports.notes(brain, target) == 1
        assert "node-id" in {problem.code for problem in content_problems(brain)}
    fresh = set(_files(tmp_path)) - before
    assert len(_files(target)) == 1
    assert all(name.startswith("deep/er/out/") for name in fresh), fresh


def test_a_link_in_the_target_that_points_outside_is_refused(home, tmp_path):
    outside, target = tmp_path / "outside", tmp_path / "out"
    outside.mkdir()
    target.mkdir()
    (target / "notes").symlink_to(outside, target_is_directory=True)
    with Brain.open(Settings(home=home)) as brain, pytest.raises(TargetError, match="outside"):
        exports.notes(brain, target)
    assert _files(outside) == []


def test_a_linked_file_in_the_target_is_replaced_and_not_followed(home, tmp_path):
    secret, target = tmp_path / "secret", tmp_path / "out"
    secret.write_text("as it was")
    (target / "notes").mkdir(parents=True)
    (target / "notes/batch.md").symlink_to(secret)
    with Brain.open(Settings(home=home)) as brain:
        exports.notes(brain, target)
    assert secret.read_text() == "as it was"
    assert not (target / "notes/batch.md").is_symlink()
    assert "Half the price." in (target / "notes/batch.md").read_text()


def test_a_target_that_is_a_link_itself_is_what_was_requested(home, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "real", target_is_directory=True)
    with Brain.open(Settings(home=home)) as brain:
        exports.notes(brain, tmp_path / "out")
    assert _files(tmp_path / "real") == ["notes/batch.md"]


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "", ".", "a\\..\\x", "a\0b"])
def test_no_path_points_outside(tmp_path, name):
    with pytest.raises(TargetError):
        write_texts(tmp_path / "out", {"fine.md": "x", name: "y"})
    assert _files(tmp_path) == []


@pytest.mark.parametrize("names", [("a/B.md", "a/b.md"), ("a/é.md", "a/e\u0301.md")])
def test_two_names_that_a_file_system_takes_for_one_are_refused(tmp_path, names):
    with pytest.raises(TargetError, match="one file"):
        write_texts(tmp_path, dict.fromkeys(names, "x"))
    assert _files(tmp_path) == []


def test_two_folders_that_are_one_by_a_link_are_refused(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "y").symlink_to(tmp_path / "x", target_is_directory=True)
    with pytest.raises(TargetError, match="one file"):
        write_texts(tmp_path, {"x/a.md": "x", "y/a.md": "y"})
