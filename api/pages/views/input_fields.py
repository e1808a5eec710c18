"""The inputs of a claim as fields that a reader may fill with numbers of her own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from compute.claims.claim_program import program
from compute.claims.expectations import FieldError
from compute.formula.formula_tree import AssumptionLeaf, Leaf, PriceLeaf
from graph.models.claim_models import Claim
from graph.models.verdict_models import Flip, Input, Verdict

_ROUND = tuple(map(Decimal, ("1", "1.5", "2", "2.5", "3", "4", "5", "6", "8")))
WHOLE = Decimal(100)
LONGEST_OWN = 60

PARAMETERS = frozenset({"as_of", "input", "size", "scheme"})
"""Parameters of a claim's page and charts that are no inputs."""


@dataclass(frozen=True, slots=True)
class Field:
    """One input: `key` is its name in an override, `own` what the reader wrote, `most` the end of its slider."""

    input: Input
    key: str | None
    number: int
    flip: Flip | None = None
    own: str = ""
    most: Decimal | None = None

    @property
    def change(self) -> Decimal | None:
        """How far the input has to move to turn the verdict, as a share of what it is."""
        value, at = self.input.value, self.flip.at if self.flip else None
        return (at - value) / abs(value) if at is not None and value else None

    @property
    def positive(self) -> bool:
        """Whether it cannot be negative: prices and assumptions."""
        return self.input.kind != "literal" and (self.input.value is None or self.input.value >= 0)

    @property
    def refused(self) -> bool:
        """Whether the reader's number cannot be."""
        return self.positive and self.own.lstrip().startswith(("-", "−"))


def fields(claim: Claim, verdict: Verdict, given: Mapping[str, str]) -> tuple[Field, ...]:
    """The inputs of a claim in their order; `verdict` is the one with the catalogue's own numbers."""
    keys = _keys(claim)
    flips = {flip.input: flip for flip in verdict.flips}
    return tuple(
        Field(
            input=one,
            key=keys.get(one.name),
            number=number,
            flip=flips.get(one.name),
            own=given.get(keys.get(one.name) or "", ""),
            most=_most(one.value, one.unit, flips.get(one.name)),
        )
        for number, one in enumerate(verdict.inputs)
    )


def _keys(claim: Claim) -> dict[str, str]:
    """The name for an override by the label of an input; inputs that cannot be replaced have none."""
    try:
        made = program(claim)
    except FieldError:
        return {}
    given = {name for name, _ in claim.given}
    found = {
        label: label if label in given else _key(leaf) for label, leaf in zip(made.labels, made.leaves, strict=True)
    }
    return {label: key for label, key in found.items() if key is not None}


def _key(leaf: Leaf) -> str | None:
    if isinstance(leaf, PriceLeaf) and (asked := leaf.question):
        variant = "" if asked.processing == "standard" else f":{asked.processing}"
        return f"price:{asked.item}/{asked.component}{variant}"
    return f"assume:{leaf.name}" if isinstance(leaf, AssumptionLeaf) else None


def _most(value: Decimal | None, unit: str, flip: Flip | None) -> Decimal | None:
    """A round number beyond twice the value and a quarter beyond the turning point, where that is within reach.

    A share goes up to 100%.
    """
    if value is None or value <= 0:
        return None
    if unit == "%" and value <= WHOLE and (flip is None or flip.at is None or flip.at <= WHOLE):
        return WHOLE
    reach = 2 * value
    if flip is not None and flip.at is not None and flip.at <= 8 * value:
        reach = max(reach, flip.at * Decimal("1.25"))
    scale = Decimal(1).scaleb(reach.adjusted())
    return next((step * scale for step in _ROUND if step * scale >= reach), 10 * scale)


def overrides_of(query: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The numbers of the reader by the names of their inputs; empty ones are the catalogue's."""
    return {key: value.strip()[:LONGEST_OWN] for key, value in query if key not in PARAMETERS and value.strip()}
