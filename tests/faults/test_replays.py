"""An Agent that replays and forges, thousands of times: nothing happens twice, nothing to anybody else (RULES 1)."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from host_bridge.agent import Agent
from host_bridge.errors import RpcError
from tests.faults.house import House
from tests.faults.watch import watched

pytestmark = pytest.mark.anyio

BATCH = 500
TIMES = 10_000
Call = tuple[str, dict[str, Any]]


async def ask_all(house: House, calls: Iterable[Call]) -> Counter[str]:
    """Ask all of it, as much at once as a Host may: how often each answer came."""
    told: Counter[str] = Counter()
    waiting = list(calls)
    for begun in range(0, len(waiting), BATCH):
        for answer in await house.sidecar.batch(waiting[begun : begun + BATCH]):
            told[word(answer)] += 1
    return told


def word(answer: Any) -> str:
    """The answer, in a word."""
    if isinstance(answer, RpcError):
        return str(answer.refusal or answer.code)
    return str(answer.get("code") or answer.get("status") or answer)


def delivery(house: House, message_id: str, type_: str, payload: dict[str, Any], **envelope: Any) -> Call:
    """An envelope from that conversation's Agent."""
    whole = {"type": f"lineup.v1.{type_}", "message_id": message_id, "payload": payload, **envelope}
    return "transport.deliver", {"peer": house.agent.peer, "envelope": whole}


def seen(house: House) -> list[dict[str, Any]]:
    """What the Agent was told of Tools."""
    return house.agent.received("tool.result") + house.agent.received("tool.rejected")


@pytest.mark.requirement("R1-duplicate-repeats", "R1-unique-in-the-store", "R2-known-call")
async def test_the_same_again_does_nothing_however_often_it_comes(house: House) -> None:
    await house.others_are_well()
    revision = await house.agent.revision()
    wanted = {"call_id": "again", "tool_id": "steady.go", "inventory_revision": revision, "input": {}}
    assert word((await house.sidecar.batch([delivery(house, "first", "tool.invoke", wanted)]))[0]) == "accepted"
    await house.at_rest()
    other = {**wanted, "tool_id": "leaves.go", "input": {"how": "exit"}}
    async with watched(house):
        same = (delivery(house, "first", "tool.invoke", wanted) for _ in range(TIMES))
        assert await ask_all(house, same) == {"duplicate": TIMES}
        changed = (delivery(house, "first", "tool.invoke", other) for _ in range(TIMES))
        assert await ask_all(house, changed) == {"duplicate": TIMES}
        ended = (delivery(house, f"new-{n}", "tool.invoke", other) for n in range(TIMES))
        assert await ask_all(house, ended) == {"call_already_final": TIMES}
        control = {"control_id": "once", "call_id": "again"}
        cancels = (delivery(house, f"cancel-{n}", "tool.cancel", control) for n in range(1_000))
        assert await ask_all(house, cancels) == {"accepted": 1, "duplicate": 999}
    assert [one["call_id"] for one in seen(house)].count("again") == 1
    assert not await house.instance("leaves")


@pytest.mark.requirement("R2-known-call", "R1-answered-alone")
async def test_another_content_under_an_open_call_is_a_conflict_each_time(house: House) -> None:
    call = await house.invoke("deaf")
    revision = await house.agent.revision()
    forged = {"call_id": call.call_id, "tool_id": "deaf.go", "inventory_revision": revision}
    async with watched(house):
        changed = (delivery(house, f"m-{n}", "tool.invoke", {**forged, "input": {"how": f"{n}"}}) for n in range(5_000))
        assert await ask_all(house, changed) == {"call_id_conflict": 5_000}
        stale = ({**forged, "call_id": f"old-{n}", "inventory_revision": "inv_old", "input": {}} for n in range(2_000))
        told = await ask_all(house, (delivery(house, one["call_id"], "tool.invoke", one) for one in stale))
        assert told == {"inventory_revision_mismatch": 2_000}
    [still] = (await house.snapshot())["tool_calls"]
    assert (still["call_id"], still["status"]) == (call.call_id, "waiting_for_app")


@pytest.mark.requirement("R2-final-with-the-ack")
async def test_old_and_invented_acks_settle_nothing(house: House) -> None:
    await house.others_are_well()
    row_ids = [news.params["outbox_id"] for news in house.sidecar.seen("transport.send")]
    await house.call("transport.ack", outbox_ids=row_ids)
    async with watched(house):
        for _ in range(20):
            ids = [*row_ids[:5_000], *(secrets.token_hex(13) for _ in range(5_000))]
            assert await house.call("transport.ack", outbox_ids=ids) == {"acked": 0}


