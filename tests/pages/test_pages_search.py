"""One search over everything that has a name; lists of terms and tags; empty states that say what to do."""

import re
from datetime import date

import pytest

from api.pages.page_request import path_of
from api.pages.views.claim_table import PageContext
from api.pages.views.name_hits import NAME_KINDS
from ingest.quotations.publication_ids import publication_id
from tests.pages.invented import TODAY

KB60 = 60_000


def groups(text):
    """The headings of the groups in their order, with the titles and lines of what is in them."""
    found = {}
    for part in re.split(r'<section class="group"', re.sub("</?(?:mark|bdi)>", "", text))[1:]:
        heading = re.search(r"<h2[^>]*>([^<]+?) <span", part)[1]
        hits = re.findall(r'<li class="hit">(.*?)</li>', part, re.DOTALL)
        plain = [re.sub(r"<[^>]+>|\s+", " ", line) for line in hits]
        found[heading] = [" ".join(line.replace("\u00a0", " ").split()) for line in plain]
    return found


def facet(text, title):
    part = text.partition(f"<h2>{title}</h2>")[2].partition("</section>")[0]
    return re.findall(r'<span dir="auto">([^<]+)</span> <span class="count">([\d,]+)', part)


def to_kinds(text):
    return re.findall(r'href="#of-\w+">(\w+) <span class="count">([\d,]+)', text)


def test_one_search_finds_prices_claims_and_nodes_with_their_figures(client):
    text = client.get("/search?q=acme").text
    found = groups(text)
    assert list(found) == ["Prices", "Claims", "Notes"], "the name of the provider begins the item"
    assert found["Prices"] == ["acme/large 8.00 USD/Mtok · input · read by 2 claims"]
    assert found["Claims"][0].startswith("A fresh token of Acme Large")
    assert "stale 8.00 USD/Mtok · expected at least 9 USD/Mtok" in found["Claims"][0]
    assert dict(to_kinds(text)) == {"Notes": "1", "Claims": "2", "Prices": "1"}


@pytest.mark.parametrize(
    ("address", "titles"),
    [
        ("/search?q=output-multiple", ["Claims"]), ("/search?q=fresh&kind=claim", ["Claims"]),
        ("/search?q=acme+-huge&kind=claim", ["Claims"]), ("/search?q=study+of+wires", ["Sources", "Notes"]),
        ("/search?q=wires.example", ["Sources"]), ("/search?q=tokens&kind=node", ["Notes"]),
        ("/search?q=Tokens&kind=term", ["Terms"]), ("/search?q=piece+of+a+word&kind=term", []),
        ("/search?q=piece+of+a+word+kind:term&kind=node", ["Notes"]),
        ("/search?q=output&tag=margins", ["Claims", "Notes"]), ("/search?q=tag:margins+output", ["Notes", "Claims"]),
        ("/search?q=pricing&brain=lexicon", []), ("/search?kind=price", ["Prices"]),
        ("/search", ["Theses", "Readings"]),
    ],
)  # fmt: skip
def test_what_is_requested_is_what_is_listed(client, address, titles):
    answer = client.get(address)
    assert answer.status_code == 200
    found = groups(answer.text)
    assert sorted(found) == sorted(titles)
    if "piece" in address and "kind=term" in address:
        assert "1\u00a0definition of terms with these words" in answer.text
        assert 'href="/search?q=piece+of+a+word+kind%3Aterm&amp;kind=node"' in answer.text
    if "-huge" in address:
        assert not any("Huge" in line for line in found["Claims"])
    if "margins" in address:
        assert not any("fresh token" in line for line in found["Claims"])


def test_the_words_price_and_cost_find_no_prices_without_a_name(client):
    """`cost` found every price that there is, as one of the results."""
    assert "Prices" not in groups(client.get("/search?q=cost").text)
    assert list(groups(client.get("/search?q=cost&kind=price").text)) == []
    assert groups(client.get("/search?q=acme+cost&kind=price").text)["Prices"][0].startswith("acme/large")


