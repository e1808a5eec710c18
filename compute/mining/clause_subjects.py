"""Whether the words between two figures begin a clause about something else.

Our bill dropped by 30% although | the token price | was cut from $5 to $2.50
Her salary went from $50,000 to $60,000, and | the company | gave her manager a 5% rise
"""

from __future__ import annotations

import re

from compute.mining.number_words import word_set

_BEGINNING = re.compile(
    r"(?:;|\b(?:and|but|while|whereas|although|though|because))\s+(?:even )?"
    r"(?:the|our|its|his|her|their|my|your)\s+(?P<noun>[a-z][a-z'’-]+)(?P<more>(?: [a-z][a-z'’-]+){0,3})",
    re.I,
)
_CHANGES = word_set("""
    increase rise fall drop cut reduction saving savings discount change growth gain decline decrease jump difference
    price cost total bill figure number amount value rate share result margin difference loss hike improvement raise
    whole overall latter former same
""")
"""Nouns that name the change itself, or any figure: they begin nothing else."""


def begins_anew(between: str, before: str) -> bool:
    """Whether a clause with a subject of its own begins between two figures; `before` is the text before both."""
    begun = [*_BEGINNING.finditer(between)][-1:]
    return any(
        _CHANGES.isdisjoint({one["noun"].lower(), *one["more"].lower().split()[:1]})
        and one["noun"].lower() not in before.lower()
        for one in begun
    )
