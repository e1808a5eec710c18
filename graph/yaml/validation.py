"""Validates YAML against pydantic models: values, and a problem with line, column and hint for each mistake.

A model describes a file: its fields, their types and its JSON Schema. Every scalar is text, which the type of a field
converts in pydantic's strict mode; otherwise the types accept values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Mapping as Table
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Generic, TypeVar, get_origin

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError, core_schema

from graph.problems import Problem, Severity
from graph.text.similar_names import did_you_mean
from graph.values import Value
from graph.yaml.reader import Position, Tree, Word, at, field, key_position, load, position, position_at

Codes = Table[str, tuple[str, Severity]]
"""Code and severity to report instead of a general code."""


class Source:
    """Collects the problems of a document; `codes` replaces some codes.

    The codes are `yaml-syntax`, `yaml-duplicate-key`, `yaml-empty`, `yaml-shape`, `missing-key`, `unknown-key` and
    those of the fields.
    """

    def __init__(self, document: str, text: str, codes: Codes | None = None) -> None:
        self.document, self.text = document, text
        self.problems: list[Problem] = []
        self._codes = codes or {}

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the document."""
        return self.text.splitlines()

    def tree(self) -> Tree:
        """The content; None, with a problem, if it is empty or no YAML."""
        tree, faults = load(self.text)
        for fault in faults:
            code, lead = ("yaml-syntax", "not readable as YAML: ") if fault.fatal else ("yaml-duplicate-key", "")
            self.complain((fault.line, fault.column), lead + fault.message, code=code, hint=fault.hint)
        if tree is None and not faults:
            hint = "write the entries, or delete the file"
            self.complain(None, "the file is empty", code="yaml-empty", hint=hint, severity=Severity.WARNING)
        return tree

    def complain(
        self,
        position: Position | None,
        message: str,
        *,
        code: str,
        hint: str | None = None,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Add a problem at a position."""
        general = "yaml-shape" if code in {"file-shape", "entry-shape"} else code
        code, severity = self._codes.get(code) or self._codes.get(general, (general, severity))
        line, column = position or (None, None)
        text = self.lines[line - 1] if line and line <= len(self.lines) else None
        self.problems.append(
            Problem(
                document=self.document, line=line, column=column, severity=severity, code=code, message=message,
                text=text, hint=hint,
            )
        )  # fmt: skip


M = TypeVar("M", bound=BaseModel)

Path = tuple[str | int, ...]


class Written(Value):
    """A mapping in a file: unknown fields are errors; `validation_alias` is the name in the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True, validate_by_alias=True)


