"""An analyst's vault in its second week: files are moved, renamed, deleted, left out and broken, and Brain follows."""

import json
import os

import pytest

from api import server
from api.settings import Settings
from tests.command import written

NOTES = {
    "Index.md": "# Index\n\nSee [[Batching]] and [[Cache]].\n",
    "pricing/Batching.md": "# Batching\n\nA batch costs half.\nIt waits for a day.\n",
    "pricing/Cache.md": "# Cache\n\nA cached token costs a tenth.\nIt lives for five minutes.\n",
}
CLAIM = "  - {{id: {0}, node: notes/batching, says: Half., as_of: 2026-01-01, value: 1, expect: {{is: 1}}}}\n"
CARD = (
    "prices:\n  - {{item: acme/gpu, component: on_demand, value: {} USD/GPU/h, from: 2026-01-01, "
    "source: 'https://example.org/p', checked: 2026-01-01}}\n"
)
BROKEN = "claims:\n  - id: x\n   says: [\n"


@pytest.fixture
def vault(tmp_path):
    """Writes and deletes files of a vault; a call without a text deletes, and `vault.root` is its folder."""

    def put(name, text=None, root=tmp_path / "vault"):
        if text is None:
            (root / name).unlink()
        else:
            written(root, {name: text})
        return root / name

    put.root = written(tmp_path / "vault", NOTES)
    return put


def ingest(brain, *arguments, code=0):
    told = brain("ingest", *arguments, "--json")
    assert told.code == code, told.err
    return told.json


def names(brain):
    return sorted(item["id"] for item in brain("search", "--json", "--limit", "100").json["items"])


def left(report):
    return {file["name"]: file["reason"] for file in report["left_out"]}


def outcomes(report):
    return {document["path"]: document["outcome"] for document in report["documents"]}


def test_a_note_that_was_moved_keeps_its_id_and_the_report_says_so(brain, vault):
    ingest(brain, vault.root)
    (vault.root / "archive").mkdir()
    (vault.root / "pricing/Cache.md").rename(vault.root / "archive/Cache.md")
    report = ingest(brain, vault.root)
    assert report["moved"] == [{"document": "archive/Cache.md", "before": "pricing/Cache.md", "how": "moved"}]
    assert outcomes(report)["archive/Cache.md"] == "moved"
    assert names(brain) == ["notes/batching", "notes/cache", "notes/index"]
    assert brain("show", "notes/cache", "--json").json["provenance"]["document"] == "archive/Cache.md"
    (vault.root / "archive/Cache.md").rename(vault.root / "pricing/Cache.md")
    assert "moved: archive/Cache.md is now pricing/Cache.md" in brain("ingest", vault.root).out


def test_a_note_that_was_renamed_and_edited_is_recognised(brain, vault):
    ingest(brain, vault.root)
    vault("pricing/Cache.md")
    vault("pricing/Prompt cache.md", NOTES["pricing/Cache.md"] + "One more line.\n")
    told = brain("ingest", vault.root).out
    assert "renamed: pricing/Cache.md is now pricing/Prompt cache.md" in told
    assert "is removed" not in told
    assert names(brain) == ["notes/batching", "notes/index", "notes/prompt-cache"]


def test_a_deleted_note_goes_and_with_keep_it_stays(brain, vault):
    ingest(brain, vault.root)
    vault("pricing/Cache.md")
    tried = ingest(brain, vault.root, "--dry-run")
    assert ([one["document"] for one in tried["removed"]], tried["stored"]) == (["pricing/Cache.md"], False)
    (vault.root / "pricing/Batching.md").rename(vault.root / "Batching.md")
    kept = ingest(brain, vault.root, "--keep")
    assert [move["document"] for move in kept["moved"]] == ["Batching.md"]
    assert kept["kept"] == ["pricing/Cache.md"]
    assert names(brain) == ["notes/batching", "notes/cache", "notes/index"]
    assert "pricing/Cache.md is removed: 1 node" in brain("ingest", vault.root).out
    assert "notes/cache" not in names(brain)
    assert brain("ingest", vault.root, "--prune", "--keep").code == 2


