"""Field types for models of YAML files: each reads text as written and has a JSON Schema.

The reader gives every scalar as text, so a type converts text to its value and explains what is wrong with it. This
happens in pydantic's strict mode, which `graph.yaml.validation` uses; otherwise the types accept the values themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo, WithJsonSchema
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from graph.text.similar_names import did_you_mean


def mistake(
    code: str,
    message: str,
    *,
    hint: str | None = None,
    offset: int = 0,
    at: Sequence[str | int] = (),
    key: bool = False,
) -> PydanticCustomError:
    """The error to raise for an invalid value; it becomes a `Problem` with this code, message and hint.

    `at` is the path inside the value to point at, `key` whether to point at the key there; `offset` counts characters
    into the text.
    """
    context = {"message": message, "hint": hint, "offset": offset, "at": tuple(at), "key": key}
    return PydanticCustomError(code, "{message}", context)


@dataclass(frozen=True, eq=False)
class FromText:
    """Reads a field with `read` from its YAML text; `schema` is the JSON Schema of the allowed text."""

    read: Callable[[Any], Any]
    schema: JsonSchemaValue

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401 pydantic passes any type
        """`read` applies in strict mode only, which validates files: programs and stored JSON skip it."""
        plain = handler(source)
        read = core_schema.no_info_before_validator_function(self.read, plain)
        return core_schema.lax_or_strict_schema(lax_schema=plain, strict_schema=read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema of the file; for responses of the service, that of the value."""
        return dict(self.schema) if handler.mode == "validation" else handler(schema)


def _stripped(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def _day(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = value.strip()
    try:
        if len(text) == len("2025-01-31"):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise mistake("bad-date", f"{text!r} is not a day", hint="write YYYY-MM-DD")


_THOUSANDS = {"k": 1_000, "M": 1_000_000}


def parse_integer(text: str) -> int | None:
    """The integer in a text, which may have `_` between digits and end with `k` or `M`; None for other text."""
    digits = text.strip().replace("_", "")
    scale = _THOUSANDS.get(digits[-1:], 1)
    digits = digits[:-1] if scale > 1 else digits
    return int(digits) * scale if digits.isascii() and digits.isdigit() and len(digits) <= 12 else None


def _digits(value: object) -> object:
    number = parse_integer(value) if isinstance(value, str) else value
    if number is None:
        raise mistake("bad-number", f"{value!r} is not an integer", hint="write digits, such as 200000 or 200k")
    return number


def _texts(value: object) -> object:
    """A list of texts; a single text becomes a list of one."""
    if isinstance(value, str):
        return (value.strip(),)
    return tuple(one.strip() if isinstance(one, str) else one for one in value) if isinstance(value, list) else value


def choice(words: type[StrEnum], code: str) -> FromText:
    """A field that is one of the words of an enumeration; `code` is the code of the problem."""
    every = [word.value for word in words]

    def read(value: object) -> object:
        if isinstance(value, str) and value.strip() not in every:
            what = words.__name__.removeprefix("Claim").lower()
            hint = did_you_mean(value, every) or "one of " + ", ".join(every)
            raise mistake(code, f"{value!r} is not a {what}", hint=hint)
        return words(value.strip()) if isinstance(value, str) else value

    return FromText(read, {"type": "string", "enum": every})


Line = Annotated[str, FromText(_stripped, {"type": "string"})]
"""Text without surrounding white space."""

Day = Annotated[
    date, FromText(_day, {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$", "description": "A day, as 2026-11-21."})
]
Whole = Annotated[int, FromText(_digits, {"type": ["string", "integer"]})]
"""An integer of 0 or more; `k` and `M` multiply."""

Texts = Annotated[tuple[Line, ...], FromText(_texts, {"type": "array", "items": {"type": "string"}})]
"""A list of texts."""


def patterned(pattern: str) -> WithJsonSchema:
    """A pattern that editors check; the loader accepts other text too."""
    return WithJsonSchema({"type": "string", "pattern": pattern}, mode="validation")


def after_from(end: date | None, info: ValidationInfo) -> date | None:
    """A field validator: the end of an interval is after `valid_from`."""
    begin = info.data.get("valid_from")
    if begin is not None and end is not None and end <= begin:
        raise mistake(
            "empty-interval", f"'to' {end} is not after 'from' {begin}", hint="'to' is the first day after it"
        )
    return end
