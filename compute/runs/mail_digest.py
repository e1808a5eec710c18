"""All notices that are due to one address as one mail: plain text and HTML, grouped by thesis."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from html import escape
from itertools import groupby
from typing import NamedTuple
from urllib.parse import quote

from compute.runs.notice_text import LABELS, Entry, NoticeText, notice_text
from graph.models.alert_models import Notice

LISTED = 500
"""A digest lists at most this many entries and counts the rest."""

NO_THESIS = "Deleted claims"

_STYLE = "font:16px/1.5 sans-serif;max-width:44rem"


class _Item(NamedTuple):
    """An entry with what happened to it, and on which day."""

    thesis: str
    happened: str
    as_of: str
    entry: Entry
    source: str


def digest_id(notices: Iterable[Notice], receiver: str) -> str:
    """The identity of a digest: the same for the same notices to the same receiver."""
    words = " ".join([receiver, *(notice.id for notice in notices)])
    return hashlib.sha256(words.encode()).hexdigest()[:32]


def digest(
    notices: Sequence[Notice], *, name: str, sender: str, to: str, at: datetime, claims: frozenset[str] | None = None
) -> EmailMessage:
    """The mail; `name` is the local part of its Message-ID. With `claims`, entries on other claims are left out."""
    told = [notice_text(notice) for notice in notices]
    items = list(_items(told, claims))
    left = len(items[LISTED:]) + sum(one.more for one in told)
    shown = sorted(items[:LISTED], key=lambda item: (item.thesis == NO_THESIS, item.thesis))
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Subject"] = sender, to, _subject(items, told)
    mail["Date"] = format_datetime(at)
    mail["Message-ID"] = f"<{name}@{sender.rpartition('@')[2].rstrip('>')}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(_plain(shown, left), cte="quoted-printable")
    mail.add_alternative(_html(shown, left), subtype="html", cte="quoted-printable")
    return mail


def _items(told: Iterable[NoticeText], claims: frozenset[str] | None) -> Iterable[_Item]:
    for one in told:
        for entry in one.entries:
            if claims is None or entry.claim in claims or entry.node is None:
                yield _Item(entry.node or NO_THESIS, one.happened, one.as_of, entry, one.source)


def _subject(items: Sequence[_Item], told: Sequence[NoticeText]) -> str:
    """Such as `Brain: 3 broke, 1 returned`."""
    counts = Counter(item.happened for item in items)
    for one in told:
        counts[one.happened] += one.more
    return "Brain: " + ", ".join(f"{counts[kind]} {label}" for kind, label in LABELS.items() if counts[kind])


def _plain(items: Sequence[_Item], left: int) -> str:
    lines: list[str] = []
    for thesis, group in groupby(items, key=lambda item: item.thesis):
        lines += [thesis, "=" * len(thesis), ""]
        for item in group:
            lines += [f"  {part}" for part in _parts(item)] + [""]
    if left:
        lines += [f"and {left} more", ""]
    return "\n".join(lines)


def _parts(item: _Item) -> list[str]:
    """The lines of one entry: what happened, the words of the claim, the reason, the owner and the page."""
    entry = item.entry
    before = f", before: {entry.before}" if entry.before and entry.before != entry.verdict else ""
    return [
        f"{LABELS[item.happened]}: {entry.claim} ({entry.verdict}{before}; {item.as_of})",
        *([entry.says] if entry.says else []),
        *([f"Why: {entry.reason}"] if entry.reason else []),
        *([f"Owner: {entry.owner}"] if entry.owner else []),
        *([entry.page] if entry.page else []),
    ]


def _html(items: Sequence[_Item], left: int) -> str:
    parts = []
    for thesis, group in groupby(items, key=lambda item: item.thesis):
        listed = list(group)
        parts.append(f"<h2>{_thesis(thesis, listed[0].source)}</h2><ul>{''.join(map(_html_item, listed))}</ul>")
    more = f"<p>and {left} more</p>" if left else ""
    return f'<!doctype html><html lang="en"><body style="{_STYLE}">{"".join(parts)}{more}</body></html>\n'


def _thesis(thesis: str, source: str) -> str:
    if thesis == NO_THESIS or not source:
        return escape(thesis)
    return f'<a href="{escape(source)}/nodes/{quote(thesis)}">{escape(thesis)}</a>'


def _html_item(item: _Item) -> str:
    first, *rest = _parts(item)
    page = item.entry.page
    named = escape(item.entry.claim)
    linked = escape(first).replace(named, f'<a href="{escape(page)}">{named}</a>', 1) if page else escape(first)
    return f"<li><strong>{linked}</strong>{''.join(f'<br>{escape(part)}' for part in rest if part != page)}</li>"