def test_documents_of_other_folders_stay_and_single_files_too_unless_pruned_with_their_folder(brain, vault, tmp_path):
    ingest(brain, vault("Mine.md", "# Mine\n\nGiven alone.\n"))
    vault("Mine.md")
    other, single = tmp_path / "other", vault("single.md", "# Single\n\nGiven alone.\n", root=tmp_path)
    vault("Elsewhere.md", "# Elsewhere\n\nAnother folder.\n", root=other)
    for path in (vault.root, other, single):
        ingest(brain, path)
    single.unlink()
    (other / "Elsewhere.md").unlink()
    vault("pricing/Cache.md")
    report = ingest(brain, vault.root)
    assert [one["document"] for one in report["removed"]] == ["pricing/Cache.md"]
    assert {"notes/elsewhere", "notes/mine", "notes/single"} <= set(names(brain))
    assert [one["document"] for one in ingest(brain, vault.root, "--prune")["removed"]] == ["Mine.md"]


@pytest.mark.parametrize("how", ["emptied", "missing", "hidden files only"])
def test_a_folder_that_is_not_mounted_deletes_nothing(brain, vault, how):
    ingest(brain, vault.root)
    vault.root.rename(vault.root.with_name("away"))
    if how != "missing":
        vault.root.mkdir()
    if how == "hidden files only":
        vault(".DS_Store", "x")
    told = brain("ingest", vault.root)
    assert told.code == 3
    assert ("nothing was removed" if how != "missing" else "no such file") in told.err
    assert len(names(brain)) == 3
    if how != "missing":
        assert brain("ingest", vault.root, "--keep").code == 0
        assert len(names(brain)) == 3


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser reads every folder")
def test_a_folder_inside_that_cannot_be_listed_deletes_nothing(brain, vault):
    ingest(brain, vault.root)
    (vault.root / "pricing").chmod(0)
    try:
        report = ingest(brain, vault.root)
    finally:
        (vault.root / "pricing").chmod(0o700)
    assert "cannot be read" in left(report)["pricing/"]
    assert report["removed"] == []


def test_a_folder_inside_a_folder_is_the_same_vault(brain, vault):
    ingest(brain, vault.root)
    vault("pricing/Cache.md")
    vault("pricing/Tiers.md", "# Tiers\n\nThere are three.\n")
    report = ingest(brain, vault.root / "pricing")
    assert outcomes(report) == {"pricing/Batching.md": "unchanged", "pricing/Tiers.md": "new"}
    assert [one["document"] for one in report["removed"]] == ["pricing/Cache.md"]
    assert ingest(brain, vault.root)["moved"] == []


def test_the_folder_above_takes_the_documents_over(brain, vault):
    ingest(brain, vault.root / "pricing")
    report = ingest(brain, vault.root)
    moved = {move["before"]: move["document"] for move in report["moved"]}
    assert moved == {name: f"pricing/{name}" for name in ("Batching.md", "Cache.md")}
    assert names(brain) == ["notes/batching", "notes/cache", "notes/index"]


def test_two_folders_with_files_of_one_name_keep_both(brain, vault, tmp_path):
    vault("Index.md", "# Index of tides\n\nQuite another text.\n", root=tmp_path / "tides")
    for _ in range(2):
        ingest(brain, vault.root)
        report = ingest(brain, tmp_path / "tides")
    assert outcomes(report) == {"tides/Index.md": "unchanged"}
    assert outcomes(ingest(brain, vault.root))["Index.md"] == "unchanged"
    assert {"notes/index", "notes/tides-index"} <= set(names(brain))


