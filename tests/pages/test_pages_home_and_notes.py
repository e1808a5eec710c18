"""The morning report and the page of a note, as a reader sees them; and of a brain with nothing in it."""

import re
from datetime import date, timedelta
from decimal import Decimal

import httpx
import pytest

from api.brain import Brain
from api.pages.render.annotation import annotated
from api.pages.render.figure_format import NBSP, capitalize, figures
from api.pages.render.source_titles import source_name
from api.pages.render.templates import FILTERS
from api.pages.views.claim_table import ClaimRow, counted
from api.settings import Settings
from compute.reports.morning_report import blocks
from compute.reports.report_document import markdown
from graph.models.claim_models import VerdictName
from graph.models.node_models import Kind, Source
from tests.conftest import TODAY as SHIPPED_DAY
from tests.pages.conftest import Rendered, Visit, served
from tests.pages.invented import TODAY, at, document, filled, node, verify
from tests.pages.test_pages_browser import too_wide
from tests.pages.test_pages_prose import claim

THESIS, QUOTING = "/nodes/fable/price-is-the-product", "/nodes/fable/wires-and-tokens"
MEASURE = (
    "window.shift = 0; new PerformanceObserver(list => list.getEntries().forEach(one => window.shift += one.value))"
    ".observe({type: 'layout-shift', buffered: true})"
)


@pytest.fixture
def texts(client):
    return lambda path: client.get(path).text.replace(NBSP, " ")


def test_the_report_lists_a_change_once_with_its_figures_and_the_price_that_made_it(texts):
    """It had a change in three sections, and every claim that still fails before those that will change next."""
    text = texts("/")
    assert text.partition("<h1>")[2].startswith("1 claim stopped holding since 20 Nov 2026</h1>")
    assert "21 November 2026" in text
    assert all(heading in text for heading in ("What changed", "Closest to failing", "Still open", "Data age"))
    assert "Will change on a known day" not in text, "what holds today holds on with the known prices"
    main = text.partition("<main")[2]
    assert main.count('href="/claims/fresh-token"') == 1
    places = [main.index(f'id="{part}"') for part in ("changed", "audit", "near", "new")]
    assert places == sorted(places)
    change = main[places[0] : places[1]]
    assert 'acme/large">acme/large</a> <span class="nowrap">input <b>10.00 → 8.00 USD/Mtok</b>' in change
    assert "expected at least 9 USD/Mtok" in change


def test_home_run_and_terminal_count_the_verdicts_alike(shipped_brain, shipped_pages):
    """It said “9 stale, 34 source wrong” on the pages and “10 stale, 33 refuted” in the terminal.

    The figure of `output-two-to-five-times-input` was true on its day: its source was not wrong, though its note disputes it.
    """
    run, table = shipped_brain.ledger.latest_run(), shipped_pages.context.claim_table()
    report = shipped_brain.reports.report(run)
    assert report.counts == dict(counted(row.state for row in table.lines.values()))
    assert report.counts == shipped_brain.status.run_counts([run])[run.id]
    assert report.counts["stale"] == run.counts["stale"]
    assert report.counts.get("refuted", 0) + report.counts["source-wrong"] == run.counts["refuted"]
    assert table.lines["output-two-to-five-times-input"].state == "stale"
    printed = markdown(blocks(report)).replace("*", "")
    shown = [shipped_pages.text("/"), shipped_pages.text("/runs/{run}", run=str(run.id))]
    for name, count in report.counts.items():
        word = name.replace("-", " ")
        assert f"{count} {word}" in printed
        counted_so = rf"{count}\W.{{0,80}}{word.removesuffix('s')}|{word} <span class=.count.>{count}<"
        assert all(re.search(counted_so, text) for text in shown), name