@pytest.mark.requirement("R1-ids-of-a-peer", "A1")
async def test_what_an_agent_says_of_others_is_refused_each_time(house: House) -> None:
    async with Agent(house.sidecar, f"{house.agent.conversation_id}-neighbour", "agent-2") as neighbour:
        theirs = House(house.sidecar, neighbour)
        await theirs.snapshot()
        call = await theirs.invoke("deaf")
        asked = await neighbour.ask("confirm", {"title": "T", "prompt": "P"})
        instance_id = (await theirs.instance("deaf"))["instance_id"]
        before = await theirs.snapshot()
        forged = [
            delivery(house, "a", "message", {"text": "t"}, conversation_id=neighbour.conversation_id),
            delivery(house, "b", "message", {"text": "t"}, agent_id="agent-2"),
            delivery(house, "c", "message", {"text": "t"}, source="runtime"),
            delivery(house, "d", "tool.cancel", {"control_id": "c", "call_id": call.call_id, "owner": "agent-2"}),
            delivery(house, "e", "client.inventory", {"tools": []}),
            delivery(house, "f", "tool.result", {"call_id": call.call_id, "status": "completed", "result": {}}),
            ("transport.deliver", {**delivery(theirs, "g", "message", {"text": "t"})[1], "peer": stolen(theirs)}),
        ]
        async with watched(house):
            assert await ask_all(house, forged * 1_000) == {"envelope_invalid": 7_000}
            named = (
                delivery(house, f"h-{n}", "message", {"text": "t"}, app_scope="deaf", instance_id=instance_id)
                for n in range(1_000)
            )
            assert await ask_all(house, named) == {"app_instance_not_found": 1_000}
            controls = [
                (type_, {"control_id": f"{type_}-{n}", "call_id": one.call_id})
                for n in range(500)
                for type_, one in (("tool.cancel", call), ("interaction.dismiss", asked))
            ]
            told = await ask_all(house, (delivery(house, f"i-{c['control_id']}", t, c) for t, c in controls))
            assert told == {"accepted": 1_000}
            again = (delivery(house, f"j-{c['control_id']}", t, c) for t, c in controls[:1])
            [receipt] = [answer["receipt"] for answer in await house.sidecar.batch(again)]
            assert receipt["outcome"] == "not_found", "as what does not exist"
        assert await theirs.snapshot() == before
        await neighbour.dismiss(asked)
        await theirs.end()


def stolen(house: House) -> dict[str, str]:
    """The conversation of somebody else, by an Agent of its own name."""
    return {"agent_id": "agent-1", "conversation_id": house.agent.conversation_id}


@pytest.mark.requirement("A1", "R1-speaker-then-right")
async def test_no_token_that_is_invented_stolen_or_old_speaks_for_anybody(house: House) -> None:
    chat = (await house.instance("chat"))["instance_id"]
    old = [(await house.call("miniapp.mount", instance_id=chat))["context_token"] for _ in range(500)]
    *old, good = old
    worker = json.loads(await house.note("raw", "own"))
    view = await house.call("sdk.surfaces.requestOpen", context_token=good, request={"key": "k", "title": "t"})
    attached = [(await house.call("surface.attach", surface_id=view["surface_id"])) for _ in range(500)]
    *old_views, good_view = (one["surface_token"] for one in attached)
    invented = [secrets.token_urlsafe(32) for _ in range(5_000)]
    near = [good[:-1] + ("A" if good[-1] != "A" else "B"), good.upper(), f" {good}", good + "\0", "", "null", chat]
    async with watched(house):
        for token in (*old, worker, *old_views, *invented, *near):
            assert token != good
        bad = [*old, worker, *old_views, *invented, *near]
        asked = (("sdk.inbox.list", {"context_token": token}) for token in bad)
        assert await ask_all(house, asked) == {"context_token_invalid": len(bad)}
        wider = (("sdk.conversation.sendText", {"context_token": good_view, "text": "t", "client_message_id": "c"}),)
        assert await ask_all(house, wider * 1_000) == {"permission_denied": 1_000}
        claims = (
            ("sdk.inbox.list", {"context_token": good, name: "x"})
            for name in ("owner", "app_scope", "instance_id", "conversation_id", "source")
            for _ in range(400)
        )
        assert await ask_all(house, claims) == {"-32602": 2_000}
    assert (await house.call("sdk.context.get", context_token=good))["instance_id"] == chat
    assert worker not in house.sidecar.stderr_tail
    await house.call("sdk.surfaces.requestClose", context_token=good, surface_id=view["surface_id"])
