"""The versions of one file in the history of a Git repository that is not trusted.

    REPO/.git ─▶ HEAD, refs, shallow copied ─▶ a temporary repository with our configuration ─▶ git log, git cat-file

Git reads the objects of REPO and opens nothing else in it, so no command in its configuration, hooks, attributes and
filters can run. Symbolic links and alternates, which lead out of REPO, are refused. No protocol is allowed, and nothing
is checked out.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

MOST_COMMITS = 200_000
LARGEST_FILE = 64 * 1024 * 1024
LARGEST_HISTORY = 8 * 1024 * 1024 * 1024
SECONDS = 600.0  # for one command of git
_GIT_BEGAN = date(2005, 4, 7)
_YEAR_3000 = 32_503_680_000
_SETTINGS = "[core]\n\tbare = true\n\tquotePath = false\n\tcommitGraph = false\n\tmultiPackIndex = false\n"
_LOG = ("--reverse", "--first-parent", "-m", "--raw", "--no-abbrev", "--no-renames", "--format=%ct")


class GitHistoryError(Exception):
    """The history of a file cannot be read."""

    def __init__(self, path: object, reason: str) -> None:
        super().__init__(f"no history from {path}: {reason}")


class Version(NamedTuple):
    """The last version of the file on a day; without `data` it was deleted."""

    day: date
    data: bytes | None


class FileHistory(NamedTuple):
    """The versions of a file, oldest first, readable once; `last` is the day of the newest commit."""

    number: int
    last: date
    versions: Iterator[Version]


@contextmanager
def file_history(repo: Path, file: str, until: date) -> Iterator[FileHistory]:
    """The last version of each day (UTC) until a day, on the branch checked out. Raises GitHistoryError.

    A commit is no earlier than the one before it, whatever its clock said; one from before Git, or to come, is ignored.
    """
    with TemporaryDirectory(prefix="brain-git-") as own:
        git = partial(_git, repo, _copy(repo, Path(own)), own)
        newest = _day(git("log", "--max-count=1", "--format=%ct"))
        log = git("log", *_LOG, f"--max-count={MOST_COMMITS + 1}", "--", file).decode("utf-8", "replace").splitlines()
        if sum(line.isdigit() for line in log) > MOST_COMMITS:
            raise GitHistoryError(repo, f"more than {MOST_COMMITS} commits change {file}")
        days = _by_day(log, file, until)
        given = "".join(f"{blob}\n" for blob in days.values() if blob)
        if not given:
            raise GitHistoryError(repo, f"no commit up to {until} has the file {file!r}")
        sizes = [line.rpartition(b" ")[2] for line in git("cat-file", "--batch-check", given=given).splitlines()]
        if b"missing" in sizes:
            raise GitHistoryError(repo, "objects of the file are missing (a partial clone?): clone it completely")
        if max(map(int, sizes)) > LARGEST_FILE or sum(map(int, sizes)) > LARGEST_HISTORY:
            raise GitHistoryError(repo, f"the versions of {file} are larger than {LARGEST_FILE} bytes, or all together")
        versions = (Version(day, git("cat-file", "blob", blob) if blob else None) for day, blob in days.items())
        yield FileHistory(len(days), newest if max(days) <= newest <= until else max(days), versions)


def _copy(repo: Path, own: Path) -> Path:
    """Copies the references to a folder of our own; returns the folder of objects."""
    folder = repo / ".git" if (repo / ".git").exists() else repo
    if not (folder / "objects").is_dir():
        raise GitHistoryError(repo, "it is not a Git repository; for a worktree or submodule, name the main checkout")
    _refuse_links(repo, folder)
    try:
        shutil.copytree(folder / "refs", own / "refs", symlinks=True)
        for path in (folder / name for name in ("HEAD", "packed-refs", "shallow")):
            if path.exists():
                shutil.copyfile(path, own / path.name, follow_symlinks=False)
    except OSError as error:
        raise GitHistoryError(repo, f"its references cannot be copied: {error}") from error
    (own / "config").write_text(_SETTINGS)
    return (folder / "objects").resolve()


def _refuse_links(repo: Path, folder: Path) -> None:
    """Refuses what leads git out of a repository or blocks it."""
    parts = [folder, *(folder / name for name in ("HEAD", "packed-refs", "shallow", "refs", "objects"))]
    if any(path.is_symlink() for path in parts):
        raise GitHistoryError(repo, "a part of it is a symbolic link")
    inside = (path for name in ("refs", "objects") for path in (folder / name).rglob("*"))
    if any(path.is_symlink() or not (path.is_dir() or path.is_file()) for path in inside):
        raise GitHistoryError(repo, "one of its references or objects is a symbolic link or no file")
    if any((folder / "objects/info" / name).exists() for name in ("alternates", "http-alternates")):
        raise GitHistoryError(repo, "it borrows objects of another repository (alternates): clone it completely")


def _git(repo: Path, objects: Path, own: str, *arguments: str, given: str = "") -> bytes:
    program = shutil.which("git")
    if program is None:
        raise GitHistoryError(repo, "git is not installed")
    environment = {
        "GIT_DIR": own, "GIT_OBJECT_DIRECTORY": str(objects), "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ALLOW_PROTOCOL": "", "GIT_NO_REPLACE_OBJECTS": "1", "HOME": own,
        "PATH": "/nonexistent", "LC_ALL": "C",
    }  # fmt: skip
    try:
        return subprocess.run(  # noqa: S603  # a fixed command; the one word of others is a path behind `--`
            [program, "--no-pager", "--literal-pathspecs", *arguments],
            env=environment, cwd=own, input=given.encode(), capture_output=True, timeout=SECONDS, check=True,
        ).stdout  # fmt: skip
    except subprocess.CalledProcessError as error:
        message = error.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise GitHistoryError(repo, f"git failed: {message[:300]}") from error
    except subprocess.TimeoutExpired as error:
        raise GitHistoryError(repo, "git took too long") from error


def _day(line: str | bytes) -> date:
    """The day (UTC) of a commit, from a line with its seconds."""
    return datetime.fromtimestamp(min(int(line), _YEAR_3000), UTC).date()


def _by_day(log: Iterable[str], file: str, until: date) -> dict[date, str]:
    """The last hash of the file by day, oldest first; empty where deleted."""
    days: dict[date, str] = {}
    day = latest = date.min
    for line in log:
        change, _, path = line.partition("\t")
        if line.isdigit():
            day = _day(line)
        elif path == file and _GIT_BEGAN <= day <= until:
            _, mode, _, blob, _ = change.split(" ")
            latest = max(day, latest)
            days[latest] = blob if mode.startswith("100") else ""
    return days
