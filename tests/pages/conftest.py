"""The invented brain served, and a browser for it."""

import os
import socket
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn

from api.http.app import build
from api.pages.page_routes import router
from api.pages.views.claim_table import PageContext
from tests.pages.invented import TODAY, at, filled

CHROMIUM = Path("/usr/bin/chromium")
FONTS = {"DejaVu": Path("/usr/share/fonts/truetype/dejavu")}
SERVED = "served"
"""The typefaces that the pages bring, with DejaVu for what these do not have."""

NO_SERVED_FONTS = "--disable-remote-fonts"
FONT_PACKAGES = {"DejaVu": "fonts-dejavu-core"}
"""The family in which pages are shown without their own: the widest that every Debian has."""


@pytest.fixture(scope="session")
def brain(tmp_path_factory):
    """The small brain, for reading."""
    with filled(tmp_path_factory.mktemp("pages")) as opened:
        yield opened


@contextmanager
def served(brain):
    """The complete service on a free port; gives its address."""
    pages = router(PageContext(brain), clock=lambda: at(TODAY, 7))
    server = uvicorn.Server(
        uvicorn.Config(build(brain, clock=lambda: at(TODAY, 7), pages=pages), log_level="error", lifespan="on")
    )
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [held]}, daemon=True)
        thread.start()
        while not server.started:
            thread.join(0.02)
            assert thread.is_alive(), "the server did not start"
        try:
            yield f"http://127.0.0.1:{held.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)


@pytest.fixture(scope="session")
def site(brain):
    """The address of the served brain."""
    with served(brain) as address:
        yield address


@pytest.fixture(scope="module")  # playwright leaves an event loop in the thread while it is open
def browsers(tmp_path_factory):
    """Gives a browser that has the fonts of one family and no others, so that widths do not depend on the machine.

    It does not load the typefaces that the pages bring: without them the pages are widest. The family `SERVED` loads them.
    """
    sync = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip("Debian's chromium is not installed (apt-get install chromium)")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
    opened = {}

    def browser(family):
        installed = "DejaVu" if family == SERVED else family
        if not FONTS[installed].is_dir():
            pytest.skip(f"the fonts are not installed (apt-get install {FONT_PACKAGES[installed]})")
        if family not in opened:
            config = write_font_config(tmp_path_factory.mktemp("fonts"), installed)
            environment = {**os.environ, "FONTCONFIG_FILE": str(config)}
            more = [] if family == SERVED else [NO_SERVED_FONTS]
            opened[family] = playwright.chromium.launch(
                executable_path=str(CHROMIUM), args=[*arguments, *more], env=environment
            )
        return opened[family]

    with sync.sync_playwright() as playwright:
        yield browser
        for one in opened.values():
            one.close()


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
    """A browser."""
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
        self.page.on(
            "request", lambda request: request.url.startswith(site) or self.wrong.append(f"requested {request.url}")
        )


@pytest.fixture
def visit(chromium, site):
    """Opens tabs on the served brain; at the end nothing may have gone wrong in any."""
    opened = []

    def begin(**options):
        one = Visit(chromium, options.pop("site", site), **options)
        opened.append(one)
        return one.page

    yield begin
    wrong = [told for one in opened for told in one.wrong]
    for one in opened:
        one.context.close()
    assert not wrong
