"""Signs: the word, the meaning and the icon of every verdict, health, severity and kind. Colour is never the only sign.

An icon is the path of a drawing of 16 by 16 units, stroked in the colour of the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from compute.impact.note_health import HealthState
from compute.reports.report_model import SOURCE_WRONG, counted_as
from graph.models.claim_models import Claim, ClaimSeverity, VerdictName
from graph.models.node_models import Kind


class VerdictSign(NamedTuple):
    """How one word of the vocabulary is shown; `css` is the class that gives its colour."""

    word: str
    meaning: str
    path: str
    css: str


_CHECK = "M3.2 8.6l3.1 3.1 6.5-7.4"
_CROSS = "M4 4l8 8M12 4l-8 8"
_CLOCK = "M8 1.9a6.1 6.1 0 1 0 .01 0M8 4.6V8l2.4 1.7"
_ASK = "M5.4 5.9a2.6 2.6 0 1 1 3.7 2.3C8.2 8.7 8 9.1 8 10.2M8 12.7v.2"
_FORK = "M2.5 5.4h9.6L9.4 2.7M13.5 10.6H3.9l2.7 2.7"
_ALARM = "M8 2.2l6.2 11.3H1.8zM8 6.4v3.4M8 11.6v.2"
_BOLT = "M9.2 1.8L4.4 8.6h4L6.8 14.2"
_DOWN = "M8 2.8v10M3.9 8.9L8 13l4.1-4.1"
_RANGE = "M2.4 8h11.2M2.4 4.8v6.4M13.6 4.8v6.4M8 6.4v3.2"
_DASH = "M3.6 8h8.8"
_PEN = "M2.6 13.4l.8-3.2 7.4-7.4 2.4 2.4-7.4 7.4zM9.3 4.3l2.4 2.4"

VERDICTS: Mapping[str, VerdictSign] = {
    VerdictName.REFUTED: VerdictSign("refuted", "Never true, by dated prices.", _CROSS, "refuted"),
    VerdictName.STALE: VerdictSign("stale", "No longer true (or we cannot tell if it was).", _CLOCK, "stale"),
    VerdictName.DEPENDS: VerdictSign(
        "depends", "Depends on an assumption, or on an input that the text leaves open.", _RANGE, "depends"
    ),
    VerdictName.CONFLICTING: VerdictSign(
        "conflicting", "Catalogues or two texts disagree, and the verdict depends on it.", _FORK, "conflicting"
    ),
    VerdictName.ERROR: VerdictSign("error", "The claim itself is invalid.", _ALARM, "error"),
    VerdictName.UNVERIFIABLE: VerdictSign(
        "unverifiable", "An input or its date is missing, or its day is still to come.", _ASK, "unverifiable"
    ),
    SOURCE_WRONG: VerdictSign("source wrong", "The source's figure is wrong; the note says so.", _PEN, "disputed"),
    VerdictName.HOLDS: VerdictSign("holds", "True: a standing claim today, a dated one on its day.", _CHECK, "holds"),
}
"""The verdicts as pages show them, most severe first."""

WORDS = {name: sign.word for name, sign in VERDICTS.items()}

UNSEEN = VerdictSign("not run", "No run has evaluated it yet.", _DASH, "unseen")

HEALTH: Mapping[HealthState, VerdictSign] = {
    HealthState.BROKEN: VerdictSign("broken", "One of its claims fails.", _BOLT, "refuted"),
    HealthState.WEAKENED: VerdictSign("weakened", "Something that it depends on does not hold.", _DOWN, "stale"),
    HealthState.UNCHECKED: VerdictSign(
        "unchecked", "No claim or dependency of it has been evaluated.", _DASH, "unseen"
    ),
    HealthState.SOUND: VerdictSign(
        "sound", "All its claims and dependencies hold, or disputes a source.", _CHECK, "holds"
    ),
}

SEVERITIES: Mapping[ClaimSeverity, VerdictSign] = {
    ClaimSeverity.CRITICAL: VerdictSign("critical", "The argument fails without it.", _ALARM, "refuted"),
    ClaimSeverity.WARNING: VerdictSign("warning", "The argument is weaker without it.", _DOWN, "stale"),
    ClaimSeverity.INFO: VerdictSign("info", "Good to know.", _DASH, "unseen"),
}
"""The severities, most severe first."""

KINDS: Mapping[Kind, str] = {
    Kind.POV: "Point of view",
    Kind.METHODOLOGY: "Methodology",
    Kind.WATCHING: "Watching",
    Kind.THESIS: "Thesis",
    Kind.READING: "Reading",
    Kind.TERM: "Term",
    Kind.REFERENCE: "Reference",
}

_SEVERAL = {
    "point of view": "points of view",
    "methodology": "methodologies",
    "watching": "watching",
    "thesis": "theses",
}
"""Kinds whose plural is not made by an s."""

RELATIONS: Mapping[str, str] = {
    "cites": "cites",
    "same_as": "is the same as",
    "broader": "is narrower than",
    "related": "is related to",
    "mentions": "mentions",
    "step": "has as a step",
    "contradicts": "contradicts",
    "citesAsEvidence": "takes as evidence",
    "supports": "supports",
    "extends": "extends",
    "qualifies": "qualifies",
    "disputes": "disputes",
    "disagreesWith": "disagrees with",
    "refutes": "refutes",
    "discusses": "discusses",
    "confirms": "confirms",
    "usesMethodIn": "uses the method of",
    "usesDataFrom": "uses data from",
    "obtainsBackgroundFrom": "draws on",
}
"""Edges as verbs, the subject before and the target behind."""


def sign_name(verdict: VerdictName | None, claim: Claim | None = None) -> str:
    """The key of a verdict in `VERDICTS`, where it matters what the note makes of the claim; empty for none."""
    return counted_as(verdict, claim.stance if claim else None)


def verdict_sign(verdict: VerdictName | None, claim: Claim | None = None) -> VerdictSign:
    """The sign of a verdict, `UNSEEN` for none."""
    return VERDICTS.get(sign_name(verdict, claim), UNSEEN)


def many(count: int, kind: Kind) -> str:
    """`1 thesis`, `13 terms`."""
    word = KINDS[kind].lower()
    return f"{count:,} " + (word if count == 1 else _SEVERAL.get(word, f"{word}s"))


def plural_verb(spoken: str) -> str:
    """A verb of one for several: `cites` → `cite`, `is related to` → `are related to`."""
    first, _, rest = spoken.partition(" ")
    first = {"is": "are", "has": "have"}.get(first, first.removesuffix("s"))
    return f"{first} {rest}".rstrip()


def verb(relation: str) -> str:
    """An edge as a verb; one that is not in the table is spelled out: `citesAsMetadata` → `cites as metadata`."""
    spelled = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in relation)
    return RELATIONS.get(relation, spelled.replace("_", " "))
