"""The pages in Debian's Chromium: with scripts and without, by keyboard, on small screens, in both schemes."""

from datetime import timedelta

import pytest

from api.brain import Brain
from api.pages.render.template_renderer import TYPEFACES, TemplateRenderer
from api.settings import Settings
from tests.pages.conftest import SERVED, Visit, served
from tests.pages.invented import TODAY, at, document, filled, node, verify, write_prices
from tests.pages.measures import SHIFT, WIDTHS, becomes, layout_shift, observe, overflow, violations
from tests.pages.pages_list import KINDS

pytestmark = pytest.mark.browser

THESIS = "/nodes/fable/price-is-the-product"
SCHEMES = ("light", "dark")
SHOWN = (*KINDS.values(), "/claims/output-multiple?fresh=12", "/claims/fresh-token", "/prices/acme/large")
"""Every kind of page, a claim with the answer to a reader's own number, one whose figures have long units, and prices
compared."""

LISTED = ("/search?q=tokens", "/terms", "/tags", "/tags/pricing", "/terms/lexicon/token")
"""Pages whose facets are folded on a phone."""


@pytest.fixture(scope="session")
def axe():
    sync = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    return sync.Axe()


@pytest.fixture(scope="module")
def tab(chromium, site):
    """One tab for the tests that only look at page after page."""
    one = Visit(chromium, site)
    observe(one.page)
    yield one
    one.context.close()


def too_wide(page, widths=WIDTHS):
    """The widths at which the page does not fit into its window, and by how much."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        over = overflow(page)
        if over > 0:
            yield f"{over} pixels too wide at {width}"


TINY = """() => [...document.querySelectorAll("body *")].filter(one => !one.closest("svg, math, .quiet")
  && parseFloat(getComputedStyle(one).fontSize) < 12 && [...one.childNodes].some(part => part.nodeType == 3 && part.data.trim())
).map(one => `smaller than 12 pixels: ${one.outerHTML.slice(0, 90)}`)"""


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_from_search_to_node_to_citation_to_source_and_back(visit, scripts):
    page = visit("/", java_script_enabled=scripts)
    page.locator("#find").fill("sellers price by tier")
    page.locator("#find").press("Enter")
    page.get_by_role("heading", name="Search").wait_for()
    page.locator(".entry h3 a").filter(has_text="Price is the product").click()
    page.locator(".prose a.cite", has_text="2").first.click()
    page.get_by_role("heading", name="Wires and tokens", level=1).wait_for()
    page.locator("#sources + dl").get_by_role("link", name="A study of wires", exact=True).click()
    assert "Copper carries most tokens" in page.locator(".quotes").inner_text()
    page.locator(".quotes a").first.click()
    assert page.url.endswith("/nodes/fable/wires-and-tokens#quote-1")
    page.locator(".backlinks a").filter(has_text="Price is the product").click()
    assert page.url.endswith(THESIS)


def test_a_claim_with_ones_own_number_without_scripts(visit):
    page = visit("/claims/fresh-token", java_script_enabled=False)
    assert page.locator(".finding").first.get_by_text("stale").is_visible()
    page.get_by_label("Your number for fresh").fill("9.50")
    page.get_by_role("button", name="Evaluate with these numbers").click()
    own = page.get_by_label("Verdict with your numbers")
    assert own.get_by_text("holds", exact=True).is_visible()
    assert page.get_by_label("Your number for fresh").input_value() == "9.50"
    page.get_by_role("link", name="Reset").click()
    assert page.get_by_label("Verdict with your numbers").count() == 0


def test_a_slider_asks_the_server_and_shows_its_answer_in_place(visit):
    page = visit("/claims/fresh-token", viewport={"width": 390, "height": 844})
    slider = page.get_by_role("slider", name="Your number for fresh")
    slider.scroll_into_view_if_needed()
    slider.focus()
    before = page.locator(".over-input .dot").get_attribute("cx")
    page.keyboard.press("ArrowRight")
    after = page.locator(".over-input .dot").get_attribute("cx")
    assert float(after) > float(before), "at once, before the server answers"
    for _ in range(29):
        page.keyboard.press("ArrowRight")
    own = page.get_by_label("Verdict with your numbers")
    own.get_by_text("holds", exact=True).wait_for()
    for part in (own, page.locator(".over-input .plot"), slider):
        box = part.bounding_box()
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 844, "answer, chart and slider are in sight together"
    assert float(page.get_by_role("textbox", name="Your number for fresh").input_value()) > 9
    assert "fresh=" in page.url
    page.reload()
    assert page.get_by_label("Verdict with your numbers").get_by_text("holds", exact=True).is_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_morning_report_after_a_price_changed(chromium, tmp_path, scripts):
    with filled(tmp_path, now="10") as brain, served(brain) as site:
        before = Visit(chromium, site, java_script_enabled=scripts)
        before.page.goto(THESIS)
        assert "stale from 10 Dec 2026 (10.00 → 4.00" in before.page.inner_text(".health").replace("\xa0", " ")
        before.page.goto("/")
        assert before.page.get_by_role("heading", name="Nothing changed since 20 Nov 2026").is_visible()
        assert before.page.locator("#coming ~ .claim-rows").get_by_text("A fresh token of Acme Large").is_visible()
        brain.ingest([write_prices(tmp_path, "8")], at=brain.ledger.latest_run().started_at + timedelta(hours=1))
        verify(brain, TODAY)
        before.page.reload()
        changed = before.page.locator("#changed ~ .claim-rows > li")
        assert changed.count() == 1
        assert changed.locator(".badge").all_inner_texts() == ["holds", "stale"]
        assert "acme/large input 10.00 → 8.00 USD/Mtok" in changed.inner_text().replace("\xa0", " ")
        assert "10.00 → 8.00 USD/Mtok" in changed.locator(".facts-line").inner_text().replace("\xa0", " ")
        assert changed.get_by_text("expected at least 9 USD/Mtok").is_visible()
        assert before.page.locator("main").get_by_text("A fresh token of Acme Large").count() == 1, "reported once"
        assert before.wrong == []
        before.context.close()


OPENED = "document.querySelectorAll('details').forEach(one => one.open = true)"

SPACED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { letter-spacing: .12em !important; word-spacing: .16em !important }");
  document.adoptedStyleSheets = [sheet];
}"""
"""Letter spacing as wide as readers may set it (WCAG 1.4.12), in place of every font that is wider than DejaVu."""


