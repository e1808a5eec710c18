"""Commands for claims and notices: `claims`, `health`, `ack`, `acks`, `silences [list]|add|remove`."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from typer import Argument, BadParameter, Option

from api.cli.cli_options import DayOption, Node
from api.cli.cli_session import Answer, CliSession, listing, today
from api.cli.command_table import group
from api.services.claim_status import UnknownAcknowledgementError, UnknownSilenceError, sentence
from api.terminal import verdict_tables
from graph.models.alert_models import Silence
from graph.models.claim_models import VerdictName


def claims(
    asked: CliSession,
    verdict: Annotated[VerdictName | None, Option(help="Only claims with this verdict.")] = None,
    node: Annotated[str | None, Option(help="Only claims of this node.")] = None,
) -> Answer:
    """Claims with their last verdict.  Example: brain claims --verdict stale"""
    found = asked.brain.status.listed(node, verdict)
    asked.mention_empty()
    return listing(found, verdict_tables.states)


def health(asked: CliSession, node: Node) -> Answer:
    """Whether a node is sound, weakened, broken or unchecked, and why.  Example: brain health analyst/kv-cache"""
    found = asked.brain.status.health(asked.brain.nodes.named(node))
    return Answer({"items": [found]}, lambda: verdict_tables.health(found))


def ack(
    asked: CliSession,
    claim: Annotated[str, Argument(metavar="CLAIM", help="A claim whose flag is raised.")],
    until: Annotated[date | None, DayOption(help="First day with notices again.")] = None,
    comment: Annotated[str, Option(help="What is being done about it.")] = "",
    by: Annotated[str, Option(metavar="NAME", help="Who acknowledges it.")] = "",
    end: Annotated[bool, Option("--end", help="End the acknowledgement now.")] = False,
) -> Answer | None:
    """Acknowledge that a claim fails: no more notices about it until a day, or until it holds again.

    Verdicts, exit codes and counts do not change. When the claim holds again, this is reported and the acknowledgement
    ends; a later failure, or one of another kind, is reported as new.

    Examples: brain ack h100-break-even-utilisation --until 2026-12-01 --comment "asked the vendor" --by alice ·
    brain ack h100-break-even-utilisation --end
    """
    if end:
        if not asked.brain.status.acknowledgements.end(claim):
            raise UnknownAcknowledgementError(claim)
        asked.say(f"the acknowledgement of {claim} is ended")
        return None
    if until is None or not comment.strip() or not by.strip():
        raise BadParameter("all three are needed", param_hint="--until / --comment / --by")
    found = asked.brain.status.acknowledgements.acknowledge(claim, until=until, comment=comment, by=by, on=today())
    return Answer(found, notes=[sentence(found)])


def acks(asked: CliSession) -> Answer:
    """Acknowledgements with their state: active, expired or ended.  Example: brain acks --json"""
    return listing(asked.brain.status.acknowledgements.all(today()), verdict_tables.acknowledgements)


def silence_list(asked: CliSession) -> Answer:
    """List the silences, with their reasons and ends.  Example: brain silences --json"""
    found = [silence for silence in asked.brain.alerts.silences() if silence.flags is None]
    return listing(found, lambda listed: verdict_tables.silences(listed, today()))


def silence_add(
    asked: CliSession,
    reason: Annotated[str, Option(help="The reason.")],
    until: Annotated[date, DayOption(help="First day with notices again.")],
    claim: Annotated[str | None, Option(help="The claim to silence.")] = None,
    tag: Annotated[str | None, Option(help="All claims with this tag.")] = None,
) -> None:
    """Silence a claim, or all claims with a tag.

    Example: brain silences add --claim h100-break-even-utilisation --until 2026-12-01 --reason "list changes this week"
    """
    if (claim is None) == (tag is None):
        raise BadParameter("use either --claim or --tag", param_hint="--claim / --tag")
    since = today()
    if until <= since:
        raise BadParameter(f"{until} is not after today", param_hint="--until")
    name = f"{'claim' if claim else 'tag'}:{claim or tag}"
    with asked.brain.transaction():
        if claim is not None:
            asked.brain.claims.get(claim)
        asked.brain.alerts.put_silence(Silence(id=name, claim=claim, tag=tag, reason=reason, since=since, until=until))
    asked.say(f"{name} is silent until {until}")


def silence_remove(asked: CliSession, silence: Annotated[str, Argument(help="Its id, as `list` shows it.")]) -> None:
    """Lift a silence.  Example: brain silences remove claim:h100-break-even-utilisation"""
    if not asked.brain.alerts.remove_silence(silence):
        raise UnknownSilenceError(silence)
    asked.say(f"{silence} is lifted")


silences = group(bare=True, list=silence_list, add=silence_add, remove=silence_remove)
