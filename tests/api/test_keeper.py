"""What is made ready beside the service, so that readers do not wait."""

import threading
from datetime import UTC, date, datetime

import pytest

from api.brain import Brain
from api.keeper import Keeper
from api.pages.asked import Asked
from api.pages.board import Desk
from api.pages.ready import LISTS, ready
from api.pages.routes import PAGES
from api.settings import Settings
from tests.pages.invented import TODAY, filled


class Counter:
    """A version, and a job that says for which versions it was called."""

    def __init__(self):
        self.number, self.seen, self.told = 1, [], threading.Semaphore(0)

    def job(self):
        self.seen.append(self.number)
        self.told.release()
        if self.number == 2:
            raise OSError("the disk is full")

    def wait(self):
        assert self.told.acquire(timeout=10)


def test_the_job_is_done_at_once_and_after_every_write_and_outlives_its_failures(capsys):
    counter = Counter()
    with Keeper(lambda: counter.number, counter.job, every=0.001):
        for number in (1, 2, 3):
            counter.number = number
            counter.wait()
    assert counter.seen == [1, 2, 3]
    told = capsys.readouterr()
    assert "the disk is full" in told.out + told.err


def test_every_list_is_a_page_that_is_served():
    assert set(LISTS) <= set(PAGES)


@pytest.fixture
def desk(tmp_path):
    with filled(tmp_path) as brain:
        yield Desk(brain)


@pytest.mark.parametrize(("path", "page"), LISTS)
def test_after_a_write_a_list_that_is_ready_is_as_quick_as_it_will_be(desk, path, page):
    note = "---\ntitle: A quay at dawn\n---\nCranes stand idle.\n"
    (desk.brain.settings.home / "note.md").write_text(note)
    desk.brain.ingest([desk.brain.settings.home / "note.md"], at=datetime(2026, 11, 21, tzinfo=UTC))
    ready(desk, TODAY)
    asked = [_questions(desk, page, path) for _ in range(2)]
    assert asked[0] == asked[1]


def _questions(desk, page, path):
    with desk.store.counting() as tally:
        page(desk, Asked(path, TODAY))
    return tally.statements


def test_an_empty_brain_is_ready_too(tmp_path):
    with Brain.open(Settings(home=tmp_path)) as brain:
        ready(Desk(brain), date(2026, 11, 21))
