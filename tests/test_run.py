"""`run`: the script that makes the environment and calls the program in it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRAM = '#!/bin/sh\necho "$PWD" "${BRAIN_HOME-none}" "$@"\n'


@pytest.fixture
def clone(tmp_path):
    """A copy of what `run` reads, with a program that says where it is and what it is asked."""
    made = tmp_path / "clone"
    (made / ".venv/bin").mkdir(parents=True)
    for name in ("run", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, made)
    command = "cat pyproject.toml constraints.txt run | cksum"
    sums = subprocess.check_output(command, shell=True, cwd=made, text=True)
    (made / ".venv/stamp").write_text(f"{sums.strip()} \n")
    program = made / ".venv/bin/brain"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    return made


def said(clone, where, *arguments, **settings):
    where.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BRAIN_")}
    command, environment = [clone / "run", *arguments], {**kept, **settings}
    return subprocess.check_output(command, cwd=where, env=environment, text=True).strip()


def test_paths_are_those_of_the_caller_and_the_brain_is_that_of_the_clone(clone, tmp_path):
    notes = tmp_path / "notes"
    assert said(clone, notes, "brain", "proof", "draft.md") == f"{notes} {clone}/.brain proof draft.md"
    assert said(clone, notes, "demo", "--no-serve") == f"{notes} {clone}/.brain demo --no-serve"
    assert said(clone, notes, "brain", "runs", BRAIN_HOME="mine") == f"{notes} mine runs"
    assert said(clone, clone, "brain", "runs") == f"{clone} none runs"


def test_without_a_job_it_says_what_there_is_from_anywhere(clone, tmp_path):
    done = subprocess.run(["../clone/run"], cwd=clone, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count("./run ")) == (2, 3)
