"""Hears of each commit by LISTEN, so that cached answers need no query for the version.

    writer    … ─▶ NOTIFY brain_changes, 'VERSION GRAPH CLAIMS COMMIT' ─▶ commit
    listener  LISTEN ─▶ read the state ─▶ notifications; every `BEAT` seconds read the state again

While the listener has no connection, or had no answer for `TRUSTED` seconds, it knows no state, and the version is read
from the database as without it. What it knows may be some milliseconds old: it decides which cached answers are used,
never under which version a new one is cached.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import Any, NamedTuple, Self

from sqlalchemy import Connection, Engine, text

LOG = logging.getLogger(__name__)

CHANNEL = "brain_changes"

BEAT = 0.5
"""Seconds between two reads of the state: they show that the connection is alive."""

TRUSTED = 3.0
"""Seconds after the last answer of the server for which the state counts as known."""

STATE = """SELECT (SELECT number FROM counters WHERE name = 'version') AS version,
    (SELECT number FROM counters WHERE name = 'graph') AS graph,
    (SELECT number FROM counters WHERE name = 'claims') AS claims,
    coalesce((SELECT value FROM meta WHERE key = 'commit'), '') AS commit"""
_NOTIFY = text(
    f"SELECT s.*, pg_notify('{CHANNEL}', concat_ws(' ', version, graph, claims, commit)) FROM ({STATE}) s"  # noqa: S608 - fixed names
)


class HeardState(NamedTuple):
    """The counters of a committed state, and its commit token."""

    version: int
    graph: int
    claims: int
    commit: str


def notify(sql: Connection) -> HeardState:
    """Within a write: send all listeners the state that it commits; returns that state."""
    return HeardState(*sql.execute(_NOTIFY).one()[:4])


class ChangeListener:
    """A thread with a connection of its own; it connects again when it loses it. End it with `close`."""

    def __init__(self, engine: Engine) -> None:
        """Waits until the state was read once, or the first try to connect has failed."""
        self._engine = engine
        self._lock = threading.Lock()
        self._known: HeardState | None = None
        self._answered, self._commits = float("-inf"), 0
        self._tried, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-changes", daemon=True)
        self._thread.start()
        self._tried.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End the thread; takes up to `BEAT` seconds."""
        self._ended.set()
        self._thread.join()

    def known(self) -> HeardState | None:
        """The state of the last commit heard of; None while the listener has no answering connection."""
        with self._lock:
            return self._known if time.monotonic() - self._answered < TRUSTED else None

    def advance(self, state: HeardState) -> None:
        """Take over a state that this process has committed or read, before its notification arrives."""
        with self._lock:
            self._commits += 1
            self._newer(state)

    def _newer(self, state: HeardState) -> None:
        if self._known is not None and state.version > self._known.version:
            self._known = state

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                self._listen()
            except self._engine.dialect.loaded_dbapi.Error as error:
                LOG.debug("no connection to listen for changes: %s", error)
            finally:
                with self._lock:
                    self._known = None
                self._tried.set()
            self._ended.wait(BEAT)

    def _listen(self) -> None:
        """One connection, until it is lost or the thread ends."""
        arguments, options = self._engine.dialect.create_connect_args(self._engine.url)
        opened: Any = self._engine.dialect.connect(*arguments, **options, autocommit=True)
        with opened as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            while not self._ended.is_set():
                self._beat(connection)
                self._tried.set()
                for notice in connection.notifies(timeout=BEAT):
                    self._hear(notice.payload)

    def _beat(self, connection: Any) -> None:  # noqa: ANN401  # a connection of the driver
        """Read the state; an older one counts where this process has not advanced it meanwhile: after a restore."""
        commits = self._commits
        state = HeardState(*connection.execute(STATE).fetchone())
        with self._lock:
            self._answered = time.monotonic()
            if self._known is None or commits == self._commits:
                self._known = state
            self._newer(state)

    def _hear(self, payload: str) -> None:
        version, graph, claims, commit = payload.split(" ")
        with self._lock:
            self._answered = time.monotonic()
            self._newer(HeardState(int(version), int(graph), int(claims), commit))
