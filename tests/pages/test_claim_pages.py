"""The page of a claim, its pictures and its nights; the list of claims; runs and changes."""

import csv
import io
import itertools
import re
from collections import Counter
from datetime import date, timedelta
from html import unescape

import pytest

from api.pages.charts.chart import Chart, Frame, days_axis, draw, labels
from api.pages.charts.claim_charts import Point, Series, reach
from api.pages.render.figure_format import first_cause, plain_words
from api.pages.render.strips import life_strip, night_counts
from api.pages.render.template_renderer import WORDS
from api.pages.render.templates import environment
from api.pages.views.claim_table import PageContext
from api.pages.views.ledger_pages import change_list
from compute.record.life_models import LifeLine, LifeSpan, LifeState, LifeTurn
from graph.models.claim_models import Cause, VerdictName
from graph.models.verdict_models import VerdictChange
from tests.pages.invented import TODAY
from tests.pages.pages_list import KINDS

HOLDS, STALE, REFUTED, DEPENDS = VerdictName.HOLDS, VerdictName.STALE, VerdictName.REFUTED, VerdictName.DEPENDS
CLAIM = "/claims/fresh-token"
CHARTS = "/charts/claims/output-multiple"


def shown(client, address):
    answer = client.get(address)
    assert answer.status_code == 200, address
    return unescape(answer.text).replace("\u00a0", " ")


def test_the_first_part_of_a_claim_has_verdict_figures_cause_chart_and_days(client):
    page = shown(client, CLAIM)
    first = page.partition('<div class="first')[2].partition('id="inputs"')[0]
    figures = [re.sub(r"<[^>]+>", "", one) for one in re.findall(r"<dd>(<b>.*?</b>)", first)]
    assert figures == ["10.00 USD/Mtok", "8.00 USD/Mtok"]
    assert 'aria-label="What changed"' in first
    assert "10.00 USD/Mtok → 8.00 USD/Mtok" in first
    assert re.search(r"Failed on .*?</b>: .*acme/large.*input <b>10.00 → 8.00", first)
    assert re.findall(r'<svg class="plot ([\w-]+)"[^>]*aria-label="The value since', first) == ["on-wide", "on-narrow"]
    assert 'name="as_of" class="date" value="2026-11-21"' in first
    parts = ('class="first', *(f'id="{one}"' for one in ("said", "todo", "inputs", "working", "life", "history")))
    order = [page.index(part) for part in parts]
    assert order == sorted(order)
    assert "“" not in re.search(r"<h1[^>]*>(.*?)</h1>", page)[1], "it quotes nothing"


def test_a_claim_on_another_day_says_so_and_keeps_the_readers_numbers(client):
    page = shown(client, f"{CLAIM}?as_of=2026-11-20&fresh=12")
    assert "for 20 Nov 2026" in re.sub(r"<[^>]+>", "", page)
    day = page.partition('<form class="on"')[2].partition("</form>")[0]
    assert re.findall('<input type="hidden" name="([^"]+)" value="(.+?)">', day) == [("fresh", "12")]
    assert f'<a href="{CLAIM}">Back to today</a>' in day
    assert '<input type="hidden" name="as_of" value="2026-11-20">' in page.partition("data-own")[2]


def test_the_dot_is_at_the_readers_number_and_without_it_at_todays(client):
    def dot(address):
        page = client.get(address).text
        places = re.findall(r'data-(left|width|top|bottom|from|to)="([\d.]+)"', page)
        axis = {name: float(value) for name, value in places}
        page = page.partition('class="over-input"')[2]
        x, y = (float(one) for one in re.search(r'class="dot" cx="([\d.]+)" cy="([\d.]+)"', page).groups())
        assert axis["top"] <= y <= axis["bottom"]
        return axis["from"] + (axis["to"] - axis["from"]) * (x - axis["left"]) / axis["width"]

    assert dot(CLAIM) == pytest.approx(8, abs=0.05)
    assert dot(f"{CLAIM}?fresh=12") == pytest.approx(12, abs=0.05)


