"""Run the service: one process, one port."""

from __future__ import annotations

import sys

import uvicorn

from api.brain import Brain
from api.http.app import build
from api.settings import Settings


def serve(settings: Settings, host: str, port: int) -> None:
    """Serve until stopped; the address is said on standard error when it answers."""
    with Brain.open(settings) as brain:
        sys.stderr.write(f"brain: serving on http://{host}:{port} (Ctrl-C stops)\n")
        uvicorn.run(build(brain), host=host, port=port, log_level="warning", access_log=False)
