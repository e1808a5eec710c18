"""Verdicts as the ledger stores them: short texts for decimals and models."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import NamedTuple

from graph.models.claim_models import VerdictName
from graph.models.verdict_models import FURTHER_ROW_FIELDS, VerdictRow

VERDICTS = (
    VerdictName.HOLDS,
    VerdictName.STALE,
    VerdictName.REFUTED,
    VerdictName.UNVERIFIABLE,
    VerdictName.CONFLICTING,
    VerdictName.ERROR,
    VerdictName.DEPENDS,
)
"""A verdict is stored as its position here: append, never reorder."""

VERDICT_CODES = {name: code for code, name in enumerate(VERDICTS)}
_LETTERS = {None: "-", False: "f", True: "t"}
_TRUTHS = {letter: truth for truth, letter in _LETTERS.items()}


class PackedRow(NamedTuple):
    """A row in the order of the ledger's columns; `verdict` indexes `VERDICTS`."""

    claim: str
    verdict: int
    figures: str
    unit: str
    reason: str
    further: str

    @property
    def row(self) -> VerdictRow:
        """The row, unpacked."""
        value, margin, then, holds = self.figures.split("|")
        return VerdictRow(
            claim=self.claim,
            verdict=VERDICTS[self.verdict],
            value=Decimal(value) if value else None,
            margin=Decimal(margin) if margin else None,
            unit=self.unit,
            then_value=Decimal(then) if then else None,
            then_holds=_TRUTHS[holds[0]],
            now_holds=_TRUTHS[holds[1]],
            reason=self.reason,
            **(json.loads(self.further) if self.further else {}),
        )


def packed(row: VerdictRow) -> PackedRow:
    """A verdict as a packed row."""
    numbers = "|".join("" if figure is None else str(figure) for figure in (row.value, row.margin, row.then_value))
    figures = f"{numbers}|{_LETTERS[row.then_holds]}{_LETTERS[row.now_holds]}"
    return PackedRow(row.claim, VERDICT_CODES[row.verdict], figures, row.unit, row.reason, _further(row))


def _further(row: VerdictRow) -> str:
    if row.model_fields_set.isdisjoint(FURTHER_ROW_FIELDS):
        return ""
    found = row.model_dump(mode="json", include=set(FURTHER_ROW_FIELDS), exclude_none=True)
    return json.dumps({name: found[name] for name in FURTHER_ROW_FIELDS if name in found}) if found else ""
