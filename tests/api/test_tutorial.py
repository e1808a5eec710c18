"""docs/tutorial.md and content/README.md, as their readers would follow them."""

import os
import re
import shlex
import signal
import subprocess
import sys
from datetime import UTC, datetime
from threading import Timer

import pytest

from api.settings import SHIPPED
from tests.command import Outcome, outcome
from tests.conftest import ROOT

PAGE = (ROOT / "docs/tutorial.md").read_text("utf-8")
PARTS = re.findall(r"(?:<!-- file: (\S+) -->\n)?```(\w*)\n(.*?)```", PAGE, flags=re.S)
BRAIN = (sys.executable, "-c", "from api.cli.root import main; main()")
ENDS = {"brain verify --fail-on stale": 1}
"""The commands that end with another code than 0."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("BRAIN_OFFLINE")
    return tmp_path, {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def same_day(text):
    """A text without the days and the times that differ from reader to reader."""
    text = re.sub(r"\d\d:\d\d:\d\d", "TIME", text.replace(str(datetime.now(UTC).date()), "TODAY"))
    return re.sub(r"\s+", " ", text.replace("2026-11-29", "TODAY"))


def agrees(shown, found):
    """Whether an output is the one shown; a line of … stands for any lines."""
    wanted = ".*".join(re.escape(same_day(part).strip()) for part in re.split(r"^…$", shown, flags=re.M))
    return re.fullmatch(rf"\s*{wanted}\s*", same_day(found), flags=re.S)


def test_the_page_is_short():
    assert len(PAGE.split()) <= 700


def test_every_step_of_the_page_does_what_it_shows(folder):
    where, environment = folder
    watching = None
    ran = []
    for file, language, text in PARTS:
        if file:
            (where / file).write_text(text, "utf-8")
        elif language == "console":
            for command, shown in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", text, flags=re.M):
                words = shlex.split(command)
                ran.append(command)
                if words[:2] == ["brain", "watch"]:
                    ignored = signal.signal(signal.SIGINT, signal.default_int_handler)  # where pytest runs behind `&`
                    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
                    watching = subprocess.Popen([*BRAIN, *words[1:]], cwd=where, env=environment, **pipes)
                    signal.signal(signal.SIGINT, ignored)
                    deadline = Timer(120, watching.kill)
                    deadline.start()
                    assert agrees(shown, watching.stdout.readline())
                    continue
                if words[0] == "brain":
                    done = outcome(None, *words[1:])
                else:
                    done = Outcome(0, subprocess.run(words, capture_output=True, text=True, check=True).stdout, "")
                assert done.code == ENDS.get(command, 0), done.err
                assert agrees(shown, done.out), f"{command}\n{done.out}"
        elif watching is not None:  # what the other terminal says after the file before this part was saved
            lines = [watching.stdout.readline() for _ in text.splitlines()]
            watching.send_signal(signal.SIGINT)
            assert agrees(text, "".join(lines)), lines
            assert watching.communicate(timeout=60)[0] == "stopped watching\n"
            assert watching.returncode == 0
            deadline.cancel()
            watching = None
    assert len(ran) == 8


EXAMPLES = re.findall(
    r"<!-- example: (\S+) -->\n```\w+\n(.*?)```", (SHIPPED / "README.md").read_text("utf-8"), flags=re.S
)


def test_the_guide_to_the_content_shows_one_of_each_and_its_examples_work_together(brain, write):
    assert [name.partition("/")[0] for name, _ in EXAMPLES] == ["notes", "terms", "prices", "claims"]
    for name, text in EXAMPLES:
        path = write(name, text)
    write("brain.yaml", "brain: analyst\n")
    report = brain("ingest", path.parents[1], "--strict", "--json")
    assert report.code == 0, report.out
    found = brain("explain", "v100-spot-below-its-power", "--as-of", "2026-11-21", "--json").json
    assert found["verdict"] == "holds"
    assert round(found["value"], 3) == 0.889
