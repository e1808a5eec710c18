"""Completion: tags, terms and titles with a word that begins with the typed text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, text

from graph.models.query_models import FacetCount
from graph.search.database_engine import select_nodes
from graph.search.query_language import AllOf, InTitle, Prefix, Word
from graph.search.search_models import Completion
from graph.search.tokenizer import stems, words
from graph.search.vocabulary import spelt_out

SCANNED = 200
"""Maximum titles read for an answer; those that begin with the typed text come first."""

_ORDER = {"tag": 0, "term": 1, "title": 2}
_LABELS = "SELECT l.label, n.id FROM search_names l JOIN nodes n ON n.serial = l.serial{} ORDER BY l.serial, l.position"
_BEGIN = " WHERE l.folded LIKE :start ESCAPE '!' OR l.folded LIKE :later ESCAPE '!'"
_TITLES = " ORDER BY n.title_key LIKE :start ESCAPE '!' DESC, length(n.title), n.title LIMIT :most"


def complete(sql: Connection, tags: Iterable[FacetCount], typed: str, limit: int) -> tuple[Completion, ...]:
    """At most `limit` completions: first those that begin with the typed text, then those where a later word does."""
    start = " ".join(words(typed))
    if not start:
        return ()
    found = ((one, " ".join(words(one.text))) for one in (*_tags(tags), *_terms(sql, start), *_titles(sql, typed)))
    begun = ((one, not key.startswith(start)) for one, key in found if f" {start}" in f" {key}")
    ranked = sorted(begun, key=lambda pair: (pair[1], *_rank(pair[0])))
    return tuple(one for one, _ in ranked[:limit])


def term_names(sql: Connection) -> tuple[tuple[str, str], ...]:
    """Every label of a term, with the id of the first term that has it."""
    return tuple(_first(sql.execute(text(_LABELS.format(""))).all()).items())


def _rank(one: Completion) -> tuple[int, int, int, str]:
    return _ORDER[one.kind], -one.count, len(one.text), one.text


def _first(rows: Iterable[tuple[str, str]]) -> dict[str, str]:
    names: dict[str, str] = {}
    for label, node in rows:
        names.setdefault(label, node)
    return names


def _tags(tags: Iterable[FacetCount]) -> Iterator[Completion]:
    for tag in tags:
        insert = f'tag:"{tag.value}"' if " " in tag.value else f"tag:{tag.value}"
        yield Completion(kind="tag", text=tag.value, insert=insert, count=tag.count)


def _terms(sql: Connection, start: str) -> Iterator[Completion]:
    asked = {"start": f"{start}%", "later": f"% {start}%"}  # words have no sign of a pattern
    for label, node in _first(sql.execute(text(_LABELS.format(_BEGIN)), asked).all()).items():
        yield Completion(kind="term", text=label, insert=_quoted(label), node=node)


def _titles(sql: Connection, typed: str) -> Iterator[Completion]:
    *before, last = words(typed)
    wanted = InTitle(AllOf((*map(Word, stems(" ".join(before))), Prefix(last))))
    asked = {"start": " ".join((*before, last)) + "%", "most": SCANNED}
    for row in select_nodes(sql, "n.title, n.id", spelt_out(sql, wanted), _TITLES, **asked):
        yield Completion(kind="title", text=row.title, insert=_quoted(row.title), node=row.id)


def _quoted(text_: str) -> str:
    inside = text_.replace('"', " ")
    return f'"{inside}"' if " " in inside else inside
