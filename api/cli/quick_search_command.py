"""The plain forms of `brain search`, answered without typer, pydantic, SQLAlchemy and NumPy.

To import these takes three times as long as the search. Every other command line, and every home that is not in its
usual state, is left to the complete program: it answers the same, or says what is wrong.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from api.plain_settings import HOME, only_texts

if TYPE_CHECKING:
    from graph.search.quick_search import QuickAnswer, QuickQuery  # loaded for a search


def answered(arguments: Sequence[str]) -> bool:
    """Print what a plain search finds; False if these arguments are something else, or the complete program is needed.

    Plain is `[--home DIR] search TEXT` with the options --tag, --kind, --brain and --limit, each before its value.
    """
    if "search" not in arguments[:3] or not only_texts(os.environ):
        return False
    named = arguments[0] == "--home" and len(arguments) > 3
    home = Path(arguments[1] if named else os.environ.get("BRAIN_HOME", HOME))
    command, *rest = arguments[2:] if named else arguments
    query = _query(rest) if command == "search" else None
    found = None if query is None else _found(home, query)
    if found is None:
        return False
    from api.terminal import output, search_listing  # noqa: PLC0415  # not for other commands

    output.output().print(search_listing.listing(found))
    return True


def _query(arguments: Sequence[str]) -> QuickQuery | None:
    """The query of the arguments of `search`; None unless they are plain."""
    from graph.models.node_cards import Kind  # noqa: PLC0415  # not for other commands
    from graph.search.quick_search import QuickQuery  # noqa: PLC0415  # as above

    options: dict[str, list[str]] = {"--tag": [], "--kind": [], "--brain": [], "--limit": [], "": []}
    left = list(arguments)
    while left:
        name = left.pop(0) if left[0] in options and len(left) > 1 and left[0] else ""
        value = left.pop(0)
        if value.startswith("-") or not value.strip():
            return None
        options[name].append(value)
    kinds, brains, limits, texts = (options[name] for name in ("--kind", "--brain", "--limit", ""))
    known = all(kind in set(Kind) for kind in kinds) and all(_is_limit(one) for one in limits)
    if len(texts) != 1 or not known or max(map(len, (kinds, brains, limits))) > 1:
        return None
    kind, brain, limit = (one[0] if one else None for one in (kinds, brains, limits))
    return QuickQuery(texts[0], tuple(options["--tag"]), Kind(kind) if kind else None, brain, int(limit or 20))


def _is_limit(text: str) -> bool:
    return text.isascii() and text.isdigit() and 0 < len(text) < 5 and 1 <= int(text) <= 1000


def _found(home: Path, query: QuickQuery) -> QuickAnswer | None:
    """The answer; None where the complete program is needed."""
    from api.services.home_folder import make_private  # noqa: PLC0415  # not for other commands
    from graph.search.quick_search import quick_answer  # noqa: PLC0415  # as above

    try:
        found = quick_answer(home / "brain.db", home / "index", query)
    except Exception:  # noqa: BLE001 - whatever is unusual, the complete program handles or reports it
        return None
    if found is not None:
        make_private(home)
    return found
