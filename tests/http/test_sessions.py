"""A browser signs in with a token, reads what the token may read, and signs out."""

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from api.brain import Brain
from api.services.access import COOKIE, issue
from api.services.importing.document_importer import ImportOptions
from api.settings import Settings
from graph.models.access_models import BrainPolicy, Scope
from tests.http.conftest import NOW, TOKEN
from tests.web_client import web_client

DAYS = 7


@pytest.fixture
def served(tmp_path):
    (tmp_path / "plan.md").write_text("---\ntitle: The plan\nkind: thesis\n---\nHidden words.\n")
    with Brain.open(Settings(home=tmp_path / "home", token=TOKEN)) as brain:
        brain.prices.put_policy(BrainPolicy(name="vault", private=True), at=NOW)
        brain.ingest([tmp_path / "plan.md"], at=NOW, options=ImportOptions(brain="vault"))
        token, stored = issue(Scope.WRITE, brain="vault", until=None, comment="", at=NOW)
        brain.tokens.add(stored)
        clock = SimpleNamespace(now=NOW)
        with web_client(brain, lambda: clock.now, follow_redirects=False) as client:
            yield client, clock, brain, token, stored


def seen(client):
    return client.get("/nodes/vault/plan").status_code


@pytest.mark.parametrize("fixed", [False, True])
def test_a_browser_signs_in_reads_and_signs_out(served, fixed):
    client, _, brain, token, _ = served
    assert seen(client) == 404
    assert 'href="/sign-in"' in client.get("/").text
    refused = client.post("/sign-in", data={"token": "wrong"})
    assert (refused.status_code, "unknown, revoked or expired" in refused.text) == (403, True)
    assert COOKIE not in client.cookies
    answer = client.post("/sign-in", data={"token": TOKEN if fixed else token})
    assert (answer.status_code, answer.headers["location"], answer.headers["cache-control"]) == (303, "/", "no-store")
    flags = answer.headers["set-cookie"].partition(";")[2].lower()
    assert [flag for flag in ("httponly", "samesite=strict", f"max-age={DAYS * 86400}") if flag not in flags] == []
    assert "secure" not in flags
    assert token not in answer.headers["set-cookie"]
    shown = client.get("/nodes/vault/plan")
    assert (shown.status_code, shown.headers["cache-control"]) == (200, "private, no-cache")
    assert "Cookie" in shown.headers["vary"]
    assert client.get("/v1/nodes", params={"q": "hidden"}).json()["total"] == 1
    assert "You are signed in" in client.get("/sign-in").text
    assert "You are signed in" not in client.get("/sign-in", headers={"Cookie": ""}).text
    version = brain.version()  # a session writes nothing, whatever its token may
    body = {"params": {"name": "x.md"}, "content": "---\ntitle: X\n---\nX.\n"}
    assert client.post("/v1/documents", **body).status_code == 403
    assert brain.version() == version
    assert client.post("/sign-out").headers["location"] == "/sign-in"
    assert seen(client) == 404


def test_a_session_ends_after_some_days_and_with_its_token(served):
    client, clock, brain, token, stored = served
    client.post("/sign-in", data={"token": token})
    clock.now = NOW + timedelta(days=DAYS, seconds=-1)
    assert seen(client) == 200
    clock.now = NOW + timedelta(days=DAYS)
    assert seen(client) == 404
    clock.now = NOW
    assert seen(client) == 200
    brain.tokens.revoke(stored.id, NOW)
    assert seen(client) == 404


def test_a_session_that_was_changed_or_made_elsewhere_shows_the_public_brains(served, tmp_path):
    client, clock, brain, token, stored = served
    client.post("/sign-in", data={"token": token})
    session = client.cookies[COOKIE]
    client.cookies.clear()
    name, end, signature = session.split(".")
    forged = (
        f"{name}.{int(end) + 1}.{signature}", f"{name}.{end}.", f"fixed.{end}.{signature}", f"{name}..{signature}",
        f"{name}.{end}.{stored.digest}", "x", "", ".".join((name, end, signature, "more")), f"{name}.é.{signature}",
    )  # fmt: skip
    for value in forged:
        assert client.get("/nodes/vault/plan", headers={b"cookie": f"{COOKIE}={value}".encode()}).status_code == 404
    assert client.get("/", headers={"Cookie": f"{COOKIE}=x"}).status_code == 200
    assert client.get("/nodes/vault/plan", headers={"Cookie": f"a=b; {COOKIE}={session}"}).status_code == 200
    key = Path(brain.settings.home) / "session.key"
    assert key.stat().st_mode & 0o777 == 0o600
    with web_client(brain, lambda: clock.now, cookies={COOKIE: session}) as other:  # another worker reads the same key
        assert other.get("/v1/nodes/vault/plan").status_code == 200
