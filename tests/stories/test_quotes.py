"""An analyst quotes her notes in her claims: Brain finds the words, follows them, and warns when they are gone."""

import json
import re
from itertools import islice

import pytest
import rdflib

from api.brain import Brain
from api.settings import Settings
from graph.text.quote_anchor import figures_of
from tests.conftest import NOW
from tests.web_client import home_client

NOTE = """\
---
title: Costs 95% less
kind: thesis
---
# Costs 95% less

Caching and batching add up. On Sonnet a cached batch token costs **95% less**
than the list price; elsewhere [it](https://x.example/95%) costs half.

## A heading with 45% in it

- a first item, 15 USD
- a *second* item, 25 USD

| card | rent |
|---|---|
| H100 | 2.10 USD |
| A100 | 1.10 USD |

> “Quoted words”, she said,
> over two lines: 7 GB.
"""
CLAIM = """\
  - {{id: {id}, node: notes/costs, says: A cached batch token costs 95% less., as_of: 2026-01-01, value: '{value}',
     expect: {{is: {expect}}}, quote: {quote}{more}}}
"""
WORDS = "a cached batch token costs 95% less than the list price"


def quote_codes(brain):
    """What `brain check` says of quotes, without the findings of the linter."""
    codes = [one["code"] for one in brain("check", "--json").json["problems"]]
    return [code for code in codes if code.startswith("quote-")]


def claims(*quotes, value="96%", expect="95%", more=""):
    quoted = [json.dumps(quote, ensure_ascii=False) for quote in quotes]
    given = {"value": value, "expect": expect, "more": more}
    found = (CLAIM.format(id=f"claim-{number}", quote=quote, **given) for number, quote in enumerate(quoted, 1))
    return "claims:\n" + "".join(found)


@pytest.fixture
def ingest(brain, write):
    """Write files and ingest them; what the ingest said of quotes and nodes, as (code, place, message)."""

    def take(files, *more, code=0):
        paths = [write(name, text) for name, text in files.items()]
        told = brain("ingest", *paths, *more, "--json")
        assert told.code == code, told.err
        return [
            (one["code"], f"{one['document']}:{one['line']}", one["message"])
            for document in [*told.json["documents"], *told.json["removed"]]
            for one in document["problems"]
        ]

    return take


@pytest.fixture
def shown(brain):
    return lambda name="claim-1": brain("explain", name, "--json").json


@pytest.fixture
def pages(home):
    def read(path):
        with home_client(Settings(home=home), lambda: NOW) as client:
            return client.get(path, headers={"accept": "text/html"}).text

    return read


def line_of(text, words):
    return next(number for number, line in enumerate(text.split("\n"), 1) if words in line)


QUOTED = (
    (WORDS, "a cached batch token costs **95% less**\nthan the list price", "On Sonnet"),
    ("H100 | 2.10 USD", "H100 | 2.10 USD", "| H100"),
    ("H100 2.10 USD", "H100 | 2.10 USD", "| H100"),
    ("A100 | 1.10", "A100 | 1.10", "| A100"),
    ("a second item, 25 USD", "a *second* item, 25 USD", "second"),
    ("A heading with 45% in it", "A heading with 45% in it", "45%"),
    ('"Quoted words", she said, over two lines: 7 GB', "“Quoted words”, she said,\n> over two lines: 7 GB", "Quoted"),
    ("elsewhere it costs half", "elsewhere [it](https://x.example/95%) costs half", "elsewhere"),
)
"""Quotes, the text of the note that they mean, and words of the line where it begins."""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_markup_and_line_breaks_make_no_difference(ingest, shown, newline):
    note = NOTE.replace("\n", newline)
    assert ingest({"costs.md": note, "own.claims.yaml": claims(*(quote for quote, *_ in QUOTED))}) == []
    for number, (_, text, words) in enumerate(QUOTED, 1):
        quote = shown(f"claim-{number}")["quote"]
        assert (quote["text"], quote["line"], quote["exact"]) == (text, line_of(NOTE, words), True)


@pytest.mark.parametrize("order", [("costs.md", "own.claims.yaml"), ("own.claims.yaml", "costs.md")])
def test_note_and_claims_may_come_in_either_order(ingest, shown, order):
    files = {"costs.md": NOTE, "own.claims.yaml": claims(WORDS)}
    first, second = ({name: files[name]} for name in order)
    assert [code for code, *_ in ingest(first)] == (["claim-without-node"] if "own" in order[0] else [])
    assert ingest(second) == []
    assert shown()["quote"]["line"] == line_of(NOTE, "On Sonnet")


def test_a_note_that_comes_later_without_the_quoted_words_is_reported_to_the_author_of_the_claim(ingest, shown):
    ingest({"own.claims.yaml": claims("words that no one ever wrote")})
    (told,) = ingest({"costs.md": NOTE})
    assert told[:2] == ("quote-missing", "own.claims.yaml:2")
    assert "claim-1" in told[2]
    assert "“words that no one ever wrote”" in told[2]
    assert shown()["quote"] is None


