"""Commands whose argument is a text: what to do about one that begins with a dash."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import Any

from typer import TyperException
from typer.core import TyperCommand


class TextCommand(TyperCommand):
    """A command with a text. `-cache`, which excludes a word, is read as options; the error says how to write it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  # the signature of the class above
        """As above; where an option is unknown, with an example of a text after `--`."""
        given = tuple(args)
        try:
            return super().parse_args(ctx, args)
        except TyperException as error:
            text = _with_option(given, getattr(error, "option_name", ""))
            if text is not None:
                error.message += (
                    f"\nA text that begins with a dash goes in quotes after --:\n{ctx.command_path} -- {quote(text)}"
                )
            raise


def _with_option(given: Sequence[str], option: str) -> str | None:
    """The argument with one dash in which a letter was read as an unknown option: `-cache` for `-c`."""
    if len(option) != 2:
        return None
    return next((one for one in given if one[:1] == "-" and one[:2] != "--" and option[1] in one), None)
