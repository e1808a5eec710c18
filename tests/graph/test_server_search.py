"""What only the search in PostgreSQL does: the index changes with the write, and is in the database."""

import threading
from hashlib import sha256

import pytest
from sqlalchemy import text

from graph.models.query_models import NodeQuery
from graph.search.server import server_index, server_search
from graph.search.server.server_search import ServerSearch
from graph.store import Store

pytestmark = pytest.mark.postgres


@pytest.fixture
def server(postgres_store):
    with Store.open(postgres_store()) as opened:
        yield opened


@pytest.fixture
def put(make, server):
    """Store one document of a note for each text."""

    def store(at=server, **texts):
        nodes = [
            make.node(slug, body=body, document="f.md", line=n + 1) for n, (slug, body) in enumerate(texts.items())
        ]
        sha = sha256(repr(texts).encode()).hexdigest()
        at.documents.put(make.document(*nodes, name="f.md", sha=sha), make.noon)

    return store


def rows(server, table):
    with server.reading() as sql:
        return sql.execute(text(f"SELECT count(*) FROM {table}")).scalar()


def test_a_write_and_its_index_are_one_transaction(server, put, make):
    search = ServerSearch(server)
    put(oats="Oats and sorghum.", rye="Rye.")
    assert not search.check()
    assert search.search("sorgum").suggestion == "sorghum"

    def failing():
        with server.transaction():
            put(oats="Malt.")
            raise RuntimeError("back")

    with pytest.raises(RuntimeError, match="back"):
        failing()
    assert [search.search(word).total for word in ("malt", "sorghum")] == [0, 1]
    put(rye="Rye.")
    assert search.search("sorghum").total == 0
    assert search.search("sorgum").suggestion is None  # a word that went with its node
    assert rows(server, "search_nodes") == 1
    with Store.open(server.engine.url.render_as_string(hide_password=False)) as unaware:  # writes without an index
        put(unaware, rye="Rye.", corn="Corn.")
    assert [problem.code for problem in search.check()] == ["index-outdated"]
    assert search.search("corn").total == 1
    assert not search.check()


def test_an_answer_is_of_the_version_that_it_began_with(server, put, monkeypatch):
    """A write of another connection comes between the match and the hits: the answer is wholly of before."""
    search = ServerSearch(server)
    put(one="Oats.", rye="Rye and oats.")
    hits, written = server_search._hits, []

    def late(*arguments):
        if not written:
            written.append(1)
            writer = threading.Thread(target=lambda: put(one="Malt.", corn="Oats of corn."))
            writer.start()
            writer.join()
        return hits(*arguments)

    monkeypatch.setattr(server_search, "_hits", late)
    answer = search.search("oats")
    assert written
    assert sorted((hit.node.id, hit.plain) for hit in answer.hits) == [
        ("ada/one", "Oats."),
        ("ada/rye", "Rye and oats."),
    ]
    assert [hit.node.id for hit in search.search("oats").hits] == ["ada/corn"]


def test_a_build_goes_on_where_it_ended_and_another_format_is_built_again(server, put, make, monkeypatch):
    put(**{f"n{n}": f"Oats and only{n}." for n in range(7)})
    monkeypatch.setattr(server_index, "BATCH", 3)
    search, told = ServerSearch(server), []

    def ends(_what, done, _total):
        told.append(done)
        if done > 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.index(ends)
    assert rows(server, "search_nodes") == 3
    put(**{f"n{n}": f"Oats and new{n}." for n in range(7)})  # a write during the build
    assert search.search("oats").total == search.search("new*").total == 7
    assert search.search("only2").total == 0
    monkeypatch.setattr(server_index, "FORMAT", server_index.FORMAT + 1)
    assert search.check()
    assert search.search("oats -new3").total == 6
    search.rebuild()
    assert rows(server, "search_nodes") == 7
    search.close()


def test_texts_beyond_the_limits_of_a_vector_are_found_by_every_word_and_phrase(server, put):
    search = ServerSearch(server)
    long = "barley price " * 300 + "malt price " + "filler " * 17_000 + "late sorghum harvest"
    put(long=long, wide=" ".join(f"w{n:x}" for n in range(90_000)), plain="Barley.")
    for typed in ('"late sorghum harvest"', '"malt price"', '"sorghum harvest" -plainly', "sorghum barley"):
        assert [hit.node.id for hit in search.search(typed).hits] == ["ada/long"], typed
    assert search.search('"sorghum late"').total == 0
    assert search.search('"w5 w6 w7"').total == search.search("w100").total == 1


def test_a_walk_reaches_what_is_behind_the_ranked_head(server, put, monkeypatch):
    monkeypatch.setattr(server_search, "RANKED", 4)
    search = ServerSearch(server)
    put(**{f"n{n}": "Oats " * (n + 1) for n in range(11)}, oats="Rye. Oats.")
    seen, cursor = [], None
    while not seen or cursor:
        page = search.search("oats", NodeQuery(limit=3, cursor=cursor))
        seen += [hit.node.id for hit in page.hits]
        cursor = page.next
        assert page.total == 12
    assert len(seen) == len(set(seen)) == 12
    assert seen[0] == "ada/oats"  # in the title


def test_without_the_extension_for_trigrams_words_are_still_suggested(server, put):
    with server.writing() as work:
        work.sql.execute(text("DROP EXTENSION pg_trgm CASCADE"))
    search = ServerSearch(server)
    put(oats="Barley and sorghum.")
    assert search.search("barly sorghum").suggestion == "barley sorghum"
    assert search.search("sorghxm").suggestion == "sorghum"
