"""Does a server under mixed load grow? Its memory and its write-ahead log, every few seconds.

Run: python -m tests.bench.bench_memory [--minutes 5] [--home FOLDER]. It serves the shipped content in a process of its
own; three readers ask random pages, searches, exports and the API, one writer changes a document and appends runs. Prints
one line per sample, and the slope of the last half in MB per minute, in which caches are full.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

import httpx

TOKEN = "bench"
EVERY = 10
NOTE = "---\ntitle: Changing\nkind: note\nbrain: bench\n---\nVersion {number} says 1 + 1 = 2 and costs $3 per hour.\n"


def rss(pid: int) -> float:
    """Resident memory of a process, in MB."""
    text = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(text.partition("VmRSS:")[2].split()[0]) / 1024


def addresses(client: httpx.Client) -> list[str]:
    nodes = [one["id"] for one in client.get("/v1/nodes", params={"limit": 200}).json()["items"]]
    claims = [one["id"] for one in client.get("/v1/claims", params={"limit": 200}).json()["items"]]
    words = ("batch", "price", "gpu", "token latency", "cache", "reliability")
    return [
        "/", "/claims", "/prices", "/graph", "/terms", "/feed.atom", "/metrics", "/errata", "/record",
        *(f"/nodes/{one}" for one in nodes), *(f"/v1/nodes/{one}" for one in nodes),
        *(f"/claims/{one}" for one in claims), *(f"/v1/claims/{one}" for one in claims),
        *(f"/v1/claims/{one}/history" for one in claims),
        *(f"/search?q={word}&page={number}" for word in words for number in range(1, 5)),
        *(f"/v1/nodes?q={word}" for word in words), "/v1/export?format=json", "/v1/changes", "/v1/prices",
    ]  # fmt: skip


def read(base: str, stop: threading.Event, counts: list[int]) -> None:
    with httpx.Client(base_url=base, timeout=60, follow_redirects=True) as client:
        paths = addresses(client)
        while not stop.is_set():
            path = random.choice(paths)
            kind = "text/html" if random.random() < 0.5 else "application/json"
            with suppress(httpx.HTTPError):
                client.get(path, headers={"Accept": kind})
                counts[0] += 1


def write(base: str, stop: threading.Event, counts: list[int]) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=base, timeout=60, headers=headers) as client:
        for number in itertools.count():
            if stop.wait(2):
                return
            with suppress(httpx.HTTPError):
                body = NOTE.format(number=number).encode()
                client.post("/v1/documents", params={"name": "bench/changing.md"}, content=body)
                if number % 5 == 0:
                    client.post("/v1/runs")
                counts[1] += 1


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--minutes", type=float, default=5.0)
    options.add_argument("--home", default="")
    options.add_argument("--no-writes", action="store_true")
    chosen = options.parse_args()
    home = Path(chosen.home or tempfile.mkdtemp())
    command = [str(Path(sys.executable).with_name("brain")), "--home", str(home)]
    subprocess.run([*command, "demo", "--no-serve"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = subprocess.Popen(
        [*command, "serve", "--port", "0"], env={**os.environ, "BRAIN_TOKEN": TOKEN}, stderr=subprocess.PIPE, text=True
    )
    base = next(line for line in server.stderr if "serving on" in line).split()[3]
    threading.Thread(target=lambda: [None for _ in server.stderr], daemon=True).start()
    while True:
        with suppress(httpx.TransportError):
            httpx.get(f"{base}/healthz")
            break
        time.sleep(0.1)
    stop, counts = threading.Event(), [0, 0]
    workers = [threading.Thread(target=read, args=(base, stop, counts)) for _ in range(3)]
    workers += [] if chosen.no_writes else [threading.Thread(target=write, args=(base, stop, counts))]
    for worker in workers:
        worker.start()
    samples, begun = [], time.monotonic()
    try:
        while time.monotonic() - begun < chosen.minutes * 60:
            time.sleep(EVERY)
            wal = (home / "brain.db-wal").stat().st_size / 1e6 if (home / "brain.db-wal").exists() else 0
            samples.append(((time.monotonic() - begun) / 60, rss(server.pid)))
            print(
                f"{samples[-1][0]:6.2f} min  {samples[-1][1]:7.1f} MB  WAL {wal:5.1f} MB  {counts[0]:6} reads  {counts[1]:4} writes",
                flush=True,
            )
    finally:
        stop.set()
        for worker in workers:
            worker.join()
        server.send_signal(signal.SIGINT)
        server.wait(30)
    half = samples[len(samples) // 2 :]
    print(f"last half: {(half[-1][1] - half[0][1]) / (half[-1][0] - half[0][0]):+.2f} MB per minute")


if __name__ == "__main__":
    main()
