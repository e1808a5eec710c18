"""`brain mine` from the outside: what it prints, what it keeps to itself, and what it finds in the real documents."""

import json
import shutil
from pathlib import Path

import pytest
import yaml

from api.brain import Brain
from api.services.checks import lint
from api.settings import Settings
from compute.claims.claim_loader import load
from tests.command import outcome, written
from tests.conftest import NOW, TODAY

NOTE = """---
title: Seat prices
brain: acme
published: 2025-05-01
---
The seat went from $8.00 to $2.00, a 75% cut. The chair went from $80 to $60, a 40% cut.

Nothing `from $8 to $4, a 10% cut` in code is read.
"""
GLOSSARY = """# {name}

- **Spot Discount** → Interruptible capacity at {share} off the list price.
- **Reserved Capacity** → Capacity that is paid for whether it is used or not.
- **Cold Start** → The wait until a model is in memory.
"""


@pytest.fixture
def home(tmp_path):
    (tmp_path / "seat-prices.md").write_text(NOTE, "utf-8")
    with Brain.open(Settings(home=tmp_path / "home")) as brain:
        assert brain.ingest([tmp_path / "seat-prices.md"], at=NOW).stored
    return tmp_path / "home"


def run(home, *arguments):
    return outcome(home, "mine", *arguments)


def test_statements_are_printed_with_the_fields_of_the_contract_and_none_is_stored(home):
    with Brain.open(Settings(home=home)) as brain:
        before = brain.version()
    code, out, _ = run(home, "--json")
    items = json.loads(out)["items"]
    assert (code, [one["verdict"] for one in items]) == (0, ["holds", "refuted"])
    fields = "id node quote kind inputs expression stated computed verdict confidence note"
    assert all(set(fields.split()) <= set(one) for one in items)
    second = {key: items[1][key] for key in ("stated", "computed", "unit", "as_of")}
    assert second == {"stated": 40, "computed": 25, "unit": "%", "as_of": "2025-05-01"}
    assert json.loads(run(home, "--json", "--verdict", "refuted")[1])["items"] == items[1:]
    code, out, _ = run(home, "acme/seat-prices")
    told = " ".join(out.split())
    assert (code, "stated 40%, computed 25%" in told, "1 holds 1 refuted" in told) == (0, True, True)
    claims, problems = load("mined.yaml", run(home, "--claims")[1])
    assert not problems
    assert [(claim.node, claim.value) for claim in claims] == [("acme/seat-prices", "(before - after) / before")] * 2
    with Brain.open(Settings(home=home)) as brain:
        assert brain.version() == before


def test_definitions_that_differ_in_a_figure_contradict(tmp_path):
    for name, share in (("north", "60%"), ("south", "90%")):
        (tmp_path / f"{name}.txt").write_text(GLOSSARY.format(name=name.title(), share=share), "utf-8")
    with Brain.open(Settings(home=tmp_path / "home")) as brain:
        assert brain.ingest([tmp_path / "north.txt", tmp_path / "south.txt"], at=NOW).stored
        found = brain.mining.statements([], TODAY)
    statements = [(one.kind, one.stated, one.computed) for one in found]
    assert statements == [("cross-document", 60, 90), ("cross-document", 90, 60)]


def test_the_content_that_ships_is_mined(shipped_brain):
    found = [one.verdict for one in shipped_brain.mining.statements([], TODAY)]
    assert found.count("holds") > 100
    assert found.count("holds") > 20 * found.count("refuted")


