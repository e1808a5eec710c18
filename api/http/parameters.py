"""Parameters that several routes take."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BeforeValidator

from api.models.iso_day import IsoDay


def query(description: str, *examples: object, **rules: Any) -> Any:  # noqa: ANN401  # as `Query` itself
    """A query parameter."""
    return Query(description=description, examples=list(examples) or None, **rules)


def path(description: str, example: object, **rules: Any) -> Any:  # noqa: ANN401  # as `Path` itself
    """A path parameter."""
    return Path(description=description, examples=[example], **rules)


def _digits(given: object) -> object:
    """Refuse other spellings, which int() reads: +5, ' 5', 5_0 and ٥."""
    if isinstance(given, str) and not re.fullmatch(r"-?[0-9]{1,20}", given):
        raise ValueError("write a number in digits, as 100")
    return given


WHOLE = BeforeValidator(_digits)
"""For an integer of the digits 0 to 9. It must follow `Query` or `Path`, or the schema loses their bounds."""

Brain = Annotated[str, path("The name of a brain.", "analyst")]
Slug = Annotated[str, path("The slug of a node in it.", "caching-and-batch-stack")]
Claim = Annotated[str, path("The id of a claim.", "sonnet-cached-batch-discount")]
Run = Annotated[int, path("The number of a run.", 1, ge=1, le=2**31 - 1), WHOLE]
Item = Annotated[str, path("`provider/thing`, another spelling of it, or a family.", "anthropic/claude-3-5-sonnet")]

OfBrain = Annotated[str | None, query("Only what belongs to this brain.", "analyst", max_length=160)]
OfTag = Annotated[str | None, query("Only claims with this tag.", "batch")]
Known = Annotated[IsoDay | None, query("Only what the service knew on this day: prices and claims as they were then.")]
Currency = Annotated[
    str | None, query("A currency code: money is shown in it, at the exchange rate of each day.", "EUR")
]
DryRun = Annotated[bool, query("Say what would happen; write nothing.")]
