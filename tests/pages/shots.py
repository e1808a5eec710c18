"""Pictures of every kind of page, at two widths and in both schemes, to be looked at.

python -m tests.pages.shots --home .brain --out screenshots
python -m tests.pages.shots --best docs/pictures        the four of the README, from the content that ships
"""

from __future__ import annotations

import argparse
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

import uvicorn
from playwright.sync_api import Page, sync_playwright

from api.brain import Brain
from api.http.app import build
from api.pages.page_routes import router
from api.pages.request.page_request import path_of, work_path
from api.pages.views.claim_table import PageContext
from api.settings import Settings
from graph.models.node_models import Kind
from graph.models.query_models import NodeQuery

CHROMIUM = "/usr/bin/chromium"
WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")
BEST = {
    "home": ("/", 1060),
    "node": ("/nodes/analyst/caching-and-batch-stack", 900),
    "claim": ("/claims/sonnet-cached-batch-discount", 1160),
    "graph": ("/graph?kind=reading", 940),
}
"""The pictures of the README: the address, and the height in pixels."""

MORNING = date(2026, 12, 1)
"""A day on which prices of the shipped catalogue change."""


def addresses(brain: Brain) -> dict[str, str]:
    """A name and an address for every kind of page, of things that are in this brain."""
    store = brain.store
    found = {
        name: f"/{name}"
        for name in ("search", "claims", "prices", "tags", "sources", "terms", "runs", "changes", "graph", "about")
    }
    found |= {"home": "/", "search-text": "/search?q=cache", "missing": "/nodes/no/such-node"}
    for kind in Kind:
        items = store.nodes.page(NodeQuery(kind=kind, limit=1)).items
        found |= {f"node-{kind.value}": path_of("nodes", item.id) for item in items}
    found |= {f"claim-{claim.id}": path_of("claims", claim.id) for claim in list(store.claims.all())[:3]}
    several = {
        "term": [path_of("terms", item.id) for item in store.nodes.page(NodeQuery(kind=Kind.TERM, limit=1)).items],
        "node-with-claims": [path_of("nodes", node) for node in store.claims.by_node()],
        "statements": [f"{path_of('nodes', node)}/statements" for node in store.claims.by_node()],
        "tag": [path_of("tags", tag.value) for tag in store.tags.all()],
        "source": [work_path(use.source.id) for use in store.sources.page(limit=1)],
        "run": [f"/runs/{run.id}" for run in store.ledger.runs(1)],
        "price": [path_of("prices", item) for item in (*brain.prices.book().families, *brain.prices.book().items())],
    }
    return found | {name: some[0] for name, some in several.items() if some}


@contextmanager
def served(brain: Brain, clock: Callable[[], datetime] | None = None) -> Iterator[str]:
    """The service on a free port."""
    config = uvicorn.Config(build(brain, pages=router(PageContext(brain), clock=clock)), log_level="error")
    server = uvicorn.Server(config)
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        threading.Thread(target=server.run, kwargs={"sockets": [held]}, daemon=True).start()
        yield f"http://127.0.0.1:{held.getsockname()[1]}"
        server.should_exit = True


def picture(page: Page, address: str, path: Path) -> int:
    """One picture of a whole page; gives by how many pixels it is wider than the window."""
    page.goto(address)
    page.evaluate("document.querySelectorAll('img').forEach(image => image.loading = 'eager')")
    page.wait_for_load_state("networkidle")
    page.screenshot(path=path, full_page=True)
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def shoot(home: Path, out: Path) -> int:
    """All pictures; gives how many pages were too wide."""
    out.mkdir(parents=True, exist_ok=True)
    wide = 0
    with Brain.open(Settings(home=home)) as brain, served(brain) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for width in WIDTHS:
            for scheme in SCHEMES:
                context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
                page = context.new_page()
                for name, address in addresses(brain).items():
                    over = picture(page, site + address, out / f"{name}-{width}-{scheme}.png")
                    wide += over > 0
                    print(f"{name} {width} {scheme}" + (f" is {over} pixels too wide" if over > 0 else ""))
                context.close()
        browser.close()
    return wide


def shoot_best(out: Path) -> None:
    """The pictures of the README, on the morning after a price has changed."""
    out.mkdir(parents=True, exist_ok=True)
    morning = datetime(MORNING.year, MORNING.month, MORNING.day, 6, tzinfo=UTC)
    with tempfile.TemporaryDirectory() as home, Brain.open(Settings(home=Path(home))) as brain:
        brain.ingest([], at=morning - timedelta(days=1), shipped=True)
        for at in (morning - timedelta(days=1), morning):
            brain.verify(at.date(), at=at, clock=partial(_still, at))
        with served(brain, partial(_still, morning)) as site, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            for name, (address, height) in BEST.items():
                page = browser.new_page(viewport={"width": 1280, "height": height}, color_scheme="light")
                page.goto(site + address)
                page.wait_for_load_state("networkidle")
                page.screenshot(path=out / f"{name}.png")
            browser.close()


def _still(at: datetime) -> datetime:
    return at


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--home", type=Path, default=Path(".brain"))
    parser.add_argument("--out", type=Path, default=Path("screenshots"))
    parser.add_argument("--best", type=Path, help="a folder for the pictures of the README")
    given = parser.parse_args()
    if given.best:
        return shoot_best(given.best)
    began = datetime.now(UTC)
    wide = shoot(given.home, given.out)
    print(f"done in {(datetime.now(UTC) - began).seconds} s; {wide} pages were too wide")
    return None


if __name__ == "__main__":
    main()
