"""A parsed query as conditions of SQL over `search_nodes s` in PostgreSQL.

Word "oat"                 vector @@ 'oat'
Phrase "rye bread"         vector @@ 'rye' <-> 'bread', or the stems of a long text contain it
Prefix "malt*"             the stems of all words with the prefix; if they are very many, stems with the prefix
InTitle                    the same over the column title
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, text

from graph.models.query_models import NodeQuery
from graph.search.query_language import AllOf, AnyOf, Filter, InTitle, Phrase, Prefix, Text, Word
from graph.search.server.server_rows import lexeme

MOST_STEMS = 300
"""Maximum number of stems that a prefix expands to."""

_IDS = "SELECT n.serial FROM nodes n WHERE n.id = ANY(CAST({} AS text[]))"
_WORK = "SELECT n.serial FROM nodes n JOIN node_sources o ON o.node = n.id WHERE o.work = {}"
_STEMS = text("SELECT DISTINCT stem FROM search_words WHERE word >= :start AND word < :beyond LIMIT :most")


class Condition:
    """Conditions that are all required, with their parameters."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}
        self._parts: list[str] = []

    @property
    def sql(self) -> str:
        """The condition as SQL."""
        return " AND ".join(self._parts) or "true"

    def bind(self, value: object) -> str:
        """A parameter; PostgreSQL rejects NUL and lone surrogates in text."""
        name = f"v{len(self.values)}"
        self.values[name] = clean(value)
        return f":{name}"

    def require(self, sql: str) -> None:
        """Add a condition."""
        self._parts.append(sql)

    def match(self, wanted: Text, column: str = "vector") -> str:
        """The condition that a text matches."""
        query = tsquery(wanted)
        if query is not None:
            return f"s.{column} @@ CAST({self.bind(query)} AS tsquery)"
        match wanted:
            case Phrase(stems):
                return self._phrase(stems, column)
            case InTitle(inner):
                return self.match(inner, "title")
            case AllOf(parts):
                return "(" + " AND ".join(self.match(part, column) for part in _merged(parts, AllOf)) + ")"
            case AnyOf(parts):
                return "(" + " OR ".join(self.match(part, column) for part in _merged(parts, AnyOf)) + ")"
            case Word() | Prefix():
                raise AssertionError(wanted)

    def _phrase(self, stems: tuple[str, ...], column: str) -> str:
        near = self.bind(" <-> ".join(map(lexeme, stems)))
        found = f"s.{column} @@ CAST({near} AS tsquery)"
        if column == "title":
            return found
        together, whole = self.bind(" & ".join(map(lexeme, stems))), self.bind(f" {' '.join(stems)} ")
        return f"({found} OR (s.vector @@ CAST({together} AS tsquery) AND strpos(s.stems, {whole}) > 0))"

    def filter(self, query: NodeQuery, filters: Sequence[Filter]) -> None:
        """Require the filters of a list and those written in a query."""
        if query.tags:
            folded = self.bind([tag.casefold() for tag in query.tags])
            self.require(f"s.folded @> CAST({folded} AS text[]) AND s.tags @> CAST({self.bind(query.tags)} AS text[])")
        for name in ("kind", "brain", "document"):
            if value := getattr(query, name):
                self.require(f"s.{name} = {self.bind(str(value))}")
        if query.ids is not None:
            ids = self.bind(list(query.ids))
            self.require(f"s.serial IN ({_IDS.format(ids)})")
        if query.source is not None:
            self.require(f"s.serial IN ({_WORK.format(self.bind(query.source))})")
        self._written(filters)

    def _written(self, filters: Sequence[Filter]) -> None:
        """A node needs all written tags, and any one of the kinds and brains, as it has only one of each."""
        for name in ("kind", "brain"):
            for negated in (False, True):
                values = [one.value for one in filters if one.field == name and one.negated is negated]
                if values:
                    sign = "NOT " if negated else ""
                    self.require(f"{sign}s.{name} = ANY(CAST({self.bind(values)} AS text[]))")
        for one in filters:
            if one.field == "tag":
                sign = "NOT " if one.negated else ""
                self.require(f"{sign}s.folded @> ARRAY[{self.bind(one.value)}]")


def tsquery(wanted: Text) -> str | None:
    """A text of words alone as one query; None if it has phrases or parts for the title."""
    match wanted:
        case Word(stem):
            return lexeme(stem)
        case Prefix(start):
            return f"{lexeme(start)}:*"
        case AllOf(parts) | AnyOf(parts):
            found = [tsquery(part) for part in parts]
            sign = " & " if isinstance(wanted, AllOf) else " | "
            return None if None in found else f"({sign.join(one for one in found if one)})"
        case Phrase() | InTitle():
            return None


def any_word(wanted: Text) -> str:
    """A query for any of the words of a text, wherever they are: what ranking counts."""
    return " | ".join(dict.fromkeys(_words(wanted)))


def _words(wanted: Text) -> Iterator[str]:
    match wanted:
        case Word(stem):
            yield lexeme(stem)
        case Prefix(start):
            yield f"{lexeme(start)}:*"
        case Phrase(stems):
            yield from map(lexeme, stems)
        case InTitle(inner):
            yield from _words(inner)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _words(part)


def _merged(parts: tuple[Text, ...], of: type[AllOf | AnyOf]) -> Iterator[Text]:
    """The parts with those of words alone merged into one, which the index evaluates at once."""
    plain = tuple(part for part in parts if tsquery(part) is not None)
    if plain:
        yield of(plain)
    yield from (part for part in parts if tsquery(part) is None)


def spelt_out(sql: Connection, wanted: Text) -> Text:
    """The text with each prefix expanded to the stems of its words, unless they are more than `MOST_STEMS`."""
    match wanted:
        case Prefix(start):
            asked = {"start": start, "beyond": start + "\U0010ffff", "most": MOST_STEMS + 1}
            found = sorted(sql.execute(_STEMS, asked).scalars())
            return wanted if len(found) > MOST_STEMS else AnyOf(tuple(Word(one) for one in (found or [start])))
        case InTitle(inner):
            return InTitle(spelt_out(sql, inner))
        case AllOf(parts):
            return AllOf(tuple(spelt_out(sql, part) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(spelt_out(sql, part) for part in parts))
        case Word() | Phrase():
            return wanted


def clean(value: object) -> object:
    """A value, or a list of them, without the characters that PostgreSQL rejects in text."""
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
    return [clean(one) for one in value] if isinstance(value, (list, tuple)) else value
