"""The versions of one file in the history of a Git repository that nobody trusts.

    REPO/.git ─▶ HEAD ─▶ commit ─▶ an empty repository of our own ─▶ git reads the objects of REPO, and nothing else

Git never opens the repository: its configuration, hooks, attributes, filters and index stay unread, so no command in
them can run. HEAD and its branch are read here, as text. Symbolic links and alternates are refused. There is no remote,
and no protocol is allowed; nothing is checked out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import NamedTuple

MOST_COMMITS = 5_000
LARGEST_FILE = 64 * 1024 * 1024
LARGEST_HISTORY = 8 * 1024 * 1024 * 1024
SECONDS = 900.0
"""How long all of git may take."""

_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BRANCH = re.compile(r"ref: (refs/heads/[!-~]{1,200})\s*")
_PATH = frozenset('\n\t\r\0"\\')
"""What git would write in another way, so that a path with it is not found."""
_GIT_BEGAN = date(2005, 4, 7)
_RAW = ("--raw", "--no-abbrev", "--no-renames", "--format=%ct")
_SMALL = 4 * 1024 * 1024
_YEAR_3000 = 32_503_680_000
_READS_NOTHING = ("HEAD", "objects", "refs", "packed-refs", "shallow")
_SETTINGS = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null", "core.commitGraph=false",
    "core.multiPackIndex=false", "core.quotePath=false", "protocol.allow=never", "gc.auto=0", "maintenance.auto=false",
)  # fmt: skip
_CONFIG = "[core]\n\trepositoryformatversion = {}\n\tbare = true\n[extensions]\n{}"


class GitHistoryError(Exception):
    """The history of a file cannot be read; `path` is the repository."""

    def __init__(self, path: object, reason: str) -> None:
        super().__init__(f"no history from {path}: {reason}")


class Version(NamedTuple):
    """The last version of the file on a day; without `data` the file was deleted."""

    day: date
    data: bytes | None


class FileHistory(NamedTuple):
    """The versions of a file, oldest first, each to be read once, and the day of the newest commit."""

    number: int
    last: date
    versions: Iterator[Version]


@contextmanager
def file_history(repo: Path, file: str, until: date) -> Iterator[FileHistory]:
    """The versions of a file on the branch that is checked out, up to a day: the last commit of each day (UTC).

    A commit is no earlier than the one before it, whatever its clock said; one from before Git, or to come, is ignored.

    Raises:
        GitHistoryError: no repository, a hostile one, no such file, or more than the limits allow.
    """
    program = shutil.which("git")
    if program is None:
        raise GitHistoryError(repo, "git is not installed")
    if not file or file.startswith(("/", ":")) or not _PATH.isdisjoint(file):
        raise GitHistoryError(repo, f"{file!r} is no path inside a repository")
    folder = _git_folder(repo)
    head = _head(repo, folder)
    with TemporaryDirectory(prefix="brain-git-") as own:
        git = _Git(repo, program, Path(own), folder, len(head))
        newest = git.lines("log", "--max-count=1", "--format=%ct", head)
        if not newest:
            raise GitHistoryError(repo, "its newest commit is not there")
        log = git.lines("log", "--first-parent", "-m", f"--max-count={MOST_COMMITS + 1}", *_RAW, head, "--", file)
        commits = _commits(log, file)
        if not commits:
            raise GitHistoryError(repo, f"no commit has the file {file!r}")
        if len(commits) > MOST_COMMITS:
            raise GitHistoryError(repo, f"more than {MOST_COMMITS} commits change {file}")
        days = _by_day(commits, until)
        sizes = git.sizes(sorted({blob for blob in days.values() if blob}))
        if not sizes:
            raise GitHistoryError(repo, f"no version of {file} up to {until}")
        if max(sizes.values()) > LARGEST_FILE or sum(sizes[blob] for blob in days.values() if blob) > LARGEST_HISTORY:
            raise GitHistoryError(repo, f"the versions of {file} are larger than {LARGEST_FILE} bytes, or all together")
        last = max(*days, *(day for day in (_day(newest[0]),) if day <= until), date.min)
        yield FileHistory(len(days), last, git.read(days, sizes))


def _git_folder(repo: Path) -> Path:
    """The folder with the objects: `.git`, or that of a bare repository."""
    folder = repo / ".git"
    if not folder.exists() and not folder.is_symlink():
        folder = repo
    if not folder.is_dir() or not (folder / "objects").is_dir():
        raise GitHistoryError(repo, "it is no Git repository; of a worktree or a submodule name the main checkout")
    if any((folder / name).is_symlink() for name in _READS_NOTHING) or folder.is_symlink():
        raise GitHistoryError(repo, "a part of it is a symbolic link")
    if any(path.is_symlink() or not (path.is_dir() or path.is_file()) for path in (folder / "objects").rglob("*")):
        raise GitHistoryError(repo, "one of its objects is a symbolic link or no file")
    if (folder / "objects/info/alternates").exists() or (folder / "objects/info/http-alternates").exists():
        raise GitHistoryError(repo, "it borrows objects of another repository (alternates): clone it completely")
    return folder


def _head(repo: Path, folder: Path) -> str:
    """The commit that is checked out, read from the files of the repository."""
    text = _text(folder / "HEAD").strip()
    branch = _BRANCH.fullmatch(text)
    if branch and ".." not in branch[1]:
        loose = folder / branch[1]
        if any(path.is_symlink() for path in (loose, *loose.parents) if folder in path.parents):
            raise GitHistoryError(repo, "its branch is a symbolic link")
        packed = (line.partition(" ") for line in _text(folder / "packed-refs").splitlines())
        text = _text(loose).strip() or next((commit for commit, _, name in packed if name == branch[1]), "")
    if not _HASH.fullmatch(text):
        raise GitHistoryError(repo, "its HEAD names no commit")
    return text


def _text(path: Path) -> str:
    """The text of a small file; empty if there is none."""
    if not path.is_file():
        return ""
    with path.open("rb") as opened:
        return opened.read(_SMALL).decode("ascii", "replace")


def _day(line: str) -> date:
    """The day (UTC) of a commit, from a line with its seconds."""
    return datetime.fromtimestamp(min(int(line), _YEAR_3000), UTC).date()


def _commits(log: Sequence[str], file: str) -> list[tuple[date, str]]:
    """The day of each commit and the hash of the file in it, empty where it is none; the newest first."""
    found: list[tuple[date, str]] = []
    day = date.min
    for line in log:
        change, _, path = line.partition("\t")
        if not change.startswith(":"):
            day = _day(line) if line else day
        elif path == file:
            _, mode, _, blob, _ = change.split(" ")
            found.append((day, blob if mode.startswith("100") else ""))
    return found


def _by_day(commits: Sequence[tuple[date, str]], until: date) -> dict[date, str]:
    """The file of the last commit of each day, oldest first."""
    days: dict[date, str] = {}
    latest = date.min
    for day, blob in reversed(commits):
        if _GIT_BEGAN <= day <= until:
            latest = max(day, latest)
            days[latest] = blob
    return days


class _Git:
    """Git in an empty repository of our own that reads the objects of another one."""

    def __init__(self, repo: Path, program: str, own: Path, folder: Path, digits: int) -> None:
        self._repo, self._program, self._own, self._until = repo, program, own, time.monotonic() + SECONDS
        (own / "refs").mkdir()
        (own / "HEAD").write_text("ref: refs/heads/none\n")
        sha256 = digits > 40
        (own / "config").write_text(_CONFIG.format(int(sha256), "\tobjectFormat = sha256\n" if sha256 else ""))
        shallow = [line for line in _text(folder / "shallow").split() if _HASH.fullmatch(line)]
        if shallow:
            (own / "shallow").write_text("\n".join(shallow) + "\n")
        self._environment = {
            "GIT_DIR": str(own), "GIT_OBJECT_DIRECTORY": str((folder / "objects").resolve()), "HOME": str(own),
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ATTR_NOSYSTEM": "1", "LC_ALL": "C",
            "GIT_NO_REPLACE_OBJECTS": "1", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "", "PATH": "/nonexistent",
            "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0",
        }  # fmt: skip

    def lines(self, *arguments: str, given: str = "") -> list[str]:
        """The lines that a command of git prints for some input."""
        with self._run(*arguments) as process:
            return process.communicate(given.encode())[0].decode("utf-8", "replace").splitlines()

    def sizes(self, blobs: Sequence[str]) -> dict[str, int]:
        """The size of each blob."""
        given = "".join(f"{blob}\n" for blob in blobs)
        answers = [line.split(" ") for line in self.lines("cat-file", "--batch-check", given=given)]
        if any(len(answer) != 3 or answer[1] != "blob" for answer in answers):
            raise GitHistoryError(self._repo, "objects of the file are missing (a partial clone?): clone it completely")
        return {answer[0]: int(answer[2]) for answer in answers}

    def read(self, days: Mapping[date, str], sizes: Mapping[str, int]) -> Iterator[Version]:
        """The content of the file on each day, one after the other."""
        with self._run("cat-file", "--batch") as process:
            ask, out = process.stdin, process.stdout
            if ask is None or out is None:
                raise GitHistoryError(self._repo, "git has no input")
            for day, blob in days.items():
                if not blob:
                    yield Version(day, None)
                    continue
                ask.write(f"{blob}\n".encode())
                ask.flush()
                if out.readline().split()[1:] != [b"blob", str(sizes[blob]).encode()]:
                    raise GitHistoryError(self._repo, f"an object of it cannot be read: {blob}")
                data = out.read(sizes[blob] + 1)[:-1]
                if len(data) < sizes[blob]:
                    raise GitHistoryError(self._repo, "git took too long")
                yield Version(day, data)
            ask.close()

    @contextmanager
    def _run(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """A git process; it is killed when all of them took `SECONDS`."""
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        command = [self._program, "--no-pager", "--literal-pathspecs", *settings, *arguments]
        with (
            (self._own / "errors").open("w+b") as errors,
            subprocess.Popen(  # noqa: S603  # a fixed command; the one word of others is a path behind `--`
                command, env=self._environment, cwd=self._own, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=errors,
            ) as process,
        ):  # fmt: skip
            watch = Timer(self._until - time.monotonic(), process.kill)
            watch.start()
            try:
                yield process
                failed = process.wait()
            except BrokenPipeError:
                failed = process.wait()
            finally:
                watch.cancel()
                process.kill()
            if failed:
                errors.seek(0)
                said = errors.read(300).decode("utf-8", "replace").strip().partition("\n")[0]
                raise GitHistoryError(self._repo, f"git failed: {said or 'it took too long'}")
