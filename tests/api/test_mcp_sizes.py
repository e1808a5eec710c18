"""An agent asks about a brain of hostile sizes over a real pipe: pages are small, and hold all exactly once."""

import sys

import pytest
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

from api.brain import Brain
from api.models import api_models
from api.services.importing.document_importer import ImportOptions
from api.settings import Settings
from graph.values import dumps, loads
from tests.agent import connected, walk
from tests.api.walk import Joined
from tests.command import written
from tests.conftest import NOW, TODAY

LARGEST = 25_000
MANY = 200
HOSTILE = 'He said "no" \\ <b>&amp;</b> \t𝄞 '


def note(title, body, **front):
    lines = "".join(f"{name}: {dumps(value)}\n" for name, value in front.items())
    return f"---\ntitle: {dumps(title)}\n{lines}---\n{body}\n"


def notes():
    """Names and texts: a giant, a hub that many cite, and a chain of them."""
    links = "\n\n".join(f"See [[small-{number}]], which says so too." for number in range(MANY))
    giant = f"{links}\n\n{HOSTILE * 3_000}\n\n{'x' * 60_000}\n\n" + "\n\n".join(HOSTILE for _ in range(1_000))
    yield "giant", note("The giant of all notes", giant, kind="thesis")
    yield "hub", note("The hub", "Everybody cites this hub.", kind="reading")
    for number in range(MANY):
        said = f"Number {number} says “keep the hub” & cites [[hub]], as [[small-{number + 1}]] does, at 0.5. {HOSTILE * 20}"
        title, tags = f"Small {number} " + "of them " * 120, [f"group-{number // 25}"]
        kind = "term" if number % 5 else "reading"
        yield f"small-{number}", note(title, said, kind=kind, tags=tags)


def claims(value):
    """A file of claims: one says far too much, the others are many; all read one assumption and one price."""
    yield "claims:\n"
    for number in range(MANY):
        says = HOSTILE * (1_500 if number == 7 else 10)
        yield (
            f"  - id: claim-{number:03}\n    node: acme/small-{number}\n    says: {dumps(says)}\n"
            '    as_of: 2026-01-01\n    given:\n      rent: price("acme/gpu", "spot")\n      share: assume("load")\n'
            f"    value: rent * share / (1 USD/GPU/h)\n    expect: {{at_most: {value}}}\n"
        )


def cards():
    yield "catalog: cards\nprices:\n"
    for month in range(1, 300):
        year, since = 2000 + month // 12, month % 12 + 1
        after, until = 2000 + (month + 1) // 12, (month + 1) % 12 + 1
        yield (
            f"  - {{item: acme/gpu, component: spot, value: 2 USD/GPU/h, from: {year}-{since:02}-01, "
            f"to: {after}-{until:02}-01, source: 'https://a.example/{'p' * 300}', checked: 2026-01-01}}\n"
        )
    yield "  - {item: acme/gpu, component: spot, value: 2 USD/GPU/h, from: 2025-01-01, source: 'https://a.example/', checked: 2026-01-01}\n"


ASSUMED = "assumptions:\n  - {name: load, value: 50%, source: 'https://a.example/', checked: 2026-01-01}\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    top = tmp_path_factory.mktemp("hostile")
    rules = {"prices.yaml": "".join(cards()), "assumptions.yaml": ASSUMED}
    vault = written(top / "acme", {**{f"{name}.md": text for name, text in notes()}, **rules})
    with Brain.open(Settings(home=top / "home")) as brain:
        for value in (0.5, 2, 0.5):
            written(vault, {"claims.yaml": "".join(claims(value))})
            changed = vault / "claims.yaml" if brain.ledger.runs() else vault
            report = brain.ingest([changed], at=NOW, options=ImportOptions(brain="acme"))
            assert report.stored, [problem.render() for problem in report.problems][:3]
            brain.verify(TODAY, at=NOW, clock=lambda: NOW)
        brain.search.refresh()
    return top / "home"


@pytest.fixture(scope="module")
def agent(home):
    command = ["-c", "from api.cli.root import main; main()", "--home", str(home), "mcp"]
    with connected(stdio_client(StdioServerParameters(command=sys.executable, args=command))) as opened:
        yield opened


