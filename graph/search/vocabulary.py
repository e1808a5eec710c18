"""The words and names of the notes: completion, prefixes, and the correction of misspelt words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rapidfuzz import process
from rapidfuzz.distance import OSA
from sqlalchemy import Connection, text

from graph.models.query_models import FacetCount
from graph.search.database_engine import count, select_nodes
from graph.search.query_language import AllOf, AnyOf, InTitle, ParsedQuery, Phrase, Prefix, Text, Word
from graph.search.search_models import Completion
from graph.search.tokenizer import fold, split, stem, stems, words

SCANNED = 200  # maximum titles read for an answer; those that begin with the typed text come first

_ORDER = {"tag": 0, "term": 1, "title": 2}
_LABELS = "SELECT l.label, n.id FROM search_names l JOIN nodes n ON n.serial = l.serial{} ORDER BY l.serial, l.position"
_BEGIN = " WHERE l.folded LIKE :start ESCAPE '!' OR l.folded LIKE :later ESCAPE '!'"
_TITLES = " ORDER BY n.title_key LIKE :start ESCAPE '!' DESC, length(n.title), n.title LIMIT :most"

MOST_STEMS = 300  # a prefix of words with more stems is used as a prefix of stems

NEAR = 0.7  # minimum similarity of a suggestion: 1 minus edits divided by length

_STEMS = text("SELECT DISTINCT stem FROM search_words WHERE word >= :start AND word < :beyond LIMIT :most")
_ALIKE = text(
    "SELECT word, stem FROM search_words WHERE length(word) BETWEEN :least AND :longest"
    " AND (word LIKE :begin OR word LIKE :ending)"  # a word has no sign of a pattern
)


def complete(sql: Connection, tags: Iterable[FacetCount], typed: str, limit: int) -> tuple[Completion, ...]:
    """At most `limit` completions: first those that begin with the typed text, then those where a later word does."""
    start = " ".join(words(typed))
    if not start:
        return ()
    found = ((one, " ".join(words(one.text))) for one in (*_tags(tags), *_terms(sql, start), *_titles(sql, typed)))
    begun = ((one, not key.startswith(start)) for one, key in found if f" {start}" in f" {key}")
    ranked = sorted(begun, key=lambda pair: (pair[1], *_rank(pair[0])))
    return tuple(one for one, _ in ranked[:limit])


def term_names(sql: Connection, condition: str = "", **values: str) -> dict[str, str]:
    """Labels of terms, each with the id of the first term that has it."""
    names: dict[str, str] = {}
    for label, node in sql.execute(text(_LABELS.format(condition)), values):
        names.setdefault(label, node)
    return names


def _rank(one: Completion) -> tuple[int, int, int, str]:
    return _ORDER[one.kind], -one.count, len(one.text), one.text


def _tags(tags: Iterable[FacetCount]) -> Iterator[Completion]:
    for tag in tags:
        insert = f'tag:"{tag.value}"' if " " in tag.value else f"tag:{tag.value}"
        yield Completion(kind="tag", text=tag.value, insert=insert, count=tag.count)


def _terms(sql: Connection, start: str) -> Iterator[Completion]:
    names = term_names(sql, _BEGIN, start=f"{start}%", later=f"% {start}%")  # words have no sign of a pattern
    for label, node in names.items():
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


def spelt_out(sql: Connection, wanted: Text) -> Text:
    """The text with the stems of words for each prefix: `quantiza*` becomes the stem `quantiz`."""
    match wanted:
        case Prefix(start):
            asked = {"start": start, "beyond": start + "\U0010ffff", "most": MOST_STEMS + 1}
            found = sorted(sql.execute(_STEMS, asked).scalars())
            return wanted if len(found) > MOST_STEMS else AnyOf(tuple(map(Word, found or [start])))
        case InTitle(inner):
            return InTitle(spelt_out(sql, inner))
        case AllOf(parts) | AnyOf(parts):
            return type(wanted)(tuple(spelt_out(sql, part) for part in parts))
        case Word() | Phrase():
            return wanted


def suggestion(sql: Connection, asked: ParsedQuery) -> str | None:
    """The query with a similar known word for each unknown one, or None."""
    typed = asked.typed
    for item in asked.required:
        if item.quoted or isinstance(item.text, Prefix | InTitle) or count(sql, item.text):
            continue
        for word in split(item.typed):
            meant = None if count(sql, Word(stem(word))) else nearest(sql, fold(word))
            typed = typed.replace(word, meant, 1) if meant else typed
    return None if typed == asked.typed else typed


def nearest(sql: Connection, asked: str) -> str | None:
    """The most similar word, of equal ones the most frequent; its first or last letter is right."""
    if len(asked) < 3:
        return None
    within = len(asked) * 3 // 10 + 1
    lengths = {"least": len(asked) - within, "longest": len(asked) + within}
    ends = {"begin": f"{asked[0]}%", "ending": f"%{asked[-1]}"}
    stems = {row.word: row.stem for row in sql.execute(_ALIKE, lengths | ends)}
    alike = process.extract(asked, list(stems), scorer=OSA.normalized_similarity, score_cutoff=NEAR, limit=20)
    named = ((score, count(sql, Word(stems[word])), word) for word, score, _ in alike if not word.isdigit())
    return max((one for one in named if one[1]), default=(0, 0, None))[2]
