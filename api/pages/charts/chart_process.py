"""Charts drawn in a process of its own: the charts library brings a JavaScript engine along, which takes 100 MB.

The process is started for the first chart and ended when none was requested in a while.
"""

from __future__ import annotations

import atexit
import base64
import json
import subprocess
import sys
import threading
from typing import Any

from api.pages.charts import chart_program

IDLE = 30.0
"""Seconds without a chart after which the process is ended."""


class ChartError(Exception):
    """The chart could not be drawn."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the chart could not be drawn: {reason}")


class ChartProcess:
    """Draws one chart at a time; safe to share between threads."""

    def __init__(self, idle: float = IDLE) -> None:
        self._idle = idle
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._timer: threading.Timer | None = None

    def svg(self, spec: dict[str, Any]) -> str:
        """The chart of a Vega-Lite specification, as SVG.

        Raises:
            ChartError: the library refused the specification, or its process ended twice.
        """
        return self._request(spec)["svg"]

    def png(self, svg: bytes) -> bytes:
        """A picture as PNG, one pixel for each of its units.

        Raises:
            ChartError: the library cannot read the picture, or its process ended twice.
        """
        return base64.b64decode(self._request({"svg": svg.decode()})["png"])

    def _request(self, question: dict[str, Any]) -> dict[str, str]:
        """The answer of the process to one line."""
        line = json.dumps(question) + "\n"
        with self._lock:
            answer_line = self._answer(line) or self._answer(
                line
            )  # once more: the process may have been killed while idle
            self._rest_later()
        if not answer_line:
            raise ChartError("its process ended")
        answer: dict[str, str] = json.loads(answer_line)
        if "error" in answer:
            raise ChartError(answer["error"])
        return answer

    def close(self) -> None:
        """End the process; the next chart starts another."""
        with self._lock:
            self._end()

    def _answer(self, line: str) -> str:
        """The line that answers; empty where the process has ended."""
        if self._process is None:
            self._process = _started()
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None  # noqa: S101 - both are pipes
        assert stdout is not None  # noqa: S101 - both are pipes
        try:
            stdin.write(line)
            stdin.flush()
            answer_line = stdout.readline()
        except OSError:
            answer_line = ""
        if not answer_line:
            self._end()
        return answer_line

    def _rest_later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(self._idle, self.close)
        self._timer.daemon = True
        self._timer.start()

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    _closed(stream)


def _closed(stream: Any) -> None:  # noqa: ANN401  # a text stream over a pipe
    try:
        stream.close()
    except OSError:
        return  # what was not yet sent to a dead process


def _started() -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - a fixed command: this interpreter, a file of ours
        [sys.executable, "-P", chart_program.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        start_new_session=True,  # an interrupt at the terminal is for the service
    )


PROCESS = ChartProcess()
"""The one process of this service."""

atexit.register(PROCESS.close)
