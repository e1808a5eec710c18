"""Load for the HTTP benches: servers as processes of their own, one worker each, requests by `wrk`."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__)
CONNECTIONS = 32
SCRIPT = """\
local paths, at = {}, 0
for line in io.lines("%s") do paths[#paths + 1] = line end
request = function()
  at = at %% #paths + 1
  return wrk.format("GET", paths[at])
end
"""


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Use(NamedTuple):
    """What a process has used: CPU seconds in user and system mode, and the most memory (RSS) in megabytes."""

    cpu: float
    peak: int


@contextmanager
def process(command: Sequence[str], port: int, path: str = "/") -> Iterator[tuple[str, int]]:
    """A server process; gives its address and its process id when it answers."""
    running = subprocess.Popen(
        command, env=_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(3000):
            try:
                urllib.request.urlopen(address + path, timeout=5).read()
                break
            except OSError:
                if running.poll() is not None:
                    sys.exit(f"the server ended: {' '.join(command)}")
                time.sleep(0.02)
        yield address, running.pid
    finally:
        os.killpg(running.pid, signal.SIGTERM)
        running.wait(20)


def _environment() -> dict[str, str]:
    """The environment of a server: it finds this tree, and keeps compiled modules as an installed program does."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    compiled = Path(tempfile.gettempdir(), "brain-bench-compiled")
    return kept | {"PYTHONPATH": str(HERE.parents[2]), "PYTHONPYCACHEPREFIX": str(compiled)}


def used(pid: int) -> Use:
    """What a process has used since it started, its CPU to the nanosecond: `/proc` has it in steps of 10 ms."""
    clock = ~pid << 3 | 2  # Linux's CPU clock of another process, see clock_getcpuclockid(3)
    peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return Use(time.clock_gettime(clock), int(peak.group(1)) // 1024 if peak else 0)


@contextmanager
def script(paths: Sequence[str], more: str = "") -> Iterator[Path]:
    """A script for `wrk` that asks the paths in turn; `more` is added to it."""
    with tempfile.TemporaryDirectory() as folder:
        listed, asking = Path(folder, "paths"), Path(folder, "ask.lua")
        listed.write_text("\n".join(paths) + "\n")
        asking.write_text(SCRIPT % listed + more)
        yield asking


def wrk(address: str, asking: Path, seconds: float, connections: int = CONNECTIONS) -> str:
    """What `wrk` prints after so many seconds of a script."""
    lasting = f"-d{max(1, round(seconds))}s"
    command = ["wrk", "-t1", f"-c{connections}", lasting, "--timeout", "30s", "-s", str(asking), address]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
