"""The page with a text field: a draft, and every figure of it checked."""

import re
from datetime import date

import pytest

from api.brain import Brain
from api.pages.page_request import PageRequest
from api.pages.views import text_pages
from api.pages.views.claim_table import PageContext
from api.services.texts.proofreader import Proofreader
from api.settings import Settings
from tests.pages.invented import TODAY

TEXT = "The fee fell from $8 to $2, a 60% cut."


def test_the_page_shows_the_text_with_its_figures_marked(client):
    assert "textarea" in client.get("/proof").text
    page = client.post("/proof", data={"text": f"{TEXT}\r\n\r\n<script>alert(1)</script>"}).text
    assert '<a class="figure refuted" id="figure-1" href="#item-1">60%</a>' in page
    shown = page.partition("<main")[2].partition('class="draft"')[0]
    assert shown.count("<dt>Computed</dt><dd>75%</dd>") == 1
    assert "<script>alert" not in page
    assert "textarea" in client.post("/proof", data={"text": ""}).text


def test_the_example_of_the_first_minute_has_a_figure_of_each_kind(shipped_brain, shipped_pages):
    """A wrong sum beside other figures was left alone, so the example showed nothing to mend."""
    text = re.search(r"<textarea[^>]*>(.*?)</textarea>", shipped_pages.text("/"))[1]
    found = shipped_brain.proofreader.proof(text.encode(), "example.md", date(2026, 11, 29))
    assert [item.verdict for item in found.items] == ["stale", "holds", "refuted"]


def counts(page, checked):
    told = page.partition(f"{checked} figures checked</h2>")[2].partition("</p>")[0]
    return re.sub(r"<[^>]*>", "", told).strip()


def test_the_page_counts_the_verdicts_and_a_figure_that_is_computed_in_two_ways_once(client, monkeypatch):
    page = client.post("/proof", data={"text": f"{TEXT}\n\nThe rent fell from $10 to $5, a 50% cut."}).text
    assert counts(page, "2 of 6") == "1 refuted, 1 holds, 4 not checked"
    proof = Proofreader.proof

    def twice(*given, **options):
        found = proof(*given, **options)
        return found.model_copy(update={"items": (*found.items, *found.items)})

    monkeypatch.setattr(Proofreader, "proof", twice)
    assert counts(client.post("/proof", data={"text": TEXT}).text, "1 of 3") == "1 refuted, 2 not checked"


MIXED = """The rent fell from $10 to $5, a 50% cut.

The fare fell from $10 to $2, a 70% cut.

The fee fell from $8 to $2, a 60% cut.
"""


def test_what_is_wrong_comes_first_and_what_holds_is_folded(client):
    page = client.post("/proof", data={"text": MIXED}).text
    folded = r'<details class="of-verdict" id="([a-z-]+)"( open)?>.*?</summary>(.*?)</ol></details>'
    groups = re.findall(folded, page, re.S)
    assert [(name, bool(opened)) for name, opened, _ in groups] == [("refuted", True), ("holds", False)]
    item = r'<li id="item-(\d+)"><span class="badge ([a-z]+)">'
    listed = [re.findall(item, text) for *_, text in groups]
    assert listed == [[("2", "refuted"), ("3", "refuted")], [("1", "holds")]]
    verdicts = page.partition("figures checked</h2>")[2].partition("</p>")[0]
    assert re.findall(r'<a href="#([a-z-]+)">', verdicts) == ["refuted", "holds", "unchecked"]
    assert '<a class="figure refuted" id="figure-2" href="#item-2">70%</a>' in page
    holding = client.post("/proof", data={"text": MIXED.partition("\n")[0]}).text
    assert 'id="holds" open' in holding, "figures that all hold are not folded"


