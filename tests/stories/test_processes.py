"""Several processes compute what one does, byte for byte; one that is killed costs time and nothing else."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future
from contextlib import closing
from pathlib import Path

import pytest

from api.brain import Brain
from api.cli import cli_session
from api.cli.error_exits import code_of, error_text
from api.services import task_mapper
from api.services.task_mapper import HERE, PROGRAM, ClusterError, Mapper, mapper
from api.settings import Settings
from tests.command import outcome
from tests.conftest import NOW, ROOT, TODAY
from tests.stories import process_tasks
from tests.stories.process_tasks import WaitsOnce, killed_each_time, process_id

pytestmark = pytest.mark.filterwarnings("default")
"""Dask warns of its own resources, such as a port that another process has."""


@pytest.fixture(scope="module")
def cluster():
    """Two processes of one thread, as an operator starts them; killed ones are replaced."""
    from distributed import LocalCluster

    quiet = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "silence_logs": 50}
    with LocalCluster(**quiet) as found:
        yield found


@pytest.fixture
def told(monkeypatch):
    monkeypatch.setattr(cli_session, "now", lambda: NOW)
    for module in ("verify_commands", "document_commands"):
        monkeypatch.setattr(f"api.cli.{module}.now", lambda: NOW)

    return outcome


def stored(home):
    """Every row of a home's database, apart from random ids: of the store, its last commit and its notices."""
    with closing(sqlite3.connect(home / "brain.db")) as connection:
        lines = [line for line in connection.iterdump() if not re.search(r"VALUES\('(commit|identity)'", line)]
    return [re.sub(r"msg_[0-9a-f]{24}", "msg", line) for line in lines]


NOTE = """# Costs

A call costs $3.00 per million tokens, 50% of the $6.00 per million tokens of the year before, that is $3.00 less.
Revenue grew from $40 million to $60 million, by {share}%. A ticket costs $0.40.

| part | watts |
|---|---|
| chip | 700 |
| board | 1000 |
"""

CLAIMS = """
- {id: holds, value: 60 / 40, expect: {is: 1.5}, as_of: 2026-01-05}
- {id: holds-too, value: 60 / 40, expect: {is: 1.5}, as_of: 2025-02-01}
- {id: fails, value: 60 / 40, expect: {is: 1.7}, as_of: 2026-01-05, asserted_by: source}
- {id: fails-as-quoted, value: 60 / 40, expect: {is: 145%}, as_of: 2026-01-05, asserted_by: source, quote: by 45%}
- {id: quotes-other-words, value: 60 / 40, expect: {is: 1.7}, as_of: 2026-01-05, asserted_by: source, quote: It fell}
- {id: reads-a-table, given: {w: 'table("written/costs", "1", "chip", "watts")'}, value: w, expect: {is: 700}, as_of: 2026-01-05}
- {id: like-another, value: 3 / 2, expect: {same_as: holds}, as_of: 2026-01-05}
- {id: contradicts-another, value: 3 / 2, expect: {is: 1.5}, contradicts: [holds], as_of: 2026-01-05}
- {id: counts-tickets, value: 4 USD / 10 ticket, expect: {is: 0.40 USD/ticket}, as_of: 2026-01-05}
- {id: priced, value: 'price("anthropic/claude-sonnet-4-5", "input")', expect: {at_most: 3 USD/Mtok}, as_of: 2026-01-05}
- {id: unpriced, value: 'price("nobody/nothing", "input")', expect: {at_most: 3 USD/Mtok}, as_of: 2026-01-05}
- {id: in-a-range, given: {rate: 50%, low: 40%, high: 70%}, value: rate * 2, expect: {at_most: 90%}, as_of: 2026-01-05}
"""


def written(folder):
    """A folder of the author's with a claim of each sort, of which some need the text of a node or another claim."""
    folder.mkdir()
    claims = CLAIMS.replace("value:", "node: written/costs, says: a figure, severity: info, value:")
    (folder / "claims.yaml").write_text("claims:" + claims, "utf-8")
    (folder / "units.yaml").write_text("units:\n  - {name: ticket, plural: [tickets]}\n", "utf-8")
    (folder / "broken.yaml").write_text("claims: [", "utf-8")
    for number, name in enumerate(("costs", "other", "third")):
        (folder / f"{name}.md").write_text(NOTE.format(share=45 + number), "utf-8")
    return folder


def test_every_command_gives_the_bytes_of_one_process(cluster, told, tmp_path):
    ways = {"one": (), "two": ("--workers", "2"), "many": ("--scheduler", cluster.scheduler_address)}
    folder, homes = written(tmp_path / "written"), [tmp_path / name for name in ways]
    for command in (
        ("ingest", folder, "--brain", "written", "--json"),
        ("verify", "--json"),
        ("verify", "--run", "1", "--json"),
        ("mine", "--json"),
        ("mine", folder / "other.md", "--claims"),
        ("record", "--json", "--as-of", "2026-11-21"),
        ("proof", folder, "--json", "--as-of", "2026-11-21"),
    ):
        one, *others = (told(home, *command, *way) for home, way in zip(homes, ways.values(), strict=True))
        assert one[0] == 0, one
        assert len(one[1]) > 60
        assert [other[:2] for other in others] == [one[:2]] * 2, command
        if command == ("verify", "--json"):
            counts = json.loads(one[1])["run"]["counts"]
    assert {name for name, count in counts.items() if count} == {"holds", "refuted", "depends", "unverifiable"}
    assert all(set(stored(home)) == set(stored(homes[0])) for home in homes[1:])