@pytest.mark.parametrize("address", SHOWN)
def test_no_page_is_hard_to_read_wider_than_its_window_or_moves_while_it_loads(tab, axe, address):
    page = tab.page
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(address)
    shift, by = layout_shift(page)
    wrong = [f"layout shift {shift}, by {by}"] if shift > SHIFT else []
    for scheme, width in zip(SCHEMES, (390, 1280), strict=True):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        wrong += [f"{scheme}: {told}" for told in violations(axe.run(page))]
        page.evaluate(OPENED)  # axe skips what is closed
    wrong += [*page.evaluate(TINY), *too_wide(page), *tab.wrong]
    page.evaluate(SPACED)
    wrong += [f"with wide letter spacing {told}" for told in too_wide(page, (1280, 390))]
    assert not wrong, "\n".join(wrong)


def families(tab):
    """The fonts in which the main parts of a page are shown."""
    asked = tab.context.new_cdp_session(tab.page)
    asked.send("DOM.enable")
    asked.send("CSS.enable")
    root = asked.send("DOM.getDocument")["root"]["nodeId"]
    shown = set()
    for part in ("h1", "p", "nav a", ".badge"):
        node = asked.send("DOM.querySelector", {"nodeId": root, "selector": part})["nodeId"]
        shown |= {one["familyName"] for one in asked.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]}
    return shown


