"""The two addresses over real sockets: who may ask, and what each answers."""

from __future__ import annotations

import socket

import anyio
import pytest
from websockets.exceptions import InvalidStatus

from host_bridge.errors import HostError
from host_bridge.web.listener import bind, port_of
from tests.host_bridge.web.conftest import SCRIPT, StartServer, UsePeer
from tests.host_bridge.web.page_program import DOCUMENT_POLICY, Page, Server, ask_http, ask_raw

HANDSHAKE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec_WebSocket_Version": "13",
}


@pytest.fixture
async def server(use_peer: UsePeer, start_server: StartServer) -> Server:
    """A server whose sidecar is the tiny peer."""
    use_peer()
    return await start_server()


@pytest.fixture
async def page(server: Server) -> Page:
    """A page that drives."""
    return await server.connect()


async def refused(page: Page) -> dict[str, int]:
    counts: dict[str, int] = (await page.call("bridge.status"))["refused"]
    return {reason: count for reason, count in counts.items() if count}


# -- the page's address
async def test_the_page_and_its_script_are_served(server: Server) -> None:
    answer = await ask_http(server.port)
    assert (answer.status, answer.headers["Connection"]) == (200, "close")
    assert b"<title>Host</title>" in answer.body
    assert f"frame-src http://127.0.0.1:{server.surface_port};" in answer.headers["Content-Security-Policy"]
    assert f"ws://127.0.0.1:{server.port};" in answer.headers["Content-Security-Policy"]
    script = await ask_http(server.port, SCRIPT)
    assert (script.status, script.headers["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert "Set-Cookie" not in answer.headers
    assert "Server" not in answer.headers


@pytest.mark.parametrize("path", ["/../conftest.py", "/%2e%2e/x", "/nothing", "/?token=x", "/rpc/", "/RPC"])
async def test_what_is_not_there_is_not_found_in_one_line(server: Server, page: Page, path: str) -> None:
    answer = await ask_http(server.port, path)
    assert (answer.status, answer.body) == (404, b"nothing is there\n")
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none';")
    assert await refused(page) == {"path": 1}


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:{port}.evil.example", "", None]
)
async def test_a_name_bound_anew_to_this_machine_is_refused_everywhere(
    server: Server, page: Page, host: str | None
) -> None:
    for port in (server.port, server.surface_port):
        told = host.format(port=port) if host is not None else None
        for path in ("/", "/rpc", SCRIPT):
            answer = await ask_http(port, path, Host=told, **HANDSHAKE, Origin=server.origin)
            assert answer.status == 403
            assert answer.body == f"this is 127.0.0.1:{port} and answers to no other Host header\n".encode()
    assert await refused(page) == {"host": 6}


async def test_two_host_headers_are_refused(server: Server) -> None:
    line = f"Host: 127.0.0.1:{server.port}\r\n"
    assert (await ask_raw(server.port, f"GET / HTTP/1.1\r\n{line}{line}\r\n".encode())).status == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:{port}", "https://127.0.0.1:{port}", ""]
)
async def test_a_foreign_origin_is_refused_even_with_a_good_token(server: Server, origin: str) -> None:
    told = origin.format(port=server.port)
    for path in ("/", "/rpc"):
        answer = await ask_http(server.port, path, Origin=told, **HANDSHAKE)
        assert (answer.status, answer.body.split(b":")[0]) == (403, b"a foreign Origin")
    with pytest.raises(InvalidStatus) as caught:
        await server.connect(origin=told)
    assert caught.value.response.status_code == 403
    page = await server.connect()
    assert await refused(page) == {"origin": 3}


async def test_the_surface_address_is_a_foreign_origin_to_the_socket(server: Server) -> None:
    with pytest.raises(InvalidStatus):
        await server.connect(origin=f"http://127.0.0.1:{server.surface_port}")


async def test_a_handshake_needs_an_origin_and_the_socket_a_handshake(server: Server, page: Page) -> None:
    without = await ask_http(server.port, "/rpc", **HANDSHAKE)
    assert (without.status, without.body.split(b":")[0]) == (403, b"the Origin header is missing")
    plain = await ask_http(server.port, "/rpc")
    assert (plain.status, plain.body) == (426, b"this is a WebSocket\n")
    assert await refused(page) == {"origin": 1}


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "get", "X"])
async def test_only_get_is_answered(server: Server, page: Page, method: str) -> None:
    for port in (server.port, server.surface_port):
        answer = await ask_http(port, "/", method)
        assert (answer.status, answer.headers["Allow"]) == (405, "GET")
    assert await refused(page) == {"method": 2}


