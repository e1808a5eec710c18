"""Terms as concepts, and tags by use and related."""

from api.services.names import TagUse, concepts, families, tag_uses
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


def test_tags_of_claims_count_too_and_no_tag_is_in_two_families():
    used = tag_uses([FacetCount(value="gpu", count=3), FacetCount(value="rent", count=1)], ())
    assert used == (TagUse("gpu", 3), TagUse("rent", 1))
    sets = [("gpu", "rent"), ("gpu", "rent"), ("gpu", "power"), ("gpu", "power"), ("token", "cache"), ("token", "cache"), ("token", "alone")]  # fmt: skip
    cards = [card(number, "b", f"n{number}", tags=tags) for number, tags in enumerate(sets)]
    counts = {tag: sum(tag in own for own in sets) for own in sets for tag in own}
    uses = sorted((TagUse(tag, count) for tag, count in counts.items()), key=lambda use: (-use.total, use.tag))
    related = {head.tag: [use.tag for use in near] for head, near in families(uses, cards, 3, 4)}
    assert related == {"gpu": ["power", "rent"], "token": ["cache"]}, "one shared node is chance"
