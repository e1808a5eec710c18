"""The graph page: filters that recount, kinds of links, and the drawing under mouse, fingers and keys."""

import itertools
import json
import math
import statistics

import pytest

from api.pages.page_request import PageRequest
from api.pages.views import graph_page
from api.pages.views.claim_table import PageContext
from api.pages.views.graph_page import LINK_GROUPS, SIDE, group_of_kind, heaviest
from graph.links.drawing_layout import column_rows, few_laid_out, in_columns
from tests.pages.conftest import renderer
from tests.pages.invented import TODAY

THESIS = "/nodes/fable/price-is-the-product"


def graph(brain, **query):
    return graph_page.page(PageContext(brain), PageRequest("/graph", TODAY, query=tuple(query.items()))).model


def data(context, **query):
    asked = PageRequest("/graph.json", TODAY, query=tuple(query.items()))
    return json.loads(graph_page.data(context, asked).body)


def counts(page, title):
    return {option.text: option.count for facet in page.facets if facet.title == title for option in facet.options}


def test_links_are_drawn_by_what_they_say():
    said = [("cites", "citesAsEvidence"), ("cites", "disagreesWith"), ("cites", "discusses"), ("broader", None)]
    assert [group_of_kind(*one) for one in said] == ["supports", "disputes", "cites", "terms"]
    assert group_of_kind("contradicts", None) == "disputes"
    several = [
        ("ab", "mentions", None),
        ("ba", "cites", "supports"),
        ("ab", "cites", None),
        ("aa", "cites", "supports"),
    ]
    found = heaviest([(*ends, group_of_kind(kind, cito)) for ends, kind, cito in several])
    assert found == {("b", "a"): "supports"}, "a pair has its heaviest link, from its subject, and no link to itself"


def test_a_filter_recounts_the_other_filters_and_leaves_its_own(brain):
    whole, theses = graph(brain), graph(brain, kind="thesis")
    assert (len(theses.part.passing), theses.map) == (1, whole.map)
    assert counts(theses, "Kind") == counts(whole, "Kind"), "another kind may be chosen instead"
    assert counts(theses, "Tag") == {"pricing": 1, "margins": 1}
    assert sum(counts(theses, "Health").values()) == 1 < sum(counts(whole, "Health").values())
    for tag, count in counts(whole, "Tag").items():
        assert len(graph(brain, tag=tag).part.passing) == count
    for option in next(facet for facet in whole.facets if facet.title == "Has a link that").options:
        name = option.href.partition("links=")[2]
        narrowed = data(PageContext(brain), links=name)
        assert len(narrowed["id"]) == option.count
        groups = {narrowed["link_groups"][group]["name"] for group in narrowed["link_group"]}
        assert groups == {name}, "only links of the chosen kind are drawn"


def test_the_drawing_fills_its_box_whatever_is_filtered(brain):
    for page in (graph(brain, whole="1"), graph(brain, tag="pricing")):
        places = [(spot.x, spot.y) for spot in page.spots]
        assert len(places) > 1
        assert [min(axis) for axis in zip(*places, strict=True)] == [0, 0]
        assert [max(axis) for axis in zip(*places, strict=True)] == [1000, 1000]


def test_few_notes_that_are_not_linked_stand_in_a_column_between_their_neighbours(shipped_pages):
    columns = data(shipped_pages.context)
    places = list(zip(columns["x"], columns["y"], strict=True))
    assert {x for (x, _), passes in zip(places, columns["passes"], strict=True) if passes} == {500}
    assert {x for (x, _), passes in zip(places, columns["passes"], strict=True) if not passes} == {0, 1000}
    ends = list(zip(columns["links"][::2], columns["links"][1::2], strict=True))
    assert statistics.mean(abs(places[one][1] - places[other][1]) for one, other in ends) < 0.09 * SIDE
    assert all(math.dist(*pair) > 20 for pair in itertools.combinations(places, 2)), "room for two lines of a name"
    assert columns["number"][:13] == [*range(1, 13), 0], "the numbers of the list, which begins with what argues"


def test_notes_in_columns_stand_next_to_those_with_which_they_share():
    links = [("a", "x"), ("a", "y"), ("b", "z"), ("c", "y"), ("c", "x"), ("c", "w")]
    places = in_columns("abc", "wxyz", links)
    assert sorted("abc", key=lambda name: places[name][1]) == ["a", "c", "b"]
    assert [places[name] for name in "xywz"] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert in_columns("abc", "wxyz", links[::-1]) == places
    assert column_rows("abc", 4, links) == 2
    assert column_rows("abx", 4, links) == column_rows("abc", 1, links) == column_rows("abc", 81, links) == 0
    assert few_laid_out([], []) == {}


def test_what_is_in_doubt_has_its_cause_and_numbers_run_down_the_drawing(shipped_brain):
    page = graph(shipped_brain)
    states = [spot.health.value for spot in page.listed]
    assert [spot.y for spot in page.listed] == sorted(spot.y for spot in page.listed)
    assert [spot.dot.id for spot in page.spots[: len(states)]] == [spot.dot.id for spot in page.listed], "as numbered"
    assert len(page.healths) == sum(state in {"broken", "weakened"} for state in states)
    assert all(health.claim in page.decisive for health in page.healths.values())
    for name in page.healths:
        helping = [one.helps_thesis for cause in shipped_brain.status.causes(name) for one in cause.claims]
        assert (page.mark(name).word == "out of date") == all(helping), "weakened, by what strengthens it"