def test_an_edited_quote_is_followed_with_a_warning_that_shows_it(ingest, shown, brain):
    ingest({"costs.md": NOTE, "own.claims.yaml": claims(WORDS)})
    edited = NOTE.replace("a cached batch token costs", "a token, cached and in a batch, costs")
    edited = edited.replace("# Costs", "\n# Costs")
    (told,) = ingest({"costs.md": edited})
    assert told[:2] == ("quote-moved", "own.claims.yaml:2")
    assert f"costs.md:{line_of(edited, 'On Sonnet')}" in told[2]
    assert "costs **95% less** than the list price" in told[2]
    assert "figures" not in told[2]
    quote = shown()["quote"]
    assert (quote["exact"], "95% less" in quote["text"]) == (False, True)
    assert ingest({"costs.md": edited + "\nA last line.\n"}) == [], "reported once, by the ingest that moved it"
    assert quote_codes(brain) == ["quote-moved"]


def test_a_passage_with_another_figure_is_named_as_such_and_not_marked(ingest, shown, brain):
    ingest({"costs.md": NOTE, "own.claims.yaml": claims(WORDS)})
    (told,) = ingest({"costs.md": NOTE.replace("**95% less**", "**97.5% less**")})
    assert told[0] == "quote-moved"
    assert "the figures differ: 95 in the quote, 97.5 in the passage" in told[2]
    assert shown()["quote"]["exact"] is False


def test_words_that_are_gone_are_a_problem_with_file_and_line(ingest, shown):
    ingest({"costs.md": NOTE, "own.claims.yaml": claims("a first item", WORDS)})
    cut = re.sub(r"On Sonnet.*?half\.", "Nothing more.", NOTE, flags=re.S)
    (told,) = ingest({"costs.md": cut})
    assert told[:2] == ("quote-missing", "own.claims.yaml:4")
    assert shown("claim-2")["quote"] is None
    assert shown("claim-1")["quote"]["text"] == "a first item"


def test_a_quote_inside_a_number_is_reported(ingest):
    (told,) = ingest({"costs.md": "# Costs\n\nIt costs 13.50 USD.\n", "own.claims.yaml": claims("3.50 USD")})
    assert told[0] == "quote-cut"
    assert "13.50" in told[2]


def test_a_strict_ingest_refuses_a_lost_quote(ingest):
    told = ingest({"costs.md": NOTE, "own.claims.yaml": claims("words that no one wrote")}, "--strict", code=1)
    assert [code for code, *_ in told] == ["quote-missing"]


@pytest.mark.parametrize("how", ["removed", "deleted from its folder"])
def test_a_note_that_is_gone_is_reported_with_the_claims_that_stay(ingest, brain, write, how):
    note = write("vault/costs.md", NOTE)
    brain("ingest", write("vault/other.md", "# Other\n\nText.\n").parent)
    ingest({"own.claims.yaml": claims(WORDS)})
    note.unlink()
    told = brain(*(("remove", "costs.md") if how == "removed" else ("ingest", note.parent)), "--json")
    assert told.code == 0, told.err
    problems = [one for removal in told.json["removed"] for one in removal["problems"]]
    found = [(one["code"], one["document"], one["line"]) for one in problems]
    assert found == [("claim-without-node", "own.claims.yaml", 2)]
    assert ingest({"costs.md": NOTE}) == []


def test_private_comments_are_not_quoted_and_columns_are_those_of_the_file(ingest, home):
    note = "# Costs\n\n%%secret 7 USD%% The rent is %%9 USD, really%% 8 USD an hour.\n"
    told = ingest({"costs.md": note, "own.claims.yaml": claims("secret 7 USD", "rent is 8 USD", "8 USD an hour")})
    assert [(code, place) for code, place, _ in told] == [("quote-missing", "own.claims.yaml:2")]
    with Brain.open(Settings(home=home)) as brain:
        with brain.store.transaction():  # nothing is cached in a write
            places = {claim.id: brain.quotes.place(claim) for claim in brain.claims.all()}
        assert {claim.id: brain.quotes.place(claim) for claim in brain.claims.all()} == places
    assert places["claim-1"] is None
    line = note.split("\n")[2]
    assert line[places["claim-2"].column - 1 :].startswith("rent is")
    assert line[places["claim-3"].column - 1 : places["claim-3"].end_column - 1] == "8 USD an hour"


