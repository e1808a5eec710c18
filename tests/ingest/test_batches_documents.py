"""The markers of the real brain page: batches that were read off by eye, and pages cut from it."""

import random
from collections import Counter

import pytest

from graph.models.node_models import Kind
from ingest.citations.bracket_markers import bracket_markers
from ingest.citations.marker_resolution import resolve

pytestmark = pytest.mark.documents

BATCHES = {
    134: ("model-layer-is-the-pricing", "output-tokens-are-the-margin", "prompt-caching-plus-batch"),
    71: ("measurement-determines", "pue-measurement", "depreciation-schedules", "batch-size-and-utilization"),
    1: ("price-the-model-layer", "memory-bandwidth-is-the-moat", "inference-adjusted", "the-cost-curve-is-a-power"),
}
"""The first reading of a batch, counted from the oldest, and the nodes that draw on it."""


@pytest.fixture
def brain(real):
    return real("kai-brain-page.txt").nodes


def readings_of(nodes):
    return [node for node in nodes if node.kind is Kind.READING][::-1]


def test_every_node_draws_on_the_batch_that_was_read_off_by_eye(brain):
    place = {node.id: number for number, node in enumerate(readings_of(brain), 1)}
    found = {node.slug: {place[c.target] - c.number + 1 for c in node.cites} for node in brain if node.cites}
    assert len(found) == 11
    for first, names in BATCHES.items():
        for name in names:
            assert next(starts for slug, starts in found.items() if name in slug) == {first}


def test_every_reference_is_resolved_and_sure(brain):
    cites = [citation for node in brain for citation in node.cites]
    assert Counter(citation.resolution for citation in cites) == {"batch": 97}
    assert min(citation.confidence for citation in cites) > 0.95


def test_the_thesis_on_stacked_discounts_cites_caching_the_stack_and_the_batch_price(brain):
    thesis = next(node for node in brain if node.kind is Kind.THESIS and "prompt-caching-plus-batch" in node.slug)
    targets = {citation.number: citation.target_title for citation in thesis.cites}
    assert set(targets) == {4, 6, 11}
    assert "caching" in targets[4]
    assert "95%" in targets[6]
    assert "24-hour" in targets[11]


def variant(brain, seed, lost=0):
    """A page cut from the real one: some batches, shuffled and shortened, and some paragraphs of their nodes."""
    rng = random.Random(seed)
    readings = readings_of(brain)
    place = {node.id: number for number, node in enumerate(readings)}
    synthesis = [node for node in brain if node.cites]
    first = {node.id: place[node.cites[0].target] - node.cites[0].number + 1 for node in synthesis}
    page, theses, meant = [], [], {}
    for begin, end in rng.sample([(0, 70), (70, 133), (133, 149)], rng.randint(1, 3)):
        own = [node for node in synthesis if first[node.id] == begin and rng.random() < 0.7]
        reach = max((c.number for node in own for c in node.cites), default=3)
        batch = readings[begin : rng.randint(begin + reach, end)]
        gone = {rng.randrange(len(batch)) for _ in range(lost)}
        for node in own:
            paragraphs = [part for part in node.body.split("\n\n") if bracket_markers(part)]
            body = "\n\n".join(rng.sample(paragraphs, min(2, len(paragraphs))))
            numbers = [number for marker in bracket_markers(body) for number in marker.numbers]
            meant[node.id] = [None if n - 1 in gone else batch[n - 1].id for n in numbers]
            theses.append(node.model_copy(update={"body": body, "citations": ()}))
        page += [node for at, node in enumerate(batch) if at not in gone]
    rng.shuffle(theses)
    return [*theses, *page[::-1]], meant


@pytest.mark.parametrize(("lost", "right"), [(0, 0.97), (1, 0.85)], ids=["whole", "readings missing"])
def test_pages_cut_from_it_are_resolved_and_what_is_sure_is_right(brain, lost, right):
    found = []
    for seed in range(12):
        nodes, meant = variant(brain, seed, lost)
        for node in resolve(nodes)[0]:
            pairs = zip(node.cites, meant.get(node.id, ()), strict=True)
            found += [(c.confidence, c.target is not None, c.target == target) for c, target in pairs]
    resolved = [hit for _, done, hit in found if done]
    sure = [hit for chance, done, hit in found if done and chance >= 0.9]
    assert sum(resolved) / len(resolved) >= right
    assert sum(sure) / len(sure) >= 0.97
    assert len(sure) / len(found) >= 0.6
