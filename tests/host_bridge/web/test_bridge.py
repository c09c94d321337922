"""Pages and the bridge: letting in, driving, taking over, order, a crash and coming back."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from host_bridge.web import restarts
from tests.host_bridge.web.conftest import PEER, StartServer, UsePeer
from tests.host_bridge.web.page_program import DOCUMENT_POLICY, HOST, Page, Server

MIB = 1024 * 1024


# -- tokens
async def test_a_page_is_greeted_and_told_that_the_sidecar_runs(server: Server) -> None:
    page = await server.connect()
    assert page.socket.subprotocol == "lineup.v1"
    hello = await page.hear("bridge.hello")
    assert hello == {
        "reconnect_token": hello["reconnect_token"],
        "driving": True,
        "surface_origin": f"http://127.0.0.1:{server.surface_port}",
        "max_message_bytes": 8 * 1024 * 1024,
        "agent": "scripted",
        "peer": {"agent_id": "agent-1", "conversation_id": "conversation-1"},
    }
    assert page.news[0]["method"] == "bridge.hello"
    assert await page.hear("bridge.sidecar") == {
        "state": "running",
        "restarts": 0,
        "exit_code": None,
        "stderr_tail": "",
        "retry_after_ms": None,
    }


async def test_a_printed_address_opens_one_connection_and_a_reload_comes_back_with_the_reconnect_token(
    use_peer: UsePeer, start_server: StartServer
) -> None:
    use_peer()
    server = await start_server()
    first = await server.connect()
    token = (await first.hear("bridge.hello"))["reconnect_token"]
    await first.socket.close()
    spent = await server.connect()
    assert await spent.closed() == (4401, "this address was used before: a fresh one is in the terminal")
    for _ in range(2):
        again = await server.connect(token)
        assert (await again.hear("bridge.hello"))["driving"]
        await again.socket.close()
    fresh = await server.connect(server.fresh_token)
    assert (await fresh.hear("bridge.hello"))["driving"]


async def test_who_tries_a_spent_address_again_gets_one_fresh_address_in_the_terminal(
    use_peer: UsePeer, start_server: StartServer
) -> None:
    use_peer()
    server = await start_server()
    await server.connect()
    for _ in range(3):
        assert (await (await server.connect()).closed())[0] == 4401
    assert server.printed.getvalue().count("#token=") == 1


@pytest.mark.parametrize("offered", [["lineup.v1"], ["lineup.v1", "token.wrong"], ["lineup.v1", "token."], None])
async def test_without_a_good_token_nobody_is_let_in(
    use_peer: UsePeer, start_server: StartServer, offered: list[str] | None
) -> None:
    use_peer()
    server = await start_server()
    refused = await server.connect(subprotocols=offered)
    code, reason = await refused.closed()
    assert code == 4401
    assert "open the address that the terminal shows" in reason
    assert refused.news == []
    page = await server.connect()
    assert (await page.call("bridge.status"))["refused"]["token"] == 1
    assert "#token=" not in server.printed.getvalue()


# -- who drives
async def test_a_second_page_is_told_so_and_takes_over_when_it_says_so(
    use_peer: UsePeer, start_server: StartServer
) -> None:
    use_peer()
    server = await start_server()
    first = await server.connect()
    token = (await first.hear("bridge.hello"))["reconnect_token"]
    await first.call("bridge.serveDocument", surface_id="s", html="<p>", csp=DOCUMENT_POLICY)
    second = await server.connect(token)
    assert not (await second.hear("bridge.hello"))["driving"]
    assert await second.refusal("ping") == (-32000, "not_driving")
    assert await second.refusal("bridge.serveDocument", surface_id="s", html="", csp="") == (-32000, "not_driving")
    assert (await second.call("bridge.status"))["pages"] == {"driving": True, "waiting": 1}
    assert await first.call("ping") == {}

    assert await second.call("bridge.takeOver") == {}
    assert await first.closed() == (4409, "another page took over")
    assert (await second.hear("bridge.sidecar"))["state"] == "running"
    assert await second.call("ping") == {}
    status = await second.call("bridge.status")
    assert status["pages"] == {"driving": True, "waiting": 0}
    assert status["documents"] == 0

    back = await server.connect(token)
    assert not (await back.hear("bridge.hello"))["driving"]


async def test_a_page_may_wait_and_leave(use_peer: UsePeer, start_server: StartServer) -> None:
    use_peer()
    server = await start_server()
    first = await server.connect()
    token = (await first.hear("bridge.hello"))["reconnect_token"]
    second = await server.connect(token)
    await second.hear("bridge.hello")
    assert (await second.call("bridge.status"))["pages"]["waiting"] == 1
    await second.socket.close()
    third = await server.connect(token)
    await third.hear("bridge.hello")
    assert (await third.call("bridge.status"))["pages"] == {"driving": True, "waiting": 1}


async def test_no_more_than_eight_pages_wait(use_peer: UsePeer, start_server: StartServer) -> None:
    use_peer()
    server = await start_server()
    token = (await (await server.connect()).hear("bridge.hello"))["reconnect_token"]
    waiting = [await server.connect(token) for _ in range(9)]
    for one in waiting:
        assert not (await one.hear("bridge.hello"))["driving"]
    for one in waiting[:8]:
        assert (await one.call("bridge.status"))["pages"]["waiting"] == 8
    assert (await waiting[8].closed())[0] == 4429


# -- what passes through
async def test_the_page_speaks_with_the_real_runtime_under_ids_of_its_own(server: Server) -> None:
    page = await server.connect()
    await page.hear("bridge.sidecar")
    for own in ("x", 0, -7, 1.5, None, "bridge"):
        await page.send({"jsonrpc": "2.0", "id": own, "method": "ping"})
        assert await page.receive() == {"jsonrpc": "2.0", "id": own, "result": {}}


async def test_an_answer_comes_before_the_news_of_its_own_commit(page: Page) -> None:
    await page.call("miniapp.open", conversation_id="conversation-1", app_scope="task-dashboard")
    assert "task-dashboard" not in str([one for one in page.news if one["method"] == "workspace.changed"])
    await page.hear("workspace.changed", lambda told: "task-dashboard" in str(told["instances"]))


async def test_the_order_of_what_the_sidecar_says_is_the_order_in_which_the_page_hears_it(
    use_peer: UsePeer, start_server: StartServer
) -> None:
    use_peer()
    server = await start_server()
    page = await server.connect()
    await page.call("initialize", protocol_version="1.0", host=HOST)
    said = [["news", {"n": n}] for n in range(3)]
    for n in range(50):
        await page.send({"jsonrpc": "2.0", "id": f"{n}", "method": "peer.say", "params": {"notifications": said}})
    for n in range(50):
        heard = [await page.receive() for _ in range(4)]
        while heard[0]["method"].startswith("bridge."):
            heard = [*heard[1:], await page.receive()]
        assert [one["params"]["n"] for one in heard[:3]] == [0, 1, 2]
        assert heard[3]["id"] == f"{n}"


async def test_news_of_an_earlier_session_is_nothing_to_a_page_that_has_not_begun_its_own(
    use_peer: UsePeer, start_server: StartServer
) -> None:
    use_peer()
    server = await start_server()
    page = await server.connect()
    await page.call("peer.say", notifications=[["early", {}]])
    await page.call("initialize", protocol_version="1.0", host=HOST)
    await page.call("peer.say", notifications=[["late", {}]])
    assert [one["method"] for one in page.news] == ["bridge.hello", "bridge.sidecar", "late"]


async def test_an_answer_to_an_earlier_page_reaches_nobody(use_peer: UsePeer, start_server: StartServer) -> None:
    use_peer()
    server = await start_server()
    first = await server.connect()
    token = (await first.hear("bridge.hello"))["reconnect_token"]
    await first.send({"jsonrpc": "2.0", "id": 1, "method": "peer.hang"})
    second = await server.connect(token)
    await second.call("bridge.takeOver")
    assert await second.call("some.echo", whose="second") == {"whose": "second"}


async def test_a_frame_that_is_not_text_or_too_long_ends_the_connection(
    use_peer: UsePeer, start_server: StartServer
) -> None:
    use_peer()
    server = await start_server()
    page = await server.connect()
    token = (await page.hear("bridge.hello"))["reconnect_token"]
    await page.send(b"{}")
    assert (await page.closed())[0] == 4400
    again = await server.connect(token)
    await again.socket.send([" " * MIB] * 8 + [" "])
    assert (await again.closed())[0] == 1009
    assert (await (await server.connect(token)).hear("bridge.hello"))["driving"]


# -- the sidecar's end
async def test_a_crash_is_told_and_mended_when_the_page_connects_again(server: Server, page: Page) -> None:
    token = page.news[0]["params"]["reconnect_token"]
    before = (await page.call("bridge.status"))["sidecar"]["pid"]
    assert await page.call("bridge.crashSidecar") == {}
    news = await page.hear("bridge.sidecar", lambda told: told["state"] == "ended")
    assert (news["exit_code"], news["restarts"], news["retry_after_ms"]) == (-9, 0, None)
    assert await page.closed() == (4500, "the sidecar ended with exit code -9: connect again to start it")

    again = await server.connect(token)
    assert [(await again.hear("bridge.sidecar"))["state"] for _ in range(2)] == ["starting", "running"]
    session = await again.call("initialize", protocol_version="1.0", host=HOST)
    assert session["recovered"]["conversations"] == 1
    sidecar = (await again.call("bridge.status"))["sidecar"]
    assert sidecar["pid"] != before
    assert (sidecar["restarts"], sidecar["contract_faults"]) == (1, [])


async def test_what_the_sidecar_wrote_to_stderr_last_is_told(use_peer: UsePeer, start_server: StartServer) -> None:
    use_peer()
    server = await start_server()
    page = await server.connect()
    await page.send({"jsonrpc": "2.0", "id": 1, "method": "peer.die", "params": {"code": 7}})
    news = await page.hear("bridge.sidecar", lambda told: told["state"] == "ended")
    assert (news["exit_code"], news["stderr_tail"]) == (7, "last words\n")


async def test_what_a_page_asks_while_the_sidecar_starts_is_carried_out_once_it_runs(
    use_peer: UsePeer, start_server: StartServer
) -> None:
    use_peer()
    server = await start_server()
    page = await server.connect()
    token = (await page.hear("bridge.hello"))["reconnect_token"]
    await page.call("bridge.crashSidecar")
    await page.closed()
    again = await server.connect(token)
    assert await again.call("some.echo", soon=True) == {"soon": True}


async def test_a_sidecar_that_ends_while_no_page_is_there_is_started_for_the_next(
    use_peer: UsePeer, start_server: StartServer
) -> None:
    use_peer()
    server = await start_server()
    page = await server.connect()
    token = (await page.hear("bridge.hello"))["reconnect_token"]
    await page.socket.close()
    await server.up.sidecar.kill()
    again = await server.connect(token)
    assert [(await again.hear("bridge.sidecar"))["state"] for _ in range(2)] == ["starting", "running"]
    assert await again.call("ping") == {}


async def test_a_sidecar_that_cannot_start_again_tells_why(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    once = f"if mkdir {tmp_path}/once; then exec {shlex.join(PEER)}; fi; echo locked >&2; exit 3"
    monkeypatch.setenv("LINEUP_SIDECAR", shlex.join(["sh", "-c", once]))
    server = await start_server()
    page = await server.connect()
    token = (await page.hear("bridge.hello"))["reconnect_token"]
    await page.call("bridge.crashSidecar")
    await page.closed()
    again = await server.connect(token)
    code, reason = await again.closed()
    news = await again.hear("bridge.sidecar", lambda told: told["state"] == "ended")
    assert (code, reason[:28]) == (4500, "the sidecar cannot start: th")
    assert (news["exit_code"], news["restarts"]) == (3, 1)
    assert news["stderr_tail"].endswith("locked\n")


async def test_after_five_starts_the_bridge_gives_up_for_a_while(
    use_peer: UsePeer, start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restarts, "DELAYS", (0.0,) * restarts.MOST)
    use_peer()
    server = await start_server()
    page = await server.connect()
    token = (await page.hear("bridge.hello"))["reconnect_token"]
    for n in range(1, restarts.MOST + 1):
        await page.call("bridge.crashSidecar")
        assert (await page.closed())[0] == 4500
        page = await server.connect(token)
        assert (await page.hear("bridge.sidecar", lambda told: told["state"] == "running"))["restarts"] == n
    await page.call("bridge.crashSidecar")
    await page.closed()
    page = await server.connect(token)
    code, reason = await page.closed()
    news = await page.hear("bridge.sidecar")
    assert code == 4503
    assert "try again in" in reason
    assert (news["state"], news["exit_code"]) == ("given_up", -9)
    assert 0 < news["retry_after_ms"] <= restarts.WITHIN_SECONDS * 1000
