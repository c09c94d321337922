"""Values of a Tool: judged as they stand, never turned into others, and the same at every place (PROTOCOL 1 and 10)."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from host_bridge.errors import RpcError
from host_bridge.pytest_plugin import StartSidecar
from tests.scenarios.bundles import manifest, tool, write_bundle
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import App, Stage, begin, refused, restart

requirement = pytest.mark.requirement

CLOSED = {"type": "object", "additionalProperties": False}
OPTIONS = {**CLOSED, "properties": {"dry_run": {"type": "boolean"}, "name": {"type": "string"}}}
TAKES = {
    **CLOSED,
    "properties": {
        "text": {"type": "string"},
        "number": {"type": "number", "minimum": 0, "maximum": 10},
        "flag": {"type": "boolean"},
        "list": {"type": "array"},
        "free": {"type": "object"},
        "options": OPTIONS,
        "each": {"type": "array", "items": OPTIONS},
        "one": {"type": "number", "enum": [1]},
        "none": {"type": "number", "enum": [0]},
        "listed": {"type": "array", "items": {"type": "number"}, "enum": [[1], [0]]},
    },
}
TEXTS = [
    '{"a":1}',
    "[1]",
    "123",
    "true",
    "null",
    '"q"',
    "",
    " 7 ",
    "1_0",
    "NaN",
    "\x00\x1f\x7f",
    "é漢😀e\u0301\u2028\ufeff",
]
FREE = {
    "a": [True, 1, 1.0, "1", None, False, 0, -0.0, 2**53 + 1, 10**300, 1e-320, 1.5e300],
    "__proto__": {"polluted": 1},
    "constructor": {"prototype": {"polluted": 1}},
    "toString": "x",
    "": "\U0001f600",
    "\u0000": {"hasOwnProperty": []},
}


@pytest.fixture
def lineup_options(tmp_path: Path) -> list[str]:
    """Give the sidecar an app that takes and gives back anything."""
    write_bundle(tmp_path / "bundles", manifest("echo", tools=[echo()]))
    return ["--miniapps", str(tmp_path / "bundles")]


def echo() -> dict[str, Any]:
    """A Tool whose output is its input."""
    return tool("echo", "launch", "echo", input_schema=TAKES, output_schema=TAKES)


@pytest.fixture
async def stage(lineup_start: StartSidecar, open_stage: OpenStage) -> AsyncIterator[Stage]:
    """A conversation with the app."""
    sidecar = await lineup_start()
    await begin(sidecar, host_run=["chat", "echo"])
    yield await open_stage(sidecar)
    await sidecar.kill()


async def take(app: App, call_id: str) -> Any:
    """The text of a call's input, as it came."""
    return next(call["input"] for call in await app.take_calls() if call["call_id"] == call_id)


def same(first: Any, second: Any) -> bool:
    """Whether two values are written alike: ``1`` is neither ``1.0`` nor ``true``."""
    return json.dumps(first) == json.dumps(second)


@requirement("R2-redelivery")
async def test_values_are_the_same_for_the_app_the_agent_and_the_next_life(stage: Stage) -> None:
    given = {"free": FREE, "list": TEXTS, "text": "null", "number": 5.0, "flag": False, "each": [{"name": "0"}]}
    call_id = await stage.invoke("echo.echo", given)
    app = await stage.mount("echo")
    assert same(await take(app, call_id), given)
    await restart(stage.sidecar, host_run=["chat", "echo"])
    await app.mount()
    assert same(await take(app, call_id), given)
    await app.complete(call_id, **given)
    await restart(stage.sidecar, host_run=["chat", "echo"])
    assert same((await stage.result(call_id) or {})["result"], given)
    for text in TEXTS:
        call_id = await stage.invoke("echo.echo", {"text": text})
        await app.mount()
        assert await take(app, call_id) == {"text": text}
        await app.complete(call_id, text=text)
        assert (await stage.result(call_id) or {})["result"] == {"text": text}


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"dryrun": True}, "dryrun"),
    ({"options": {"dry_run": True, "dryrun": True}}, "options.dryrun"),
    ({"each": [{}, {"Name": "x"}]}, "each.1.Name"),
    ({"text": "x", "__proto__": {}}, "__proto__"),
    *[({"number": one}, "number") for one in ("5", " 7 ", "1_0", "1e400", True, False, None, [5], {}, -1, 10.000001)],
    *[({"flag": one}, "flag") for one in (1, 0, "yes", "false", "true", None, 1.0, [])],
    *[({"text": one}, "text") for one in (1, True, None, ["x"], {"a": 1})],
    *[({"list": one}, "list") for one in ("[1,2]", {}, {"0": 1}, None, "")],
    *[({"free": one}, "free") for one in ('{"a":1}', [], [["a", 1]], None, "")],
    *[({"one": one}, "one") for one in (True, "1", 0, None)],
    *[({"none": one}, "none") for one in (False, "0", "", None, 1)],
    *[({"listed": one}, "listed") for one in ([True], [False], ["1"], [1, 1], [], [[1]])],
]


