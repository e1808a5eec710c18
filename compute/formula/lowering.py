"""Syntax tree to terms: names become slots, lookups become leaves, library functions become their definitions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from compute.formula import formula_tree as tree
from compute.formula import function_table
from compute.formula.formula_errors import (
    FormulaError,
    MismatchError,
    TooMuchError,
    UnexpectedError,
    UnknownError,
    WrongArgumentsError,
)
from compute.formula.function_table import Function, Parameter
from compute.formula.parser import parse
from compute.formula.unit_types import UNKNOWN, UnitType, unit_type, unit_type_of_unit
from compute.prices.price_models import Question
from compute.units import units
from compute.units.units import PLAIN
from graph.text.similar_names import misspelt, near, suggestion

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


MOST_NESTED_CALLS = 8
MOST_SLOTS = 200
_NO_RANGE = "only arguments are ranges or lists; a figure with ends is {value: 600 W, low: 500 W, high: 700 W}"


class Slots:
    """The slots of a claim during lowering: leaves count up from 0, all others down from -1, the end of the frame."""

    def __init__(self) -> None:
        self.leaves: dict[tree.Leaf, int] = {}
        self.labels: list[str] = []
        self._known: list[UnitType] = []
        self._computed: list[UnitType] = []

    @property
    def sorts(self) -> list[UnitType]:
        """Unit types of a frame that are known without prices."""
        return self._known + self._computed[::-1]

    def leaf(self, leaf: tree.Leaf, label: str, at: int) -> int:
        """The slot of a leaf, added on the first request."""
        place = self.leaves.setdefault(leaf, len(self._known))
        if place == len(self._known):
            self._room(at)
            self.labels.append(label)
            self._known.append(unit_type_of_unit(leaf.unit) if isinstance(leaf, tree.LiteralLeaf) else UNKNOWN)
        return place

    def slot(self, known: UnitType, at: int) -> int:
        """A new slot for a computed number or an unknown."""
        self._room(at)
        self._computed.append(known)
        return -len(self._computed)

    def _room(self, at: int) -> None:
        if len(self._known) + len(self._computed) >= MOST_SLOTS:
            raise TooMuchError("the claim has too many figures", MOST_SLOTS, at)


@dataclass(frozen=True, slots=True)
class Lowering:
    """Lowers one formula; `names` maps names to terms, `nested` counts the calls around it."""

    names: Mapping[str, tree.Node]
    slots: Slots
    nested: int = 0
    solving: bool = False

    def term(self, node: tree.Node) -> tree.Node:
        """The term of a part of the tree; raises FormulaError."""
        match node:
            case tree.Number() | tree.Truth():
                return node
            case tree.Day():
                hours = Decimal(node.day.toordinal()) * 24
                return tree.Number(node.text, node.at, node.end, hours, units.atom("hour"))
            case tree.Name():
                return self._name(node)
            case tree.Negative():
                return tree.Negative(node.text, node.at, node.end, self.term(node.of))
            case tree.Binary():
                self._check_unit(node)
                left, right = self.term(node.left), self.term(node.right)
                return tree.Binary(node.text, node.at, node.end, node.operator, left, right, node.mark)
            case tree.Call():
                return self._call(node)
            case tree.Text():
                found = f"the text {node.text}"
                raise UnexpectedError(found, "a figure", node.at, "texts are arguments of price, assume and table")
        raise UnexpectedError(f"‘{node.text}’", "a figure", node.at, _NO_RANGE)

    def _check_unit(self, node: tree.Binary) -> None:
        """Reject an unknown name in a unit, which is meant as one: `2 USD/huor`."""
        left, right = node.left, node.right
        measured = isinstance(left, tree.Number) and left.unit is not None and node.operator in {"/", "-"}
        if not measured or not isinstance(right, tree.Name) or right.at - left.end != 1:
            return
        known = right.name in self.names or right.name in units.vocabulary().names or near(right.name, self.names, 1)
        hint = misspelt(right.name, units.vocabulary().names)
        if not known and (hint or node.operator == "/"):
            raise UnknownError("unit", right.name, right.at, hint or "only units and the names under given can be used")

    def _name(self, node: tree.Name) -> tree.Node:
        name = node.name
        if name in self.names:
            return replace(self.names[name], at=node.at)
        if not (hint := suggestion(name, self.names)):
            hint = "only the names under given can be used"
            if units.reserved(name) or name in units.vocabulary().names:
                hint = f"a unit follows a number: 1 {name}"
            elif name in function_table.BY_NAME:
                hint = f"a function is called with its arguments: {function_table.BY_NAME[name].usage()}"
        raise UnknownError("name", name, node.at, hint)

    def _call(self, node: tree.Call) -> tree.Node:
        function = function_table.BY_NAME.get(node.function)
        if function is None:
            hint = suggestion(node.function, function_table.BY_NAME)
            hint = f"{node.function} is a name: write an operator behind it" if node.function in self.names else hint
            raise UnknownError("function", node.function, node.at, hint)
        if self.nested >= MOST_NESTED_CALLS:
            raise TooMuchError("functions are nested too deeply", MOST_NESTED_CALLS, node.at)
        return Lowering(self.names, self.slots, self.nested + 1, self.solving).application(node, function)

    def application(self, node: tree.Call, function: Function) -> tree.Node:
        """The term of a function call."""
        arguments = bound(function, node)
        match function.kind:
            case "lookup":
                slot = self.slots.leaf(leaf(function, arguments), node.text, node.at)
                return tree.Slot(node.text, node.at, node.end, slot, node.text)
            case "numeric":
                terms = tuple(self._argument(parameter, argument) for parameter, argument in arguments)
                return tree.Call(node.text, node.at, node.end, function.name, terms)
            case "library":
                return self._defined(node, function, arguments)
            case "solve":
                return self._solve(node, arguments)

    def _argument(self, parameter: Parameter, node: tree.Node) -> tree.Node:
        if parameter.takes == "day" and not isinstance(node, tree.Day):
            raise WrongArgumentsError(f"{parameter.name} is a date such as 2025-02-01", node.at)
        term = self.term(node)
        return _measured(term, parameter, self.slots.sorts) if parameter.unit else term

    def _defined(self, node: tree.Call, function: Function, arguments: Bound) -> tree.Node:
        """The body of a library function on its arguments; errors point to the call."""
        terms = {parameter.name: self._argument(parameter, argument) for parameter, argument in arguments}
        for term in terms.values():
            unit_type(term, self.slots.sorts)
        try:
            made = Lowering(terms, self.slots, self.nested).term(parse(function.body))
            unit_type(made, self.slots.sorts)
        except FormulaError as error:
            error.at = node.at
            raise
        return replace(made, text=node.text, at=node.at)

    def _solve(self, node: tree.Call, arguments: Bound) -> tree.Node:
        unknown, equation, between = (argument for _, argument in arguments)
        if not isinstance(unknown, tree.Name):
            raise WrongArgumentsError("the unknown is a name", unknown.at, "for example solve(u, …)")
        name = unknown.name
        if problem := reserved(name) or ("it is given already" if name in self.names else ""):
            raise WrongArgumentsError(f"‘{name}’ cannot be the unknown: {problem}", unknown.at)
        if not isinstance(equation, tree.Binary) or equation.operator != "==":
            raise WrongArgumentsError("an equation has two sides and == between them", equation.at)
        if not isinstance(between, tree.Range):
            raise WrongArgumentsError("between is a range such as 0%..100%", between.at)
        if self.solving:
            raise WrongArgumentsError("a solve cannot contain another", node.at, "give the inner one a name")
        low, high = self.term(between.low), self.term(between.high)
        index = self.slots.slot(unit_type(low, self.slots.sorts), node.at)
        inner = replace(self, names={**self.names, name: tree.Slot(name, 0, 0, index, name)}, solving=True)
        left, right = inner.term(equation.left), inner.term(equation.right)
        return tree.Solve(node.text, node.at, node.end, index, name, left, right, low, high)


def reserved(name: str) -> str:
    """Why `name` cannot be given, or an empty text."""
    if name in function_table.BY_NAME:
        return "it is a function"
    if name in {"true", "false"}:
        return "it is a boolean"
    return "it is a unit" if units.reserved(name) else ""


def _measured(term: tree.Node, parameter: Parameter, frame: Sequence[UnitType]) -> tree.Node:
    unit = units.unit(parameter.unit or "")
    found = unit_type(term, frame)
    if found.dimension is None:
        return tree.Required(term.text, term.at, term.end, term, unit)
    if found.dimension is unit.dimension:
        return term
    if parameter.unit == "FLOPS/GPU" and found.dimension is units.unit("FLOPS").dimension:
        unit = units.combined(units.ONE, units.atom("GPU"), -1)
    elif found.dimension is not PLAIN or found.truth or found.points:
        raise MismatchError("read", str(found), unit.text, term.at, f"{parameter.name} is in {unit.text}")
    one = tree.Number(f"1 {unit.text}", term.at, term.end, Decimal(1), unit)
    return tree.Binary(term.text, term.at, term.end, "*", term, one, term.at)


def lowered(text: str, names: Mapping[str, tree.Node], slots: Slots) -> tuple[tree.Node, UnitType]:
    """The term of a formula and its type, as far as known without prices; raises FormulaError with the offset."""
    try:
        term = Lowering(names, slots).term(parse(text))
    except UnknownError as error:
        raise _with_name(error, names) from None
    return term, unit_type(term, slots.sorts)


def _with_name(error: UnknownError, names: Collection[str]) -> UnknownError:
    """The error, with a hint if a name is written where a unit belongs."""
    if error.kind != "unit" or (error.name not in names and misspelt(error.name, units.vocabulary().names)):
        return error
    meant = [error.name] if error.name in names else near(error.name, names, 1)
    hint = f"{meant[0]} is a name: write an operator before it" if meant else error.hint
    return UnknownError(error.kind, error.name, error.at, hint)
