"""The inventory: what an Agent is told, when, and under which revision (RULES 7)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from host_bridge.client import Sidecar
from host_bridge.pytest_plugin import StartSidecar
from tests.scenarios.bundles import INPUT, manifest, tool, write_bundle
from tests.scenarios.conftest import OpenStage
from tests.scenarios.stage import Stage, begin, refused, restart

requirement = pytest.mark.requirement


async def told(stage: Stage) -> list[dict[str, Any]]:
    """Every inventory that was told, each row once."""
    return await stage.sent("client.inventory")


@requirement("R7-revision", "A3")
async def test_the_revision_is_a_hash_of_the_content(stage: Stage) -> None:
    from hashlib import sha256

    [inventory] = await told(stage)
    content = {name: inventory[name] for name in ("tools", "apps", "capabilities")}
    assert inventory["revision"] == f"inv_{sha256(rfc8785.dumps(content)).hexdigest()[:16]}"
    assert [tool["id"] for tool in inventory["tools"]] == sorted(stage.agent.tools)
    assert inventory["capabilities"] == ["probe.allowed", "probe.asked"]
    scopes = [app["app_scope"] for app in inventory["apps"]]
    assert "chat" in scopes
    assert "future" not in scopes


@requirement("R7-told-once")
async def test_a_conversation_is_told_once_when_it_opens(stage: Stage) -> None:
    for _ in range(3):
        await stage.open()
    await stage.say("hello", "chat")
    assert len(await told(stage)) == 1


@requirement("R7-told-once")
async def test_an_envelope_opens_a_conversation_and_tells_it_too(stage: Stage) -> None:
    peer = {"agent_id": "agent-1", "conversation_id": f"{stage.conversation_id}-by-envelope"}
    envelope = {"type": "lineup.v1.message", "message_id": "m", "payload": {"text": "x"}}
    assert (await stage.call("transport.deliver", peer=peer, envelope=envelope))["status"] == "accepted"
    types = [one["envelope"]["type"] for one in await stage.heard("transport.send", peer=peer)]
    assert types == ["lineup.v1.client.inventory"]
    snapshot = await stage.call("workspace.open", **peer)
    assert [one["app_scope"] for one in snapshot["instances"]] == ["chat"]


@requirement("R7-changes-exactly", "R7-told-to-all", "R7-same-content", "A5")
async def test_a_switch_changes_it_and_every_conversation_is_told(own: Sidecar, open_stage: OpenStage) -> None:
    stages = [await open_stage(own), await open_stage(own, agent_id="agent-2")]
    first = await stages[0].revision()

    async def switch(enabled: bool) -> str:
        switched = await own.call("miniapp.setEnabled", app_scope="probe", enabled=enabled)
        revision: str = switched["inventory_revision"]
        return revision

    assert await switch(True) == first
    second = await switch(False)
    assert await switch(False) == second
    assert second != first
    assert await switch(True) == first
    for stage in stages:
        assert [one["revision"] for one in await told(stage)] == [first, second, first]
    assert await stages[0].reject("probe.launch", revision=second) == "inventory_revision_mismatch"
    await stages[0].invoke("probe.launch")


@requirement("R7-changes-exactly")
async def test_work_and_people_do_not_change_it(stage: Stage) -> None:
    before = await stage.revision()
    app, call_id = await stage.launch()
    await app.open_surface()
    await app.want("probe.allowed")
    await stage.ask("confirm")
    await app.complete(call_id)
    await app.close()
    assert [one["revision"] for one in await told(stage)] == [before]


@requirement("R7-changes-exactly", "R7-told-to-all")
async def test_the_hosts_providers_and_version_change_it(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    first = await stage.revision()
    session = await begin(own, capability_providers=["probe.allowed"])
    await stage.settle()
    assert session["inventory_revision"] == await stage.revision() != first
    assert (stage.agent.inventory or {})["capabilities"] == ["probe.allowed"]
    await begin(own, host={"name": "newer", "version": "9.0.0"})
    await stage.settle()
    assert "future.launch" in stage.agent.tools
    await stage.invoke("future.launch")
    for provider in ("probe.denied", "nobody.declares"):
        same = await begin(own, capability_providers=["probe.allowed", "probe.asked", provider])
        assert same["inventory_revision"] == first
    await stage.settle()
    assert await stage.reject("future.work") == "tool_not_advertised"


@requirement("R7-same-content", "R7-told-once")
async def test_a_restart_tells_the_same_inventory_to_nobody_again(own: Sidecar, open_stage: OpenStage) -> None:
    stage = await open_stage(own)
    first = await stage.revision()
    await stage.ack()
    session = await restart(own)
    assert session["inventory_revision"] == first
    await stage.open()
    assert len(await told(stage)) == 1


@requirement("R7-changes-exactly", "A4", "A5")
async def test_a_changed_manifest_is_told_at_the_start_and_old_revisions_are_refused(
    own: Sidecar, open_stage: OpenStage, tmp_path: Path
) -> None:
    stage = await open_stage(own)
    first = await stage.revision()
    await stage.invoke("probe.launch")
    changed = manifest("probe", version="1.1.0")
    changed["tools"] = [one for one in changed["tools"] if one["id"] != "probe.brief"]
    file = tmp_path / "bundles" / "probe" / "manifest.json"
    file.write_text(json.dumps(changed))
    session = await restart(own)
    assert session["inventory_revision"] != first
    await stage.settle()
    assert await stage.revision() == session["inventory_revision"]
    assert await stage.reject("probe.brief", call_id="gone", revision=first) == "inventory_revision_mismatch"
    [gone] = await stage.sent("tool.rejected", "gone")
    assert gone["tool"] is None
    assert await stage.reject("probe.brief") == "tool_not_advertised"
    await stage.invoke("probe.work")
    listed = {one["manifest"]["app_scope"]: one["manifest"] for one in (await own.call("miniapp.list"))["miniapps"]}
    assert listed["probe"]["version"] == "1.1.0"


@requirement("R7-changes-exactly", "R1-refused-is-audited", "R1-refused-reaches-nobody", "A5")
async def test_only_the_revision_that_is_current_reaches_a_tool_whatever_became_of_it(
    own: Sidecar, open_stage: OpenStage, tmp_path: Path
) -> None:
    """One Tool is taken away, one is new, and one takes something else than before."""
    stage = await open_stage(own)
    first = await stage.revision()
    changed = manifest("probe", version="1.1.0")
    new = tool("new", "launch")
    tighter = {**INPUT, "properties": {"n": {"type": "number", "maximum": 5}}}
    kept = [one for one in changed["tools"] if one["id"] not in ("probe.brief", "probe.launch")]
    changed["tools"] = [*kept, new, {**tool("launch", "launch"), "input_schema": tighter}]
    (tmp_path / "bundles" / "probe" / "manifest.json").write_text(json.dumps(changed))
    session = await restart(own)
    await stage.settle()
    assert [one["revision"] for one in await told(stage)] == [first, session["inventory_revision"]]
    now = {one["id"]: one for one in (await told(stage))[-1]["tools"]}
    for number, revision in enumerate([first, "inv_ffffffffffffffff", "inv_", session["inventory_revision"].upper()]):
        for tool_id in ("probe.brief", "probe.new", "probe.launch"):
            call_id = f"{tool_id} {number}"
            assert await stage.reject(tool_id, {"n": 7}, call_id=call_id, revision=revision) == (
                "inventory_revision_mismatch"
            )
            [rejected] = await stage.sent("tool.rejected", call_id)
            assert (rejected["inventory_revision"], rejected["tool"]) == (
                session["inventory_revision"],
                now.get(tool_id),
            )
    whole = {"call_id": "none", "tool_id": "probe.launch", "input": {"n": 1}}
    for more in ({}, {"inventory_revision": ""}, {"inventory_revision": None}, {"inventory_revision": 1}):
        assert (await stage.deliver("tool.invoke", {**whole, **more}))["code"] == "envelope_invalid"
    assert await stage.instance("probe") is None
    codes = [one["code"] for one in await stage.audit() if one["decision"] == "refused"]
    assert (codes.count("inventory_revision_mismatch"), codes.count("envelope_invalid")) == (12, 4)
    assert await stage.reject("probe.launch", {"n": 7}) == "tool_input_invalid"
    await stage.invoke("probe.launch", {"n": 5})
    assert await stage.reject("probe.brief") == "tool_not_advertised"
    assert len(await told(stage)) == 2


@requirement("R6-killed-anywhere")
async def test_an_app_whose_bundle_is_gone_keeps_its_instance_and_gets_nothing(
    own: Sidecar, open_stage: OpenStage, tmp_path: Path
) -> None:
    stage = await open_stage(own)
    app, call_id = await stage.launch()
    surface_id = await app.open_surface()
    file = tmp_path / "bundles" / "probe" / "manifest.json"
    file.rename(file.with_suffix(".away"))
    await restart(own)
    await stage.settle()
    assert await stage.stack() == ["chat", "probe"]
    assert await stage.reject("probe.work") == "tool_not_advertised"
    assert (await stage.say("hello"))["code"] == "app_scope_mismatch"
    await app.mount()
    assert await app.take_calls() == []
    file.with_suffix(".away").rename(file)
    await restart(own)
    await app.mount()
    assert [one["call_id"] for one in await app.take_calls()] == [call_id]
    assert (await app.sdk("surfaces.get", surface_id=surface_id))["revision"] == 1


@requirement("A12", "C-not-in-v1")
async def test_there_is_no_catalog_and_nothing_to_install(stage: Stage) -> None:
    document = await stage.sidecar.request("rpc.discover", {})
    names = {method["name"] for method in document["methods"]}
    words = ("catalog", "install", "download", "update", "publish", "market", "fetch", "store", "bundle")
    assert [name for name in names if any(word in name.lower() for word in words)] == ["sdk.surfaces.update"]


async def test_a_host_learns_of_each_miniapp_who_runs_it_and_why_it_is_left_out(stage: Stage) -> None:
    listed = {one["manifest"]["app_scope"]: one for one in (await stage.call("miniapp.list"))["miniapps"]}
    assert listed["future"]["unavailable"] == "host_too_old"
    assert {scope for scope, one in listed.items() if one["unavailable"] is None} == set(listed) - {"future"}
    assert listed["chat"]["manifest"]["kind"] == "system"
    assert {one["run_by"] for one in listed.values()} == {"host"}
    assert await stage.reject("future.launch") == "tool_not_advertised"


@requirement("C-older-word", "C-chat")
async def test_the_older_word_is_read_and_chat_is_taken(
    lineup_start: StartSidecar, open_stage: OpenStage, tmp_path: Path
) -> None:
    more = tmp_path / "more"
    write_bundle(more, manifest("older", kind="bundled-reference"))
    write_bundle(more, manifest("chat"))
    write_bundle(more, manifest("usurper", kind="system"))
    sidecar = await lineup_start("--miniapps", str(more))
    await begin(sidecar, host_run=["chat", "older"])
    listed = {one["manifest"]["app_scope"]: one["manifest"] for one in (await sidecar.call("miniapp.list"))["miniapps"]}
    assert listed["older"]["kind"] == "bundled"
    assert (listed["chat"]["kind"], listed["chat"]["tools"]) == ("system", [])
    assert "usurper" not in listed
    stage = await open_stage(sidecar)
    await stage.invoke("older.launch")
    await sidecar.kill()


@requirement("R6-bound-instances")
async def test_a_conversation_has_16_instances(
    lineup_start: StartSidecar, open_stage: OpenStage, tmp_path: Path
) -> None:
    more = tmp_path / "more"
    scopes = [f"app-{number}" for number in range(16)]
    for scope in scopes:
        write_bundle(more, manifest(scope))
    sidecar = await lineup_start("--miniapps", str(more))
    await begin(sidecar, host_run=["chat", *scopes])
    stage = await open_stage(sidecar)
    for scope in scopes[:15]:
        await stage.invoke(f"{scope}.direct")
    assert await stage.reject("app-15.direct", call_id="one too many") == "limit_exceeded"
    with refused("limit_exceeded", limit="instances", bound=16, actual=16):
        await stage.call("miniapp.open", conversation_id=stage.conversation_id, app_scope="app-15")
    assert len((await stage.open())["instances"]) == 16
    await (await stage.mount("app-0")).close()
    await stage.invoke("app-15.direct", call_id="one too many")
    await sidecar.kill()


VALUE = {"type": "string", "maxLength": 8}
SCHEMAS: dict[str, dict[str, Any]] = {
    "items": {"type": "array", "maxItems": 2, "items": VALUE},
    "description": {**VALUE, "description": "What it is for."},
    "refused-ref": {"$ref": "https://example.org/schema.json"},
    "refused-pattern": {**VALUE, "pattern": "^a+$"},
    "refused-format": {**VALUE, "format": "uri"},
    "refused-any": {"anyOf": [VALUE, {"type": "number"}]},
    "refused-default": {**VALUE, "default": "x"},
    "refused-title": {**VALUE, "title": "T"},
    "refused-null": {"type": "null"},
    "refused-two": {"type": ["string", "number"]},
    "refused-open": {"type": "object", "properties": {}, "additionalProperties": True},
}


@requirement("C-schema-subset", "A3", "A4")
async def test_the_schema_subset_has_items_and_description_and_nothing_else(
    lineup_start: StartSidecar, open_stage: OpenStage, tmp_path: Path
) -> None:
    more = tmp_path / "more"
    for scope, schema in SCHEMAS.items():
        takes = {"type": "object", "properties": {"v": schema}, "required": ["v"], "additionalProperties": False}
        tools = [{**one, "input_schema": takes} for one in manifest(scope)["tools"][:1]]
        write_bundle(more, manifest(scope, tools=tools))
    sidecar = await lineup_start("--miniapps", str(more))
    await begin(sidecar, host_run=["chat", *SCHEMAS])
    stage = await open_stage(sidecar)
    taken = {one["manifest"]["app_scope"] for one in (await sidecar.call("miniapp.list"))["miniapps"]} & set(SCHEMAS)
    assert taken == {"items", "description"}
    assert all(scope in sidecar.stderr_tail for scope in SCHEMAS if scope.startswith("refused"))
    assert stage.agent.tools["description.direct"]["input_schema"]["properties"]["v"] == SCHEMAS["description"]
    await stage.invoke("items.direct", {"v": ["a", "b"]})
    for wrong in (["a", "b", "c"], [1], ["123456789"], "a"):
        assert await stage.reject("items.direct", {"v": wrong}) == "tool_input_invalid"
    await sidecar.kill()
