"""Screenshots of every kind of page, at four widths, in both schemes and in two font sets.

python -m tests.pages.shots --out screenshots             the content that ships
python -m tests.pages.shots --only graph --widths 390     one kind at one width
python -m tests.pages.shots --best docs/pictures          the pictures of the README
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from api.brain import Brain
from api.pages.page_request import path_of, work_path
from api.settings import Settings
from graph.models.node_models import Kind
from graph.models.query_models import NodeQuery
from tests.pages.conftest import FONTS, SERVED, launch, served
from tests.pages.measures import WIDTHS

SCHEMES = ("light", "dark")
FONT_SETS = (SERVED, "DejaVu")
"""The typefaces that the pages bring, and the widest fonts of a system without them."""

BEST = {
    "home": ("/", 1060),
    "node": ("/nodes/analyst/caching-and-batch-stack", 900),
    "claim": ("/claims/sonnet-cached-batch-discount", 1160),
    "graph": ("/graph?kind=pov", 1060),
}
"""The pictures of the README: the address, and the height in pixels."""

MORNING = date(2026, 12, 1)
"""A day on which prices of the shipped catalogue change."""


def addresses(brain: Brain) -> dict[str, str]:
    """A name and an address for every kind of page, of things that are in this brain."""
    store = brain.store
    lists = ("search", "claims", "prices", "tags", "sources", "terms", "runs", "changes", "graph", "errata", "record")
    found = {name: f"/{name}" for name in (*lists, "proof", "about")}
    found |= {"home": "/", "search-text": "/search?q=cache", "missing": "/nodes/no/such-node"}
    found |= {"claims-stale": "/claims?verdict=stale", "graph-thesis": "/graph?kind=thesis"}
    for kind in Kind:
        items = store.nodes.page(NodeQuery(kind=kind, limit=1)).items
        found |= {f"node-{kind.value}": path_of("nodes", item.id) for item in items}
    claims = sorted(store.claims.all(), key=lambda claim: (len(claim.given), claim.id))
    found |= {f"claim-{name}": path_of("claims", claim.id) for name, claim in zip("ab", claims[::-1], strict=False)}
    several = {
        "statements": [f"{path_of('nodes', node)}/statements" for node in store.claims.by_node()],
        "tag": [path_of("tags", tag.value) for tag in store.tags.all()],
        "source": [work_path(use.source.id) for use in store.sources.page(limit=1)],
        "run": [f"/runs/{run.id}" for run in store.ledger.runs(1)],
        "price": [path_of("prices", item) for item in (*brain.prices.book().families, *brain.prices.book().items())],
    }
    return found | {name: some[0] for name, some in several.items() if some}


def shoot(brain: Brain, given: argparse.Namespace, clock: Callable[[], datetime]) -> None:
    """Make all screenshots."""
    given.out.mkdir(parents=True, exist_ok=True)
    shown = {name: at for name, at in addresses(brain).items() if given.only in name}
    with served(brain, clock) as site, sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        for fonts in given.fonts:
            browser = launch(playwright, fonts, Path(folder))
            for width in given.widths:
                page = browser.new_page(viewport={"width": width, "height": 900})
                load_typefaces(page, site)
                for name, address in shown.items():
                    page.goto(site + address, wait_until="networkidle")
                    pictures(page, given, f"{name}-{width}-{fonts}")
                page.context.close()
            browser.close()


def load_typefaces(page: Page, site: str) -> None:
    """Open a page, so that the browser has its typefaces: a page whose fonts come late is shown without them."""
    page.goto(f"{site}/about")
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(300)


def pictures(page: Page, given: argparse.Namespace, name: str) -> None:
    """The full page in each scheme."""
    for scheme in given.schemes:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(50)
        page.screenshot(path=given.out / f"{name}-{scheme}.png", full_page=True)


@contextmanager
def shipped(morning: date) -> Iterator[tuple[Brain, datetime]]:
    """The content that ships, verified on a day and on the day before; and the time of the second run."""
    at = datetime(morning.year, morning.month, morning.day, 6, tzinfo=UTC)
    with tempfile.TemporaryDirectory() as home, Brain.open(Settings(home=Path(home))) as brain:
        brain.use_clock(lambda: at)
        brain.ingest([], at=at - timedelta(days=1), shipped=True)
        for one in (at - timedelta(days=1), at):
            brain.verify(one.date(), at=one, clock=lambda one=one: one)
        brain.search.refresh()
        yield brain, at


def shoot_best(out: Path) -> None:
    """The pictures of the README, on the morning after a price has changed."""
    out.mkdir(parents=True, exist_ok=True)
    with (
        shipped(MORNING) as (brain, morning),
        served(brain, lambda: morning) as site,
        sync_playwright() as playwright,
        tempfile.TemporaryDirectory() as folder,
    ):
        browser = launch(playwright, SERVED, Path(folder))
        for name, (address, height) in BEST.items():
            page = browser.new_page(viewport={"width": 1280, "height": height}, color_scheme="light")
            load_typefaces(page, site)
            page.goto(site + address)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=out / f"{name}.png")
        browser.close()


def _read_arguments() -> argparse.Namespace:
    """What to show: widths in pixels, schemes, font sets, and a part of the names of the pages."""
    parser = argparse.ArgumentParser(description=re.split(r"\n\n", __doc__ or "")[0])
    parser.add_argument("--out", type=Path, default=Path("screenshots"))
    parser.add_argument("--widths", type=int, nargs="+", default=WIDTHS)
    parser.add_argument("--schemes", nargs="+", choices=SCHEMES, default=SCHEMES)
    parser.add_argument("--fonts", nargs="+", choices=(SERVED, *sorted(FONTS)), default=FONT_SETS)
    parser.add_argument("--only", default="", help="only pages with these letters in their name")
    parser.add_argument("--best", type=Path, help="a folder for the pictures of the README")
    return parser.parse_args()


def main() -> None:
    """Read the command line."""
    given = _read_arguments()
    if given.best:
        return shoot_best(given.best)
    with shipped(MORNING) as (brain, morning):
        return shoot(brain, given, lambda: morning)


if __name__ == "__main__":
    main()
