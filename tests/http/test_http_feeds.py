"""Feeds over a ledger with many changes: how many entries they have, and how large they are."""

import shutil
from datetime import UTC, date, datetime
from xml.etree import ElementTree as ET

import pytest

from api import feeds
from api.brain import Brain
from api.settings import Settings
from graph.values import dumps
from tests.web_client import web_client

ATOM = "{http://www.w3.org/2005/Atom}"
DAYS = (*(date(year, month, 1) for year in range(2022, 2027) for month in (2, 4, 6, 8, 11)), date(2026, 11, 21))


@pytest.fixture(scope="module")
def changed_verdicts(part_home, tmp_path_factory):
    """A client over a part of the shipped content, verified on distant days in turn, then on the same day again."""
    home = shutil.copytree(part_home, tmp_path_factory.mktemp("turned") / "home")
    at = datetime(2026, 11, 21, 7, tzinfo=UTC)
    with Brain.open(Settings(home=home)) as brain:
        for day in (*DAYS, DAYS[-1], DAYS[-1], DAYS[-1]):
            then = datetime.combine(day, at.timetz())
            brain.verify(day, at=then, clock=lambda then=then: then)
        with web_client(brain, lambda: at, pages=False) as client:
            yield client


def ids(answer):
    if answer.headers["content-type"].startswith("application/atom"):
        return [one.findtext(f"{ATOM}id") for one in ET.fromstring(answer.content).iter(f"{ATOM}entry")]
    return [one["id"] for one in answer.json()["items"]]


@pytest.mark.parametrize("form", ["atom", "json"])
def test_the_limit_of_a_feed_counts_entries(changed_verdicts, form):
    everything = ids(changed_verdicts.get(f"/feed.{form}?limit=1000"))
    assert len(everything) > 60
    assert ids(changed_verdicts.get(f"/feed.{form}")) == everything[:50]
    for limit in (1, 7, 60):  # the last runs, in which nothing changed, do not use it up
        assert ids(changed_verdicts.get(f"/feed.{form}?limit={limit}")) == everything[:limit]


def test_a_feed_of_one_claim_finds_it_behind_the_others(changed_verdicts):
    everything = ids(changed_verdicts.get("/feed.json?limit=1000"))
    last = [one for one in everything if "/claims/" in one][-1]
    assert last in ids(changed_verdicts.get(f"/feed.json?claim={last.rpartition('/')[2]}&limit=5"))


def test_the_errata_of_a_run_are_one_entry_behind_its_prices(changed_verdicts):
    items = changed_verdicts.get("/feed.json?limit=1000").json()["items"]
    runs = {}
    for one in items:
        runs.setdefault(one["id"].split("/runs/")[1].split("/")[0].split("#")[0], []).append(one)
    audits = [listed[-1] for listed in runs.values() if any(one["id"].endswith("#errata") for one in listed)]
    assert audits
    assert all(one["url"].endswith("/errata") and one["title"].startswith("Audit of sources: ") for one in audits)
    assert not any("refuted" in one["tags"] for one in items)
    assert len({one["id"] for one in items}) == len(items)


def test_a_feed_is_never_larger_than_its_bound():
    said = {"url": "u", "title": "t", "content_text": "<&>é" * 250, "date_published": "", "tags": ("stale",)}
    kept = feeds.bounded([feeds.FeedItem(id=f"{n}", **said) for n in range(1000)])
    assert 0 < len(kept) < 1000
    named = {"version": "https://jsonfeed.org/version/1.1", "language": "en", "title": "t", "updated": ""}
    whole = feeds.FeedView(**named, home_page_url="http://x/", feed_url="http://x/feed", items=kept)
    assert len(feeds.atom(whole).encode()) < feeds.MOST_BYTES + 2000
    assert len(dumps(whole).encode()) < feeds.MOST_BYTES + 2000
