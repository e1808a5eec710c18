"""The rule for texts that name one model or card while the formula reads another, or a family."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compute.figures.price_subjects import Mention, lexicon
from compute.formula.formula_tree import AssumptionLeaf
from compute.linting.subjects import Finding, Subject

_CARDS = (
    r"(?:(?:GB?|[HABVLTP])\d{1,3}0{1,2}[A-Z]?|L4|L40S?|T4|MI\d{3}X?|RTX ?\d{4}|TPU[ -]?v\d\w?|A10G?)(?![A-Za-z0-9])"
)
_CARD, _ITEM_CARD = re.compile(rf"(?<![A-Za-z0-9-]){_CARDS}"), re.compile(rf"(?<![a-z0-9]){_CARDS}", re.I)
_TOKEN = re.compile(r"[a-z]+|\d+")
_WINDOW = re.compile(r"-\d{1,4}k\b")  # the context window in a name: gpt-4-32k
_PER_TOKEN = ("Mtok", "ktok", "token")
_DROPPED = frozenset({"latest", "preview", "exp", "v"})


def models(subject: Subject) -> Iterator[Finding]:
    """The text names one model or card, and the formula reads another, or the family.

    A family moves to a new model when there is one. Where the text names a version, read the price of that version.
    """
    if subject.program is None:
        return
    found = _cards(subject) or _models(subject)
    if found:
        message, hint = found
        where = "quote" if subject.claim.quote else "says"
        yield Finding((where,), message, hint)


def _cards(subject: Subject) -> tuple[str, str] | None:
    """The text and the formula name cards, and none is the same."""
    leaves = subject.program.leaves if subject.program else ()
    read = [*subject.items(), *(leaf.name for leaf in leaves if isinstance(leaf, AssumptionLeaf))]
    used = {card for item in read for card in _ITEM_CARD.findall(item.replace("_", "-"))}
    named = {re.sub(r"[ -]", "", card).lower() for card in _CARD.findall(subject.words)}
    same = any(one.startswith(other) or other.startswith(one) for one in used for other in named)  # L40 and L40S
    if not used or not named or same:
        return None
    text, formula = (", ".join(sorted(card.upper() for card in cards)) for cards in (named, used))
    return f"{_who(subject)} {text}, and the formula reads {formula}", "read the price of the card that the text names"


def _models(subject: Subject) -> tuple[str, str] | None:
    families = subject.context.book.families
    read = [
        item
        for item in subject.items()
        if item in families or any(price.unit.endswith(_PER_TOKEN) for price in subject.context.book.prices(item)[:3])
    ]
    mentions = lexicon(subject.context.book).mentions(subject.words)
    if not read or not mentions:
        return None
    return _family_for_model(subject, read, mentions) or _other_model(subject, read, mentions)


def _family_for_model(subject: Subject, read: list[str], mentions: list[Mention]) -> tuple[str, str] | None:
    """The text names only models, and the formula reads their family."""
    families, models = subject.context.book.families, [mention for mention in mentions if not mention.family]
    if any(_key(other) in {_key(mention.item) for mention in models} for other in read if other not in families):
        return None
    for item in read:
        if item not in families or any(mention.family and mention.item == item for mention in mentions):
            continue
        members = _members(item, subject)
        named = [mention for mention in models if _key(mention.item) in members]
        if len({mention.item for mention in named}) == 1:
            message = f"{_who(subject)} {_text(subject, named[0])}, and the formula reads the family {item}"
            return message, f"read the price of {named[0].item}, whose price does not move to a later model"
    return None


def _other_model(subject: Subject, read: list[str], mentions: list[Mention]) -> tuple[str, str] | None:
    """The formula reads no model of the text, or a variant of one."""
    used, named = (
        {_key(item) for item in items}.union(*(_members(item, subject) for item in items))
        for items in (read, [mention.item for mention in mentions])
    )
    rest = subject.words
    for mention in reversed(mentions):
        rest = rest[: mention.start] + " " + rest[mention.end :]
    beside = set(_TOKEN.findall(rest.lower()))  # `Turbo` alone may name a model too
    if any(word in beside for key in used for word in key if word.isalpha() and len(word) >= 4):
        return None
    variant = any(one[: len(other)] == other for one in used - named for other in named - used)  # GPT-4 Turbo for GPT-4
    if used & named and not variant:
        return None
    text = ", ".join(dict.fromkeys(_text(subject, mention) for mention in mentions))
    message = f"{_who(subject)} {text}, and the formula reads {', '.join(read)}"
    return message, "read the price of the model that the text names"


def _members(item: str, subject: Subject) -> set[tuple[str, ...]]:
    """The keys of the models of a family; none for a model."""
    family = subject.context.book.families.get(item)
    return {_key(member.model) for member in family.members} if family else set()


def _key(item: str) -> tuple[str, ...]:
    """A model's name without provider, date and words such as latest."""
    words = _TOKEN.findall(_WINDOW.sub("", item.rpartition("/")[2].lower()))
    return tuple(word for word in words if word not in _DROPPED and not (word.isdigit() and len(word) >= 4))


def _text(subject: Subject, mention: Mention) -> str:
    return subject.words[mention.start : mention.end]


def _who(subject: Subject) -> str:
    return "the quote names" if subject.claim.quote else "the claim names"
