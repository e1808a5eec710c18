"""The command line as people use it: a process's arguments in, its output and exit code out."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

import pytest

from api.cli.root import main


class Outcome(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def said(self):
        """Standard output on one line, without the frames of the terminal."""
        return " ".join(self.out.replace("│", " ").split())

    @property
    def error(self):
        return " ".join(self.err.replace("│", " ").split())


def outcome(home, *arguments):
    """Run a command on a home, or on that of the folder, in this process."""
    code = 0
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with redirect_stdout(printed), redirect_stderr(io.StringIO()) as err:
        try:
            main([*([] if home is None else ["--home", str(home)]), *map(str, arguments)])
        except SystemExit as end:
            code = end.code or 0
    return Outcome(code, printed.buffer.getvalue().decode(), err.getvalue())


def written(folder, files):
    """Write texts or bytes as files of a folder, by their names; gives the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


@pytest.fixture
def write(tmp_path):
    return lambda name, text: written(tmp_path / "written", {name: text}) / name
