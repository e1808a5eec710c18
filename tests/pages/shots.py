"""Screenshots of every kind of page, at four widths, in both schemes and in two font sets, with measurements.

python -m tests.pages.shots --out screenshots             the content that ships; --home DIR another brain
python -m tests.pages.shots --only graph --widths 390     one kind at one width
python -m tests.pages.shots --best docs/pictures          the pictures of the README

For each page it prints the layout shift at each width, the bytes, by how much it is too wide, and what axe finds. It
exits with 1 if any page is too wide or too large, shifts by more than 0.02, or violates a rule. `contact-*.png` shows the first
screen of all pages in one picture.
"""

from __future__ import annotations

import argparse
import os
import re
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from api.brain import Brain
from api.http.app import build
from api.pages.page_routes import router
from api.pages.request.page_request import path_of, work_path
from api.pages.views.claim_table import PageContext
from api.settings import Settings
from graph.models.node_models import Kind
from graph.models.query_models import NodeQuery
from tests.pages.conftest import CHROMIUM, FONTS, NO_SERVED_FONTS, SERVED, write_font_config
from tests.pages.measures import MOST_BYTES, SHIFT, WIDTHS, layout_shift, observe, overflow, page_bytes, violations

SCHEMES = ("light", "dark")
FONT_SETS = (SERVED, "DejaVu")
"""The typefaces that the pages bring, and the widest fonts of a system without them."""

BEST = {
    "home": ("/", 1060),
    "node": ("/nodes/analyst/caching-and-batch-stack", 900),
    "claim": ("/claims/sonnet-cached-batch-discount", 1160),
    "graph": ("/graph?links=disputes", 1010),
}
"""The pictures of the README: the address, and the height in pixels."""

MORNING = date(2026, 12, 1)
"""A day on which prices of the shipped catalogue change."""

AXE_WIDTHS = (1280, 390)
"""axe runs at these widths, in the first font set, in both schemes."""

THUMBS = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 16px; font: 12px sans-serif; background: #888; display: grid; grid-template-columns: repeat({columns}, 1fr); gap: 12px }}
figure {{ margin: 0 }} img {{ width: 100%; aspect-ratio: {ratio}; object-fit: cover; object-position: top; display: block }}
figcaption {{ padding: 2px; color: #fff }}</style>{figures}"""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to show: widths in pixels, schemes, font sets, and a part of the names of the pages."""

    out: Path
    widths: Sequence[int] = WIDTHS
    schemes: Sequence[str] = SCHEMES
    fonts: Sequence[str] = FONT_SETS
    only: str = ""


@dataclass(slots=True)
class Measured:
    """One page: layout shift and surplus width by width in pixels (the worst of the font sets), bytes, violations."""

    html: int = 0
    rest: int = 0
    shift: dict[int, tuple[float, str]] = field(default_factory=dict)
    over: dict[int, int] = field(default_factory=dict)
    axe: set[str] = field(default_factory=set)

    def wrong(self) -> list[str]:
        """What is not as it should be, in words."""
        moved = [f"shift {value} at {width} ({by})" for width, (value, by) in self.shift.items() if value > SHIFT]
        return [
            *moved,
            *([f"{self.html:,} bytes"] if self.html > MOST_BYTES else []),
            *(f"{over} px too wide at {width}" for width, over in self.over.items() if over > 0),
            *sorted(self.axe),
        ]


def addresses(brain: Brain) -> dict[str, str]:
    """A name and an address for every kind of page, of things that are in this brain."""
    store = brain.store
    lists = ("search", "claims", "prices", "tags", "sources", "terms", "runs", "changes", "graph", "errata", "record")
    found = {name: f"/{name}" for name in (*lists, "proof", "about", "vocabulary")}
    found |= {"home": "/", "search-text": "/search?q=cache", "missing": "/nodes/no/such-node"}
    found |= {"claims-stale": "/claims?verdict=stale", "graph-thesis": "/graph?kind=thesis"}
    for kind in Kind:
        items = store.nodes.page(NodeQuery(kind=kind, limit=1)).items
        found |= {f"node-{kind.value}": path_of("nodes", item.id) for item in items}
    claims = sorted(store.claims.all(), key=lambda claim: (len(claim.given), claim.id))
    found |= {f"claim-{name}": path_of("claims", claim.id) for name, claim in zip("ab", claims[::-1], strict=False)}
    several = {
        "term": [path_of("terms", item.id) for item in store.nodes.page(NodeQuery(kind=Kind.TERM, limit=1)).items],
        "node-with-claims": [path_of("nodes", node) for node in store.claims.by_node()],
        "statements": [f"{path_of('nodes', node)}/statements" for node in store.claims.by_node()],
        "tag": [path_of("tags", tag.value) for tag in store.tags.all()],
        "source": [work_path(use.source.id) for use in store.sources.page(limit=1)],
        "run": [f"/runs/{run.id}" for run in store.ledger.runs(1)],
        "verdict": [f"/runs/{run.id}/claims/{claims[0].id}" for run in store.ledger.runs(1) if claims],
        "price": [path_of("prices", item) for item in (*brain.prices.book().families, *brain.prices.book().items())],
    }
    return found | {name: some[0] for name, some in several.items() if some}


@contextmanager
def served(brain: Brain, clock: Callable[[], datetime] | None = None) -> Iterator[str]:
    """The service on a free port."""
    app = build(brain, clock=clock, pages=router(PageContext(brain), clock=clock))
    config = uvicorn.Config(app, log_level="error")
    server = uvicorn.Server(config)
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        threading.Thread(target=server.run, kwargs={"sockets": [held]}, daemon=True).start()
        yield f"http://127.0.0.1:{held.getsockname()[1]}"
        server.should_exit = True


@contextmanager
def browser_with(playwright: Playwright, fonts: str) -> Iterator[Browser]:
    """A browser that has the fonts of one family and no others; `SERVED`: the typefaces that the pages bring."""
    installed = "DejaVu" if fonts == SERVED else fonts
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "FONTCONFIG_FILE": str(write_font_config(Path(folder), installed))}
        arguments = ["--no-sandbox", "--disable-gpu", *([] if fonts == SERVED else [NO_SERVED_FONTS])]
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=arguments, env=environment)
        yield browser
        browser.close()