def test_pages_of_claims_tell_one_cause(shipped_pages):
    """One page blamed a price for what another blamed on a family."""
    context = shipped_pages.context
    moves = context.causes(context.claim_table().lines.values(), shipped_pages.today)
    known = {name: found[0].item for name, found in moves.items() if found and found[0].kind != "missing"}
    table = shipped_pages.text("/claims", query=(("verdict", "stale"),))
    for name, item in known.items():
        assert (
            f'href="/prices/{item}"' in shipped_pages.text("/claims/{claim:path}", claim=name).partition('id="said"')[0]
        )
    assert known
    assert all(f'href="/prices/{item}"' in table for item in known.values())


EDGES = "claims:\n" + "".join(
    f"  - {{id: {name}, node: fable/price-is-the-product, says: Output costs {words} $40., as_of: 2026-02-01,\n"
    f'     given: {{written: \'price("acme/large", "output")\'}}, value: written, expect: {{{bound}: 40 USD/Mtok}}}}\n'
    for name, words, bound in (("cap", "at most", "at_most"), ("floor", "at least", "at_least"))
)


def test_what_is_at_its_bound_is_not_the_closest_to_failing_and_what_failed_was_found(tmp_path):
    """Its list was headed by figures that any change turns; it said “since today” of what failed for a year."""
    with filled(tmp_path) as brain:
        (tmp_path / "edges.yaml").write_text(EDGES, "utf-8")
        assert brain.ingest([tmp_path / "edges.yaml"], at=at(TODAY)).stored
        later = TODAY + timedelta(days=3)
        for day in (TODAY, later):
            verify(brain, day)
        pages = Rendered(brain, later)

        def shown(route, **parts):
            return re.sub(r"<[^>]+>", "", pages.text(route, **parts).replace(NBSP, " "))

        report = shown("/")
        near = report.partition("Closest to failing")[2].partition("Source errors</h2>")[0]
        assert re.findall(r"fails (.*)", near) == ["if “written” (acme/large) falls below 32.00 USD/Mtok (−20%)"]
        failing = report.partition("Still open")[2].partition("Closest to failing")[0]
        assert "8.00 USD/Mtok expected at least 9 USD/Mtok, fails since 21 Nov 2026" in failing
        assert "fails below 40.00 USD/Mtok (any fall)" in shown("/claims/{claim:path}", claim="floor")
        assert re.search(r"[Ff]ails since \d+ \w+ 2026", shown("/claims"))


def test_the_words_of_a_life_and_the_counts_of_the_morning_do_not_contradict_themselves(shipped_pages):
    """They said “held – 1 May, fails since 1 May or earlier”, “today” above another day, and 14 stale beside 9."""

    def plain(route):
        return re.sub(r"<[^>]+>", "", shipped_pages.text(route)).replace(NBSP, " ")

    record, listed, report = plain("/record"), plain("/claims"), plain("/")
    assert not re.search(r"held [^,–]+ – (\d+ \w+ \d+), fails since \1 or earlier", listed)
    assert re.search(r"Critical \d+ open of \d+", listed), "as the filter counts"
    assert "then not known, fails since 14 Oct 2026 or earlier (anthropic/claude-sonnet-5-5 then 0.05" in listed
    assert len(re.findall(r"at most \d+ days\s*from \d+ \w+ 20\d\d", record)) > 0
    (total,), (open_now,) = (re.findall(rf"(\d+) stale{end}", report) for end in (r"(?=\s)", ", "))
    besides = re.findall(r"(\d+) (?:above|more is stale|more are stale)", report)
    assert sum(map(int, besides)) + int(open_now) == int(total)
    assert "Read from another source" in record, "which is no change of a price"
    brain, day = shipped_pages.context.brain, date(2026, 12, 1)
    argued = [one.id for kind in (Kind.THESIS, Kind.POV) for one in brain.nodes.all(kind)]
    signs = [shipped_pages.context.signs()(one).word for one in argued]
    weakened, dated = map(signs.count, ("weakened", "out of date"))
    assert f"{weakened} of {len(signs)} theses and points of view are weakened, {dated} out of date" in report
    found = [brain.prices.announced("google/gemini-4-argon", "input", on) for on in (day, day - timedelta(1))]
    assert found == [("genai-prices", date(2026, 11, 9)), None], "a change of today in a list of weeks ago"
    errata = " ".join(plain("/errata").split())
    important = shipped_pages.text("/errata").partition('id="info"')[0]
    factors = [float(one) for one in re.findall(r"<b>(?:at least )?([\d.]+) times too", important)]
    assert factors == sorted(factors, reverse=True)
    for words in (
        "200 times too low stated3,500 GPUh",
        "listed2.00 USD/Mtok by deploybase.ai",
        "OpenAI GPT-4o, pricepertoken.com states:",
    ):
        assert words in errata, words
    assert "pack.md, line 39, as the note retells it: GPT-3, 175B" in errata, (
        "what is not linked is named by its document"
    )
    near = report.partition("Closest to failing")[2]
    assert "By the middle of 2026" not in near, "later prices do not change a dated claim"
    assert re.search(r"Latest notes\s+.* Reading, \d+ \w+ 20\d\d", near), "the latest of the list of notes"
    assert re.search(r"\d\d% without the \d read in another list", record)