@pytest.mark.parametrize("width", [390, 1280])
def test_the_marked_text_is_whole_and_a_mark_leads_to_its_finding_without_scripts(visit, width):
    tab = visit("/proof", java_script_enabled=False, viewport={"width": width, "height": 844})
    tab.get_by_label("Markdown, plain text or HTML").fill(MIXED * 12)
    tab.get_by_role("button", name="Check", exact=True).click()
    box = tab.locator(".proofed")
    hidden, wide = box.evaluate("e => [e.scrollHeight - e.clientHeight, document.documentElement.scrollWidth]")
    assert (hidden, wide) == (0, width), "no box with a scroll bar of its own"
    finding = tab.locator("#item-1")
    assert not finding.is_visible(), "what holds is folded"
    box.locator("a").first.click()
    finding.wait_for(state="visible")
    assert tab.get_by_role("textbox").last.is_hidden(), "the text can be changed below its heading"


def test_a_text_that_is_too_much_work_is_stopped_with_what_to_do(tmp_path):
    with Brain.open(Settings(home=tmp_path, proof_seconds=1e-6)) as opened:
        shown = text_pages.proof(PageContext(opened), PageRequest("/proof", TODAY), TEXT).model
    assert shown.stopped == "it needs more than 1e-06 seconds of processor time"
    assert shown.text == TEXT


@pytest.mark.parametrize("scripts", [True, False])
def test_the_draft_of_a_statement_is_copied_with_a_button_or_selected_without_scripts(visit, scripts):
    tab = visit(java_script_enabled=scripts, permissions=["clipboard-read", "clipboard-write"])
    for open_page in (lambda tab: tab.goto("/nodes/fable/tiers-of-acme/statements"), _proofed):
        open_page(tab)
        draft = tab.locator("details.draft").first
        if draft.get_attribute("open") is None:
            draft.locator("summary").click()
        text = draft.locator("code").inner_text()
        assert text.startswith("claims:\n  - id: ")
        assert "\n    asserted_by: source\n    stance: reports\n" in text
        opened = tab.locator("details.draft[open]").count()
        assert tab.get_by_role("button", name="Copy").count() == (opened if scripts else 0)
        if scripts:
            tab.get_by_role("button", name="Copy").first.click()
            tab.get_by_role("button", name="Copied").wait_for()
            assert tab.evaluate("navigator.clipboard.readText()") == text


def _proofed(tab):
    tab.goto("/proof")
    tab.get_by_label("Markdown, plain text or HTML").fill(TEXT)
    tab.get_by_role("button", name="Check", exact=True).click()
    tab.wait_for_selector("#item-1")


def sentence(page):
    return " ".join(re.sub(r"<[^>]*>", " ", page.partition('class="failure"')[2].partition("</p>")[0]).split())


@pytest.mark.parametrize("size", [1_600_000, 17_000_000])
def test_a_text_that_is_too_long_is_answered_with_a_page_that_says_what_to_do(client, size):
    found = client.post("/proof", data={"text": "x" * size})
    assert found.status_code == 413
    assert found.headers["content-type"].startswith("text/html")
    assert "textarea" in found.text
    assert "longer than 1,000,000 bytes" in sentence(found.text)
    assert "with the command brain proof , which has no limit." in sentence(found.text)


def test_a_long_text_is_checked_up_to_the_end_of_a_line_which_is_named_and_stays_in_the_form(tmp_path, monkeypatch):
    text = f"{TEXT}\n\nThe rent fell from $10 to $5, a 50% cut.\n\nThe fare fell from $10 to $5,000, for once.\n"
    monkeypatch.setattr(text_pages, "LONGEST", text.index("000, for"))
    with Brain.open(Settings(home=tmp_path)) as opened:
        shown = text_pages.proof(PageContext(opened), PageRequest("/proof", TODAY), text).model
    assert [item.text for item in shown.proof.items] == ["60%", "50%"]
    assert shown.last_line == 3
    assert shown.text == text


def test_what_has_no_text_is_said_to_have_none(client):
    media = {"content-type": "application/x-www-form-urlencoded"}
    found = client.post("/proof", content=b"\0\0\0abc", headers=media)
    assert found.status_code == 400
    assert "No text was sent" in sentence(found.text)
    found = client.post("/proof", data={"text": "\0\0fell from $8 to $2"})
    assert "this is not text: it contains NUL bytes" in sentence(found.text)
