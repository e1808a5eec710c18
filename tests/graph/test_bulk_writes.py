"""Vectors of words that PostgreSQL merges."""

import random

import pytest
from sqlalchemy import text

from graph.search.server import server_rows
from graph.search.server.server_rows import WordForms
from graph.search.tokenizer import split, stem
from graph.store import Store

pytestmark = pytest.mark.postgres


def test_a_vector_that_postgresql_merges_is_the_one_that_is_built_word_by_word(postgres_store):
    chance = random.Random(3)
    words = ["oats", "barley", "don't", "3.5", "é", "\\", "a'b", "x:1A", "日本", "runs", "running"]
    forms = WordForms()
    with Store.open(postgres_store()) as store, store.reading() as sql:
        for _ in range(40):
            parts = [
                (letter, split(" ".join(chance.choices(words, k=chance.randint(0, 30))))) for letter in ("A", "B", "")
            ]
            lexemes, whole = server_rows._positions((letter, [stem(word) for word in some]) for letter, some in parts)
            short, nothing = server_rows._searchable(parts, forms)
            same = text("SELECT CAST(:one AS tsvector) = CAST(:two AS tsvector)")
            assert sql.execute(same, {"one": short, "two": server_rows.vector(lexemes)}).scalar()
            assert (whole, nothing) == ("", "")
