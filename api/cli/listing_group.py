"""Groups of commands whose bare name is short for their `list`: `runs`, `silences`, `library`, `brains`, `tokens`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperGroup


class ListingGroup(TyperGroup):
    """`brain runs 3` and `brain silences --json` are short for `brain runs list 3` and `brain silences list --json`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  # the signature of the class above
        """Put `list` before options and numbers, and where there is nothing."""
        first = args[0] if args else "-"
        bare = first[:1] in "-0123456789" and first not in {"-h", "--help"}
        return super().parse_args(ctx, ["list", *args] if bare else args)


def listing_group(says: str, **commands: Callable[..., None]) -> typer.Typer:
    """A group with these commands, one of them `list`."""
    group = typer.Typer(cls=ListingGroup, help=says)
    for name, command in commands.items():
        group.command(name)(command)
    return group