@pytest.mark.parametrize(
    ("request_text", "status"),
    [
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 5\r\n\r\nhello", None),
        ("GET / HTTP/2.0\r\n\r\n", None),
        ("GET /" + "x" * 9000 + " HTTP/1.1\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nX: " + "x" * 9000 + "\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\n" + "X: y\r\n" * 200 + "\r\n", 431),
        ("hello\r\n\r\n", None),
    ],
)
async def test_what_is_no_sound_request_is_refused_and_the_next_is_answered(
    server: Server, request_text: str, status: int | None
) -> None:
    assert (await ask_raw(server.port, request_text.format(port=server.port).encode())).status == status
    assert (await ask_http(server.port)).status == 200


async def test_nobody_listens_on_another_address_of_this_machine(server: Server) -> None:
    for port in (server.port, server.surface_port):
        with pytest.raises(OSError, match=r".+"):
            await anyio.connect_tcp("127.0.0.2", port)
        with pytest.raises(OSError, match=r".+"):
            await anyio.connect_tcp("::1", port)


# -- the surface address
async def test_a_document_is_served_with_exactly_its_policy_and_headers_that_isolate_it(
    server: Server, page: Page
) -> None:
    html = "<!doctype html><p>é</p>" + "x" * 3_000_000
    url = (await page.call("bridge.serveDocument", surface_id="s", html=html, csp=DOCUMENT_POLICY))["url"]
    assert url.startswith(f"http://127.0.0.1:{server.surface_port}/")
    path = url.removeprefix(f"http://127.0.0.1:{server.surface_port}")
    for _ in range(2):
        answer = await ask_http(server.surface_port, path)
        assert (answer.status, answer.body) == (200, html.encode())
        headers = dict(answer.headers)
        assert headers.pop("Date")
        assert headers.pop("Permissions-Policy")
        assert headers == {
            "Connection": "close",
            "Content-Length": str(len(html.encode())),
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": DOCUMENT_POLICY,
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-site",
        }
    assert (await ask_http(server.port, path)).status == 404


async def test_the_surface_address_serves_documents_and_nothing_else(server: Server, page: Page) -> None:
    url = (await page.call("bridge.serveDocument", surface_id="s", html="<p>", csp=DOCUMENT_POLICY))["url"]
    path = url.removeprefix(f"http://127.0.0.1:{server.surface_port}")
    for other in ("/", "/index.html", SCRIPT, "/rpc", path + "x", path[:-1], path + "?x", "/" + path):
        assert (await ask_http(server.surface_port, other, **HANDSHAKE, Origin=server.origin)).status == 404
    evil = await ask_http(server.surface_port, path, Origin="http://evil.example")
    assert (evil.status, evil.body[:16]) == (403, b"a foreign Origin")


async def test_documents_are_forgotten_with_their_surface_and_with_their_page(server: Server, page: Page) -> None:
    token = (await page.hear("bridge.hello"))["reconnect_token"]
    paths: dict[str, str] = {}
    for name in ("detached", "closed", "forgotten", "kept"):
        made = await page.call("bridge.serveDocument", surface_id=name, html=name, csp=DOCUMENT_POLICY)
        paths[name] = made["url"].removeprefix(f"http://127.0.0.1:{server.surface_port}")
    await page.call("surface.detach", surface_id="detached")
    await page.call("peer.say", notifications=[["surface.closed", {"surface_id": "closed", "reason": "x"}]])
    await page.call("bridge.forgetDocument", surface_id="forgotten")
    await page.call("bridge.forgetDocument", surface_id="never there")
    found = {name: (await ask_http(server.surface_port, path)).status for name, path in paths.items()}
    assert found == {"detached": 404, "closed": 404, "forgotten": 404, "kept": 200}
    await page.socket.close()
    again = await server.connect(token)
    assert (await again.call("bridge.status"))["documents"] == 0
    assert (await ask_http(server.surface_port, paths["kept"])).status == 404


# -- ports
def test_a_port_that_is_taken_is_told_with_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(HostError, match="choose another with --port"):
        bind(port_of(taken))


async def test_a_port_that_was_asked_for_is_the_page_s(use_peer: UsePeer, start_server: StartServer) -> None:
    use_peer()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = port_of(free)
    server = await start_server(port=port)
    assert server.port == port
    assert (await ask_http(port)).status == 200
