"""Inboxes until they are acknowledged, outboxes until they are acked: order, windows, offline (RULES 6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from host_bridge.client import Sidecar
from tests import stored
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import Stage, begin, refused

requirement = pytest.mark.requirement


def texts(messages: list[dict[str, Any]]) -> list[str]:
    """The texts of Agent's messages."""
    return [one["payload"]["text"] for one in messages]


async def rows(stage: Stage) -> list[dict[str, Any]]:
    """Everything that was sent to this Agent since the stage last forgot, again and again."""
    return await stage.heard("transport.send", peer=stage.agent.peer)


async def reject_many(stage: Stage, count: int) -> None:
    """Make that many rows: invokes that are refused."""
    payload = {"tool_id": "nothing", "inventory_revision": "none", "input": {}}
    calls = []
    for number in range(count):
        call_id = f"row {number} of {count}"
        envelope = {"type": "lineup.v1.tool.invoke", "message_id": call_id, "payload": {**payload, "call_id": call_id}}
        calls.append(("transport.deliver", {"peer": stage.agent.peer, "envelope": envelope}))
    answers = await stage.sidecar.batch(calls)
    assert {one["status"] for one in answers} == {"rejected"}


# -- inbox


@requirement("A2", "A13")
async def test_messages_come_as_they_are_stored_oldest_first(stage: Stage) -> None:
    app = await stage.start()
    await stage.say("one")
    [first] = (await app.sdk("inbox.subscribe"))["messages"]
    await stage.deliver("message", {"text": "two", "format": "plain"}, app_scope="probe")
    [second] = await app.heard("sdk.inbox.message")
    assert second["message"] == {
        "message_id": second["message"]["message_id"],
        "type": "agent.message",
        "app_scope": "probe",
        "instance_id": app.instance_id,
        "conversation_id": stage.conversation_id,
        "payload": {"text": "two", "format": "plain"},
        "created_at": second["message"]["created_at"],
    }
    assert first["payload"] == {"text": "one", "format": "markdown"}
    assert await app.messages() == [first, second["message"]]
    assert first["message_id"] < second["message"]["message_id"]


async def test_a_list_may_begin_after_a_message_and_end_early(stage: Stage) -> None:
    app = await stage.start()
    for number in range(5):
        await stage.say(f"{number}")
    listed = await app.messages()
    after = {"after_message_id": listed[1]["message_id"]}
    assert texts((await app.sdk("inbox.list", **after))["messages"]) == ["2", "3", "4"]
    assert texts((await app.sdk("inbox.list", **after, limit=2))["messages"]) == ["2", "3"]
    await app.sdk("inbox.acknowledge", message_id=listed[1]["message_id"])
    assert texts((await app.sdk("inbox.list", **after, limit=1))["messages"]) == ["2"]
    for wrong in ("no-such-message", ""):
        with refused("message_not_found"):
            await app.sdk("inbox.list", after_message_id=wrong)


@requirement("A2")
async def test_acknowledging_is_once_and_ones_own(stage: Stage) -> None:
    app, other = await stage.start(), await stage.start("probe-two")
    await stage.say("mine")
    [message] = await app.messages()
    named = {"message_id": message["message_id"]}
    for method, params in [("acknowledge", named), ("list", {"after_message_id": message["message_id"]})]:
        with refused("message_not_found"):
            await other.sdk(f"inbox.{method}", **params)
    with refused("message_not_found"):
        await app.sdk("inbox.acknowledge", message_id="no-such-message")
    assert await app.sdk("inbox.acknowledge", **named) == {"acknowledged": True}
    assert await app.sdk("inbox.acknowledge", **named) == {"acknowledged": False}
    assert await app.messages() == []


@requirement("R3-nothing-in-memory", "A11")
async def test_what_is_not_acknowledged_comes_with_each_subscription(stage: Stage) -> None:
    app = await stage.start()
    await app.subscribe()
    await stage.say("heard")
    await app.unmount()
    await stage.say("missed")
    await app.mount()
    assert len(await app.heard("sdk.inbox.message")) == 1
    assert texts((await app.sdk("inbox.subscribe"))["messages"]) == ["heard", "missed"]
    assert texts((await app.sdk("inbox.subscribe"))["messages"]) == ["heard", "missed"]
    await app.sdk("inbox.unsubscribe")
    await stage.forget()
    await stage.say("quiet")
    assert await app.heard("sdk.inbox.message") == []
    assert texts(await app.messages()) == ["heard", "missed", "quiet"]


