"""The content that ships: every link, tag, claim, price and schema of it."""

import json
import re
from collections import Counter
from datetime import date
from decimal import Decimal
from functools import cache

import jsonschema
import pytest
import yaml

from api import content_schema
from api.services.checks import content_problems, tenses
from api.services.importing.documents import RULES
from api.settings import SHIPPED
from compute.claims.claim_cases import Cases, Terms
from graph.models.claim_models import Tense
from graph.models.node_models import SYNTHESIS, Kind
from ingest.document_reader import read
from ingest.format_detection import DATA
from tests.conftest import TODAY

FORMS = ("claims", "prices", "assumptions", "families", "decisions", "freshness", "tags", "terms")
CHECKED_ERRORS = {
    "a100-80-gb-at-1-6-terabytes", "chinchilla-exponent-half-of-kaplan", "dense-fp8-is-989",
    "fourth-nine-eightfold-reliability", "gemini-1-5-batch-said-half", "gemini-1-5-long-batch-said-half",
    "gemini-output-two-to-three-times-input", "gpt-3-in-3500-gpu-hours", "gpt-4-1-at-five-dollars",
    "gpt-4-1-output-at-twenty-four", "gpt-4-quality-on-sale-in-2022", "gpt-4o-launched-at-two-fifty",
    "gpt-4o-quarter-of-turbo-input", "gpt-4o-third-of-turbo-output", "h100-has-108-sms", "h100-power-a-year",
    "h100-triple-a100-is-495", "llama-2-server-pays-at-fifty-million", "mini-fine-tuning-at-thirty-cents",
    "opus-fifteen-times-haiku", "output-ten-times-input", "ppo-cheapened-christianos-feedback",
    "pue-step-saves-667-thousand", "routing-floor-at-26-percent", "sonnet-undercuts-turbo-by-a-fifth",
    "switch-seven-times-t5-xxl", "thirty-two-fold-over-gpt-3", "thousand-h100-hall-draw",
    "thousand-h100s-draw-six-megawatts", "tickets-on-gpt-4-1", "tickets-on-gpt-4-1-mini", "tickets-on-gpt-4-1-nano",
    "utilisation-step-gives-1-44",
}  # fmt: skip  # many names
"""The claims that are refuted. Two people compared each with its document; no fair reading saves the figure."""


class Strict(yaml.SafeLoader):
    """YAML with days left as text, as a schema sees them."""


Strict.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@cache
def validator(form):
    """What checks a file: its schema is checked once."""
    schema = json.loads(content_schema.schema(form))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def files():
    for path in sorted(SHIPPED.rglob("*.yaml")):
        if path.name != "brain.yaml":
            yield path


@pytest.mark.parametrize("path", list(files()), ids=lambda path: path.relative_to(SHIPPED).as_posix())
def test_every_file_of_rules_fits_its_schema(path):
    content = yaml.load(path.read_text("utf-8"), Strict)
    form = next(name for name in FORMS if name in content)
    validator(form).validate(content)


def test_every_note_fits_its_schema():
    for path in sorted((SHIPPED / "notes").glob("*.md")):
        front = path.read_text("utf-8").split("---\n")[1]
        validator("note").validate(yaml.load(front, Strict))


@pytest.mark.parametrize("name", sorted(content_schema.FILES))
def test_the_schemas_that_ship_are_those_of_the_models(name):
    written = (SHIPPED / f"schema/{name}.json").read_text("utf-8")
    assert written == content_schema.schema(name), "run python -m api.content_schema"


def entry_of(form):
    """The first entry of the shipped content in a form, and the file around an entry."""
    content = next(found for path in files() if form in (found := yaml.load(path.read_text("utf-8"), Strict)))
    if form != "families":
        return content[form][0], lambda entry: {form: [entry]}
    name, members = next(iter(content[form].items()))
    return members[0], lambda entry: {form: {name: [entry]}}


def problems_of(form, content):
    """The problems of the loader, as code and message."""
    text = yaml.safe_dump(content, sort_keys=False)
    problems = read(text.encode(), f"{form}.yaml").problems if form == "terms" else RULES[form]("own.yaml", text)[1]
    return {(problem.code, problem.message) for problem in problems}


@pytest.mark.parametrize("form", [form for form in FORMS if form != "tags"])
def test_the_loader_and_the_schema_want_the_same_fields(form):
    shape = next(one for one in json.loads(content_schema.schema(form))["$defs"].values() if "required" in one)
    entry, around = entry_of(form)
    assert problems_of(form, around(entry)) == set()
    for name in shape["required"]:
        without = {key: value for key, value in entry.items() if key != name}
        assert any(f"needs {name!r}" in message for _, message in problems_of(form, around(without))), name
    assert any("has no field 'extra'" in message for _, message in problems_of(form, around({**entry, "extra": "1"})))
    for name in shape["properties"]:
        messages = problems_of(form, around({**entry, name: {"a": ["b"]}}))
        assert messages, name
        assert not any("has no field" in message for _, message in messages - {("unknown-key", "'expect' has no 'a'")})


