"""Hides the rows of private brains from readers who may not read them.

    queries ─▶ connection of the reader ─▶ temporary views with the names of the tables ─▶ tables

The views have no row of a hidden brain. Both databases look up a name among temporary objects first, so every query is
filtered here, SQL text too, and nowhere else. A table without a rule is empty: a new table is hidden until it has one.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import URL, Engine, event

from graph.store.database_engine import build
from graph.store.metadata import RENAMED
from graph.store.schema import metadata

PUBLIC_KEYS = ("identity", "commit", "prices.seen")
"""Entries of `meta` that views show, with those under `prices.in-use.`."""

OPEN = frozenset({"counters", "runs"})
"""Tables that every reader gets complete; `LedgerTables` counts the verdicts of runs again."""


def reader_engine(url: URL, hidden: frozenset[str]) -> Engine:
    """An engine that only reads and finds no row of the `hidden` brains."""
    engine = build(url)
    sqlite = engine.dialect.name == "sqlite"

    def prepare(connection: Any, _record: object) -> None:  # noqa: ANN401  # a connection of either driver
        cursor = connection.cursor()
        try:
            if sqlite:
                schema, last = "main", "PRAGMA query_only=ON"
            else:
                cursor.execute("SELECT quote_ident(current_schema())")
                schema, last = str(cursor.fetchone()[0]), "SET default_transaction_read_only = on"
            for statement in (*_Rules(schema, hidden, sqlite=sqlite).statements(), last):
                cursor.execute(statement)
            if not sqlite:
                connection.commit()
        finally:
            cursor.close()

    event.listen(engine, "connect", prepare)
    return engine


class _Rules:
    """SQL conditions for the visible rows of each table, here `t`."""

    def __init__(self, schema: str, hidden: frozenset[str], *, sqlite: bool) -> None:
        names = ", ".join("'" + name.replace("'", "''") + "'" for name in sorted(hidden)) or "''"
        self._schema, self._hidden, self._sqlite = schema, f"({names})", sqlite

    def statements(self) -> list[str]:
        """The statements that create the views.

        FTS5's table gets none, as a view cannot be searched: its queries join `nodes`. `search_words` needs none: a
        word is suggested only if a visible node has its stem.
        """
        conditions = self._conditions()
        columns = {
            table.name: ", ".join(self._column(table.name, column.name) for column in table.columns)
            for table in metadata.sorted_tables
            if table.name not in OPEN
        }
        seen = self._among("nodes", "d.serial = t.serial", "brain", negate=False)
        searched = dict.fromkeys(("search_names",) if self._sqlite else ("search_names", "search_text"), seen)
        return [
            f"CREATE TEMPORARY VIEW {table} AS SELECT {listed} "  # noqa: S608  # names of the schema, and quoted names
            f"FROM {self._schema}.{table} t WHERE {(conditions | searched).get(table, '1 = 0')}"
            for table, listed in (columns | dict.fromkeys(searched, "t.*")).items()
        ]

    def _column(self, table: str, name: str) -> str:
        """A column of a view.

        A citation of a hidden node has an unknown target. A verdict computed from documents of a brain that was hidden
        later keeps its figures without the reason, which may name a price or a catalogue.
        """
        replaced = {"target": "NULL", "marker": "''", "resolution": "'unresolved'", "confidence": "0.0"}
        own, other = f't."{name}"', "''"
        if table == "citations" and name in replaced:
            shown, other = f"t.target IS NULL OR {self._node('t.target')}", replaced[name]
        elif table == "verdicts" and name in {"reason", "further"}:
            shown = f"NOT {self._mixed('t.run')}"
        elif table == "flags" and name == "body":
            shown, other = f"NOT {self._mixed('t.first_run')}", "json_set(t.body, '$.reason', '')"
            if not self._sqlite:
                other = "CAST(jsonb_set(t.body::jsonb, '{reason}', '\"\"') AS text)"
        else:
            return own
        return f'CASE WHEN {shown} THEN {own} ELSE {other} END AS "{name}"'

    def _conditions(self) -> dict[str, str]:
        brain, node = self._brain("t.brain"), self._node("t.node")
        both = f"{self._brain('t.node_brain')} AND {self._brain('t.document_brain')}"
        return {
            **dict.fromkeys(("documents", "nodes", "run_parts", "stated_cards"), brain),
            **dict.fromkeys(("node_tags", "node_names", "node_sources", "citations", "quotations"), node),
            "edges": f"{self._node('t.subject')} AND {self._node('t.target')}",
            "node_log": self._node("t.id"),
            "tombstones": self._node("t.id"),
            "unresolved": self._among("documents", "d.name = t.document AND d.current", "brain", negate=False),
            "claims": self._claim("t.id"),
            "claim_log": both,
            "verdicts": self._claim("t.claim", "t.run"),
            "flags": self._claim("t.claim", "t.first_run"),
            "silences": self._silence(),
            **dict.fromkeys(
                ("snapshots", "snapshot_brains"),
                self._among("snapshot_brains", "d.hash = t.hash", "brain", negate=True),
            ),
            "seen_prices": self._among(
                "stated_cards", "d.catalog = t.catalog AND d.statement = t.statement", "brain", negate=True
            ),
            "brains": self._brain("t.name"),
            "meta": f"t.key IN {PUBLIC_KEYS!r} OR t.key LIKE 'prices.in-use.%' OR ({self._renamed()})",
        }

    def _renamed(self) -> str:
        """New ids of nodes whose brains, old and new, are visible."""
        old = self._node(f"substr(t.key, {len(RENAMED) + 1})")
        return f"t.key LIKE '{RENAMED}%' AND {old} AND {self._node('t.value')}"

    def _brain(self, column: str) -> str:
        return f"{column} NOT IN {self._hidden}"

    def _node(self, column: str) -> str:
        """A node by its id, whose first part is the brain."""
        found = f"substr({column}, 1, instr({column}, '/') - 1)" if self._sqlite else f"split_part({column}, '/', 1)"
        return self._brain(found)

    def _claim(self, column: str, run: str = "") -> str:
        """A claim with visible node and document; with `run`, its rows since it came to these brains."""
        both = f"{self._brain('d.node_brain')} AND {self._brain('d.document_brain')}"
        later = f" AND d.since < {run}" if run else ""
        return self._exists("claim_log", f"d.claim = {column} AND {both}{later}")

    def _mixed(self, run: str) -> str:
        """A run whose snapshot has prices of a hidden brain."""
        used = f"r.id = {run} AND d.hash = r.snapshot AND d.brain IN {self._hidden}"
        tables = f"{self._schema}.runs r, {self._schema}.snapshot_brains d"
        return f"EXISTS (SELECT 1 FROM {tables} WHERE {used})"  # noqa: S608  # names of the schema, and quoted names

    def _among(self, table: str, same: str, column: str, *, negate: bool) -> str:
        """Rows with a visible row in another table; with `negate`, rows without a hidden one."""
        kept = f"d.{column} IN {self._hidden}" if negate else self._brain(f"d.{column}")
        found = self._exists(table, f"{same} AND {kept}")
        return f"NOT {found}" if negate else found

    def _exists(self, table: str, condition: str) -> str:
        return f"EXISTS (SELECT 1 FROM {self._schema}.{table} d WHERE {condition})"  # noqa: S608  # as above

    def _silence(self) -> str:
        """A silence of a visible claim or a tag, not stated by a hidden document."""
        field = "json_extract(t.body, '$.claim')" if self._sqlite else "(t.body::json ->> 'claim')"
        stated = f"substr(t.id, 1, length(d.name) + 1) = d.name || '#' AND d.brain IN {self._hidden}"
        return f"({field} IS NULL OR {self._claim(field)}) AND NOT {self._exists('documents', stated)}"
