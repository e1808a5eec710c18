"""The names and roles of columns in a table of terms."""

from __future__ import annotations

import re
from collections.abc import Sequence

NAMES: tuple[tuple[str, str], ...] = (
    (
        "term",
        r"terms?|names?|concepts?|(?:head)?words?|entry|entries|expressions?|keywords?|jargon|phrases?|notions?"
        r"|begriffe?|termes?|término|termo|termine",
    ),
    (
        "definition",
        r"definitions?|meanings?|descriptions?|explanations?|gloss|means|what (?:it|this) (?:means|is)"
        r"|in (?:short|plain (?:words|english|language|terms)|other words|one (?:line|sentence))"
        r"|bedeutung|erklärung|beschreibung|définition|signification|definición|significado|definição|definizione",
    ),
    ("abbreviation", r"abbreviations?|acronyms?|abbr\.?|short(?: form)?|symbol|initialism|abkürzung|sigles?|siglas?"),
    (
        "expansion",
        r"expansions?|full (?:name|form|term)|stands for|long form|expanded|(?:spelled|spelt|written) out|langform",
    ),
    ("variants", r"variants?|synonyms?|aliases|aka|also (?:known as|called)|other names?|synonyme|sinónimos"),
    ("number", r"#|№|n[or]\.?"),
)
"""The role of a column, and the regular expression of its names."""

_ROLES = tuple((role, re.compile(rf"\W*(?:{words})\W*" if role != "number" else words, re.I)) for role, words in NAMES)


def words_of(*roles: str) -> str:
    """The names of some roles as one alternative of a regular expression."""
    return "|".join(words for role, words in NAMES if role in roles)


def roles_of(header: Sequence[str]) -> dict[str, int] | None:
    """The column index of each role, or None if it is not a table of terms.

    A table of acronyms has no column `term`: there the abbreviation is the term.
    """
    found: dict[str, int] = {}
    for index, cell in enumerate(header):
        for role, words in _ROLES:
            if role not in found and words.fullmatch(cell.strip()):
                found[role] = index
                break
    if "term" not in found and "abbreviation" in found:
        found["term"] = found.pop("abbreviation")
    if "definition" not in found and "expansion" in found:
        found["definition"] = found["expansion"]
    return found if "term" in found and "definition" in found else None
