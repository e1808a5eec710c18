"""The text names a model or a card, and the formula reads the price of another one, or of a family."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compute.figures.price_subjects import Mention
from compute.formula.formula_tree import AssumptionLeaf
from compute.linting.subjects import Finding, LintContext, Subject
from compute.prices.families import Family

_CARD = re.compile(
    r"(?<![A-Za-z0-9-])(?P<card>(?:GB?|[HABVLTP])\d{1,3}0{1,2}[A-Z]?|L4|L40S?|T4|MI\d{3}X?|RTX ?\d{4}"
    r"|TPU ?v\d\w?|A10G?)(?![A-Za-z0-9])"
)
_ITEM_CARD = re.compile(
    r"(?<![a-z0-9])(?:(?:gb?|[habvltp])\d{1,3}0{1,2}[a-z]?|l4|l40s?|t4|mi\d{3}x?|rtx\d{4}|tpu-?v\d\w?|a10g?)(?![a-z0-9])"
)
_TOKEN = re.compile(r"[a-z]+|\d+")
_WINDOW = re.compile(r"-\d{1,4}k\b")
"""The context window in a name: gpt-4-32k."""
_DROPPED = frozenset({"latest", "preview", "exp", "v"})


def models(subject: Subject, context: LintContext) -> Iterator[Finding]:
    """The text names one model or card, and the formula reads another, or the family.

    A family moves to a new model when there is one. Where the text names a version, read the price of that version.
    """
    if subject.program is None:
        return
    found = _cards(subject) or _models(subject, context)
    if found:
        message, hint = found
        yield Finding("model-named", subject.claim.id, _where(subject), message, hint)


def _cards(subject: Subject) -> tuple[str, str] | None:
    """Cards: the text names some, the formula reads some, and none is the same."""
    leaves = subject.program.leaves if subject.program else ()
    read = [*subject.items(), *(leaf.name for leaf in leaves if isinstance(leaf, AssumptionLeaf))]
    used = {card for item in read for card in _ITEM_CARD.findall(item.replace("_", "-"))}
    named = {re.sub(r"[ -]", "", match["card"]).lower() for match in _CARD.finditer(subject.words)}
    if not used or not named or _overlap(used, named):
        return None
    text, formula = (", ".join(sorted(card.upper() for card in cards)) for cards in (named, used))
    return f"{_who(subject)} {text}, and the formula reads {formula}", "read the price of the card that the text names"


def _overlap(one: set[str], other: set[str]) -> bool:
    """Whether two sets name one card; `l40` and `l40s` count as one."""
    return any(a.startswith(b) or b.startswith(a) for a in one for b in other)


def _models(subject: Subject, context: LintContext) -> tuple[str, str] | None:
    families = context.book.families
    read = [item for item in subject.items() if item in families or _known_model(item, context)]
    mentions = context.lexicon.mentions(subject.words)
    if not read or not mentions:
        return None
    return _family_for_model(subject, context, read, mentions) or _other_model(subject, context, read, mentions)


def _known_model(item: str, context: LintContext) -> bool:
    return any(price.unit.endswith(("Mtok", "ktok", "token")) for price in context.book.prices(item)[:3])


def _family_for_model(
    subject: Subject, context: LintContext, read: list[str], mentions: list[Mention]
) -> tuple[str, str] | None:
    """The text names only models and the formula reads their family."""
    families, names = context.book.families, {_key(mention.item) for mention in mentions if not mention.family}
    for item in read:
        family = families.get(item)
        if family is None:
            continue
        named = [mention for mention in mentions if not mention.family and _member(mention.item, family)]
        family_named = any(mention.family and mention.item == item for mention in mentions)
        if (
            len({mention.item for mention in named}) == 1
            and not family_named
            and not any(_key(other) in names for other in read if other not in families)
        ):
            model = named[0].item
            message = f"{_who(subject)} {_text(subject, named[0])}, and the formula reads the family {item}"
            return message, f"read the price of {model}, whose price does not move to a later model"
    return None


def _other_model(
    subject: Subject, context: LintContext, read: list[str], mentions: list[Mention]
) -> tuple[str, str] | None:
    """The text names models, the formula reads models, and none is the same, or one is a variant of the named one."""
    families = context.book.families
    used = {_key(item) for item in read}
    used |= {_key(member.model) for item in read if item in families for member in families[item].members}
    named = {_key(mention.item) for mention in mentions}
    for mention in mentions:
        if mention.item in families:
            named |= {_key(member.model) for member in families[mention.item].members}
    rest = _rest(subject, mentions)
    if any(word in rest for key in used for word in key if word.isalpha() and len(word) >= 4):
        return None
    if used & named and not _mistaken(used - named, named - used):
        return None
    text = ", ".join(dict.fromkeys(_text(subject, mention) for mention in mentions))
    message = f"{_who(subject)} {text}, and the formula reads {', '.join(read)}"
    return message, "read the price of the model that the text names"


def _mistaken(used: set[tuple[str, ...]], named: set[tuple[str, ...]]) -> bool:
    """Whether one of several models is a variant of the one that is named: GPT-4 Turbo for GPT-4."""
    return any(one[: len(other)] == other for one in used for other in named)


def _rest(subject: Subject, mentions: list[Mention]) -> set[str]:
    """The words of the text outside the names: `Turbo` alone may name a model too."""
    text = subject.words
    for mention in reversed(mentions):
        text = text[: mention.start] + " " + text[mention.end :]
    return set(_TOKEN.findall(text.lower()))


def _member(item: str, family: Family) -> bool:
    return _key(item) in {_key(member.model) for member in family.members}


def _key(item: str) -> tuple[str, ...]:
    """The name of a model without its provider, its date and words such as latest."""
    words = _TOKEN.findall(_WINDOW.sub("", item.rpartition("/")[2].lower()))
    return tuple(word for word in words if word not in _DROPPED and not (word.isdigit() and len(word) >= 4))


def _text(subject: Subject, mention: Mention) -> str:
    return subject.words[mention.start : mention.end]


def _who(subject: Subject) -> str:
    return "the quote names" if subject.claim.quote else "the claim names"


def _where(subject: Subject) -> tuple[str, ...]:
    return ("quote",) if subject.claim.quote else ("says",)
