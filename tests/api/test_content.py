import json
import re
from collections import Counter
from datetime import date
from decimal import Decimal
from functools import cache
from io import StringIO

import jsonschema
import numpy as np
import pytest
import yaml
from rich.console import Console

from api import content_schema
from api.brain import Brain
from api.services.checks import content_problems
from api.services.importing.documents import RULES
from api.settings import SHIPPED, Settings
from api.terminal import verdict_tables
from compute.claims.claim_cases import Cases, Terms
from graph.models.claim_models import Tense
from graph.models.node_models import SYNTHESIS, Kind
from ingest.document_reader import read
from ingest.format_detection import DATA
from tests.conftest import NOW, TODAY
from tests.web_client import web_client

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
    day, inputs = date(2026, 11, 29), shipped_brain.evaluator.inputs.now()
    cases = Cases(inputs.book, day, Terms(inputs.tables, find=inputs.find))
    unseen, prices, on = [], {}, Counter()
    for claim in inputs.claims():
        now = cases.case(claim).now
        if claim.tense is Tense.DATED or not any(one.price and one.price.catalog != "cards" for one in now.known or ()):
            continue
        on[claim.node] += 1
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
    assert on.total() >= 150
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


BREAK_EVEN = "h100-break-even-at-the-markets-rent"
HTML = {"accept": "text/html"}


@pytest.fixture(scope="module")
def client(shipped_brain):
    with web_client(shipped_brain, lambda: NOW) as opened:
        yield opened


def test_the_break_even_holds_in_a_tenth_of_its_ranges_as_a_million_random_points_do(shipped_brain):
    verdict = shipped_brain.evaluator.explain(BREAK_EVEN, TODAY)
    assert verdict.verdict == "depends"
    assert abs(verdict.robust.share - Decimal("0.1")) < Decimal("0.02")
    assert verdict.robust.fragile
    assert verdict.sensitivity[0].input == "years"
    at = {one.name: float(one.value) for one in verdict.inputs}
    rng, count = np.random.default_rng(3), 1_000_000
    power, pue, years = rng.uniform(500, 700, count), rng.uniform(1.1, 1.6, count), rng.uniform(3, 6, count)
    hours = years * 8760
    owned = at["purchase"] + at["network"] + at["facility"] * years + power / 1000 * pue * at["energy"] * hours
    value = 100 * owned / (at["rate"] * hours)
    share = np.mean(np.abs(value - 38) <= 3)
    assert abs(float(verdict.robust.share) - share) < 0.02
    for found, level in ((verdict.robust.p05, 0.05), (verdict.robust.p50, 0.5), (verdict.robust.p95, 0.95)):
        assert abs(float(found) - np.quantile(value, level)) < 0.2


def test_the_ledger_keeps_the_share_and_computes_the_run_again_byte_for_byte(shipped_brain):
    run = shipped_brain.ledger.latest_run()
    rows = {row.claim: row for row in shipped_brain.ledger.rows(run.id)}
    assert rows[BREAK_EVEN].robust == shipped_brain.evaluator.explain(BREAK_EVEN, run.as_of).robust
    assert shipped_brain.evaluator.rerun(run.id).same
    assert sum(row.robust is not None for row in rows.values()) > 20


def test_a_run_of_earlier_rules_is_kept_and_not_computed_again(shipped_copy):
    with Brain.open(Settings(home=shipped_copy)) as opened:
        run = opened.ledger.latest_run()
        early = run.model_copy(update={"method": 4})
        opened.evaluator.store.ledger.run = lambda number: early
        again = opened.evaluator.rerun(run.id)
    assert (again.rules, again.claims, again.differences, again.same) == (4, 0, (), None)
    told = Console(width=200, file=StringIO())
    told.print(verdict_tables.rerun(again))
    assert "was made by version 4 of the rules for verdicts" in told.file.getvalue()


def test_its_json_has_the_share_and_the_lists_say_which_claims_are_fragile(client, shipped_brain):
    body = client.get(f"/v1/claims/{BREAK_EVEN}").json()
    found = body["verdict"] if isinstance(body.get("verdict"), dict) else body
    assert set(found["robust"]) == {"share", "p05", "p50", "p95", "points", "undefined", "fragile"}
    assert found["sensitivity"][0]["input"] == "years"
    assert {one["input"] for one in found["swings"]} == {"years", "overhead", "power"}
    assert client.get("/charts/claims/utilisation-step-gives-1-44/tornado.svg").status_code == 404
    assert 'id="ranges"' not in client.get("/claims/utilisation-step-gives-1-44", headers=HTML).text
    page = client.get("/claims?tag=breakeven-analysis", headers=HTML).text
    rows = {
        row: "of the stated ranges" in row for row in page.partition("claim-rows")[2].split("<li>") if "/claims/" in row
    }
    assert [word for row, word in rows.items() if f"/claims/{BREAK_EVEN}" in row] == [True]
    assert False in rows.values()
    assert BREAK_EVEN in [state.id for state in shipped_brain.status.states() if state.fragile]


def test_its_page_has_the_word_the_sentence_and_a_table_that_draws_each_swing(client):
    page = client.get(f"/claims/{BREAK_EVEN}", headers=HTML).text
    assert "fragile: true in only 10% of plausible inputs" in page.replace("\xa0", " ")
    assert re.search(r"Holds in 9\.\d+% of the stated ranges; 5th percentile", page)
    section = page.partition('<h2 id="ranges">')[2].partition("</section>")[0]
    assert section.count('<th scope="row">') == 3
    ranges = [ends.replace("\xa0", " ") for ends in re.findall(r'<td class="ran">(.*?)</td>', section)]
    assert sorted(ranges) == ["1.1 → 1.6", "500 → 700 W/GPU", "6 → 3 years"], "in the order of the values"
    widths = [float(one) for one in re.findall(r'<rect x="[\d.]+%" width="([\d.]+)%" y=', section)]
    assert len(widths) == 3, "each swing is drawn in its row"
    assert max(widths) == widths[0], "the one that decides comes first"


def test_the_terminal_says_it_in_explain_in_claims_and_with_robust(brain, shipped_home, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")

    def said(*words):
        found = brain(*words, home=shipped_home)
        assert found.code == 0, found
        return found.out

    assert "Holds in 9.96% of the stated ranges" in " ".join(said("explain", BREAK_EVEN).split())
    assert re.search(rf"depends fragile\s+{BREAK_EVEN}", said("claims"))
    listed = said("verify", "--robust", "--claim", BREAK_EVEN).partition("within the stated ranges")[2]
    assert re.search(rf"9\.96%\s+depends fragile\s+{BREAK_EVEN}", listed)
    assert "within the stated ranges" not in said("verify", "--claim", BREAK_EVEN)
    assert "## Within the stated ranges" in said("explain", BREAK_EVEN, "--format", "markdown")
    assert brain("explain", BREAK_EVEN, "--json", home=shipped_home).json["robust"]["fragile"] is True
