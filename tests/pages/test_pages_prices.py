"""Prices and sources: the list, items, pictures to share, links that lead somewhere."""

import csv
import html
import io
import re
from datetime import date
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from api.pages import page_routes
from api.pages.charts.chart import DARK, LIGHT
from api.pages.page_request import PageRequest, path_of
from api.pages.render.source_titles import source_kind, title_of_address
from api.pages.render.template_renderer import TemplateRenderer
from api.pages.views import brain_pages, source_pages
from api.pages.views.price_table import CATALOG_COLOURS, TimeAxis, catalog_colour, price_image, price_lines
from compute.record.record import by_life, percent
from tests.compute import made
from tests.conftest import TODAY
from tests.pages.conftest import renderer

SMALL = 70_000
"""The most bytes of a page."""


class Shipped:
    """The pages of the content that ships, without a server."""

    def __init__(self, context):
        self.context = context

    def get(self, address):
        """The page at an address: its status and its text; those of prices and sources are small."""
        parts = urlsplit(address)
        view, names = self._view(parts.path)
        request = PageRequest(parts.path, TODAY, names, tuple(parse_qsl(parts.query)), "https://brain.example")
        answer = page_routes.answer(view, self.context, renderer(), request)
        if parts.path.startswith(("/prices", "/sources")):
            assert len(answer.body) < SMALL, f"{address} has {len(answer.body)} bytes"
        return answer.status_code, answer.body.decode()

    def text(self, address):
        """The text of a page that there is, with plain spaces."""
        status, text = self.get(address)
        assert status == 200, address
        return html.unescape(text).replace("\u00a0", " ")

    def picture(self, name, **query):
        path, parts = f"/charts/prices/{name}.svg", {"item": name, "form": "svg"}
        request = PageRequest(path, TODAY, parts, tuple(query.items()), "https://brain.example")
        return price_image(self.context, request).body.decode()

    def _view(self, path):
        if path.startswith("/prices/"):
            return brain_pages.price, {"item": httpx.URL(f"https://x{path}").path.removeprefix("/prices/")}
        return dict(page_routes.PAGES)[path], {}


@pytest.fixture(scope="module")
def shipped(shipped_pages):
    return Shipped(shipped_pages.context)


def rows(text, start='id="items"'):
    """The rows of the table behind a heading, each as its cells without markup."""
    body = text.partition(start)[2].partition("<tbody>")[2].partition("</tbody>")[0]
    cells = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in body.split("<tr")[1:])
    return [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()).replace("/ ", "/") for cell in row] for row in cells]


def test_the_list_has_a_price_for_every_item_and_the_claims_that_rest_on_it(shipped):
    text = shipped.text("/prices")
    first = rows(text)[0]
    assert re.fullmatch(r"[\d.,]+", first[1]), first
    assert first[2].startswith("USD/")
    assert first[6].endswith(" claims")
    assert f'href="/prices/{first[0]}#impact"' in text
    families = rows(text, 'id="families"')
    assert len(families) < text.count('class="price-drawing"') <= len(rows(text)) + len(families)
    assert text.index("first day not known") > text.index('id="families"'), "prices come before the key"
    claims = [int(row[6].split()[0]) for row in rows(text)]
    assert claims == sorted(claims, reverse=True)
    assert len({row[0] for row in rows(text)}) == len(claims), "an item has one row"


def test_the_list_is_narrowed_down_sorted_searched_and_paged(shipped):
    cheap = rows(shipped.text("/prices?kind=gpu-hour&unit=USD%2FGPU%2Fh&sort=cheap"))
    values = [float(row[1].split()[0]) for row in cheap if row[1] != "–"]
    assert values == sorted(values)
    assert all(row[2] == "USD/GPU/h on demand" for row in cheap)
    assert {row[0].partition("/")[0] for row in rows(shipped.text("/prices?provider=aws"))} == {"aws"}
    assert all("sonnet-4-5" in row[0].replace(".", "-") for row in rows(shipped.text("/prices?q=Sonnet+4.5")))
    pages = [rows(shipped.text(f"/prices?page={number}&sort=name")) for number in (1, 2)]
    assert pages[0][-1][0] < pages[1][0][0]
    assert "page 2 of" in shipped.text("/prices?page=2")
    assert "output tokens" in shipped.text("/prices?q=sonnet").partition("<h2>Kind</h2>")[2]
    assert shipped.get("/prices?sort=colour")[0] == 400
    nothing = shipped.text("/prices?q=no+such+thing")
    assert "No priced item has this in its name" in nothing
    assert 'href="/prices">Show all' in nothing
    assert 'id="assumptions"' in shipped.text("/prices?q=pue")


