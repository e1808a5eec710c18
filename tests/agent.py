"""An agent's client of the tools of MCP, in this process or over a pipe; plain code calls its methods."""

from contextlib import contextmanager

from anyio.from_thread import start_blocking_portal
from mcp import Client

from graph.values import loads


@contextmanager
def connected(server):
    """Gives `call(method, *given)` of a client of a server, or of a pipe to one."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server)) as client:
        yield lambda method, *given: portal.call(getattr(client, method), *given)


def walk(agent, tool, **given):
    """The pages of a tool's answer, each as it was sent."""
    found = []
    while len(found) < 2_000:
        found.append(agent("call_tool", tool, given))
        assert not found[-1].is_error, found[-1].content[0].text
        if (cursor := loads(found[-1].content[0].text).get("next")) is None:
            return found
        given["cursor"] = cursor
    raise AssertionError("the walk does not end")
