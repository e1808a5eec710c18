"""Terms as concepts, and tags by use."""

from api.services.names import TagUse, concepts, tag_uses
from graph.models.link_models import Link
from graph.models.node_models import Kind
from graph.models.query_models import Card, FacetCount


def card(serial, brain, title, kind=Kind.TERM, tags=()):
    return Card(serial, f"{brain}/{title.lower().replace(' ', '-')}", kind, brain, title, tags, f"{brain}.txt")


def test_terms_that_mean_the_same_are_one_entry_under_the_name_that_most_use():
    cards = [card(1, "one", "Zest"), card(2, "one", "Key cache"), card(3, "two", "KV cache"), card(4, "three", "KV cache"),
             card(5, "four", "KV cache"), card(6, "one", "Reading", Kind.READING)]  # fmt: skip
    pairs = [("one/key-cache", "two/kv-cache"), ("three/kv-cache", "two/kv-cache"), ("one/key-cache", "gone/away")]
    same = [Link(one, "same_as", other) for one, other in pairs]
    found = [(one.title, one.id, one.glossaries) for one in concepts(cards, same)]
    assert found == [
        ("KV cache", "four/kv-cache", ("four",)),  # of the same name, and not the same
        ("KV cache", "two/kv-cache", ("one", "two", "three")),
        ("Zest", "one/zest", ("one",)),
    ]


def test_tags_are_counted_the_most_used_first():
    used = tag_uses([FacetCount(value="gpu", count=3), FacetCount(value="rent", count=1)], ())
    assert used == (TagUse("gpu", 3), TagUse("rent", 1))
