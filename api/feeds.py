"""Feeds of changed verdicts, Atom (RFC 4287) and JSON Feed 1.1; an entry is a claim in a run, its id never changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import accumulate, islice
from typing import Annotated, Literal
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from pydantic import Field

from api.brain import Brain
from api.services.claim_status import RunChanges, shortened
from compute.reports.morning_report import MOVES, change_facts
from graph.models.claim_models import Cause, VerdictName
from graph.models.verdict_models import VerdictChange, is_present
from graph.values import Value, dumps

MOST_BYTES = 250_000  # maximum bytes of the entries of a feed

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

LOOKED_AT = 400  # the latest runs that a feed reads: a year of nights

Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


class FeedItem(Value):
    """One changed verdict, as a JSON Feed item."""

    id: str
    url: str
    title: str
    content_text: str
    date_published: Moment
    tags: tuple[str, ...]


class FeedView(Value):
    """A JSON Feed (https://www.jsonfeed.org/version/1.1/)."""

    version: Literal["https://jsonfeed.org/version/1.1"]
    title: str
    home_page_url: str
    feed_url: str
    language: str
    items: tuple[FeedItem, ...]
    updated: Annotated[str, Field(exclude=True)]


def feed(
    brain: Brain, site: str, path: str, limit: int, *, tag: str | None, claim: str | None, owner: str | None
) -> FeedView:
    """The latest changed verdicts of a tag, the brain `owner`, one claim, or all. Raises UnknownClaimError.

    `site` is the address of the service, `path` that of the feed below it.
    """
    runs = _changed_runs(brain, _requested(brain, tag, claim, owner))
    found, run = bounded(islice(entries(runs, site, together=claim is None), limit)), brain.ledger.latest_run()
    return FeedView(
        version="https://jsonfeed.org/version/1.1",
        title=title(tag, claim, owner),
        home_page_url=f"{site}/",
        feed_url=site + path,
        language="en",
        items=tuple(found),
        updated=moment(run.finished_at) if run else "1970-01-01T00:00:00Z",
    )


def _requested(brain: Brain, tag: str | None, claim: str | None, owner: str | None) -> set[str] | None:
    """The claims of a feed; None for all."""
    if claim is not None:
        return {brain.claims.get(claim).id}
    found = None if owner is None else {state.id for state in brain.status.states(brain=owner)}
    if tag is None:
        return found
    tagged = {card.id for card in brain.index_feed.cards() if tag in card.tags}
    own = {state.id for state in brain.status.states() if tag in state.tags or state.node in tagged}
    return own if found is None else own & found


def _changed_runs(brain: Brain, wanted: set[str] | None) -> Iterator[RunChanges]:
    """Changed verdicts of each run, the latest first, read one by one."""
    for run in brain.reports.changed_runs(limit=LOOKED_AT):
        changes = tuple(one for one in run.changes if wanted is None or one.claim in wanted)
        yield run.model_copy(update={"changes": changes})


def title(tag: str | None, claim: str | None, brain: str | None = None) -> str:
    """The title of a feed."""
    about = f": {claim}" if claim else "".join((f": {brain}" if brain else "", f": #{tag}" if tag else ""))
    return f"Brain: changed verdicts{about}"


def moment(at: datetime) -> str:
    """A time in both feeds (RFC 3339, UTC)."""
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def entries(runs: Iterable[RunChanges], site: str, *, together: bool = True) -> Iterator[FeedItem]:
    """The entries of runs, changed prices first; with `together` the errata of a run are one entry."""
    for run in runs:
        errata = 0
        for change in sorted(run.changes, key=lambda change: change.cause is Cause.SOURCE_CHANGED):
            if together and change.after is VerdictName.REFUTED and change.cause not in MOVES:
                errata += 1
            else:
                yield _changed(run, change, site)
        if errata:
            yield _errata(run, errata, site)


def _changed(run: RunChanges, change: VerdictChange, site: str) -> FeedItem:
    replayed = "" if is_present(run.as_of, run.at) else f"Computed afterwards, for {run.as_of}."
    named = f"{change.claim}: {change.before or 'new'} → {change.after or 'withdrawn'}"
    told = (change.says, f"“{change.quote}”" if change.quote else "", change_facts(change), change.reason, replayed)
    return FeedItem(
        id=f"{site}/runs/{run.run}/claims/{quote(change.claim, safe='')}",
        url=f"{site}/claims/{quote(change.claim, safe='')}",
        title=named,
        content_text="\n".join(shortened(part) for part in told if part) or named,
        date_published=moment(run.at),
        tags=(change.after.value,) if change.after else (),
    )


def _errata(run: RunChanges, count: int, site: str) -> FeedItem:
    many = "1 figure of a source does" if count == 1 else f"{count:,} figures of sources do"
    return FeedItem(
        id=f"{site}/runs/{run.run}#errata",
        url=f"{site}/errata",
        title=f"Audit of sources: {many} not add up",
        content_text=f"Found by run {run.run} for {run.as_of}. {site}/errata lists all of them with the quoted words.",
        date_published=moment(run.at),
        tags=("errata",),
    )


def bounded(found: Iterable[FeedItem]) -> list[FeedItem]:
    """The first entries that fit into `MOST_BYTES`."""
    kept = list(found)
    sizes = accumulate(max(len(text.encode("utf-8", "replace")) for text in (_entry(one), dumps(one))) for one in kept)
    return [one for one, size in zip(kept, sizes, strict=True) if size <= MOST_BYTES]


def atom(told: FeedView) -> str:
    """The feed as Atom."""
    head = (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<id>{_text(told.feed_url)}</id>\n<title>{_text(told.title)}</title>\n"
        f"<updated>{told.updated}</updated>\n<author><name>Brain</name></author>\n"
        f'<link rel="self" type="application/atom+xml" href={quoteattr(told.feed_url)}/>\n'
        f'<link rel="alternate" href={quoteattr(told.home_page_url)}/>\n'
    )
    return head + "".join(map(_entry, told.items)) + "</feed>\n"


def _entry(one: FeedItem) -> str:
    words = "".join(f"<category term={quoteattr(tag)}/>" for tag in one.tags)
    about = f"{words}<summary>{_text(one.content_text)}</summary>"
    return (
        f"<entry><id>{_text(one.id)}</id><title>{_text(one.title)}</title><updated>{one.date_published}</updated>"
        f'<link rel="alternate" href={quoteattr(one.url)}/>{about}</entry>\n'
    )


def _text(text: str) -> str:
    return escape(_NO_XML.sub("\ufffd", text))
