"""What is found for a whole list at once is what is found for each text by itself."""

import json
import random

from graph.models.facet_counts import FacetCount, in_order, ranked
from graph.search.query_language import parse
from graph.search.snippets import LENGTH, Marker
from graph.text.plain_text import plain_text

WORDS = ("cache", "caches", "caching", "rate", "rates", "3.5", "GPU-hour", "<b>", "a", "ratecache", "café", "x" * 40)


def test_snippets_of_a_list_are_those_of_each_text():
    chance = random.Random(5)
    for number in range(300):
        words = WORDS if number % 3 else WORDS[:10]
        texts = [" ".join(chance.choices(words, k=chance.choice((0, 1, 5, 80)))) for _ in range(chance.randint(0, 6))]
        typed = " ".join(chance.choices(("cache", "rate", '"rate cache"', "cach*", "3.5", "gpu-hour", "none"), k=2))
        marker = Marker(item.text for item in parse(typed).required)
        assert marker.snippets(texts) == [marker.snippet(text).marked for text in texts]


def test_dashes_and_quotes_of_typographers_change_nothing_in_what_is_found(monkeypatch):
    """Texts whose letters are ASCII are searched by their beginnings, others word by word; both find the same."""
    chance = random.Random(6)
    signs = (" ", " ", "-", " — ", "’s ", "…", "“", ", ", "_", "²", "é", "猫", "1.1.1", "İ", "\n")
    cases = []
    for _ in range(400):
        text = "".join(
            chance.choice(WORDS) + chance.choice(signs[: chance.choice((8, 15))]) for _ in range(chance.randint(0, 90))
        )
        typed = " ".join(chance.choices(("cache", "rate", '"rate cache"', "cach*", "3.5", "1.1", "gpu-hour", "s"), k=2))
        cases.append((Marker(item.text for item in parse(typed).required), text))
    found = [(marker.spans(text), marker.snippet(text)) for marker, text in cases]
    monkeypatch.setattr("graph.search.snippets._is_simple", lambda _text: False)
    assert found == [(marker.spans(text), marker.snippet(text)) for marker, text in cases]


def test_a_query_of_words_alone_is_read_as_any_other():
    for typed in ("cache rate", " The cache ", "the", "a", "title tag", "x " * 40, "caches\tcaching", "y" * 2000):
        other = parse(f"{typed} -zz")
        assert parse(typed).items == tuple(item for item in other.items if not item.negated), typed


def test_words_without_anything_between_them_are_one_run():
    marker = Marker(item.text for item in parse("猫 cache").required)
    assert marker.marked("猫猫 cache, cache--cache") == "<mark>猫猫 cache</mark>, <mark>cache--cache</mark>"


def test_words_of_neighbouring_texts_are_no_run():
    marker = Marker(item.text for item in parse("cache").required)
    assert marker.snippets(["a cache", "cache b", ""]) == ["a <mark>cache</mark>", "<mark>cache</mark> b", ""]
    assert len(marker.snippets(["x " * LENGTH])[0]) <= LENGTH + 2


def test_the_most_frequent_of_many_values_are_those_of_all_in_order():
    chance = random.Random(7)
    counts = {f"tag-{number}": chance.randint(1, 12) for number in range(900)}
    assert in_order(counts, 100) == in_order(counts)[:100]
    assert ranked(counts, 3) == tuple(FacetCount(*pair) for pair in in_order(counts)[:3])


def test_plain_text_has_one_space_between_words_whatever_there_was():
    for given in ("a b", " a  b ", "a\nb", "a\tb", "a\x0bb", "a\xa0b", "a\u2028b", "a\x1fb", "*a* | `b`"):
        assert plain_text(given) == "a b"


def test_markdown_is_read_from_the_json_of_a_node_whatever_is_before_it(store, make):
    title = 'Of ,"body":" and \\",\\"body\\":\\"'
    bodies = ['He said "no" \\ and\n\t€', "", ',"body":"']
    nodes = [make.node(f"n-{n}", title, line=n + 1, body=body) for n, body in enumerate(bodies)]
    store.documents.put(make.document(*nodes), make.noon)
    serials = [card.serial for card in store.index_feed.cards()]
    assert list(store.index_feed.markdown(serials).values()) == bodies
    with store.writing() as work:
        row = work.sql.exec_driver_sql("SELECT id, body FROM nodes WHERE id = 'ada/n-0'").one()
        spaced = json.dumps(json.loads(row.body)).replace("'", "''")
        work.sql.exec_driver_sql(f"UPDATE nodes SET body = '{spaced}' WHERE id = 'ada/n-0'")
    assert store.index_feed.markdown(serials)[serials[0]] == bodies[0]
    assert store.index_feed.markdown([10_000]) == {}