def shoot(brain: Brain, plan: Plan, clock: Callable[[], datetime] | None = None) -> dict[str, Measured]:
    """Make all screenshots and contact sheets; gives the measurements by the name of the page."""
    plan.out.mkdir(parents=True, exist_ok=True)
    shown = {name: at for name, at in addresses(brain).items() if plan.only in name}
    found = {name: Measured() for name in shown}
    with served(brain, clock) as site, sync_playwright() as playwright:
        for number, fonts in enumerate(plan.fonts):
            with browser_with(playwright, fonts) as browser:
                for width in plan.widths:
                    page = browser.new_page(viewport={"width": width, "height": 900})
                    observe(page)
                    load_typefaces(page, site)
                    for name, address in shown.items():
                        visit(page, site + address, plan, found[name], number == 0)
                        pictures(page, plan, f"{name}-{width}-{fonts}")
                    page.context.close()
                    for scheme in plan.schemes:
                        contact(browser, plan, list(shown), width, f"{width}-{fonts}-{scheme}")
    return found


def load_typefaces(page: Page, site: str) -> None:
    """Open a page, so that the browser has its typefaces: a page whose fonts come late is shown without them."""
    page.goto(f"{site}/about")
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(300)


def visit(page: Page, address: str, plan: Plan, into: Measured, first: bool) -> None:
    """Open a page and measure it."""
    page.emulate_media(color_scheme=plan.schemes[0])
    page.goto(address)
    width = page.viewport_size["width"]
    into.shift[width] = max(into.shift.get(width, (0.0, "")), layout_shift(page))
    into.over[width] = max(into.over.get(width, 0), overflow(page))
    into.html, into.rest = page_bytes(page)
    if first and width in AXE_WIDTHS:
        for scheme in plan.schemes:
            page.emulate_media(color_scheme=scheme)
            into.axe |= {told.splitlines()[0] for told in violations(Axe().run(page))}


