"""The program that writes an export to standard output: python -m api.services.export_program < JSON (`exported`)."""

from __future__ import annotations

import json
import os
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from api.brain import Brain
from api.settings import Settings


def main(asked: dict[str, Any]) -> None:
    """Write an export to standard output."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)
    with Brain.open(Settings(home=Path(asked["home"]), db=asked["db"])) as brain:
        brain.store.after_commit.clear()
        if asked["now"]:
            now = datetime.fromisoformat(asked["now"])
            brain.use_clock(lambda: now)
        seen = brain.for_reader(frozenset(asked["hidden"]))
        for piece in seen.exporter.at(asked["base"]).forms[asked["form"]]():
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(json.load(sys.stdin))
