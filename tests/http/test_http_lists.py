"""Lists: every item once by `next`, a bounded number of statements, and no formula in what is downloaded as CSV."""

import csv
import io
import re
import shutil
from datetime import UTC, date, datetime
from xml.etree import ElementTree as ET

import pytest

from api import feeds
from api.brain import Brain
from api.settings import Settings
from compute.figures.figure_checker import FigureChecker
from graph.text.csv_text import FORMULA, text_cell
from graph.values import dumps
from tests.statements import sent
from tests.web_client import web_client

BOUND = 14
"""The most statements that a list may send, whatever it holds."""

WALKS = ("/v1/nodes", "/v1/nodes?sort=newest", "/v1/tags", "/v1/tags?sort=name", "/v1/sources", "/v1/terms", "/v1/prices",
         "/v1/documents", "/v1/nodes?q=batch", "/v1/nodes?tag=batching")  # fmt: skip


SHORT = ("/v1/claims", "/v1/assumptions", "/v1/statements?tag=prompt-caching", "/v1/nodes/analyst/prefill-compute-decode-bandwidth/dependents", "/v1/runs",
         "/v1/errata", "/v1/runs/1", "/v1/prices/anthropic/sonnet/history", "/v1/claims/sonnet-cached-batch-discount/history",
         *(f"/v1/nodes/analyst/caching-and-batch-stack/{part}" for part in ("citations", "backlinks", "claims", "statements")),
         "/v1/prices/anthropic/sonnet", "/v1/price-lists", "/v1/terms/terms/kv-cache", "/problems")  # fmt: skip
EMPTY = {"/v1/acknowledgements", "/v1/changes"}
"""Lists that have no item in the content that ships."""


def walk(client, path, size):
    found, address = [], f"{path}{'&' if '?' in path else '?'}limit={size}"
    while address:
        page = client.get(address)
        assert page.status_code == 200, page.text
        told, address = page.json(), page.links.get("next", {}).get("url")
        found.append(told["items"] if "items" in told else told["verdicts"])
        assert (address is None) == (told["next"] is None)
    return found


def test_every_list_that_comes_in_parts_is_in_the_lists_of_these_tests(shipped):
    addresses = [path.partition("?")[0] for path in (*WALKS, *SHORT)]
    for path, methods in shipped.get("/openapi.json").json()["paths"].items():
        if any(one["name"] == "cursor" for one in methods.get("get", {}).get("parameters", ())) and path not in EMPTY:
            pattern = re.sub(r"\{\w+\}", ".+", path)
            assert any(re.fullmatch(pattern, address) for address in addresses), f"give an example of {path} in WALKS"


@pytest.mark.parametrize(("path", "size"), [*((one, 53) for one in WALKS), *((one, 7) for one in SHORT)])
def test_every_item_comes_once_whatever_the_size_of_a_page(shipped, path, size):
    small, large = ([str(item) for page in walk(shipped, path, limit) for item in page] for limit in (size, 1000))
    assert small == large
    assert len(small) == len(set(small)) > 0


@pytest.mark.parametrize("path", [*WALKS, *SHORT])
def test_every_list_has_the_bounds_of_lists_and_says_that_there_is_more(shipped, path):
    joiner = "&" if "?" in path else "?"
    for limit in ("0", "1001", "abc"):
        assert shipped.get(f"{path}{joiner}limit={limit}").status_code == 422
    assert len(walk(shipped, path, 1000)[0]) < 2 or shipped.get(f"{path}{joiner}limit=1").links["next"]


@pytest.mark.parametrize("path", [*WALKS, *SHORT, "/v1/changes"])
def test_a_list_sends_a_bounded_number_of_statements(shipped, path):
    shipped.get(
        f"{path}{'&' if '?' in path else '?'}limit=1000"
    )  # what is made once for a version of the store is made
    for limit in (2, 1000):
        with sent(shipped.brain.store) as statements:
            assert shipped.get(f"{path}{'&' if '?' in path else '?'}limit={limit}").status_code == 200
        assert len(statements) <= BOUND, limit


