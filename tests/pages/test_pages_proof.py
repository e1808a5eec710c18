"""The page with a text field: a draft, and every figure of it checked."""

import re

import httpx
import pytest

from api.brain import Brain
from api.pages.request.page_request import PageRequest
from api.pages.views import proof_page
from api.pages.views.claim_table import PageContext
from api.settings import Settings
from compute.mining import solver
from tests.pages.invented import TODAY

TEXT = "The fee fell from $8 to $2, a 60% cut."


@pytest.fixture
def client(site):
    with httpx.Client(base_url=site, headers={"accept": "text/html"}, timeout=60) as opened:
        yield opened


def test_the_page_shows_the_text_with_its_figures_marked(client):
    assert "textarea" in client.get("/proof").text
    page = client.post("/proof", data={"text": f"{TEXT}\r\n\r\n<script>alert(1)</script>"}).text
    assert '<a class="figure refuted" href="#item-1">60%</a>' in page
    shown = page.partition("<main")[2].partition("<details")[0]
    assert shown.count("computed 75%") == 1
    assert "<script>alert" not in page
    assert "textarea" in client.post("/proof", data={"text": ""}).text


def test_the_page_counts_the_verdicts(client):
    page = client.post("/proof", data={"text": f"{TEXT}\n\nThe rent fell from $10 to $5, a 50% cut."}).text
    counts = page.partition("2 of 6 figures checked")[2].partition("</p>")[0]
    assert re.sub(r"<[^>]*>", "", counts).strip() == "1 refuted, 1 holds"


def test_a_text_that_is_too_much_work_is_stopped_with_what_to_do(tmp_path):
    solver.solved.cache_clear()
    with Brain.open(Settings(home=tmp_path, proof_seconds=1e-6)) as opened:
        shown = proof_page.page(PageContext(opened), PageRequest("/proof", TODAY), TEXT).model
    assert shown.stopped == "it needs more than 1e-06 seconds of processor time"
    assert shown.text == TEXT


@pytest.mark.parametrize("scripts", [True, False])
def test_the_draft_of_a_statement_is_copied_with_a_button_or_selected_without_scripts(visit, scripts):
    tab = visit(java_script_enabled=scripts, permissions=["clipboard-read", "clipboard-write"])
    for open_page in (_statements, _proofed):
        open_page(tab)
        draft = tab.locator("details.draft").first
        draft.locator("summary").click()
        text = draft.locator("code").inner_text()
        assert text.startswith("claims:\n  - id: ")
        assert "\n    asserted_by: source\n    stance: reports\n" in text
        assert tab.get_by_role("button", name="Copy the claim").count() == (
            tab.locator("details.draft[open]").count() if scripts else 0
        )
        if scripts:
            tab.get_by_role("button", name="Copy the claim").first.click()
            tab.get_by_role("button", name="Copied").wait_for()
            assert tab.evaluate("navigator.clipboard.readText()") == text


def _statements(tab):
    tab.goto("/nodes/fable/tiers-of-acme/statements")


def _proofed(tab):
    tab.goto("/proof")
    tab.get_by_label("Markdown, plain text or HTML").fill(TEXT)
    tab.get_by_role("button", name="Check", exact=True).click()
    tab.wait_for_selector("#item-1")
