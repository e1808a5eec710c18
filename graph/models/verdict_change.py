"""A claim whose verdict changes: between two runs, on a coming day, or in a scenario."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Self

from graph.models.claim_models import Cause, Claim, VerdictName
from graph.models.verdict_models import VerdictRow
from graph.values import Value


class VerdictChange(Value):
    """The verdict of a claim before and after, with its values in `unit`.

    A verdict is None in a run that does not have the claim. `on` is the day of a change that is to come. `margin`,
    `cause` and `helps_thesis` are those of the verdict after it; the report of a run gives as cause what moved since
    the run before, where the verdict has none or only another source answers. `corrected`: nothing moved since the run
    before, and a price was corrected; only the report of a run says so. `quote` are the words that it quotes.
    """

    claim: str
    node: str = ""
    says: str = ""
    before: VerdictName | None
    after: VerdictName | None
    value_before: Decimal | None = None
    value_after: Decimal | None = None
    unit: str = ""
    reason: str = ""
    on: date | None = None
    quote: str | None = None
    margin: Decimal | None = None
    cause: Cause | None = None
    corrected: bool = False
    helps_thesis: bool | None = None

    @property
    def words(self) -> str:
        """The quoted words; without a quote the sentence of the claim, else its id."""
        return self.quote or self.says or self.claim

    @classmethod
    def of(
        cls, name: str, claim: Claim | None, before: VerdictRow | None, after: VerdictRow | None, on: date | None = None
    ) -> Self:
        """The change from one row to another; `claim` is None if no document states it any more.

        That nobody knows whether a claim was true on its own day is no cause for one that held until now.
        """
        held = before is not None and before.verdict is VerdictName.HOLDS
        cause = after.cause if after else None
        return cls(
            claim=name,
            node=claim.node if claim else "",
            says=claim.says if claim else "",
            before=before.verdict if before else None,
            after=after.verdict if after else None,
            value_before=before.value if before else None,
            value_after=after.value if after else None,
            unit=(after.unit if after else "") or (before.unit if before else ""),
            reason=after.reason if after else "the claim is no longer there",
            on=on,
            quote=claim.quote if claim else None,
            margin=after.margin if after else None,
            cause=None if held and cause is Cause.THEN_UNKNOWN else cause,
            helps_thesis=after.helps_thesis if after else None,
        )
