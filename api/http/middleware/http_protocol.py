"""uvicorn's HTTP/1.1, with limits on size and time of a request, and problem documents in place of plain text."""

from __future__ import annotations

import asyncio
import sys
from math import inf
from typing import Any
from uuid import uuid4

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from api.http.middleware.request_checks import MOST_HEADERS, NOSNIFF, TOO_LARGE
from api.http.responses.problem_details import ProblemError, answer

MOST_HEAD = MOST_HEADERS + 32 * 1024
"""The most bytes of an incomplete request line with headers; uvicorn itself has no limit."""
LINGER = 2.0  # seconds in which a refused client may still send, so that it can read the answer


class HttpProtocol(HttpToolsProtocol):
    """A connection; a request has `head_seconds` after the last response for its head, `body_seconds` for its body."""

    head_seconds = 20.0
    body_seconds = 120.0

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401  # passed on to the class above
        super().__init__(*args, **options)
        self.url = b""
        self._in_head, self._head, self._refused = True, 0, False
        self._timer: asyncio.TimerHandle | None = None
        self._deadline, self._due = inf, inf  # when the client is late, and when the timer looks

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the class above
        """Start the timer of the first head."""
        super().connection_made(transport)
        self._wait(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; refuse a head that is too long before it is all in memory."""
        if self._refused:
            return
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > MOST_HEAD and not self._refused:
            self._refuse(ProblemError(*TOO_LARGE))

    def on_headers_complete(self) -> None:
        """Start the timer of the body."""
        self._in_head, self._head = False, 0
        self._wait(self.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Start the timer of the next head."""
        self._in_head = True
        self._wait(self.head_seconds)
        super().on_message_complete()

    def _wait(self, seconds: float) -> None:
        """Set the deadline; the timer looks at it when it runs out: a request sets three."""
        self._deadline = self.loop.time() + seconds
        if self._deadline < self._due:
            self._start_timer()

    def _start_timer(self) -> None:
        self._stop_timer()
        self._due = self._deadline
        self._timer = self.loop.call_at(self._due, self._at_due)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _at_due(self) -> None:
        """At the deadline end an incomplete request; a next one has time while a response is being made."""
        self._due = inf
        if self._refused or self.transport.is_closing():
            return
        if self._deadline > self.loop.time():
            self._start_timer()
            return
        answering = self.cycle is not None and not self.cycle.response_complete
        if self._in_head and answering:
            self._wait(self.head_seconds)
        elif (self._in_head and not self._head) or (answering and self.cycle.response_started):
            self.transport.close()
        else:
            if answering:  # its handler waits for the body, and must write nothing after this
                self.cycle.disconnected = True
                self.cycle.message_event.set()
            part, seconds = ("head", self.head_seconds) if self._in_head else ("body", self.body_seconds)
            detail = f"The {part} of the request was not complete after {seconds:g} seconds."
            self._refuse(ProblemError("request-timeout", detail))

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  # the signature of the class above
        """Answer what the parser refuses; uvicorn calls this while it handles the parser's exception."""
        if isinstance(sys.exc_info()[1], httptools.HttpParserInvalidMethodError):
            self._refuse(ProblemError("method-unknown", "The method of the request is unknown."))
        else:
            self._refuse(ProblemError("malformed-request", "This is not a request in HTTP/1.1."))

    def _refuse(self, trouble: ProblemError) -> None:
        """Write a problem document, and close after `LINGER` seconds."""
        self._refused = True
        told = answer(self.url.decode("latin-1").partition("?")[0][:200] or "/", trouble)
        own = (NOSNIFF, (b"x-request-id", uuid4().hex.encode()), (b"connection", b"close"))
        headers = [*self.server_state.default_headers, *told.raw_headers, *own]
        lines = b"".join(b"%b: %b\r\n" % pair for pair in headers)
        self.transport.write(STATUS_LINE[told.status_code] + lines + b"\r\n" + bytes(told.body))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(LINGER, self.transport.close)
