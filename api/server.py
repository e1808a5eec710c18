"""Run the service: one process, one port, and the nightly job if it is enabled."""

from __future__ import annotations

import ctypes
import gc
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from datetime import time as clock

import structlog
import uvicorn

from api.brain import Brain
from api.http.app import build
from api.http.middleware.http_protocol import HttpProtocol
from api.pages.page_routes import router
from api.pages.views.claim_table import PageContext
from api.services.home_folder import record_served
from api.services.progress_steps import ProgressStep
from api.settings import Settings

M_ARENA_MAX = -8
"""The number of this option in glibc's `malloc.h`."""

OPENING_SECONDS = 2.0
"""The most seconds for which the start waits for a search index that is only being opened: 0.4 at 100,000 notes."""

LOG_SECONDS = 5
"""Seconds between two log lines on the search index while it is being built."""


def serve(settings: Settings, host: str, port: int, nightly: clock | None = None) -> None:
    """Serve until stopped; the address is said on standard error when it answers.

    The search index is opened in a background thread: the service answers at once, with 503 for what is not ready.

    Raises:
        OSError: the port is taken, or the address is not this machine's.
    """
    _few_arenas()
    with (
        closing(_listen(host, port)) as listening,
        Brain.open(settings, served := address_of(listening)) as brain,
        _nights(settings, nightly, served),
    ):
        record_served(settings.home, served)
        desk = PageContext(brain)
        brain.follow_changes()
        brain.views.public().search.in_background(_logged())
        pages = router(desk)
        app = build(brain, pages=pages, bound=host)
        _prepare(brain)
        gc.freeze()  # no look for garbage goes through what lives as long as the process
        brain.remake_derived()
        sys.stderr.write(f"brain: serving on http://{host}:{listening.getsockname()[1]} (Ctrl-C stops)\n")
        config = uvicorn.Config(app, http=HttpProtocol, log_level="warning", access_log=False, date_header=True)
        uvicorn.Server(config).run(sockets=[listening])


def _prepare(brain: Brain) -> None:
    """Read what takes no time and lets the first requests be answered on the event loop: a thread would wait for it.

    The search index was being opened meanwhile; the first requests would wait for the rest of it.
    """
    public = brain.views.public()
    public.index_feed.shown(())  # opens a connection for prepared queries
    public.status.latest()
    public.search.wait_open(OPENING_SECONDS)


def _few_arenas() -> None:
    """Have glibc share two pools of memory among all threads: each of its eight a core keeps what was once needed.

    At 20,000 notes that saves 30 MB, and costs nothing where one thread runs Python at a time.
    """
    limit = getattr(ctypes.CDLL(None), "mallopt", None)
    if limit is not None:
        limit(M_ARENA_MAX, 2)


def _logged() -> ProgressStep:
    """A log line every few seconds on how far the search index is; none where it is soon ready."""
    log, last = structlog.get_logger("search"), time.monotonic()

    def report(doing: str, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= LOG_SECONDS:
            last = time.monotonic()
            log.info("search index", doing=doing, done=done, total=total)

    return report


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise OSError(f"cannot listen on {host}:{port}: {error.strerror}; choose another with --port") from error
    return listening


def address_of(listening: socket.socket) -> str:
    """The address of a listening socket; one that listens everywhere is named as this machine sees itself."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # compared, not listened on
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextmanager
def _nights(settings: Settings, at: clock | None, served: str) -> Iterator[None]:
    """The nightly job at a time of the day, with its own `Brain`, so that it never blocks the service."""
    if at is None:
        yield
        return
    from api.services.nightly_schedule import NightlySchedule  # noqa: PLC0415  # loads a scheduler, 30 ms

    with NightlySchedule(lambda: _one_night(settings, served), at) as schedule:
        if _was_killed(settings):
            schedule.now()
        sys.stderr.write(f"brain: the next nightly run is at {schedule.next}\n")
        yield


def _was_killed(settings: Settings) -> bool:
    """Whether a night of today was killed and is not running elsewhere."""
    from api.services.nightly_steps import night_is_running, unfinished  # noqa: PLC0415  # takes 0.1 s of a start

    with Brain.open(settings) as brain:
        return unfinished(brain, datetime.now(UTC)) is not None and not night_is_running(brain)


def _one_night(settings: Settings, served: str) -> None:
    from api.services.nightly_steps import run_night  # noqa: PLC0415  # as above

    log = structlog.get_logger("nightly")
    try:
        with Brain.open(settings, served) as brain:
            run_night(brain, lambda: datetime.now(UTC))
    except Exception as error:  # noqa: BLE001  # whatever a night dies of, the service lives and says so
        log.error("night", failed=str(error), kind=type(error).__name__)
