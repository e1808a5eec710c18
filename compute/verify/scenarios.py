"""Scenario files: named sets of overrides, and the claims whose verdicts each set changes. Nothing is stored.

scenarios:
  - name: blackwell-at-1.80
    says: Blackwell rents for 1.80 an hour by next summer
    set:
      price:spheron/b200-sxm/spot: 1.80 USD/GPU/h
      assume:utilisation: 70%
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Annotated

from pydantic import Field

from compute.claims.claim_cases import PLAIN, Terms
from compute.claims.overrides import OverrideError, overrides
from compute.prices.price_models import Book
from compute.verify.claim_verifier import Verifier
from graph.models.claim_models import Claim
from graph.models.verdict_models import VerdictChange, VerdictRow
from graph.models.written_figures import FIGURE
from graph.values import Value
from graph.yaml.reader import Listing, Mapping, Word, word
from graph.yaml.validation import FromText, Line, Written, mistake, values


def _sets(value: object) -> object:
    """Map each replaced input to its figure as written."""
    if isinstance(value, Word | Listing):
        hint = "write what is replaced, a colon, and the figure"
        raise mistake("yaml-shape", "'set' must map what is replaced to a figure", hint=hint)
    if not isinstance(value, Mapping):
        return value
    told = {str(name): word(figure) for name, figure in value.items()}
    for name, figure in told.items():
        try:
            overrides({name: figure})
        except OverrideError as error:
            raise mistake("bad-override", str(error), at=(name,)) from None
    return tuple(told.items())


class Scenario(Written):
    """A named set of overrides: each replaced input with its figure as written."""

    name: Line
    says: Line = ""
    sets: Annotated[
        tuple[tuple[str, str], ...], FromText(_sets, {"type": "object", "additionalProperties": FIGURE})
    ] = Field(validation_alias="set")


class Scenarios(Written):
    """A file of scenarios."""

    scenarios: tuple[Scenario, ...]


class Outcome(Value):
    """The effect of a scenario: changed verdicts, the number unchanged, and claims where only the value changes.

    `unread` is always empty: an override that no claim reads is refused.
    """

    scenario: str
    says: str = ""
    turned: tuple[VerdictChange, ...] = ()
    moved: int = 0
    same: int = 0
    unread: tuple[str, ...] = ()


load = partial(values, Scenarios, Scenario)
"""The scenarios of a file; one that is wrong is left out and reported."""


def play(
    scenarios: Iterable[Scenario], claims: Sequence[Claim], book: Book, as_of: date, terms: Terms = PLAIN
) -> tuple[Outcome, ...]:
    """Verdict changes of each scenario, whose figures replace the overrides of `terms`; raises OverrideError."""
    usual = {row.claim: row for row in map(Verifier(book, as_of, terms).row, claims)}
    outcomes = []
    for scenario in scenarios:
        own = overrides(dict(scenario.sets))
        rows = map(Verifier(book, as_of, replace(terms, overrides=own)).row, claims)
        outcomes.append(_outcome(scenario, claims, usual, {row.claim: row for row in rows}))
    return tuple(outcomes)


def _outcome(
    scenario: Scenario, claims: Iterable[Claim], usual: dict[str, VerdictRow], instead: dict[str, VerdictRow]
) -> Outcome:
    pairs = [(claim, usual[claim.id], instead[claim.id]) for claim in claims]
    turned = [
        VerdictChange.of(claim.id, claim, old, new) for claim, old, new in pairs if old.verdict is not new.verdict
    ]
    moved = sum(one.value != two.value and one.verdict is two.verdict for _, one, two in pairs)
    return Outcome(
        scenario=scenario.name,
        says=scenario.says,
        turned=tuple(turned),
        moved=moved,
        same=len(pairs) - len(turned) - moved,
    )
