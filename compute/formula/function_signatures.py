"""A function of the formula language: one record that says what it takes, gives, computes and how it is documented."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal, Protocol

from compute.formula.formula_terms import Leaf
from compute.prices.price_models import Question

Takes = Literal["number", "truth", "text", "texts", "day", "count", "range", "unknown", "equation", "choice"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: what it takes, the unit of a plain number, a default as a formula; `choices` of a text."""

    name: str
    takes: Takes = "number"
    unit: str | None = None
    default: str | None = None
    needed: bool = True
    choices: tuple[str, ...] = ()


Kind = Literal["lookup", "numeric", "library", "solve"]
UnitRule = Literal["same", "plain", "root", "choice"]
"""How units pass a numeric function: all arguments and the result in one unit; plain numbers only; the square root of
the unit; a comparison, then two figures in one unit."""


class Arguments(Protocol):
    """The arguments of a lookup, written out."""

    @property
    def on(self) -> date | None:
        """The fixed day of the lookup."""

    def text(self, name: str) -> str:
        """An argument that must be there."""

    def optional(self, name: str) -> str | None:
        """An argument, or None."""

    def questions(self) -> tuple[Question, ...]:
        """One question for each item."""


@dataclass(frozen=True, slots=True)
class Function:
    """One function: what it takes, what it gives, an example with its result as it is shown.

    Its kind decides which it has. `ask` of a lookup makes what is looked up. `compute` of a numeric function
    takes and gives exact numbers, which pass it by the rule `units`; None is `if`, which evaluates one branch only.
    `body` of a library function is its definition in the language.
    """

    name: str
    kind: Kind
    doc: str
    parameters: tuple[Parameter, ...]
    example: str
    result: str = ""
    body: str = ""
    many: bool = False
    ask: Callable[[Arguments], Leaf] | None = None
    compute: Callable[..., Decimal] | None = None
    units: UnitRule = "same"

    def usage(self) -> str:
        """How a call looks, for a message."""
        parts = [p.name if p.needed else f"{p.name}=…" for p in self.parameters]
        return f"{self.name}({', '.join(parts)}{', …' if self.many else ''})"

    def described(self) -> str:
        """The entry of this function in the documentation, as Markdown."""
        lines = [f"**`{self.usage()}`** {self.doc}"]
        if self.body:
            read = [f"`{p.name}` in {p.unit}" for p in self.parameters if p.unit]
            told = f"; a number without a unit is read as {', '.join(read)}" if read else ""
            lines.append(f"Defined as `{self.body}`{told}.")
        return "\n\n".join([*lines, f"`{self.example}` → {self.result}"])
