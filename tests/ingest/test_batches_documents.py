"""The markers of the real brain page: batches that were read off by eye."""

from collections import Counter

import pytest

from graph.models.node_models import Kind

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
