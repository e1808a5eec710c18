"""The names of a term, from its head and the beginning of its definition.

    AWQ (Activation-aware …)            abbreviation, expansion
    Data parallelism (DP)               expansion, abbreviation
    FP16 / BF16                         variants
    TTFT    Time To First Token — …     the definition begins with the expansion
    Word (hardware)                     a qualifier: part of the name, not another name

Abbreviations are recognized by the algorithm of Schwartz and Hearst (2003): the letters of the short form occur in the
long form in order, the first at the beginning of a word.
"""

from __future__ import annotations

import re

from graph.models.node_models import Labels

_BRACKET = re.compile(r"(?P<before>.*?)(?<!\s)\s*+\((?P<inner>[^()]{1,80})\)\s*(?P<after>.*)", re.S)
_HEAD = re.compile(r"(?<!\s)\s++[—–-]{1,2}\s+|[;:]\s")
_ALSO = re.compile(r"(?:or|also(?: known as| called| spelt| spelled)?|aka|a\.k\.a\.|=):?\s+(?P<names>\S.*)", re.I)
_ALSO_SIGNS = tuple("oOaA=")
LEAD = 400  # characters of a definition that are searched for long forms

_SMALL = r"(?:of|to|and|for|the|in|per|with|on)"
_CAPITALS = re.compile(rf"[A-Z][\w'’]*(?:[\s-]+(?:{_SMALL}[\s-]+){{0,2}}[A-Z\d][\w'’-]*)*")


def labels_of(head: str, definition: str = "") -> Labels:
    """The names of the term with this `head` and `definition`."""
    definition = " ".join(definition[:LEAD].split())
    head = " ".join(re.sub(r"\*\*|__|`", "", head).split()).strip(" :") or head.strip() or "unnamed"
    match = _BRACKET.fullmatch(head)
    if match and match["before"]:
        return _bracketed(head, match["before"], match["inner"].strip(), match["after"].strip())
    variants = _alternatives(head)
    expansion = None if variants else _leading_expansion(head, definition)
    variants += _long_forms(variants, definition)
    return Labels(preferred=head, abbreviation=head if expansion else None, expansion=expansion, variants=variants)


def _bracketed(head: str, before: str, inner: str, after: str) -> Labels:
    if after:
        *lead, _ = before.split(" ")  # the bracket may name only the word before it
        names = (f"{before} {after}", " ".join((*lead, inner, after)))
        return Labels(preferred=head, variants=names if inner[:1].isupper() else names[:1])
    if abbreviates(inner, before):
        single = inner[:-1] if inner.endswith("s") and inner[:-1].isupper() else inner
        return Labels(preferred=before, abbreviation=single, expansion=before, variants=(inner,) * (single != inner))
    if abbreviates(*_without_tail(before, inner)):
        return Labels(preferred=before, abbreviation=before, expansion=inner)
    others = _other_names(before, inner)
    short = before if others == (inner,) and is_acronym(before) and " " in inner else None
    return Labels(preferred=before if others else head, abbreviation=short, variants=others)


def _other_names(before: str, inner: str) -> tuple[str, ...]:
    """The names in a bracket; none if it is a qualifier."""
    also = _ALSO.fullmatch(inner) if inner.startswith(_ALSO_SIGNS) else None
    if also:
        return tuple(part.strip() for part in re.split(r"/|,|\bor\b", also["names"]) if part.strip())
    parts = tuple(part.strip() for part in inner.split("/") if part.strip())
    if all(" " not in part and len(part) > 1 and (part[:1].isupper() or _has_digit(part)) for part in parts):
        return () if is_acronym(inner) and " " in before else parts
    code_like = " " not in before and (is_acronym(before) or _has_digit(before))
    return (inner,) if code_like and inner[:1].isupper() and " " in inner else ()


def _without_tail(short: str, long: str) -> tuple[str, str]:
    left, right = short.split(), long.split()
    while len(left) > 1 and len(right) > 1 and left[-1].casefold() == right[-1].casefold():
        del left[-1], right[-1]
    return " ".join(left), " ".join(right)


def _has_digit(word: str) -> bool:
    return any(sign.isdigit() for sign in word)


def _alternatives(head: str) -> tuple[str, ...]:
    if " / " in head:
        return tuple(part.strip() for part in head.split(" / ") if part.strip())
    parts = head.split("/")
    shaped = all(len(part) >= 4 and part[:1].isupper() and "$" not in part for part in parts)
    if len(parts) < 2 or not shaped or (_has_digit(parts[0]) != _has_digit(parts[-1])):
        return ()
    return () if _has_digit(parts[-1]) and " " in parts[-1] else tuple(parts)


def _long_forms(variants: tuple[str, ...], definition: str) -> tuple[str, ...]:
    """The long forms in a definition, one for each name."""
    lead, *rest = _HEAD.split(definition, maxsplit=1)
    forms = tuple(part.strip() for part in lead.split(" / "))
    return forms if variants and rest and len(forms) == len(variants) > 1 else ()


def _leading_expansion(head: str, definition: str) -> str | None:
    if not is_acronym(head) or not definition:
        return None
    plain = re.sub(r"\*\*|__|`", "", definition).strip()
    head_of, *rest = _HEAD.split(plain, maxsplit=1)
    lead = re.sub(r"(?<!\s)\s*+\([^()]*\)", "", head_of).strip()
    capital = _CAPITALS.match(lead)
    for candidate in (lead if any(rest) else "", capital[0] if capital else ""):
        count = len(re.split(r"[\s-]+", candidate))
        if 2 <= count <= len(head) + 2 and candidate != head and abbreviates(head, candidate):
            return candidate
    return None


def is_acronym(word: str) -> bool:
    """Whether a name is one short word with two capitals or more."""
    return " " not in word and 2 <= len(word) <= 10 and sum(sign.isupper() for sign in word) >= 2


def abbreviates(short: str, long: str) -> bool:
    """Whether `short` abbreviates `long`, by its letters in order."""
    signs = [sign for sign in short.casefold() if sign.isalnum()]
    text = long.casefold()
    if " " in short or not 2 <= len(signs) <= 10 or len(text) <= len(short) + 2 or len(text.split()) > 2 * len(signs):
        return False
    initials = "".join(word[0] for word in re.findall(r"\w+", text))
    if not (any(sign.isupper() for sign in short[1:]) or short.isupper() or initials.startswith("".join(signs))):
        return False
    at = len(text)
    for index in range(len(signs) - 1, -1, -1):
        at = _before(text, signs[index], at, first=index == 0)
        if at < 0:
            return False
    return not any(sign.isalnum() for sign in text[:at])


def _before(text: str, sign: str, end: int, *, first: bool) -> int:
    """The last position of `sign` before `end`; `first`: beginning a word."""
    if first and text.startswith(sign) and end > 0:
        return 0
    at = text.rfind(sign, 0, end)
    while first and at > 0 and text[at - 1].isalnum():
        at = text.rfind(sign, 0, at)
    return at
