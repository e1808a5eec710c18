"""Counts of nodes, stored in PostgreSQL: the facets of a tag do not read its nodes.

The search tables and these counts change in one transaction; `search_counts` has a row for each brain and kind and

    '', ''          all nodes
    '#oats', '#oats'    the nodes with a tag
    '#oats', '#rye'     the nodes with two tags, the smaller one first
    '!', '#oats'    the nodes with a tag and more than `MOST_TAGS` tags: their pairs are not counted

They are used only if they are of the graph that the transaction sees; otherwise the caller counts the nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from sqlalchemy import Connection, text

from graph.models.query_models import Facets, NodeQuery

FORMAT = 3
"""The format of the search tables. Increase it when they or the tokenizer change: they are built again."""

MOST_TAGS = 60
"""Maximum number of tags of a node whose pairs are counted: they grow with the square."""

CountKey = tuple[str, str, str, str]
"""Tag, other tag, brain, kind."""

_CURRENT = text(
    "SELECT 1 FROM search_state s JOIN counters c ON c.name = 'graph' AND c.number = s.graph WHERE s.format = :format"
)
_GONE = text("DELETE FROM search_gone RETURNING kind, brain, tags")
_KEYS = (
    "SELECT * FROM unnest(CAST(:tags AS text[]), CAST(:others AS text[]), CAST(:brains AS text[]),"
    " CAST(:kinds AS text[]), CAST(:numbers AS integer[])) AS k (tag, other, brain, kind, number)"
)
_ADD = text(
    f"INSERT INTO search_counts {_KEYS} ON CONFLICT (tag, other, brain, kind)"
    " DO UPDATE SET number = search_counts.number + excluded.number"
)
_DROP_EMPTY = text(
    f"DELETE FROM search_counts c USING ({_KEYS}) k WHERE c.number = 0"  # noqa: S608 - values are bound
    " AND (c.tag, c.other, c.brain, c.kind) = (k.tag, k.other, k.brain, k.kind)"
)
_TOTALS = (
    "SELECT brain, kind, CAST(sum(number) AS bigint) AS number FROM search_counts"
    " WHERE tag = :tag AND other = :tag{where} GROUP BY brain, kind"
)
_TAGS = (
    "SELECT tag, CAST(sum(number) AS bigint) AS number FROM search_counts"
    " WHERE tag = other AND tag <> ''{where} GROUP BY tag"
)
_PAIRS = (
    "SELECT CASE WHEN tag = :tag THEN other ELSE tag END AS tag, CAST(sum(number) AS bigint) AS number"
    " FROM search_counts WHERE (tag = :tag OR other = :tag){where} GROUP BY 1"
)


def count_keys(kind: str, brain: str, tags: Collection[str]) -> Iterator[CountKey]:
    """The rows that count a node."""
    own = sorted({f"#{tag}" for tag in tags})
    yield "", "", brain, kind
    wide = len(own) > MOST_TAGS
    for place, tag in enumerate(own):
        yield tag, tag, brain, kind
        if wide:
            yield "!", tag, brain, kind
        else:
            yield from ((tag, other, brain, kind) for other in own[place + 1 :])


def apply_counts(sql: Connection, come: Counter[CountKey]) -> None:
    """Add the counts of new nodes, and subtract those of the nodes removed since the last call."""
    for row in sql.execute(_GONE):
        come.subtract(count_keys(row.kind, row.brain, row.tags))
    _store(sql, _ADD, {key: number for key, number in sorted(come.items()) if number})
    _store(sql, _DROP_EMPTY, {key: number for key, number in come.items() if number < 0})
    come.clear()


def _store(sql: Connection, statement: object, counts: dict[CountKey, int]) -> None:
    if counts:
        tags, others, brains, kinds = (list(column) for column in zip(*counts, strict=True))
        values = {"tags": tags, "others": others, "brains": brains, "kinds": kinds, "numbers": list(counts.values())}
        sql.execute(statement, values)  # type: ignore[call-overload]  # a statement of this file


def are_current(sql: Connection) -> bool:
    """Whether the counts are of the graph that the transaction sees."""
    return sql.execute(_CURRENT, {"format": FORMAT}).first() is not None


def stored_facets(sql: Connection, query: NodeQuery, most: int) -> Facets | None:
    """The facets of all nodes or of one tag, with `most` tags; also within a kind or brain. None if not stored."""
    wanted = set(query.tags)
    other_filters = (query.ids, query.source, query.document)
    if len(wanted) > 1 or any(one is not None for one in other_filters) or not are_current(sql):
        return None
    narrowed = {name: str(value) for name in ("brain", "kind") if (value := getattr(query, name)) is not None}
    where = "".join(f" AND {name} = :{name}" for name in narrowed)
    tag = {"tag": "".join(f"#{one}" for one in wanted)}
    counted = _tag_counts(sql, _PAIRS if wanted else _TAGS, where, narrowed | (tag if wanted else {}))
    if counted is None:
        return None
    kinds, brains = Counter[str](), Counter[str]()
    for row in sql.execute(text(_TOTALS.format(where=where)), tag | narrowed):
        kinds[row.kind] += row.number
        brains[row.brain] += row.number
    return Facets.of(counted, kinds, brains, most)


def stored_tags(sql: Connection, prefix: str = "", brain: str | None = None) -> Counter[str] | None:
    """How many nodes have each tag with a prefix; None if not stored."""
    where = " AND starts_with(tag, :prefix)" + (" AND brain = :brain" if brain is not None else "")
    values = {"prefix": f"#{prefix}"} | ({"brain": brain} if brain is not None else {})
    return _tag_counts(sql, _TAGS, where, values) if are_current(sql) else None


def stored_related_tags(sql: Connection, name: str) -> Counter[str] | None:
    """How many nodes have both a tag and each other one; None if not stored."""
    found = _tag_counts(sql, _PAIRS, "", {"tag": f"#{name}"})
    if found is not None:
        del found[name]
    return found


def _tag_counts(sql: Connection, query: str, where: str, values: dict[str, str]) -> Counter[str] | None:
    """The counts by tag; None if pairs are missing, as a node has too many tags."""
    found = {row.tag: row.number for row in sql.execute(text(query.format(where=where)), values) if row.number}
    return None if "!" in found else Counter({tag[1:]: number for tag, number in found.items()})