def test_a_price_without_a_first_day_has_none_in_the_list_and_its_reason_on_its_page(shipped):
    """Sonnet 5.5 came out in September; its family had the same price since June, from the model before it."""
    for row in rows(shipped.text("/prices")):
        assert re.fullmatch(r"since (\d+ \w{3} 20\d\d|–)", html.unescape(row[3])), row
    assert rows(shipped.text("/prices?q=claude-sonnet-5-5"))[0][3] == "since –"
    assert "first day not known; model out 28 Sep 2026" in shipped.text("/prices/anthropic/claude-sonnet-5-5")


def test_a_model_stands_with_its_family_and_not_again_among_the_items(shipped):
    """Each had two rows, with one price and the same claims."""
    models = {row[0].partition(" now ")[2] for row in rows(shipped.text("/prices"), 'id="families"')}
    items = {row[0].partition("/")[2] for row in rows(shipped.text("/prices"))}
    assert models
    assert not models & items
    cheap = {row[0].partition("/")[2] for row in rows(shipped.text("/prices?q=sonnet&sort=cheap"))}
    assert models & cheap, "an order of prices has all"


def test_a_change_that_comes_from_another_model_says_so(shipped):
    """A price page had it in green, as a price cut."""
    text = shipped.text("/prices")
    family = {row[0].partition(" now ")[0]: row for row in rows(text, 'id="families"')}["anthropic/sonnet"]
    assert family[4] == "−33% against a year ago"
    assert family[1:3] == ["2.00 /10.00", "USD/Mtok in /out"], "both prices of a bill"
    assert "against the model that had the name then" in text
    changed = {row[0]: row[4] for row in rows(text) if "other source" in row[4]}
    assert changed["coreweave/h100-sxm"].startswith("+146%"), "as the record has it"
    assert ("Price lists" in text, "Price lists" in shipped.text("/prices?page=2")) == (True, False)
    assert "A year ago, other model</th>" in shipped.text("/prices/anthropic/sonnet")


def test_a_catalogue_that_states_the_same_is_named_beside_its_band(shipped):
    assert "band: the list “cards” has the same price" in _words(shipped.picture("anthropic/sonnet"))


@pytest.mark.parametrize("address", ["/prices/aws/h100-sxm", "/prices/openai/gpt-oss-120b?chart=output/standard"])
def test_an_item_is_ranked_over_its_providers(shipped, address):
    text = shipped.text(address)
    values = [float(row[1].split()[0].replace(",", "")) for row in rows(text, 'class="ranking"')]
    assert len(values) > 4
    assert values == sorted(values)
    low, high = re.findall(r"\S+ is the cheapest with ([\d.]+) \S+; \S+ charges ([\d.]+)", text)[-1]
    assert float(low) == values[0] < values[-1] <= float(high)
    assert text.partition('class="ranking"')[2].count("<rect") == len(values)


def test_an_item_begins_with_a_summary_and_folds_its_history(shipped):
    text = shipped.text("/prices/anthropic/sonnet")
    now = {row[0]: row[1:] for row in rows(text, 'class="now-table"')}
    assert now["Input"] == ["2.00 USD/Mtok", "from 3.00 (−33%) on 30 Jun 2026 , with claude-sonnet-5", "3.00 ( −33% )"]
    both = "on 28 Sep 2026 by genai-prices, 7 Oct 2026 by cards, with"
    assert now["Cache read"][1].startswith(f"from 0.20 (−50%) {both}"), "one account"
    head = " ".join(re.sub(r"<[^>]+>", " ", text.partition("<h1>")[2].partition("<table")[0]).split())
    assert "Input costs 2.00 USD/Mtok since 30 Jun 2026 , from 3.00." in head, "it begins with what the chart draws"
    assert f"Last change: cache read 0.20 → 0.10 USD/Mtok (−50%) {both}" in head
    assert "Today the name means claude-sonnet-5-5" in head
    assert re.search("claims depend on these prices: .*a year before it meant claude-sonnet-4-5", head), head
    assert re.search(
        r'(?s)id="impact".*In doubt because of these prices: \d+ claims and \d+ theses.*id="providers"', text
    )
    assert '<h2 id="chart">Input over time' in text, "the chart opens on what most claims read"
    cached = _words(shipped.picture("anthropic/sonnet", chart="cache_read/standard"))
    assert {"0.20 until 7 Oct 2026, cards", "the name went to another model"} <= {*cached}, "each line has a key"
    assert "claude-sonnet-5 →" in text, "the step has the name of the model that brought it"
    assert text.count('<svg class="plot ') == 2, "one for wide windows and one for phones"
    assert re.search(r"<details>\s*<summary>\d+ prices with their sources", text)
    drawings = re.findall(r'<path class="today" d="M(\d+) 0V60"/>', text)
    assert len(drawings) > 5
    assert len({*drawings, *re.findall(r'class="today" d="M(\d+)', shipped.text("/prices"))}) == 1, "one axis of time"


