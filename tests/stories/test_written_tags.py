"""A tag keeps the letters that its author writes: case folding made *Maß* to *mass*, which is another word."""

import pytest

from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`

NOTE = "---\ntags: [Größe, Maß]\n---\n# Die Größe der Straße\n\nDer #Spaß ist groß, #ΛΌΓΟΣ auch.\n"


@pytest.fixture
def vault(home):
    home.on("2026-12-01")
    root = home.folder.parent / "vault"
    root.mkdir()
    (root / "Straße.md").write_text(NOTE, encoding="utf-8")
    assert home("ingest", root).code == 0
    return root


def test_tags_are_stored_as_they_are_written_in_lower_case_and_found_however_they_are_written(home, vault):
    (name,) = (one["id"] for one in home("search", "--json").json["items"])
    shown = home("show", name, "--json").json
    assert shown["tags"] == ["größe", "maß", "spaß", "λόγος"]
    assert shown["title"] == "Die Größe der Straße"
    assert "#größe #maß #spaß #λόγος" in home("show", name).out

    with home.web() as web:
        for tag in ("größe", "Größe", "GRÖSSE", "grösse", "GRÖẞE"):
            assert len(home("search", f"tag:{tag}", "--json").json["items"]) == 1, tag
            assert web.get(f"/tags/{tag}").status_code == 200, tag
            assert web.get(f"/v1/tags/{tag}").json()["tag"] == "größe", tag


def test_two_spellings_of_one_tag_are_told_apart_and_suggested_for_merging(home, vault):
    (vault / "Strasse.md").write_text("Eine #strasse, eine #straße, eine #STRASSE.\n", encoding="utf-8")
    home("ingest", vault)
    assert {"straße", "strasse"} <= {one["tag"] for one in home("tags", "--json").json["items"]}
    assert "spelling" in home("tags", "--near").out
    with home.web() as web:
        assert web.get("/v1/tags/strasse").json()["tag"] == "strasse"
        assert web.get("/v1/tags/Straße").json()["tag"] == "straße"
