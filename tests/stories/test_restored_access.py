"""An old backup is restored: who lost access since the backup does not get it back."""

import pytest

from api.settings import Settings
from tests.command import outcome
from tests.stories.conftest import NOW
from tests.stories.test_private_kept import OPEN
from tests.web_client import home_client


@pytest.fixture
def saved(brain, write, tmp_path):
    """Her home with two tokens for the brain `vault`, which is public still, and its backup."""
    assert brain("ingest", write("vault/plan.md", OPEN).parent, "--brain", "vault").code == 0
    tokens = [brain("tokens", "create", "--scope", "write", "--json").json for _ in range(2)]
    assert brain("backup", tmp_path / "old.zip").code == 0
    return tokens


def statuses(home, token, path="/v1/nodes/vault/plan"):
    """What a caller with the token gets, and one without a token."""
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