def size(result):
    return len(result.model_dump_json(by_alias=True, exclude_none=True).encode())


def pages_of(agent, tool, **given):
    found = walk(agent, tool, **given)
    assert max(map(size, found)) <= LARGEST
    return [loads(one.content[0].text) for one in found]


def joined(pages):
    """The lists of several pages as one list; of a page that was cut, the complete list."""
    items = []
    whole = Joined()
    for one in pages:
        if "continues" not in one and whole.value:
            items += whole.value["items"]
            whole = Joined()
        whole.add(one)
    return {**whole.value, **({"items": items + whole.value["items"]} if "items" in whole.value else {})}


def plain(thing):
    return loads(dumps(thing))


WHOLE = {
    "node": ({"node": "acme/giant"}, lambda brain: brain.node("acme/giant")),
    "citations": ({"node": "acme/giant"}, lambda brain: {"items": brain.nodes.get("acme/giant").citations}),
    "backlinks": ({"node": "acme/hub"}, lambda brain: {"items": brain.backlinks("acme/hub")}),
    "related": (
        {"node": "acme/small-3", "limit": 100},
        lambda brain: {"items": [api_models.related(one) for one in brain.links.related("acme/small-3", 100)]},
    ),
    "health": ({"node": "acme/small-7"}, lambda brain: brain.status.health("acme/small-7")),
    "claims": ({"limit": 40}, lambda brain: {"total": MANY, "items": brain.status.states()}),
    "explain": (
        {"claim": "claim-007", "as_of": "2026-11-21"},
        lambda brain: brain.evaluator.explain("claim-007", TODAY),
    ),
    "prices": ({"item": "acme/gpu"}, lambda brain: {"items": brain.names.prices_of("acme/gpu")}),
    "impact": (
        {"price": "assume:load", "as_of": "2026-11-21"},
        lambda brain: brain.status.impact("assume:load", TODAY),
    ),
    "changes": ({"limit": 1}, lambda brain: {"items": list(brain.reports.changed_runs())}),
}


@pytest.mark.parametrize("tool", sorted(WHOLE))
def test_a_walk_to_the_end_gives_everything_exactly_once(home, agent, tool):
    given, expected = WHOLE[tool]
    pages = pages_of(agent, tool, **given)
    with Brain.open(Settings(home=home)) as brain:
        whole = plain(expected(brain))
    assert joined(pages) == whole
    assert len(pages) > 1 or tool == "health"


def test_a_walk_through_a_search_meets_every_hit_once_and_in_plain_text(agent):
    pages = pages_of(agent, "search", text="hub", limit=30)
    found = joined(pages)["items"]
    assert len(found) == len({item["id"] for item in found}) == pages[0]["total"] == MANY + 1
    snippets = " ".join(item["snippet"] for item in found)
    assert "“keep the hub” & cites" in snippets
    assert not [mark for mark in ("&quot;", "&amp;", "&lt;", "<mark>") if mark in snippets.replace("<b>&amp;</b>", "")]


def test_failing_nodes_come_with_their_chain_and_the_age_of_their_oldest_input(agent):
    pages = pages_of(agent, "failing_nodes", kind="reading", as_of="2026-11-21", limit=100)
    items = joined(pages)["items"]
    assert len(items) == len({item["node"] for item in items}) == pages[0]["total"] >= MANY // 5
    assert len(pages) > 2
    assert items[0]["oldest_input"] == {"item": "acme/gpu", "checked": "2026-01-01", "days": 324}
    assert all(item["path"][0] == item["node"] and item["state"] in {"broken", "weakened"} for item in items)


