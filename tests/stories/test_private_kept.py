"""What the public learns of a private brain from a home in daily use: nothing, in any answer or file."""

import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest

from api.brain import Brain
from api.services.importing.document_importer import ImportOptions
from api.services.nightly_job import run_night
from api.settings import Settings
from graph.models.access_models import BrainPolicy
from tests.command import outcome
from tests.stories.conftest import NOW
from tests.web_client import home_client

pytestmark = pytest.mark.usefixtures("exports_here")

OPEN = "---\ntitle: Open note\nkind: thesis\n---\nTwo halves are 1.00 USD.\n"
CLAIM = """claims:
  - {{id: {id}, node: {node}, says: One is at most {most}., as_of: 2025-01-01, value: 1, expect: {{at_most: {most}}}}}
"""


def public(home):
    return home_client(Settings(home=home), lambda: NOW, raise_server_exceptions=False)


@pytest.fixture
def night(home):
    def run(days=0):
        with Brain.open(Settings(home=home)) as opened:
            run_night(opened, lambda: NOW + timedelta(days=days), refresh=False)

    return run


def test_a_broken_file_of_a_private_folder_is_named_to_nobody_else(brain, write, home, night):
    """The run said `/…/written/deals: left out because of errors: layoffs.md`, on /v1/runs, pages and in exports."""
    write("open/note.md", OPEN)
    broken = write("deals/layoffs.yaml", "claims:\n  - id: x\n   says: [\n")
    for name in ("vault", "board"):
        brain("brains", "set", name, "--private")
    for name, of in (("open", "pub"), ("deals", "vault")):
        brain("library", "add", broken.parents[1] / name, "--brain", of)
    write("mixed/severance.yaml", "claims:\n  - id: x\n   says: [\n")  # each file of this folder names its own brain
    write("mixed/note.md", OPEN.replace("Open", "Mixed"))
    brain("library", "add", broken.parents[1] / "mixed")
    write("open/typo.yaml", "claims:\n  - id: x\n   says: [\n")
    night()
    notes = brain("runs", "1", "--json").json["notes"]
    assert [any(name in note for note in notes) for name in ("layoffs", "severance", "typo")] == [True] * 3
    seen = brain("--as-public", "runs", "1", "--json").json["notes"]
    assert [note.rpartition(": ")[2] for note in seen] == ["typo.yaml"]
    own = brain("--as-brain", "vault", "runs", "1", "--json").json["notes"]
    assert [note.rpartition(": ")[2] for note in own] == ["typo.yaml", "layoffs.yaml"]
    exported = [brain("--as-public", "export", "--format", form).out for form in ("json", "turtle")]
    with public(home) as client:
        answers = [client.get(path).text for path in ("/v1/runs", "/v1/runs/1", "/runs", "/runs/1", "/feed.atom")]
    for text in (*exported, *answers):
        assert not [word for word in ("layoffs", "severance", "deals", "mixed/") if word in text]


def test_a_public_export_counts_the_verdicts_of_public_claims_only(brain, write, night):
    """The rows of its runs had the counts of all claims, so everybody could see how many private ones fail."""
    for name, id_, node, most in (("pub", "open-claim", "pub/note", 2), ("vault", "closed", "vault/plan", 0)):
        write(f"{name}/{'note' if name == 'pub' else 'plan'}.md", OPEN.replace("Open", name))
        folder = write(f"{name}/{name}.yaml", CLAIM.format(id=id_, node=node, most=most)).parent
        assert brain("ingest", folder, "--brain", name).code == 0
    brain("brains", "set", "vault", "--private")
    night()
    exported = brain("--as-public", "export", "--format", "json").json["history"]
    assert [run["counts"] for run in exported["runs"]] == ['{"holds": 1}']
    assert [row["claim"] for row in exported["verdicts"]] == ["open-claim"]
    whole = brain("export", "--format", "json").json["history"]["runs"]
    assert [run["counts"] for run in whole] == ['{"holds": 1, "unverifiable": 1}']