def test_figures_before_and_after_have_their_unit_once():
    two, four = Decimal(2), Decimal(4)
    assert figures(None, two, "%") == figures(two, two, "%") == "2%"
    assert figures(two, four, "%") == f"2%{NBSP}→ 4%"
    assert figures(two, four, "USD/Mtok") == f"2.00{NBSP}→ 4.00{NBSP}USD/Mtok"
    assert figures(two, None, "%") == "2% → –"


def test_only_the_first_letter_of_a_sentence_is_made_large():
    """A change to come was told as `Then holds on 1 jan 2027`."""
    assert capitalize("then holds on 1 Jan 2027, for GPT-4o") == "Then holds on 1 Jan 2027, for GPT-4o"
    assert FILTERS["capitalize"] is capitalize


def marked(*verdicts, text="Cached tokens cost 95% less."):
    """A text whose one figure several claims state, with these verdicts."""
    claims = (claim("Cached tokens cost 95% less.", "95%", name=f"c{number}") for number in range(len(verdicts)))
    lines = [ClaimRow(one, None, verdict) for one, verdict in zip(claims, verdicts, strict=True)]
    return annotated(node("a", body=text), {}, lines).markup


def test_a_figure_has_one_mark_with_the_worst_verdict_and_how_many_claims_share_it():
    """`95%` was followed by `stale stale holds`, three links in a row."""
    stale, holds = VerdictName.STALE, VerdictName.HOLDS
    for verdicts, word in (
        ((stale,), "stale"),
        ((holds, stale, stale), "stale, 2 of 3"),
        ((holds, VerdictName.REFUTED), "refuted, 1 of 2"),
        ((holds, holds), "holds, all 2"),
    ):
        markup = marked(*verdicts)
        assert re.findall(r'data-word="([^"]*)"', markup) == [word]
    assert 'data-preview="/claim-previews/c1 /claim-previews/c2 /claim-previews/c0"' in marked(holds, stale, stale)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.pue.example/blog/what-is-pue-power-usage/", "What is PUE power usage"),
        ("https://encyclopedia.example/wiki/Power_usage_effectiveness", "Power usage effectiveness"),
        ("https://blog.example/p/how-we-serve-an-llm-3ef35ff2aa37?utm=x", "How we serve an LLM"),
        ("https://cloud.example/pricing", "cloud.example/pricing"),
        ("https://news.example/2026/12-12-2025.pdf", "news.example/2026/12-12-2025.pdf"),
        ("https://house.example", "house.example"),
        ("javascript:alert(1)", "javascript alert(1)"),
        ({"id": "arxiv:2308.04623", "url": "https://arxiv.example/pdf/2308.04623"}, "arXiv 2308.04623"),
        ({"id": "x", "url": "https://a.example/one-two-three", "title": "A study"}, "A study"),
    ],
)
def test_a_source_is_named_by_its_title_its_identifier_or_the_words_of_its_address(url, name):
    assert source_name(Source(**url if isinstance(url, dict) else {"id": url, "url": url})) == name


