"""Every limit, reached through the wire: what fits is taken, one more is refused with the bound and what to do.

What is not reached here is reached elsewhere; :data:`ELSEWHERE` says where, or why nobody can reach it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from host_bridge.client import HOST, Sidecar
from host_bridge.command import find_sidecar
from host_bridge.errors import RpcError
from rpc_schema import limits
from rpc_schema.errors import REFUSALS
from tests.scenarios.bundles import manifest, tool, write_bundle
from tests.scenarios.stage import ANSWERS, CHOICE, CONFIRM, FORM, App, Stage

Ask = Callable[[Stage, App, int], Awaitable[Any]]


def asked(method: str, make: Callable[[int], dict[str, Any]]) -> Ask:
    """A request of the Host."""
    return lambda stage, _app, size: stage.sidecar.request(method, make(size))


def told(method: str, make: Callable[[int], dict[str, Any]]) -> Ask:
    """A request of the probe."""
    return lambda stage, app, size: stage.sidecar.request(f"sdk.{method}", {"context_token": app.token, **make(size)})


def actions(count: int) -> list[dict[str, str]]:
    """So many things to choose."""
    return [{"id": f"{number}", "label": "L"} for number in range(count)]


def fields(count: int) -> list[dict[str, str]]:
    """So many fields."""
    return [{"id": f"{number}", "label": "L", "type": "text"} for number in range(count)]


def question(kind: str, **more: Any) -> dict[str, Any]:
    """A question of a MiniApp."""
    return {"request": {"kind": kind, **{"confirm": CONFIRM, "choice": CHOICE, "input": FORM}[kind], **more}}


def said(size: int) -> dict[str, str]:
    """Progress in so many characters."""
    return {"message": "m" * size}


PEER = {"agent_id": "a", "conversation_id": "limits"}
NO_CALL = {"call_id": "none"}

SHAPES: list[tuple[str, int, Ask]] = [
    ("MAX_ID", limits.MAX_ID, asked("workspace.open", lambda size: {**PEER, "conversation_id": "c" * size})),
    ("MAX_NAME", limits.MAX_NAME, told("surfaces.requestOpen", lambda n: {"request": {"key": "k", "title": "t" * n}})),
    ("MAX_REASON", limits.MAX_REASON, told("tools.cancel", lambda size: {**NO_CALL, "reason": "r" * size})),
    (
        "MAX_TEXT",
        limits.MAX_TEXT,
        told("tools.reportProgress", lambda n: {**NO_CALL, "progress": said(n)}),
    ),
    (
        "MAX_MESSAGE_TEXT",
        limits.MAX_MESSAGE_TEXT,
        told("conversation.sendText", lambda size: {"text": "t" * size, "client_message_id": "c"}),
    ),
    ("MAX_ACK", limits.MAX_ACK, asked("transport.ack", lambda size: {"outbox_ids": ["none"] * size})),
    ("MAX_INBOX_LIST", limits.MAX_INBOX_LIST, told("inbox.list", lambda size: {"limit": size})),
    ("MAX_AUDIT_LIST", limits.MAX_AUDIT_LIST, asked("audit.list", lambda size: {"limit": size})),
    ("MAX_INTEGER", limits.MAX_INTEGER, asked("audit.list", lambda size: {"after_seq": size})),
]


async def code_of(ask: Awaitable[Any]) -> int | None:
    """The code of the error that it is answered with, if it is one."""
    try:
        await ask
    except RpcError as error:
        return error.code
    return None


QUESTIONS: list[tuple[str, int, Ask]] = [
    ("MAX_ACTIONS", limits.MAX_ACTIONS, told("ui.request", lambda size: question("choice", actions=actions(size)))),
    ("MAX_FIELDS", limits.MAX_FIELDS, told("ui.request", lambda size: question("input", fields=fields(size)))),
    ("MAX_EXPIRY_MS", limits.MAX_EXPIRY_MS, told("ui.request", lambda ms: question("confirm", expires_in_ms=ms))),
]


@pytest.mark.parametrize(("name", "bound", "ask"), SHAPES, ids=[name for name, *_ in SHAPES])
async def test_a_field_may_be_so_large_and_the_fault_of_one_more_names_the_bound(
    stage: Stage, name: str, bound: int, ask: Ask
) -> None:
    app = await stage.start()
    assert await code_of(ask(stage, app, bound)) in (None, 1000), (
        "what it asks for may be refused, its size is no fault"
    )
    with pytest.raises(RpcError) as caught:
        await ask(stage, app, bound + 1)
    assert caught.value.code == -32602
    assert str(bound) in caught.value.data["errors"][0]["message"]
    assert name in vars(limits)


@pytest.mark.parametrize(("name", "bound", "ask"), QUESTIONS, ids=[name for name, *_ in QUESTIONS])
async def test_a_question_may_be_so_large_and_the_fault_of_one_more_names_the_bound(
    stage: Stage, name: str, bound: int, ask: Ask
) -> None:
    app = await stage.start()
    await ask(stage, app, bound)
    with pytest.raises(RpcError) as caught:
        await ask(stage, app, bound + 1)
    assert caught.value.refusal == "interaction_request_invalid"
    assert str(bound) in caught.value.data["errors"][0]["message"]
    assert name in vars(limits)


async def test_a_question_may_not_expire_too_soon_and_an_answer_may_not_name_too_much(stage: Stage) -> None:
    app = await stage.start()
    await app.ask("confirm", {**CONFIRM, "expires_in_ms": limits.MIN_EXPIRY_MS})
    with pytest.raises(RpcError) as soon:
        await app.ask("confirm", {**CONFIRM, "expires_in_ms": limits.MIN_EXPIRY_MS - 1})
    assert str(limits.MIN_EXPIRY_MS) in soon.value.data["errors"][0]["message"]
    interaction_id = await app.ask("choice")
    chosen = ANSWERS["choice"]["action_ids"]
    with pytest.raises(RpcError) as much:
        await stage.answer(interaction_id, {"action_ids": chosen * (limits.MAX_ACTION_IDS + 1)})
    assert str(limits.MAX_ACTION_IDS) in much.value.data["errors"][0]["message"]
    assert await stage.answer(interaction_id, {"action_ids": chosen * limits.MAX_ACTION_IDS}) == "submitted"


async def test_a_host_may_name_so_much_of_itself(own: Sidecar) -> None:
    begun = {"protocol_version": "1.0", "host": HOST}
    for field, one, bound in (
        ("host_run", "probe", limits.MAX_HOST_NAMES),
        ("capability_providers", "probe.allowed", limits.MAX_HOST_NAMES),
        ("renderers", "card", limits.MAX_RENDERERS),
    ):
        await own.request("initialize", {**begun, field: [one] * bound})
        with pytest.raises(RpcError) as caught:
            await own.request("initialize", {**begun, field: [one] * (bound + 1)})
        assert (caught.value.code, caught.value.data["errors"][0]["path"]) == (-32602, field)
        assert str(bound) in caught.value.data["errors"][0]["message"]


# -- refusals that say limit, bound and actual


async def exceeded(ask: Awaitable[Any], code: str, limit: str, bound: int, actual: int) -> None:
    """It is refused, and what is told suffices to do better."""
    with pytest.raises(RpcError) as caught:
        await ask
    found = {name: caught.value.data[name] for name in ("code", "limit", "bound", "actual")}
    assert found == {"code": code, "limit": limit, "bound": bound, "actual": actual}
    if code == "limit_exceeded":
        assert caught.value.message == REFUSALS["limit_exceeded"]
        assert limits.WIRE_LIMITS[f"max_{limit}"] == bound
    else:
        assert ": " in caught.value.message, "what to do"


@pytest.mark.requirement("R6-bound-surfaces", "R6-bound-events", "R6-bound-questions")
async def test_a_refusal_at_a_bound_names_it_and_what_was_there(stage: Stage) -> None:
    app = await stage.start()
    for number in range(limits.MAX_SURFACES):
        surface_id = await app.open_surface(f"k{number}")
    named = {"surface_id": surface_id}
    over = "limit_exceeded"
    await exceeded(app.open_surface("more"), over, "surfaces", limits.MAX_SURFACES, limits.MAX_SURFACES)
    patch = {"x": "x" * limits.MAX_PATCH}
    size = limits.MAX_PATCH + len('{"x":""}')
    ask = app.sdk("surfaces.update", **named, patch=patch)
    await exceeded(ask, "surface_patch_invalid", "patch_bytes", limits.MAX_PATCH, size)
    deep: Any = 1
    for _ in range(limits.MAX_PATCH_DEPTH + 1):
        deep = {"a": deep}
    ask = app.sdk("surfaces.update", **named, patch=deep)
    depth = limits.MAX_PATCH_DEPTH
    await exceeded(ask, "surface_patch_invalid", "patch_depth", depth, depth + 1)
    for key in "abcd":
        await app.sdk("surfaces.update", **named, patch={key: "x" * (limits.MAX_PATCH - 8)})
    size = 4 * (limits.MAX_PATCH - 8) + len('{"a":"","b":"","c":"","d":"","e":""}') + 50
    ask = app.sdk("surfaces.update", **named, patch={"e": "x" * 50})
    await exceeded(ask, "surface_patch_invalid", "state_bytes", limits.MAX_STATE, size)
    payload = {"x": "x" * limits.MAX_EVENT_PAYLOAD}
    ask = app.sdk("surfaces.emit", **named, event="e", payload=payload)
    await exceeded(ask, over, "event_payload_bytes", limits.MAX_EVENT_PAYLOAD, limits.MAX_EVENT_PAYLOAD + 8)
    ask = app.sdk("surfaces.submit", **named, artifact=artifact(limits.MAX_ARTIFACT + 1))
    await exceeded(ask, "artifact_invalid", "artifact_bytes", limits.MAX_ARTIFACT, limits.MAX_ARTIFACT + 1)
    wanted = {"x": "x" * limits.MAX_CAPABILITY_ARGUMENTS}
    ask = app.want("probe.allowed", arguments=wanted)
    bound = limits.MAX_CAPABILITY_ARGUMENTS
    await exceeded(ask, over, "capability_arguments_bytes", bound, bound + 8)
    for _ in range(limits.MAX_CAPABILITY_REQUESTS):
        await app.want("probe.allowed")
    bound = limits.MAX_CAPABILITY_REQUESTS
    await exceeded(app.want("probe.allowed"), over, "capability_requests", bound, bound)
    form = await app.ask("input")
    draft = {"values": {"name": "x" * limits.MAX_DRAFT}}
    ask = stage.call("renderer.saveDraft", interaction_id=form, draft=draft)
    await exceeded(ask, over, "draft_bytes", limits.MAX_DRAFT, limits.MAX_DRAFT + len('{"values":{"name":""}}'))


def artifact(size: int) -> dict[str, Any]:
    """An artifact of that many bytes."""
    content = b"x" * size
    return {
        "name": "large.txt",
        "media_type": "text/plain",
        "byte_size": size,
        "sha256": hashlib.sha256(content).hexdigest(),
        "content_base64": base64.b64encode(content).decode(),
    }


async def test_an_artifact_of_the_largest_size_comes_back_whole(stage: Stage) -> None:
    app = await stage.start()
    surface_id = await app.open_surface()
    whole = artifact(limits.MAX_ARTIFACT)
    kept = await app.sdk("surfaces.submit", surface_id=surface_id, artifact=whole)
    found = await stage.call("artifact.get", artifact_id=kept["artifact_id"])
    assert found["content_base64"] == whole["content_base64"]


# -- the wire's own


async def test_numbers_and_headers_have_their_bounds(shared: Sidecar) -> None:
    async def answer_to(digits: int) -> dict[str, Any]:
        number = "1" * digits
        await shared.send_raw(b'{"jsonrpc":"2.0","id":"n","method":"ping","params":{"x":%b}}\n' % number.encode())
        answer: dict[str, Any] = await shared.next_stray()
        return answer

    assert (await answer_to(300))["error"]["code"] == -32602, "read, and not wanted"
    assert (await answer_to(limits.MAX_INTEGER_DIGITS + 1))["error"]["code"] == -32700
    assert await shared.call("ping") == {}


def test_a_header_without_end_is_a_fault_and_the_next_message_is_answered(tmp_path: Path) -> None:
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    block = b"Content-Length: %d\r\n\r\n%b" % (len(ping), ping)
    given = block + b"X-Long: " + b"x" * (limits.MAX_HEADER_BYTES + 1) + b"\r\n\r\n" + block
    command = [*find_sidecar(), "--database", str(tmp_path / "lineup.sqlite")]
    ended = subprocess.run(command, input=given, capture_output=True, timeout=60, check=True)
    bodies = [json.loads(body) for body in re.findall(rb"\r\n\r\n(\{[^\r]*?\})(?=Content-Length|$)", ended.stdout)]
    assert [(one["id"], one.get("error", {}).get("code")) for one in bodies] == [(1, None), (None, -32700), (1, None)]


# -- bundles


def test_a_manifest_that_holds_too_much_names_each_bound(tmp_path: Path) -> None:
    tools = [
        tool("soon", "launch", timeout_ms=limits.MIN_TIMEOUT_MS - 1),
        tool("late", "launch", timeout_ms=limits.MAX_TIMEOUT_MS + 1),
        tool("long", "launch", description="d" * (limits.MAX_DESCRIPTION + 1)),
        tool("asks", "launch", permissions=["probe.allowed"] * (limits.MAX_PERMISSIONS + 1)),
    ]
    assert faults(tmp_path / "tools", tools=tools) >= {
        str(limits.MIN_TIMEOUT_MS),
        str(limits.MAX_TIMEOUT_MS),
        str(limits.MAX_DESCRIPTION),
        str(limits.MAX_PERMISSIONS),
    }
    many = [tool(f"t{number}", "launch") for number in range(limits.MAX_TOOLS + 1)]
    capabilities = [f"probe.c{number}" for number in range(limits.MAX_REQUESTED_CAPABILITIES + 1)]
    subscriptions = [{"topic": "agent.message"}] * (limits.MAX_SUBSCRIPTIONS + 1)
    more = {"tools": many, "requested_capabilities": capabilities, "subscriptions": subscriptions}
    bounds = (limits.MAX_TOOLS, limits.MAX_REQUESTED_CAPABILITIES, limits.MAX_SUBSCRIPTIONS)
    assert faults(tmp_path / "lists", **more) >= set(map(str, bounds))


def faults(folder: Path, **more: Any) -> set[str]:
    """The numbers in what ``check-manifest`` says of it."""
    bundle = write_bundle(folder, manifest(**more))
    found = subprocess.run(
        [*find_sidecar(), "check-manifest", str(bundle)], capture_output=True, text=True, check=False
    )
    assert found.returncode == 1
    return set(re.findall(r"\d+", found.stdout + found.stderr))


# -- all of them

ELSEWHERE = {
    "MAX_MESSAGE_BYTES": "test_wire.py: a line may have 8 MiB",
    "MAX_QUEUED_BYTES": "test_pipes.py, faults/test_deaf_host.py: a Host that does not read",
    "MAX_QUEUED_NEWS": "faults/test_silence.py: a MiniApp that does not read",
    "MAX_JSON_DEPTH": "test_wire.py: 64 levels are read",
    "MAX_BATCH": "test_wire.py: a large batch is invalid",
    "MAX_WORKER_BATCH": "faults/test_wire.py: a MiniApp's batch is short",
    "MAX_ERROR_TEXT": "bounds what is answered, not what is asked: sidecar/domain and fuzz/targets.py",
    "MAX_ERRORS": "bounds what is answered: test_wire.py",
    "DRAIN_MS": "a time: test_pipes.py, a signal ends it although nobody reads",
    "HARD_EXIT_MS": "a time: sidecar/rpc/test_threads.py, a loop that hangs is ended",
    "TOKEN_BYTES": "how tokens are made: test_secrets.py",
    "OUTBOX_WINDOW": "test_inbox_outbox.py: at most 64 rows are under way",
    "MAX_OUTBOX_PENDING": "test_inbox_outbox.py: past 10 000 rows",
    "MAX_INBOX_PENDING": "faults/test_silence.py, faults/test_weight.py",
    "MAX_INBOX_BYTES": "faults/test_weight.py",
    "MAX_SURFACE_EVENTS_PENDING": "test_views.py: 200 events may wait",
    "MAX_INSTANCES": "test_inventory.py: a conversation has 16 instances",
    "MAX_OPEN_CALLS": "faults/test_weight.py, test_replays_and_dedupe.py",
    "MAX_OPEN_CALLS_BYTES": "faults/test_weight.py",
    "SMALL_INPUT": "what always fits beside them: faults/test_weight.py",
    "MAX_RESULT": "faults/test_weight.py",
    "MAX_WORKERS": "test_workers.py, faults/test_places.py: more calls than places",
    "MAX_CAPABILITY_RESULT": "faults/test_weight.py",
    "CLOSING_GRACE_MS": "a time: test_workers.py, it has two seconds to end",
    "WORKER_MEMORY": "faults/test_logic.py: a memory hog",
    "MAX_CALL_LIFETIME_MS": "a time: test_tool_endings.py, a call lives a day",
    "DEFAULT_EXPIRY_MS": "a time: test_answers.py, the expiry is the Runtime's",
    "NOTICE_EXPIRY_MS": "a time: test_interactions.py, a notice never shown",
    "MAX_OPEN_INTERACTIONS": "test_answers.py: questions of an instance and of a conversation are bounded",
    "MAX_OPEN_INTERACTIONS_OF_INSTANCE": "test_answers.py",
    "MAX_OPEN_INTERACTIONS_BYTES": "faults/test_weight.py",
    "MAX_RECORDS_BYTES": "bounds what is answered: faults/test_weight.py, large questions that have ended",
    "MAX_ENDED_RECORDS": "bounds what is answered: test_miniapp_questions.py",
    "ENDED_RECORDS_MS": "a time: test_miniapp_questions.py, test_interactions.py",
    "MAX_PAGE_BYTES": "bounds what is read at once: faults/test_weight.py, large results for an Agent that is away",
    "MAX_ARTIFACTS_OF_INSTANCE": "test_surfaces_artifacts.py: artifacts of an instance are bounded together",
    "PROVIDER_TIMEOUT_MS": "a time: test_capabilities.py, a provider has 15 minutes",
    "MAX_MANIFEST": "a bundle's, not a request's: sidecar/bundles/test_manifest.py",
    "MAX_SCHEMA_DEPTH": "sidecar/domain/test_schema_subset.py",
    "MAX_SCHEMA_PROPERTIES": "sidecar/domain/test_tool_schema.py",
    "MAX_SCHEMA_ENUM": "sidecar/domain/test_tool_schema.py",
    "MAX_SCHEMA_TEXT": "sidecar/domain/test_schema_subset.py",
    "MAX_DOCUMENT": "a bundle's: sidecar/bundles/test_document.py",
    "KEEP_MS": "a time: test_store.py, what is acked is kept 30 days",
}
"""Where a limit is reached that is not reached in this file."""


def test_every_limit_is_reached_or_says_why_not() -> None:
    units = {"KIB", "MIB", "SECOND", "MINUTE", "HOUR", "DAY", "WIRE_LIMITS"}
    here = set(re.findall(r"limits\.([A-Z_]+)", Path(__file__).read_text())) - units
    named = {name for name in vars(limits) if name.isupper()} - units
    assert here | set(ELSEWHERE) == named
    assert not here & set(ELSEWHERE)