LINKING = """---
title: Linking note
kind: thesis
---
First [[vault/merger]], then [[Merger with Acme]], [its text](../vault/merger.md), [[Merger with Acme#None]], [[Nobody]].

Then [[Plan]] and [[merger|that]]. We pay 5 for the plan.
"""


def test_a_public_note_links_as_if_private_notes_had_never_been(brain, home, tmp_path, write):
    """Two homes, one with the private notes: there, two links were one, one had no warning, and one had two targets."""
    write("pub/linking.md", LINKING)
    write("pub/other.md", OPEN)
    write("else/plan.md", OPEN.replace("Open note", "Plan"))
    write("vault/merger.md", OPEN.replace("Open note", "Merger with Acme") + "See [[pub/linking]].\n")
    folder = write("vault/plan2.md", OPEN.replace("Open note", "Plan")).parents[1]
    told = []
    for place, names in ((home, ("pub", "vault", "else")), (tmp_path / "other", ("pub", "else"))):
        with Brain.open(Settings(home=place)) as opened:
            opened.prices.put_policy(BrainPolicy(name="vault", private=True), at=NOW)
            for number, name in enumerate(names):
                opened.ingest(
                    [folder / name],
                    at=NOW + timedelta(minutes=number * (place == home)),
                    options=ImportOptions(brain=name),
                )
        with public(place) as client:
            paths = ["/v1/documents/linking.md", "/nodes/pub/linking", "/v1/graph?around=pub/linking"]
            paths += [f"/v1/nodes/pub/linking{end}" for end in ("", "/citations", "/related", "?format=turtle")]
            paths += ["/v1/nodes/pub/other/backlinks", "/v1/export?format=graphml", "/v1/export?format=csv"]
            told.append([client.get(path).text for path in paths])
            made = client.get("/v1/documents/linking.md").json()
    assert [one for pair in zip(*told, strict=True) for one in pair if pair[0] != pair[1]] == []
    assert made["problems"] == []
    seen = brain("--as-public", "citations", "pub/linking", "--json").json["items"]
    links = ("vault/merger", "Merger with Acme", "../vault/merger", "Nobody", "else/plan", "merger")
    expected = [(f"[[{link}]]", "else/plan" if link == "else/plan" else None) for link in links]
    assert [(one["marker"], one["target"]) for one in seen] == expected
    own = brain("citations", "pub/linking", "--json").json["items"]
    assert {one["target"] for one in own} == {"vault/merger", "else/plan", None}
    found = [problem["code"] for problem in brain("check", "--json").json["problems"]]
    assert {"link-place", "link-unresolved"} <= set(found)


REMOVED = (
    "/v1/nodes/{}", "/v1/nodes/{}?format=turtle", "/v1/nodes/{}?format=markdown", "/v1/nodes/{}/citations",
    "/v1/nodes/{}/backlinks", "/v1/nodes/{}/related", "/v1/nodes/{}/claims", "/v1/nodes/{}/health",
    "/v1/nodes/{}/statements", "/v1/graph?around={}", "/v1/path?from=pub/other&to={}", "/nodes/{}", "/nodes/{}/statements",
    "/previews/{}", "/graph?around={}", "/sparql?query=ASK%20{{<http://localhost/nodes/{}>%20?p%20?o}}",
)  # fmt: skip
"""Addresses of a node."""