def test_a_note_says_who_states_it_what_depends_on_it_and_how_its_claims_are(texts):
    tiers, thesis, wires = texts("/nodes/fable/tiers-of-acme"), texts(THESIS), texts(QUOTING)
    assert '<a href="#dependents">1 note relies on it</a>' in tiers
    assert "Price is the product" in tiers.partition('id="dependents"')[2].partition("</section>")[0]
    assert '<a href="#claims">3 claims</a>' in thesis
    beside = re.findall(r'<small class="margin-note" role="note">(.*?)</small>', thesis)
    assert [re.sub("<[^>]+>", "", one) for one in beside] == ["1 Tiers of acme", "2 Wires and tokens"], "each once"
    assert '<a href="#sources">2 sources</a>, <a href="#quotations">2 quotations</a>' in wires
    note = r'class="margin-note" role="note"><span class="count">1</span> <a [^>]*>A study of wires</a>'
    assert re.search(note, wires)


@pytest.mark.browser
def test_a_quotation_is_plain_until_a_reader_points_at_it_and_its_number_is_easy_to_hit(visit):
    page = visit(QUOTING)
    tint = "node => getComputedStyle(node).backgroundColor"
    quoted, number = page.locator(".quoted").first, page.locator(".mark a").first
    assert quoted.evaluate(tint) == "rgba(0, 0, 0, 0)"
    box = number.bounding_box()
    assert min(box["width"], box["height"]) >= 24
    number.hover()
    assert quoted.evaluate(tint) != "rgba(0, 0, 0, 0)"
    card = page.get_by_role("tooltip")
    card.wait_for()
    assert "A study of wires" in card.inner_text()
    assert card.locator("[id]").count() == 0
    page.goto(f"{QUOTING}#in-1")
    page.mouse.move(0, 0)
    assert quoted.evaluate(tint) != "rgba(0, 0, 0, 0)"


COVERS = """link => {
  const card = document.querySelector(".card").getBoundingClientRect();
  return [...link.getClientRects()].some(line => line.top < card.bottom && line.bottom > card.top
    && line.left < card.right && line.right > card.left) || card.left < 0 || card.right > innerWidth;
}"""


@pytest.mark.browser
def test_a_preview_stays_next_to_its_link_wherever_that_is_and_moves_nothing(visit):
    page = visit(viewport={"width": 390, "height": 260})
    page.add_init_script(MEASURE)
    page.goto(THESIS)
    links = page.locator(".prose [data-preview]")
    card = page.get_by_role("tooltip")
    for number in range(links.count()):
        for place in ("start", "end"):
            links.nth(number).evaluate(f"node => node.scrollIntoView({{block: '{place}', behavior: 'instant'}})")
            links.nth(number).focus()
            card.wait_for()
            assert not links.nth(number).evaluate(COVERS), (number, place)
            page.keyboard.press("Escape")
            assert card.count() == 0
            page.evaluate("document.activeElement.blur()")
    assert page.evaluate("window.shift") == 0


@pytest.mark.browser
def test_print_opens_what_is_folded_and_leaves_out_what_only_a_screen_needs(visit):
    page = visit("/nodes/fable/tiers-of-acme/statements", java_script_enabled=False)
    folded = page.locator("details pre").last
    assert not folded.is_visible()
    page.emulate_media(media="print")
    assert folded.is_visible()
    page.goto(THESIS)
    assert not page.get_by_text("Formats", exact=True).is_visible()
    page.goto("/graph")
    assert not any(one.is_visible() for one in page.locator(".legend").all())


