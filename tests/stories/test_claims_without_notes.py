"""A claim on a note that is not there is counted and named everywhere, with the note that its text is in now."""

from datetime import UTC, datetime
from functools import partial

import pytest

from api.settings import Settings
from tests.command import written
from tests.web_client import home_client

FIGURE = "as_of: 2026-11-01, value: 2 * 20%, expect: {is: 40%}"
CLAIMS = f"""\
claims:
  - {{id: rent, node: notes/rent-of-an-h100, says: Rent., quote: rents an H100 for $2.10, {FIGURE}}}
  - {{id: load, node: notes/never-written, says: The load., quote: a load of 40%, {FIGURE}}}
  - {{id: lost, node: notes/gone, says: Nothing says so., quote: words that no note has, {FIGURE}}}
"""


@pytest.fixture
def vault(tmp_path, brain):
    rent, load = "Cloud North rents an H100 for $2.10 an hour.\n", "At a load of 40% it is **dearer**.\n"
    files = {"Rent of an H100.md": rent, "Utilisation.md": load, "claims.yaml": CLAIMS}
    folder = written(tmp_path / "vault", files)
    brain("ingest", folder)
    return folder


def warnings(problems):
    return sorted((one["message"], one["hint"]) for one in problems if one["code"] == "claim-without-node")


def of_ingest(told):
    return warnings(one for document in told.json["documents"] for one in document["problems"])


def test_after_a_rename_ingest_check_report_and_pages_count_and_name_them(brain, home, vault):
    (vault / "Rent of an H100.md").rename(vault / "Renting cards.md")
    said = of_ingest(brain("ingest", vault, "--json"))
    hints = dict(said)
    rent = hints["the claim rent is on the node notes/rent-of-an-h100, which does not exist"]
    assert "it is notes/renting-cards now" in rent
    assert "its words are in notes/utilisation now" in str(hints)
    assert len(said) == 3
    assert warnings(brain("check", "--json").json["problems"]) == said
    found = {one["claim"]: (one["node"], one["now"]) for one in brain("verify", "--json").json["without_note"]}
    assert found == {
        "rent": ("notes/rent-of-an-h100", "notes/renting-cards"),
        "load": ("notes/never-written", "notes/utilisation"),
        "lost": ("notes/gone", None),
    }
    shown = brain("verify").out
    assert "3 claims are without a note" in shown
    assert "notes/rent-of-an-h100 does not exist; its text is in notes/renting-cards" in shown
    clock = partial(datetime.now, UTC)  # the runs are of today
    with home_client(Settings(home=home), clock) as client:
        for address, many in (("/", "3\xa0claims"), ("/claims", "3\xa0claims"), ("/claims/rent", "1\xa0claim")):
            page = client.get(address, headers={"Accept": "text/html"}).text
            assert f"{many} without a note" in page, address
            assert "notes/rent-of-an-h100 is not there" in page, address


def test_a_text_that_was_also_edited_or_moved_into_another_note_is_found(brain, vault):
    (vault / "Rent of an H100.md").unlink()
    (vault / "All rents.md").write_text("# All\n\n> Cloud North rents an **H100** for $2.10 an hour.\n\nMore.\n")
    said = of_ingest(brain("ingest", vault, "--json"))
    assert warnings(brain("check", "--json").json["problems"]) == said
    assert any("notes/all-rents now" in hint for _, hint in said)


def test_words_that_two_notes_have_name_neither(brain, vault):
    (vault / "Copy.md").write_text("Also at a load of 40%.\n")
    said = dict(of_ingest(brain("ingest", vault, "--json")))
    assert "now" not in said["the claim load is on the node notes/never-written, which does not exist"]


def test_a_report_of_claims_with_notes_says_nothing_of_it(brain, vault):
    (vault / "claims.yaml").write_text(CLAIMS.partition("  - {id: load")[0])
    brain("ingest", vault)
    assert brain("verify", "--json").json["without_note"] == []
    assert "without a note" not in brain("verify").out
