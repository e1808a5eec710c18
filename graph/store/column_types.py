"""Column types: text that sorts the same everywhere, instants and days as text."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Row, Select, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

Word = Text().with_variant(Text(collation="C"), "postgresql")
"""Text in the order of code points, whatever the server's locale."""


Record = Row[*tuple[Any, ...]]
"""A row of any columns."""

Query = Select[*tuple[Any, ...]]
"""A query for any columns."""


def instant(moment: datetime) -> str:
    """ISO 8601 in UTC with microseconds, in text order as in time order; a naive time is UTC."""
    aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return aware.isoformat(timespec="microseconds")


class Day(TypeDecorator[date]):
    """A calendar day as ISO 8601."""

    impl = Word
    cache_ok = True
    of: type[date] = date

    def process_bind_param(self, value: date | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's signature
        """To text."""
        return None if value is None else instant(value) if isinstance(value, datetime) else value.isoformat()

    def process_result_value(self, value: str | None, dialect: Dialect) -> date | None:  # noqa: ARG002 - SQLAlchemy's signature
        """From text."""
        return None if value is None else self.of.fromisoformat(value)


class Instant(Day):
    """A moment in time, stored by `instant`."""

    cache_ok = True
    of = datetime