def test_one_bad_file_of_a_folder_is_left_out_with_its_line_and_one_that_is_named_itself_stops_the_ingest(brain, vault):
    report = ingest(brain, vault("broken.yaml", BROKEN), vault.root / "pricing", code=3)
    assert (report["stored"], brain("check", "--json").json["documents"]) == (False, 0)
    vault("Daily template.md", "---\ntitle: Day\ncreated: [{{date}}\n---\nToday.\n")
    vault("binary.md", b"\x00\x01\x02")
    report = ingest(brain, vault.root, "--brain", "aud")
    left_out = {one["path"]: one for one in report["documents"] if one["outcome"] == "left out"}
    assert {*left_out} == {"broken.yaml", "binary.md"}, "a template with broken front matter is a note all the same"
    assert left_out["broken.yaml"]["lines"] == {"total": 3, "kept": 0, "skipped": 3}  # as the table says
    assert {one["brain"] for one in report["documents"]} == {"aud"}
    problems = {one["path"]: one["problems"] for one in report["documents"]}
    assert problems["Daily template.md"][0]["line"] == 3
    assert problems["broken.yaml"][0]["line"] == 3
    assert report["nodes"] == {"reading": 4}
    assert report["stored"] is True
    assert "left out because of errors" in brain("ingest", vault.root).said


def test_a_dry_run_says_of_each_file_what_the_ingest_then_does(brain, vault):
    ingest(brain, vault.root)
    vault("Index.md", "# Index\n\nSee [[Batching]], and more.\n")
    vault("Tides.md", "# Tides\n\nThey come twice.\n")
    vault("claims.yaml", "claims:\n" + CLAIM.format("half"))
    vault("broken.yaml", BROKEN)
    tried, done = ingest(brain, vault.root, "--dry-run"), ingest(brain, vault.root)
    assert (tried["stored"], done["stored"]) == (False, True)
    assert outcomes(tried) == outcomes(done)
    assert set(outcomes(tried).values()) == {"new", "changed", "unchanged", "left out"}
    assert [one["changes"] for one in tried["documents"]] == [one["changes"] for one in done["documents"]]
    vault("../other.claims.yaml", "claims:\n" + CLAIM.format("half"))
    again = [brain("ingest", vault.root.parent / "other.claims.yaml", *dry) for dry in (["--dry-run"], [])]
    assert {(one.code, one.out, "which claims.yaml already has" in one.err) for one in again} == {(3, "", True)}


def test_strict_is_all_or_nothing(brain, vault):
    vault("broken.yaml", BROKEN)
    assert ingest(brain, vault.root, "--strict", code=1)["stored"] is False
    vault("broken.yaml")
    vault("letter.docx", "x")
    vault("Index.md", "# Index\n\nSee [[Batching]].\n")
    assert ingest(brain, vault.root, "--strict", code=1)["stored"] is False
    vault("letter.docx")
    assert ingest(brain, vault.root, "--strict")["stored"] is True


def test_a_file_that_broke_keeps_its_earlier_version(brain, vault):
    vault("claims.yaml", "claims:\n" + CLAIM.format("half"))
    ingest(brain, vault.root)
    vault("claims.yaml", "claims:\n" + CLAIM.format("half") + "  - {id: }\n   x")
    report = ingest(brain, vault.root)
    assert outcomes(report)["claims.yaml"] == "left out"
    assert [claim["id"] for claim in brain("claims", "--json").json["items"]] == ["half"]
    vault("claims.yaml")
    assert [one["document"] for one in ingest(brain, vault.root, "--yes")["removed"]] == ["claims.yaml"]


def test_a_claim_that_two_files_state_is_left_out_of_the_second(brain, vault):
    vault("b.yaml", "claims:\n" + CLAIM.format("half"))
    ingest(brain, vault.root)
    vault("a.yaml", "claims:\n" + CLAIM.format("fresh") + CLAIM.format("half"))
    report = ingest(brain, vault.root)
    assert (outcomes(report)["a.yaml"], outcomes(report)["b.yaml"]) == ("left out", "unchanged")
    (problem,) = next(one["problems"] for one in report["documents"] if one["path"] == "a.yaml")
    assert (problem["line"], problem["message"]) == (3, "b.yaml has the claim half already")
    (row,) = [line.split() for line in brain("ingest", vault.root).out.splitlines() if line.startswith("a.yaml ")]
    assert row == ["a.yaml", "claims", "0", "3", "0", "3", "left", "out"]  # it adds no claim and keeps no line


