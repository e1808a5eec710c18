"""The head of a response is sent with its body, in one packet; one without a body, or with a large one, alone."""

import asyncio

import pytest

from api.http.middleware.http_protocol import JOINED, JoinedWrites

HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n"


class Wire:
    """A transport that notes what it is asked to do."""

    def __init__(self):
        self.noted = []

    def write(self, data):
        self.noted.append(bytes(data))

    def write_eof(self):
        self.noted.append("end")

    def close(self):
        self.noted.append("closed")

    def is_closing(self):
        return "closed" in self.noted


@pytest.mark.parametrize(
    ("writes", "sent"),
    [
        ([HEAD, b"body"], [HEAD + b"body"]),
        ([HEAD, b"body", HEAD, b"more"], [HEAD + b"body", HEAD + b"more"]),
        ([HEAD, b"4\r\nbody\r\n", memoryview(b"0\r\n\r\n")], [HEAD + b"4\r\nbody\r\n", b"0\r\n\r\n"]),
        ([HEAD, b"."], [HEAD + b"."]),
        ([HEAD, b"x" * (JOINED + 1)], [HEAD, b"x" * (JOINED + 1)]),
        ([b"HTTP/1.1 100 Continue\r\n\r\n", HEAD], [b"HTTP/1.1 100 Continue\r\n\r\n" + HEAD]),
        ([b"body"], [b"body"]),
    ],
)
def test_a_head_is_sent_with_what_follows(writes, sent):
    async def written():
        wire = Wire()
        transport = JoinedWrites(wire, asyncio.get_running_loop())
        for data in writes:
            transport.write(data)
        now = list(wire.noted)
        await asyncio.sleep(0)
        assert now == wire.noted
        return now

    assert asyncio.run(written()) == sent


def test_a_head_alone_is_sent_at_the_end_of_the_round():
    async def written():
        wire = Wire()
        transport = JoinedWrites(wire, asyncio.get_running_loop())
        transport.write(HEAD)
        assert wire.noted == []
        await asyncio.sleep(0)
        assert wire.noted == [HEAD]
        transport.write(b"body")
        assert wire.noted == [HEAD, b"body"]

    asyncio.run(written())


def test_nothing_is_sent_on_a_connection_that_was_lost():
    async def written():
        wire = Wire()
        transport = JoinedWrites(wire, asyncio.get_running_loop())
        transport.write(HEAD)
        wire.close()
        await asyncio.sleep(0)
        assert wire.noted == ["closed"]

    asyncio.run(written())


@pytest.mark.parametrize(("method", "noted"), [("close", "closed"), ("write_eof", "end")])
def test_a_head_is_sent_before_the_end(method, noted):
    async def written():
        wire = Wire()
        transport = JoinedWrites(wire, asyncio.get_running_loop())
        transport.write(HEAD)
        getattr(transport, method)()
        await asyncio.sleep(0)
        assert wire.noted == [HEAD, noted]
        assert transport.is_closing() == (noted == "closed")

    asyncio.run(written())
