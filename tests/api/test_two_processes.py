"""Several processes that write to one home at the same time lose nothing and duplicate nothing."""

import subprocess
import sys

import pytest

from api.brain import Brain
from api.settings import Settings
from graph.store.store_errors import UnknownDocumentError
from tests.api.test_import_stages import PAGE
from tests.command import written
from tests.conftest import NOW, ROOT
from tests.statements import after_statement

SECONDS = 60

CHILD = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from api.brain import Brain
from api.settings import Settings

home, *paths = map(Path, sys.argv[1:])

def step(doing, done, total):
    if doing.startswith("reading") and not done:
        print("reading", flush=True)
        sys.stdin.readline()

with Brain.open(Settings(home=home)) as brain:
    report = brain.ingest(paths, at=datetime(2026, 11, 21, 6, tzinfo=UTC), step=step)
    print("stored" if report.stored else "refused", flush=True)
"""


class Child:
    """A process that ingests; it waits at the barrier until `go`."""

    def __init__(self, home, *paths):
        command = [sys.executable, "-c", CHILD, str(home), *map(str, paths)]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self._process = subprocess.Popen(command, cwd=ROOT, text=True, **pipes)
        assert self._process.stdout.readline() == "reading\n", self._process.communicate(timeout=SECONDS)[1]

    def go(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def end(self):
        out, err = self._process.communicate(timeout=SECONDS)
        assert out == "stored\n", err

    def kill(self):
        self._process.kill()
        self._process.communicate(timeout=SECONDS)


@pytest.fixture
def ingesting(tmp_path):
    children = []

    def begin(folder, files):
        place = written(tmp_path / folder, files)
        children.append(Child(tmp_path / "home", *(place / name for name in files)))
        return children[-1]

    yield begin
    for child in children:
        child.kill()


@pytest.fixture
def brain(tmp_path):
    with Brain.open(Settings(home=tmp_path / "home")) as opened:
        yield opened


def test_two_brains_with_a_page_of_one_name_keep_both(brain, ingesting):
    both = [ingesting(who, {"page.txt": PAGE.format(who=who, name=who)}) for who in ("mira", "otto")]
    for one in both:
        one.go()
        one.end()
    found = {(record.name, record.brain) for record in brain.documents.all()}
    assert found == {("page.txt", "mira"), ("otto/page.txt", "otto")}
    assert {node.brain for node in brain.nodes.all()} == {"mira", "otto"}


def test_many_notes_from_two_sides_at_once_are_all_there_and_linked(brain, ingesting):
    sides = ("east", "west")
    notes = {
        side: {f"{side}-{n}.md": f"See [[{other}-{n}]] and [[{side}-{n - 1}]]." for n in range(1, 13)}
        for side, other in (sides, sides[::-1])
    }
    both = [ingesting(side, notes[side]) for side in sides]
    for one in both:
        one.go()
    for one in both:
        one.end()
    store = brain.store
    expected = {name.removesuffix(".md") for side in sides for name in notes[side]}
    assert sorted(node.slug for node in store.nodes.all()) == sorted(expected)
    lost = {cite.marker for node in store.nodes.all() for cite in node.cites if cite.target is None}
    assert lost == {f"[[{side}-0]]" for side in sides}
    assert len(store.documents.all()) == len(expected)
    assert store.check() == []


CLAIM = """\
claims:
  - {id: two, node: notes/quay, says: It is two., as_of: 2026-01-01, value: 1 + 1, expect: {is: 3}, for_runs: 2}
"""


def test_a_run_that_two_processes_look_at_counts_once_for_the_flags(tmp_path):
    settings = Settings(home=tmp_path / "home")
    with Brain.open(settings) as brain, Brain.open(settings) as other:
        folder = written(tmp_path / "vault", {"quay.md": "One quay.", "two.yaml": CLAIM})
        assert brain.ingest([folder], at=NOW).stored
        brain.evaluator.append(NOW.date(), at=NOW, clock=lambda: NOW)
        with after_statement(brain.store, 2, lambda: other.alert_processor.catch_up(NOW)) as seen:
            brain.alert_processor.catch_up(NOW)
        assert len(seen) >= 2, "it has read which runs are new, and then the other one looks at them"
        (flag,) = brain.alerts.flags()
        assert (flag.streak, flag.standing) == (1, False)


@pytest.mark.parametrize("number", range(1, 7))
def test_documents_that_another_process_takes_out_meanwhile_go_together_or_not_at_all(tmp_path, number):
    """The other one writes after each of the statements that are sent before the write transaction, if there are any."""
    settings = Settings(home=tmp_path / "home")
    with Brain.open(settings) as brain, Brain.open(settings) as other:
        names = ["quay.md", "tide.md"]
        folder = written(tmp_path / "vault", {name: f"About {name}." for name in names})
        assert brain.ingest([folder], at=NOW).stored
        with after_statement(brain.store, number, lambda: other.importer.remove(["tide.md"], at=NOW)):
            try:
                brain.importer.remove(names, at=NOW)
                left = set()
            except UnknownDocumentError:
                left = {"quay.md"}
        assert {record.name for record in brain.documents.all()} == left
