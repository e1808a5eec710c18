"""The command line on a day of one's choice, its pages, and the files that the analyst writes."""

from datetime import UTC, datetime

import pytest

from api.brain import Brain
from api.settings import Settings
from tests.command import outcome
from tests.web_client import home_client


def set_clock(monkeypatch, moment):
    """Let `moment()` be the time of the command line, also of the commands that are loaded meanwhile."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return moment().astimezone(tz)

    monkeypatch.setattr("api.cli.cli_session.datetime", Clock)


class Home:
    """A home that its analyst uses from day to day: `home.day = "2026-11-10"`, then commands and pages."""

    def __init__(self, folder, monkeypatch):
        self.folder, self.moment = folder / "home", None
        self._files = folder / "written"
        self._files.mkdir(parents=True)
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.chdir(folder)
        set_clock(monkeypatch, lambda: self.moment)

    def on(self, day, hour=6):
        self.moment = datetime.fromisoformat(f"{day}T{hour:02}:30:00").replace(tzinfo=UTC)
        return self

    def __call__(self, *arguments):
        return outcome(self.folder, *arguments)

    def write(self, name, text):
        path = self._files / name
        path.write_text(text, encoding="utf-8")
        return path

    def web(self, token=None):
        settings = Settings(home=self.folder, token=token)
        return home_client(settings, lambda: self.moment, raise_server_exceptions=False)

    def brain(self):
        return Brain.open(Settings(home=self.folder))


@pytest.fixture(name="home")
def home_by_day(tmp_path, monkeypatch):
    return Home(tmp_path, monkeypatch)
