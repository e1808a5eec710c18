"""The words of the notes: expands prefixes, and corrects misspelt words."""

from __future__ import annotations

from rapidfuzz import process
from rapidfuzz.distance import OSA
from sqlalchemy import Connection, text

from graph.search.database_engine import count
from graph.search.query_language import AllOf, AnyOf, InTitle, ParsedQuery, Phrase, Prefix, Text, Word
from graph.search.tokenizer import fold, split, stem

MOST_STEMS = 300
"""A prefix of words with more stems is used as a prefix of stems."""

NEAR = 0.7
"""Minimum similarity of a suggestion: 1 minus edits divided by length."""

_STEMS = text("SELECT DISTINCT stem FROM search_words WHERE word >= :start AND word < :beyond LIMIT :most")
_ALIKE = text(
    "SELECT word, stem FROM search_words WHERE length(word) BETWEEN :least AND :longest"
    " AND (word LIKE :begin OR word LIKE :ending)"  # a word has no sign of a pattern
)


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