async def test_a_backlog_is_whole_and_a_list_is_bounded(stage: Stage) -> None:
    app = await stage.start()
    calls = []
    for number in range(300):
        said = {"payload": {"text": f"{number}"}, "message_id": f"m{number}"}
        envelope = {"type": "lineup.v1.message", "app_scope": "probe", **said}
        calls.append(("transport.deliver", {"peer": stage.agent.peer, "envelope": envelope}))
    await stage.sidecar.batch(calls)
    assert texts((await app.sdk("inbox.subscribe"))["messages"]) == [str(n) for n in range(300)]
    assert texts(await app.messages()) == [str(n) for n in range(200)]


@requirement("A13")
async def test_a_message_without_a_scope_is_interacts(stage: Stage) -> None:
    interact = await stage.mount("chat")
    assert (await stage.deliver("message", {"text": "**hello**"}))["status"] == "accepted"
    [message] = await interact.messages()
    assert (message["app_scope"], texts([message])) == ("chat", ["**hello**"])


# -- the user's words


@requirement("R10-echo", "C-transport", "A13")
async def test_the_users_text_is_sent_once_and_its_ack_comes_back(stage: Stage) -> None:
    interact = await stage.mount("chat")
    await interact.subscribe()
    said = {"text": "hi **there**", "client_message_id": "c-1"}
    for _ in range(2):
        await interact.sdk("conversation.sendText", **said)
    [told] = await stage.sent("message")
    assert told == {**said, "format": "markdown"}
    assert await interact.heard("sdk.inbox.message") == []
    await stage.ack()
    [news] = await interact.heard("sdk.inbox.message")
    assert (news["message"]["type"], news["message"]["payload"]) == ("outbox.delivered", {"client_message_id": "c-1"})
    await interact.sdk("conversation.sendText", **said)
    assert len(await stage.sent("message")) == 1
    assert len(await interact.messages()) == 1


async def test_no_other_app_speaks_for_the_user(stage: Stage) -> None:
    app = await stage.start()
    with refused("permission_denied"):
        await app.sdk("conversation.sendText", text="hi", client_message_id="c")
    for topic in ("subscribe", "unsubscribe"):
        with refused("permission_denied"):
            await app.sdk(f"renderer.{topic}")
    assert await stage.sent("message") == []


# -- outbox


@requirement("C-transport", "A10")
async def test_a_row_says_what_whom_and_when(stage: Stage) -> None:
    app, call_id = await stage.launch()
    await stage.forget()
    await app.complete(call_id)
    [row] = await rows(stage)
    envelope = row["envelope"]
    assert row == {
        "outbox_id": row["outbox_id"],
        "peer": stage.agent.peer,
        "envelope": {
            "type": "lineup.v1.tool.result",
            "message_id": row["outbox_id"],
            "conversation_id": stage.conversation_id,
            "payload": {"call_id": call_id, "status": "completed", "result": {"ok": True}},
            "sent_at": envelope["sent_at"],
        },
    }


