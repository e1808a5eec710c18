"""Which citations make a node depend on what it cites."""

import pytest

from graph.links.links import Links
from graph.models.link_models import ARGUING, SURE
from graph.models.node_models import Citation


@pytest.mark.parametrize(
    ("marker", "resolution", "cito", "sure", "depends"),
    [
        ("[1]", "batch", "cites", 0.9, True),
        ("[1]", "batch", "cites", SURE, True),
        ("[1]", "batch", "cites", SURE - 0.01, False),
        ("[[base]]", "link", "cites", 1.0, False),
        ("[[base]]", "link", "discusses", 1.0, False),
        ("[[base]]", "link", "disputes", 1.0, False),
        *(("[[base]]", "link", cito, 1.0, True) for cito in sorted(ARGUING)),
    ],
)
def test_a_citation_that_argues_is_a_dependency(store, make, marker, resolution, cito, sure, depends):
    cited = Citation(marker=marker, target="ada/base", resolution=resolution, cito=cito, confidence=sure)
    thesis = make.node("thesis", line=9).model_copy(update={"citations": (cited,)})
    make.put(store, make.node("base"), thesis)
    assert store.edges.arguing() == ([("ada/thesis", "ada/base")] if depends else [])
    assert [one.node.id for one in Links(store).dependents("ada/base")] == (["ada/thesis"] if depends else [])


def test_a_node_does_not_depend_on_itself(store, make):
    make.put(store, make.node("base", cites=("ada/base",)))
    assert store.edges.arguing() == []
