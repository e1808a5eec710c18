"""What SQL says of the nodes that an engine found: filters and facets by one statement, and what a page shows."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from sqlalchemy import Connection, text

from graph.models.node_cards import FACET_TAGS
from graph.models.query_models import Facets, NodeQuery, NodeSummary
from graph.search.query_language import Filter
from graph.store.node_rows import summary_of
from graph.text.plain_text import naming, plain_text

_LIST = {
    "sqlite": "(SELECT value FROM json_each(:{}))",
    "postgresql": "(SELECT CAST(value AS {1}) AS value FROM json_array_elements_text(CAST(:{0} AS json)))",
}
_TAGGED = "EXISTS (SELECT 1 FROM node_tags t WHERE t.node = n.id AND t.tag {})"
_MATCHING = "SELECT n.serial, n.kind, n.brain, n.tags FROM nodes n WHERE {}"
_SHOWN = (
    "SELECT n.serial, n.id, n.brain, n.kind, n.title, n.excerpt, n.tags, n.published, n.document, n.first_line, n.body"
    " FROM nodes n WHERE n.serial IN {}"
)
_BRAINS = (
    "WITH RECURSIVE b (name) AS (SELECT min(brain) FROM nodes UNION ALL"
    " SELECT (SELECT min(brain) FROM nodes WHERE brain > b.name) FROM b WHERE b.name IS NOT NULL)"
)
"""Each brain once: the index gives the next one, so the nodes are not read."""

_BRAIN_NAMES = _BRAINS + " SELECT name FROM b WHERE name IS NOT NULL"  # noqa: S608 - fixed texts
_TAGS = "SELECT DISTINCT tag FROM node_tags"

_LINKED = (
    _BRAINS + ", l AS (SELECT value AS name FROM {names} x)"  # noqa: S608 - fixed texts
    " SELECT n.id, n.title FROM nodes n WHERE n.id IN (SELECT name FROM l)"
    " OR n.id IN (SELECT b.name || '/' || l.name FROM b CROSS JOIN l) ORDER BY n.serial DESC"
)
_LINK = re.compile("\ue000([^\ue000]*)\ue000")


class Matching(NamedTuple):
    """The serials of the nodes that pass the filters, and the counts over them."""

    serials: frozenset[int]
    facets: Facets


def listed(sql: Connection, name: str, of: str = "integer") -> str:
    """The values of a parameter that is a list, as JSON: any number of them are one parameter."""
    return _LIST[sql.dialect.name].format(name, of)


def matching(
    sql: Connection, found: Collection[int] | None, query: NodeQuery, filters: Sequence[Filter] = ()
) -> Matching:
    """Those of the nodes `found` (None: of all nodes) that pass the filters of a list and those written in a query."""
    values: dict[str, object] = {}
    parts = list(_written(sql, filters, values))
    parts += [f"n.{name} = :{name}" for name in ("kind", "brain", "document") if getattr(query, name) is not None]
    values |= {name: _clean(str(getattr(query, name))) for name in ("kind", "brain", "document")}
    for number, tag in enumerate(query.tags):
        parts.append(_TAGGED.format(f"= :tag_{number}"))
        values[f"tag_{number}"] = _clean(tag)
    if query.source is not None:
        parts.append("n.id IN (SELECT s.node FROM node_sources s WHERE s.work = :source)")
        values["source"] = _clean(query.source)
    for name, among, column, of in (("ids", query.ids, "id", "text"), ("found", found, "serial", "integer")):
        if among is not None:
            parts.append(f"n.{column} IN {listed(sql, name, of)}")
            values[name] = json.dumps([_clean(one) if isinstance(one, str) else one for one in among])
    rows = sql.execute(text(_MATCHING.format(" AND ".join(parts) or "1 = 1")), values).all()
    tags = Counter(chain.from_iterable(map(dict.fromkeys, json.loads(f"[{','.join(row[3] for row in rows)}]"))))
    kinds, brains = (Counter(row[place] for row in rows) for place in (1, 2))
    return Matching(frozenset(row[0] for row in rows), Facets.of(tags, kinds, brains, FACET_TAGS))


def _written(sql: Connection, filters: Sequence[Filter], values: dict[str, object]) -> Iterable[str]:
    """A node needs all written tags, and any one of the kinds and brains, as it has only one of each."""
    for number, (field, negated, wanted) in enumerate(_groups(filters)):
        name = f"written_{number}"
        values[name] = json.dumps(_spellings(sql, field, wanted))
        among = f"IN {listed(sql, name, 'text')}"
        yield ("NOT " if negated else "") + (_TAGGED.format(among) if field == "tag" else f"n.{field} {among}")


def _groups(filters: Sequence[Filter]) -> Iterable[tuple[str, bool, list[str]]]:
    for field in ("kind", "brain"):
        for negated in (False, True):
            if wanted := [one.value for one in filters if (one.field, one.negated) == (field, negated)]:
                yield field, negated, wanted
    yield from ((one.field, one.negated, [one.value]) for one in filters if one.field == "tag")


def _spellings(sql: Connection, field: str, wanted: Collection[str]) -> list[str]:
    """The values of a field that differ from those wanted in case alone."""
    if field == "kind":
        return list(wanted)
    known = sql.execute(text(_TAGS if field == "tag" else _BRAIN_NAMES)).scalars()
    return [one for one in known if one.casefold() in wanted]


def _clean(value: str) -> str:
    """A value without the characters that PostgreSQL rejects in text."""
    return value.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


def shown(sql: Connection, serials: Sequence[int]) -> list[tuple[int, NodeSummary, str]]:
    """The nodes of a page that there still are, in order: serial, summary and Markdown."""
    asked = text(_SHOWN.format(listed(sql, "serials")))
    rows = {row.serial: row for row in sql.execute(asked, {"serials": json.dumps(list(serials))})}
    found = (rows[serial] for serial in serials if serial in rows)
    return [(row.serial, summary_of(row), json.loads(row.body)["body"]) for row in found]


def plain_texts(sql: Connection, bodies: Iterable[str]) -> list[str]:
    """Markdown as plain text, in which a link is the title of its target; of equal names the first that came."""
    texts = list(map(_plain, bodies))
    linked = {_key(name) for text_ in texts for name in _LINK.findall(text_)}
    titles: dict[str, str] = {}
    if linked:
        names = listed(sql, "names", "text")
        rows = sql.execute(text(_LINKED.format(names=names)), {"names": json.dumps(sorted(linked))})
        titles = {name: row.title for row in rows for name in (row.id.partition("/")[2], row.id)}
    named = naming(titles)
    return [_LINK.sub(lambda found: named(found[1]), text_) for text_ in texts]


def _key(link: str) -> str:
    return link.strip().partition("#")[0].casefold()


@lru_cache(maxsize=2000)
def _plain(body: str) -> str:
    """The plain text with the names of links between two signs that no text has: many answers show the same notes."""
    return plain_text(body, lambda link: f"\ue000{link}\ue000")
