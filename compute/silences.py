"""Silences: no notices for a claim, or for all claims with a tag, until a day; each with its reason.

silences:
  - claim: h100-break-even-utilisation      # or `tag: gpu-pricing`
    reason: the vendor changes its list this week
    since: 2026-11-01
    until: 2026-12-01                        # exclusive; a silence without an end is refused
"""

from __future__ import annotations

from compute.yamls import Fields, entries, read
from graph.flags import Silence
from graph.problems import Problem

_KNOWN = ("claim", "tag", "reason", "since", "until")


def load(document: str, text: str) -> tuple[tuple[Silence, ...], tuple[Problem, ...]]:
    """The silences of a file, their ids made of its name; one that is wrong is left out and told."""
    root, sheet = read(document, text)
    found = [
        _silence(fields, f"{document}#{number}")
        for number, fields in enumerate(entries(root, sheet, "silences", _KNOWN), 1)
    ]
    return tuple(one for one in found if one is not None), tuple(sheet.problems)


def _silence(fields: Fields, name: str) -> Silence | None:
    claim, tag, reason = fields.text("claim"), fields.text("tag"), fields.text("reason", need=True)
    since, until = fields.day("since", need=True), fields.day("until", need=True)
    if (claim is None) == (tag is None):
        fields.fail(fields.mark, "a silence names a claim or a tag, one of the two", code="missing-key")
    if since is not None and until is not None and until <= since:
        fields.fail(fields.at("until"), "'until' is not after 'since'", code="bad-range")
    if fields.broken or reason is None or since is None or until is None:
        return None
    return Silence(id=name, claim=claim, tag=tag, reason=reason, since=since, until=until)
