"""Markers of theses: the batch of readings that they are about, found on pages of our own."""

from hypothesis import given, settings
from hypothesis import strategies as st

from graph.models.node_models import Kind
from ingest.citations.marker_resolution import resolve
from tests.ingest.own_documents import node

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
READINGS = [
    node(Kind.READING, title, f"{title} explained at length.", (), 100 + number)
    for number, title in enumerate(TITLES.splitlines(), 1)
]


def theses(*texts, kind=Kind.THESIS, readings=READINGS):
    """Theses of some texts on a page with the readings, the newest first; with the problems of the page."""
    written = [node(kind, f"Depth {place}", text, (), 20 * place + 1) for place, text in enumerate(texts)]
    nodes, problems = resolve([*written, *readings[::-1]])
    return *nodes[: len(texts)], problems


def targets(*nodes):
    return [citation.target for each in nodes for citation in each.cites]


def ids(readings):
    return [each.id for each in readings]


def test_a_batch_is_found_in_the_middle_of_a_page():
    text = "Diesel for a tugboat is dear after an outage [1]. Scanners delay customs [2]. A salt marsh takes the surge [3]."
    thesis, problems = theses(text)
    assert targets(thesis) == ids(READINGS[3:6])
    assert all(citation.resolution == "batch" for citation in thesis.cites)
    assert thesis.cites[0].target_title == READINGS[3].title
    assert thesis.cites[1].context == "Scanners delay customs [2]."
    assert not [problem for problem in problems if problem.severity.value == "warning"]


def test_a_marker_that_opens_a_sentence_supports_what_follows_it():
    text = "[1] Diesel for a tugboat is dear after an outage, [2] scanners delay customs, [3] a salt marsh takes the surge."
    for opening in ("", "Depth has a price.\n\n", "Depth has a price. "):
        thesis, _ = theses(opening + text)
        assert targets(thesis) == ids(READINGS[3:6]), opening
        assert {citation.context for citation in thesis.cites} == {text}, opening


def test_an_author_may_count_from_zero_and_a_vague_marker_follows_the_others_of_its_batch():
    text = "Tugboat diesel after an outage [0]. Scanners delay customs [1]. A salt marsh takes the surge [2]."
    thesis, other, _ = theses(text, "Lighthouse automation and bankruptcy [3], ferry timetables [4].")
    assert [citation.number for citation in thesis.cites] == [0, 1, 2]
    assert targets(thesis, other) == ids(READINGS[3:8])
    clear = "Tugboat diesel [1]; scanners at customs [2]; salt marsh and surge [3]."
    assert targets(theses(clear, "There is another reason [2].")[1]) == [READINGS[4].id]


def test_a_reading_that_is_missing_moves_the_numbers_behind_it():
    here = READINGS[:3] + READINGS[4:]
    text = "Cranes idle [1], dredging costs double [2], pilots charge by draught [3]. Scanners delay customs clearance [5], "
    text += "salt marsh lowers the surge [6], lighthouse automation and bankruptcy [7], ferry timetables [8]."
    assert targets(theses(text, kind=Kind.POV, readings=here)[0]) == ids(here)


def test_a_number_beyond_the_page_stays_unresolved_and_is_reported_and_so_is_every_one_without_readings():
    thesis, problems = theses("Quay cranes idle [1]; and more [44].")
    beyond = thesis.cites[1]
    assert (beyond.number, beyond.target, beyond.resolution) == (44, None, "unresolved")
    assert "marker-unresolved" in {problem.code for problem in problems}
    alone, problems = theses("Nothing here [1, 2].", readings=[])
    found = [(c.marker, c.number, c.resolution) for c in alone.cites]
    assert found == [("[1, 2]", number, "unresolved") for number in (1, 2)]
    (problem,) = problems
    assert (problem.code, problem.severity.value) == ("marker-unresolved", "warning")
    assert problem.message == "no reading was found for number 1, 2 of the marker [1, 2]"


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