def test_another_component_is_chosen_by_a_link(shipped):
    text = shipped.text("/prices/anthropic/sonnet?chart=output/batch")
    assert "/charts/prices/anthropic/sonnet.svg?chart=output/batch" in text
    assert shipped.get("/prices/anthropic/sonnet?chart=output/slow")[0] == 400


def test_the_picture_of_a_price_has_its_title_source_day_and_address(shipped):
    words = _words(shipped.picture("anthropic/sonnet", chart="output/standard"))
    assert "anthropic/sonnet: output" in words
    assert any(word.startswith("Source: genai-prices") and word.endswith("21 Nov 2026") for word in words)
    assert "brain.example/prices/anthropic/sonnet" in words
    words = _words(shipped.picture("anthropic/sonnet"))
    ends = [word for word in words if re.fullmatch(r"\d+\.\d\d( until .*)?", word)]
    assert ends == ["2.00"], "a tier that ended and a catalogue below another had names, and flattened the price itself"
    assert "800k" in _words(shipped.picture("market/h100-sxm-node")), "its axis said 8k"
    light = shipped.picture("anthropic/sonnet", scheme="light")
    assert "var(--" not in light
    assert LIGHT["genai"] in light


def _words(svg):
    return [html.unescape(word).replace("\u00a0", " ") for word in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


def test_a_component_with_a_slash_in_its_name_has_a_picture(shipped):
    """The address of `route=mistral/eu` was read as an item of another name: 404."""
    item = "openrouter/mistralai/mistral-large-4-0"
    assert "route=mistral/eu" in shipped.picture(item, chart="input/route=mistral/eu")
    assert (
        f"{path_of('charts/prices', item)}.svg?chart=input/route%3Dmistral/eu"
        in shipped.get(f"/prices/{item}?chart=input/route%3Dmistral/eu")[1]
    )


def test_the_history_is_complete_as_csv(site):
    answer = httpx.get(f"{site}/charts/prices/acme/large.csv")
    found = list(csv.DictReader(io.StringIO(answer.text)))
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert [row["value"] for row in found if row["component"] == "input"] == ["10", "8", "4"]
    assert {row["item"] for row in found} == {"acme/large"}
    one = httpx.get(f"{site}/charts/prices/acme/large.csv?chart=output/standard").text
    assert len(one.splitlines()) == 2
    assert httpx.get(f"{site}/charts/prices/acme/none.csv").status_code == 404


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_catalogues_have_the_same_colours_in_pages_and_pictures(palette):
    names = (*CATALOG_COLOURS.values(), catalog_colour("of others"))
    sheet = TemplateRenderer().assets.get("prices.css").body.decode()
    assert all(f"--{name}: {palette[name]};" in sheet for name in names)
    assert len({palette[name] for name in names}) == len(names)


def test_links_to_prices_point_to_pages(shipped):
    """Every fourth of the pages that lists name, and of the items that claims read, which pages of claims link to."""
    lists = [path for path, _ in page_routes.PAGES if "{" not in path and not path.endswith((".json", ".svg", ".png"))]
    lists += ["/prices/anthropic/sonnet", "/prices/aws/h100-sxm"]
    links = {link for address in lists for link in _price_links(shipped.get(address)[1])}
    read = {one.question.item for one in shipped.context.brain.status.readers() if one.question}
    links |= {path_of("prices", item) for item in read if item.count("/")}
    assert len(links) > 150
    assert [link for link in sorted(links)[::4] if shipped.get(link)[0] != 200] == []


def _price_links(text):
    found = (html.unescape(link).partition("#")[0] for link in re.findall(r'href="([^"]+)"', text))
    return {link for link in found if link.startswith("/prices/")}


def test_an_item_without_a_price_offers_similar_names_and_its_provider(shipped):
    status, text = shipped.get("/prices/anthropic/sonet")
    assert status == 404
    assert 'href="/prices/anthropic/sonnet"' in text
    assert 'href="/prices?provider=anthropic"' in text
    bare = shipped.text("/prices/cloudflare/internet")
    assert "Item without a price" in bare
    assert 'href="/prices/aws/internet"' in bare
    assert 'href="/prices?provider=cloudflare"' in bare


def test_sources_begin_with_the_most_used_and_say_what_kind_they_are(shipped):
    text = shipped.text("/sources")
    works = text.partition("<tbody>")[2].split("</tr>")[:-1]
    counts = [sum(map(int, re.findall(r'>(\d+)<span class="column"> (?:note|claim)', work))) for work in works]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 10
    titles = re.findall(r'<p class="title"><a [^>]+><bdi>([^<]+)', text)
    assert len(titles) == len(counts)
    assert sum(title.startswith("http") for title in titles) <= 2
    papers = shipped.text("/sources?kind=paper")
    assert papers.count('<span class="kind">paper</span>') == papers.count('<p class="title">')
    assert "No source matches all of these filters" in shipped.text("/sources?q=no+such+thing")
    assert rows(text) == []


def test_sources_are_ordered_by_what_is_wrong_in_them(shipped):
    assert 'href="/sources?sort=wrong">most wrong first</a>' in shipped.text("/sources")
    counts = [
        int(found[1]) if (found := re.search(r'>(\d+)<span class="column"> wrong', entry)) else 0
        for entry in shipped.text("/sources?sort=wrong").partition("<tbody>")[2].split("</tr>")[:-1]
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 1


def test_a_source_counts_the_verdicts_of_its_claims(shipped):
    work = next(one for one in source_pages.claims_by_work(shipped.context) if "spheron" in one)
    request = PageRequest("/sources", date(2026, 11, 21), {"work": work})
    page = source_pages.source(shipped.context, request).model
    assert page.figures
    assert page.priced
    assert all(line.claim.source for line in page.figures)


@pytest.mark.parametrize(
    ("work", "kind", "title"),
    [
        ("arxiv:2203.15556", "paper", ""),
        ("https://introl.com/blog/gpu-cloud-pricing-2026", "blog", "GPU cloud pricing 2026"),
        ("https://openai.com/api/pricing", "prices", ""),
        ("https://docs.nvidia.com/nemo/user-guide.html", "docs", "User guide"),
        ("https://introl.com/blog/pue-109-data-center-efficiency", "blog", "PUE 1.09 data center efficiency"),
        ("https://acme.example/2026-01-19-gpt4-turbo-vs-gpt-4-1", "page", "GPT-4 turbo vs GPT-4.1"),
        ("https://acme.example/vllm-at-99-9-uptime", "page", "vLLM at 99.9 uptime"),
        ("https://acme.example/two-studies/speculative-decoding-2-3x-faster", "page", ""),
        ("https://acme.example/deep-learning/llama-2", "page", ""),
        ("https://en.wikipedia.org/wiki/GPT-3", "reference", ""),
        ("https://github.com/acme/thing", "code", ""),
        ("https://www.eia.gov/electricity", "official", ""),
        ("https://acme.example/a-study-of-wires-8fd2bc11aa", "page", "A study of wires"),
        ("javascript:alert(1)", "page", ""), ("http://[broken", "page", ""),
    ],
)  # fmt: skip
def test_the_kind_and_the_title_of_a_source_are_read_from_its_address(work, kind, title):
    assert source_kind(work).name == kind
    assert title_of_address(work) == title


def test_the_record_shows_a_share_only_where_ten_figures_are_that_old_and_says_how_many(shipped):
    """It said 225 at 90 days, when 41 were that old, and 56% after a year, by 7 figures."""
    record = shipped.context.brain.record
    (group,) = record.record(TODAY).groups
    fates = [fate for life in record.lives(TODAY).values() if (fate := by_life(life, TODAY)) and fate.followed]
    text = " ".join(re.sub(r"<[^>]+>", " ", shipped.text("/record")).split())
    assert f"after 3 months {percent(group.alive['90'])} " in text
    ages = {"3 months": 91, "6 months": 182, "9 months": 273}
    known = re.findall(r"Hold after (\d months) [\d.]+%(?: 95% interval \S+)? (\d+) followed", text)
    assert [age for age, *_ in known] == [*ages], "in one unit, that of the axis"
    assert [int(number) for _, number in known] == [sum(one.days >= ages[age] for one in fates) for age, _ in known]
    assert sum(fate.days >= 365 for fate in fates) < 10
    assert "< 10<" in shipped.text("/record")
    assert re.search(rf"six months old an estimated \d\d% still hold; {known[1][1]} were followed that long", text)
    last = [point for point in group.curve if point.at_risk >= 10][-1]
    assert f"ends at {last.day / 30.42:.1f} months, where 10 are left: {percent(last.alive)} (" in text


def test_a_price_that_begins_today_is_drawn():
    """On the day on which a frontier model doubled, its drawing ended at the old price."""
    before = made.price("2", valid_from=date(2026, 1, 1), valid_to=TODAY)
    (line,) = price_lines([before, made.price("4", valid_from=TODAY)], TimeAxis.around(TODAY))
    assert [(step.price.value, step.end > TODAY) for step in line.steps] == [(2, False), (4, True)]


@pytest.mark.browser
def test_on_a_phone_results_come_before_the_choices(visit):
    page = visit(viewport={"width": 390, "height": 900}, java_script_enabled=False)
    for address in ("/prices", "/sources"):
        page.goto(address)
        assert page.locator(".results").bounding_box()["y"] < 600, address
        assert not page.locator(".facet").first.is_visible(), "the choices are folded above them"
