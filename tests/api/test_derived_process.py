"""The map of a large brain is made again after a write, by a process that nobody waits for."""

import time
from datetime import UTC, datetime

import pytest
from filelock import FileLock

from api.brain import Brain
from api.services import derived_process, derived_program
from api.services.derived_process import DerivedProcess
from api.services.derived_program import LOCK, main
from api.settings import Settings
from graph.models.access_models import BrainPolicy

NOW = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture
def started(monkeypatch):
    """Every brain with notes is a large one; the homes for which a process would begin."""
    begun = []
    monkeypatch.setattr("graph.links.links.FEW_NODES", 0)
    monkeypatch.setattr(derived_process, "_started", lambda home, _db: begun.append(home))
    return begun


def note(folder, name, text="Cranes stand idle."):
    path = folder / f"{name}.md"
    path.write_text(f"---\ntitle: {name}\n---\n{text}\n")
    return path


def test_a_write_starts_it_and_the_next_map_shows_the_note(tmp_path, started):
    home = tmp_path / "home"
    with Brain.open(Settings(home=home)) as brain:
        brain.ingest([note(tmp_path, "quay")], at=NOW)
        assert started
        main(home, quiet=0)
        assert not brain.links.is_outdated()
        assert brain.links.map().titles == ("quay",)
        started.clear()
        brain.store.metadata.put("some", "text")
        assert not started, "a write that leaves the notes as they are"
        brain.ingest([note(tmp_path, "dawn")], at=NOW)
        assert started
        assert brain.links.map().titles == ("quay",)
        main(home, quiet=0)
        assert brain.links.map().titles == ("quay", "dawn")


def test_readers_of_public_brains_get_a_map_of_these(tmp_path, started):
    home = tmp_path / "home"
    with Brain.open(Settings(home=home)) as brain:
        brain.ingest([note(tmp_path, "quay")], at=NOW, brain="open")
        brain.ingest([note(tmp_path, "dawn")], at=NOW, brain="shut")
        brain.prices.put_policy(BrainPolicy(name="shut", private=True), at=NOW)
        main(home, quiet=0)
        assert brain.links.map().titles == ("quay", "dawn")
        assert brain.for_reader(brain.brains.private()).links.map().titles == ("quay",)
        assert not brain.for_reader(brain.brains.private()).links.is_outdated()


def test_a_small_brain_starts_none(tmp_path, monkeypatch):
    monkeypatch.setattr(derived_process, "_started", None)
    with Brain.open(Settings(home=tmp_path / "home")) as brain:
        brain.ingest([note(tmp_path, "quay")], at=NOW)
        assert brain.links.map().titles == ("quay",)


def test_two_do_not_work_for_one_home(tmp_path, started):
    home = tmp_path / "home"
    with Brain.open(Settings(home=home)) as brain:
        brain.ingest([note(tmp_path, "quay")], at=NOW)
        with FileLock(home / LOCK):
            main(home, quiet=0)
        assert brain.links.is_outdated()
        started.clear()
        assert brain.links.map().titles == ("quay",)
        assert started, "a reader of an older map starts one too"


def test_a_home_that_is_gone_is_not_made_again(tmp_path):
    main(tmp_path / "home", quiet=0)
    assert not (tmp_path / "home").exists()


def test_it_ends_by_itself_and_is_waited_for(tmp_path):
    with Brain.open(Settings(home=tmp_path)):
        process = DerivedProcess(tmp_path, None)
        process.start()
        began = process._process
        process.start()
        assert process._process is began
        end = time.monotonic() + 60
        while began.returncode is None and time.monotonic() < end:
            time.sleep(0.1)
    assert began.returncode == 0


def test_a_write_that_was_committed_is_not_refused_for_want_of_a_map(tmp_path, started, monkeypatch, capsys):
    """What starts the process failed after a commit, and the caller was told that the note was not stored."""
    with Brain.open(Settings(home=tmp_path / "home")) as brain:
        monkeypatch.setattr(DerivedProcess, "start", lambda _self: (_ for _ in ()).throw(PermissionError("no room")))
        assert brain.ingest([note(tmp_path, "quay")], at=NOW).stored


def test_all_maps_are_made_also_while_somebody_writes(tmp_path, started, monkeypatch):
    home = tmp_path / "home"
    with Brain.open(Settings(home=home)) as brain:
        brain.ingest([note(tmp_path, "quay")], at=NOW, brain="open")
        brain.ingest([note(tmp_path, "dawn")], at=NOW, brain="shut")
        brain.prices.put_policy(BrainPolicy(name="shut", private=True), at=NOW)
        monkeypatch.setattr(derived_program, "ROUNDS", 1)  # a write during each map makes it older again
        main(home, quiet=0)
        assert brain.for_reader(brain.brains.private()).links.map().titles == ("quay",)
        assert not brain.links.is_outdated(brain.brains.private())
