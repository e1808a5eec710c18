from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.impact.note_health import HealthCause, HealthState, NodeHealths, gravest_causes
from compute.impact.price_impact import impact, readers
from compute.prices.families import Family, Member
from graph.links.dependencies import DependencyGraph
from graph.models.claim_models import ClaimSeverity, Speaker, Stance, VerdictName
from tests.compute import made
from tests.compute.made import book_of, row

DAY = date(2026, 5, 10)
HOLDS, STALE, BLIND = VerdictName.HOLDS, VerdictName.STALE, VerdictName.UNVERIFIABLE


def found(node, verdict, severity=ClaimSeverity.WARNING, helps=None, **rest):
    stated = claim(f"c-{node}", "1", node).model_copy(update={"severity": severity, **rest})
    return HealthCause(stated, row(stated.id, verdict, helps_thesis=helps, reason=f"{node} said so"))


def dependencies(nodes, *pairs):
    return DependencyGraph(nodes, [tuple(pair) for pair in pairs])


def health(causes, rests):
    return NodeHealths(gravest_causes(causes), rests)


def states(result):
    return "".join(f"{node}={one.state.value} " for node, one in sorted(result.items())).strip()


SAYS = {"asserted_by": Speaker.SOURCE}
DISPUTES, REPORTS = ({**SAYS, "stance": stance} for stance in (Stance.DISPUTES, Stance.REPORTS))


@pytest.mark.parametrize(
    ("verdict", "severity", "stated", "state"),
    [
        ("stale", "warning", {}, "broken"),
        ("refuted", "critical", SAYS, "broken"),
        ("error", "warning", {}, "broken"),
        ("stale", "info", {}, "weakened"),
        ("conflicting", "critical", {}, "weakened"),
        ("depends", "critical", {}, "weakened"),
        ("unverifiable", "critical", {}, "unchecked"),
        ("holds", "critical", {}, "sound"),
        ("stale", "critical", {"asserted_by": Speaker.NOBODY}, "weakened"),
        # what a node does not endorse cannot break it
        ("refuted", "critical", DISPUTES, "sound"),
        ("stale", "critical", DISPUTES, "sound"),
        ("depends", "critical", DISPUTES, "sound"),
        ("holds", "critical", DISPUTES, "weakened"),
        ("conflicting", "critical", DISPUTES, "unchecked"),
        ("error", "critical", DISPUTES, "unchecked"),
        ("unverifiable", "critical", DISPUTES, "unchecked"),
        ("holds", "critical", REPORTS, "sound"),
        ("refuted", "critical", REPORTS, "sound"),
        ("error", "critical", REPORTS, "unchecked"),
    ],
)
def test_a_node_is_as_its_own_claim_is(verdict, severity, stated, state):
    cause = found("a", VerdictName(verdict), ClaimSeverity(severity), **stated)
    assert health([cause], dependencies("a"))["a"].state is HealthState(state)


def test_a_change_that_strengthens_the_thesis_does_not_break_its_node():
    """A discount that went from 95% to 97.5% makes the figure wrong and the thesis stronger."""
    stronger = found("a", VerdictName.STALE, ClaimSeverity.CRITICAL, helps=True)
    result = health([stronger], dependencies("a"))["a"]
    assert result.state is HealthState.WEAKENED
    assert result.reason.startswith("the figure is out of date, and the change strengthens the thesis")


def test_a_favourable_change_explains_only_what_nothing_else_does():
    """A note said that it was weakened by a change in favour of its argument, "but another figure is in doubt"."""
    stronger, rests = found("b", STALE, helps=True), dependencies("abc", "ab", "bc")
    alone = health([stronger], rests)
    assert (alone["a"].claim, alone["a"].state, alone.doubted("a")) == ("c-b", HealthState.WEAKENED, False)
    for doubt in (found("b", VerdictName.DEPENDS, id="other"), found("c", VerdictName.DEPENDS, id="other")):
        result = health([stronger, doubt], rests)
        assert (result["a"].claim, result["b"].claim, result.doubted("a")) == ("other", "other", True)


def test_a_note_that_found_the_error_is_sound_and_so_is_what_relies_on_it():
    found_wrong = row("x", VerdictName.REFUTED, then_holds=False, now_holds=False, reason="it is 3 and not 4")
    disputed = claim("x", "1", "b").model_copy(update={"stance": Stance.DISPUTES, "asserted_by": Speaker.SOURCE})
    result = health([HealthCause(disputed, found_wrong)], dependencies("ab", "ab"))
    assert states(result) == "a=sound b=sound"
    assert result["b"].reason == "the node disputes this figure, which does not hold: it is 3 and not 4"
    holds = found_wrong.model_copy(update={"verdict": HOLDS, "reason": "it is 4"})
    result = health([HealthCause(disputed, holds)], dependencies("ab", "ab"))
    assert states(result) == "a=weakened b=weakened"
    assert result["a"].reason == "the node disputes this figure, and it holds: it is 4"


