"""An analyst's week: the command line in this process, files of hers, and the service over her home."""

import os
import subprocess

import pytest

from api.settings import Settings
from tests.command import outcome, write  # noqa: F401  # a fixture
from tests.conftest import NOW
from tests.graph.conftest import postgres_database, postgres_store  # noqa: F401  # fixtures: one server for all stories
from tests.web_client import home_client

TOKEN = "a-token-of-the-tests"


ALL_PRICES = {"test_agents", "test_backup", "test_processes", "test_refreshed_catalogs"}
"""The stories about the packaged catalogue as it is, and those in which other processes compute on the same home."""


@pytest.fixture(autouse=True)
def _few_prices_for_her_own_claims(request):
    """The claims of the content that ships are about many providers; hers are about cards of her own."""
    ships = {"shipped_home", "part_home"} & {*request.fixturenames}
    if not ships and request.path.stem not in ALL_PRICES:
        request.getfixturevalue("few_prices")


@pytest.fixture
def home(tmp_path):
    return tmp_path / "own"


@pytest.fixture
def brain(tmp_path, home, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: outcome(home, *arguments)


@pytest.fixture
def served(home):
    def open_client(**settings):
        given = Settings(home=home, token=TOKEN, **settings)
        return home_client(given, lambda: NOW, pages=False, raise_server_exceptions=False)

    return open_client


@pytest.fixture
def disk(tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=10m", "tmpfs", str(place)]
    if os.name != "posix" or os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root can mount a small file system")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)
