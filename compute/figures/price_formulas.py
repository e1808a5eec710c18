"""The price lookups of formulas: read from them, and written into them."""

from __future__ import annotations

import re
from decimal import Decimal

from compute.prices.price_models import Question

_LOOKUP = re.compile(r'price\("(?P<item>[^"]+)", "(?P<component>[^"]+)"(?P<rest>[^()]*)\)')
_PROCESSING = re.compile(r'processing="(\w+)"')
_CONTEXT = re.compile(r"context=([\d_.]+) ?([kKM]?)")
_SCALES = {"": 1, "k": 1_000, "K": 1_000, "M": 1_000_000}


def questions(expression: str) -> list[Question]:
    """The lookups of a formula, in order."""
    return [
        Question(
            item=match["item"], component=match["component"],
            processing=found[1] if (found := _PROCESSING.search(match["rest"])) else "standard",
            context=_tokens(match["rest"]),
        )
        for match in _LOOKUP.finditer(expression)
    ]  # fmt: skip


def lookup(question: Question) -> str:
    """A lookup as formulas write it."""
    processing = f', processing="{question.processing}"' if question.processing != "standard" else ""
    context = f", context={question.context}" if question.context else ""
    return f'price("{question.item}", "{question.component}"{processing}{context})'


def _tokens(arguments: str) -> int:
    """The context that a lookup asks for: 200_001, 250k; 0 if it names none."""
    found = _CONTEXT.search(arguments)
    return int(Decimal(found[1].replace("_", "").rstrip(".")) * _SCALES[found[2]]) if found else 0
