"""The table of methods is the protocol's: names, params, results, callers (PROTOCOL 2 to 8)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rpc_schema.errors import REFUSAL_CODES
from rpc_schema.methods import METHODS

RECEIPT = "command_id status"
CONTEXT = "app_scope instance_id conversation_id app_version state mode"
SNAPSHOT = (
    "conversation_id agent_id revision foreground focus_stack instances surfaces interactions tool_calls "
    "capability_requests"
)
STATUS = "live_workers instances tool_calls_open interactions_open outbox_pending inbox_pending uptime_ms rss_bytes"
ATTACHED = "surface_id instance_id container title revision state surface_token document"
STORED = "artifact_id name media_type byte_size sha256 created_at content_base64"

TABLE: dict[str, tuple[str, str]] = {
    "initialize": (
        "protocol_version host host_run? renderers? capability_providers? locale?",
        "protocol_version runtime session_id inventory_revision limits recovered",
    ),
    "shutdown": ("", "null"),
    "exit": ("", "nothing"),
    "ping": ("", ""),
    "rpc.discover": ("", "openrpc info methods components"),
    "runtime.status": ("", STATUS),
    "audit.list": ("after_seq? limit? conversation_id?", "entries"),
    "test.advanceClock": ("ms", "now"),
    "workspace.open": ("conversation_id agent_id", SNAPSHOT),
    "miniapp.list": ("", "miniapps"),
    "miniapp.setEnabled": ("app_scope enabled", "inventory_revision"),
    "miniapp.open": ("conversation_id app_scope", "instance_id app_session_id"),
    "miniapp.mount": ("instance_id", "context context_token surfaces"),
    "miniapp.unmount": ("instance_id reason?", ""),
    "miniapp.foreground": ("instance_id", RECEIPT),
    "miniapp.background": ("instance_id", RECEIPT),
    "miniapp.close": ("instance_id reason?", RECEIPT),
    "sdk.context.get": ("", CONTEXT),
    "sdk.inbox.list": ("after_message_id? limit?", "messages"),
    "sdk.inbox.subscribe": ("", "messages"),
    "sdk.inbox.unsubscribe": ("", ""),
    "sdk.inbox.acknowledge": ("message_id", "acknowledged"),
    "sdk.tools.subscribe": ("", "calls"),
    "sdk.tools.unsubscribe": ("", ""),
    "sdk.tools.get": ("call_id", "call"),
    "sdk.tools.reportProgress": ("call_id progress", RECEIPT),
    "sdk.tools.complete": ("call_id result", RECEIPT),
    "sdk.tools.fail": ("call_id failure", RECEIPT),
    "sdk.tools.cancel": ("call_id reason?", RECEIPT),
    "sdk.ui.request": ("request options?", "interaction_id status expires_at"),
    "sdk.ui.get": ("interaction_id", "record"),
    "sdk.ui.subscribe": ("", "records"),
    "sdk.ui.unsubscribe": ("", ""),
    "sdk.ui.cancel": ("interaction_id reason?", RECEIPT),
    "sdk.lifecycle.requestForeground": ("", RECEIPT),
    "sdk.lifecycle.requestBackground": ("", RECEIPT),
    "sdk.lifecycle.requestClose": ("reason?", RECEIPT),
    "sdk.surfaces.requestOpen": ("request", RECEIPT + " surface_id revision state"),
    "sdk.surfaces.get": ("surface_id", "surface_id revision state"),
    "sdk.surfaces.update": ("surface_id patch base_revision?", RECEIPT + " revision"),
    "sdk.surfaces.emit": ("surface_id event payload?", RECEIPT),
    "sdk.surfaces.submit": ("surface_id artifact", RECEIPT + " artifact_id"),
    "sdk.surfaces.requestClose": ("surface_id", RECEIPT),
    "sdk.capabilities.request": ("capability reason arguments", RECEIPT + " request_id"),
    "sdk.conversation.sendText": ("text client_message_id", RECEIPT),
    "sdk.renderer.subscribe": ("", "records"),
    "sdk.renderer.unsubscribe": ("", ""),
    "surface.attach": ("surface_id", ATTACHED),
    "surface.detach": ("surface_id", ""),
    "surface.fail": ("surface_id message", ""),
    "artifact.get": ("artifact_id", STORED),
    "renderer.list": ("conversation_id", "items"),
    "renderer.presented": ("interaction_id", "status"),
    "renderer.submit": ("interaction_id result", "status"),
    "renderer.cancel": ("interaction_id reason?", "status"),
    "renderer.saveDraft": ("interaction_id draft", ""),
    "transport.deliver": ("peer envelope", "status code message receipt"),
    "transport.ack": ("outbox_ids", "acked"),
    "transport.setOnline": ("online", "pending"),
    "capability.resolve": ("request_id outcome result? message?", ""),
}
"""Params (``?`` marks those that may be absent; ``context_token`` is added to all of ``sdk.*``) and result fields."""

OF_A_SURFACE = {
    "sdk.context.get",
    *(f"sdk.surfaces.{name}" for name in ("get", "update", "emit", "submit", "requestClose")),
}
OF_THE_SYSTEM = {"sdk.conversation.sendText", "sdk.renderer.subscribe", "sdk.renderer.unsubscribe"}


def test_the_methods_are_the_protocols() -> None:
    assert METHODS.keys() == TABLE.keys()
    assert all(method.name == name for name, method in METHODS.items())


@pytest.mark.parametrize("name", TABLE)
def test_params_and_result_are_the_protocols(name: str) -> None:
    params, result = TABLE[name]
    token = "context_token " if name.startswith("sdk.") else ""
    method = METHODS[name]
    said = [field if info.is_required() else f"{field}?" for field, info in method.params.model_fields.items()]
    assert said == (token + params).split()
    if result in ("null", "nothing"):
        assert method.result is None
    else:
        assert method.result
        assert [*method.result.model_fields] == result.split()
    assert method.notification is (result == "nothing")


@pytest.mark.parametrize("name", METHODS)
def test_names_are_namespace_and_camel_case(name: str) -> None:
    assert re.fullmatch(r"([a-z]+\.)*[a-z]+([A-Z][a-z]+)*", name)


def callers(name: str) -> set[str]:
    if name == "ping":
        return {"host", "miniapp", "system"}
    if not name.startswith("sdk."):
        return {"host"}
    mine = {"system"} if name in OF_THE_SYSTEM else {"miniapp"}
    return mine | ({"surface"} if name in OF_A_SURFACE else set())


@pytest.mark.parametrize("name", METHODS)
def test_callers_are_the_protocols(name: str) -> None:
    assert METHODS[name].callers == callers(name)


def test_four_methods_are_answered_before_initialize() -> None:
    early = {name for name, method in METHODS.items() if method.before_initialize}
    assert early == {"initialize", "exit", "ping", "rpc.discover"}


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_refusals_are_known_and_named_once(method: Any) -> None:
    assert set(method.refusals) <= set(REFUSAL_CODES)
    assert len(set(method.refusals)) == len(method.refusals)
    token = ("context_token_invalid", "permission_denied")
    assert (method.refusals[:2] == token) is method.name.startswith("sdk.")


@pytest.mark.parametrize("name", [name for name in METHODS if name.startswith("sdk.")])
def test_a_disabled_app_is_refused_what_reaches_out_and_nothing_else(name: str) -> None:
    """RULES 3."""
    refused = {"tools.complete", "tools.fail", "tools.cancel", "tools.reportProgress", "ui.request"}
    refused |= {"surfaces.requestOpen", "capabilities.request"}
    assert ("app_disabled" in METHODS[name].refusals) is (name.removeprefix("sdk.") in refused)


def test_a_summary_is_one_sentence() -> None:
    assert [name for name, method in METHODS.items() if not re.fullmatch(r"[^\n]{5,100}\.", method.summary)] == []
