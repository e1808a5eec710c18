"""Scenario files: sets of numbers of one's own, and the claims whose verdicts each of them turns. Nothing is stored.

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
from decimal import Decimal

from compute.cases import PLAIN, Terms
from compute.overrides import OverrideError, overrides
from compute.prices import Book
from compute.verify import verify
from compute.yamls import Fields, entries, read
from graph.claims import Claim, Row, VerdictName
from graph.problems import Problem
from graph.values import Value


class Scenario(Value):
    """A named set of numbers: what each replaces, and the figure as written."""

    name: str
    says: str = ""
    sets: tuple[tuple[str, str], ...]


class Turned(Value):
    """A claim whose verdict a scenario turns."""

    claim: str
    node: str
    says: str
    before: VerdictName
    after: VerdictName
    value_before: Decimal | None
    value_after: Decimal | None
    unit: str
    reason: str = ""


class Outcome(Value):
    """What a scenario does: the claims it turns, how many it leaves, and the claims it moves without turning them.

    `unread` are its figures that no claim reads.
    """

    scenario: str
    says: str = ""
    turned: tuple[Turned, ...] = ()
    moved: int = 0
    same: int = 0
    unread: tuple[str, ...] = ()


def load(document: str, text: str) -> tuple[tuple[Scenario, ...], tuple[Problem, ...]]:
    """The scenarios of a file; one that is wrong is left out and told."""
    root, sheet = read(document, text)
    found = (_scenario(fields) for fields in entries(root, sheet, "scenarios", ("name", "says", "set")))
    return tuple(scenario for scenario in found if scenario is not None), tuple(sheet.problems)


def _scenario(fields: Fields) -> Scenario | None:
    name, says, sets = fields.text("name", need=True), fields.text("says"), fields.need("set")
    told: dict[str, str] = {}
    if sets is not None and not isinstance(sets.value, dict):
        fields.fail(sets, "'set' must map what is replaced to a figure", code="yaml-shape")
    elif sets is not None and isinstance(sets.value, dict):
        for key, mark in sets.value.items():
            told[key] = mark.text() or ""
            try:
                overrides({key: told[key]})
            except OverrideError as error:
                fields.fail(mark, str(error), code="bad-override")
    if fields.broken or name is None:
        return None
    return Scenario(name=name, says=says or "", sets=tuple(told.items()))


def play(
    scenarios: Iterable[Scenario], claims: Sequence[Claim], book: Book, as_of: date, terms: Terms = PLAIN
) -> tuple[Outcome, ...]:
    """The table of verdicts that turn, for each scenario; its figures stand in place of the overrides of `terms`.

    Raises:
        OverrideError: a figure of a scenario that was not loaded from a file cannot be read.
    """
    usual = {row.claim: row for row in verify(claims, book, as_of, terms)}
    outcomes = []
    for scenario in scenarios:
        own = overrides(dict(scenario.sets))
        rows = verify(claims, book, as_of, replace(terms, overrides=own))
        outcomes.append(_outcome(scenario, claims, usual, {row.claim: row for row in rows}))
    return tuple(outcomes)


def _outcome(scenario: Scenario, claims: Iterable[Claim], usual: dict[str, Row], instead: dict[str, Row]) -> Outcome:
    pairs = [(claim, usual[claim.id], instead[claim.id]) for claim in claims]
    turned = [_turned(claim, before, after) for claim, before, after in pairs if before.verdict is not after.verdict]
    moved = sum(one.value != two.value and one.verdict is two.verdict for _, one, two in pairs)
    return Outcome(
        scenario=scenario.name,
        says=scenario.says,
        turned=tuple(turned),
        moved=moved,
        same=len(pairs) - len(turned) - moved,
    )


def _turned(claim: Claim, before: Row, after: Row) -> Turned:
    return Turned(
        claim=claim.id,
        node=claim.node,
        says=claim.says,
        before=before.verdict,
        after=after.verdict,
        value_before=before.value,
        value_after=after.value,
        unit=after.unit or before.unit,
        reason=after.reason,
    )