@pytest.mark.parametrize(
    ("verdicts", "pairs", "expected", "path"),
    [
        ({"c": STALE, "b": HOLDS}, "ab bc", "a=weakened b=weakened c=broken d=unchecked", "abc"),
        ({"d": STALE}, "ab bc cd ad", "a=weakened b=weakened c=weakened d=broken", "ad"),
        ({"c": STALE}, "ab ba bc cb", "a=weakened b=weakened c=broken d=unchecked", "abc"),
        ({"b": HOLDS, "c": BLIND}, "ab", "a=sound b=sound c=unchecked d=unchecked", "ab"),
        ({"b": HOLDS, "c": BLIND}, "ab ac", "a=unchecked b=sound c=unchecked d=unchecked", "ac"),
    ],
    ids=["a chain", "the shortest path explains", "a circle ends", "no claim of its own", "the worst of two"],
)
def test_a_node_is_as_what_it_depends_on_and_has_the_path(verdicts, pairs, expected, path):
    causes = [found(node, verdict) for node, verdict in verdicts.items()]
    result = health(causes, dependencies("abcd", *pairs.split()))
    assert states(result) == expected
    assert (result["a"].path, result["a"].claim) == (tuple(path), f"c-{path[-1]}")


def test_the_gravest_of_a_nodes_claims_decides_and_one_that_a_run_does_not_know_was_not_checked():
    two = [found("a", HOLDS), found("a", STALE, id="other")]
    assert health(two, dependencies("a"))["a"].claim == "other"
    result = health([HealthCause(claim("x", "1", "a"), None)], dependencies("a"))["a"]
    assert (result.state, result.reason) == (HealthState.UNCHECKED, "it is not in this run")


names = st.sampled_from("abcdef")


@given(st.lists(st.builds(found, names, st.sampled_from(list(VerdictName)))), st.lists(st.tuples(names, names)))
def test_every_node_has_a_health_whose_path_is_made_of_citations_and_ends_at_its_claim(own, pairs):
    pairs = [pair for pair in pairs if pair[0] != pair[1]]
    result = health(own, dependencies("abcdef", *pairs))
    assert sorted(result) == list("abcdef")
    for node, one in result.items():
        assert one.path[0] == node
        assert all(step in pairs for step in zip(one.path, one.path[1:], strict=False))
        if one.claim is not None:
            assert one.claim == f"c-{one.path[-1]}"
        failing = {cause.verdict for cause in own if cause.claim.node == node} & {"stale", "refuted", "error"}
        assert (one.state is HealthState.BROKEN) == bool(failing)


def claim(slug, value, node):
    return made.claim(value, id=slug, node=node, as_of=DAY, at_least="0 USD/Mtok")


def test_the_blast_radius_goes_from_a_price_over_families_to_claims_nodes_and_those_above():
    member = Member(model="acme/coyote-1", begins=date(2026, 1, 1), released=date(2026, 1, 1))
    pue, families = made.assumed("pue", "1"), [Family(name="acme/coyote", members=(member,))]
    book = book_of([made.price("2", "acme/coyote-1")], families=families, assumptions=[pue])
    claims = {
        "by-family": ('price("acme/coyote", "input")', "acme/low"),
        "by-model": ('price("acme/coyote-1", "input")', "acme/low"),
        "other": ('price("acme/else", "input")', "acme/n"),
        "assumed": ('assume("pue") * price("acme/else", "input")', "acme/pue"),
        "broken": ("price(", "acme/n"),
    }
    reading = readers([claim(slug, *rest) for slug, rest in claims.items()])
    above = dependencies(["acme/mid", "acme/high"], ("acme/mid", "acme/low"), ("acme/high", "acme/mid"))
    hit = impact("acme/coyote-1", reading, above, book, on=DAY)
    assert [one.claim for one in hit.claims] == ["by-family", "by-model"]
    assert hit.nodes == ("acme/low",)
    assert hit.resting == (("acme/mid", "acme/low"), ("acme/high", "acme/mid", "acme/low"))
    near = impact("acme/coyote-1", reading, above, book, on=DAY, most=1)
    assert (near.resting, near.left) == ((("acme/mid", "acme/low"),), 1)
    assert impact("acme/coyote-1", reading, above, book, on=DAY, component="output").claims == ()
    assert impact("assume:pue", reading, above, book, on=DAY).nodes == ("acme/pue",)
    assert impact("acme/nothing", reading, above, book, on=DAY).claims == ()


@given(st.lists(st.tuples(names, names)), st.lists(names, min_size=1, max_size=2, unique=True))
def test_the_path_of_a_node_above_is_the_shortest_and_made_of_citations(pairs, low):
    pairs = [pair for pair in pairs if pair[0] != pair[1]]
    claims = [claim(node, 'price("acme/coyote-1", "input")', node) for node in low]
    hit = impact("acme/coyote-1", readers(claims), dependencies("abcdef", *pairs), book_of(), on=DAY)
    assert len({way[0] for way in hit.resting} | set(low)) == len(hit.resting) + len(low)
    for way in hit.resting:
        assert way[-1] in low
        assert all(step in pairs for step in pairwise(way))
    assert [len(way) for way in hit.resting] == sorted(len(way) for way in hit.resting)