@requirement("R6-outbox-again", "R3-nothing-in-memory")
async def test_offline_nothing_is_sent_and_online_all_of_it_in_order(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    await stage.ack()
    app, first = await stage.launch()
    await stage.settle()
    await stage.forget()
    await stage.call("transport.setOnline", online=False)
    second = await stage.invoke("probe.work")
    for call_id in (second, first):
        await app.complete(call_id)
    await app.close()
    assert await rows(stage) == []
    assert (await stage.call("transport.setOnline", online=False))["pending"] == 4
    assert (await stage.call("transport.setOnline", online=True))["pending"] == 4
    told = [(one["envelope"]["type"], one["envelope"]["payload"].get("call_id")) for one in await rows(stage)]
    expected = [
        ("lineup.v1.app.session.opened", first),
        ("lineup.v1.tool.result", second),
        ("lineup.v1.tool.result", first),
        ("lineup.v1.app.session.closed", None),
    ]
    assert told == expected
    sent = await rows(stage)
    await stage.forget()
    await stage.call("transport.setOnline", online=True)
    assert await rows(stage) == sent
    await stage.ack()
    await stage.forget()
    await stage.call("transport.setOnline", online=True)
    assert await rows(stage) == []


@requirement("R6-outbox-again")
async def test_at_most_64_rows_of_a_conversation_are_under_way(stage: Stage, open_stage: OpenStage) -> None:
    await stage.ack()
    other = await open_stage(stage.sidecar)
    await reject_many(stage, 150)
    sent = await rows(stage)
    assert len({one["outbox_id"] for one in sent}) == 65
    await other.forget()
    await reject_many(other, 2)
    assert len(await rows(other)) == 2
    held = [one["outbox_id"] for one in sent[1:]]
    await stage.forget()
    await stage.call("transport.ack", outbox_ids=held[10:20])
    assert len(await rows(stage)) == 10
    await stage.call("transport.ack", outbox_ids=held[:10])
    later = [one["envelope"]["payload"]["call_id"] for one in await rows(stage)]
    assert later == [f"row {number} of 150" for number in range(64, 84)]


async def test_an_ack_counts_what_was_open_whatever_else_it_names(stage: Stage, open_stage: OpenStage) -> None:
    other = await open_stage(stage.sidecar)
    await reject_many(stage, 2)
    await reject_many(other, 1)
    ids = [one["outbox_id"] for one in (await rows(stage))[-2:] + (await rows(other))[-1:]]
    assert await stage.call("transport.ack", outbox_ids=[]) == {"acked": 0}
    assert await stage.call("transport.ack", outbox_ids=[*ids, ids[0], "no-such-row", ""]) == {"acked": 3}
    assert await stage.call("transport.ack", outbox_ids=ids) == {"acked": 0}


@requirement("R2-final-with-the-ack")
async def test_an_ack_of_something_else_finalises_nothing(stage: Stage) -> None:
    app, call_id = await stage.launch()
    await stage.ack()
    await app.sdk("tools.reportProgress", call_id=call_id, progress={"percent": 1})
    await app.complete(call_id)
    progress, result = (await rows(stage))[-2:]
    await stage.call("transport.ack", outbox_ids=[progress["outbox_id"]])
    assert (await app.get_call(call_id))["status"] == "submitted"
    await stage.call("transport.ack", outbox_ids=[result["outbox_id"]])
    assert (await app.get_call(call_id))["status"] == "completed"


@requirement("R6-outbox-again")
async def test_each_initialize_counts_as_online_and_sends_again(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    app, call_id = await stage.launch()
    await stage.call("transport.setOnline", online=False)
    await app.complete(call_id)
    before = await rows(stage)
    await stage.forget()
    await begin(own)
    again = await rows(stage)
    assert [one["envelope"]["type"].removeprefix("lineup.v1.") for one in again] == [
        "client.inventory",
        "app.session.opened",
        "tool.result",
    ]
    assert again[1:2] == before[-1:]


FILL = """
    WITH RECURSIVE one (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM one WHERE number < {count})
    INSERT INTO outboxrow (outbox_id, conversation_id, type, payload, created_at)
    SELECT '0000000000000000000' || CAST(1000000 + number AS VARCHAR), conversation_id, 'lineup.v1.message',
    '{"text":"x","format":"plain","client_message_id":"c"}', 1 FROM one, conversation ORDER BY number
"""
"""As many rows more that nobody has acked, in the one conversation."""


@requirement("R6-bound-outbox")
async def test_past_10_000_rows_invokes_are_refused_and_results_still_written(
    own: Sidecar, open_stage: OpenStage, lineup_database: Path
) -> None:
    stage = await open_stage(own)
    app, call_id = await stage.launch()
    asked, interaction_id = await stage.ask("confirm")
    await own.stop()
    [(count,)] = stored.rows(lineup_database, "SELECT count(*) FROM outboxrow WHERE acked_at IS NULL")
    missing = 10_000 - count
    stored.change(lineup_database, FILL.replace("{count}", str(missing)))
    await own.start()
    await begin(own)
    app = await stage.mount("probe")
    for tool_id in ("probe.work", "nothing", "interaction.notice"):
        assert await stage.reject(tool_id, call_id=tool_id) == "limit_exceeded"
    interact = await stage.mount("chat")
    with refused("limit_exceeded", limit="outbox_pending", bound=10_000, actual=10_000):
        await interact.sdk("conversation.sendText", text="hi", client_message_id="c")
    await app.complete(call_id)
    await stage.answer(interaction_id, {"approved": True})
    assert (await stage.call("runtime.status"))["outbox_pending"] == 10_002
    assert (await stage.agent.cancel(call_id))["outcome"] == "already_final"
    await stage.ack()
    await stage.call("transport.ack", outbox_ids=[f"{1_000_000 + number:026d}" for number in range(1, missing + 1)])
    assert [one["call_id"] for one in await stage.sent("tool.result")] == [call_id, asked]
    await stage.invoke("probe.work", call_id="probe.work")
