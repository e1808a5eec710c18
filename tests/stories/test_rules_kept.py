"""Claims, prices and silences do not go with a file unless someone says so: an option that turned all rules into notes.

Found with `brain ingest --format note FOLDER`, which read claims.yaml and prices.yaml as notes, and 18 claims were gone.
"""

import json

import pytest

from tests.command import written

NOTE = "# Batching\n\nA batch costs half.\n"
CLAIM = "  - {{id: {0}, node: notes/batching, says: Half., as_of: 2026-01-01, value: 1, expect: {{is: 1}}}}\n"
FILES = {
    "batching.md": NOTE,
    "claims.yaml": "claims:\n" + CLAIM.format("half") + CLAIM.format("third"),
    "prices.yaml": "prices:\n  - {item: acme/gpu, component: on_demand, value: 2 USD/GPU/h, from: 2026-01-01,"
    " source: https://example.org/p, checked: 2026-01-01}\n",
    "silences.yaml": "silences:\n  - {claim: half, reason: known, since: 2026-01-01, until: 2027-01-01}\n",
}


@pytest.fixture
def vault(tmp_path, brain):
    folder = written(tmp_path / "vault", FILES)
    assert brain("ingest", folder).code == 0
    assert held(brain) == (2, 1, 1)
    return folder


def held(brain):
    claims = len(brain("claims", "--json").json["items"])
    silences = len(brain("silences", "list", "--json").json["items"])
    prices = len(brain("prices", "list", "acme/gpu", "--json").json["items"])
    return claims, prices, silences


def test_a_format_for_prose_leaves_rules_as_they_are(vault, brain):
    report = brain("ingest", "--format", "note", vault, "--json").json
    assert {one["path"]: one["format"] for one in report["documents"]} == {
        "batching.md": "note", "claims.yaml": "claims", "prices.yaml": "prices", "silences.yaml": "silences",
    }  # fmt: skip  # one mapping
    assert held(brain) == (2, 1, 1)


@pytest.mark.parametrize(
    ("name", "said", "how"),
    [
        ("claims.yaml", "2 claims", "deleted"), ("prices.yaml", "1 price", "deleted"),
        ("silences.yaml", "1 silence", "deleted"), ("claims.yaml", "2 claims", "ignored"),
        ("prices.yaml", "1 price", "another kind"),
    ],
)  # fmt: skip
def test_rules_go_with_their_file_only_with_yes(vault, brain, name, said, how):
    if how == "deleted":
        (vault / name).unlink()
    elif how == "ignored":
        (vault / ".brainignore").write_text(name)
    else:
        (vault / name).write_text("terms:\n  - {label: Sill, definition: the step}\n")
    told = brain("ingest", vault)
    assert told.code == 2
    assert f"{name} ({said})" in told.err
    assert held(brain) == (2, 1, 1)
    (lost,) = brain("ingest", vault, "--dry-run", "--json").json["rules_lost"]
    assert (lost["document"], lost["values"]) == (name, int(said[0]))
    assert brain("ingest", vault, "--yes").code == 0
    assert sum(held(brain)) == 4 - int(said[0])


def test_a_claim_that_is_edited_out_of_its_file_goes_as_any_edit_does(vault, brain):
    (vault / "claims.yaml").write_text("claims:\n" + CLAIM.format("half"))
    assert brain("ingest", vault).code == 0
    assert held(brain) == (1, 1, 1)


def test_rules_that_are_moved_or_split_are_not_lost(vault, brain):
    (vault / "claims.yaml").unlink()
    (vault / "one.yaml").write_text("claims:\n" + CLAIM.format("half"))
    (vault / "two.yaml").write_text("# more\nclaims:\n" + CLAIM.format("third"))
    (vault / "prices.yaml").rename(vault / "cards.yaml")
    assert brain("ingest", vault).code == 0
    assert held(brain) == (2, 1, 1)


def test_removing_a_document_with_rules_asks_too(vault, brain):
    told = brain("remove", "claims.yaml", "silences.yaml")
    assert (told.code, "2 claims and 1 silence" in told.err) == (2, True)
    assert held(brain) == (2, 1, 1)
    assert brain("remove", "batching.md").code == 0
    (removed,) = brain("remove", "prices.yaml", "--yes", "--json").json["removed"]
    assert (removed["claims"], removed["prices"], removed["silences"]) == (0, 1, 0)
    assert held(brain) == (2, 0, 1)


def test_a_night_keeps_the_rules_of_a_file_that_is_gone_and_says_so(vault, brain):
    brain("library", "add", vault)
    (vault / "claims.yaml").unlink()
    (vault / "batching.md").write_text(NOTE + "\nIt waits a day.\n")
    night = brain("nightly", "--no-refresh")
    assert "claims.yaml" in night.out
    assert held(brain) == (2, 1, 1)
    assert "It waits a day." in json.dumps(brain("show", "notes/batching", "--json").json)


def test_another_format_is_a_warning_that_names_the_lines(vault, brain):
    text = "# Glossary\n\nWords of ours.\n\n- **Batch:** half.\n- **Cache:** a tenth.\n"
    (vault / "words.md").write_text(text)
    brain("ingest", vault)
    (vault / "words.md").write_text(f"---\nformat: bullet-glossary\n---\n{text}")
    documents = brain("ingest", vault, "--json").json["documents"]
    (document,) = (one for one in documents if one["path"].endswith("words.md"))
    said = {one["code"]: one["message"] for one in document["problems"]}
    assert said["format-changed"].startswith("read as bullet-glossary now and as note before: 2 nodes in place of 1")
    assert "6–6 (text between the entries)" in said["format-changed"]
    assert said["lines-left-out"] == "read as bullet-glossary, 1 of 7 lines are left out: line 6"