def test_notes_by_kind_add_up_to_the_notes_and_lead_to_the_definitions(client):
    """Terms were counted among the notes, and had no row: 25 of 54 notes could not be found by their kind."""
    text = client.get("/search?q=token").text
    hrefs = re.findall(r'<h3><a href="([^"]+)"', text.partition('<section class="group"')[2])
    named = [f"/{kind}/lexicon/token" in hrefs for kind in ("terms", "nodes")]
    assert named == [True, False], "a term is no note again"
    kinds, notes = dict(to_kinds(text)), dict(facet(text, "Notes by kind"))
    assert sum(map(int, notes.values())) == int(kinds["Notes"])
    assert f'Notes <span class="count">{kinds["Notes"]}</span>' in text, (
        "definitions were counted as notes in one place"
    )
    address = re.search(r'href="([^"]*)">1\sdefinition of terms', text)[1].replace("&amp;", "&")
    assert address == "/search?q=token+kind%3Aterm&kind=node"
    assert "1\xa0result for" in client.get(address).text


def test_suggestions_are_of_every_kind_and_show_the_figure(client):
    def labels(typed):
        items = client.get("/suggest.json", params={"q": typed}, headers={"accept": "*/*"}).json()["items"]
        return {one["text"]: (one["label"].replace("\u00a0", " "), one["href"]) for one in items}

    acme = labels("acm")
    assert acme["acme/large"] == ("price · 8.00 USD/Mtok", "/prices/acme/large")
    assert acme["A fresh token of Acme Large costs at least $9 per million."][0] == "claim · stale · 8.00 USD/Mtok"
    words = labels("tok")
    assert words["Token"] == ("term · 1 glossary", "/terms/lexicon/token")
    assert words["Wires and tokens"] == ("note · reading", "/nodes/fable/wires-and-tokens")
    assert labels("pric")["pricing"] == ("tag · 2 notes, 2 claims", "/tags/pricing")
    assert labels("study")["A study of wires"][0] == "source · 1 note"
    assert labels("!") == labels(" ") == {}


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/tags?starts=zq", "No tag has “zq”"),
        ("/terms?starts=Q", "No term begins with Q"),
        ("/search?q=zqzqzq", "Nothing matches. Try fewer words"),
        ("/search?q=tokens&tag=nowhere", "remove the filters"),
    ],
)
def test_an_empty_list_says_what_was_requested_and_what_to_do(client, address, words):
    text = client.get(address).text
    assert words in text
    assert "<a href=" in text.partition("<main")[2]


def test_the_letters_without_terms_are_there_and_greyed(client):
    letters = client.get("/terms").text.partition('class="letters"')[2].partition("</ul>")[0]
    assert re.findall(r">(\w|#)</a>", letters) == list("ABCDEFGHIJKLMNOPQRSTUVWXYZ#")
    assert '<a href="/terms?starts=T">T</a>' in letters
    assert letters.count('aria-disabled="true"') == 26
    assert 'class="chip"' not in client.get("/terms").text, "one glossary: its name says nothing"


def test_a_tag_page_has_claims_terms_and_nodes_and_the_list_has_tags_of_claims(client):
    assert list(groups(client.get("/tags/pricing").text)) == ["Claims", "Notes"]
    tags = client.get("/tags").text
    row = tags.partition('<a href="/tags/pricing" dir="auto">pricing</a>')[2].partition("</tr>")[0]
    assert re.findall(r"<td[^>]*>(\d+)", row) == ["2", "2"], "notes, claims"
    assert '<a href="/tags?starts=p">P <span class="count">1</span></a>' in tags


def test_a_tag_with_many_terms_shows_its_notes(shipped_pages):
    page = shipped_pages.text("/tags/{tag:path}", tag="quantization")
    (notes,) = re.findall(r'id="nodes">Notes <span class="count">(\d+)', page)
    assert page.count('<article class="entry') == int(notes), (
        "terms took the places of notes, which began a second page"
    )


