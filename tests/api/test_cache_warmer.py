"""The cache warm-up next to the service, so that readers do not wait."""

import threading
from datetime import UTC, date, datetime

import pytest

from api.brain import Brain
from api.pages import page_warmup
from api.pages.page_routes import PAGES
from api.pages.page_warmup import LISTS, warm_up
from api.pages.request.page_request import PageRequest
from api.pages.views.claim_table import PageContext
from api.services.cache_warmer import CacheWarmer
from api.settings import Settings
from graph.links import node_graph
from graph.links.node_graph import NodeGraph
from tests.pages.invented import TODAY, filled


class Counter:
    """A version, and a job that records for which versions it was called and fails on demand."""

    def __init__(self, failures=()):
        self.number, self.seen, self.told = 1, [], threading.Semaphore(0)
        self.failures = list(failures)

    def job(self):
        self.seen.append(self.number)
        failure = self.failures.pop(0) if self.failures else None
        self.told.release()
        if failure:
            raise failure

    def wait(self):
        assert self.told.acquire(timeout=10)


def test_the_job_is_done_at_once_and_after_every_write():
    counter = Counter()
    with CacheWarmer(lambda: counter.number, counter.job, every=0.001):
        for number in (1, 2, 3):
            counter.number = number
            counter.wait()
    assert counter.seen == [1, 2, 3]


def _waited(version, job, pauses, **limits):
    """The pauses of a cache warmer that checks the version so many times."""
    waited, ended = [], threading.Event()

    def wait(seconds):
        waited.append(seconds)
        if len(waited) >= pauses:
            ended.set()
            keeper._ended.set()

    keeper = CacheWarmer(version, job, wait=wait, **limits)
    with keeper:
        assert ended.wait(10)
    return waited


def _lines(told, text):
    return (told.out + told.err).count(text)


def test_a_job_that_fails_is_tried_again_without_a_write_and_ever_more_rarely(capsys):
    counter = Counter([OSError("the disk is full")] * 5)
    waited = _waited(lambda: 1, counter.job, 8, every=0.25, longest=3.0)
    assert waited == [0.5, 1.0, 2.0, 3.0, 3.0, 0.25, 0.25, 0.25]
    assert len(counter.seen) == 6, "five times in vain, then once, and no more without a write"
    told = capsys.readouterr()
    assert _lines(told, "cache warm-up failed") == 1
    assert _lines(told, "the disk is full") == 1
    assert _lines(told, "cache warm-up works again") == 1


def test_a_store_that_fails_is_logged_once_for_each_way_in_which_it_does(capsys):
    failures = [
        OSError("gone 1"),
        OSError("gone 2"),
        ValueError("odd"),
        ValueError("odd"),
        None,
        OSError("gone 3"),
        None,
    ]

    def version():
        failure = failures.pop(0) if failures else None
        if failure:
            raise failure
        return 1

    counter = Counter()
    waited = _waited(version, counter.job, 8, every=1.0, longest=60.0)
    assert waited == [2.0, 4.0, 8.0, 16.0, 1.0, 2.0, 1.0, 1.0]
    assert counter.seen == [1]
    told = capsys.readouterr()
    assert _lines(told, "cache warm-up failed") == 3
    assert _lines(told, "cache warm-up works again") == 2
    assert _lines(told, "gone 2") == 0


def test_a_write_while_the_job_runs_is_followed_by_another_run():
    counter = Counter()

    def job():
        counter.job()
        counter.number = 2

    _waited(lambda: counter.number, job, 4)
    assert counter.seen == [1, 2]


def test_every_list_is_a_page_that_is_served():
    assert set(LISTS) <= set(PAGES)


@pytest.fixture
def context(tmp_path):
    with filled(tmp_path) as brain:
        yield PageContext(brain)


@pytest.mark.parametrize(("path", "page"), LISTS)
def test_after_a_write_a_list_that_is_ready_is_as_quick_as_it_will_be(context, path, page):
    note = "---\ntitle: A quay at dawn\n---\nCranes stand idle.\n"
    (context.brain.settings.home / "note.md").write_text(note)
    context.brain.ingest([context.brain.settings.home / "note.md"], at=datetime(2026, 11, 21, tzinfo=UTC))
    warm_up(context, TODAY)
    asked = [_questions(context, page, path) for _ in range(2)]
    assert asked[0] == asked[1]


def _questions(context, page, path):
    with context.brain.store.counting() as tally:
        page(context, PageRequest(path, TODAY))
    return tally.statements


def test_an_empty_brain_is_ready_too(tmp_path):
    with Brain.open(Settings(home=tmp_path)) as brain:
        warm_up(PageContext(brain), date(2026, 11, 21))


def test_of_a_large_brain_no_graph_is_built_before_a_reader_asks_for_it(context, monkeypatch):
    built = []

    class Watched(NodeGraph):
        def __init__(self, store):
            built.append(store)
            super().__init__(store)

    monkeypatch.setattr(node_graph, "NodeGraph", Watched)
    monkeypatch.setattr(page_warmup, "MOST_NODES", 0)
    warm_up(context, TODAY)
    assert not built
    page_warmup.graph_page.page(context, PageRequest("/graph", TODAY))
    assert built
