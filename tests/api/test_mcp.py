"""An agent's questions, by the protocol's own client in this process; `test_mcp_sizes` asks over a real pipe."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import anyio
import pytest
from mcp import Client

from api.brain import Brain
from api.mcp_server import Server
from api.settings import Settings
from graph.values import loads

NOW = datetime(2026, 11, 21, 6, 30, tzinfo=UTC)


def run(call):
    """What a coroutine gives, in a thread of its own: a browser of other tests may hold the loop of this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, call).result()


@pytest.fixture(scope="module")
def ask_tool(shipped_home):
    """Asks a tool and gives its answer; what the protocol calls an error comes as its text."""
    with Brain.open(Settings(home=shipped_home)) as brain:
        made = Server(brain, lambda: NOW)

        def ask(tool, **given):
            async def call():
                async with Client(made) as client:
                    return await client.call_tool(tool, given)

            answer = run(call)
            text = answer.content[0].text
            return text if answer.is_error else loads(text)

        ask.server = made
        yield ask


def test_search_finds_a_node_and_from_there_what_it_cites(ask_tool):
    found = ask_tool("search", text="prompt caching discount", kind="thesis", limit=3)["items"]
    assert found
    node = ask_tool("node", node=found[0]["id"])
    assert node["id"] == found[0]["id"]
    assert node["body"]
    cited = ask_tool("citations", node=node["id"])["items"]
    target = next(one["target"] for one in cited if one["kind"] == "cites" and one["target"])
    assert node["id"] in {one["id"] for one in ask_tool("backlinks", node=target)["items"]}
    assert ask_tool("health", node=node["id"])["state"] in {"sound", "weakened", "broken", "unchecked"}
    assert all(one["reasons"] for one in ask_tool("related", node=node["id"])["items"])


def test_a_figure_comes_with_its_working_and_with_ones_own_numbers(ask_tool):
    stale = ask_tool("claims", verdict="stale", limit=1)["items"][0]
    verdict = ask_tool("explain", claim=stale["id"])
    assert verdict["verdict"] == "stale"
    assert verdict["steps"]
    assert verdict["inputs"]
    assert ask_tool("explain", claim=stale["id"], as_of=stale["as_of"])["now"]["holds"] is True


def test_prices_and_what_depends_on_them(ask_tool):
    prices = ask_tool("prices", item="anthropic/sonnet")["items"]
    assert {price["component"] for price in prices} >= {"input", "output"}
    assert ask_tool("impact", price="anthropic/sonnet")["claims"]
    assert "items" in ask_tool("changes")


@pytest.mark.parametrize(
    ("tool", "given", "says"),
    [
        ("node", {"node": "analyst/nothing-of-the-kind"}, "nothing-of-the-kind"),
        ("explain", {"claim": "no-such-claim"}, "no-such-claim"),
        ("explain", {"claim": "sonnet-cached-batch-discount", "sets": {"assume:pue": "much"}}, "assume:pue"),
        ("explain", {"claim": "h100-break-even-utilisation", "sets": {"rat": "2"}}, "did you mean rate"),
        ("prices", {"item": "Sonnet"}, "near it: anthropic/sonnet"),
        ("impact", {"price": "antropic/sonet"}, "near it: anthropic/sonnet"),
        ("health", {"node": "analyst/caching-batch-stack"}, "near it: analyst/caching-and-batch-stack"),
        ("search", {"text": "x", "limit": 0}, "limit"),
        ("proof", {"text": "Up 5%.", "as_of": "tomorrow"}, "proof: as_of: write a day as 2026-11-21"),
        ("changes", {"since": "1700000000"}, "changes: since: write a day as 2026-11-21"),
    ],
)
def test_a_refusal_says_what_to_mend(ask_tool, tool, given, says):
    assert says in ask_tool(tool, **given)


def test_every_tool_and_argument_is_described_and_only_reads(ask_tool):
    async def listed():
        async with Client(ask_tool.server) as client:
            return (await client.list_tools()).tools

    for tool in run(listed):
        assert tool.description
        assert tool.annotations.read_only_hint
        assert all(one.get("description") for one in tool.input_schema["properties"].values()), tool.name
