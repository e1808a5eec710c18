"""In words: who states the figure of a claim, what its node makes of it, of which days it speaks, which way is good."""

from __future__ import annotations

from graph.models.claim_models import Direction, Speaker, Stance, Tense

_SPEAKERS = {
    Speaker.SOURCE: "A source of the note states the figure",
    Speaker.AUTHOR: "The author of the note states the figure",
    Speaker.NOBODY: "No one states the figure: it is a watch or a cross-check",
}
_STANCES = {
    Stance.ENDORSES: "the note endorses it",
    Stance.DISPUTES: "the note disputes it",
    Stance.REPORTS: "the note reports it",
}
TENSES = {
    Tense.STANDING: "standing: true from its day on, so it is judged every day",
    Tense.DATED: "dated: it speaks of its own day only",
}


def speaker_text(speaker: Speaker, stance: Stance) -> str:
    """A sentence such as `A source of the note states the figure, and the note disputes it.`"""
    if speaker is Speaker.AUTHOR and stance is Stance.ENDORSES:
        return f"{_SPEAKERS[speaker]}."
    if speaker is Speaker.NOBODY:
        return f"{_SPEAKERS[speaker]}." if stance is Stance.ENDORSES else f"{_SPEAKERS[speaker]}; {_STANCES[stance]}."
    return f"{_SPEAKERS[speaker]}, and {_STANCES[stance]}."


def helps_text(direction: Direction | None) -> str:
    """Which way the value may move to strengthen the thesis; empty if the claim does not say."""
    return f"A {direction.value} value strengthens the thesis." if direction else ""
