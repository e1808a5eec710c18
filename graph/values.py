"""Immutable models, and JSON in which numbers keep their digits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any, Self

import simplejson
from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen record: hashable if its parts are, equal by content, without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_post_init(self, _context: object) -> None:
        """Share equal sets of stated fields: one for each value would take 200 to 700 bytes."""
        stated = self.__pydantic_fields_set__
        object.__setattr__(self, "__pydantic_fields_set__", _FIELD_SETS.setdefault(frozenset(stated), stated))

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields replaced."""
        copied = super().model_copy(update=update, deep=deep)
        copied.model_post_init(None)
        return copied


_FIELD_SETS: dict[frozenset[str], set[str]] = {}


def plain(thing: object) -> object:
    """The JSON form: fields of models, ISO dates, values of enums, sorted sets. Raises TypeError."""
    if isinstance(thing, BaseModel):
        return thing.model_dump()
    if is_dataclass(thing):
        return {one.name: getattr(thing, one.name) for one in fields(thing)}
    if isinstance(thing, (date, datetime)):
        return thing.isoformat()
    if isinstance(thing, Enum):
        return thing.value
    if isinstance(thing, (set, frozenset)):
        return sorted(thing)
    raise TypeError(f"{type(thing).__name__} has no JSON form")


@cache
def _encoder(indent: int | None) -> simplejson.JSONEncoder:
    return simplejson.JSONEncoder(
        default=plain, use_decimal=True, ensure_ascii=False, namedtuple_as_object=False, indent=indent
    )


def dumps(thing: object, indent: int | None = None) -> str:
    """JSON text; a `Decimal` is a number with all its digits."""
    return _encoder(indent).encode(thing)


def loads(text: str | bytes) -> Any:  # noqa: ANN401  # only the caller knows the type
    """Read JSON with fractions as `Decimal`. Raises ValueError."""
    try:
        return simplejson.loads(text, parse_float=Decimal)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