def test_what_is_ignored_is_named_with_its_rule(brain, vault):
    vault(".brainignore", "# drafts\ndrafts/\n*.tmp.md\n!keep.tmp.md\n")
    vault("pricing/.brainignore", "/Cache.md\n!x.tmp.md\n")
    for name in ("drafts/One.md", "drafts/deep/Two.md", "x.tmp.md", "keep.tmp.md", "pricing/x.tmp.md", "deep/Cache.md"):
        vault(name, f"# {name}\n\nText of {name}.\n")
    report = ingest(brain, vault.root)
    assert set(outcomes(report)) == {
        "Index.md", "deep/Cache.md", "keep.tmp.md", "pricing/Batching.md", "pricing/x.tmp.md",
    }  # fmt: skip
    assert left(report) == {
        **dict.fromkeys(("drafts/One.md", "drafts/deep/Two.md"), ".brainignore line 2: drafts/"),
        "x.tmp.md": ".brainignore line 3: *.tmp.md", "pricing/Cache.md": "pricing/.brainignore line 1: /Cache.md",
        **dict.fromkeys((".brainignore", "pricing/.brainignore"), "a hidden file"),
    }  # fmt: skip
    told = brain("ingest", vault.root).said
    assert "files left out (6)" in told
    assert "2 .brainignore line 2: drafts/ drafts/One.md, drafts/deep/Two.md" in told
    vault(".brainignore", "pricing/\ndrafts/\n")
    assert [one["document"] for one in ingest(brain, vault.root)["removed"]] == [
        "pricing/Batching.md", "pricing/x.tmp.md",
    ], "what is ignored later goes"  # fmt: skip


def test_obsidians_own_exclusions_are_respected(brain, vault):
    settings = {"userIgnoreFilters": ["Attic/", "pricing/Cache.md", "/^\\d{4}-\\d\\d-\\d\\d/", "/(/"]}
    vault(".obsidian/app.json", json.dumps(settings))
    vault(".obsidian/templates.json", json.dumps({"folder": "meta/Templates"}))
    for name in ("Attic/Old.md", "Attics.md", "2026-11-02.md", "meta/Templates/Day.md", ".trash/Gone.md", ".git/x.md"):
        vault(name, f"# {name}\n\nText, {{{{date}}}}.\n")
    report = ingest(brain, vault.root)
    assert set(outcomes(report)) == {"Attics.md", "Index.md", "pricing/Batching.md"}
    told = left(report)
    assert told["Attic/Old.md"] == "excluded in .obsidian/app.json: Attic/"
    assert told["pricing/Cache.md"] == "excluded in .obsidian/app.json: pricing/Cache.md"
    assert told["2026-11-02.md"].startswith("excluded in .obsidian/app.json: /^")
    assert told["meta/Templates/Day.md"] == "the templates folder 'meta/Templates' of .obsidian/templates.json"
    assert "not a regular expression" in told[".obsidian/app.json"]
    assert {told[name] for name in (".git/", ".trash/", ".obsidian/")} == {"a hidden folder"}
    assert brain("ingest", vault.root, "--strict").code == 1
    vault(".obsidian/core-plugins.json", json.dumps({"templates": False}))
    assert "meta/Templates/Day.md" in outcomes(ingest(brain, vault.root))


def test_a_file_of_an_unknown_kind_is_counted_and_named(brain, vault):
    for name in ("letter.docx", "Makefile", "chart.PNG", "talk.mp3", "paper.pdf", "data.json"):
        vault(name, "{}")
    report = ingest(brain, vault.root)
    kinds = {file["name"]: file["kind"] for file in report["left_out"]}
    assert kinds == {
        "letter.docx": "unknown", "Makefile": "unknown", "data.json": "unknown",
        "chart.PNG": "attachment", "talk.mp3": "attachment", "paper.pdf": "attachment",
    }  # fmt: skip
    told = brain("ingest", vault.root).said
    assert "files left out (6)" in told
    assert "unknown kind of file: .docx letter.docx" in told