def test_a_private_note_that_was_removed_answers_as_one_that_never_was(brain, write, home):
    """A removed note that others cite answers 410; the public gets 404, in the same words, with a token for it 410."""
    write("pub/linking.md", LINKING)
    write("pub/other.md", OPEN)
    write("vault/plan2.md", OPEN.replace("Open note", "Plan") + "See [[merger]].\n")
    folder = write("vault/merger.md", OPEN.replace("Open note", "Merger with Acme")).parents[1]
    brain("brains", "set", "vault", "--private")
    for name in ("vault", "pub"):
        assert brain("ingest", folder / name, "--brain", name).code == 0
    assert brain("remove", "merger.md").code == 0
    token, other, ghost = (brain("tokens", "create", "--brain", name) for name in ("vault", "pub", "ghost"))
    assert ["there is no brain" in one.err for one in (token, other, ghost)] == [False, False, True]
    token, other = token.out.strip(), other.out.strip()
    with public(home) as client:
        for address in REMOVED:
            for headers in ({}, {"Authorization": f"Bearer {other}"}):
                asked = (address.format(f"vault/{name}") for name in ("merger", "mergex"))
                gone, never = (client.get(one, headers=headers) for one in asked)
                assert gone.status_code == never.status_code in {200, 404}, address
                assert gone.text.replace("merger", "mergex") == never.text.replace("merger", "mergex"), address
        assert client.get("/v1/nodes/vault/merger", headers={"Authorization": f"Bearer {token}"}).status_code == 410
    said = [brain("--as-public", "show", f"vault/{name}").err for name in ("merger", "mergex")]
    assert said[0].replace("merger", "mergex") == said[1]
    assert "removed with" in brain("show", "vault/merger").err


# `brain --as-public` and `--as-brain`: what is for the operator only is refused, and nothing private is written.


REFUSED = (
    ("backup", "FILE"), ("restore", "FILE", "--force"), ("move", "--to", "elsewhere"), ("tokens",), ("tokens", "list"),
    ("tokens", "list", "--json"), ("tokens", "create"), ("tokens", "revoke", "k3v9x0qa"), ("library",),
    ("brains", "set", "pub", "--private"), ("ingest", "FILE"), ("remove", "note.md"), ("nightly",), ("serve",),
    ("prices", "accept", "cards"), ("prices", "held"), ("silences", "remove", "x"),
)  # fmt: skip


@pytest.fixture
def kept(brain, write):
    for name, most in (("pub", 2), ("vault", 0)):
        write(f"{name}/{name}-note.md", OPEN.replace("Open", name))
        claim = CLAIM.format(id=f"{name}-claim", node=f"{name}/{name}-note", most=most)
        assert brain("ingest", write(f"{name}/{name}.yaml", claim).parent, "--brain", name).code == 0
    brain("tokens", "create", "--brain", "vault", "--comment", "of the vault")
    return brain


def test_what_is_for_the_operator_is_refused_to_a_reader(kept, tmp_path):
    """`--as-public backup` wrote everything, and `--as-public tokens list` showed tokens where no brain was private."""
    backup = tmp_path / "home.zip"
    for private in (False, True):
        if private:
            kept("brains", "set", "vault", "--private")
        for reader in (("--as-public",), ("--as-brain", "vault")):
            for words in REFUSED:
                said = kept(*reader, *(backup if word == "FILE" else word for word in words))
                assert (said.code, said.out) == (2, ""), (reader, words)
                assert "for the operator" in said.err
                assert reader[0] in said.err
            assert kept(*reader, "backup", "--help").code == 0
    said = kept("--as-public", "backup", backup).error
    assert "brain --as-public export --format json writes what this reader sees" in said
    assert not backup.exists()
    assert kept("backup", backup).code == 0
    assert kept("--as-public", "--as-brain", "vault", "runs").code == 2


def test_a_public_export_has_no_tokens_also_if_no_brain_is_private(kept):
    for private in (False, True):
        if private:
            kept("brains", "set", "vault", "--private")
        said = kept("--as-public", "export", "--format", "json")
        assert "tokens" not in said.json["history"]
        assert "of the vault" not in said.out
    assert "of the vault" in kept("export", "--format", "json").out