def test_pages_bring_their_typefaces_and_nothing_moves(browsers, site):
    if not TemplateRenderer().assets.get(TYPEFACES):
        pytest.skip("the typefaces are not built (pip install -e .)")
    tab = Visit(browsers(SERVED), site)
    observe(tab.page)
    sizes = {}
    tab.page.on("response", lambda one: one.url.endswith(".woff2") and sizes.update({one.url: len(one.body())}))
    for _ in range(3):  # a font that comes late is used from the next page on
        tab.page.goto("/")
        assert layout_shift(tab.page)[0] <= SHIFT
    assert families(tab) == {"Brain Serif", "Brain Sans"}
    assert 20_000 < sum(sizes.values()) < 150_000
    assert not tab.wrong
    tab.context.close()


def test_a_page_is_shown_in_the_fonts_that_the_test_chose(tab):
    tab.page.goto("/")
    shown = families(tab)
    assert shown
    assert all(one.startswith("DejaVu") for one in shown), shown


def test_a_huge_table_does_not_widen_its_page(tab):
    tab.page.goto("/nodes/fable/hostile")
    assert list(too_wide(tab.page)) == []


def test_long_words_and_other_scripts_do_not_widen_a_page(chromium, tmp_path):
    word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
    body = f"{word * 2} 3.5\n\n- שלום\n- עולם\n\n> ציטוט\n\n| א | ב |\n|---|---|\n| ג | 1 |\n"
    claim = (
        f"claims:\n  - id: long\n    node: fable/long\n    says: It is {word}.\n    as_of: 2026-02-01\n"
        "    value: 3500 USD/Mtok\n    expect: {at_least: 4000 USD/Mtok}\n"
        "  - {id: own, node: fable/many, says: Own., quote: It is 5, as_of: 2026-02-01, value: 5, expect: {at_least: 5}}\n"
        "  - {id: cited, node: fable/many, says: Its., quote: It is 9, as_of: 2026-02-01, value: 7, expect: {at_least: 9}, stance: disputes}\n"
    )
    many = node("many", body="It is 5. It is 9. " + "".join(f"Room {n} costs ${n}. " for n in range(1000, 1030)))
    with Brain.open(Settings(home=tmp_path)) as brain:
        brain.documents.put_all([document((node("long", title=f"The {word}", body=body), many))], at(TODAY))
        (tmp_path / "claims.yaml").write_text(claim, "utf-8")
        assert brain.ingest([tmp_path / "claims.yaml"], at=at(TODAY)).stored
        verify(brain, TODAY)
        with served(brain) as site:
            one = Visit(chromium, site)
            for address in ("/", "/claims", "/claims/long", "/nodes/fable/long", "/graph", "/search"):
                one.page.goto(address)
                assert list(too_wide(one.page)) == [], address
            badge = one.page.locator(".badge", has_text="sound · 2 of 62 figures tested · 1 source error")
            assert badge.count() == 1
            one.context.close()


def test_hostile_nodes_run_nothing_and_send_no_request(visit):
    page = visit("/nodes/fable/hostile")
    page.wait_for_load_state("networkidle")
    assert page.locator("main img, main script, main iframe").count() == 0
    assert page.locator("h1").inner_text().startswith("<img src=x onerror=alert(1)>")
    assert page.locator("p", has_text="שלום").evaluate("node => getComputedStyle(node).direction") == "rtl"
    for link in page.locator(".prose a").all():
        assert link.get_attribute("href").startswith("https://tracker.example/")


def test_a_preview_opens_on_focus_and_closes_with_escape(visit):
    page = visit(THESIS)
    link = page.locator(".prose a.cite").first
    link.focus()
    card = page.get_by_role("tooltip")
    card.wait_for()
    assert "Three tiers" in card.inner_text()
    assert link.get_attribute("aria-describedby") == "preview"
    page.keyboard.press("Escape")
    assert card.count() == 0
    link.hover()
    card.wait_for()


