"""A notice in words, for every channel read by people: a headline and one entry for each claim."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from graph.models.alert_models import Notice
from graph.values import Value, loads

_KINDS = {
    "raised": ("broke", "{claim} is {verdict}", "{count} claims no longer hold"),
    "depends": (
        "depends now",
        "{claim} now depends on its assumptions",
        "{count} claims now depend on their assumptions",
    ),
    "returned": ("returned", "{claim} {again}", "{count} claims hold again"),
    "removed": ("removed", "{claim} was removed", "{count} claims were removed"),
    "unchecked": ("not checked", "{claim} could not be checked", "{count} claims could not be checked"),
    "checked-again": ("checked again", "{claim} is checked again", "{count} claims are checked again"),
    "reminder": ("still broken", "{claim} still does not hold", "{count} claims still do not hold"),
}
"""By the last part of the kind of a notice: what happened, and the headlines for one claim and for several."""

LABELS = {kind: label for kind, (label, *_) in _KINDS.items()}


class Entry(Value):
    """One claim of a notice: what happened to it, and on which day.

    `page` is its address, empty if the claim was deleted or the service has no address; `site` is that of the service.
    """

    happened: str
    as_of: str
    site: str = ""
    claim: str
    node: str | None = None
    says: str | None = None
    owner: str | None = None
    verdict: str = ""
    before: str | None = None
    reason: str = ""
    page: str = ""


class NoticeText(Value):
    """A notice in words; `more` is the number of claims not listed."""

    happened: str
    headline: str
    entries: tuple[Entry, ...]
    more: int = 0


def notice_text(notice: Notice) -> NoticeText:
    """A notice in words."""
    event = loads(notice.body)
    data, happened = event["data"], notice.kind.rpartition(".")[2]
    source = str(event.get("source") or "")
    site = source if source.startswith(("http://", "https://")) else ""
    about = {"happened": happened, "as_of": str(data.get("as_of") or ""), "site": site}
    entries = tuple(Entry(**about, **_entry(one, site)) for one in data.get("claims", [data]))
    count = int(data.get("count", len(entries)))
    headline = _headline(happened, entries, count, str(data.get("cause") or ""))
    return NoticeText(happened=happened, headline=headline, entries=entries, more=count - len(entries))


def _entry(one: dict[str, Any], site: str) -> dict[str, Any]:
    """The fields of an entry that are about its claim."""
    told = {name: one.get(name) for name in ("node", "says", "owner", "before")}
    page = f"{site}/claims/{quote(one['claim'], safe='')}" if site and one.get("node") else ""
    return {"claim": one["claim"], "verdict": one["verdict"], "reason": one.get("reason") or "", "page": page, **told}


def _headline(happened: str, entries: tuple[Entry, ...], count: int, cause: str) -> str:
    _, single, several = _KINDS[happened]
    if count != 1 or not entries:
        return several.format(count=count) + (f": {cause}" if cause else "")
    one = entries[0]
    again = "holds again" if one.verdict == "holds" else f"is {one.verdict} now, no longer {one.before}"
    return single.format(claim=one.claim, verdict=one.verdict, again=again)


def line(entry: Entry) -> str:
    """An entry in one line: the claim, its verdict, what it says, and why."""
    owner = f" (owner {entry.owner})" if entry.owner else ""
    said = f"{entry.claim}{owner} {entry.verdict}" + (f": {entry.says}" if entry.says else "")
    return f"{said} ({entry.reason})" if entry.reason else said
