"""A note that was renamed has another id; its old address leads to the new one where that is sure."""

import pytest

from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`


@pytest.fixture
def vault(home):
    """Writes a note of a vault, and reads it; `vault.root` is its folder."""
    root = home.folder.parent / "vault"
    root.mkdir()

    def put(name, text):
        (root / name).write_text(text, encoding="utf-8")

    put.root, put.read = root, lambda *more: home("ingest", root, *more)
    home.on("2026-12-01")
    put("One.md", "# First\n\nA note about pumps and their cost.\n")
    put("Index.md", "# Index\n\nSee [[One]].\n")
    assert put.read().code == 0
    return put


def leads(home, old):
    with home.web() as web:
        page = web.get(f"/nodes/{old}", follow_redirects=False)
        told = web.get(f"/v1/nodes/{old}")
        shown = home("show", old)
        assert shown.code == 3
        return page.status_code, page.headers.get("location"), told.status_code, told.json().get("renamed"), shown.err


def test_the_old_address_of_a_renamed_note_leads_to_the_new_one(home, vault):
    (vault.root / "One.md").rename(vault.root / "Two.md")
    assert "notes/one is notes/two" in vault.read().said
    status, location, api_status, renamed, said = leads(home, "notes/one")
    assert (status, location) == (307, "/nodes/notes/two")
    assert (api_status, renamed) == (410, "notes/two")
    assert " ".join(said.split()) == "brain: there is no node notes/one; it has another id now: brain show notes/two"
    with home.web() as web:
        assert "pumps and their cost" in web.get("/nodes/notes/one").text
        moved = web.get("/nodes/notes/one/statements", follow_redirects=False)
        assert moved.headers["location"] == "/nodes/notes/two/statements"

    vault("Two.md", "# First\n\nRewritten later, about tides only.\n")
    (vault.root / "Two.md").rename(vault.root / "Three.md")
    vault("Three.md", "# First\n\nRewritten later, about tides only.\n")
    vault.read()
    assert leads(home, "notes/one")[:2] == (410, None), "renamed and written anew: what it is now is a guess"


def test_a_note_that_was_renamed_twice_is_found_by_both_ids_and_its_first_one_may_come_back(home, vault):
    for before, after in (("One", "Two"), ("Two", "Three")):
        (vault.root / f"{before}.md").rename(vault.root / f"{after}.md")
        vault.read()
    for old in ("notes/one", "notes/two"):
        assert leads(home, old)[:2] == (307, "/nodes/notes/three")
    (vault.root / "Three.md").rename(vault.root / "One.md")
    vault.read()
    assert "First" in home("show", "notes/one").out
    assert leads(home, "notes/three")[:2] == (307, "/nodes/notes/one")
    (vault.root / "One.md").unlink()
    vault.read()
    assert leads(home, "notes/three")[0] == 404


@pytest.mark.parametrize(
    ("name", "text", "location"),
    [
        ("One.md", "---\nbrain: mara\n---\n# First\n\nA note about pumps and their cost.\n", "/nodes/mara/one"),
        ("Pumps.md", "---\naliases: [One]\n---\n# Pumps\n\nWritten anew, with the old in it.\n", "/nodes/notes/pumps"),
    ],
    ids=["to another brain", "to a note with the old name as an alias"],
)
def test_a_note_leads_on(home, vault, name, text, location):
    (vault.root / "One.md").unlink()
    vault(name, text)
    vault.read()
    assert leads(home, "notes/one")[:2] == (307, location)


def test_a_note_that_is_gone_with_its_text_is_gone(home, vault):
    (vault.root / "One.md").unlink()
    vault("Other.md", "# Other\n\nNothing of the first note.\n")
    vault.read()
    status, location, api_status, renamed, _ = leads(home, "notes/one")
    assert (location, renamed) == (None, None)
    assert {status, api_status} <= {404, 410}


def test_a_hidden_brain_does_not_say_what_its_notes_are_called_now(home, vault):
    home("brains", "set", "notes", "--private")
    (vault.root / "One.md").rename(vault.root / "Two.md")
    vault.read()
    assert "notes/two" not in home("--as-public", "show", "notes/one").err