@pytest.mark.browser
def test_all_of_the_navigation_is_seen_and_suggestions_are_not_styled_as_it(visit):
    """On a telephone one row was cut after *Runs*: there it is two rows of four, else one row."""
    page = visit(THESIS, viewport={"width": 390, "height": 700})
    links = page.locator(".top nav li:not(.roomy) a")
    boxes = links.evaluate_all("links => links.map(link => link.getBoundingClientRect().toJSON())")
    assert [sum(box["top"] == top for box in boxes) for top in sorted({box["top"] for box in boxes})] == [4, 4]
    assert all(box["left"] >= 0 and box["right"] <= 390 for box in boxes)
    assert list(too_wide(page)) == []
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(300)
    assert page.evaluate("window.scrollY") > 0
    page.locator("#find").press_sequentially("toke")
    page.get_by_role("option").first.wait_for()
    assert page.locator(".top .offers").evaluate("list => getComputedStyle(list).display") == "block"
    at = page.evaluate("window.scrollY")
    page.keyboard.press("ArrowDown")
    assert page.locator("[role=option][aria-selected=true]").count() == 1
    assert page.evaluate("window.scrollY") == at


@pytest.mark.browser
def test_a_quiet_day_is_short_and_every_critical_claim_is_on_its_first_screen(chromium, shipped_copy):
    with Brain.open(Settings(home=shipped_copy)) as brain:
        at = brain.ledger.latest_run().started_at + timedelta(minutes=1)
        brain.verify(SHIPPED_DAY, at=at, clock=lambda: at)
        with served(brain) as site:
            one = Visit(chromium, site, viewport={"width": 1280, "height": 800})
            one.page.goto("/")
            since = one.page.locator("h1").inner_text()
            assert since == "Nothing changed since the run before", "both runs are of one day"
            last = one.page.locator(".report > .column:first-child > :last-child").bounding_box()
            assert last["y"] + last["height"] <= 1160
            critical = one.page.locator("#failing ~ details[open] > .claim-rows > li")
            assert critical.count() == 4, "all of them"
            assert critical.last.bounding_box()["y"] <= 760, "on the first screen"
            one.context.close()


def test_the_page_of_a_brain_shows_its_claims_changes_notes_and_documents_next_to_its_tags(texts, visit):
    """It was one column of text: counts, theses, tags and file names."""
    text = texts("/brains/fable")
    head, aside, results = re.fullmatch(
        r'(?s).*<header class="head">(.*)</header>.*<nav class="facets"(.*?)</nav>\s*<div class="results">(.*)', text
    ).groups()
    assert 'href="/claims?verdict=holds&amp;brain=fable"' in head
    assert 'aria-label="Health of the notes"' in head
    assert 'href="/search?brain=fable&amp;kind=thesis"' in aside
    assert 'href="/tags/pricing"' in aside
    assert 'href="/brains/fable?format=turtle"' in aside
    changed = results[results.index('id="changed"') : results.index('id="theses"')]
    assert changed.count('href="/claims/fresh-token"') == 1
    assert results.index('id="new"') < results.index('id="documents"') < results.index('href="/documents/fable.txt"')
    assert "Changed in the last run" not in texts("/brains/lexicon")
    tab = visit("/brains/fable")
    for width, beside in ((1280, True), (390, False)):
        tab.set_viewport_size({"width": width, "height": 900})
        nav, body = (tab.locator(f"main {one}").bounding_box() for one in (".facets", ".results"))
        assert (nav["x"] >= body["x"] + body["width"]) == beside


LISTS = ("/", "/search", "/claims", "/tags", "/sources", "/terms", "/runs", "/changes", "/graph", "/about")


@pytest.fixture(scope="module")
def nothing(tmp_path_factory):
    with (
        Brain.open(Settings(home=tmp_path_factory.mktemp("nothing"))) as brain,
        served(brain) as site,
        httpx.Client(base_url=site, headers={"accept": "text/html"}, timeout=60) as client,
    ):
        yield client


