"""What a restore keeps of the home that it replaces: who must not read or write any more.

A backup knows nothing of the tokens that were revoked and the brains that were made private after it. Both stay so: a
restore is for the content, and it must not give access back to a token that was lost.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from api.brain import Brain
from api.settings import Settings
from graph.models.access_models import BrainPolicy, StoredToken
from graph.store import Store
from graph.store.store_errors import StoreError
from graph.values import Value


class RestoredAccess(Value):
    """The access to a home after a restore.

    `revoked` are tokens that were revoked after the backup, `private` brains that were made private after it; both
    stayed so. `tokens` are those that are not revoked. `known` says whether the replaced home could be read: if not, or
    if there was none, revocations after the backup are not known.
    """

    revoked: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    known: bool = False


class EarlierAccess(Value):
    """Who had no access any more to the home that a restore replaces; `store` is the identity of its database."""

    store: str = ""
    revoked: tuple[StoredToken, ...] = ()
    private: frozenset[str] = frozenset()


def earlier_access(database: Path) -> EarlierAccess:
    """What is known from a database; nothing if it is missing, empty or damaged."""
    if not database.is_file() or not database.stat().st_size:
        return EarlierAccess()
    try:
        with Store.open(database) as store:
            revoked = tuple(token for token in store.tokens.all() if token.revoked_at is not None)
            return EarlierAccess(store=store.metadata.identity(), revoked=revoked, private=store.brains.private())
    except StoreError:
        return EarlierAccess()


def keep(settings: Settings, before: EarlierAccess, at: datetime) -> RestoredAccess:
    """Revoke and make private in the home of `settings`, unpacked from a backup, what was so before the restore."""
    with Brain.open(settings) as opened:
        own = opened.store.metadata.identity() == before.store
        revoked = _revoked(opened, before, own=own)
        private = sorted(before.private - opened.brains.private()) if own else []
        policies = opened.brains.policies()
        for name in private:
            policy = policies.get(name, BrainPolicy(name=name)).model_copy(update={"private": True})
            opened.put_policy(policy, at=at)
        valid = tuple(token.id for token in opened.tokens.all() if token.revoked_at is None)
    return RestoredAccess(revoked=tuple(revoked), private=tuple(private), tokens=valid, known=bool(before.store))


def _revoked(opened: Brain, before: EarlierAccess, *, own: bool) -> list[str]:
    """Revoke the tokens that were revoked before; those that the backup does not have are kept for the next restore."""
    done = []
    for token in before.revoked:
        held = opened.tokens.find(token.id)
        if held is None and own:
            opened.tokens.add(token)
        if held and held.digest == token.digest and held.revoked_at is None and token.revoked_at:
            opened.tokens.revoke(token.id, token.revoked_at)
            done.append(token.id)
    return done
