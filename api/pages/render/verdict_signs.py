"""Words and meanings of verdicts, health and kinds; `parts.html` has their icons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from compute.impact.note_health import HealthState
from compute.reports.report_model import SOURCE_WRONG, counted_as
from graph.models.claim_models import Claim, VerdictName
from graph.models.node_models import Kind


class VerdictSign(NamedTuple):
    """How a verdict or health is shown; `css` is its class, `counts` (by state, `errors`; empty: not tested) follow."""

    word: str
    meaning: str
    css: str
    counts: tuple[tuple[str, int], ...] = ()


VERDICTS: Mapping[str, VerdictSign] = {
    VerdictName.REFUTED: VerdictSign("refuted", "Never true, by dated prices or by arithmetic.", "refuted"),
    VerdictName.STALE: VerdictSign("stale", "Not true today; true once, or not known to have been.", "stale"),
    VerdictName.DEPENDS: VerdictSign(
        "depends", "Depends on an assumption, or on an input that the text leaves open.", "depends"
    ),
    VerdictName.CONFLICTING: VerdictSign(
        "conflicting", "Catalogues or two texts disagree, and the verdict depends on it.", "conflicting"
    ),
    VerdictName.ERROR: VerdictSign("error", "The claim itself is invalid.", "error"),
    VerdictName.UNVERIFIABLE: VerdictSign(
        "unverifiable", "An input or its date is missing, or its day is still to come.", "unverifiable"
    ),
    SOURCE_WRONG: VerdictSign("source wrong", "The source's figure is wrong; the note says so.", "disputed"),
    VerdictName.HOLDS: VerdictSign("holds", "True: a standing claim today, a dated one on its day.", "holds"),
}
"""The verdicts as pages show them, most severe first."""

WORDS = {name: sign.word for name, sign in VERDICTS.items()}

UNSEEN = VerdictSign("not run", "No run has evaluated it yet.", "unseen")

HEALTH: Mapping[str, VerdictSign] = {
    HealthState.BROKEN: VerdictSign("broken", "A figure that it relies on fails.", "refuted"),
    HealthState.WEAKENED: VerdictSign("weakened", "A figure or a note that it rests on is in doubt.", "stale"),
    "out-of-date": VerdictSign("out of date", "A figure that it relies on moved, in favour of the argument.", "stale"),
    HealthState.UNCHECKED: VerdictSign("untested", "It has no claims, or one that could not be tested.", "unseen"),
    HealthState.SOUND: VerdictSign("sound", "Nothing that it asserts is in doubt, nor a note it rests on.", "holds"),
    "by-links": VerdictSign("rests on sound notes", "It has no claims; it rests on a sound note.", "unseen pale"),
}
"""The states of health; what only favourable changes weaken has a sign of its own, and what is sound by its links."""

OF_KIND: Mapping[Kind, str] = {
    Kind.THESIS: "Theses",
    Kind.POV: "Points of view",
    Kind.METHODOLOGY: "Methods",
    Kind.WATCHING: "Watching",
    Kind.REFERENCE: "References",
    Kind.READING: "Readings",
}
"""The kinds of notes but terms, in the order in which a reader wants them."""

KINDS: Mapping[Kind, str] = {one: "Point of view" if one is Kind.POV else one.value.capitalize() for one in Kind}


def sign_name(verdict: VerdictName | None, claim: Claim | None = None) -> str:
    """The key of a verdict in `VERDICTS`, depending on the note's stance; empty for none."""
    return counted_as(verdict, claim.stance if claim else None)


def verdict_sign(verdict: VerdictName | None, claim: Claim | None = None) -> VerdictSign:
    """The sign of a verdict, `UNSEEN` for none."""
    return VERDICTS.get(sign_name(verdict, claim), UNSEEN)