def test_a_chart_has_title_source_day_and_address_in_it_and_three_forms(client, site):
    chart = "history"
    svg = unescape(client.get(f"{CHARTS}/{chart}.svg?scheme=dark").text).replace("\u00a0", " ")
    host = site.removeprefix("http://")
    assert "var(" not in svg
    for words in ("Output costs at least 4 times as much as input.", "Source: cards · 21 Nov 2026", host + "/claims/output-multiple"):  # fmt: skip  # one list
        assert f">{words}</text>" in svg
    png = client.get(f"{CHARTS}/{chart}.png")
    assert (png.headers["content-type"], png.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    width = re.search(r'width="(\d+)" height="(\d+)" viewBox', svg)
    pixels = [int.from_bytes(png.content[at : at + 4], "big") for at in (16, 20)]
    assert pixels == [2 * int(one) for one in width.groups()], "two pixels for each unit"
    answer = client.get(f"{CHARTS}/{chart}.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    head, *rows = csv.reader(io.StringIO(answer.text))
    assert rows
    assert all(len(row) == len(head) for row in rows)
    assert f"{CHARTS}/{chart}" in client.get("/claims/output-multiple").text
    assert client.get(f"{CHARTS}/{chart}.gif").status_code == 404


def test_every_kind_of_page_has_a_description_a_title_and_a_picture_at_the_served_address(client, site):
    wrong = []
    for address in KINDS.values():
        head = client.get(address).text.partition("</head>")[0]
        tags = dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', head))
        if not 20 <= len(unescape(tags["description"])) <= 700 or tags["description"] != tags["og:description"]:
            wrong.append((address, tags["description"]))
        if not tags["og:title"] or not all(tags[name].startswith(f"{site}/") for name in ("og:url", "og:image")):
            wrong.append((address, tags["og:title"], tags["og:url"], tags["og:image"]))
    assert not wrong
    card = re.search(r'property="og:image" content="([^"]*)"', client.get(CLAIM).text)[1]
    assert card == f"{site}/charts{CLAIM}/card.png"
    pixels = client.get(card).content
    assert [int.from_bytes(pixels[at : at + 4], "big") for at in (16, 20)] == [2400, 1260]
    note = client.get("/charts/nodes/fable/price-is-the-product/card.svg?scheme=light").text
    assert re.search(r">\d of \d</tspan><tspan [^>]*>figures hold</tspan>", note)
    assert "acme/large" in client.get("/charts/prices/acme/large/card.svg").text
    assert f"{site}{CLAIM}, accessed 2026-11-21" in client.get(CLAIM).text.partition("<dt>cite this</dt>")[2]


def test_the_list_of_claims_has_a_skip_link_closed_filters_and_a_way_out_of_an_empty_result(client):
    page = shown(client, "/claims")
    assert '<a class="skip" href="#results">' in page.partition("<h1>")[0]
    assert '<details class="fold">' in page, "closed: on a phone the claims come first"
    empty = shown(client, "/claims?verdict=conflicting&severity=info&q=ACME+fresh")
    assert "No claim matches all of these filters and has <q>ACME fresh</q> in it." in empty
    assert 'severity=info&q=ACME+fresh">Without “conflicting”' in empty


def test_runs_and_changes_show_each_change_once_with_its_figures(client):
    runs, changes, run = (shown(client, address) for address in ("/runs", "/changes", "/runs/2"))
    assert "by-night" not in runs + changes, "two nights are no picture"
    assert "conflicting</th>" not in runs, "no run has any"
    assert changes.count("A fresh token of Acme Large") == 1
    assert '<b class="change value">10.00 → 8.00 USD/Mtok</b>' in changes
    found = run.partition('id="found"')[2]
    assert "/claims/fresh-token" in run
    assert "/claims/fresh-token" not in found, "what changed stands above"
    assert "/claims/fresh-token" in shown(client, "/runs/2?verdict=stale").partition('id="found"')[2]
    assert 'href="/runs/2?verdict=holds#found"' in run.partition('id="found"')[0]
    assert "badge holds" not in found, "what holds is counted; the link lists it"


def change(claim, before, after):
    return VerdictChange(claim=claim, before=before, after=after, cause=Cause.PRICE_MOVED)


def test_the_changes_of_a_run_begin_with_what_broke_by_severity_and_count_new_claims(brain):
    run = brain.ledger.latest_run()
    made = [
        change("back", STALE, HOLDS), change("gone", HOLDS, None), change("fresh-token", HOLDS, STALE),
        change("new", None, HOLDS), change("missing-model", HOLDS, REFUTED), change("open", HOLDS, DEPENDS),
    ]  # fmt: skip
    found = change_list(PageContext(brain), run, made, TODAY, most=3, since=None)
    assert [one.change.claim for one in found.listed] == ["fresh-token", "missing-model", "open"], "critical first"
    assert (found.added, found.removed, found.total) == (((HOLDS, 1),), 1, 4)
    assert found.listed[0].change.cause is Cause.PRICE_MOVED


def test_a_life_line_is_split_at_today():
    days, states = (
        [date(2026, 6, 1), date(2026, 7, 1), date(2027, 1, 1)],
        [LifeState.HELD, LifeState.FAILED, LifeState.HELD],
    )
    spans = tuple(
        LifeSpan(state=state, start=day, end=end, dated=True)
        for day, end, state in zip(days, [*days[1:], None], states, strict=True)
    )
    turned = tuple(LifeTurn(day=two.start, before=one.state, after=two.state) for one, two in itertools.pairwise(spans))
    life = LifeLine(claim="new", as_of=days[0], today=date(2026, 12, 1), spans=spans, turns=turned)
    strip = life_strip(life)
    assert strip.first == days[0]
    length = (strip.last - days[0]).days
    assert [bar.x for bar in strip.bars] == [
        round(1000 * (day - days[0]).days / length) for day in (*days[:2], date(2026, 12, 2), days[2])
    ]
    assert [bar.ahead for bar in strip.bars] == [False, False, True, True]


@pytest.mark.parametrize(
    ("because", "told"),
    [
        ("rent_now went from 12.25 to 6.88 USD/GPU/h. Rent is derived", "“rent now” went from 12.25 to 6.88 USD/GPU/h"),
        (
            "rent is read from another source: the median of aws, vast has 3.99 USD/GPU/h, the median of aws had 3.49 USD/GPU/h",
            "“rent” is now read from another source: 3.99 USD/GPU/h there; when the note was written, 3.49",
        ),
        (
            "acme/best moved from one to two, list is 2.00 USD/Mtok for two and was 3.00 for one, cached is 0.10 USD/Mtok",
            "the name acme/best now means two (list 2.00 USD/Mtok); when the note was written, one (list 3.00 USD/Mtok)",
        ),
        (
            "list is 2.00 USD/Mtok for a/b and was 3.00 for b/c, cached is 1",
            "“list” is now the price of a/b, 2.00 USD/Mtok; when the note was written, of b/c, 3.00",
        ),
        ("", ""),
    ],
)  # fmt: skip
def test_the_first_cause_of_a_reason_names_its_input_in_words(because, told):
    reason = f"On 2025-06-30 it was 1 and held; now 2, because {because}." if because else "It holds."
    assert first_cause(reason).replace("\u00a0", " ") == told


def test_the_chart_over_an_input_says_where_the_verdict_changes_and_a_price_is_said_once(client):
    page = shown(client, CLAIM)
    chart = page.partition('class="over-input"')[2].partition("</svg>")[0]
    assert "holds above 9.00 USD/Mtok</text>" in chart
    assert ">expected</text>" in page.partition('class="over-input"')[2].partition("<figcaption>")[0]
    working = page.partition('id="working"')[2].partition("</section>")[0]
    step = next(one for one in working.split("<li>") if "/prices/acme/large" in one)
    assert step.count("8.00 USD/Mtok") == 1
    assert "price(" not in step


def test_the_columns_of_nights_stack_what_was_found_and_leave_gaps():
    first = date(2026, 11, 1)
    seen = {first: Counter({STALE: 1}), first + timedelta(days=2): Counter({STALE: 1, HOLDS: 1})}
    template = environment(**WORDS).from_string("{% from 'parts.html' import columns %}{{ columns(found, 'Changed') }}")
    bar = r'class="(\w+)" x="(\d+)" y="([\d.]+)" width="8" height="([\d.]+)"'
    bars = [" ".join(found) for found in re.findall(bar, template.render(found=night_counts(seen)))]
    assert bars == ["stale 1 50.0 50.0", "stale 21 50.0 50.0", "holds 21 0.0 50.0"]


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("costs **95% less** than\n> the [list](prices.md)", "costs 95% less than the list"),
        ("[[costs|What it costs]] and [[rent]]", "What it costs and rent"),
        (r"from \$3 to `2`", "from $3 to 2"),
    ],
)
def test_quoted_words_are_shown_without_their_marks(written, plain):
    assert plain_words(written) == plain


def test_an_axis_has_round_values_and_a_pole_does_not_flatten_it():
    assert [words for _, words in labels(0, 4, 5)] == ["0", "1", "2", "3", "4"]
    assert [words for _, words in labels(94.2, 97.7, 4)] == ["95", "96", "97"]
    assert labels(0, 2.4e12, 3)[-1][1] == "2 trillion"
    months = [words for _, words in days_axis(date(2025, 2, 1), date(2027, 1, 1), 6)]
    assert months == ["Jul 2025", "Jan 2026", "Jul 2026", "Jan 2027"]
    points = [Point(number, number**9, 1, None, True) for number in range(1, 9)]
    assert reach(Series(tuple(points)))[1] < 6
    frame = Frame("A title " * 9, "Value in %", "cards", TODAY, "brain.example/claims/" + "x" * 90)
    drawn = draw(Chart((0, 1), (0, 1), (), ()), frame, "").decode()
    assert drawn.count('font-weight="600"') == 2
    assert "…" in drawn