def test_excerpts_name_no_note_by_its_slug_and_hold_no_table(shipped_pages):
    terms = shipped_pages.text("/terms", [("starts", "B")])
    assert "weights are read once for all of them<" in terms, "(batching spreads weight reads)"
    found = shipped_pages.text("/search", [("q", "cache")])
    assert "discount of a <mark>cached</mark> token Sonnet" not in found, "the rows of a table were a sentence"
    assert "……" not in terms + found
    assert "Divided" not in shipped_pages.text("/search", [("kind", "reference")]), "words that announce a table"


def test_the_wrong_figures_of_a_source_are_those_of_the_errata(shipped_brain, shipped_pages):
    """One page said 5 for a source, the other 3: claims and figures."""
    source = "https://pecollective.com/blog/llm-pricing-comparison-2026/"
    errata = [len(one.claims) for one in shipped_brain.reports.errata().items if one.source == source]
    listed = shipped_pages.text("/sources", [("q", "llm-pricing-comparison-2026")])
    assert re.search(f'<a class="refuted" [^>]+>{len(errata)}<span class="column"> wrong</span></a>', listed)
    page = shipped_pages.text("/sources/{work:path}", work=publication_id(source)).replace("\u00a0", " ")
    assert f"{len(errata)} wrong figures</b> ({sum(errata)} claims)" in page


def test_every_brain_document_and_snapshot_is_linked(client):
    text = client.get("/about").text
    linked = re.findall(r'href="(/(?:brains|documents)/[^"]+|/v1/snapshots/[^"]+)"', text)
    assert {link.split("/")[1] for link in linked} >= {"brains", "documents"}
    assert {client.get(link, headers={"accept": "text/html, */*"}).status_code for link in linked} == {200}


def test_in_the_content_that_ships_pages_are_light_and_tags_of_claims_lead_somewhere(shipped_brain, shipped_pages):
    pages = shipped_pages
    sizes = {path: len(pages.answer(path).body) for path in ("/search", "/terms", "/tags", "/about")}
    sizes |= {text: len(pages.answer("/search", [("q", text)]).body) for text in ("cost", "quantization")}
    for kind in ("claim", "price", "term", "tag", "source"):
        sizes[kind] = len(pages.answer("/search", [("q", "cost"), ("kind", kind)]).body)
    assert {name: size for name, size in sizes.items() if size >= KB60} == {}
    claims = shipped_brain.status.claims()
    carried = {use.value for use in shipped_brain.tags.all()}
    only = sorted({tag for claim in claims for tag in claim.tags} - carried)
    assert only
    for tag in only:
        text = pages.text("/tags/{tag:path}", tag=tag)
        assert all(path_of("claims", claim.id) in text for claim in claims if tag in claim.tags)
        assert path_of("tags", tag) in pages.text("/tags", [("starts", tag)])


def test_the_figure_of_an_item_is_the_one_of_the_day_and_of_a_family_that_of_its_model(brain):
    item = next(one for one in brain.names.prices().things if one.name == "acme/large")
    days = (date(2026, 2, 1), TODAY, date(2026, 12, 24), date(2020, 1, 1))
    found = [NAME_KINDS["price"].shown(PageContext(brain), item, day).figure.partition("\u00a0")[0] for day in days]
    assert found == ["10.00", "8.00", "4.00", ""]


def test_notes_can_be_narrowed_to_a_health_and_each_choice_says_how_many_it_leaves(shipped_pages):
    """Each row of the list showed a health, and only the graph could be narrowed to one."""
    choices = facet(shipped_pages.text("/search"), "Health")
    assert len(choices) > 3
    for state, count in choices:
        listed = shipped_pages.text("/search", [("health", state)])
        words = state.replace("rests", "rest") if state.startswith("rests") else f"are {state}"
        assert f"{count} notes that {words}, the latest first" in listed.replace("\xa0", " ")
        assert int(count) <= 25 or 'rel="next"' in listed
    elsewhere = shipped_pages.text("/search", [("health", choices[0][0]), ("kind", "reading"), ("brain", "other")])
    assert "0 readings that" in elsewhere.replace("\xa0", " ")
