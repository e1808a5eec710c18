"""A home moves to PostgreSQL and back, complete and proven equal; nothing is stored where it cannot."""

import shutil

import pytest
from sqlalchemy import Engine, event, text

from api.brain import Brain
from api.models.api_models import page_fields
from api.services import backup as home_backup
from api.services.checks import content_problems
from api.settings import Settings
from graph.models.query_models import NodeQuery
from graph.store import Store
from tests.conftest import NOW


@pytest.mark.postgres
def test_a_home_moves_to_postgresql_and_back_with_all_that_it_has(brain, home, tmp_path, part_home, postgres_store):
    shutil.copytree(part_home, home)
    silence = ("--tag", "gpu", "--until", "2027-01-01", "--reason", "known")
    assert brain("silences", "add", *silence).code == 0
    url = postgres_store()
    moved = brain("move", "--to", url, "--json")
    assert moved.code == 0, moved.err
    again = brain("move", "--to", url)
    assert (again.code, "is not empty" in again.err) == (3, True)
    with Brain.open(Settings(home=home)) as here, Brain.open(Settings(home=tmp_path / "web", db=url)) as opened:
        assert not [one for one in content_problems(opened) if one.severity == "error"]
        assert {**opened.about(), "version": 0} == {**here.about(), "version": 0}
        number = opened.ledger.runs()[0].id
        found = [page_fields(one.find("batch discount", NodeQuery()))["items"] for one in (here, opened)]
        assert {item["id"] for item in found[0]} == {item["id"] for item in found[1]} != set()
        assert opened.verify(NOW.date(), at=NOW, clock=lambda: NOW).id == number + 1
    back = tmp_path / "back"
    report = home_backup.move(Settings(home=home, db=url), str(back))
    assert report.run == number + 1
    with Brain.open(Settings(home=back)) as opened:
        assert not [one for one in content_problems(opened) if one.severity == "error"]
        assert opened.evaluator.rerun(number + 1).same
    first = {one["name"]: one for one in moved.json["tables"]}
    assert {name for name, one in first.items() if one["rows"]} >= {"documents", "nodes", "edges", "runs", "silences"}
    later = {"meta", "counters", "runs", "verdicts", "flags"}  # the run that was appended
    assert {one.name for one in report.tables if one.model_dump() != first[one.name]} <= later


def test_a_move_that_fails_leaves_an_empty_target(part_home, tmp_path, monkeypatch):
    to = tmp_path / "other"

    def spoil(connection, _cursor, statement, *_others):
        if statement.startswith("INSERT INTO node_tags"):
            connection.execute(text("UPDATE nodes SET title = title || 'x' WHERE serial = 1"))

    monkeypatch.setattr(home_backup, "_latest_again", lambda *_arguments: None)
    shutil.copytree(part_home, tmp_path / "source")
    settings = Settings(home=tmp_path / "source")
    real = home_backup.copy_tables

    def written_meanwhile(*arguments):
        sums = real(*arguments)
        with Store.open(tmp_path / "source/brain.db") as other:
            other.metadata.put("colour", "red")
        return sums

    monkeypatch.setattr(home_backup, "copy_tables", written_meanwhile)
    with pytest.raises(home_backup.BackupError, match="was written to during the move"):
        home_backup.move(settings, str(to))
    monkeypatch.setattr(home_backup, "copy_tables", real)
    event.listen(Engine, "before_cursor_execute", spoil)
    try:
        with pytest.raises(Exception, match="the copy of nodes differs"):
            home_backup.move(settings, str(to))
    finally:
        event.remove(Engine, "before_cursor_execute", spoil)
    with Store.open(to / "brain.db") as empty:
        assert not empty.documents.heads()
        assert empty.version() == 0
    assert sum(table.rows for table in home_backup.move(settings, str(to)).tables) > 1000
    with pytest.raises(home_backup.BackupError, match="no brain in"):
        home_backup.move(Settings(home=tmp_path / "nowhere"), str(to))
