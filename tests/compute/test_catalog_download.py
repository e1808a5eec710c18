"""A server that cuts a file off, never ends it, or leads a public name into a private network gives no catalogue."""

import socket
from contextlib import suppress
from threading import Event, Thread

import pytest

from compute.catalogs import catalog_download
from compute.catalogs.catalog_download import RefreshError, download

OK = b"HTTP/1.1 200 OK\r\n"


@pytest.fixture
def server():
    """Serves the pieces in its list `said`, without an end if the last one is empty."""
    done, said = Event(), []

    def serve():
        while not done.is_set():
            with suppress(OSError):
                peer, _ = listening.accept()
                with peer:
                    peer.recv(4096)
                    for piece in said:
                        peer.sendall(piece)
                    while said[-1] == b"" and not done.wait(0.01):
                        peer.sendall(b"x")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.1)
        thread = Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}", said
        done.set()
        thread.join()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ((OK, b"Content-Length: 9\r\n\r\nInst"), "ends 5 bytes early"),
        ((OK, b"Transfer-Encoding: chunked\r\n\r\n9\r\nInst"), "IncompleteRead"),
        ((OK, b"Content-Length: 99999\r\n\r\n", b""), "the file took too long"),
        ((OK, b"X-Header: ", b""), "the file took too long"),
    ],
)
def test_a_file_without_its_end_is_no_file(server, said, why):
    host, pieces = server
    pieces += said
    with pytest.raises(RefreshError, match=why):
        download(f"http://{host}/vms.csv", seconds=0.1 if b"" in said else 5)


@pytest.fixture
def names(monkeypatch):
    """The addresses of public.example, one for each time that somebody asks."""
    found = []
    real = socket.getaddrinfo
    find = lambda host, *more, **named: real(found.pop(0) if host == "public.example" else host, *more, **named)  # noqa: E731  # short
    monkeypatch.setattr(socket, "getaddrinfo", find)
    monkeypatch.setenv("no_proxy", "*")
    return found


def test_a_public_name_that_becomes_private_is_not_read(server, names):
    host, pieces = server
    pieces += (OK, b"Content-Length: 2\r\n\r\n{}")
    names += ["203.0.114.1", "127.0.0.1"]
    with pytest.raises(RefreshError, match="the name is that of a private network"):
        download(f"http://public.example:{host.partition(':')[2]}/", seconds=5, public=True)


@pytest.mark.parametrize("private", ["127.0.0.1", "%31%32%37.0.0.1", "[::ffff:127.0.0.1]", "2130706433"])
def test_a_redirect_into_a_private_network_is_refused_however_it_is_written(server, names, monkeypatch, private):
    host, pieces = server
    port = host.partition(":")[2]
    pieces.append(f"HTTP/1.1 302 Found\r\nLocation: http://{private}:{port}/\r\nContent-Length: 0\r\n\r\n".encode())
    names += ["203.0.114.1", "127.0.0.1", "203.0.114.1"]
    peers = iter([True])
    outside = catalog_download._outside
    monkeypatch.setattr(catalog_download, "_outside", lambda one: outside(one) or next(peers, False))
    with pytest.raises(RefreshError, match="it redirects into a private network"):
        download(f"http://public.example:{port}/", seconds=5)
