"""Matches the arguments of a call to the parameters of its function."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from compute.formula import formula_tree as tree
from compute.formula.formula_errors import WrongArgumentsError
from compute.formula.function_table import Function, Parameter
from compute.formula.parser import parse
from compute.prices.price_models import Question
from compute.units import units
from graph.text.similar_names import suggestion

Bound = Sequence[tuple[Parameter, tree.Node]]

LARGEST_CONTEXT = 10**12


def bound(function: Function, call: tree.Call) -> list[tuple[Parameter, tree.Node]]:
    """Parameters with their arguments or defaults, in order, without omitted ones; raises WrongArgumentsError."""
    given = _placed(function, call)
    result = []
    for parameter in function.parameters:
        node = given.get(parameter.name)
        if node is None and parameter.default is not None:
            node = parse(parameter.default)
        if node is None and parameter.needed:
            raise WrongArgumentsError(f"{function.name} needs argument ‘{parameter.name}’", call.at, function.usage())
        if node is not None:
            result.append((parameter, node))
    if function.many:
        result += [(function.parameters[-1], node) for node in call.arguments[len(function.parameters) :]]
    return result


def _placed(function: Function, call: tree.Call) -> dict[str, tree.Node]:
    names = [parameter.name for parameter in function.parameters]
    ordered = [one.name for one in function.parameters if one.needed or function.kind != "lookup"]
    if len(call.arguments) > len(ordered) and not function.many:
        at = call.arguments[len(ordered)].at or call.at
        raise WrongArgumentsError(f"{function.name} takes {len(ordered)} positional arguments", at, function.usage())
    given: dict[str, tree.Node] = dict(zip(ordered, call.arguments, strict=False))
    for keyword in call.keywords:
        if keyword.name not in names:
            hint = suggestion(keyword.name, names) or function.usage()
            raise WrongArgumentsError(f"{function.name} has no argument ‘{keyword.name}’", keyword.at, hint)
        if keyword.name in given:
            raise WrongArgumentsError(f"{keyword.name} is given twice", keyword.at)
        given[keyword.name] = keyword.value
    return given


def leaf(function: Function, arguments: Bound) -> tree.Leaf:
    """What a lookup looks up, by literal arguments; raises WrongArgumentsError for computed ones."""
    given: dict[str, Any] = {parameter.name: _read(parameter, node) for parameter, node in arguments}
    on = given.pop("on", None)
    if function.name == "assume":
        return tree.AssumptionLeaf(given["name"], on)
    if function.name == "table":
        return tree.CellLeaf(**given)
    items = given.pop("items", None) or (given.pop("item"),)
    return tree.PriceLeaf(function.name, tuple(Question(item=item, **given) for item in items), on)


def _read(parameter: Parameter, node: tree.Node) -> str | int | date | tuple[str, ...]:
    match parameter.takes, node:
        case ("text", tree.Text(content=text)) if text.strip():
            return text.strip()
        case ("choice", tree.Text(content=text)) if text in parameter.choices:
            return text
        case ("texts", tree.Listing(items=items)) if items:
            return tuple(str(_read(Parameter(parameter.name, "text"), item)) for item in items)
        case ("day", tree.Day(day=day)):
            return day
        case ("count", tree.Number(value=value, unit=unit)) if _counts_tokens(value, unit):
            return int(value * (unit.factor if unit else 1))
    wanted = _WANTED.get(parameter.takes) or f"one of {', '.join(parameter.choices)}"
    raise WrongArgumentsError(f"the argument ‘{parameter.name}’ must be {wanted}", node.at)


_WANTED = {
    "text": 'a text in quotes, such as "acme/large"',
    "texts": 'a list of texts, such as ["acme/large", "acme/small"]',
    "day": "a date, such as 2025-02-01",
    "count": "a whole number of tokens, such as 200k",
}


def _counts_tokens(value: Decimal, unit: units.Unit | None) -> bool:
    whole = value == value.to_integral_value() and abs(value) <= LARGEST_CONTEXT
    return whole and (unit is None or unit.dimension is units.atom("token").dimension)
