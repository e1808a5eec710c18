"""Notices as the messages of ntfy, Slack and Mattermost: the address to send to, and the JSON body.

    ntfy         POST to the server, with the topic (the last part of the address) in the body; 4,096 bytes of text
    slack        an incoming webhook: `text` with <url|text> links and &, <, > escaped
    mattermost   an incoming webhook: `text` in Markdown

Texts of authors cannot add links or mentions: each format escapes its own special characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from compute.runs.notice_text import Entry, NoticeText, line, notice_text
from graph.models.alert_models import Notice

Message = tuple[str, Mapping[str, object]]

LISTED = 20
"""A message lists at most this many claims."""

_NTFY_BYTES = 4_000
_NTFY_TITLE = 200
_SLACK_CHARACTERS = 3_500
_MATTERMOST_CHARACTERS = 15_000
_HIGH, _NORMAL, _LOW = 4, 3, 2


def ntfy(notice: Notice, url: str) -> Message:
    """The message for an ntfy topic; a critical break has a high priority, a return a low one."""
    told = notice_text(notice)
    server, _, topic = url.rstrip("/").rpartition("/")
    text = "\n".join([line(entry) for entry in told.entries[:LISTED]] + _rest(told))
    body: dict[str, object] = {
        "topic": topic,
        "title": told.headline[:_NTFY_TITLE],
        "message": _cut(text, _NTFY_BYTES),
        "priority": _HIGH if told.critical else _LOW if told.good else _NORMAL,
        "tags": ["white_check_mark" if told.good else "warning"],
    }
    page = told.entries[0].page if len(told.entries) == 1 else told.source
    return f"{server}/", {**body, "click": page} if page else body


def slack(notice: Notice, url: str) -> Message:
    """The message for an incoming webhook of Slack."""
    told = notice_text(notice)
    lines = (f"• {_linked(entry, _slack, '<{page}|{claim}>')}" for entry in told.entries[:LISTED])
    return url, {"text": _lines(f"*{_slack(told.headline)}*", lines, told, _SLACK_CHARACTERS)}


def mattermost(notice: Notice, url: str) -> Message:
    """The message for an incoming webhook of Mattermost."""
    told = notice_text(notice)
    lines = (f"- {_linked(entry, _markdown, '[{claim}]({page})')}" for entry in told.entries[:LISTED])
    return url, {"text": _lines(f"**{_markdown(told.headline)}**", lines, told, _MATTERMOST_CHARACTERS)}


CHATS: Mapping[str, Callable[[Notice, str], Message]] = {"ntfy": ntfy, "slack": slack, "mattermost": mattermost}
"""The message of each kind of receiver, made from a notice and the address of the receiver."""


def _linked(entry: Entry, escape: Callable[[str], str], link: str) -> str:
    """The line of an entry with its claim as a link, if it has a page."""
    if not entry.page:
        return escape(line(entry))
    linked = link.format(page=entry.page, claim=escape(entry.claim))
    return linked + escape(line(entry).removeprefix(entry.claim))


def _rest(told: NoticeText) -> list[str]:
    left = told.more + max(0, len(told.entries) - LISTED)
    return [f"and {left} more"] if left else []


def _lines(head: str, lines: Iterable[str], told: NoticeText, most: int) -> str:
    """The lines that fit; a line is left out, never cut, so that links stay intact."""
    rest = _rest(told)
    found, size = [head], len(head) + 20
    listed = list(lines)
    for number, one in enumerate(listed):
        if size + len(one) > most:
            rest = [f"and {len(told.entries) + told.more - number} more"]
            break
        found.append(one)
        size += len(one) + 1
    return "\n".join(found + rest)


def _cut(text: str, most: int) -> str:
    """A text within a number of bytes in UTF-8."""
    data = text.encode()
    return text if len(data) <= most else data[: most - 3].decode("utf-8", "ignore") + "…"


def _slack(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([*_~`])", "\u200b\\1", escaped)  # a zero-width space keeps them from starting a format


def _markdown(text: str) -> str:
    escaped = re.sub(r"([\\`*_{}\[\]()#+!|<>~])", r"\\\1", text)
    return escaped.replace("@", "@\u200b")  # no mention of a channel or a person
