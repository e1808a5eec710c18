"""`brain --as-public` and `--as-brain`: what is for the operator only is refused, and nothing private is written."""

import sqlite3
from contextlib import closing

import pytest

from tests.stories.test_private_kept import CLAIM, OPEN

REFUSED = (
    ("backup", "FILE"), ("restore", "FILE", "--force"), ("move", "--to", "elsewhere"), ("tokens",), ("tokens", "list"),
    ("tokens", "list", "--json"), ("tokens", "create"), ("tokens", "revoke", "k3v9x0qa"), ("library",),
    ("brains", "set", "pub", "--private"), ("ingest", "FILE"), ("remove", "note.md"), ("nightly",), ("serve",),
    ("prices", "accept", "cards"), ("prices", "held"), ("silences", "remove", "x"),
)  # fmt: skip


@pytest.fixture
def kept(brain, write):
    """Her home: a public note and a private one, each with a claim, a run and a token."""
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
        assert (said.code, "use either --private or --public" in said.error) == (
            2,
            True,
        )
    assert kept("brains", "list", "--json").json["items"][1]["private"] is False
    for word, private in (("--private", True), ("--public", False)):
        assert kept("brains", "set", "vault", word, "--json").json["private"] is private
