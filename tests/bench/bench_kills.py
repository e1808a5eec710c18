"""Kills at scale: a worker, a scheduler, the command itself and a database backend in the middle of a verification.

Also a disk that is full in the middle (only as root), and a log that a power failure cut.

    bench_kills.py [--claims N] [--homes FOLDER] [--only NAME …]        20,000 claims by default

Every command is a process of its own, killed by SIGKILL, or its connection to PostgreSQL ended by
`pg_terminate_backend`. A line says when it was killed, its exit code, what it said, and what was lost: nothing, or the
exit code is 1. What is stored afterwards is compared row by row with what one undisturbed process stores. `--homes`
keeps the data directory for another time. PostgreSQL is started from /usr/lib/postgresql, with fsync off.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

import psycopg
from load import free_port
from worker_corpus import NOW, claims_home

ROOT = Path(__file__).parents[2]
MOST = 1800
"""Seconds after which a command is given up."""
WORKING = 1.5
"""Seconds of CPU that a worker uses for claims before it, or its scheduler, is killed."""
TERMINATE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"


class Ended(NamedTuple):
    """How a command ended: its exit code (negative for a signal), and what it said on standard error."""

    code: int
    said: str
    killed: bool


class Case(NamedTuple):
    """A line of the table; nothing was lost where `lost` is empty."""

    name: str
    ended: Ended
    lost: list[str]


def inside(arguments: list[str]) -> None:
    """Run a command line at the fixed time of the corpus."""
    from api.cli import cli_session, document_commands, service_commands, verify_commands
    from api.cli.root import main

    for module in (cli_session, verify_commands, document_commands, service_commands):
        module.now = lambda: NOW
    main(arguments)


@contextmanager
def command(*arguments: object, db: str | None = None) -> Iterator[subprocess.Popen[str]]:
    """A command of the program as a process of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BRAIN_")}
    environment |= {"BRAIN_DB": db} if db else {}
    call = [sys.executable, __file__, "--inside", *map(str, arguments)]
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=errors, text=True, env=environment) as process,
    ):
        process.said = errors
        yield process
        process.wait(MOST)


def run(*arguments: object, db: str | None = None, kill: Callable[[int], bool] = lambda _pid: False) -> Ended:
    """Run a command to its end; `kill` is asked every millisecond, and says whether it has killed something."""
    killed, end = False, time.monotonic() + MOST
    with command(*arguments, db=db) as process:
        while process.poll() is None:
            if time.monotonic() > end:
                process.kill()
                raise SystemExit(f"{arguments} did not end within {MOST} s")
            killed = killed or kill(process.pid)
            time.sleep(0.001 if not killed else 0.05)
        process.said.seek(0)
        return Ended(process.returncode, process.said.read(), killed)


def stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name; none if the process has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return []


def cpu(pid: int) -> float:
    """Seconds of CPU that a process has used."""
    fields = stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def workers_of(pid: int) -> list[int]:
    """The processes that a command has started to compute with."""
    children = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    own = [one for one in children if (fields := stat(one)) and int(fields[1]) == pid]
    return [one for one in own if b"spawn_main" in _called(one)]