@pytest.mark.parametrize("where", ["workers", "scheduler"])
def test_a_killed_worker_costs_time_only(where, request, tmp_path):
    address = None if where == "workers" else request.getfixturevalue("cluster").scheduler_address
    with mapper(2, address) as processes:
        assert doubled_under_a_kill(processes, tmp_path) == [2 * number for number in range(50)]


def doubled_under_a_kill(processes, folder):
    """What processes make of fifty numbers while one of them is killed."""
    found = []
    work = threading.Thread(target=lambda: found.extend(processes.map(WaitsOnce(folder), range(50), 10)))
    work.start()
    end = time.monotonic() + 60
    while not (folder / "pid").exists() and time.monotonic() < end:
        time.sleep(0.01)
    os.kill(int((folder / "pid").read_text()), signal.SIGKILL)
    work.join(60)
    return found


def test_a_task_that_kills_its_process_each_time_is_given_up():
    with mapper(1) as processes, pytest.raises(ClusterError, match="failed repeatedly") as lost:
        list(processes.map(killed_each_time, range(3), 1))
    assert code_of(lost.value) == 3


def test_a_killed_scheduler_leaves_the_ledger_as_it_was(shipped_copy, monkeypatch):
    monkeypatch.setattr(task_mapper, "CONNECTING", 5.0)
    script = Path(process_tasks.__file__)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as other:
        address = other.stdout.readline().strip()
        with Brain.open(Settings(home=shipped_copy)) as brain:
            before = [run.id for run in brain.ledger.runs()], list(brain.ledger.rows(1))

        def killed_early(findings):
            yield next(findings)
            other.kill()
            other.wait()
            yield from findings

        with (
            pytest.raises(ClusterError) as lost,
            mapper(scheduler=address) as processes,
            Brain.open(Settings(home=shipped_copy), mapper=processes) as brain,
        ):
            brain.evaluator.append(TODAY, at=NOW, clock=lambda: NOW, through=killed_early)
        with Brain.open(Settings(home=shipped_copy)) as brain:
            assert ([run.id for run in brain.ledger.runs()], list(brain.ledger.rows(1))) == before
    sentence = f"the connection to the scheduler at {address} was lost; {task_mapper.STORED}"
    assert (error_text(lost.value), code_of(lost.value)) == (sentence, 3)


def test_a_cluster_that_is_lost_while_a_chunk_is_waited_for_is_noticed(monkeypatch):
    """A chunk sent just when the scheduler was killed was waited for without end."""
    monkeypatch.setattr(task_mapper, "CONNECTING", 0.01)
    widths = iter([1])

    def width():
        for found in widths:
            return found
        raise ClusterError("lost")

    class Silent(Executor):
        def submit(self, *_):
            return Future()

    with pytest.raises(ClusterError, match="lost"):
        list(Mapper(Silent, width).map(process_id, range(3), 1))


def test_the_processes_of_this_machine_end_with_the_command():
    with mapper(1) as processes:
        pids = set(processes.map(process_id, range(3), 1))
        assert len(pids) == 1
        assert os.getpid() not in pids
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_processes_end_with_a_command_that_is_killed():
    script = (
        "import os, signal\n"
        "from api.services import task_mapper\n"
        "from tests.stories.process_tasks import process_id\n"
        "with task_mapper.mapper(2) as processes:\n"
        "    print(*set(processes.map(process_id, range(40), 5)), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=ROOT)
    pids = killed.stdout.split()
    assert pids, killed.stderr
    end = time.monotonic() + 20
    while (left := [pid for pid in pids if Path(f"/proc/{pid}").exists()]) and time.monotonic() < end:
        time.sleep(0.05)
    assert left == []


def test_what_is_missing_is_said_in_a_sentence(told, tmp_path, monkeypatch):
    address = "tcp://127.0.0.1:1"
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, out, err = told(tmp_path / "home", "mine", "--scheduler", address)
    assert (code, out) == (2, "")
    assert "needs Dask" in err
    assert told(tmp_path / "home", "mine", "--workers", "2")[0] == 0
    monkeypatch.undo()
    code, _, err = told(tmp_path / "home", "mine", "--workers", "2", "--scheduler", address)
    assert (code, "not both" in err) == (2, True)
    monkeypatch.setattr(task_mapper, "CONNECTING", 0.2)
    code, _, err = told(tmp_path / "home", "mine", "--scheduler", address)
    assert code == 3
    assert err.startswith(f"brain: no Dask scheduler with workers at {address}: ")
    with mapper() as processes:
        assert processes is HERE


def test_a_worker_with_another_program_is_refused():
    with pytest.raises(ClusterError, match=r"0\.0, Python 3\.9") as refused:
        task_mapper.compute_chunk(b"", (), "0.0, Python 3.9")
    assert PROGRAM in str(refused.value)