@pytest.mark.parametrize("address", LISTS)
def test_what_is_empty_has_no_frame_and_says_what_to_do(nothing, address):
    answer = nothing.get(address)
    assert answer.status_code == 200
    for frame in ("<tbody>\n</tbody>", "Narrow down", "<ul>\n</ul>", 'class="shares"', "Every claim holds"):
        assert frame not in answer.text, frame
    assert address != "/" or "brain ingest FILE" in answer.text


def test_a_run_without_claims_is_no_good_news(tmp_path):
    with Brain.open(Settings(home=tmp_path)) as brain:
        brain.documents.put_all([document((node("alone"),))], at(TODAY))
        verify(brain, TODAY)
        with served(brain) as site:
            report = httpx.get(site, headers={"accept": "text/html"}, timeout=60).text
            graph = httpx.get(f"{site}/graph.json", timeout=60).json()
    assert "Every claim holds" not in report
    assert "brain ingest claims.yaml" in report
    assert (graph["x"], graph["y"]) == ([500], [500]), "one node is in the middle"


def test_a_sound_note_without_claims_of_its_own_has_a_neutral_mark(shipped_pages):
    """A green tick stood above "No figure of its own is checked"."""
    text = shipped_pages.text("/nodes/{brain}/{slug}", brain="analyst", slug="three-recurring-reads")
    health = text.partition('<p class="health">')[2].partition("</p>")[0]
    assert "rests on sound notes</span>" in health, "links that hold were read as addresses that answer"
    assert "badge holds" not in health


def test_about_explains_every_form_of_the_badge_of_a_sound_note(shipped_pages):
    """A green tick stood at "5 of 10 checked hold", and at a source figure that was found wrong."""
    text = re.sub(r"\s|&nbsp;", " ", shipped_pages.text("/about")).replace('<span class="more">', "")
    found = re.findall(r"badge (\w+)[^>]*><svg.*?</svg>([^<]+)<", text)
    assert ("holds", "sound · 4 of 30 figures tested") in found
    assert ("disputed", "sound · 1 figure tested · 1 source error") in found
    text = shipped_pages.text("/nodes/{brain}/{slug}", brain="analyst", slug="h100-three-year-tco")
    assert "tested · 1\u00a0source error</span>" in text.partition("</p>\n</div>")[0], "five figures, as one error"


def test_a_watched_point_says_where_it_stands_and_a_doubted_link_that_it_is(shipped_pages):
    """A table repeated the point; what was wrong in a note stood only above its text."""
    text = shipped_pages.text("/nodes/{brain}/{slug}", brain="analyst", slug="current-watchlist")
    assert re.findall(r'data-now="(.+?): [\d.]+\sUSD/Mtok now, needs below 1\sUSD/Mtok \(−', text) == ["Not yet"]
    assert re.search(r"1\spoint with a threshold, <b>none</b> reached", text)
    text = shipped_pages.text("/nodes/{brain}/{slug}", brain="analyst", slug="choice-of-unit-decides-the-winner")
    assert text.count('data-word="weakened" class="cite"') == 1
    assert text.count('data-doubt="doubtful"') == text.count("takes 0.28\u00a0USD/Mtok for granted") == 2, (
        "89× by $0.28"
    )


def test_a_note_says_how_many_of_its_figures_are_checked_and_marks_them_in_the_cells_of_a_table(shipped_pages):
    text = shipped_pages.text("/nodes/{brain}/{slug}", brain="analyst", slug="api-price-bands-2025")
    badge = r">sound <[^>]+>· (\d+) of (\d+)\sfigures&nbsp;tested"
    checked, every = map(int, re.findall(badge, text)[0])
    assert re.search(r"underlined figures</a>:\s+1 holds on <.*?</time>, 15 on the day they are about, <time", text)
    prose = text.partition('<div class="prose"')[2].partition("<section")[0]
    assert checked == len(re.findall(r'<a [^>]*class="figure', prose)) < every - checked
    cells = re.findall(r"<td[^>]*>(.*?)</td>", prose.partition("</table>")[0])
    assert ['class="figure' in cell for cell in cells] == [False, True, True, False] * (len(cells) // 4)
