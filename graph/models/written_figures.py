"""Figures as authors write them under `given`, with their ranges, and their JSON Schemas.

given: {power: 600 W}                                             a formula
given: {power: {value: 600 W, low: 500 W, high: 700 W}}           with its range
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any

from pydantic.json_schema import JsonSchemaValue

from graph.problems import Severity
from graph.text.similar_names import did_you_mean
from graph.values import Value
from graph.yaml.reader import Listing, Mapping, Tree, Word, field
from graph.yaml.validation import Entry, FromText, mistake


class RangeShape(StrEnum):
    """How likely the values of a range are.

    `normal` and `lognormal`: 90% of the values lie from low to high. `triangular`: the stated value is the likeliest.
    """

    UNIFORM = "uniform"
    TRIANGULAR = "triangular"
    NORMAL = "normal"
    LOGNORMAL = "lognormal"


class GivenRange(Value):
    """The range of one given figure: `low` and `high` as written, in the unit of the figure or without a unit."""

    name: str
    low: str
    high: str
    shape: RangeShape = RangeShape.UNIFORM


SHAPES = tuple(shape.value for shape in RangeShape)


def shape_of(value: object, at: tuple[str, ...] = ()) -> object:
    """The shape that a word at path `at` names. Raises PydanticCustomError."""
    if isinstance(value, str) and value.strip() not in SHAPES:
        hint = did_you_mean(value, SHAPES) or "one of " + ", ".join(SHAPES)
        raise mistake("range-shape", f"{str(value)!r} is not a shape", hint=hint, at=at)
    return RangeShape(value.strip()) if isinstance(value, str) else value


_SHAPE: JsonSchemaValue = {
    "type": "string",
    "enum": [*SHAPES],
    "description": "How likely the values of the range are; uniform by default.",
}
ShapeField = Annotated[RangeShape, FromText(shape_of, _SHAPE)]
"""The shape of a range, in a file."""


def given_pairs(value: object) -> object:
    """Names with their formulas, in the order written."""
    if isinstance(value, Word | Listing):
        raise mistake("yaml-shape", "'given' must be a mapping from names to formulas", hint="write name: formula")
    if not isinstance(value, Mapping):
        return value
    return tuple((str(name), _formula(str(name), tree)) for name, tree in value.items())


def _formula(name: str, tree: Tree) -> str:
    if isinstance(tree, Mapping):
        written_range(name, tree, at=(name,))
        found = field(tree, "value")
        if not isinstance(found, Word):
            message = f"given.{name} needs one formula as its 'value'"
            raise mistake("claim-range", message, hint=_HINT, at=(name,))
        return found.strip()
    if not isinstance(tree, Word):
        raise mistake("yaml-shape", f"given.{name} must be one formula", at=(name,))
    return tree.strip()


_HINT = "for example {value: 600 W, low: 500 W, high: 700 W}"


def written_range(name: str, tree: Mapping, *, at: tuple[str, ...] = ()) -> GivenRange | None:
    """The range in a mapping at path `at`, if it has one. Raises PydanticCustomError."""
    known = ("value", "low", "high", "shape")
    unknown = next((key for key in tree if key not in known), None)
    if unknown is not None:
        hint = did_you_mean(unknown, known) or _HINT
        raise mistake("unknown-key", f"a range has no {str(unknown)!r}", hint=hint, at=(*at, unknown), key=True)
    if not any(key in tree for key in known[1:]):
        return None
    return GivenRange(
        name=name, low=_end(name, tree, "low", at), high=_end(name, tree, "high", at), shape=_shape(tree, at)
    )


def _end(name: str, tree: Mapping, key: str, at: tuple[str, ...]) -> str:
    found = field(tree, key)
    if not isinstance(found, Word):
        raise mistake("claim-range", f"the range of {name!r} needs a figure as its {key!r}", hint=_HINT, at=at)
    return found.strip()


def _shape(tree: Mapping, at: tuple[str, ...]) -> RangeShape:
    found = field(tree, "shape")
    if found is None:
        return RangeShape.UNIFORM
    if not isinstance(found, Word):
        raise mistake("range-shape", "a shape is one word", hint="one of " + ", ".join(SHAPES), at=(*at, "shape"))
    return RangeShape(str(shape_of(found, (*at, "shape"))))


def schema_mapping(about: str, properties: dict[str, JsonSchemaValue], **more: object) -> JsonSchemaValue:
    """The JSON Schema of a mapping with only these properties."""
    return {"type": "object", "description": about, "properties": properties, "additionalProperties": False, **more}


ANY_FORMULA: JsonSchemaValue = {
    "anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "number"}],
    "description": "A formula; see docs/formulas.md.",
}
FIGURE: JsonSchemaValue = {
    "anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"}],
    "description": "A number with its unit, such as 2.50 USD/GPU/h or 60%.",
}
_RANGE: dict[str, JsonSchemaValue] = {
    "low": {**FIGURE, "description": "The low end, in the unit of the value or without a unit."},
    "high": {**FIGURE, "description": "The high end, in the unit of the value or without a unit."},
    "shape": _SHAPE,
}
_RANGED = schema_mapping("A figure with its range.", {"value": ANY_FORMULA, **_RANGE}, required=["value"])
GIVEN: JsonSchemaValue = {"type": "object", "additionalProperties": {"anyOf": [ANY_FORMULA, _RANGED]}}


def complain_at_edge(
    entry: Entry[Any], path: tuple[str, ...], name: str, ends: tuple[Decimal, Decimal], value: Decimal
) -> None:
    """Warn about a value at an end of its own range."""
    if ends[0] != ends[1] and value in ends:
        message = f"the value of {name!r} is the {'low' if value == ends[0] else 'high'} end of its own range"
        hint = "state the likeliest value, or a wider range"
        entry.complain(path, message, code="range-edge", hint=hint, severity=Severity.WARNING)
