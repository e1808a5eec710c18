"""Markers of invented authors: where batches begin is known, and what is called sure is right."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.models.node_models import Kind
from ingest.citations.marker_resolution import resolve
from tests.ingest.synthetic_pages import Manner, node, page


def outcomes(seeds, manner):
    """Confidence, whether resolved, and whether rightly, for each reference of some pages."""
    found = []
    for seed in seeds:
        each = page(seed, manner)
        for synthesis in resolve(each.nodes)[0]:
            targets = each.meant.get(synthesis.id, ())
            found += [
                (citation.confidence, citation.target is not None, citation.target == target)
                for citation, target in zip(synthesis.cites, targets, strict=True)
            ]
    return found


def share(flags):
    flags = list(flags)
    return sum(flags) / max(len(flags), 1)


@pytest.mark.parametrize(
    ("manner", "right", "sure"),
    [
        (Manner(clue=0.95, own=0.8), 0.95, 0.85),
        (Manner(), 0.93, 0.75),
        (Manner(clue=0.7, own=0.4), 0.9, 0.65),
        (Manner(missing=1.0), 0.8, 0.5),
        (Manner(sizes=(1,), batches=(3, 12)), 0.95, 0.7),
        (Manner(sizes=(1, 2), batches=(3, 12)), 0.95, 0.7),
        (Manner(sizes=(7,), clue=0.7, own=0.4), 0.93, 0.65),
        (Manner(sizes=(40,)), 0.93, 0.65),
    ],
    ids=["telling", "usual", "vague", "readings missing", "one each", "one or two", "seven, vague", "forty"],
)
def test_most_are_right_and_what_is_called_sure_is_right(manner, right, sure):
    found = outcomes(range(5000, 5008), manner)
    certain = [hit for chance, done, hit in found if done and chance >= 0.9]
    assert share(hit for _, done, hit in found if done) >= right
    assert len(certain) / len(found) >= sure
    assert share(certain) >= 0.97


def test_confidence_means_what_it_says():
    found = [(chance, hit) for chance, done, hit in outcomes(range(6000, 6012), Manner()) if done]
    said, true = share(chance for chance, _ in found), share(hit for _, hit in found)
    assert abs(said - true) < 0.05


def reading(number, title):
    return node(Kind.READING, title, f"{title} explained at length.", (), 100 + number)


TITLES = """\
Quay cranes idle through the night shift
Dredging costs double below fourteen metres
Pilots charge by draught rather than length
Tugboat diesel prices follow refinery outages
Container scanners delay customs clearance
Salt marsh restoration lowers storm surge damage
Lighthouse automation ended in bankruptcy
Ferry timetables ignore spring tides
"""
READINGS = [reading(number, title) for number, title in enumerate(TITLES.splitlines(), 1)]


def test_a_batch_is_found_in_the_middle_of_a_page():
    thesis = node(Kind.THESIS, "Depth is a price", "Diesel for a tugboat is dear after an outage [1]. "
                  "Scanners delay customs [2]. A salt marsh takes the surge [3].", (), 1)  # fmt: skip  # one text
    nodes, problems = resolve([thesis, *READINGS[::-1]])
    assert [citation.target for citation in nodes[0].cites] == [each.id for each in READINGS[3:6]]
    assert all(citation.resolution == "batch" for citation in nodes[0].cites)
    assert nodes[0].cites[0].target_title == READINGS[3].title
    assert nodes[0].cites[1].context == "Scanners delay customs [2]."
    assert not [problem for problem in problems if problem.severity.value == "warning"]


def test_a_marker_that_opens_a_sentence_supports_what_follows_it():
    text = "[1] Diesel for a tugboat is dear after an outage, [2] scanners delay customs, [3] a salt marsh takes the surge."
    for opening in ("", "Depth has a price.\n\n", "Depth has a price. "):
        nodes, _ = resolve([node(Kind.THESIS, "Depth is a price", opening + text, (), 1), *READINGS[::-1]])
        assert [citation.target for citation in nodes[0].cites] == [each.id for each in READINGS[3:6]], opening
        assert {citation.context for citation in nodes[0].cites} == {text}, opening


def test_an_author_may_count_from_zero():
    thesis = node(Kind.THESIS, "Depth is a price", "Tugboat diesel after an outage [0]. Scanners delay customs [1]. "
                  "A salt marsh takes the surge [2].", (), 1)  # fmt: skip  # one text
    other = node(Kind.THESIS, "Light", "Lighthouse automation and bankruptcy [3], ferry timetables [4].", (), 20)
    nodes, _ = resolve([thesis, other, *READINGS[::-1]])
    assert [citation.number for citation in nodes[0].cites] == [0, 1, 2]
    assert [c.target for own in nodes[:2] for c in own.cites] == [each.id for each in READINGS[3:8]]


def test_a_node_with_one_vague_marker_follows_the_others_of_its_batch():
    clear = node(Kind.THESIS, "One", "Tugboat diesel [1]; scanners at customs [2]; salt marsh and surge [3].", (), 1)
    vague = node(Kind.THESIS, "Two", "There is another reason [2].", (), 20)
    nodes, _ = resolve([clear, vague, *READINGS[::-1]])
    assert nodes[1].cites[0].target == READINGS[4].id


def test_a_reading_that_is_missing_moves_the_numbers_behind_it():
    here = READINGS[:3] + READINGS[4:]
    text = "Cranes idle [1], dredging costs double [2], pilots charge by draught [3]. Scanners delay customs clearance [5], "
    text += "salt marsh lowers the surge [6], lighthouse automation and bankruptcy [7], ferry timetables [8]."
    nodes, _ = resolve([node(Kind.POV, "Harbours", text, (), 1), *here[::-1]])
    assert [citation.target for citation in nodes[0].cites] == [each.id for each in here]


def test_a_number_beyond_the_page_stays_unresolved_and_is_reported():
    thesis = node(Kind.THESIS, "Too far", "Quay cranes idle [1]; and more [44].", (), 1)
    nodes, problems = resolve([thesis, *READINGS[::-1]])
    beyond = nodes[0].cites[1]
    assert (beyond.number, beyond.target, beyond.resolution) == (44, None, "unresolved")
    assert "marker-unresolved" in {problem.code for problem in problems}


def test_without_readings_every_marker_stays_and_is_unresolved():
    nodes, problems = resolve([node(Kind.THESIS, "Alone", "Nothing here [1, 2].", (), 1)])
    found = [(c.marker, c.number, c.resolution) for c in nodes[0].cites]
    assert found == [("[1, 2]", number, "unresolved") for number in (1, 2)]
    assert len(problems) == 1


def test_a_problem_knows_line_and_column_of_its_marker():
    thesis = node(Kind.THESIS, "Twice", "Cranes [9].\n\nCranes again [9].", (), 1)
    text = "  • Twice\n\n    Cranes [9].\n\n    Cranes again [9].\n"
    _, problems = resolve([thesis, *READINGS[:2]], text)
    assert [(problem.line, problem.column) for problem in problems] == [(3, 12), (5, 18)]


def test_only_standpoints_and_theses_cite_by_markers():
    method = node(Kind.METHODOLOGY, "How", "I read [1].", (), 1)
    quoting = node(Kind.READING, "A paper", "The paper's own list has [1] and [2].", (), 109)
    assert resolve([method, quoting]) == ((method, quoting), ())


@settings(max_examples=20)
@given(st.lists(st.tuples(st.sampled_from(list(Kind)), st.text("ab [1],2–9\n", max_size=30)), max_size=12))
def test_no_page_raises_and_no_reference_is_lost(drafts):
    nodes = [node(kind, f"t{i}", body, (), 10 * i + 1) for i, (kind, body) in enumerate(drafts)]
    result, _ = resolve(nodes)
    ids = {each.id for each in nodes}
    assert [each.id for each in result] == [each.id for each in nodes]
    for citation in (c for each in result for c in each.cites):
        assert (citation.target in ids) == (citation.resolution == "batch")