@dataclass(frozen=True)
class Entry(Generic[M]):
    """One entry of a file; `value` is None if it is invalid.

    `wrong` are the fields with mistakes, `first` the number of problems that the document had before.
    """

    source: Source
    model: type[M]
    tree: Tree
    position: Position | None
    value: M | None
    wrong: frozenset[str]
    first: int

    def remains(self, instead: Table[str, Any]) -> M:
        """The entry without invalid fields; `instead` are values of required ones."""
        return _remains(self.model, _given(self.tree), self.wrong, instead)

    def complain(
        self,
        path: Path,
        message: str,
        *,
        code: str,
        hint: str | None = None,
        offset: int = 0,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Add a problem at `path`, `offset` characters into the text."""
        line, column = position_at(self.tree, path) or self.position or (1, 1)
        self.source.complain((line, column + offset), message, code=code, hint=hint, severity=severity)

    def errors(self) -> list[Problem]:
        """The errors of this entry so far."""
        return [problem for problem in self.source.problems[self.first :] if problem.severity is Severity.ERROR]


def entries(source: Source, file: type[BaseModel], item: type[M]) -> Iterator[Entry[M]]:
    """The entries of a file, which may be the list itself."""
    tree = source.tree()
    if isinstance(tree, dict):
        head(source, tree, file)
    yield from listed(source, tree, file, item)


def values(file: type[BaseModel], item: type[M], document: str, text: str) -> tuple[tuple[M, ...], tuple[Problem, ...]]:
    """The valid entries of a document, and the problems of all."""
    source = Source(document, text)
    found = tuple(one.value for one in entries(source, file, item) if one.value is not None)
    return found, tuple(source.problems)


def listed(source: Source, tree: Tree, file: type[BaseModel], item: type[M]) -> Iterator[Entry[M]]:
    """The entries of a tree, without its `head`."""
    key, _ = _entries_of(file)
    listing = field(tree, key) if isinstance(tree, dict) else tree
    if listing is None:
        return
    if not isinstance(listing, list):
        source.complain(position(listing), f"{key!r} must be a list; found {_kind(listing)}", code="file-shape")
        return
    for number, below in enumerate(listing):
        yield entry(source, item, below, f"an entry of {key!r}", position_at(listing, (number,)))


def entry(source: Source, model: type[M], tree: Tree, what: str, where: Position | None) -> Entry[M]:
    """A mapping validated against a model; `what` names it in messages."""
    first = len(source.problems)
    value, errors = _validated(model, _given(tree))
    _report(source, model, errors, tree, what=what, where=where)
    return Entry(source, model, tree, where, value, _wrong(errors), first)


def head(source: Source, tree: dict[Word, Tree], file: type[M]) -> M:
    """The fields of a file except its entries, without invalid ones."""
    key, empty = _entries_of(file)
    given = {name: empty if name == key else value for name, value in tree.items() if value is not None}
    value, errors = _validated(file, given)
    _report(source, file, errors, tree, what="the file", where=position(tree))
    return value or _remains(file, given, _wrong(errors), {key: empty})


def _entries_of(file: type[BaseModel]) -> tuple[str, tuple[()] | dict[str, Any]]:
    """The required field of a file, and its empty value."""
    key, field = next((key, field) for key, field in file.model_fields.items() if field.is_required())
    return key, () if get_origin(field.annotation) is tuple else {}


def _given(tree: Tree) -> object:
    """The fields to validate: null fields count as missing."""
    if not isinstance(tree, dict):
        return tree
    return {name: value for name, value in tree.items() if value is not None} if None in tree.values() else tree


def _validated(model: type[M], given: object) -> tuple[M | None, list[ErrorDetails]]:
    try:
        return model.model_validate(given, strict=True, by_alias=True, by_name=False), []
    except ValidationError as error:
        found = error.errors(include_url=False)
    return None, sorted(found, key=lambda one: one["type"] != "extra_forbidden")


def _wrong(errors: list[ErrorDetails]) -> frozenset[str]:
    return frozenset(str(error["loc"][0]) for error in errors if error["loc"])


def _remains(model: type[M], given: object, wrong: frozenset[str], instead: Table[str, Any]) -> M:
    sound = {name: value for name, value in given.items() if name not in wrong} if isinstance(given, dict) else {}
    return model.model_validate({**instead, **sound}, strict=True, by_alias=True, by_name=False)


def _report(
    source: Source, model: type[BaseModel], errors: list[ErrorDetails], tree: Tree, *, what: str, where: Position | None
) -> None:
    """Report errors, unknown fields first: they often explain missing ones."""
    for error in errors:
        if error["type"] == "default_factory_not_called":  # another field of the entry is invalid and reported
            continue
        context = error.get("ctx", {})
        path = (*error["loc"], *context.get("at", ()))
        found = position_at(tree, path) or where
        if error["type"] == "extra_forbidden" or context.get("key"):
            found = key_position(at(tree, path[:-1]), str(path[-1])) or found
        spot = (found[0], found[1] + context.get("offset", 0)) if found else None
        message, code, hint = _sentence(model, error, at(tree, path), what)
        source.complain(spot, message, code=code, hint=hint)


def _sentence(model: type[BaseModel], error: ErrorDetails, found: Tree, what: str) -> tuple[str, str, str | None]:
    """Message, code and hint of an error."""
    kind, path = error["type"], error["loc"]
    name = repr(".".join(part for part in path if isinstance(part, str)))
    if "message" in error.get("ctx", {}):
        return error["ctx"]["message"], kind, error["ctx"]["hint"]
    if not path:
        return f"{what} must be a mapping of fields; found {_kind(found)}", "entry-shape", "write name: value"
    if kind == "missing":
        return f"{what} needs {name}", "missing-key", f"add a line {path[-1]}: …"
    if kind == "extra_forbidden":
        known = [str(field.validation_alias or name) for name, field in model.model_fields.items()]
        instead = getattr(model, "INSTEAD", {}).get(path[-1])
        hint = instead or did_you_mean(str(path[-1]), known) or "known fields: " + ", ".join(known)
        return f"{what} has no field {name}", "unknown-key", hint
    item = "every item of " if isinstance(path[-1], int) else ""
    expected = next((said for end, said in _EXPECTED if kind.endswith(end)), "")
    return f"{item}{name} must be {expected or error['msg']}; found {_kind(found)}", "yaml-shape", None


_EXPECTED = (
    ("dict_type", "a mapping of names"),
    ("model_type", "a mapping of fields"),
    ("tuple_type", "a list"),
    ("list_type", "a list"),
    ("_type", "one text"),
)
"""End of a pydantic error name, and what was expected."""


def _kind(tree: Tree) -> str:
    if isinstance(tree, list):
        return "a list"
    if isinstance(tree, dict):
        return "a mapping"
    return "nothing" if tree is None else repr(str(tree))


def mistake(
    code: str,
    message: str,
    *,
    hint: str | None = None,
    offset: int = 0,
    at: Sequence[str | int] = (),
    key: bool = False,
) -> PydanticCustomError:
    """The error to raise for an invalid value, which becomes a `Problem`.

    It points at the path `at` inside the value (`key`: at the key there), `offset` characters into the text.
    """
    context = {"message": message, "hint": hint, "offset": offset, "at": tuple(at), "key": key}
    return PydanticCustomError(code, "{message}", context)


@dataclass(frozen=True, eq=False)
class FromText:
    """Reads a field from its YAML text; `schema` is the JSON Schema of that."""

    read: Callable[[Any], Any]
    schema: JsonSchemaValue

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401 pydantic passes any type
        """`read` applies in strict mode, which validates files; programs and stored JSON skip it."""
        plain = handler(source)
        read = core_schema.no_info_before_validator_function(self.read, plain)
        return core_schema.lax_or_strict_schema(lax_schema=plain, strict_schema=read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema of the file; for responses, that of the value."""
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
    """The integer in a text such as `1_000` or `200k`, or None."""
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
    if isinstance(value, str):
        return (value.strip(),)
    return tuple(one.strip() if isinstance(one, str) else one for one in value) if isinstance(value, list) else value


def choice(words: type[StrEnum], code: str) -> FromText:
    """A field with a word of an enumeration."""
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


def editor_pattern(pattern: str) -> WithJsonSchema:
    """A pattern that editors check; the loader accepts other texts."""
    return WithJsonSchema({"type": "string", "pattern": pattern}, mode="validation")


def after_from(end: date | None, info: ValidationInfo) -> date | None:
    """A field validator: the end of an interval is after `valid_from`."""
    begin = info.data.get("valid_from")
    if begin is not None and end is not None and end <= begin:
        raise mistake(
            "empty-interval", f"'to' {end} is not after 'from' {begin}", hint="'to' is the day after the last day"
        )
    return end
