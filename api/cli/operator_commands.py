"""Commands of the operator: on the complete home, its files, tokens and settings. No reader may call them.

`brain --as-public backup FILE` would write the private brains too.
"""

from __future__ import annotations

from collections.abc import Sequence

import typer

OPERATOR = frozenset(
    {"ingest", "remove", "library", "backup", "restore", "move", "ack", "tokens", "demo", "serve", "nightly", "doctor"}
    | {"brains set", "silences add", "silences remove", "runs prune"}
    | {"prices import", "prices refresh", "prices held", "prices accept"}
)
"""The commands by name; of a group the complete group, or some of its commands."""

INSTEAD = {
    "backup": "brain {option} export --format json writes what this reader sees",
    "move": "brain {option} export --format json writes what this reader sees",
    "serve": "the service shows each caller what its token allows",
}
"""What does for a reader what a command does for the operator."""


def refuse_reader(words: Sequence[str], option: str) -> None:
    """Refuse a command of the operator; `words` are its name, `option` the one that reads as somebody else.

    Raises:
        typer.BadParameter: it is one.
    """
    found = next((name for name in (words[0], " ".join(words[:2])) if name in OPERATOR), None) if words else None
    if found is None:
        return
    instead = INSTEAD.get(found, "").format(option=option)
    said = f"brain {found} is for the operator, who sees every brain: call it without {option}"
    raise typer.BadParameter(f"{said}; {instead}" if instead else said, param_hint=option)
