"""Lookups in the search tables of PostgreSQL: synonyms, spelling, completion, titles of links."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import Connection, text

from graph.models.node_models import Node
from graph.search.query_language import Item, ParsedQuery, Word
from graph.search.server.server_queries import clean
from graph.search.server.server_rows import lexeme
from graph.search.spelling import most_similar
from graph.search.synonyms import LONGEST_NAME, Synonyms, synonyms_of
from graph.search.tokenizer import fold, stems, words
from graph.store import Store
from graph.text.plain_text import Named, naming, readable

CANDIDATES = 200
"""Maximum number of words that a misspelt one is compared with."""

SCANNED = 3000
"""Maximum number of titles examined for one completion."""

_HAS = text("SELECT EXISTS (SELECT 1 FROM search_nodes WHERE vector @@ CAST(:query AS tsquery))")
_COUNT = text("SELECT count(*) FROM search_nodes WHERE vector @@ CAST(:query AS tsquery)")
_TRIGRAMS = text("SELECT to_regproc('similarity') IS NOT NULL")
_ALIKE = text(
    "SELECT word, stem FROM search_words WHERE word % :word ORDER BY similarity(word, :word) DESC LIMIT :most"
)
_SPELT = text(
    "SELECT word, stem FROM search_words WHERE length(word) BETWEEN :least AND :longest"
    " AND (word LIKE :begin ESCAPE '!' OR word LIKE :ending ESCAPE '!')"
)
_TERMS = text("SELECT DISTINCT nodes.id FROM search_names JOIN nodes USING (serial) WHERE stems = ANY(:names)")
_LABELS = text(
    "SELECT label, nodes.id FROM search_names JOIN nodes USING (serial) ORDER BY serial, search_names.position"
)
_TITLED = text(
    "SELECT nodes.title, nodes.id FROM (SELECT serial FROM search_nodes"
    " WHERE left(named, 200) >= :start AND left(named, 200) < :beyond LIMIT :most) s JOIN nodes USING (serial)"
    " ORDER BY length(nodes.title), nodes.title LIMIT :limit"
)
_NAMED = text(
    "SELECT nodes.title, nodes.id FROM (SELECT serial FROM search_nodes"
    " WHERE names @@ CAST(:query AS tsquery) LIMIT :most) s JOIN nodes USING (serial)"
    " ORDER BY length(nodes.title), nodes.title LIMIT :limit"
)
_LINKED = text(
    "SELECT nodes.id, nodes.title FROM search_nodes JOIN nodes USING (serial)"
    " WHERE nodes.id = ANY(:names) OR slug = ANY(:names) ORDER BY serial DESC"
)


def synonyms_for(view: Store, items: tuple[Item, ...]) -> Synonyms:
    """The synonyms that the query may use: those of the terms with a name in it."""
    names = {
        " ".join(found)
        for start in range(len(items))
        for end in range(start + 1, min(start + LONGEST_NAME, len(items)) + 1)
        if (found := stems(" ".join(item.typed for item in items[start:end])))
    }
    if not names:
        return Synonyms({})
    with view.reading() as sql:
        ids = list(sql.execute(_TERMS, {"names": sorted(names)}).scalars())
    terms: list[tuple[int, Node]] = [(one.serial, one.node) for one in view.index_feed.numbered(ids)] if ids else []
    ordered = [node for _, node in sorted(terms, key=lambda pair: pair[0])]
    return synonyms_of(node.labels.all() for node in ordered if node.labels)


def suggestion(sql: Connection, asked: ParsedQuery) -> str | None:
    """The query with each unknown word replaced by a similar word of the index."""
    typed = asked.typed
    for item in asked.required:
        if isinstance(item.text, Word) and not sql.execute(_HAS, {"query": lexeme(item.text.stem)}).scalar():
            meant = _nearest(sql, item.typed)
            typed = typed.replace(item.typed, meant, 1) if meant else typed
    return None if typed == asked.typed else typed


def _nearest(sql: Connection, typed: str) -> str | None:
    """The most similar word that a node still has: a word stays listed when the last node that had it goes."""
    asked = str(clean(fold(typed)))
    found = {word: one for word, one in _candidates(sql, asked) if word != asked} if len(asked) >= 3 else {}
    return most_similar(asked, list(found), lambda word: _count(sql, found[word]))


def _count(sql: Connection, one: str) -> int:
    return int(sql.execute(_COUNT, {"query": lexeme(one)}).scalar_one())


def _candidates(sql: Connection, asked: str) -> Iterable[tuple[str, str]]:
    """Words that may be meant: by trigrams, or without pg_trgm those of a similar length that begin or end alike."""
    if sql.execute(_TRIGRAMS).scalar():
        sql.execute(text("SET LOCAL pg_trgm.similarity_threshold = 0.2"))
        rows = sql.execute(_ALIKE, {"word": asked, "most": CANDIDATES})
    else:
        within = len(asked) * 3 // 10 + 1
        ends = {"begin": f"{_escaped(asked[0])}%", "ending": f"%{_escaped(asked[-1])}"}
        rows = sql.execute(_SPELT, {"least": len(asked) - within, "longest": len(asked) + within, **ends})
    return [(row.word, row.stem) for row in rows]


def _escaped(char: str) -> str:
    return f"!{char}" if char in "%_!" else char


def labels(sql: Connection) -> list[tuple[str, str]]:
    """Every label of a term with the id of its node, in the order of arrival."""
    return [(row.label, row.id) for row in sql.execute(_LABELS)]


def titles_like(sql: Connection, typed: str, limit: int) -> list[tuple[str, str]]:
    """Titles with their nodes that complete the typed text: those that begin with it, then those with a later word."""
    start = words(typed)
    if not start:
        return []
    joined = " ".join(start)[:200]
    asked = {"start": joined, "beyond": joined + "\U0010ffff", "most": SCANNED, "limit": limit}
    found = {row.id: row.title for row in sql.execute(_TITLED, asked)}
    if len(found) < limit:
        query = " <-> ".join([*map(lexeme, start[:-1]), f"{lexeme(start[-1])}:*"])
        later = sql.execute(_NAMED, {"query": query, "most": SCANNED, "limit": limit + len(found)})
        found |= {row.id: row.title for row in later}
    return [(title, node) for node, title in found.items()]


def link_names(sql: Connection, bodies: Collection[str]) -> Named:
    """The titles of the nodes that the texts link to."""
    linked: set[str] = set()

    def collect(link: str) -> str:
        linked.add(link.strip().partition("#")[0].casefold())
        return ""

    for body in bodies:
        readable(body, collect)
    titles: dict[str, str] = {}
    if linked:
        for row in sql.execute(_LINKED, {"names": sorted(linked)}):
            titles |= {row.id: row.title, row.id.partition("/")[2]: row.title}
    return naming(titles)
