"""An analyst's week: the command line in this process, files of hers, and the service over her home."""

import json
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

import pytest
from starlette.testclient import TestClient

from api.brain import Brain
from api.cli.root import main
from api.http.app import build
from api.settings import Settings

NOW = datetime(2026, 11, 21, 6, 30, tzinfo=UTC)
TOKEN = "a-token-of-the-tests"


ALL_PRICES = {"test_agents", "test_backup", "test_processes", "test_refreshed_catalogs"}
"""The stories about the packaged catalogue as it is, and those in which other processes compute on the same home."""


@pytest.fixture(autouse=True)
def _few_prices_for_her_own_claims(request):
    """The claims of the content that ships are about many providers; hers are about cards of her own."""
    if "shipped_home" not in request.fixturenames and request.path.stem not in ALL_PRICES:
        request.getfixturevalue("few_prices")


class Outcome(NamedTuple):
    """What a command left: its exit code and its two streams."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def home(tmp_path):
    """Her data directory."""
    return tmp_path / "own"


@pytest.fixture
def brain(capsys, tmp_path, home, monkeypatch):
    """`brain("verify", "--json")` as if it were typed."""
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        capsys.readouterr()
        try:
            main(["--home", str(home), *map(str, arguments)])
            code = 0
        except SystemExit as end:
            code = end.code or 0
        return Outcome(code, *capsys.readouterr())

    return run


@pytest.fixture
def write(tmp_path):
    """Write a file of hers and give its path."""

    def put(name, text):
        path = tmp_path / "written" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return put


@pytest.fixture
def served(home):
    """The service over her home, as a context: `with served() as client`."""

    @contextmanager
    def open_client(**settings):
        with (
            Brain.open(Settings(home=home, token=TOKEN, **settings)) as opened,
            TestClient(
                build(opened, clock=lambda: NOW), base_url="http://localhost", raise_server_exceptions=False
            ) as client,
        ):
            yield client

    return open_client
