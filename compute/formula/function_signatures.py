"""The record that describes a function of the formula language: parameters, result, computation and documentation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Takes = Literal["number", "truth", "text", "texts", "day", "count", "range", "unknown", "equation", "choice"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its type, the unit of a plain number, a default as a formula; `choices` for a text."""

    name: str
    takes: Takes = "number"
    unit: str | None = None
    default: str | None = None
    needed: bool = True
    choices: tuple[str, ...] = ()


Kind = Literal["lookup", "numeric", "library", "solve"]
UnitRule = Literal["same", "plain", "root", "choice"]
"""How a numeric function treats units: all arguments and the result in one unit; plain numbers only; the square root of
the unit; a comparison, then two figures in one unit."""


@dataclass(frozen=True, slots=True)
class Function:
    """One function: its parameters, its result, and an example with the result as shown.

    Which fields are set depends on the kind. A numeric function has
    `compute`, which takes and returns exact numbers; `units` is its unit rule. `compute` is None for `if`, which
    evaluates one branch only. A library function has `body`, its definition in the language.
    """

    name: str
    kind: Kind
    doc: str
    parameters: tuple[Parameter, ...]
    example: str
    result: str = ""
    body: str = ""
    many: bool = False
    compute: Callable[..., Decimal] | None = None
    units: UnitRule = "same"

    def usage(self) -> str:
        """The call syntax, for messages."""
        parts = [p.name if p.needed else f"{p.name}=…" for p in self.parameters]
        return f"{self.name}({', '.join(parts)}{', …' if self.many else ''})"

    def described(self) -> str:
        """The documentation entry of this function, as Markdown."""
        lines = [f"**`{self.usage()}`** {self.doc}"]
        if self.body:
            read = [f"`{p.name}` in {p.unit}" for p in self.parameters if p.unit]
            told = f"; a number without a unit is read as {', '.join(read)}" if read else ""
            lines.append(f"Defined as `{self.body}`{told}.")
        return "\n\n".join([*lines, f"`{self.example}` → {self.result}"])
