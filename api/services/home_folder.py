"""The data directory, which only its owner may read."""

from __future__ import annotations

import os
import re
from pathlib import Path

from graph.log_lines import log
from graph.private_files import OTHERS, private_file, private_folder, tighten, tighten_folder
from graph.scratch_folder import remove_left

RUN_JOURNAL = "runs.log"  # the journal of acknowledged runs
SERVED = "served.url"  # the file with the address on which the home was served last
SESSION_KEY = "session.key"
"""The file with the key that signs the sessions of browsers; without it everyone must sign in again."""
DERIVED = (
    *("index", "sparql", "nightly.lock"),
    *(SERVED, f"{SERVED}.new", SESSION_KEY, f"{SESSION_KEY}.*"),
)
"""Files that are created again when missing; a backup leaves them out."""
RESTORED = ".restore-"
"""Prefix of the folders into which a backup is unpacked; the next start removes one left by a killed restore."""
OWN = ("brain.db", "brain.db-*", *DERIVED, RUN_JOURNAL)
"""The files that the program creates in a data directory; other files there are unchanged."""

_ADDRESS = re.compile(r"https?://[A-Za-z0-9.\[\]:-]+")


def open_home(home: Path) -> None:
    """Make the folder with mode 0700, or make the contents of an existing one private. Raises `OSError`.

    The folder itself becomes private only if it contains nothing but files of the program, so that `--home` in the
    folder of a project does not lock colleagues out. What cannot be made private is logged.
    """
    private_folder(home)
    remove_left(home, RESTORED)
    if os.name != "posix":
        return
    own = {path for pattern in OWN for path in home.glob(pattern)}
    left = tighten(own)
    if set(home.iterdir()) <= own:
        left += tighten_folder(home)
    elif home.stat().st_mode & OTHERS:
        left.append(home)
    if left:
        log(
            "warning", "other users can read this home; run chmod -R go= on it", paths=[str(path) for path in left[:10]]
        )


def record_served(home: Path, address: str) -> None:
    """Record the address of the service, for links by other processes: nights, exports, agents."""
    new = home / f"{SERVED}.new"
    try:
        private_file(new)
        new.write_text(f"{address}\n", "utf-8")
        new.replace(home / SERVED)
    except OSError as error:
        log("warning", "address not written down", path=str(new), error=str(error))


def last_served(home: Path) -> str | None:
    """The address of the last service; None if there was none."""
    try:
        address = (home / SERVED).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return address if _ADDRESS.fullmatch(address) else None