def test_search_by_keyboard_alone(visit, axe):
    page = visit("/about")
    page.keyboard.press("Tab")
    page.keyboard.press("/")
    field = page.get_by_role("combobox", name="Search everything, or a command")
    assert field.evaluate("node => node === document.activeElement && node.closest('dialog').matches(':modal')")
    page.keyboard.type("toke")
    page.locator("[role=option]", has_text="term · 1 glossary").wait_for()
    assert list(violations(axe.run(page))) == []
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    assert page.evaluate("document.activeElement.textContent") == "Skip to the text"
    page.keyboard.press("Control+k")
    page.keyboard.type("changes")
    page.locator("[role=option]:first-child", has_text="Changes").wait_for()
    page.keyboard.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") == page.get_by_role("option", selected=True).get_attribute("id")
    page.keyboard.press("Enter")
    page.wait_for_url("**/changes")
    page.keyboard.press("Meta+k")
    page.keyboard.type("tokens")
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=tokens")


def test_arrows_scroll_the_page_and_go_from_a_result_to_the_next(visit):
    page = visit("/search?q=tokens", viewport={"width": 390, "height": 500})
    page.keyboard.press("ArrowDown")
    assert becomes(page, "window.scrollY > 0")
    assert page.evaluate("document.activeElement === document.body")
    links = page.locator(".entry h3 a, .hit h3 a")
    links.first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == links.nth(1).text_content()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/search" not in url)


def test_a_suggestion_opens_its_node(visit):
    page = visit("/search")
    page.get_by_label("Words, tags, phrases").type("wires and")
    page.locator("[role=option]:first-child", has_text="Wires and tokens").wait_for()  # what "wires" offered is gone
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/nodes/fable/wires-and-tokens")


def test_charts_follow_the_scheme_of_the_reader(visit):
    page = visit("/claims/output-multiple")
    picture = page.locator("figure.picture .on-wide")
    shown = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        picture.scroll_into_view_if_needed()
        assert picture.bounding_box()["width"] > 300
        shown.append(picture.screenshot())
    assert shown[0] != shown[1]


def test_on_a_phone_the_claims_come_before_the_filters_and_one_tab_skips_to_them(visit):
    page = visit("/claims", viewport={"width": 390, "height": 844}, java_script_enabled=False)
    assert page.locator("#results .claim-rows > li").first.bounding_box()["y"] < 700
    assert not page.locator(".fold .facet").first.is_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.locator(".fold .facet").first.is_visible()
    assert page.locator("#results .claim-rows > li").first.bounding_box()["y"] < 400
    page.locator("main").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.locator(":focus").get_attribute("href").startswith("/claims/")


def test_print_shows_the_text_and_leaves_out_the_frame_and_what_is_pressed_or_filled_in(visit):
    page = visit()
    page.emulate_media(media="print")
    page.goto("/nodes/fable/wires-and-tokens")
    assert not page.locator("header.top").is_visible()
    assert page.locator(".prose").is_visible()
    assert page.locator(".margin-note").first.is_visible()
    page.goto("/claims/output-multiple")
    assert page.locator(".steps").is_visible()
    for part in (".actions", ".choices", ".own input", ".twins"):
        assert not any(one.is_visible() for one in page.locator(part).all()), part


def test_the_docs_list_every_operation_and_ask_the_service(visit):
    """Swagger UI: the real files of its package under our policy."""
    page = visit("/docs")
    page.locator(".opblock").first.wait_for()
    counted = "d => Object.values(d.paths).flatMap(p => Object.keys(p)).length"
    operations = page.evaluate(f"fetch('/openapi.json').then(r => r.json()).then({counted})")
    assert page.locator(".opblock").count() == operations > 50
    about = page.locator("#operations-operation-operation_kinds")
    about.locator(".opblock-summary-control").click()
    page.get_by_role("button", name="Execute").click()
    about.locator(".live-responses-table .response-col_status").first.wait_for()
    assert "200" in about.locator(".live-responses-table").inner_text()


def test_without_scripts_the_docs_lead_to_the_description(visit):
    page = visit("/docs", java_script_enabled=False)
    assert page.get_by_role("link", name="OpenAPI 3.1").get_attribute("href") == "/openapi.json"
