"""`brain serve --workers N`: several processes answer on one port, and none is left when their parent is killed."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BRAIN = [sys.executable, "-c", "from api.cli.root import main; main()"]
SECONDS = 60


@pytest.fixture
def served(tmp_path):
    """A service of two workers over one note, and its address."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "BRAIN_HOME": str(tmp_path / "home"), "BRAIN_TOKEN": "t"}
    (tmp_path / "quay.md").write_text("---\ntitle: Quay\n---\nCranes stand idle.\n")
    subprocess.run([*BRAIN, "ingest", tmp_path / "quay.md", "--brain", "port"], env=environment, check=True)
    command = [*BRAIN, "serve", "--port", "0", "--workers", "2"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        line = next(line for line in process.stderr if "workers are starting" in line)
        yield process, re.search(r"workers are starting on (http://\S+)", line)[1]
        process.terminate()


def test_every_worker_answers_and_a_write_to_one_is_seen_by_all(served):
    _, address = served
    assert answer(f"{address}/v1/nodes/port/quay")["title"] == "Quay"
    note = b"---\ntitle: Dawn\n---\nNobody is there.\n"
    told = {"Authorization": "Bearer t", "Content-Type": "text/markdown"}
    with urllib.request.urlopen(
        urllib.request.Request(f"{address}/v1/documents?name=dawn.md&brain=port", note, told), timeout=SECONDS
    ) as stored:
        assert stored.status == 201
    assert {answer(f"{address}/v1/nodes?limit=5")["total"] for _ in range(20)} == {2}


def test_workers_end_with_a_parent_that_was_killed(served):
    process, address = served
    answer(f"{address}/healthz")
    process.kill()
    process.wait(SECONDS)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            answer(f"{address}/healthz")
        except OSError:
            return
        time.sleep(0.1)
    pytest.fail("a worker answers, and keeps the port")


def answer(address):
    with urllib.request.urlopen(address, timeout=SECONDS) as response:
        return json.load(response)
