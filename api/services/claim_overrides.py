"""The caller's own numbers for an evaluation, checked against what the claims read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from api.services.evaluation_inputs import EvaluationInputs
from compute.claims.claim_dependencies import named_by
from compute.claims.overrides import Overrides, UnknownInputError, overrides
from compute.impact.price_impact import readable, unread
from compute.verify.claim_verifier import converted
from graph.models.claim_models import Claim


def checked_overrides(
    sets: Mapping[str, str],
    claims: Sequence[Claim],
    inputs: EvaluationInputs,
    as_of: date,
    *,
    currency: str | None = None,
    where: str = "",
) -> Overrides:
    """The caller's numbers, each of which a claim reads, or a claim that one of them is compared with.

    Raises:
        OverrideError: a number cannot be read.
        UnknownInputError: nothing reads a name.
    """
    numbers = overrides(sets)
    if not numbers:
        return numbers
    others = (inputs.find(name) for claim in claims for name in named_by(claim))
    reading = [*claims, *(other for other in others if other is not None)]
    if unread(numbers, reading, inputs.book, as_of):
        reading = [converted(claim, inputs.book, as_of, inputs.terms(), currency) for claim in reading]
    if lost := unread(numbers, reading, inputs.book, as_of):
        where = where or (f"Nothing in the claim {claims[0].id}" if len(claims) == 1 else "No claim")
        raise UnknownInputError(lost[0], where, readable(reading))
    return numbers
