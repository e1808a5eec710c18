"""Silence files: no notices for a claim, or for all claims with a tag, until a day; each has a reason.

silences:
  - claim: h100-break-even-utilisation      # or `tag: gpu-pricing`
    reason: the vendor changes its list this week
    since: 2026-11-01
    until: 2026-12-01                        # exclusive; a silence without an end is an error
"""

from __future__ import annotations

from datetime import date

from pydantic import ValidationInfo, field_validator, model_validator

from graph.models.alert_models import Silence
from graph.problems import Problem
from graph.yaml.validation import Day, Line, Source, Written, entries, mistake


class StatedSilence(Written):
    """No notices for a claim or a tag, until a day."""

    claim: Line | None = None
    tag: Line | None = None
    reason: Line
    since: Day
    until: Day

    @field_validator("until")
    @classmethod
    def _later(cls, until: date, info: ValidationInfo) -> date:
        if until <= info.data.get("since", date.min):
            raise mistake(
                "bad-range", "'until' is not after 'since'", hint="'until' is the first day with notices again"
            )
        return until

    @model_validator(mode="after")
    def _one(self) -> StatedSilence:
        if (self.claim is None) == (self.tag is None):
            raise mistake("missing-key", "a silence names a claim or a tag, one of the two")
        return self


class Silences(Written):
    """A file of silences."""

    silences: tuple[StatedSilence, ...]


def load(document: str, text: str) -> tuple[tuple[Silence, ...], tuple[Problem, ...]]:
    """The silences of a file, with ids derived from its name; an invalid one is left out and reported."""
    source = Source(document, text)
    found = tuple(
        Silence(id=f"{document}#{number}", **dict(entry.value))
        for number, entry in enumerate(entries(source, Silences, StatedSilence), 1)
        if entry.value is not None
    )
    return found, tuple(source.problems)