def pictures(page: Page, plan: Plan, name: str) -> None:
    """The full page in each scheme."""
    for scheme in plan.schemes:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(50)
        page.screenshot(path=plan.out / f"{name}-{scheme}.png", full_page=True)


def contact(browser: Browser, plan: Plan, names: Sequence[str], width: int, ending: str) -> None:
    """One picture of the first screens of all pages."""
    columns = 6 if width >= 800 else 10
    figures = (f'<figure><img src="{name}-{ending}.png"><figcaption>{name}</figcaption></figure>' for name in names)
    sheet = plan.out / f"contact-{ending}.html"
    sheet.write_text(THUMBS.format(columns=columns, ratio=f"{width}/900", figures="".join(figures)), "utf-8")
    page = browser.new_page(viewport={"width": 2000, "height": 900})
    page.goto(sheet.resolve().as_uri())
    page.screenshot(path=sheet.with_suffix(".png"), full_page=True)
    page.close()


@contextmanager
def shipped(morning: date) -> Iterator[tuple[Brain, datetime]]:
    """The content that ships, verified on a day and on the day before; and the time of the second run."""
    at = datetime(morning.year, morning.month, morning.day, 6, tzinfo=UTC)
    with tempfile.TemporaryDirectory() as home, Brain.open(Settings(home=Path(home))) as brain:
        brain.use_clock(partial(_still, at))
        brain.ingest([], at=at - timedelta(days=1), shipped=True)
        for one in (at - timedelta(days=1), at):
            brain.verify(one.date(), at=one, clock=partial(_still, one))
        brain.search.refresh()
        yield brain, at


def shoot_best(out: Path) -> None:
    """The pictures of the README, on the morning after a price has changed."""
    out.mkdir(parents=True, exist_ok=True)
    with (
        shipped(MORNING) as (brain, morning),
        served(brain, partial(_still, morning)) as site,
        sync_playwright() as playwright,
        browser_with(playwright, SERVED) as browser,
    ):
        for name, (address, height) in BEST.items():
            page = browser.new_page(viewport={"width": 1280, "height": height}, color_scheme="light")
            load_typefaces(page, site)
            page.goto(site + address)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=out / f"{name}.png")


def _still(at: datetime) -> datetime:
    return at


def report(found: dict[str, Measured], plan: Plan) -> int:
    """Print a line for each page, and what is wrong below it; gives how many pages have something wrong."""
    print(f"{'page':26}{'HTML':>8}{'rest':>9}  layout shift at {', '.join(map(str, plan.widths))}")
    for name, one in found.items():
        shifts = "  ".join(f"{one.shift[width][0]:.4f}" for width in plan.widths)
        print(f"{name:26}{one.html:8,}{one.rest:9,}  {shifts}", *one.wrong(), sep="\n    ")
    wrong = sum(bool(one.wrong()) for one in found.values())
    print(f"{len(found)} pages, {wrong} with something wrong")
    return wrong


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=re.split(r"\n\n", __doc__ or "")[0])
    parser.add_argument("--home", type=Path, help="a brain; without it the content that ships")
    parser.add_argument("--out", type=Path, default=Path("screenshots"))
    parser.add_argument("--widths", type=int, nargs="+", default=WIDTHS)
    parser.add_argument("--schemes", nargs="+", choices=SCHEMES, default=SCHEMES)
    parser.add_argument("--fonts", nargs="+", choices=(SERVED, *sorted(FONTS)), default=FONT_SETS)
    parser.add_argument("--only", default="", help="only pages with these letters in their name")
    parser.add_argument("--best", type=Path, help="a folder for the pictures of the README")
    return parser.parse_args()


def main() -> int:
    """Read the command line; gives the exit code."""
    given = _read_arguments()
    if given.best:
        shoot_best(given.best)
        return 0
    plan = Plan(given.out, given.widths, given.schemes, given.fonts, given.only)
    if given.home:
        with Brain.open(Settings(home=given.home)) as brain:
            return report(shoot(brain, plan), plan) > 0
    with shipped(MORNING) as (brain, morning):
        return report(shoot(brain, plan, partial(_still, morning)), plan) > 0


if __name__ == "__main__":
    sys.exit(main())