def test_words_of_a_title_find_nodes_without_scripts(brain):
    page = graph(brain, find="WIRES and")
    assert [spot.dot.id for spot in page.listed] == ["fable/wires-and-tokens"]
    assert (page.found, graph(brain, find="no such words").found) == (1, 0)
    assert "find" not in page.data


def test_the_graph_of_the_shipped_brain_begins_with_what_argues_and_names_what_it_draws(shipped_pages):
    def shown(**query):
        asked = PageRequest("/graph", TODAY, query=tuple(query.items()))
        sheet = graph_page.page(shipped_pages.context, asked)
        return {group for group, _ in sheet.model.lines}, renderer().page(sheet, asked)

    for query, left, words in (
        ({}, {"terms"}, "theses and points of view: <b"),
        ({"whole": "1"}, {"terms"}, "terms are left out: <a"),
        ({"kind": "term"}, {*LINK_GROUPS} - {"terms"}, "linked to them"),
    ):
        groups, html = shown(**query)
        assert groups == set(LINK_GROUPS) - left, query
        assert words in html
        assert ("<h1>Graph: terms</h1>" if "kind" in query else "<h1>Graph</h1>") in html
        assert len(html.encode()) < 65_000
        assert all((f"</svg> {text}</li>" in html) == (name in groups) for name, text in LINK_GROUPS.items())


@pytest.mark.browser
def test_the_graph_is_searched_zoomed_and_clicked(visit):
    page = visit("/graph")
    canvas = page.locator("canvas")
    page.get_by_role("button", name="Zoom in").click()
    assert "zoomed" in canvas.get_attribute("class")
    page.get_by_role("button", name="Show everything").click()
    assert "zoomed" not in canvas.get_attribute("class")
    page.get_by_label("Words of a title").fill("tiers of")
    assert page.locator("[data-count]").inner_text() == "1 note found"
    page.keyboard.press("Enter")
    assert page.locator(".canvas .about").inner_text().startswith("Tiers of acme reading")
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] / 2, "y": box["height"] / 2})  # waits until the page has scrolled
    page.wait_for_url("**/nodes/fable/tiers-of-acme")


@pytest.mark.browser
def test_the_graph_under_wheel_and_keys(visit):
    page = visit("/graph")
    canvas, about = page.locator("canvas"), page.locator(".canvas .about")
    canvas.wait_for()
    plain = canvas.screenshot()
    canvas.hover(position={"x": 5, "y": 5})
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.locator("canvas.zoomed").wait_for()
    page.mouse.wheel(0, 400)
    page.locator("canvas:not(.zoomed)").wait_for()
    page.keyboard.up("Control")
    canvas.focus()
    page.keyboard.press("ArrowDown")
    first = about.inner_text()
    assert "supports, or builds on" in first or "cites or discusses" in first
    page.wait_for_timeout(60)
    assert canvas.screenshot() != plain, "its neighbours are lit and the others are dimmed"
    page.keyboard.press("Escape")
    assert not about.is_visible()
    page.keyboard.press("ArrowRight")
    seen = {about.inner_text()}
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
        seen.add(about.inner_text())
    assert len(seen) > 1
    target = about.locator("a").first.get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{target}")


@pytest.mark.browser
def test_the_graph_under_fingers(visit):
    page = visit("/graph?kind=thesis", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    canvas = page.locator("canvas")
    canvas.wait_for()
    box = canvas.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(x, y)
    page.locator(".canvas .about").get_by_text("Price is the product").wait_for()
    assert page.url.endswith("/graph?kind=thesis"), "the first tap lights a node"
    touch = page.context.new_cdp_session(page)
    for step, kind in ((20, "touchStart"), (40, "touchMove"), (80, "touchMove"), (0, "touchEnd")):
        points = [{"x": x - step, "y": y, "id": 0}, {"x": x + step, "y": y, "id": 1}] if step else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.locator("canvas.zoomed").wait_for()
    page.get_by_role("link", name="Open Price is the product").tap()
    page.wait_for_url(f"**{THESIS}")


@pytest.mark.browser
def test_the_graph_without_scripts_has_links_a_list_and_a_field(visit):
    page = visit("/graph?kind=thesis", java_script_enabled=False)
    drawn, listed = page.locator("svg.sketch a").count(), page.locator(".connected > li").count()
    assert (drawn, listed) == (3, 1), "with its neighbours"
    assert page.locator(".connected details[open] a").count() == 2, "and they are listed by what they do to each other"
    page.get_by_label("Words of a title").fill("price is")
    page.get_by_role("button", name="Find").click()
    assert "kind=thesis" in page.url, "the filters stay"
    assert page.get_by_text("1 note found").is_visible()
    page.locator(".connected a").first.click()
    assert page.url.endswith(THESIS)
