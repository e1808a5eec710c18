"""Commands for several brains: `brains [list]|set`, `tokens [list]|create|revoke`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated

from typer import Argument, BadParameter, Option

from api.cli.cli_options import day
from api.cli.cli_session import Answer, CliSession, listing, now, today
from api.cli.command_table import group
from api.cli.document_commands import valid_brain
from api.models import brain_models
from api.services.access import issue
from api.terminal import import_tables
from graph.models.access_models import BrainPolicy, Scope
from graph.name_rules import brain_named

Quota = Annotated[str | None, Option(metavar="NUMBER", help="Its limit, or none.")]


def listed(asked: CliSession) -> Answer:
    """List the brains: what each holds, its quotas, and whether it is private.  Example: brain brains list --json"""
    return listing(brain_models.brains(asked.brain.brains.policies(), asked.brain.brains.usage()), import_tables.brains)


def put(
    asked: CliSession,
    name: Annotated[str, Argument(help="The brain; it may have no documents yet.")],
    private: Annotated[bool, Option("--private", help="Only holders of a token for it may read it.")] = False,
    public: Annotated[bool, Option("--public", help="Everyone may read it.")] = False,
    max_nodes: Quota = None,
    max_bytes: Quota = None,
    max_claims: Quota = None,
) -> Answer:
    """Make a brain private or public, or limit how much it may hold.

    A private brain is visible only with its token: brain tokens create --brain NAME. On this command line everything
    stays visible, except with brain --as-public.

    Examples: brain brains set mara --private · brain brains set mara --max-nodes 5000 --max-bytes none
    """
    valid_brain(name)
    if private and public:
        raise BadParameter("use either --private or --public", param_hint="--private / --public")
    name = brain_named(name)
    given = {"max_nodes": max_nodes, "max_bytes": max_bytes, "max_claims": max_claims}
    changes = {what: _number(what, text) for what, text in given.items() if text is not None}
    if private or public:
        changes["private"] = private
    if not changes:
        raise BadParameter("name a change: --private, --public, or a quota", param_hint="brains set")
    policy = asked.brain.brains.policies().get(name, BrainPolicy(name=name)).model_copy(update=changes)
    asked.brain.prices.put_policy(policy, at=now())
    used = asked.brain.brains.usage().get(name)
    found = brain_models.brains({name: policy}, {name: used} if used else {})
    return Answer(found[0], notes=[_said(policy, changes)])


def _said(policy: BrainPolicy, changes: Mapping[str, object]) -> str:
    if changes.get("private"):
        return (
            f"{policy.name} is private: only tokens for it, or for all brains, show it; brain verify makes a run whose"
            " figures for other readers no longer depend on it"
        )
    return f"{policy.name} is public: everyone may read it" if "private" in changes else f"{policy.name} is changed"


def _number(what: str, text: str) -> int | None:
    """A quota; None for `none`."""
    if text == "none":
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise BadParameter(f"{text!r} is not a whole number or none", param_hint=f"--{what.replace('_', '-')}")
    return int(text)


def create(
    asked: CliSession,
    scope: Annotated[Scope, Option(help="read; write: also documents; admin: also the audit log.")] = Scope.READ,
    brain: Annotated[str | None, Option(help="The brain that it is for. Default: all brains.")] = None,
    until: Annotated[date | None, Option(parser=day, metavar="DATE", help="First day without access.")] = None,
    comment: Annotated[str, Option(help="What it is for.")] = "",
) -> Answer:
    """Create a token and print it, this once: only its hash is stored.

    A token for one brain reads that brain and the public ones, and writes documents of that brain only.

    Example: brain tokens create --scope write --brain mara --until 2027-01-01 --comment "laptop of Mara"
    """
    valid_brain(brain)
    if until is not None and until <= today():
        raise BadParameter(f"{until} is not after today", param_hint="--until")
    name = brain_named(brain) if brain is not None else None
    token, stored = issue(scope, brain=name, until=until, comment=comment, at=now())
    asked.brain.tokens.add(stored)
    note = f"save it now; it is not shown again; brain tokens revoke {stored.id} ends it"
    return Answer({"token": token, **brain_models.token(stored, today()).model_dump()}, lambda: token, [note])


def tokens_listed(asked: CliSession) -> Answer:
    """List the tokens, without their secrets.  Example: brain tokens list --json"""
    return listing([brain_models.token(one, today()) for one in asked.brain.tokens.all()], import_tables.tokens)


def revoke(
    asked: CliSession, token: Annotated[str, Argument(metavar="ID", help="Its id, as `list` shows it.")]
) -> Answer:
    """Revoke a token; a running service refuses it at once.  Example: brain tokens revoke k3v9x0qa"""
    ended = asked.brain.tokens.revoke(token, now())
    return Answer(brain_models.token(ended, today()), notes=[f"the token {ended.id} is revoked"])


brains = group(bare=True, list=listed, set=put)
tokens = group(bare=True, create=create, list=tokens_listed, revoke=revoke)
