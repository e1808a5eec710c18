"""Every field that an author may write in a claim is in the page, JSON, RDF, the schema and the docs."""

import json
import re
from datetime import UTC, datetime
from enum import StrEnum
from html import unescape
from typing import get_args

import pytest
import rdflib

from api import content_schema
from api.brain import Brain
from api.settings import Settings
from graph.models.claim_models import StatedClaim
from tests.conftest import ROOT
from tests.web_client import web_client

NOW = datetime(2026, 3, 4, 6, tzinfo=UTC)
WRITTEN = {
    "id": "claim-under-test",
    "node": "acme/the-asserting-node",
    "says": "A sentence about oats.",
    "as_of": "2025-02-01",
    "given": "{oats_price: {value: 7 USD, low: 6 USD, high: 8 USD}}",
    "value": "oats_price * 3",
    "expect": "{is: 21.5 USD, within: 4 USD}",
    "quote": "oats, three times over",
    "asserted_by": "source",
    "tense": "dated",
    "because": "The source counts oats by the sack.",
    "stance": "disputes",
    "helps": "lower",
    "root": "the-other-claim",
    "severity": "critical",
    "tags": "[tag-under-test]",
    "for_runs": "17",
    "contradicts": "[the-other-claim]",
    "allow": "{cannot-fail: The reason about oats.}",
    "note": "A note about oats.",
    "source": "https://oats.example/prices",
}
ON_THE_PAGE = {
    "allow": "The reason about oats.",
    "as_of": "datetime=\"2025-02-01\"", "given": "7 USD", "expect": "21.5 ± 4 USD", "tags": "/tags/tag-under-test",
    "severity": "<dt>severity</dt><dd>critical</dd>", "for_runs": "17 days", "contradicts": "/claims/the-other-claim", "source": 'href="https://oats.example/prices"',
    "asserted_by": "A source of the note states", "stance": "the note disputes it", "helps": "A lower value strengthens the note",
    "tense": "evaluated only for its own day", "root": 'same error as</dt><dd><a href="/claims/the-other-claim"',
}  # fmt: skip
IN_RDF = {
    "allow": "cannot-fail: The reason about oats.",
    "node": "nodes/acme/the-asserting-node", "given": "7 USD", "expect": "21.5 USD ± 4 USD",
    "tags": "tags/tag-under-test", "contradicts": "claims/the-other-claim", "root": "claims/the-other-claim",
}  # fmt: skip
FIELDS = sorted(StatedClaim.model_fields)
ENUMS = {
    "asserted_by": {"source": "A source of the note states", "author": "The author of the note states", "nobody": "a watch or a cross-check"},
    "stance": {"endorses": "the note endorses it", "disputes": "the note disputes it", "reports": "the note reports it"},
    "tense": {"standing": "evaluated every day from its own day on", "dated": "evaluated only for its own day"},
    "helps": {"higher": "A higher value", "lower": "A lower value"},
    "severity": {name: f"<dt>severity</dt><dd>{name}</dd>" for name in ("info", "warning", "critical")},
}  # fmt: skip
"""The words of each field that has a list of words, with what the page says for them."""
CASES = [(name, word) for name, words in ENUMS.items() for word in words]


def written(name):
    """What the claim file holds for a field; a field that is new here gets words of its own."""
    return WRITTEN.get(name, f"Words for {name}.")


def cases():
    """A claim for each word of each field that has a list of words."""
    for name, word in CASES:
        stated = WRITTEN | {"id": f"with-{name.replace('_', '-')}-{word}", "contradicts": "[]", name: word}
        yield "  -\n" + "".join(f"    {field}: {value}\n" for field, value in stated.items())


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    home = tmp_path_factory.mktemp("fields")
    claim = "\n".join(f"    {name}: {written(name)}" for name in StatedClaim.model_fields)
    other = "  - {id: the-other-claim, node: acme/b, says: Other., as_of: 2025-02-01, value: 1, expect: {is: 1}}\n"
    (home / "claims.yaml").write_text(f"claims:\n  -\n{claim}\n{other}{''.join(cases())}", "utf-8")
    with Brain.open(Settings(home=home / "home")) as brain:
        brain.ingest([home / "claims.yaml"], at=NOW)
        with web_client(brain, lambda: NOW) as opened:
            yield opened


def page_of(client, claim):
    return unescape(client.get(f"/claims/{claim}", headers={"accept": "text/html"}).text).replace("\xa0", " ")


def rdf_of(client, claim):
    return rdflib.Graph().parse(data=client.get(f"/v1/claims/{claim}?format=turtle").text, format="turtle")


def test_every_field_of_a_claim_reaches_its_page_its_json_and_its_rdf(client):
    page = page_of(client, "claim-under-test")
    absent = [name for name in FIELDS if ON_THE_PAGE.get(name, written(name)) not in page]
    assert not absent, "api/pages/templates/claim.html does not show it"
    stated = client.get("/v1/claims/claim-under-test").json()["stated"]
    assert [name for name in FIELDS if not stated[name]] == []
    graph = rdf_of(client, "claim-under-test")
    about = [one for one in graph.subjects() if one.partition("#given")[0].endswith("/claims/claim-under-test")]
    values = [str(value) for one in about for value in graph.objects(one)]
    expected = {name: IN_RDF.get(name, written(name)) for name in FIELDS}
    assert [name for name, end in expected.items() if not any(value.endswith(end) for value in values)] == []


def test_every_field_with_a_list_of_words_is_among_the_cases():
    listed = {
        name
        for name, field in StatedClaim.model_fields.items()
        if name != "given" and ("enum" in str(field.metadata) or enum_of(field))
    }
    assert listed == ENUMS.keys()
    assert {name: set(words) for name, words in ENUMS.items()} == {
        name: {word.value for word in enum_of(StatedClaim.model_fields[name])} for name in listed
    }


def enum_of(field):
    """The enumeration of a field; None for another type, or an optional one."""
    kinds = [field.annotation, *get_args(field.annotation)]
    kinds += [one for kind in kinds for one in get_args(kind)]
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, StrEnum)), None)


@pytest.mark.parametrize(("name", "word"), CASES)
def test_each_word_of_a_field_reaches_page_json_and_rdf(client, name, word):
    claim = f"with-{name.replace('_', '-')}-{word}"
    assert ENUMS[name][word] in page_of(client, claim)
    found = client.get(f"/v1/claims/{claim}").json()
    assert found["stated"][name] == found["state"][name] == found[name] == word
    assert word in {str(value) for value in rdf_of(client, claim).objects()}


def test_every_property_of_a_claim_is_in_the_ontology(client):
    graph = rdf_of(client, "claim-under-test")
    known = rdflib.Graph().parse(data=client.get("/ns").text, format="turtle")
    used = {one for one in graph.predicates() if "/ns#" in one}
    assert used
    assert {one for one in used if (one, rdflib.RDF.type, None) not in known} == set()


def test_every_field_of_a_claim_is_in_its_schema_and_in_the_documentation():
    shape = json.loads(content_schema.schema("claims"))["$defs"]["StatedClaim"]["properties"]
    assert sorted(shape) == FIELDS
    docs = (ROOT / "docs/formulas.md").read_text("utf-8").partition("### `expect`")[0]
    absent = [name for name in FIELDS if not re.search(rf"^\s+(?:- )?{name}:", docs, re.M)]
    assert not absent, "write it in the file at the top of docs/formulas.md"
