"""The invented brain served, and a browser for it."""

import os
from functools import cache
from pathlib import Path

import httpx
import pytest

from api.pages import page_routes
from api.pages.page_request import PageRequest
from api.pages.render.template_renderer import TemplateRenderer
from api.pages.views.claim_table import PageContext
from tests.pages.invented import TODAY, at, filled
from tests.web_client import application, running

CHROMIUM = Path("/usr/bin/chromium")
FONTS = {"DejaVu": Path("/usr/share/fonts/truetype/dejavu")}
SERVED = "served"
"""The typefaces that the pages bring, with DejaVu for what these do not have."""

FONT_PACKAGES = {"DejaVu": "fonts-dejavu-core"}
"""The family in which pages are shown without their own: the widest that every Debian has."""


@pytest.fixture(scope="session")
def brain(tmp_path_factory):
    with filled(tmp_path_factory.mktemp("pages")) as opened:
        yield opened


def served(brain, clock=lambda: at(TODAY, 7)):
    """The complete service on a free port; gives its address."""
    return running(application(brain, clock))


@pytest.fixture(scope="session")
def site(brain):
    with served(brain) as address:
        yield address


@pytest.fixture(scope="module")
def client(site):
    with httpx.Client(base_url=site, headers={"accept": "text/html"}, timeout=60) as opened:
        yield opened


renderer = cache(TemplateRenderer)
"""One for all tests: to read the templates takes most of the time of a page."""


class Rendered:
    """The pages of a brain on a day, without a server."""

    def __init__(self, brain, today=TODAY):
        self.context, self.today = PageContext(brain), today

    def answer(self, route, query=(), **parts):
        request = PageRequest(route, self.today, parts, tuple(query))
        return page_routes.answer(dict(page_routes.PAGES)[route], self.context, renderer(), request)

    def text(self, route, query=(), **parts):
        return self.answer(route, query, **parts).body.decode()


@pytest.fixture(scope="session")
def shipped_pages(shipped_brain):
    """The pages of the content that ships; each is made once: the morning report takes two seconds."""
    pages = Rendered(shipped_brain)
    made = cache(pages.answer)
    pages.answer = lambda route, query=(), **parts: made(route, tuple(query), **parts)
    return pages


@pytest.fixture(scope="module")  # playwright leaves an event loop in the thread while it is open
def browsers(tmp_path_factory):
    """Gives a browser that has the fonts of one family and no others, so that widths do not depend on the machine.

    It does not load the typefaces that the pages bring: without them the pages are widest. The family `SERVED` loads them.
    """
    sync = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip("Debian's chromium is not installed (apt-get install chromium)")
    opened = {}

    def browser(family):
        installed = "DejaVu" if family == SERVED else family
        if not FONTS[installed].is_dir():
            pytest.skip(f"the fonts are not installed (apt-get install {FONT_PACKAGES[installed]})")
        if family not in opened:
            opened[family] = launch(playwright, family, tmp_path_factory.mktemp("fonts"))
        return opened[family]

    with sync.sync_playwright() as playwright:
        yield browser
        for one in opened.values():
            one.close()


def launch(playwright, family, folder):
    """A browser that has the fonts of one family and no others; `SERVED`: the typefaces that the pages bring too."""
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
    config = write_font_config(folder, "DejaVu" if family == SERVED else family)
    return playwright.chromium.launch(
        executable_path=str(CHROMIUM),
        args=[*arguments, *([] if family == SERVED else ["--disable-remote-fonts"])],
        env={**os.environ, "FONTCONFIG_FILE": str(config)},
    )


def write_font_config(folder, family):
    """A configuration of fontconfig that names the folder of one family, and its fonts for the generic names."""
    names = {"sans-serif": "Sans", "serif": "Serif", "monospace": "Sans Mono"}
    aliases = "".join(
        f"<alias><family>{generic}</family><prefer><family>{family} {name}</family></prefer></alias>"
        for generic, name in names.items()
    )
    path = folder / "fonts.conf"
    path.write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">'
        f"<fontconfig><dir>{FONTS[family]}</dir><cachedir>{folder}</cachedir>{aliases}</fontconfig>",
        "utf-8",
    )
    return path


@pytest.fixture(scope="module")
def chromium(browsers):
    return browsers("DejaVu")


class Visit:
    """A tab that remembers what went wrong: errors of scripts, refused loads, requests to other hosts."""

    def __init__(self, chromium, site, **options):
        self.context = chromium.new_context(base_url=site, **options)
        self.page = self.context.new_page()
        self.wrong = []
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("console", lambda told: told.type == "error" and self.wrong.append(f"console: {told.text}"))
        self.page.on("dialog", lambda dialog: (self.wrong.append("a dialog opened"), dialog.dismiss()))
        self.page.on("request", lambda one: one.url.startswith(site) or self.wrong.append(f"requested {one.url}"))


@pytest.fixture
def visit(chromium, site):
    """Opens tabs on pages of the served brain; at the end nothing may have gone wrong in any."""
    opened = []

    def begin(address=None, **options):
        opened.append(Visit(chromium, site, **options))
        if address:
            opened[-1].page.goto(address)
        return opened[-1].page

    yield begin
    wrong = [told for one in opened for told in one.wrong]
    for one in opened:
        one.context.close()
    assert not wrong
