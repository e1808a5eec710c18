"""Load for the HTTP benches: servers as processes of their own, one worker each, requests by `wrk`."""

from __future__ import annotations

import os
import re
import shutil
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


ONCE = """\
local paths, at, answered = {}, 0, 0
for line in io.lines("%s") do paths[#paths + 1] = line end
request = function()
  at = at + 1
  return wrk.format("GET", paths[(at - 1) %% #paths + 1])
end
response = function()
  answered = answered + 1
  if answered == #paths then
    io.stdout:write("finished\\n")
    io.stdout:flush()
    wrk.thread:stop()
  end
end
done = function(summary, latency)
  local wrong = summary.errors
  print(string.format("figures %%d %%.0f %%.0f %%d", summary.requests,
    latency:percentile(50), latency:percentile(99), wrong.status + wrong.read + wrong.timeout + wrong.connect))
end
"""
"""The first connections to finish ask the first addresses again until the last one has its answer."""


class Load(NamedTuple):
    """What a server answered: requests, requests a second, percentiles of the latency in milliseconds, errors."""

    requests: int
    rate: float
    p50: float
    p99: float
    errors: int


class Use(NamedTuple):
    """What a process has used: CPU seconds in user and system mode, and the most memory (RSS) in megabytes."""

    cpu: float
    peak: int


@contextmanager
def server(command: Sequence[str], port: int, path: str = "/") -> Iterator[str]:
    """A server process; gives its address when it answers."""
    with process(command, port, path) as (address, _running):
        yield address


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


def once(address: str, paths: Sequence[str]) -> Load:
    """Ask every address once, over `CONNECTIONS` connections."""
    with tempfile.TemporaryDirectory() as folder:
        listed, script = Path(folder, "paths"), Path(folder, "ask.lua")
        listed.write_text("\n".join(paths) + "\n")
        script.write_text(ONCE % listed)
        command = ["wrk", "-t1", f"-c{CONNECTIONS}", "-d300s", "--timeout", "30s", "-s", str(script), address]
        start = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            for line in running.stdout or ():
                if line == "finished\n":
                    seconds = time.perf_counter() - start
                    running.send_signal(signal.SIGINT)
                if line.startswith("figures "):
                    requests, p50, p99, wrong = (int(part) for part in line.split()[1:])
    return Load(requests, requests / seconds, p50 / 1000, p99 / 1000, wrong)


def rate(address: str, paths: Sequence[str], seconds: float = 5.0, warm: float = 1.0) -> float:
    """Requests a second over the paths in turn; 0 where any answer was an error."""
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed: apt-get install wrk")
    with tempfile.TemporaryDirectory() as folder:
        listed, script = Path(folder, "paths"), Path(folder, "ask.lua")
        listed.write_text("\n".join(paths) + "\n")
        script.write_text(SCRIPT % listed)
        if warm:
            _wrk(address, script, warm)
        return _wrk(address, script, seconds)


def _wrk(address: str, script: Path, seconds: float) -> float:
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{max(1, round(seconds))}s", "-s", str(script), address]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in told:
        print(told, file=sys.stderr)
        return 0.0
    found = re.search(r"Requests/sec:\s+([\d.]+)", told)
    return float(found.group(1)) if found else 0.0


def body(address: str, path: str) -> bytes:
    """What is answered at a path."""
    return urllib.request.urlopen(address + path, timeout=60).read()
