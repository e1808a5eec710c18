"""The program as its own process: a command, and a server on a free port."""

import os
import re
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import httpx

from tests.conftest import ROOT

TOKEN = "a-token-of-the-stories"
SECONDS = 120


def command(home, *arguments):
    return [sys.executable, "-c", "from api.cli.root import main; main()", "--home", str(home), *map(str, arguments)]


def environment(**settings):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BRAIN_")}
    return {**kept, "PYTHONPATH": str(ROOT), "COLUMNS": "200", "BRAIN_OFFLINE": "1", **settings}


@contextmanager
def served(home, *options, **settings):
    log = home.parent / f"{home.name}.server.log"
    with log.open("w") as stderr:
        streams = {"stdout": subprocess.DEVNULL, "stderr": stderr, "env": environment(BRAIN_TOKEN=TOKEN, **settings)}
        process = subprocess.Popen(command(home, "serve", "--port", "0", *options), cwd=home.parent, **streams)
    try:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with httpx.Client(base_url=_address(process, log), headers=headers, timeout=SECONDS) as client:
            client.process = process
            yield client
    finally:
        process.kill()
        process.communicate()


def _address(process, log):
    end = time.monotonic() + SECONDS
    while process.poll() is None and time.monotonic() < end:
        found = re.search(r"http://127\.0\.0\.1:\d+", log.read_text())
        with suppress(httpx.TransportError):
            if found and httpx.get(f"{found[0]}/healthz").status_code == 200:
                return found[0]
        time.sleep(0.05)
    raise AssertionError(log.read_text())
