"""A webhook answered 500, its operator mended it and ran the night again: it sent nothing, said nothing and ended with 0."""

from datetime import timedelta

import pytest

from tests.compute.receivers import SECRET, Receiver
from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`
from tests.stories.written import stated

PRICE = 'price("anthropic/claude-sonnet-5-5", "input")'


@pytest.fixture
def receiver(monkeypatch):
    """A webhook that refuses three attempts and then works."""
    with Receiver(500, 500, 500) as found:
        monkeypatch.setenv("BRAIN_WEBHOOK_URL", found.url)
        monkeypatch.setenv("BRAIN_WEBHOOK_SECRET", SECRET)
        yield found


def test_a_night_that_is_too_early_for_what_is_pending_says_when_and_ends_with_4(home, receiver):
    home.on("2026-11-10")
    stated(home, "sonnet", PRICE, "1 USD/Mtok")
    failed = home("nightly", "--no-refresh", "--json")
    assert (failed.code, failed.json["delivery"]["failed"]) == (4, 1)
    due = failed.json["delivery"]["next_try"]
    assert due > home.moment.isoformat()

    home.moment += timedelta(minutes=3)
    early = home("nightly", "--no-refresh")
    assert early.code == 4
    assert "0 delivered, 0 failed, 0 given up, 1 waiting; a night tries again from 2026-11-10 06:40 UTC on" in early.out
    assert "a night after 2026-11-10 06:40 UTC retries the pending ones" in home("check").out
    told = home("nightly", "--no-refresh", "--json").json
    assert (told["outcome"], told["delivery"]["waiting"], told["delivery"]["next_try"]) == ("not delivered", 1, due)
    assert len(receiver.got) == 3

    home.moment += timedelta(minutes=10)
    sent = home("nightly", "--no-refresh", "--json")
    assert (sent.code, sent.json["delivery"]["delivered"], sent.json["delivery"]["next_try"]) == (0, 1, None)
    assert len(receiver.got) == 4