def test_statements_that_could_be_claims_are_reported_with_their_claim_and_narrowed(shipped):
    everything = [item for page in walk(shipped, "/v1/statements", 1000) for item in page]
    assert len({item["id"] for item in everything}) == len(everything)
    bodies = {node: shipped.get(f"/v1/nodes/{node}").json()["body"] for node in {item["node"] for item in everything}}
    for item in everything:
        assert item["quote"] in bodies[item["node"]]
        if item["claim"]:
            assert item["node"] in item["claim"]
            assert item["today"] in {"holds", "stale", "refuted", "unverifiable", "conflicting", "error"}
    for verdict in ("holds", "stale", "refuted"):
        narrowed = [item for page in walk(shipped, f"/v1/statements?verdict={verdict}", 99) for item in page]
        assert narrowed == [item for item in everything if item["verdict"] == verdict]
    sure = [item for page in walk(shipped, "/v1/statements?kind=price", 3) for item in page]
    assert sure == [item for item in everything if item["kind"] == "price" and item["confidence"] >= 0.8] != []
    node = everything[0]["node"]
    assert shipped.get(f"/v1/nodes/{node}/statements").json()["items"] == [i for i in everything if i["node"] == node]
    assert shipped.get("/v1/statements?brain=nobody").json() == {"items": [], "next": None}


def test_texts_are_mined_once_for_all_filters_until_a_node_changes(shipped, monkeypatch):
    """Each filter and each part of a walk mined the texts again: five seconds for the shipped brain."""
    mined = []
    mine = FigureChecker.check
    monkeypatch.setattr(FigureChecker, "check", lambda self, one: (mined.append(one.node), mine(self, one))[1])
    day = "as_of=2026-03-04"
    everything = [item for page in walk(shipped, f"/v1/statements?tag=prompt-caching&{day}", 3) for item in page]
    assert sorted(mined) == sorted(set(mined)) != []
    kinds = {item["kind"] for item in everything}
    by_kind = [f"/v1/statements?tag=prompt-caching&{day}&kind={kind}" for kind in sorted(kinds)]
    found = [item for address in by_kind for page in walk(shipped, address, 3) for item in page]
    assert sorted(item["id"] for item in found) == sorted(item["id"] for item in everything)
    assert len(mined) == len(set(mined))
    shipped.get(f"/v1/statements?tag=prompt-caching&limit=1000&{day[:-1]}5")
    assert len(mined) == 2 * len(set(mined)), "another day has other prices"


def test_a_walk_through_many_texts_comes_in_parts_that_may_be_short(shipped, monkeypatch):
    whole = [item for page in walk(shipped, "/v1/statements", 1000) for item in page]
    monkeypatch.setattr("api.services.texts.claim_drafts.MOST_READ", 60)
    parts = walk(shipped, "/v1/statements?tag=prompt-caching", 7)
    assert [item for page in walk(shipped, "/v1/statements", 7) for item in page] == whole
    assert all(len(page) <= 7 for page in parts)


FORMULAS = ("=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(A1)", "=cmd|' /C calc'!A0")
NOTE = """---
title: "{title}"
kind: reading
sources: [{{url: "https://a.example/x", title: "{title}"}}]
---
A batch costs half. #b
"""
DOWNLOADS = ("export?", "nodes?", "sources?", "documents?", "tags?", "nodes?q=batch&")
QUERY = "SELECT ?title WHERE { ?node <http://purl.org/dc/terms/title> ?title }"


@pytest.mark.usefixtures("exports_here")
def test_no_cell_of_a_download_is_a_formula_and_the_titles_are_there_as_text(own, put):
    for number, title in enumerate(FORMULAS):
        assert put(f"n{number}.md", NOTE.format(title=title)).status_code == 201
    titles = {f"'{title}" for title in FORMULAS}
    for name in DOWNLOADS:
        answer = own.get(f"/v1/{name}format=csv")
        assert answer.status_code == 200
        rows = list(csv.reader(io.StringIO(answer.text, newline="")))
        assert len(rows) > 1
        cells = {cell for row in rows for cell in row}
        assert {cell for cell in cells if cell.startswith(FORMULA) and cell != text_cell(cell)} == set()
        assert titles <= cells or "export" not in name
    told, exact = (own.get("/sparql", params={"query": QUERY, "format": form}) for form in ("csv", "tsv"))
    assert titles <= {row[0] for row in csv.reader(io.StringIO(told.text)) if row}
    assert {f'"{title}"' for title in FORMULAS} <= set(exact.text.split("\n"))


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
