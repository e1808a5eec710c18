"""What a browser measures of a page: layout shift, width, bytes, text that is too small, violations of axe's rules."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

SHIFT = 0.02
"""The most layout shift of a page, in Chromium's score: the share of the window that moved, times how far it moved."""


WIDTHS = (1280, 800, 390, 320)

OBSERVER = """
window.shifts = [];
new PerformanceObserver(list => list.getEntries().forEach(one => one.hadRecentInput || window.shifts.push({
  value: one.value,
  from: one.sources.map(part => part.node && (part.node.id || part.node.className || part.node.nodeName)).join(" "),
}))).observe({type: "layout-shift", buffered: true});
"""
"""Run this before the page's own scripts: it collects every layout shift that no key or click caused."""

SCROLLED = """async () => {
  const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
  await frame();
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
    scrollTo({top, behavior: "instant"});
    await frame();
  }
  await Promise.all([...document.images].filter(one => !one.complete).map(one => new Promise(done => {
    one.addEventListener("load", done); one.addEventListener("error", done); setTimeout(done, 3000);
  })));
  await document.fonts.ready;
  await frame();
  scrollTo({top: 0, behavior: "instant"});
  await frame();
  return window.shifts;
}"""
"""Scroll to the end, so that lazy images load, and back."""


OVER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


WAIT = 10.0
"""The longest that a test waits for what a key or the wheel brings about, in seconds."""


def becomes(page: Any, condition: str) -> bool:
    """Whether a JavaScript expression comes true in this page.

    Playwright's ``wait_for_function`` polls inside the page by ``eval``, which our content security policy forbids:
    it passes when the condition is true at once, and fails with an error of the policy on a slow machine.
    """
    limit = time.monotonic() + WAIT
    while not page.evaluate(condition):
        if time.monotonic() > limit:
            return False
        page.wait_for_timeout(20)
    return True


def observe(page: Any) -> None:
    """Collect the layout shifts of every address that this tab opens from now on."""
    page.add_init_script(OBSERVER)


def layout_shift(page: Any) -> tuple[float, str]:
    """The sum of all layout shifts since the page was opened, and the elements that moved most."""
    shifts = page.evaluate(SCROLLED)
    worst = max(shifts, key=lambda one: one["value"], default={"from": ""})
    return round(sum(one["value"] for one in shifts), 4), worst["from"]


def overflow(page: Any) -> int:
    return int(page.evaluate(OVER))


def violations(found: Any) -> Iterator[str]:
    """What axe found wrong with a page: the rule and the first places."""
    for one in found.response["violations"]:
        yield f"{one['id']}: {one['help']}\n  " + "\n  ".join(place["html"][:200] for place in one["nodes"][:4])