@requirement("R1-refused-reaches-nobody", "R1-refused-is-audited", "C-schema-subset")
async def test_what_does_not_fit_is_refused_by_name_in_both_directions(stage: Stage) -> None:
    running = await stage.invoke("echo.echo", {"text": "first"})
    app = await stage.mount("echo")
    await app.take_calls()
    for number, (given, path) in enumerate(WRONG):
        assert await stage.reject("echo.echo", given, call_id=f"wrong {number}") == "tool_input_invalid", given
        [told] = await stage.sent("tool.rejected", f"wrong {number}")
        assert f"({path}: " in told["message"]
        with pytest.raises(RpcError) as caught:
            await app.complete(running, **given)
        assert caught.value.refusal == "tool_output_invalid"
        assert path in [one["path"] for one in caught.value.data["errors"]]
    assert [one["call_id"] for one in (await stage.open())["tool_calls"]] == [running]
    assert await app.heard("sdk.tools.call") == []
    refused = [one for one in await stage.audit() if one["code"] in ("tool_input_invalid", "tool_output_invalid")]
    assert len(refused) == 2 * len(WRONG)
    for given in ({"one": 1.0}, {"none": -0.0}, {"listed": [1.0]}, {"number": 10}, {"number": 0}, {"list": [1, True]}):
        await stage.invoke("echo.echo", given)


@pytest.mark.parametrize("number", ["NaN", "-NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1" * 5_000])
async def test_what_is_no_number_reaches_neither_a_tool_nor_a_surface(stage: Stage, number: str) -> None:
    running = await stage.invoke("echo.echo", {"text": "first"})
    app = await stage.mount("echo")
    surface_id = await app.open_surface(initial_state={"n": 1})
    before = len(await stage.audit())
    peer, revision = stage.agent.peer, await stage.revision()
    payload = {"call_id": "c", "tool_id": "echo.echo", "inventory_revision": revision, "input": {"number": "@"}}
    envelope = {"type": "lineup.v1.tool.invoke", "message_id": "m", "payload": payload}
    for method, params in [
        ("transport.deliver", {"peer": peer, "envelope": envelope}),
        ("sdk.tools.complete", {"context_token": app.token, "call_id": running, "result": {"number": "@"}}),
        ("sdk.surfaces.update", {"context_token": app.token, "surface_id": surface_id, "patch": {"n": "@"}}),
    ]:
        line = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).replace('"@"', number)
        await stage.sidecar.send_raw(line.encode() + b"\n")
        answer = await stage.sidecar.next_stray()
        assert (answer["id"], answer["error"]["code"]) == (None, -32700)
    assert len(await stage.audit()) == before
    assert (await app.sdk("surfaces.get", surface_id=surface_id))["state"] == {"n": 1}
    await stage.invoke("echo.echo", {"number": 1}, call_id="c", message_id="m")


@requirement("R2-known-call")
async def test_a_call_that_comes_again_is_compared_by_value_and_type(stage: Stage) -> None:
    given: dict[str, Any] = {"free": {"b": 1, "a": [1, "1", True, 2**53 + 1]}, "number": 1}
    await stage.invoke("echo.echo", given, call_id="c")
    same_again = [{"number": 1.0, "free": {"a": [1.0, "1", True, 2**53 + 1], "b": 1}}]
    others = [
        {**given, "number": 2},
        {**given, "free": {**given["free"], "b": True}},
        {**given, "free": {**given["free"], "b": "1"}},
        {**given, "free": {"b": 1, "a": [1, "1", True, 2**53]}},
        {**given, "free": {"b": 1, "a": ["1", 1, True, 2**53 + 1]}},
        {**given, "text": ""},
        {"number": 1},
    ]
    payload = {"call_id": "c", "tool_id": "echo.echo", "inventory_revision": await stage.revision()}
    told = [await stage.deliver("tool.invoke", {**payload, "input": one}) for one in [*same_again, *others]]
    assert [one["status"] for one in told] == ["duplicate"] + ["rejected"] * len(others)
    assert {one["code"] for one in told[1:]} == {"call_id_conflict"}


