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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import IO, NamedTuple

MOST_COMMITS = 5_000
LARGEST_FILE = 64 * 1024 * 1024
LARGEST_HISTORY = 8 * 1024 * 1024 * 1024
SECONDS = 900.0
"""How long all of git may take."""

_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BRANCH = re.compile(r"ref: (refs/heads/[\w./+@-]{1,200})\s*")
_SMALL = 4 * 1024 * 1024
_YEAR_3000 = 32_503_680_000
_READS_NOTHING = ("HEAD", "objects", "refs", "packed-refs", "shallow")
_SETTINGS = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null", "core.commitGraph=false",
    "core.multiPackIndex=false", "protocol.allow=never", "gc.auto=0", "maintenance.auto=false",
)  # fmt: skip
_CONFIG = "[core]\n\trepositoryformatversion = {}\n\tbare = true\n[extensions]\n{}"


class GitHistoryError(Exception):
    """The history of a file cannot be read; `path` is the repository."""

    def __init__(self, path: object, reason: str) -> None:
        super().__init__(f"no history from {path}: {reason}")


class Version(NamedTuple):
    """The last version of the file on a day."""

    day: date
    data: bytes


class FileHistory(NamedTuple):
    """The versions of a file, oldest first, each to be read once, and the day of the newest commit."""

    number: int
    last: date
    versions: Iterator[Version]


@contextmanager
def file_history(repo: Path, file: str, until: date) -> Iterator[FileHistory]:
    """The versions of a file on the branch that is checked out, up to a day: the last commit of each day (UTC).

    Raises:
        GitHistoryError: no repository, a hostile one, no such file, or more than the limits allow.
    """
    program = shutil.which("git")
    if program is None:
        raise GitHistoryError(repo, "git is not installed")
    if not file or file.startswith(("/", ":")) or "\n" in file or "\0" in file:
        raise GitHistoryError(repo, f"{file!r} is no path inside a repository")
    folder = _git_folder(repo)
    head = _head(repo, folder)
    with TemporaryDirectory(prefix="brain-git-") as own:
        git = _Git(repo, program, Path(own), folder, len(head))
        newest = _timed(git.lines("rev-list", "--timestamp", "--max-count=1", head))
        if not newest:
            raise GitHistoryError(repo, "its newest commit is not there")
        limit = f"--max-count={MOST_COMMITS + 1}"
        commits = _timed(git.lines("rev-list", "--first-parent", "--timestamp", limit, head, "--", file))
        if not commits:
            raise GitHistoryError(repo, f"no commit has the file {file!r}")
        if len(commits) > MOST_COMMITS:
            raise GitHistoryError(repo, f"more than {MOST_COMMITS} commits change {file}")
        days = {day: commit for day, commit in reversed(commits) if day <= until}
        blobs = git.blobs([f"{commit}:{file}" for commit in days.values()])
        found = [(day, *blob) for day, blob in zip(days, blobs, strict=True) if blob]
        if not found:
            raise GitHistoryError(repo, f"no version of {file} up to {until}")
        if max(size for _, _, size in found) > LARGEST_FILE or sum(size for _, _, size in found) > LARGEST_HISTORY:
            raise GitHistoryError(repo, f"the versions of {file} are larger than {LARGEST_FILE} bytes, or all together")
        last = min(until, max(newest[0][0], *days))
        yield FileHistory(len(found), last, git.read(sorted(found)))


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


def _timed(lines: Sequence[str]) -> list[tuple[date, str]]:
    """The day and the hash of each commit."""
    found = (line.split(" ", 1) for line in lines)
    return [(datetime.fromtimestamp(min(int(seconds), _YEAR_3000), UTC).date(), commit) for seconds, commit in found]


class _Git:
    """Git in an empty repository of our own that reads the objects of another one."""

    def __init__(self, repo: Path, program: str, own: Path, folder: Path, digits: int) -> None:
        self._repo, self._program, self._own = repo, program, own
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

    def lines(self, *arguments: str) -> list[str]:
        """The lines that a command of git prints."""
        with self._run(*arguments) as (_, out):
            return out.read().decode("utf-8", "replace").splitlines()

    def blobs(self, names: Sequence[str]) -> list[tuple[str, int] | None]:
        """The hash and the size of each file; None where a version has none."""
        with self._run("cat-file", "--batch-check") as (ask, out):
            ask.write("".join(f"{name}\n" for name in names).encode())
            ask.close()
            answers = [line.split(" ") for line in out.read().decode("utf-8", "replace").splitlines()]
        return [(answer[0], int(answer[2])) if len(answer) == 3 and answer[1] == "blob" else None for answer in answers]

    def read(self, found: Sequence[tuple[date, str, int]]) -> Iterator[Version]:
        """The content of each version, one after the other."""
        with self._run("cat-file", "--batch") as (ask, out):
            for day, blob, size in found:
                ask.write(f"{blob}\n".encode())
                ask.flush()
                if out.readline().split()[1:] != [b"blob", str(size).encode()]:
                    raise GitHistoryError(self._repo, f"an object of it cannot be read: {blob}")
                data = out.read(size + 1)[:size]
                if len(data) < size:
                    raise GitHistoryError(self._repo, "git took too long")
                yield Version(day, data)

    @contextmanager
    def _run(self, *arguments: str) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
        """A git process with its input and output; it is killed after `SECONDS`."""
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        command = [self._program, "--no-pager", "--literal-pathspecs", *settings, *arguments]
        with (
            (self._own / "errors").open("w+b") as errors,
            subprocess.Popen(  # noqa: S603  # a fixed command; the one word of others is a path behind `--`
                command, env=self._environment, cwd=self._own, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=errors,
            ) as process,
        ):  # fmt: skip
            watch = Timer(SECONDS, process.kill)
            watch.start()
            try:
                if process.stdin is None or process.stdout is None:
                    raise GitHistoryError(self._repo, "git has no input")
                yield process.stdin, process.stdout
                process.stdin.close()
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