LONG = "y" * 100_000
REFUSALS = [
    ("node", {"node": LONG}, "node: String should have at most 500"),
    ("node", {"node": "acme/gaint"}, "near it: acme/giant"),
    ("node", {"nod": "acme/giant"}, "did you mean node?"),
    ("node", {"node": "acme/giant", LONG: 1}, "unknown argument of node"),
    ("node", {}, "node: Field required"),
    ("nodes", {"node": "acme/giant"}, "did you mean node?"),
    (LONG, {}, "unknown tool"),
    ("search", {"text": LONG}, "text: String should have at most 2000"),
    ("search", {"text": "hub", "limits": 3}, "did you mean limit?"),
    ("search", {"text": "hub", "limit": LONG}, "limit: Input should be a valid integer"),
    ("search", {"text": "hub", "cursor": "nonsense"}, "not a cursor"),
    ("citations", {"node": "acme/" + "z" * 400}, "z"),
    ("backlinks", {"node": ["acme/giant"]}, "node: Input should be a valid string"),
    ("related", {"node": "acme/giant", "limit": 10**30}, "limit"),
    ("health", {"node": "\x00\n\r" * 100}, "node"),
    ("failing_nodes", {"state": LONG}, "state: Input should be"),
    ("claims", {"verdict": LONG}, "verdict: Input should be"),
    ("explain", {"claim": "claim-007", "sets": {LONG: "1"}}, "sets"),
    ("explain", {"claim": "claim-007", "sets": {"assume:load": LONG}}, "sets"),
    ("explain", {"claim": "claim-007", "sets": {str(number): "1" for number in range(20_000)}}, "sets"),
    ("explain", {"claim": "claim-007", "sets": {"assume:load": "w" * 2_000}}, "assume:load"),
    ("explain", {"claim": "claim-7", "as_of": "yesterday"}, "as_of: write a day as 2026-11-21"),
    ("prices", {"item": "acme/" + "g" * 1_900}, "g"),
    ("impact", {"price": LONG}, "price"),
    ("changes", {"since": LONG}, "since"),
    ("changes", {"since": "1700000000"}, "changes: since: write a day as 2026-11-21"),
    ("proof", {"text": "Up 5%.", "as_of": "tomorrow"}, "proof: as_of: write a day as 2026-11-21"),
    ("search", {"text": "hub", "limit": 0}, "limit"),
    ("explain", {"claim": "no-such-claim"}, "no-such-claim"),
    ("explain", {"claim": "claim-007", "sets": {"assume:load": "much"}}, "assume:load"),
    ("explain", {"claim": "claim-007", "sets": {"shar": "2"}}, "did you mean share"),
    ("prices", {"item": "acme/gpus"}, "near it: acme/gpu"),
    ("impact", {"price": "acme/gup"}, "near it: acme/gpu"),
    ("health", {"node": "acme/gaint"}, "near it: acme/giant"),
]


def test_a_refusal_says_what_to_change_and_repeats_no_long_argument(agent):
    for tool, given, says in REFUSALS:
        result = agent("call_tool", tool, given)
        text = result.content[0].text
        assert result.is_error, (tool[:20], list(given)[:3])
        assert says in text, (tool[:20], text)
        assert size(result) <= 2_500, (tool[:20], size(result))


def test_a_cursor_is_of_one_question(agent):
    cursor = loads(agent("call_tool", "claims", {"limit": 10}).content[0].text)["next"]
    other = agent("call_tool", "claims", {"limit": 10, "verdict": "holds", "cursor": cursor})
    assert "ask again without the cursor" in other.content[0].text


def test_what_there_is_no_method_for_is_refused_in_few_words(agent):
    for method, name in (("read_resource", f"a:{LONG}"), ("get_prompt", LONG)):
        with pytest.raises(MCPError) as caught:
            agent(method, name)
        assert len(str(caught.value)) < 2_500


def test_the_list_of_tools_fits_and_each_only_reads_and_describes_its_arguments(agent):
    listed = agent("list_tools")
    assert size(listed) <= LARGEST
    others = {"search", "failing_nodes", "errata", "proof", "check_claims"}
    assert {tool.name for tool in listed.tools} == {*WHOLE, *others}
    for tool in listed.tools:
        assert tool.description
        assert tool.annotations.read_only_hint
        assert tool.input_schema["additionalProperties"] is False
        assert "cursor" in tool.input_schema["properties"]
        assert all(one.get("description") for one in tool.input_schema["properties"].values()), tool.name