@requirement("C-schema-subset")
async def test_a_schema_that_refers_elsewhere_is_refused_and_nothing_is_fetched(
    lineup_start: StartSidecar, open_stage: OpenStage, tmp_path: Path
) -> None:
    text = {"type": "string"}
    there = tmp_path / "there.json"
    there.write_text(json.dumps(text))
    with socket.create_server(("127.0.0.1", 0)) as canary:
        canary.setblocking(False)
        address = f"http://127.0.0.1:{canary.getsockname()[1]}/schema.json"
        listed = {"type": "object", "enum": [{"$ref": address}, {"$ref": there.as_uri()}]}
        schemas: dict[str, Any] = {
            "by-http": {"properties": {"v": {"$ref": address}}},
            "by-file": {"properties": {"v": {"$ref": there.as_uri()}}},
            "by-id": {"$id": address, "properties": {"v": {"$ref": "other.json"}}},
            "by-schema": {"$schema": address, "properties": {"v": text}},
            "by-dynamic": {"properties": {"v": {"$dynamicRef": address}}},
            "by-defs": {"properties": {"v": {"$ref": "#/$defs/v"}}, "$defs": {"v": text}},
            "as-data": {"properties": {"v": listed}},
        }
        bundles = tmp_path / "references"
        for scope, schema in schemas.items():
            write_bundle(
                bundles, manifest(scope, tools=[tool("go", "launch", scope, input_schema={**CLOSED, **schema})])
            )
        sidecar = await lineup_start("--miniapps", str(bundles))
        await begin(sidecar, host_run=["chat", "as-data"])
        taken = {one["manifest"]["app_scope"] for one in (await sidecar.call("miniapp.list"))["miniapps"]}
        assert taken & set(schemas) == {"as-data"}
        stage = await open_stage(sidecar)
        await stage.invoke("as-data.go", {"v": {"$ref": address}})
        assert await stage.reject("as-data.go", {"v": {"$ref": "#"}}) == "tool_input_invalid"
        with pytest.raises(BlockingIOError):
            canary.accept()
    await sidecar.kill()


async def test_what_counts_as_nothing_elsewhere_is_a_value_here(stage: Stage) -> None:
    call_id = await stage.invoke(
        "echo.echo", {"number": 0, "flag": False, "text": "", "list": [], "free": {}}, call_id="0"
    )
    app = await stage.mount("echo")
    assert await take(app, call_id) == {"number": 0, "flag": False, "text": "", "list": [], "free": {}}
    assert (await stage.deliver("tool.cancel", {"control_id": "0", "call_id": "00"}))["receipt"][
        "outcome"
    ] == "not_found"
    surface_id = await app.open_surface(initial_state={"": 0})
    for number, payload in enumerate([0, "", False, None, [], {}, [0], {"": None}]):
        await app.sdk("surfaces.emit", surface_id=surface_id, event=f"{number}", payload={"": payload})
    told = [one["payload"]["payload"] for one in await app.messages("surface.event")]
    assert same(told, [{"": one} for one in (0, "", False, None, [], {}, [0], {"": None})])
    with refused("surface_revision_conflict"):
        await app.sdk("surfaces.update", surface_id=surface_id, patch={}, base_revision=0)
    for key, value in (("k", 0), ("k", False), ("k", ""), ("k", []), ("k", {})):
        updated = await app.sdk("surfaces.update", surface_id=surface_id, patch={key: value})
        assert same((await app.sdk("surfaces.get", surface_id=surface_id))["state"], {"": 0, key: value})
    assert updated["revision"] == 6
    await app.sdk("tools.reportProgress", call_id="0", progress={"percent": 0, "message": "", "state": ""})
    assert [one["progress"] for one in await stage.sent("tool.progress", "0")] == [
        {"percent": 0, "message": "", "state": ""}
    ]
    await app.complete("0", number=0, flag=False, text="")
    assert (await stage.result("0") or {})["result"] == {"number": 0, "flag": False, "text": ""}