def test_a_public_check_says_nothing_of_the_data_directory(kept, home):
    """It called the runs damaged: they counted verdicts of private claims, which it did not find."""
    kept("verify")
    kept("brains", "set", "vault", "--private")
    said = kept("--as-public", "check", "--json")
    assert said.code == 0
    assert {problem["document"] for problem in said.json["problems"]} == {"pub.yaml"}
    with closing(sqlite3.connect(home / "brain.db")) as sql:
        sql.execute("UPDATE documents SET text_sha256 = 'x' WHERE brain = 'vault'")
        sql.commit()
    assert kept("--as-public", "check").code == 0
    assert "vault" not in kept("--as-public", "check").out
    assert kept("check").code == 1
    assert kept("--as-public", "check", "--repair").code == 2


def test_a_brain_is_not_set_private_and_public_at_once(kept):
    """The last of the two won, without a word."""
    for words in (("--private", "--public"), ("--public", "--private")):
        said = kept("brains", "set", "vault", *words)
        assert (said.code, "use either --private or --public" in said.error) == (2, True)
    assert kept("brains", "list", "--json").json["items"][1]["private"] is False
    for word, private in (("--private", True), ("--public", False)):
        assert kept("brains", "set", "vault", word, "--json").json["private"] is private


# An old backup is restored: who lost access since the backup does not get it back.


@pytest.fixture
def saved(brain, write, tmp_path):
    """Her home with two tokens for the brain `vault`, which is public still, and its backup."""
    assert brain("ingest", write("vault/plan.md", OPEN).parent, "--brain", "vault").code == 0
    tokens = [brain("tokens", "create", "--scope", "write", "--json").json for _ in range(2)]
    assert brain("backup", tmp_path / "old.zip").code == 0
    return tokens


def statuses(home, token, path="/v1/nodes/vault/plan"):
    with home_client(Settings(home=home), lambda: NOW, pages=False) as client:
        answers = [client.get(path, headers=headers) for headers in ({"Authorization": f"Bearer {token}"}, {})]
    return [answer.status_code for answer in answers]


def test_a_revoked_token_and_a_private_brain_stay_so_after_an_old_backup(brain, home, saved, tmp_path):
    """The backup brought back the token of a lost laptop, and the brain was public again."""
    lost, kept = saved
    later = brain("tokens", "create", "--json").json
    for one in (lost, later):
        brain("tokens", "revoke", one["id"])
    brain("brains", "set", "vault", "--private", "--max-nodes", "5")
    said = brain("restore", tmp_path / "old.zip", "--force")
    assert said.code == 0
    assert f"still revoked, as they were revoked after the backup: {lost['id']}\n" in said.err
    assert "still private, as they were made private after the backup: vault; run brain verify\n" in said.err
    assert "can be used" not in said.err
    assert statuses(home, lost["token"]) == [401, 404]
    assert statuses(home, kept["token"]) == [200, 404]
    listed = {one["id"]: one["state"] for one in brain("tokens", "list", "--json").json["items"]}
    assert listed == {lost["id"]: "revoked", kept["id"]: "valid", later["id"]: "revoked"}
    again = brain("restore", tmp_path / "old.zip", "--force", "--json").json["access"]
    assert again == {"revoked": [lost["id"]], "private": ["vault"], "tokens": [kept["id"]], "known": True}


@pytest.mark.parametrize("damaged", [False, True])
def test_a_restore_that_cannot_know_what_was_revoked_says_so(brain, home, saved, tmp_path, damaged):
    """On a new machine and over a damaged database there is nothing to ask."""
    target = home if damaged else tmp_path / "new"
    if damaged:
        for file in home.glob("brain.db*"):
            file.unlink()
        (home / "brain.db").write_bytes(b"no database at all" * 1000)
    restored = outcome(target, "restore", tmp_path / "old.zip", *(["--force"] if damaged else []))
    unsure = "2 tokens of the backup can be used: cannot tell what was revoked or made private after the backup"
    assert (restored.code, unsure in restored.err) == (0, True)
    assert statuses(target, saved[0]["token"]) == [200, 200]
