"""`brain serve --workers N`: several processes answer on one port, and none is left when their parent is killed."""

import time

import httpx
import pytest

from tests.command import outcome
from tests.stories.own_process import SECONDS, served


def test_every_worker_answers_a_write_to_one_is_seen_by_all_and_none_outlives_a_parent_that_was_killed(tmp_path, write):
    note = write("quay.md", "---\ntitle: Quay\n---\nCranes stand idle.\n")
    assert outcome(tmp_path / "home", "ingest", note, "--brain", "port").code == 0
    with served(tmp_path / "home", "--workers", "2") as client:
        assert client.get("/v1/nodes/port/quay").json()["title"] == "Quay"
        note = {"params": {"name": "dawn.md", "brain": "port"}, "content": "---\ntitle: Dawn\n---\nNobody is there.\n"}
        assert client.post("/v1/documents", **note).status_code == 201
        nodes = f"{client.base_url}/v1/nodes?limit=5"
        by_connections = {httpx.get(nodes, timeout=SECONDS).json()["total"] for _ in range(20)}
        assert by_connections == {2}
        client.process.kill()
        client.process.wait(SECONDS)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            try:
                httpx.get(f"{client.base_url}/healthz", timeout=SECONDS)
            except httpx.TransportError:
                return
            time.sleep(0.02)
    pytest.fail("a worker answers, and keeps the port")