def test_sarif_points_at_the_quote_and_relates_the_claim(ingest, brain):
    ingest({"costs.md": NOTE, "own.claims.yaml": claims(WORDS, "a first item, 15 USD")})
    told = json.loads(brain("verify", "--format", "sarif").out)["runs"][0]
    assert told["columnKind"] == "unicodeCodePoints"
    first, second = (one for one in told["results"] if one["ruleId"].startswith("claim-"))
    region = second["locations"][0]["physicalLocation"]["region"]
    line = NOTE.split("\n")[region["startLine"] - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "a first item, 15 USD"
    assert region["endLine"] == region["startLine"]
    region = first["locations"][0]["physicalLocation"]["region"]
    lines = NOTE.split("\n")
    assert lines[region["startLine"] - 1][region["startColumn"] - 1 :] == "a cached batch token costs **95% less**"
    assert lines[region["endLine"] - 1][: region["endColumn"] - 1] == "than the list price"
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "costs.md"
    related = first["relatedLocations"][0]["physicalLocation"]
    assert (related["artifactLocation"]["uri"], related["region"]["startLine"]) == ("own.claims.yaml", 2)


def test_sarif_of_a_claim_without_a_found_quote_points_at_the_claim(ingest, brain):
    ingest({"costs.md": NOTE, "own.claims.yaml": claims("words that no one wrote")})
    (result,) = json.loads(brain("verify", "--format", "sarif").out)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "own.claims.yaml"
    assert "relatedLocations" not in result


def test_json_has_the_quote_and_who_says_it(ingest, brain, served):
    more = ", asserted_by: source, stance: disputes, helps: lower"
    ingest({"costs.md": NOTE, "own.claims.yaml": claims(WORDS, more=more)})
    brain("verify")
    with served() as client:
        single = ("claims/claim-1", "claims/claim-1/evaluate", "runs/1/claims/claim-1")
        alone = [client.get(f"/v1/{path}").json() for path in single]
        lists = (("claims", "items"), ("runs/1", "verdicts"), ("nodes/notes/costs/claims", "items"))
        answers = [client.get(f"/v1/{path}").json()[name][0] for path, name in lists]
        answers += [*alone, alone[0]["state"], brain("verify", "--json").json["claims"][0]]
        listed = client.get("/v1/claims?format=csv").text
    assert "a cached batch token costs" in listed
    assert "source,disputes,lower" in listed
    for answer in answers:
        assert answer["quote"].keys() >= {"text", "start", "end", "line"}
        assert answer["quote"]["line"] == line_of(NOTE, "On Sonnet")
        assert (answer["asserted_by"], answer["stance"], answer["helps"]) == ("source", "disputes", "lower")


def test_the_terminal_shows_the_words(ingest, brain):
    ingest({"costs.md": NOTE, "own.claims.yaml": claims(WORDS)})
    explained = brain("explain", "claim-1").said
    assert "“a cached batch token costs **95% less** than the list price”" in explained
    assert "The author of the note states the figure." in explained
    brain("verify")
    assert "a cached batch token costs" in brain("claims").said
    for form in ("markdown", "junit"):
        assert f"costs.md:{line_of(NOTE, 'On Sonnet')}" in brain("verify", "--all", "--format", form).out


def test_the_page_of_the_note_marks_the_figure_inside_the_quote(ingest, brain, pages):
    note = NOTE.replace("Caching and batching add up.", "It costs 95% less of a cached batch token, says one who errs.")
    ingest({"costs.md": note, "own.claims.yaml": claims(WORDS)})
    brain("verify")
    page, claim = pages("/nodes/notes/costs"), pages("/claims/claim-1")
    (mark,) = re.findall(r'<strong><a [^>]*class="figure[^>]*>(.*?)</a>', page)
    assert mark == "95%"
    assert page.count('class="figure') == 1
    assert re.findall(r"<h1[^>]*>(.*?)</h1>", claim) == ["A cached batch token costs 95% less."]
    assert f"costs.md, line\u00a0{line_of(note, 'On Sonnet')}" in claim


def test_a_quote_that_states_what_remains_is_marked_at_its_figure(ingest, brain, pages):
    note = NOTE + "\nWho repeats 3 prompts pays 5% of the list price by 2025.\n"
    ingest({"costs.md": note, "own.claims.yaml": claims("repeats 3 prompts pays 5% of the list price by 2025")})
    brain("verify")
    (mark,) = re.findall(r'<a [^>]*class="figure[^>]*>(.*?)</a>', pages("/nodes/notes/costs"))
    assert mark == "5%"


def test_a_claim_whose_words_are_gone_marks_nothing(ingest, brain, pages):
    ingest({"costs.md": NOTE, "own.claims.yaml": claims("95% less than anybody ever thought possible")})
    brain("verify")
    assert 'class="figure' not in pages("/nodes/notes/costs")
    assert "The note does not have these words" in pages("/claims/claim-1")


def test_rdf_has_a_web_annotation_and_the_stance(ingest, brain, served):
    more = ", asserted_by: source, stance: disputes, source: 'https://prices.example/list'"
    ingest({"costs.md": NOTE, "own.claims.yaml": claims(WORDS, more=more)})
    brain("verify")
    with served() as client:
        answers = [client.get(f"/v1/{path}?format=turtle").text for path in ("claims/claim-1", "nodes/notes/costs")]
        review = client.get("/v1/runs/1/claims/claim-1?format=jsonld").json()
        body = client.get("/v1/nodes/notes/costs").json()["body"]
    answers.append(brain("export", "--format", "turtle").out)
    for text in answers:
        graph = rdflib.Graph().parse(data=text, format="turtle")
        (row,) = graph.query("""
            PREFIX oa: <http://www.w3.org/ns/oa#> PREFIX cito: <http://purl.org/spar/cito/>
            SELECT ?exact ?prefix ?suffix ?start ?end WHERE {
              ?note a oa:Annotation ; oa:hasBody ?claim ; oa:hasTarget ?target .
              ?target oa:hasSource ?node ; oa:hasSelector ?words , ?place .
              ?words a oa:TextQuoteSelector ; oa:exact ?exact ; oa:prefix ?prefix ; oa:suffix ?suffix .
              ?place a oa:TextPositionSelector ; oa:start ?start ; oa:end ?end .
              ?node cito:disputes ?claim . }""")
        start, end = int(row.start), int(row.end)
        assert body[start:end] == str(row.exact)
        assert body[:start].endswith(str(row.prefix))
        assert body[end:].startswith(str(row.suffix))
    claim = review["itemReviewed"]
    assert claim["author"]["name"] == "prices.example"
    assert claim["citation"]["text"].startswith("a cached batch token")
    assert claim["appearance"]


def test_an_export_that_is_read_again_keeps_every_field(ingest, brain, tmp_path, home):
    more = ", asserted_by: source, stance: reports, helps: higher, root: other"
    ingest({"costs.md": NOTE, "own.claims.yaml": claims(WORDS, more=more)})
    brain("export", "--format", "vault", "-o", tmp_path / "vault")
    brain("export", "--format", "json", "-o", tmp_path / "own.json")
    with Brain.open(Settings(home=home)) as opened:
        before = opened.claims.get("claim-1")
        place = opened.quotes.place(before)
    for number, path in enumerate((tmp_path / "vault", tmp_path / "own.json")):
        with Brain.open(Settings(home=tmp_path / f"again-{number}")) as other:
            other.ingest([path], at=NOW)
            after = other.claims.get("claim-1")
            assert after.model_dump(exclude={"place"}) == before.model_dump(exclude={"place"})
            assert other.quotes.place(after).anchor.text == place.anchor.text


@pytest.mark.parametrize("name", ["kai-brain-page.txt", "compute-economics-pack.md", "performance-glossary.md"])
def test_a_quote_from_a_real_document_is_found_with_its_line(real_documents, tmp_path, name):
    """Whatever sentence with a figure is quoted, the line of the document has its figures."""
    path = real_documents / name
    with Brain.open(Settings(home=tmp_path / "home")) as brain:
        brain.ingest([path], at=NOW)
        stated, split = ["claims:\n"], re.compile(r"(?<=[.!?])\s+|\n+")
        sentences = ((node, one) for node in brain.nodes.all() for one in split.split(node.body))
        chosen = {node: one for node, one in sentences if figures_of(one) and len(one) > 20}
        for number, (node, sentence) in enumerate(islice(chosen.items(), 12)):
            quote = json.dumps(sentence, ensure_ascii=False)
            claim = CLAIM.format(id=f"c{number}", quote=quote, value=1, expect=1, more="")
            stated.append(claim.replace("notes/costs", node.id))
        file = tmp_path / "page.claims.yaml"
        file.write_text("".join(stated), "utf-8")
        report = brain.ingest([file], at=NOW)
        assert [one.message for one in report.problems] == []
        for claim in brain.claims.all():
            place = brain.quotes.place(claim)
            node = brain.nodes.get(claim.node)
            assert node.body[place.anchor.start : place.anchor.end] == place.anchor.text
            text = (brain.documents.get(place.document).text or "").split("\n")
            assert node.provenance.first_line <= place.anchor.line <= node.provenance.last_line
            assert figures_of(text[place.anchor.line - 1]) >= figures_of(place.anchor.text.split("\n")[0])


def test_words_of_the_title_are_named_as_such(brain, write):
    note, own = write("costs.md", "# Rents fell by a third\n\nNothing else.\n"), claims("Rents fell by a third")
    told = brain("ingest", note, write("own.claims.yaml", own), "--json").json
    (problem,) = (one for document in told["documents"] for one in document["problems"])
    assert problem["code"] == "quote-missing"
    assert problem["hint"] == "these words are the title of the node; quote its text"