@pytest.mark.documents
def test_what_the_real_documents_state_holds_and_the_linter_asks_little_of_its_drafts(documents_home, tmp_path):
    with Brain.open(Settings(home=shutil.copytree(documents_home, tmp_path / "home"))) as brain:
        found = brain.mining.statements([], TODAY)
        offered = [one.claim for node in brain.nodes.all() for one in brain.mining.drafts(node, TODAY) if one.claim]
        drafts, _ = brain.mining.claim_file(found, TODAY, brain.mining.place)
        bodies = {node.id: node.body for node in brain.nodes.all()}
        assert brain.ingest([written(tmp_path, {"drafts.yaml": drafts}) / "drafts.yaml"], at=NOW).stored
        problems = lint(brain, TODAY)
    assert all(bodies[one.node][one.start :].startswith(one.quote) for one in found)
    verdicts = [one.verdict for one in found if one.kind != "cross-document"]
    assert verdicts.count("holds") > 100
    assert verdicts.count("refuted") <= 5, "brain errata lists those of the shipped content"
    # It names items of catalogues that this home has not.
    claims, _ = load("drafts.yaml", drafts)
    others = [one for one in problems if one.code != "claims/unknown-input"]
    named = {claim.id for claim in claims for one in others if one.message.startswith(f"{claim.id}: ")}
    assert len(claims) > 100
    assert offered
    assert not any(load("offered.yaml", one)[1] for one in offered), "a page offers a claim that brain ingest refuses"
    assert len(named) <= len(claims) / 10
    assert drafts.count("\n  # ") == len(claims)


DRAFT = """# A note on seats

The seat went from $8.00 to $2.00, a 75% cut.

Rent went from $2.50 to $3.00, a rise of about 20%. The chair went from $80 to $60, an up to 25% cut.

The app_context went from $80 to $60, a cut of at least 25%.
"""


def test_drafts_of_a_file_quote_it_and_its_line_and_are_a_file_of_claims_that_verifies(tmp_path):
    file, home = tmp_path / "seats.md", tmp_path / "home"
    file.write_text(DRAFT, "utf-8")
    code, out, _ = run(home, str(file), "--claims")
    (tmp_path / "claims.yaml").write_text(out, "utf-8")
    claims, problems = load("claims.yaml", out)
    assert (code, problems) == (0, [])
    places = [line.strip() for line in out.splitlines() if "# " in line]
    assert places == [f"# seats.md:{line}" for line in (3, 5, 5, 7)]
    assert all(claim.quote in DRAFT and claim.asserted_by == "source" and claim.stance == "reports" for claim in claims)
    assert [claim.expect.text() for claim in claims] == ["75% ± 0.5pp", "20% ± 1pp", "at most 25%", "at least 25%"]
    shares = [claim.id.removeprefix("seats-") for claim in claims]
    assert shares == ["75-percent", "20-percent", "25-percent", "25-percent-2"]
    with Brain.open(Settings(home=home)) as brain:
        assert not list(brain.nodes.all())
        assert brain.ingest([file, tmp_path / "claims.yaml"], at=NOW).stored
        assert not lint(brain, TODAY)
        brain.verify(TODAY, at=NOW, clock=lambda: NOW)
        assert {one.verdict for one in brain.status.states()} == {"holds"}


def test_drafts_of_a_node_are_those_of_the_node(home):
    whole, one = (run(home, *named, "--claims")[1] for named in ((), ("acme/seat-prices",)))
    assert whole == one
    assert "  # seat-prices.md:6\n" in one


def test_a_claim_of_a_statement_has_its_value_and_verdict_and_others_are_left_out_by_name(tmp_path):
    bank = Path(__file__).parents[1] / "compute/figures_texts.yaml"
    lines = [text for texts in yaml.safe_load(bank.read_text("utf-8"))["mined"].values() for text in texts]
    (tmp_path / "own.md").write_text("# Own\n\n" + "\n\n".join(lines), "utf-8")
    found = json.loads(run(tmp_path / "home", str(tmp_path / "own.md"), "--json")[1])["items"]
    code, out, told = run(tmp_path / "home", str(tmp_path / "own.md"), "--claims")
    (tmp_path / "claims.yaml").write_text(out, "utf-8")
    assert (code, told.count("left out"), "own.md:21: left out" in told) == (0, 1, True)
    assert "holds, stated 30,240 USD/year" in " ".join(told.split())
    with Brain.open(Settings(home=tmp_path / "home")) as brain:
        assert brain.ingest([tmp_path / "own.md", tmp_path / "claims.yaml"], at=NOW).stored
        brain.verify(TODAY, at=NOW, clock=lambda: NOW)
        verdicts = [one.verdict for one in brain.status.states()]
    assert len(found) == len(verdicts) + 1
    assert sorted(verdicts) == ["holds"] * (len(verdicts) - 2) + ["refuted"] * 2
