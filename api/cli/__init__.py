"""The command line: `brain [--home DIR] COMMAND`. A command asks the brain, renders, and ends with an exit code."""

from __future__ import annotations

from api.cli.root import app, main

__all__ = ["app", "main"]
