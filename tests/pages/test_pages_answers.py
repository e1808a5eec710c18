"""What pages answer: without a browser, straight from the functions and over HTTP."""

import html
import re
from datetime import date
from decimal import Decimal
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from api.brain import Brain
from api.pages import page_routes
from api.pages.page_request import PageRequest, PageRequestError, Side
from api.pages.render.annotation import annotated
from api.pages.render.figure_format import NBSP, alike, corrected, difference, figure, readable, share, span, times_off
from api.pages.render.template_renderer import POLICY
from api.pages.render.verdict_signs import VERDICTS
from api.pages.views import text_pages
from api.pages.views.claim_table import PageContext, expectation_text
from api.pages.views.node_page import BacklinkSentence, dependents, pointers_to, split_by_context
from api.settings import Settings
from graph.models.claim_models import Expectation
from graph.models.node_models import Citation, Kind
from graph.models.query_models import NodeRef
from tests.pages.conftest import Rendered
from tests.pages.invented import TODAY, at, grown, node
from tests.pages.pages_list import KINDS, PARTS
from tests.statements import sent

LETTERS = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{4,}")


class Harmless(HTMLParser):
    """Collects what could run or load something."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        own = dict(attrs)
        if tag == "script" and not str(own.get("src", "")).startswith("/static/"):
            self.found.append("an inline script")
        if tag in {"style", "iframe", "object", "embed", "base", "meta"} and own.get("http-equiv", tag != "meta"):
            self.found.append(tag)
        self.found += [f"{tag} {name}" for name, _ in attrs if name.startswith("on") or name == "style"]
        for name in ("href", "src", "srcset", "action"):
            value = str(own.get(name) or "")
            scheme = value.split(":", 1)[0].lower() if ":" in value.split("/", 1)[0] else ""
            if scheme not in {"", "http", "https"} or (scheme and name != "href"):
                self.found.append(f"{tag} {name}={value}")


def test_every_route_is_in_the_list_of_these_tests():
    assert {path for path, _ in page_routes.PAGES} == {*KINDS, *PARTS}, "give its example in tests/pages/pages_list.py"


HOSTILE = ("/nodes/fable/hostile", "/search?q=click", "/tags/wires")
"""Pages that show what an attacker wrote, besides those of each kind."""


@pytest.mark.parametrize("address", [*KINDS.values(), *HOSTILE])
def test_every_page_is_small_harmless_and_strict(client, address):
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"] == POLICY
    assert "frame-ancestors 'none'" in POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in POLICY
    assert len(answer.content) < 100_000 or address == HOSTILE[0]
    harmless = Harmless()
    harmless.feed(answer.text)
    assert harmless.found == []
    assert answer.text.count("<h1") == 1


@pytest.mark.parametrize("address", PARTS.values())
def test_what_pages_load_is_there(client, address):
    answer = client.get(address, headers={"accept": "*/*"})
    assert answer.status_code == 200
    assert answer.content


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/nodes/fable/nowhere", 404), ("/claims/nothing", 404), ("/prices/acme/nothing", 404), ("/tags/nothing", 404),
        ("/sources/nothing", 404), ("/terms/lexicon/nothing", 404), ("/runs/77", 404), ("/runs/latest", 404),
        ("/claims?verdict=wrong", 400), ("/claims?page=x", 400), ("/changes?since=yesterday", 400), ("/search?kind=poem", 400),
        ("/claims/fresh-token?as_of=soon", 400), ("/graph?health=ill", 400),
        ("/search?q=" + "%22%27%3Cb%3E" * 9, 200), ("/claims/fresh-token?fresh=abc", 200), ("/claims/fresh-token?fres=12", 422), ("/static/x/secret", 404),
        ("/tags/Pricing", 200), ("/static/x/..%2Fpress.py", 404), ("/charts/claims/missing-model/history.svg", 404),
        ("/previews/fable/nowhere", 404),
    ],
)  # fmt: skip
def test_what_is_not_there_and_what_cannot_be_read_is_said_in_a_page(client, address, status):
    answer = client.get(address)
    assert answer.status_code == status
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("address", "meant"),
    [
        ("/nodes/fable/price-is-product", "/nodes/fable/price-is-the-product"),
        ("/claims/output-multiples", "/claims/output-multiple"),
        ("/prices/acme/lage", "/prices/acme/large"),
        ("/tags/pricng", "/tags/pricing"),
    ],
)
def test_a_missing_page_suggests_what_may_have_been_meant(client, address, meant):
    assert f'href="{meant}"' in client.get(address).text


def test_a_facet_folds_what_it_does_not_show_and_links_to_the_rest():
    side = Side("tag", "Tag", lambda tag: (tag,), shown=14, rest="/tags")
    uses = ({f"tag {number}": 1 for number in range(count)} for count in (200, 20))
    long, short = (side.facet(PageRequest("/", TODAY), one) for one in uses)
    assert [len(long.options), long.shown, long.left] == [74, 14, 126]
    assert [len(short.options), short.shown, short.left] == [20, 14, 0]


def test_what_a_page_leaves_out_is_in_a_fold_or_behind_a_link(shipped_pages):
    shown = {}
    for path in ("/", "/search", "/claims", "/prices", "/graph", "/sources", "/tags", "/about"):
        shown[path] = shipped_pages.text(path)
        assert not re.search(r"(?:and )?[\d,]+\s\w+ more</p>", shown[path]), path
        assert 'class="left">and' not in shown[path], path
    page_two = shipped_pages.text("/prices", [("page", "2")])
    assert "others</summary>" in shown["/claims"]
    assert "others</summary>" in shown["/prices"]
    assert 'href="/prices?page=2"' in shown["/prices"]
    assert "page 2 of" in page_two


def test_the_statements_of_a_text_show_sentence_verdict_and_claim(client):
    assert 'href="/nodes/fable/tiers-of-acme/statements"' in client.get("/nodes/fable/tiers-of-acme").text
    text = client.get("/nodes/fable/tiers-of-acme/statements").text
    held, refuted = text.partition('<ol class="notices">')[2].partition("</ol>")[0].split("<li>")[1:]
    assert "From $8 to $2, a <mark>75%</mark> cut" in held
    assert 'class="badge holds"' in held
    assert 'class="badge refuted"' in refuted
    assert "fast one of price is the product" in refuted
    assert "expect: {is: 30%" in refuted
    assert "No figure in this text" in client.get("/nodes/fable/wires-and-tokens/statements").text


def test_of_equal_beginnings_in_a_sentence_the_checked_figure_is_marked():
    body = "At $30 an hour and six minutes an answer costs $3."
    at = body.index("$3.")
    one = SimpleNamespace(quote=body, start=0, figure_start=at, figure_end=at + 2)
    assert text_pages.marked(body, one, str) == (body[:at], "$3", "."), "not the beginning of $30"
    elsewhere = SimpleNamespace(quote="Another sentence.", start=0, figure_start=at, figure_end=at + 2)
    assert text_pages.marked(body, elsewhere, str) == ("Another sentence.", "", "")


def test_static_files_may_be_cached_for_ever(client):
    address = re.search(r'href="(/static/[^"]+/base.css)"', client.get("/").text)[1]
    assert "immutable" in client.get(address).headers["cache-control"]


def test_an_address_without_a_host_is_no_choice_among_hosts(client):
    facet = client.get("/sources").text.partition("<h2>Host</h2>")[2].partition("</section>")[0]
    assert "wires.example" in facet
    assert '<span dir="auto"></span>' not in facet
    assert "aria-current" not in facet


def test_a_figure_carries_the_word_of_its_verdict_and_a_marker_is_a_link_that_shows_its_confidence(client):
    text = client.get("/nodes/fable/price-is-the-product").text
    assert re.search(r'<a href="/claims/fresh-token" class="figure stale"[^>]* data-word="stale"[^>]*>\$9</a>', text)
    assert re.search(r'class="figure holds"[^>]* data-word="holds"[^>]*>4 times</a>', text)
    assert text.count('<a href="/nodes/fable/tiers-of-acme" class="cite"') == 2
    assert 'class="cite unsure" title="Wires and tokens (60% sure)"' in text


def test_quotations_are_next_to_their_source_and_link_to_the_list(client):
    text = client.get("/nodes/fable/wires-and-tokens").text
    assert '<q class="quoted exact">Copper carries most tokens, glass the rest.</q>' in text
    assert '<a href="#quote-1" id="in-1" data-preview="#quote-1">1</a>' in text
    assert "A study of wires" in text
    assert "one of 2 sources" in text


def test_a_claim_is_evaluated_with_the_readers_own_numbers(client):
    text = client.get("/claims/fresh-token?fresh=12").text
    own = text.split("With your numbers")[1]
    assert VERDICTS["holds"].word in own
    assert "12.00" in own
    assert "stale" in text.split("With your numbers")[0]
    assert 'role="alert"' in client.get("/claims/fresh-token?fresh=a+lot").text


def kinds():
    """The route of every kind of page, and the parts of an address of the small brain."""
    values = {"brain": "fable", "slug": "price-is-the-product", "claim": "fresh-token", "item": "acme/large",
              "tag": "pricing", "work": "https://wires.example/study", "run": "2", "document": "prices.yaml",
              "snapshot": "latest", "name": "crew", "day": "2026-11-20"}  # fmt: skip
    for path in KINDS:
        names = [part.strip("{}").split(":")[0] for part in path.split("/") if part.startswith("{")]
        own = values | ({"brain": "lexicon", "slug": "token"} if path.startswith("/terms/") else {})
        yield path, {name: own[name] for name in names}


def questions(pages, route, parts):
    with sent(pages.context.brain.store) as statements:
        assert pages.answer(route, **parts).status_code == 200
    return len(statements)


def test_pages_ask_the_store_a_bounded_number_of_questions(brain):
    for route, parts in kinds():
        pages = Rendered(brain)
        pages.answer(route, **parts)
        count = questions(pages, route, parts)
        assert count <= 24, f"{route} ran {count} queries"


def test_as_many_questions_for_many_nodes_as_for_few_the_first_time_and_again(tmp_path):
    counts = []
    for count in (5, 300):
        with grown(tmp_path / str(count), count) as opened:
            pages = Rendered(opened)
            counts.append({route: [questions(pages, route, parts) for _ in range(2)] for route, parts in kinds()})
    assert counts[0] == counts[1]
    assert max(first for first, _ in counts[1].values()) <= 62


@pytest.mark.parametrize(
    ("expect", "shown"),
    [
        (Expectation(form="is", bound="65_536", within="1%"), "65,536 ± 1%"),
        (Expectation(form="between", bound="low", upper="high"), "between 5 USD/Mtok and high"),
        (Expectation(form="between", bound="2..5"), "between 2 and 5"),
        (Expectation(form="times", bound="3x"), "3×"),
        (Expectation(form="between", bound="2x", upper="5x"), "between 2× and 5×"),
        (Expectation(form="at_most", bound="9 month_730h"), "at most 9 months"),
        (Expectation(form="at_least", bound="-2000000 USD"), "at least −2,000,000 USD"),
        (Expectation(form="at_most", bound="2e-9 USD"), "at most 2 × 10⁻⁹ USD"),
    ],
)
def test_what_is_expected_is_shown_in_words(brain, expect, shown):
    changed = {"expect": expect, "given": (("low", "5 USD/Mtok"), ("high", "2 * low"))}
    claim = brain.claims.get("fresh-token").model_copy(update=changed)
    assert expectation_text(claim).replace(NBSP, " ") == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [("On 2025-02-01 it was 95%.", "On 1 Feb 2025 it was 95%."), ("claude-2025-02-01 and 2025-13-40", "claude-2025-02-01 and 2025-13-40"),
     ("12.3333333333333333 /h", "12.33 /h"), ("1.5 and 2.125", "1.5 and 2.125")],
)  # fmt: skip
def test_sentences_are_shown_with_readable_days_and_digits(text, shown):
    assert readable(text).replace("\u00a0", " ") == shown


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [("2", "USD/Mtok", "2.00\u00a0USD/Mtok"), ("97.5", "%", "97.5%"), ("99.9999", "%", "99.9999%"),
     ("99.99998765", "%", "99.999988%"), ("60.7836955", "%", "60.78%"), ("40", "x", "40×"),
     ("39935.03", "USD", "39,935\u00a0USD"), ("-2", "pp", "−2pp"), ("0.000001234567", "", "0.000001235")],
)  # fmt: skip
def test_figures_are_short_and_keep_their_unit(value, unit, text):
    assert figure(Decimal(value), unit) == text


@pytest.mark.parametrize(
    ("stated", "value", "unit", "shown"),
    [
        ("at most 100,000,000 tokens/month", "1934500000", "token/month_730h", ("at most 100 million tokens/month", "1,930 million tokens/month")),
        ("500 billion words ± 10%", "375187969924.8", "word", ("500 billion words", "375 billion words")),
        ("3,500 GPUh ± 10%", "701121.79", "GPUh", ("3,500 GPUh", "701,000 GPUh")),
        ("1,100 USD/GPU ± 50.00 USD/GPU", "367.92", "USD/GPU", ("1,100 USD/GPU", "368 USD/GPU")),
        ("5.00 USD/Mtok ± 1%", "2", "USD/Mtok", ("5.00 USD/Mtok", "2.00 USD/Mtok")),
        ("989 TFLOPS/GPU", "1979", "TFLOPS/GPU", ("989 TFLOPS/GPU", "1,979 TFLOPS/GPU")),
        ("between 10 and 15", "3", "", ("between 10 and 15", "3")),
        ("", None, "USD", ("otherwise", "no value")),
    ],
)  # fmt: skip
def test_both_figures_of_an_erratum_have_one_scale_and_as_many_digits(stated, value, unit, shown):
    """It set `at most 100,000,000` beside `1.9345 billion`, and 701,122 GPU-hours beside about 3,500."""
    found = corrected(stated, value and Decimal(value), unit)
    assert tuple(one.replace(NBSP, " ") for one in found) == shown


def test_a_list_has_value_and_expectation_in_one_scale_and_an_erratum_its_size():
    """It set `2.719 billion` beside `between 10,000,000 and 50,000,000`, and said of no figure how far it is off."""
    shown = alike("between 10,000,000 and 50,000,000 tokens", Decimal("2719000000"), "token")
    assert [one.replace(NBSP, " ") for one in shown] == ["between 10 and 50 million tokens", "2,719 million tokens"]
    assert alike("3.9M USD ± 5%", Decimal(195000), "USD", 3)[1].replace(NBSP, " ") == "0.195 million USD"
    assert alike("95% ± 0.5pp", Decimal("97.5"), "%") == ("95% ± 0.5pp", "97.5%")
    assert (times_off("between 10 and 15", Decimal(5)), times_off("at least 0 days", Decimal(-3))) == (2, None)


def test_differences_and_shares_and_spans():
    assert difference(Decimal("0.5"), "%") == "+0.5pp"
    assert difference(None) == "–"
    assert (share(0.004), share(0.97), share(None)) == ("<1%", "97%", "–")
    spans = [span(days).replace("\u00a0", " ") for days in (0, 1, 13, 21, 75, 800)]
    assert spans == ["today", "1 day", "13 days", "3 weeks", "2 months", "2 years"]


def test_links_keep_what_was_chosen_and_begin_again():
    here = PageRequest("/claims", date(2026, 1, 1), query=(("tag", "a"), ("page", "3"), ("verdict", "stale")))
    assert here.link(tag="b") == "/claims?verdict=stale&tag=b"
    assert here.link(verdict=None) == "/claims?tag=a"
    assert here.toggled("tag", "b") == "/claims?verdict=stale&tag=a&tag=b"
    assert here.toggled("tag", "a") == "/claims?verdict=stale"
    with pytest.raises(PageRequestError):
        here.one_of("verdict", ["holds"])


def test_a_circle_of_citations_ends_and_the_rest_is_counted(tmp_path):
    with grown(tmp_path / "home", 40) as opened:
        found = dependents(PageContext(opened), "fable/entry-0", 3)
    ways = [[step.id.rpartition("-")[2] for step in way] for way in found.ways]
    assert ways == [["1"], ["2", "1"], ["3", "2", "1"]]
    assert found.left == 36


VERDICT = "holds|stale|refuted|depends|conflicting|unverifiable|source wrong"


def mistakes(text):
    """What a page says that nobody believes: a verdict inside a number, or a note that is sound because of a refutation."""
    cells = re.sub(r"</(?:td|th|li|p|div|dt|dd|title|text)>", " ", text)
    plain = html.unescape(re.sub(r"<[^>]+>", "", cells))
    head = text.partition("</head>")[0]
    health = text.partition('<p class="health">')[2].partition("</p>")[0]
    found = re.findall(rf"[\d%](?:{VERDICT})|(?:{VERDICT})\d", plain + " ".join(re.findall('content="([^"]*)"', head)))
    found += re.findall(r'class="figure [^>]*>[^<]*\d</a>[A-Za-z]', text)
    return found + ([health] if "badge holds" in health and "refuted" in health else [])


def test_pages_of_the_shipped_brain_are_small_and_harmless_and_say_what_is_so(shipped_brain, shipped_pages):
    wrong = []
    notes = [one.id for one in shipped_brain.nodes.all() if one.kind is not Kind.TERM]
    terms = [one.id for one in shipped_brain.nodes.all() if one.kind is Kind.TERM]
    parts = (dict(zip(("brain", "slug"), one.split("/"), strict=True)) for one in (*notes[::4], *terms[::12]))
    shown = [("/nodes/{brain}/{slug}", part) for part in parts]
    shown += [("/claims/{claim:path}", {"claim": one.id}) for one in [*shipped_brain.status.claims()][::25]]
    shown += [("/", {}), ("/claims", {}), ("/errata", {}), ("/record", {})]
    for route, parts in shown:
        answer = shipped_pages.answer(route, **parts)
        harmless, text = Harmless(), answer.body.decode()
        harmless.feed(text)
        found = [*harmless.found, *mistakes(text)]
        if answer.status_code != 200 or len(answer.body) > 100_000 or found:
            wrong.append((parts, answer.status_code, len(answer.body), found))
    assert not wrong


def test_every_word_of_the_shipped_brain_is_on_its_page(shipped_brain):
    wrong = []
    for one in shipped_brain.nodes.all():
        titles = shipped_brain.nodes.refs(cite.target for cite in one.cites if cite.target)
        shown = set(LETTERS.findall(html.unescape(annotated(one, titles, ()).markup)))
        written = re.sub(r"\[\[[^\]|]*|(\$\$?)[^$]*\1|\]\([^)]*\)", " ", one.body)
        wrong += [(one.id, word) for word in LETTERS.findall(written) if word not in shown]
        wrong += [(one.id, "a link to nowhere")] if 'class="missing"' in annotated(one, titles, ()).markup else []
    assert not wrong


def test_a_link_with_a_label_or_without_its_brain_points_to_its_node():
    cited = Citation(marker="[[fable/wires]]", target="fable/wires", resolution="link", confidence=1)
    body = "So [[fable/wires]] and [[wires|what carries]] and [[Wires]], but not [[fires]]."
    titles = {"fable/wires": NodeRef(id="fable/wires", title="Wires", kind="reading")}
    shown = annotated(node("a", body=body, citations=(cited,)), titles, ()).markup
    assert shown.count('href="/nodes/fable/wires"') == 3
    assert ">what carries</a>" in shown
    assert shown.count('class="missing"') == 1


def test_figures_that_another_definition_gives_otherwise_are_marked():
    shown = annotated(node("a", body="From 16-bit to 4-bit, or `16-bit` as code."), {}, (), {"16-bit"}).markup
    assert '<mark class="differs">16-bit</mark> to 4-bit' in shown
    assert "<code>16-bit</code>" in shown


def test_relations_without_words_are_grouped_and_sentences_are_separate(brain):
    told, bare = split_by_context(pointers_to(PageContext(brain), brain.nodes.get("fable/tiers-of-acme")))
    assert [one.context for one in told] == ["Sellers price by tier [1]."]
    bare_link = told[0].link.model_copy(update={"context": "", "cito": "supports"})
    told, bare = split_by_context([BacklinkSentence(bare_link, ""), BacklinkSentence(bare_link, "")])
    assert [(verb, len(nodes)) for verb, nodes in bare] == [("supports", 1)]
    assert not told


@pytest.mark.documents
def test_terms_that_state_other_figures_are_reported_side_by_side(real_documents, tmp_path):
    with Brain.open(Settings(home=tmp_path)) as opened:
        files = [real_documents / name for name in ("genai-glossary.txt", "performance-glossary.md")]
        opened.ingest(files, at=at(TODAY))
        shown = Rendered(opened).text("/terms/{brain}/{slug}", brain="genai-glossary", slug="quantization")
        assert "Figures that differ" in shown
        assert '<mark class="differs">16-bit</mark>' in shown


@pytest.mark.documents
def test_every_quotation_and_marker_of_the_real_page_is_woven_into_its_text(real_documents, tmp_path):
    with Brain.open(Settings(home=tmp_path)) as opened:
        opened.ingest([real_documents / "kai-brain-page.txt"], at=at(TODAY))
        spans = marks = 0
        for node in opened.nodes.all():
            titles = opened.nodes.refs(cite.target for cite in node.cites if cite.target)
            text = annotated(node, titles, ()).markup
            spans += text.count('<sup class="mark">') - len({quote.span for quote in node.quotes})
            marks += text.count('class="cite') - sum(1 for _ in node.cites)
        assert spans == 0
        assert marks == 0
