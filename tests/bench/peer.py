"""The nodes of a brain as Datasette has them, and the questions of a bench in SQL: what `windows.py` compares with."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from urllib.parse import quote, unquote, urlencode

from api.brain import Brain
from api.settings import Settings

SUMMARY = "n.id, n.brain, n.kind, n.title, n.tags, n.url"
COUNTED = "select {0}, count(*) c from m cross join {1} group by 1 order by 2 desc, 1 limit 100"
FACETS = " union all ".join(
    f"select '{name}', json_group_object({name}, c), null, null, null, null, null, null from ({COUNTED.format(name, of)})"
    for name, of in (
        ("tag", "tags t on t.node = m.node"),
        ("kind", "nodes n on n.rowid = m.node"),
        ("brain", "nodes n on n.rowid = m.node"),
    )
)
"""The counts over all rows that match, `m`: the rows of a page are few, and each row of JSON costs."""
SQL = {
    "tag": "with m as materialized (select node from tags where tag = :key) select * from "
    f"(select {SUMMARY}, null as score, null as snippet from m cross join nodes n on n.rowid = m.node order by n.rowid limit 20)"
    f" union all {FACETS}",
    "node": "select * from nodes where id = :key",
    "text": "with m as materialized (select rowid as node from words where words match :key) select * from "
    f"(select {SUMMARY}, rank as score, snippet(words, 1, '<mark>', '</mark>', '…', 40) as snippet from words "
    f"cross join nodes n on n.rowid = words.rowid where words match :key order by rank limit 20) union all {FACETS}",
}


def table(home: str, file: Path) -> None:
    """The nodes of a brain as Datasette has them."""
    db = sqlite3.connect(file)
    db.executescript(
        "create table nodes (id text unique, brain, kind, title, body, tags, sources, citations, url);"
        "create table tags (tag, node integer); create index by_tag on tags (tag); create index by_node on tags (node);"
        "create virtual table words using fts5 (title, body, tags);"
    )
    with Brain.open(Settings(home=Path(home))) as brain:
        for number, node in enumerate(brain.nodes.all(), 1):
            lists = node.model_dump(mode="json", include={"tags", "sources", "citations"})
            texts = [json.dumps(lists[name]) for name in ("tags", "sources", "citations")]
            plain = (node.id, node.brain, node.kind.value, node.title, node.body)
            db.execute("insert into nodes values (?,?,?,?,?,?,?,?,?)", (*plain, *texts, f"/nodes/{node.id}"))
            db.executemany("insert into tags values (?, ?)", [(tag, number) for tag in node.tags])
            words = (number, node.title, node.body, " ".join(node.tags))
            db.execute("insert into words (rowid, title, body, tags) values (?,?,?,?)", words)
    db.commit()
    db.close()


def theirs(name: str, paths: list[str]) -> list[str]:
    """The same questions in SQL."""
    keys = {
        "tag": lambda path: unquote(path.partition("tag=")[2].partition("&")[0]),
        "node": lambda path: path.removeprefix("/v1/nodes/"),
        "text": lambda path: unquote(path.partition("q=")[2].partition("&")[0]),
    }
    asked = ({"sql": SQL[name], "key": keys[name](path), "_shape": "array"} for path in paths)
    return [f"/brain.json?{urlencode(one, quote_via=quote)}" for one in asked]
