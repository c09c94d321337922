"""Envelopes and their payloads are the protocol's (PROTOCOL 7)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from rpc_schema.base import Gone, Wire
from rpc_schema.envelopes import AGENT_ENVELOPES, RUNTIME_ENVELOPES, ToolRejectedPayload, ToolResultPayload
from rpc_schema.manifest import AdvertisedTool

FROM_AGENT = {
    "lineup.v1.message": "text format?",
    "lineup.v1.tool.invoke": "call_id tool_id inventory_revision input app_session_context?",
    "lineup.v1.tool.call": "call_id kind request app_session_context?",
    "lineup.v1.tool.cancel": "control_id call_id reason?",
    "lineup.v1.interaction.dismiss": "control_id call_id reason?",
}
TO_AGENT = {
    "lineup.v1.client.inventory": "revision tools apps capabilities",
    "lineup.v1.message": "text format client_message_id",
    "lineup.v1.tool.progress": "call_id seq progress",
    "lineup.v1.tool.result": "call_id status result? error? reason? message?",
    "lineup.v1.tool.rejected": "call_id code message inventory_revision tool?",
    "lineup.v1.app.session.opened": "app_session_id app_scope call_id?",
    "lineup.v1.app.session.closed": ("app_session_id app_scope reason cancelled_call_ids pending_interaction_call_ids"),
}
REJECTED = {"call_id": "c", "code": "inventory_revision_mismatch", "message": "m", "inventory_revision": "inv_1"}
TOOL = {
    "id": "a.b",
    "version": 1,
    "handling": "direct",
    "target": None,
    "input_schema": {},
    "output_schema": {},
    "permissions": [],
    "timeout_ms": None,
}


def fields(models: dict[str, type[Wire]]) -> dict[str, str]:
    return {
        name: " ".join(field if info.is_required() else f"{field}?" for field, info in model.model_fields.items())
        for name, model in models.items()
    }


def test_what_an_agent_sends_is_the_protocols() -> None:
    assert fields(AGENT_ENVELOPES) == FROM_AGENT


def test_what_an_agent_hears_is_the_protocols() -> None:
    assert fields(RUNTIME_ENVELOPES) == TO_AGENT


@pytest.mark.parametrize("reason", ["app_crashed", "", "Timeout"])
def test_a_reason_is_one_of_the_stable_words(reason: str) -> None:
    with pytest.raises(ValidationError):
        ToolResultPayload.model_validate({"call_id": "c", "status": "cancelled", "reason": reason})


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({}, {}),
        ({"tool": Gone()}, {"tool": None}),
        ({"tool": AdvertisedTool.model_validate(TOOL)}, {"tool": TOOL}),
    ],
    ids=["of another code", "gone", "as it is now"],
)
def test_a_rejected_calls_tool_is_absent_gone_or_there(given: dict[str, Any], sent: dict[str, Any]) -> None:
    payload = ToolRejectedPayload(
        call_id="c", code="inventory_revision_mismatch", message="m", inventory_revision="inv_1", **given
    )
    assert payload.model_dump(mode="json") == {**REJECTED, **sent}
    assert ToolRejectedPayload.model_validate_json(json.dumps({**REJECTED, **sent})) == payload
