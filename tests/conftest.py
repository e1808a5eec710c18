"""What all rooms' tests share: the real documents where they are there, and homes to work in."""

import gc
import os
import shutil
from contextlib import contextmanager
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import pytest
import yaml
from filelock import FileLock
from hypothesis import settings

from api.brain import Brain
from api.http.routes import price_routes
from api.services import exports
from api.settings import SHIPPED, Settings
from compute.catalogs import catalog_files
from compute.runs import notice_delivery
from graph.store import database_engine

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("wild", derandomize=False, deadline=None, max_examples=1000)
settings.load_profile("steady")
"""The same inputs on every machine; `pytest --hypothesis-profile=wild` looks for new ones."""

ROOT = Path(__file__).parents[1]
DOCUMENTS = ROOT.parent / "shared/documents"
TODAY = date(2026, 11, 21)
NOW = datetime(2026, 11, 21, 6, 30, tzinfo=UTC)


def pytest_addoption(parser):
    """How long schemathesis looks; `pytest --api-examples=100 tests/http` looks for hours."""
    parser.addoption("--api-examples", type=int, default=1, help="examples that schemathesis makes for each operation")


LONG = (
    *("test_patterns", "test_http_streams", "test_http_description"),
    *("test_installed", "test_http_clients", "test_derived_values", "test_private_brains", "test_vault_pages"),
    *("test_a_year_of_nights", "test_backup", "test_two_servers", "test_pages_browser"),
)
"""The modules with the longest tests; they come first, so that at the end no process waits for another's."""


def pytest_collection_modifyitems(items):
    """The long modules first; the others stay in their order."""
    items.sort(key=lambda item: item.path.stem not in LONG)


def pytest_collection_finish():
    """What was imported and collected lives to the end; the garbage collector need not look through it again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def _each_module_once():
    """What outlives a module is looked through once too: a test that collects garbage looks at that of its module only."""
    yield
    gc.collect()
    gc.freeze()


WITH_PRAGMAS = database_engine._with_pragmas
"""How a connection to SQLite is set up; a test of what is on the disk sets it again."""


@pytest.fixture(scope="session", autouse=True)
def _without_the_world():
    """No settings from outside and no network; nobody waits for the disk, or between attempts at a delivery."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("BRAIN_")]:
            patch.delenv(name)
        patch.setenv("BRAIN_OFFLINE", "1")
        patch.setattr(os, "fsync", lambda _file: None)
        patch.setattr(database_engine, "_with_pragmas", lambda *given: WITH_PRAGMAS(*given, "synchronous=OFF"))
        patch.setattr(notice_delivery, "sleep", lambda _seconds: None)
        yield


@pytest.fixture(scope="session")
def real_documents():
    if not DOCUMENTS.is_dir():
        pytest.skip("the real documents are not next to the repository (../shared/documents)")
    return DOCUMENTS


def made_once(tmp_path_factory, name, make):
    """A folder that one of the processes of this run makes, for all of them."""
    base = tmp_path_factory.getbasetemp()
    made = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with FileLock(f"{made}.lock"):
        if not (made / "done").exists():
            made.mkdir()
            make(made)
            (made / "done").touch()
    return made


def home_with(tmp_path_factory, name, *paths, verified=True, **options):
    """A home with documents, verified once: a copy of the one of this run."""

    def make(folder):
        with Brain.open(Settings(home=folder / "home")) as brain:
            report = brain.ingest(paths, at=NOW, **options)
            assert report.stored, [problem.render() for problem in report.problems]
            if verified:
                run = brain.verify(TODAY, at=NOW, clock=lambda: NOW)
                assert {"holds", "stale", "refuted", "depends"} <= run.counts.keys()
                brain.search.refresh()

    made = made_once(tmp_path_factory, name, make)
    return Path(shutil.copytree(made / "home", tmp_path_factory.mktemp(name) / "home"))


@pytest.fixture(scope="session")
def shipped_home(tmp_path_factory):
    """A home with the content that ships, verified once. Read it; write to a copy (`shipped_copy`)."""
    return home_with(tmp_path_factory, "shipped", shipped=True)


PART = (
    *("*.yaml", "prices/*.yaml", "terms/serving-metrics.yaml", "terms/inference-and-serving.yaml"),
    *("claims/caching-batch-and-routing.yaml", "claims/the-two-questions.yaml", "claims/kv-cache-and-batching.yaml"),
)
"""Files of the content that ships: every kind of rule, and all that the examples of the description name."""

EXAMPLE_NODES = ("caching-and-batch-stack", "batch-size-and-gpu-utilisation", "transformer-2017-base-configuration")
"""The notes that the examples of the description name."""


def write_part(folder):
    """Copy the part to a folder; gives it."""
    rules = [file for pattern in PART for file in SHIPPED.glob(pattern)]
    claims = [claim for file in rules for claim in yaml.safe_load(file.read_text("utf-8")).get("claims", ())]
    slugs = dict.fromkeys([*EXAMPLE_NODES, *(claim["node"].removeprefix("analyst/") for claim in claims)])
    for file in (*rules, *(SHIPPED / f"notes/{slug}.md" for slug in slugs)):
        target = folder / file.relative_to(SHIPPED)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    return folder


@pytest.fixture(scope="session")
def part_home(tmp_path_factory):
    """A home with a part of the content that ships, verified: its claims have four of the verdicts. Read it only."""
    return home_with(tmp_path_factory, "part", write_part(tmp_path_factory.mktemp("part") / "content"))


@pytest.fixture
def part_copy(part_home, tmp_path):
    return Path(shutil.copytree(part_home, tmp_path / "part"))


@pytest.fixture(scope="session")
def documents_home(tmp_path_factory, real_documents):
    """A home with the five real documents. Read it only."""
    return home_with(tmp_path_factory, "documents", real_documents, verified=False)


@pytest.fixture(scope="session")
def shipped_brain(shipped_home):
    """The content that ships, for reading: what is derived from it is made once."""
    with Brain.open(Settings(home=shipped_home)) as opened:
        yield opened


@pytest.fixture
def shipped_copy(shipped_home, tmp_path):
    return Path(shutil.copytree(shipped_home, tmp_path / "home"))


@cache
def _few():
    whole = catalog_files.packaged()
    kept = {
        name: tuple(one for one in getattr(whole, name) if one.item.startswith("anthropic/"))
        for name in ("prices", "names")
    }
    return whole.model_copy(update=kept)


@contextmanager
def few_packaged_prices():
    """Of the packaged catalogue only the prices of Anthropic: each run packs and compares all that a home knows."""
    few = _few()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalog_files, "packaged", lambda: few)
        yield


def _export(store, settings, form, base):
    with Brain.open(settings) as brain:
        yield from exports.pieces(brain.for_reader(store.hidden), form, base)


@pytest.fixture(scope="module")
def exports_here():
    """Exports over HTTP are made by this process: one of their own takes two seconds of the processor for each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(price_routes, "exported", _export)
        yield


@pytest.fixture
def few_prices():
    """For homes whose claims are about cards of their own."""
    with few_packaged_prices():
        yield
