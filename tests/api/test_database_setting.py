"""`BRAIN_DB` with a slip in it: an operator forgot `postgresql://` and got an empty brain beside the command."""

import pytest

WRONG = {
    "brain@127.0.0.1:55931/brain": "expected the address of a PostgreSQL server",
    "garbage": "expected the address of a PostgreSQL server",
    "./brain.db": "expected the address of a PostgreSQL server",
    "mysql://brain:sesame@127.0.0.1/brain": "expected the address of a PostgreSQL server",
    "sqlite:///sesame.db": "expected the address of a PostgreSQL server",
    "postgresql://brain:sesame@127.0.0.1:abc/brain": "the host is not valid, or its port is not a number",
    "postgresql://brain:sesame@127.0.0.1:99999/brain": "the host is not valid, or its port is not a number",
    "postgresql://brain:sesame@[::1/brain": "the host is not valid, or its port is not a number",
    "postgresql://brain:geh@sesame/77@127.0.0.1:1/brain": "write @ as %40",
    "postgresql://brain:geh@sesame@127.0.0.1:1/brain": "write @ as %40",
}


OTHERS = (("garbage", "check"), ("./brain.db", "brains"), ("sqlite:///sesame.db", "verify"))


@pytest.mark.parametrize(("address", "command"), [*((address, "claims") for address in WRONG), *OTHERS])
def test_a_wrong_address_ends_with_2_and_a_sentence_and_creates_nothing(brain, tmp_path, monkeypatch, address, command):
    monkeypatch.setenv("BRAIN_DB", address)
    told = brain(command)
    assert (told.code, told.out) == (2, "")
    assert f"the setting BRAIN_DB: {WRONG[address]}" in told.error
    assert "sesame" not in told.err
    assert list(tmp_path.iterdir()) == []


def test_a_move_to_a_wrong_address_ends_with_2(brain, write):
    brain("ingest", write("a.md", "---\ntitle: A\nkind: reading\n---\nText.\n"))
    for address in ("mysql://brain:sesame@127.0.0.1/brain", "postgresql://brain:sesame@127.0.0.1:abc/brain"):
        told = brain("move", "--to", address)
        assert (told.code, "sesame" in told.err) == (2, False)
        assert "the address of the store is wrong" in told.error


@pytest.mark.parametrize("address", ["postgresql://brain:geh%40sesame%2F77@127.0.0.1:1/brain?connect_timeout=2", ""])
def test_a_right_address_is_tried_and_an_empty_one_is_none(brain, monkeypatch, address):
    monkeypatch.setenv("BRAIN_DB", address)
    told = brain("claims")
    assert told.code == (3 if address else 0)
    assert "sesame" not in told.err
