"""Formats mined statements as claims in YAML, as drafts for a claim file.

- id: mined-1a2b3c4d
  node: acme/caching
  says: …the sentence of the node…
  as_of: 2025-02-01
  given:
    before: 3.00 USD/Mtok
    after: 0.15 USD/Mtok
  value: 1 - after / before
  expect: {is: 95%, within: 0.5pp}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from compute.mining.mining_models import Statement

_FORMS = {"is": "is", "at most": "at_most", "at least": "at_least"}


def claims(statements: Iterable[Statement], today: date) -> str:
    """The statements that a formula can check, as a file of claims; `today` is the day of statements without a day.

    A sentence that a node repeats gives one claim, and every claim has an id of its own.
    """
    wanted = [
        one
        for one in statements
        if one.verdict in {"holds", "stale", "refuted"} and one.kind != "cross-document" and one.computed is not None
    ]
    told = [_named(one, name, today) for one, name in _names(wanted, today)]
    return "claims:\n" + "".join(told) if told else "claims: []\n"


def _names(wanted: Iterable[Statement], today: date) -> Iterator[tuple[Statement, str]]:
    """Each different claim with its id; of two that share the beginning of a hash, the later id gets a number."""
    found: dict[str, str] = {}
    for one in wanted:
        stem = name = f"mined-{one.id.rpartition('#')[2]}"
        text, number = _named(one, "", today), 1
        while found.get(name, text) != text:
            number += 1
            name = f"{stem}-{number}"
        if name not in found:
            found[name] = text
            yield one, name


_PLAIN = re.compile(r"[A-Za-z0-9(][^\n\r\t]*")


def _formula(text: str) -> str:
    """A formula as a scalar of YAML, in quotes where it could be read as something else."""
    plain = _PLAIN.fullmatch(text) and ": " not in text and " #" not in text and not text.endswith(":")
    return text if plain else json.dumps(text, ensure_ascii=False)


def _named(one: Statement, name: str, today: date) -> str:
    lines = [
        f"id: {name}",
        f"node: {_formula(one.node)}",
        f"says: {json.dumps(' '.join(one.quote.split()), ensure_ascii=False)}",
        f"as_of: {one.as_of or today}",
    ]
    if one.inputs:
        lines += ["given:", *(f"  {given.name}: {_formula(given.formula)}" for given in one.inputs)]
    lines += [
        f"value: {_formula(one.expression)}",
        f"expect: {_expected(one)}",
        f"note: {json.dumps(_told(one), ensure_ascii=False)}",
    ]
    return "".join(f"{'  - ' if index == 0 else '    '}{line}\n" for index, line in enumerate(lines))


def _expected(one: Statement) -> str:
    tolerance = f"{one.within:f}"
    if one.unit in {"%", "pp"}:
        bound, within = f"{one.stated:f}%", f"{tolerance}pp"
    elif one.unit in {"x", ""}:
        bound, within = f"{one.stated:f}", tolerance
    else:
        bound, within = f"{one.stated:f} {one.unit}", f"{tolerance} {one.unit}"
    form = _FORMS[one.bound]
    if form != "is":
        return f"{{{form}: {bound}}}"
    return f"{{is: {bound}}}" if one.within == Decimal(0) else f"{{is: {bound}, within: {within}}}"


def _told(one: Statement) -> str:
    return f"found in the text, {one.verdict}, confidence {one.confidence}" + (f": {one.note}" if one.note else "")
