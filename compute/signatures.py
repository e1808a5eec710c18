"""What a function of the formula language takes and gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class Function:
    """One function: what it takes, what it gives, an example with its result as it is shown."""

    name: str
    kind: Literal["lookup", "numeric", "library", "solve"]
    doc: str
    parameters: tuple[Parameter, ...]
    example: str
    result: str = ""
    body: str = ""
    many: bool = False

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