def test_the_content_has_no_problem_and_every_claim_a_verdict(shipped_brain):
    known = {"range-edge"}  # two assumptions are stated at the end of their own range; a warning for their author
    assert [problem.render() for problem in content_problems(shipped_brain) if problem.code not in known] == []
    states = shipped_brain.status.states()
    assert len(states) == shipped_brain.claims.count()
    assert {state.verdict for state in states if state.verdict is None or state.verdict.value == "error"} == set()
    run = shipped_brain.ledger.latest_run(as_of=TODAY)
    assert {row.claim for row in shipped_brain.ledger.rows(run.id) if row.verdict.value == "refuted"} == CHECKED_ERRORS


def test_every_note_is_there_tagged_linked_and_readable(shipped_brain):
    kinds = Counter(node.kind.value for node in shipped_brain.nodes.all() if node.brain == "analyst")
    assert kinds.items() >= {"pov": 4, "methodology": 1, "watching": 1, "thesis": 8, "reading": 163}.items()
    lost = [(node.id, cite.marker) for node in shipped_brain.nodes.all() for cite in node.cites if cite.target is None]
    assert lost == []
    for node in shipped_brain.nodes.all():
        if node.kind not in {Kind.TERM, Kind.REFERENCE}:
            assert node.tags, node.id
            assert 40 <= len(re.findall(r"\w[\w’'.,%$×-]*", node.body)) <= 220, node.id
            assert node.sources or node.kind not in {Kind.READING}, node.id
    bare = [node.id for node in shipped_brain.nodes.all() if node.kind in SYNTHESIS and not node.cites]
    assert bare in ([], ["analyst/scope-of-the-ai-coverage"])


def test_each_move_of_a_current_price_is_seen_in_the_claims_that_read_it(shipped_brain):
    day, counted = date(2026, 11, 29), tenses(shipped_brain, date(2026, 11, 29))
    inputs = shipped_brain.evaluator.inputs.now()
    cases = Cases(inputs.book, day, Terms(inputs.tables, find=inputs.find))
    claims = [one for one in inputs.claims() if one.tense is Tense.STANDING and one.id not in counted.fixed]
    assert len(claims) == counted.moving >= 150
    unseen, prices = [], {}
    for claim in claims:
        now = cases.case(claim).now
        trial, seen = now.trial(now.known), False
        for place, figure in enumerate(now.known):
            if figure.price and figure.price.catalog != "cards":
                moved = [trial.at({place: figure.value * by}) for by in (Decimal("0.7"), Decimal("1.3"))]
                reacts = any((one.value, one.holds) != (trial.at({}).value, trial.at({}).holds) for one in moved)
                price = (figure.price.item, figure.price.component, figure.price.processing, figure.price.above)
                prices[price], seen = prices.get(price, False) or reacts, seen or reacts
        unseen += [] if seen else [claim.id]
    assert unseen == []
    assert [price for price, reacts in prices.items() if not reacts] == []
    on = Counter(claim.node for claim in claims)
    theses = [node.id for node in shipped_brain.nodes.all() if node.kind is Kind.THESIS]
    assert {thesis: on[thesis] for thesis in theses if on[thesis] < 3} == {}


def test_every_card_is_dated_and_sourced(shipped_brain):
    for price in (price for catalog in shipped_brain.prices.library().cards for price in catalog.prices):
        assert (price.source or "").startswith("https://"), price
        assert price.checked, price
        assert price.checked <= TODAY, price
        assert price.valid_from, price


@pytest.mark.documents
def test_each_note_carries_the_tags_and_addresses_of_its_origin(shipped_brain, real_documents):
    from ingest.terms.tag_merges import load_mapping, renamed

    merges = load_mapping((SHIPPED / "tags.yaml").read_text("utf-8"), "tags.yaml")[0]
    page = real_documents / "kai-brain-page.txt"
    origins = {node.provenance.first_line: node for node in read(page.read_bytes(), page.name).nodes}
    seen = set()
    for node in shipped_brain.nodes.all():
        name, _, line = (node.origin or "").rpartition(":")
        if name == page.name:
            origin = origins[int(line)]
            seen.add(int(line))
            assert set(node.tags) == set(renamed(origin.tags, merges)), node.id
            assert [one.url for one in node.sources] == [one.url for one in origin.sources], node.id
            assert node.kind is origin.kind, node.id
    assert seen == set(origins)


def test_the_report_in_the_readme_has_the_real_counts(shipped_brain):
    readme = (SHIPPED.parent / "README.md").read_text("utf-8")
    shown = readme.partition("<!-- report -->")[2].partition("<!-- /report -->")[0]
    run = shipped_brain.ledger.latest_run(as_of=TODAY)
    head, counts = shown.strip().removeprefix("```").strip().split("\n")[:2]
    assert f"{sum(run.counts.values())} claims" in head
    told = counts.replace("source wrong", "refuted")  # the notes dispute each figure that is refuted
    listed = {name: int(count) for count, name in re.findall(r"(\d+) (\w+)", told)}
    assert listed == {name: count for name, count in run.counts.items() if count}


def test_each_kind_of_rules_is_detected_and_has_a_reader():
    """Two lists, as `ingest` detects the documents and knows nothing of `compute`, which reads them."""
    assert set(DATA) == set(RULES)