def _called(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def rows(home: Path) -> list[str]:
    """Every row of a home's database, apart from random ids: of the store, its last commit and its notices."""
    with closing(sqlite3.connect(home / "brain.db")) as sql:
        lines = [line for line in sql.iterdump() if not re.search(r"VALUES\('(commit|identity)'", line)]
    return sorted(re.sub(r"msg_[0-9a-f]{24}", "msg", line) for line in lines)


def ledger(home: Path) -> dict[int, list[tuple[object, ...]]]:
    """The verdicts of each run, without its number."""
    with closing(sqlite3.connect(home / "brain.db")) as sql:
        found: dict[int, list[tuple[object, ...]]] = {run: [] for (run,) in sql.execute("SELECT id FROM runs")}
        asked = "SELECT run, claim, verdict, figures, unit, reason, further FROM verdicts ORDER BY run, claim"
        for number, *row in sql.execute(asked):
            found.setdefault(number, []).append(tuple(row))
        return found


def sentence(ended: Ended, code: int = 3) -> list[str]:
    """What is wrong with the end of a command that could not do its work."""
    wrong = [] if ended.killed else ["nothing was killed: the command had ended"]
    wrong += [] if ended.code == code else [f"the exit code is {ended.code}"]
    wrong += ["a traceback"] if "Traceback" in ended.said else []
    return wrong + ([] if re.search(r"(?m)^brain: \S.*$", ended.said) else ["no sentence"])


def differing(what: str, one: object, other: object) -> list[str]:
    """A line where two states are not the same."""
    return [] if one == other else [f"{what} is not the same"]


class Bench:
    """The made home, and what one undisturbed process makes of it."""

    def __init__(self, made: Path, folder: Path) -> None:
        self.made, self.folder = made, folder
        self.whole = self.copy("whole")
        self.log = 0
        begun = time.monotonic()
        ended = run("--home", self.whole, "verify", kill=self._look)
        if ended.code:
            raise SystemExit(f"the undisturbed verification failed: {ended}")
        print(f"undisturbed: {time.monotonic() - begun:.0f} s, a log of {self.log / 1e6:.1f} MB", flush=True)
        self.rows, self.verdicts = rows(self.whole), ledger(self.whole)[1]

    def _look(self, _pid: int) -> bool:
        self.log = max(self.log, _size(self.whole))
        return False

    def copy(self, name: str) -> Path:
        """A copy of the made home."""
        return Path(shutil.copytree(self.made, self.folder / name))

    def worker(self) -> Case:
        """One of two workers of this machine is killed while it evaluates claims."""
        home, begun = self.copy("worker"), {}

        def kill(pid: int) -> bool:
            for one in workers_of(pid):
                begun.setdefault(one, time.monotonic())
                if cpu(one) > 6 + WORKING:  # imports and the price book take some 5 s
                    os.kill(one, signal.SIGKILL)
                    return True
            time.sleep(0.02)
            return False

        ended = run("--home", home, "verify", "--workers", 2, kill=kill)
        lost = sentence(ended._replace(said="brain: none"), code=0)
        return Case("worker of --workers 2", ended, lost + differing("the database", rows(home), self.rows))

    def scheduler(self) -> Case:
        """The scheduler of a cluster is killed while its workers evaluate claims."""
        home, address = self.copy("scheduler"), f"tcp://127.0.0.1:{free_port()}"
        before = rows(home)
        with cluster(address) as (scheduler, worker):

            def kill(_pid: int) -> bool:
                rest.setdefault("start", cpu(worker))
                if cpu(worker) < rest["start"] + 3 + WORKING:  # the price book takes some 3 s
                    time.sleep(0.02)
                    return False
                os.kill(scheduler, signal.SIGKILL)
                return True

            rest: dict[str, float] = {}
            ended = run("--home", home, "verify", "--scheduler", address, kill=kill)
        return Case("scheduler", ended, sentence(ended) + differing("the database", rows(home), before))

    def writing(self, share: float, *words: object) -> Case:
        """The command is killed when the write-ahead log has a share of its size; then a night runs, or runs again."""
        name = f"{words[0]}-{share:.0%}"
        home = self.copy(name)

        def kill(pid: int) -> bool:
            if _size(home) <= share * self.log:
                return False
            os.kill(pid, signal.SIGKILL)
            return True

        ended = run("--home", home, *words, kill=kill)
        lost = [] if ended.killed else ["nothing was killed: the command had ended"]
        lost += [] if not ended.killed or ended.code == -signal.SIGKILL else [f"the exit code is {ended.code}"]
        lost += self._whole_runs(home) + self._night(home, runs=1 if words[0] == "nightly" else None)
        return Case(f"{words[0]} at {share:.0%} of its writing", ended, lost)

    def full_disk(self, share: float) -> Case:
        """The disk is full when the write-ahead log has a share of its size; then there is room, and a night runs."""
        own = sum(path.stat().st_size for path in self.made.rglob("*") if path.is_file())
        with small_disk(self.folder / f"disk-{share:.0%}", own + int(share * self.log) + 2**20) as disk:
            home = Path(shutil.copytree(self.made, disk / "own"))
            ended = run("--home", home, "verify")
            lost = sentence(ended._replace(killed=True))
            lost += [] if "the disk is full" in ended.said else ["it does not say that the disk is full"]
            lost += self._whole_runs(home)  # none, or the run whose flags found no room any more
            subprocess.run(["mount", "-o", f"remount,size={2 * own + 4 * self.log + 2**24}", disk], check=True)
            return Case(f"a disk full at {share:.0%} of its writing", ended, lost + self._night(home, runs=None))

    def power(self, *cuts: float) -> Iterator[Case]:
        """The log as a disk has it where the power failed within the second run: cut in the middle of a page."""
        home = self.copy("power")
        with closing(sqlite3.connect(home / "brain.db")) as reader:  # so that the log stays
            reader.execute("SELECT count(*) FROM claims").fetchone()
            first = run("--home", home, "verify")
            journal, acknowledged = (home / "runs.log").read_bytes(), _size(home)
            second = run("--home", home, "verify", "--append")
            database, log = (home / "brain.db").read_bytes(), (home / "brain.db-wal").read_bytes()
        for cut in cuts:
            at = acknowledged + int(cut * (len(log) - acknowledged)) - 1
            copy = self.copy(f"power-{cut:.0%}")
            for name, data in (("brain.db", database), ("brain.db-wal", log[:at]), ("runs.log", journal)):
                (copy / name).write_bytes(data)
            (copy / "brain.db-shm").unlink(missing_ok=True)
            lost = [f"the exit code is {ended.code}" for ended in (first, second) if ended.code]
            lost += [] if acknowledged < at < len(log) else ["the cut is not in the second run"]
            lost += [] if 1 in ledger(copy) else ["the first run is lost"]
            yield Case(f"power, at {cut:.0%} of the second run", second, lost + self._night(copy, runs=None))

    def _whole_runs(self, home: Path) -> list[str]:
        with closing(sqlite3.connect(home / "brain.db")) as sql:
            sound = sql.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        found = ledger(home)
        wrong = [] if sound else ["the database is damaged"]
        return wrong + [f"run {one} is half written" for one, some in found.items() if some != self.verdicts]

    def _night(self, home: Path, runs: int | None) -> list[str]:
        ended = run("--home", home, "nightly", "--no-refresh")
        found = ledger(home)
        wrong = [] if ended.code == 0 else [f"the next night ended with {ended.code}: {ended.said[-300:]}"]
        wrong += [] if found else ["the next night made no run"]
        wrong += [] if runs is None or len(found) == runs else [f"the night made {len(found)} runs"]
        return wrong + self._whole_runs(home) + differing("the flags", flags(home), flags(self.whole))

    def backend(self, url: str, name: str, when: str) -> Case:
        """The connections to PostgreSQL are ended while a verification reads, or writes."""
        home = self.folder / "server"
        ended = run("--home", home, "verify", db=url, kill=terminator(url, name, when))
        with closing(psycopg.connect(url)) as sql:
            left = sql.execute("SELECT (SELECT count(*) FROM runs), (SELECT count(*) FROM verdicts)").fetchone()
        return Case(f"PostgreSQL, {when}", ended, sentence(ended) + differing("the ledger", left, (0, 0)))

    def ingest(self, url: str, name: str) -> Case:
        """The connections to PostgreSQL are ended while an ingest writes; the next ingest stores everything."""
        home, notes = self.folder / "server", self.folder / "notes"
        notes.mkdir()
        for number in range(3000):
            (notes / f"n{number}.md").write_text(f"---\ntitle: Note {number}\n---\nSee [[Note {number // 2}]].\n")
        before = counted(url)
        ended = run("--home", home, "ingest", notes, db=url, kill=terminator(url, name, "writing"))
        lost = sentence(ended) + differing("what is stored", counted(url), before)
        again = run("--home", home, "ingest", notes, db=url)
        lost += differing("the next ingest", (again.code, counted(url)[0]), (0, before[0] + 3000))
        return Case("PostgreSQL, an ingest that writes", ended, lost)

    def afterwards(self, url: str) -> Case:
        """After its backends were ended, the same home verifies as any other."""
        ended = run("--home", self.folder / "server", "verify", db=url)
        columns = "claim, verdict, figures, unit, reason, further"
        with closing(psycopg.connect(url)) as sql:
            found = sql.execute(f'SELECT {columns} FROM verdicts ORDER BY claim COLLATE "C"').fetchall()
        same = differing("the run", found, self.verdicts)
        return Case("PostgreSQL, the next run", ended, same + ([] if ended.code == 0 else [f"exit {ended.code}"]))


def counted(url: str) -> tuple[int, int]:
    """How many nodes and documents are in a database."""
    with closing(psycopg.connect(url)) as sql:
        found = sql.execute("SELECT (SELECT count(*) FROM nodes), (SELECT count(*) FROM documents)").fetchone()
        return found[0], found[1]


def flags(home: Path) -> list[tuple[object, ...]]:
    """The flags of a home, without the times of the runs that raised them."""
    with closing(sqlite3.connect(home / "brain.db")) as sql:
        return sorted(
            (claim, standing, over, json.loads(body)["verdict"])
            for claim, standing, over, body in sql.execute("SELECT claim, standing, over, body FROM flags")
        )


def _size(home: Path) -> int:
    with suppress(OSError):
        return (home / "brain.db-wal").stat().st_size
    return 0


def terminator(url: str, name: str, when: str) -> Callable[[int], bool]:
    """Ends the other connections to a database once one of them reads claims (`reading`) or writes (`writing`)."""
    busy = {
        "reading": "query LIKE '%%FROM claims%%' AND query NOT LIKE '%%pg_stat%%'",
        "writing": "backend_xid IS NOT NULL",
    }[when]
    look = f"SELECT 1 FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid() AND {busy}"
    sql = psycopg.connect(url, autocommit=True)

    def kill(_pid: int) -> bool:
        if not sql.execute(look, (name,)).fetchone():
            return False
        sql.execute(TERMINATE, (name,))
        sql.close()
        return True

    return kill


@contextmanager
def small_disk(place: Path, size: int) -> Iterator[Path]:
    """A file system of so many bytes; only root can mount one."""
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


@contextmanager
def cluster(address: str) -> Iterator[tuple[int, int]]:
    """A scheduler and two workers as processes of their own: the ids of the scheduler and of one worker."""
    port = address.rpartition(":")[2]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
    dask = [sys.executable, "-m", "dask"]
    begun = [subprocess.Popen([*dask, "scheduler", "--port", port, "--no-dashboard"], **quiet)]
    call = [*dask, "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "20"]
    try:
        begun += [subprocess.Popen(call, **quiet) for _ in range(2)]
        time.sleep(15)
        yield begun[0].pid, begun[1].pid
    finally:
        for one in begun:
            one.kill()
            one.wait()


@contextmanager
def postgres(folder: Path) -> Iterator[tuple[str, str]]:
    """The address and the name of an empty database on a server of its own."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parts[-2]))[-1]
    folder.mkdir()
    who = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    if who:
        shutil.chown(folder, "postgres")

    def call(*arguments: object) -> None:
        subprocess.run([*map(str, arguments)], check=True, stdout=subprocess.DEVNULL, cwd="/", **who)

    call(programs / "initdb", "-D", folder / "data", "-A", "trust", "-U", "brain", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    call(programs / "pg_ctl", "-D", folder / "data", "-o", options, "-l", folder / "log", "-w", "start")
    try:
        with closing(psycopg.connect(f"host={folder} user=brain dbname=postgres", autocommit=True)) as sql:
            sql.execute("CREATE DATABASE kills")
        yield f"postgresql://brain@/kills?host={folder}", "kills"
    finally:
        call(programs / "pg_ctl", "-D", folder / "data", "-m", "immediate", "-w", "stop")


def cases(bench: Bench, only: list[str]) -> Iterator[Case]:
    """Every case of the names, or all of them."""
    local = {
        "worker": (bench.worker,),
        "scheduler": (bench.scheduler,),
        "verify": (lambda: bench.writing(0.0, "verify"), lambda: bench.writing(0.6, "verify")),
        "night": (lambda: bench.writing(0.3, "nightly", "--no-refresh"),),
        "disk": (lambda: bench.full_disk(0.1), lambda: bench.full_disk(0.7)) if os.geteuid() == 0 else (),
    }
    for name, found in local.items():
        if not only or name in only:
            yield from (one() for one in found)
    if not only or "power" in only:
        yield from bench.power(0.01, 0.5, 1.0)
    if not only or "postgres" in only:
        with tempfile.TemporaryDirectory(prefix="brain-kills-pg-") as folder:
            Path(folder).chmod(0o755)
            with postgres(Path(folder) / "server") as (url, name):
                moved = run("--home", bench.copy("server"), "move", "--to", url)
                if moved.code:
                    raise SystemExit(f"the home could not be moved: {moved}")
                yield bench.backend(url, name, "reading")
                yield bench.backend(url, name, "writing")
                yield bench.afterwards(url)
                yield bench.ingest(url, name)


def line(case: Case) -> str:
    """A row of the table."""
    said = next(iter(re.findall(r"(?m)^brain: (.*)$", case.ended.said)), "")
    return f"| {case.name} | {case.ended.code} | {said[:160]} | {'; '.join(case.lost) or 'nothing'} |"


def main() -> int:
    """Read the options; the exit code is 1 where something was lost."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--claims", type=int, default=20_000)
    options.add_argument("--homes", type=Path, help="where the data directory is made, and kept for the next time")
    options.add_argument(
        "--only", nargs="*", default=[], help="worker, scheduler, verify, night, disk, power, postgres"
    )
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="brain-kills-") as name:
        made = (given.homes or Path(name)) / f"claims-{given.claims}-1"
        if not (made / "brain.db").exists():
            claims_home(made, given.claims, 1)
        print(f"{given.claims:,} claims; load of the machine {os.getloadavg()[0]:.1f}", flush=True)
        bench, lost = Bench(made, Path(name)), False
        print("| killed | exit code | said | lost |\n|---|---|---|---|", flush=True)
        for case in cases(bench, given.only):
            lost |= bool(case.lost)
            print(line(case), flush=True)
    return int(lost)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2:])
    else:
        sys.exit(main())