def test_an_edited_price_file_is_changed_and_the_report_counts_rules(brain, vault):
    vault("cards.yaml", CARD.format(2))
    vault("claims.yaml", "claims:\n" + CLAIM.format("half") + CLAIM.format("third"))
    assumed = "{name: pue, value: 1.2, source: 'https://example.org', checked: 2026-01-01}"
    vault("assumptions.yaml", f"assumptions:\n  - {assumed}\n")
    vault("families.yaml", "families: {acme/any: [{from: 2026-01-01, model: acme/gpu}]}\n")
    first = ingest(brain, vault.root)
    assert [first[name] for name in ("claims", "prices", "assumptions", "rules")] == [2, 1, 1, 1]
    assert {one["path"]: one["values"] for one in first["documents"] if one["values"]} == {
        "assumptions.yaml": 1, "cards.yaml": 1, "claims.yaml": 2, "families.yaml": 1,
    }  # fmt: skip
    vault("cards.yaml", CARD.format(3))
    assert outcomes(ingest(brain, vault.root))["cards.yaml"] == "changed"
    assert outcomes(ingest(brain, vault.root))["cards.yaml"] == "unchanged"
    told = brain("ingest", vault.root).out
    assert all(line in told for line in ("2 claims", "1 price\n", "1 assumption\n", "1 family"))


def night(brain, code=0):
    told = brain("nightly", "--no-refresh", "--json")
    assert told.code == code, told.err
    return told.json


def test_a_night_reads_the_library_first(brain, vault):
    vault("claims.yaml", "claims:\n" + CLAIM.format("half"))
    assert brain("library", "add", vault.root).code == 0
    assert brain("library", "add", vault.root).code == 0
    first = night(brain)
    assert first["run"]["counts"] == {"holds": 1}
    (folder,) = first["folders"]
    assert (folder["path"], folder["new"], folder["failed"]) == (str(vault.root.resolve()), 4, None)
    vault("claims.yaml", "claims:\n" + CLAIM.format("half") + CLAIM.format("third"))
    vault("pricing/Cache.md").with_name("Costs.md").write_text(NOTES["pricing/Cache.md"])
    vault("Index.md")
    told = brain("nightly", "--no-refresh")
    assert "3 documents, 1 changed, 1 moved, 1 removed" in told.said
    assert "event=read" in told.err
    assert night(brain)["run"]["counts"] == {"holds": 2}
    (item,) = brain("library", "list", "--json").json["items"]
    assert (item["documents"], item["readable"], item["brain"]) == (3, True, None)


def test_a_night_says_which_folder_it_could_not_read_and_goes_on(brain, vault, tmp_path):
    other = vault("Tide.md", "# Tide\n\nIt comes back.\n", root=tmp_path / "tides").parent
    vault("claims.yaml", "claims:\n" + CLAIM.format("half"))
    for folder in (vault.root, other):
        brain("library", "add", folder, "--brain", "mara")
    assert night(brain)["outcome"] == "done"
    vault.root.rename(tmp_path / "away")
    vault("broken.md", b"\x00", root=other)
    found = night(brain, code=3)
    assert found["outcome"] == "not read"
    assert found["run"]["counts"] == {"holds": 1}, "its documents stay"
    assert [folder["failed"] for folder in found["folders"]] == ["no such file or directory", None]
    assert found["folders"][1]["left_out"] == ["broken.md"]
    lost = f"{vault.root.resolve()} was not read: no such file or directory"
    assert found["run"]["notes"] == [lost, f"{other.resolve()}: left out because of errors: broken.md"]
    vault.root.mkdir()
    assert "nothing was removed" in night(brain, code=3)["folders"][0]["failed"]
    assert "cannot be read" not in brain("library", "list").out
    assert brain("library", "remove", vault.root).code == 0
    assert night(brain)["outcome"] == "done"
    assert "mara/index" in names(brain)


def test_the_library_says_what_it_does_not_have(brain, vault, tmp_path):
    assert "brain library add" in brain("library", "list").out
    assert brain("library", "add", tmp_path / "nowhere").code == 3
    assert brain("library", "add", vault.root / "Index.md").code == 3
    brain("library", "add", vault.root)
    told = brain("library", "remove", tmp_path / "vaults")
    assert told.code == 3
    assert "near it" in told.err


def test_the_service_reads_the_library_at_night_too(brain, vault, tmp_path, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")  # no prices come from anywhere
    brain("library", "add", vault.root)
    server._one_night(Settings(home=tmp_path / "own"), "http://127.0.0.1:1")
    assert len(names(brain)) == 3
