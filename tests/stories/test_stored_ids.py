"""A note keeps its id when others of its name come, go or move: claims stay on the note that they were written for."""

import pytest

from tests.command import written

CLAIM = """\
claims:
  - {id: pump-cost, node: notes/overview, says: The pump., as_of: 2026-01-01, value: 2 * 2.5 USD, expect: {is: 5 USD}}
"""


@pytest.fixture
def vault(tmp_path):
    """Writes a file of a vault; `vault.root` is its folder."""

    def put(name, text, root=tmp_path / "vault"):
        written(root, {name: text})

    put.root = tmp_path / "vault"
    put("Pumps/Overview.md", "# Overview of pumps\n\nA pump costs 5 USD.\n")
    put("Tides/Overview.md", "# Overview of tides\n\nThey come twice a day.\n")
    put("claims.yaml", CLAIM)
    return put


def ids(brain, folder):
    told = brain("ingest", folder, "--json")
    assert told.code == 0, told.err
    return {document["path"]: document["outcome"] for document in told.json["documents"]}, stored(brain)


def stored(brain):
    found = (item["id"] for item in brain("search", "--json", "--limit", "100").json["items"])
    return {brain("show", name, "--json").json["provenance"]["document"]: name for name in found}


def test_a_new_note_of_the_same_name_gets_the_longer_id(brain, vault):
    _, first = ids(brain, vault.root)
    assert first == {"Pumps/Overview.md": "notes/overview", "Tides/Overview.md": "notes/tides-overview"}
    vault("Areas/Overview.md", "# Overview of areas\n\nA new note about other things.\n")
    outcomes, second = ids(brain, vault.root)
    assert second == {**first, "Areas/Overview.md": "notes/areas-overview"}
    assert outcomes["Pumps/Overview.md"] == "unchanged"
    vault("Overview.md", "# Overview of all\n\nAt the top of the vault, and later than the others.\n")
    _, third = ids(brain, vault.root)
    assert third.items() >= second.items()
    assert third["Overview.md"].startswith("notes/overview-")
    assert ids(brain, vault.root)[1] == third, "the same at the next ingest"


def test_a_note_whose_folder_has_another_name_keeps_its_id(brain, vault):
    ids(brain, vault.root)
    (vault.root / "Pumps").rename(vault.root / "Water pumps")
    (vault.root / "Tides").rename(vault.root / "Moon")
    outcomes, moved = ids(brain, vault.root)
    assert moved == {"Water pumps/Overview.md": "notes/overview", "Moon/Overview.md": "notes/tides-overview"}
    assert outcomes["Water pumps/Overview.md"] == "moved"
    assert ids(brain, vault.root)[1] == moved, "the same at the next ingest"
    (vault.root / "Water pumps/Overview.md").unlink()
    assert ids(brain, vault.root)[1] == {"Moon/Overview.md": "notes/tides-overview"}


def test_an_empty_brain_gives_the_same_ids_each_time(brain, vault):
    vault("Areas/Overview.md", "# Overview of areas\n\nA new note about other things.\n")
    _, found = ids(brain, vault.root)
    assert found["Areas/Overview.md"] == "notes/overview"
    assert found["Pumps/Overview.md"] == "notes/pumps-overview"


def test_a_note_with_another_brain_or_an_id_of_its_own_does_not_keep_the_old_one(brain, vault):
    exported = "---\nbrain_export: 1\nid: notes/{0}\nbrain: notes\ntitle: Dues\nkind: reading\n---\nThey are paid.\n"
    vault("Dues.md", exported.format("light-dues"))
    assert ids(brain, vault.root)[1]["Dues.md"] == "notes/light-dues"
    vault("Dues.md", exported.format("dues"))
    vault("Tides/Overview.md", "---\nbrain: mara\n---\n# Overview of tides\n\nThey come twice a day.\n")
    _, found = ids(brain, vault.root)
    assert (found["Dues.md"], found["mara/Tides/Overview.md"]) == ("notes/dues", "mara/overview")


def test_notes_at_the_top_whose_names_differ_in_accents_or_signs_are_all_stored(brain, tmp_path, vault):
    pairs = (("Über", "Uber"), ("Meeting (1)", "Meeting 1"), ("Launch plan", "🚀 Launch plan"), ("C", "C!"))
    names = [f"{name}.md" for pair in pairs for name in pair]
    for name in names:
        vault(name, f"Text of {name}.\n", root=tmp_path / "top")
    outcomes, found = ids(brain, tmp_path / "top")
    assert set(outcomes.values()) == {"new"}
    assert (set(found), len(set(found.values()))) == (set(names), len(names))
