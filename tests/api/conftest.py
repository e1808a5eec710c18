"""The command line on a home of its own."""

import pytest

from tests.command import outcome, write  # noqa: F401  # a fixture


@pytest.fixture
def brain(tmp_path, monkeypatch):
    """`brain("verify", "--json")` as if it were typed, on a home of its own unless `home` names one."""
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)
    return lambda *arguments, home=tmp_path / "own": outcome(home, *arguments)
