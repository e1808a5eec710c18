"""Runs the service: one port, one process or several, and the nightly job if it is enabled."""

from __future__ import annotations

import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from datetime import time as clock
from functools import partial

import uvicorn
from starlette.types import ASGIApp
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from api.brain import Brain
from api.http.app import build
from api.http.middleware.http_protocol import HttpProtocol
from api.pages.page_routes import router
from api.pages.views.claim_table import PageContext
from api.services.home_folder import record_served
from api.services.task_mapper import end_with_parent
from api.settings import Settings
from graph.log_lines import log
from graph.progress_steps import ProgressStep
from graph.store.store_errors import StoreError

BACKLOG = 2048  # connections that wait to be accepted, as in uvicorn

STARTING = 60  # seconds for a worker to load the program: uvicorn replaces one that is silent for so long

GRACE = timedelta(hours=1)  # time within which a missed night is still run

LONGEST_WAIT = 60.0  # seconds after which the clock is read again: it may be set, and a machine may sleep

LOG_SECONDS = 5  # seconds between log lines while the search index is being built


def serve(settings: Settings, host: str, port: int, nightly: clock | None = None, workers: int = 1) -> None:
    """Serve until stopped; several `workers` are processes, replaced if they die. Raises OSError if listening fails."""
    with (
        closing(_listen(host, port)) as listening,
        Brain.open(settings, served := address_of(listening)) as brain,
        _nights(settings, nightly, served),
    ):
        record_served(settings.home, served)
        where = f"http://{host}:{listening.getsockname()[1]} (Ctrl-C stops)\n"
        if workers > 1:
            sys.stderr.write(f"brain: {workers} workers are starting on {where}")
            Multiprocess(_config(partial(_worker, settings, host, served), workers), [listening]).run()
            return
        app = _application(brain, host)
        sys.stderr.write(f"brain: serving on {where}")
        uvicorn.Server(_config(lambda: app)).run(sockets=[listening])


def _config(make: Callable[[], ASGIApp], workers: int = 1) -> uvicorn.Config:
    """uvicorn's configuration; `make` gives the application."""
    return uvicorn.Config(
        make, factory=True, http=HttpProtocol, log_level="warning", access_log=False, workers=workers,
        timeout_worker_healthcheck=STARTING,
    )  # fmt: skip


def _application(brain: Brain, host: str, at_end: Callable[[], None] | None = None) -> ASGIApp:
    """API and pages over a brain; `at_end` is called when the service ends."""
    brain.search.in_background(_logged())
    return build(brain, pages=router(PageContext(brain)), bound=host, at_end=at_end)


def _worker(settings: Settings, host: str, served: str) -> ASGIApp:
    """The application of one of several processes, which ends with its parent."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        brain = Brain.open(settings, served)
    except (OSError, StoreError) as error:
        sys.stderr.write(f"brain: a worker cannot start: {error}\n")
        sys.exit(STARTUP_FAILURE)  # uvicorn starts no other one then
    return _application(brain, host, brain.close)


def _logged() -> ProgressStep:
    """Logs every few seconds how far the search index is."""
    last = time.monotonic()

    def report(doing: str, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= LOG_SECONDS:
            last = time.monotonic()
            log("info", "search index", doing=doing, done=done, total=total)

    return report


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; `::` also takes IPv4, unlike `socket.create_server`."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)  # clients that connect while the service starts wait
    except OSError as error:
        listening.close()
        raise OSError(f"cannot listen on {host}:{port}: {error.strerror}; choose another with --port") from error
    return listening


def address_of(listening: socket.socket) -> str:
    """The address of a listening socket; this machine's if it listens on all."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # compared, not listened on
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextmanager
def _nights(settings: Settings, at: clock | None, served: str) -> Iterator[None]:
    """The nightly job at a time, with its own `Brain`, so it never blocks the service."""
    if at is None:
        yield
        return

    killed = _was_killed(settings)
    with NightlySchedule(lambda: _one_night(settings, served), at, at_once=killed) as schedule:
        sys.stderr.write(f"brain: the next nightly run is at {schedule.next}\n")
        yield


def _was_killed(settings: Settings) -> bool:
    """Whether a night of today was killed and is not running elsewhere."""
    from api.services.nightly_job import night_is_running, unfinished  # noqa: PLC0415  # takes 0.1 s of a start

    with Brain.open(settings) as brain:
        return unfinished(brain, datetime.now(UTC)) is not None and not night_is_running(brain)


def _one_night(settings: Settings, served: str) -> None:
    from api.services.nightly_job import run_night  # noqa: PLC0415  # as above

    try:
        with Brain.open(settings, served) as brain:
            run_night(brain, lambda: datetime.now(UTC))
    except Exception as error:  # noqa: BLE001  # the service continues after any error of a night
        log("error", "night", failed=str(error), kind=type(error).__name__)


class NightlySchedule:
    """A context in which a thread runs a job daily at a time in UTC; with `at_once` also when it starts."""

    def __init__(self, job: Callable[[], object], at: clock, *, at_once: bool = False) -> None:
        self._job, self._at, self._at_once = job, at, at_once
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="nightly")
        self.next = self._after(datetime.now(UTC))

    def __enter__(self) -> NightlySchedule:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._ended.set()
        self._thread.join()

    def _after(self, moment: datetime) -> datetime:
        """The next time of the job after a moment."""
        today = datetime.combine(moment.date(), self._at, UTC)
        return today if today > moment else today + timedelta(days=1)

    def _run(self) -> None:
        if self._at_once:
            self._job()
        while not self._ended.wait(min(LONGEST_WAIT, max(0.0, (self.next - datetime.now(UTC)).total_seconds()))):
            now, due = datetime.now(UTC), self.next
            if now >= due:
                self.next = self._after(now)
                if now - due <= GRACE:
                    self._job()
