"""The name of a model or machine without its seller, so that the same thing of several providers can be compared.

    aws/global.anthropic.claude-sonnet-4-5-20250929-v1:0 ─▶ claude-sonnet-4-5 ◀─ openrouter/anthropic/claude-sonnet-4.5

What is another product keeps another name: `:batch`, `:free`, `-mini`, `-turbo`.
"""

from __future__ import annotations

import re
from functools import lru_cache

_RULES = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r"^(?:global|regional|us|eu|apac)\.", ""),  # how AWS routes a request
        (r"^[a-z]+\.(?=[a-z])", ""),  # the maker, as AWS writes it
        (r"-v\d+:\d+$", ""),  # the revision, as AWS writes it
        (r"[-@]20\d\d-?[01]\d-?[0-3]\d(?=$|:)", ""),  # the day of the release
        (r"-latest(?=$|:)", ""),
        (r"^meta-(?=llama)", ""),
        (r"(?<=\d)p(?=\d)", "-"),  # Fireworks writes k2p5 for K2.5
        (r"-fp8(?=$|:)", ""),  # the precision in which it is served
        (r"-instruct(?:-turbo)?(?=$|:)", ""),
        (r"-(?:low|high)$", ""),  # both ends of a range of offers
        (r"[._]", "-"),
    )
)
"""What is taken off a name, or written in one way, in this order."""


@lru_cache(maxsize=1 << 14)
def model_key(item: str) -> str:
    """The name by which an item is compared: the last part of its name, written in one way."""
    name = item.rpartition("/")[2].lower()
    for pattern, by in _RULES:
        name = pattern.sub(by, name)
    return name


def range_end(item: str) -> str:
    """`low` or `high` if the item is an end of a range of offers, else nothing."""
    found = re.search(r"-(low|high)$", item)
    return found[1] if found else ""
