"""Feeds of changed verdicts: Atom (RFC 4287) and JSON Feed 1.1.

An entry is one claim in one run; its id is an address that never changes, so a reader sees each once. A run begins with
what prices changed. The errata that it found are one entry with a link to the list, as are changes by new rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import accumulate
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from api.services.claim_status import RunChanges, shortened
from compute.reports.morning import MOVES, change_facts
from graph.models.claim_models import Cause, VerdictName
from graph.models.verdict_models import VerdictChange, is_present
from graph.values import Value, dumps

MOST_BYTES = 250_000
"""The most bytes of the entries of a feed."""

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class FeedEntry(Value):
    """One changed verdict."""

    id: str
    url: str
    title: str
    text: str
    at: str
    tags: tuple[str, ...]


class ChangeFeed(Value):
    """The feed itself: the address of the service, of the feed below it, its title, and when it last changed."""

    site: str
    path: str
    title: str
    updated: str


def title(tag: str | None, claim: str | None, brain: str | None = None) -> str:
    """What a feed is called."""
    about = f": {claim}" if claim else "".join((f": {brain}" if brain else "", f": #{tag}" if tag else ""))
    return f"Brain: changed verdicts{about}"


def moment(at: datetime) -> str:
    """A time as both feeds write it (RFC 3339, UTC)."""
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def entries(turned: Iterable[RunChanges], site: str, *, together: bool = True) -> Iterator[FeedEntry]:
    """The entries of each run, the latest first; with `together` the errata of a run are one entry."""
    for run in turned:
        errata = [change for change in run.changes if together and _is_erratum(change)]
        yield from (_changed(run, change, site) for change in sorted(run.changes, key=_place) if change not in errata)
        if errata:
            yield _audited(run, len(errata), site)
        if run.ruled:
            yield _ruled(run, site)


def _is_erratum(change: VerdictChange) -> bool:
    return change.after is VerdictName.REFUTED and change.cause not in MOVES


def _place(change: VerdictChange) -> bool:
    """Prices first; then what changed because another source answers."""
    return change.cause is Cause.SOURCE_CHANGED


def _changed(run: RunChanges, change: VerdictChange, site: str) -> FeedEntry:
    replayed = "" if is_present(run.as_of, run.at) else f"Computed afterwards, for {run.as_of}."
    told = (change.says, f"“{change.quote}”" if change.quote else "", change_facts(change), change.reason, replayed)
    return FeedEntry(
        id=f"{site}/runs/{run.run}/claims/{quote(change.claim, safe='')}",
        url=f"{site}/claims/{quote(change.claim, safe='')}",
        title=f"{change.claim}: {change.before or 'new'} → {change.after or 'withdrawn'}",
        text="\n".join(shortened(part) for part in told if part),
        at=moment(run.at),
        tags=tuple(word.value for word in (change.after,) if word),
    )


def _audited(run: RunChanges, count: int, site: str) -> FeedEntry:
    many = "1 figure of a source does" if count == 1 else f"{count:,} figures of sources do"
    return FeedEntry(
        id=f"{site}/runs/{run.run}#errata",
        url=f"{site}/errata",
        title=f"Audit of sources: {many} not add up",
        text=f"Found by run {run.run} for {run.as_of}. {site}/errata lists all of them with the quoted words.",
        at=moment(run.at),
        tags=("errata",),
    )


def _ruled(run: RunChanges, site: str) -> FeedEntry:
    many = "1 verdict differs" if run.ruled == 1 else f"{run.ruled:,} verdicts differ"
    return FeedEntry(
        id=f"{site}/runs/{run.run}#rules",
        url=f"{site}/changes",
        title=f"{many} because of a new version of the rules",
        text=f"Run {run.run} for {run.as_of} is the first by the new rules. No price made these verdicts turn.",
        at=moment(run.at),
        tags=("rules",),
    )


def bounded(found: Iterable[FeedEntry]) -> list[FeedEntry]:
    """The first entries, as many as fit into `MOST_BYTES`."""
    kept = list(found)
    sizes = accumulate(
        max(len(text.encode("utf-8", "replace")) for text in (_entry(one), dumps(_item(one)))) for one in kept
    )
    return [one for one, size in zip(kept, sizes, strict=True) if size <= MOST_BYTES]


def atom(channel: ChangeFeed, found: Iterable[FeedEntry]) -> bytes:
    """The feed as Atom."""
    own, site = quoteattr(channel.site + channel.path), quoteattr(channel.site + "/")
    head = (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<id>{_text(channel.site + channel.path)}</id>\n<title>{_text(channel.title)}</title>\n"
        f"<updated>{channel.updated}</updated>\n<author><name>Brain</name></author>\n"
        f'<link rel="self" type="application/atom+xml" href={own}/>\n<link rel="alternate" href={site}/>\n'
    )
    return (head + "".join(map(_entry, found)) + "</feed>\n").encode("utf-8", "replace")


def _entry(one: FeedEntry) -> str:
    words = "".join(f"<category term={quoteattr(tag)}/>" for tag in one.tags)
    return (
        f"<entry><id>{_text(one.id)}</id><title>{_text(one.title)}</title><updated>{one.at}</updated>"
        f'<link rel="alternate" href={quoteattr(one.url)}/>{words}<summary>{_text(one.text)}</summary></entry>\n'
    )


def _text(text: str) -> str:
    return escape(_NO_XML.sub("\ufffd", text))


def json(channel: ChangeFeed, found: Iterable[FeedEntry]) -> bytes:
    """The feed as JSON Feed."""
    told = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": channel.title,
        "home_page_url": channel.site + "/",
        "feed_url": channel.site + channel.path,
        "language": "en",
        "items": [_item(one) for one in found],
    }
    return dumps(told).encode("utf-8", "replace")


def _item(one: FeedEntry) -> dict[str, object]:
    return {
        "id": one.id,
        "url": one.url,
        "title": one.title,
        "content_text": one.text or one.title,
        "date_published": one.at,
        "tags": one.tags,
    }
