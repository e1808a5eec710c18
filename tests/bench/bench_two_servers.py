"""Two `brain serve` processes on one PostgreSQL, read without a pause while ingests and a night run, and an outage.

    python -m tests.bench.bench_two_servers [SECONDS_OF_OUTAGE] [ROUNDS]

Each ingest writes a new round number into all notes, so an answer with two numbers is of two versions. A connection
of our own sees when each round was committed; the delay is until each server answers with it.
"""

import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import psycopg

from tests.graph import conftest
from tests.stories.own_process import command, environment, served

NOTES = 40
ADDRESSES = ("/v1/nodes?q=oats&limit=40", "/v1/nodes?limit=40", "/v1/nodes?q=round*&limit=40", "/search?q=oats")


@contextmanager
def database():
    """A server of our own: its folder, its programs and the address of an empty database."""
    folder = Path(tempfile.mkdtemp(prefix="brain-pg-"))
    programs = conftest._postgres_programs()
    running = conftest._serve(programs, folder)
    try:
        yield folder, programs, next(running)()
    finally:
        running.close()
        shutil.rmtree(folder, ignore_errors=True)


def write(folder, number):
    folder.mkdir(exist_ok=True)
    for n in range(NOTES):
        text = f"---\ntitle: Oats {n} of round{number}\n---\nOats of round{number}.\n"
        (folder / f"n{n}.md").write_text(text)


class Reader(threading.Thread):
    """Reads all addresses of one server, and counts the answers by status and by kind of error."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.client, self.counts, self.mixed, self.retry = httpx.Client(base_url=address, timeout=40), Counter(), [], 0
        self.slowest, self.times, self.ended = 0.0, [], threading.Event()

    def run(self):
        while not self.ended.is_set():
            for address in ADDRESSES:
                begun = time.perf_counter()
                answer = self.client.get(address)
                self.times.append(time.perf_counter() - begun)
                self.counts[answer.status_code] += 1
                self.retry += answer.status_code == 503 and "retry-after" in answer.headers
                if answer.status_code == 200 and len(set(re.findall(r"round(\d+)", answer.text))) != 1:
                    self.mixed.append((address, sorted(set(re.findall(r"round(\d+)", answer.text)))))


class Commits(threading.Thread):
    """The time of the latest commit, by the version of the store, asked every two milliseconds."""

    def __init__(self, url):
        super().__init__(daemon=True)
        self.url, self.last = url, 0.0

    def run(self):
        with suppress(psycopg.OperationalError), psycopg.connect(self.url, autocommit=True) as opened:
            seen = None
            while True:
                version = opened.execute("SELECT number FROM counters WHERE name = 'version'").fetchone()
                if version != seen:
                    seen, self.last = version, time.monotonic()
                time.sleep(0.002)


def watch(client, number, commits, delays):
    """Append the seconds from the latest commit until a server answers with a round."""
    while f"round{number}" not in client.get("/v1/nodes/notes/n1").text:
        time.sleep(0.002)
    delays.append(time.monotonic() - commits.last)


def rounds(clients, home, folder, commits, url, count):
    """Ingest round after round, half of them beside a night; the delays by server."""
    delays: tuple[list[float], list[float]] = ([], [])
    night = None
    for number in range(1, count + 1):
        write(folder, number)
        if number == 3:
            night = subprocess.Popen(
                command(home, "nightly", "--no-refresh"), env=environment(BRAIN_DB=url), stdout=subprocess.DEVNULL
            )
        waiting = [threading.Thread(target=watch, args=(clients[at], number, commits, delays[at])) for at in (0, 1)]
        for thread in waiting:
            thread.start()
        ingest(home, folder, url)
        for thread in waiting:
            thread.join()
    return delays, night.wait() if night else None


def ingest(home, folder, url):
    subprocess.run(
        command(home, "ingest", folder), env=environment(BRAIN_DB=url), stdout=subprocess.DEVNULL, check=True
    )


def outage(programs, folder, clients, seconds):
    """Stop the server, count the statuses meanwhile, start it, and time until both services answer 200."""
    conftest._as_postgres(programs / "pg_ctl", "-D", folder / "data", "-m", "fast", "-w", "stop")
    statuses, end = Counter(), time.monotonic() + seconds
    while time.monotonic() < end:
        for client in clients:
            answer = client.get("/v1/nodes/notes/n1")
            statuses[answer.status_code, answer.headers.get("retry-after")] += 1
            time.sleep(0.05)
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    conftest._as_postgres(
        programs / "pg_ctl", "-D", folder / "data", "-o", options, "-l", folder / "log", "-w", "start"
    )
    begun = time.monotonic()
    for client in clients:
        while client.get("/v1/nodes/notes/n1").status_code != 200:
            time.sleep(0.02)
    return statuses, time.monotonic() - begun


def main(seconds=20.0, count=8.0):
    with database() as (folder, programs, url), ExitStack() as stack:
        work = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        home = work / "home"
        write(work / "notes", 0)
        ingest(home, work / "notes", url)
        clients = [stack.enter_context(served(work / name, BRAIN_DB=url)) for name in ("one", "two")]
        clients = [stack.enter_context(httpx.Client(base_url=one.base_url, timeout=40)) for one in clients]
        commits = Commits(url)
        commits.start()
        readers = [Reader(str(client.base_url)) for client in clients for _ in range(2)]
        for reader in readers:
            reader.start()
        delays, night = rounds(clients, home, work / "notes", commits, url, int(count))
        for reader in readers:
            reader.ended.set()
            reader.join()
        times = sorted(one for reader in readers for one in reader.times)
        print(json.dumps({
            "answers": dict(sum((reader.counts for reader in readers), Counter())),
            "answers_of_two_versions": [one for reader in readers for one in reader.mixed][:3],
            "p50_ms": round(1000 * times[len(times) // 2], 1), "p99_ms": round(1000 * times[len(times) * 99 // 100], 1),
            "delay_s_by_server": [{"median": round(statistics.median(one), 3), "max": round(max(one), 3)} for one in delays if one],
            "night_exit": night,
        }, indent=1))  # fmt: skip
        statuses, back = outage(programs, folder, clients, seconds)
        named = {f"{code} retry-after={retry}": count for (code, retry), count in statuses.items()}
        print(json.dumps({"outage_s": seconds, "answers": named, "well_again_after_s": round(back, 3)}, indent=1))


if __name__ == "__main__":
    main(*map(float, sys.argv[1:3]))
