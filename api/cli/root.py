"""The program: runs a command line, and ends with its exit code.

0  done
1  a check failed: claims with a verdict of --fail-on, problems under --strict
2  the command line or the configuration is wrong
3  an input could not be read, or a service could not be reached
4  the verdicts were made, but a notice could not be delivered
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from api.cli.quick_search_command import answered

RARELY = (50_000, 20, 50)
"""How many objects are made between two looks for garbage in circles: a brain has many objects and few circles."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command line and exit with its code; expected errors print one line on standard error."""
    gc.set_threshold(*RARELY)
    try:
        if not answered(sys.argv[1:] if arguments is None else arguments):
            from api.cli.program import app  # noqa: PLC0415  # a quick search does without typer

            app(args=arguments, prog_name="brain")
    except KeyboardInterrupt:
        _leave("stopped", 130)
    except Exception as error:  # the table below decides; what it does not know is a defect and keeps its traceback
        from api.cli.error_exits import code_of, error_text, setting_error  # noqa: PLC0415  # names the errors of every room, which a listing saves

        if wrong := setting_error(error):
            _leave(wrong, 2)
        code = code_of(error)
        if code is None:
            raise
        _leave(error_text(error), code)


def _leave(message: str, code: int) -> None:
    sys.stderr.write(f"brain: {message}\n")
    raise SystemExit(code)
