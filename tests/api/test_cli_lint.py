import json
from textwrap import dedent

import pytest

NOTE = "---\ntitle: Drip lines\nkind: reading\n---\nDrip lines save up to 60% of the water, the growers say.\n"
CLAIM = """
  - id: {name}
    node: own/drip
    says: Drip lines save water.
    as_of: 2026-01-01
    quote: Drip lines save up to 60% of the water
    given:
      before: 100 tonne
      after: 40 tonne
    value: 1 - after / before
    expect: {{is: 70%, within: 0.5pp}}
    asserted_by: source
"""


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "own"
    place.mkdir()
    (place / "brain.yaml").write_text("brain: own\n", "utf-8")
    (place / "drip.md").write_text(NOTE, "utf-8")

    def write(*claims):
        (place / "claims.yaml").write_text("claims:" + "".join(claims), "utf-8")
        return place

    return write


def test_check_shows_each_finding_with_its_line_and_caret_and_as_sarif(brain, folder, tmp_path):
    brain("ingest", folder(CLAIM.format(name="drip")))
    said = brain("check").out
    assert (
        dedent("""\
        claims.yaml:6:12: warning: drip: the quote states 60%, and expect is 70% ± 0.5pp [quote-figure]
          |     quote: Drip lines save up to 60% of the water
          |            ^
          hint: quote the words with the figure that expect tests, or test theirs
        """)
        in said
    )
    assert "findings in claims: " in said
    assert "0 problems" in said
    brain("check", "--sarif", tmp_path / "claims.sarif")
    (run,) = json.loads((tmp_path / "claims.sarif").read_text("utf-8"))["runs"]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert len([name for name in rules if name.startswith("claims/")]) == 13
    assert "three fifths" in rules["claims/quote-figure"]["help"]["text"]
    found = next(one for one in run["results"] if one["ruleId"] == "claims/quote-figure")
    assert found["level"] == "warning"
    place = found["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]) == ("claims.yaml", {"startLine": 6, "startColumn": 12})


def test_check_as_json_has_the_findings_and_their_counts(brain, folder):
    brain("ingest", folder(CLAIM.format(name="drip"), CLAIM.format(name="again")))
    found = brain("check", "--json").json
    assert found["rules"] == {"unstated-input": 2, "quote-figure": 2} | found["rules"]
    codes = [(one["code"], one["line"]) for one in found["problems"] if one["code"] == "claims/quote-figure"]
    assert codes == [("claims/quote-figure", 6), ("claims/quote-figure", 18)]


def test_ingest_shows_a_few_hints_and_of_more_only_their_number(brain, folder):
    claim = CLAIM.format(name="drip")
    few = brain("ingest", folder(claim)).out
    assert "the quote states 60%" in few
    many = brain("ingest", folder(*(CLAIM.format(name=f"drip-{number}") for number in range(9)))).out
    assert "the quote states" not in many
    assert "hints on claims of claims.yaml: brain check shows them" in " ".join(many.split())
    again = brain("ingest", folder(*(CLAIM.format(name=f"drip-{number}") for number in range(9))), "--json").json
    assert again["hints"] == {}


def test_an_exception_silences_its_rule_and_is_reported_once_it_is_not_needed(brain, folder):
    allowed = CLAIM.format(name="drip") + "    allow: {quote-figure: The table below states 60%.}\n"
    brain("ingest", folder(allowed))
    assert "quote-figure" not in brain("check", "--json").json["rules"]
    brain("ingest", folder(allowed.replace("{is: 70%", "{is: 60%")))
    said = brain("check").out
    assert "the exception from quote-figure is not needed" in said
