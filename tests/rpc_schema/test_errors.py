"""The error codes are the protocol's, complete and closed (PROTOCOL 1.2)."""

from __future__ import annotations

import re

from rpc_schema import errors

OF_SDK_V1 = """
inventory_revision_mismatch tool_not_advertised tool_input_invalid tool_output_invalid app_disabled
app_instance_not_found app_scope_mismatch lifecycle_denied capability_denied call_already_final
"""
FURTHER = """
context_token_invalid permission_denied call_not_found call_id_conflict call_state_invalid envelope_invalid
message_not_found interaction_not_found interaction_already_final interaction_request_invalid
interaction_result_invalid renderer_unavailable app_session_invalid surface_not_found surface_denied
surface_patch_invalid surface_revision_conflict artifact_invalid artifact_not_found manifest_invalid
capability_request_not_found limit_exceeded shutting_down
"""


def test_the_refusal_codes_are_the_protocols_each_once() -> None:
    assert [*errors.REFUSAL_CODES] == (OF_SDK_V1 + FURTHER).split()


def test_every_refusal_says_in_one_line_what_it_means() -> None:
    assert [*errors.REFUSALS] == [*errors.REFUSAL_CODES]
    assert [code for code, text in errors.REFUSALS.items() if not re.fullmatch(r"[A-Z][^\n]{8,140}\.", text)] == []


def test_json_rpcs_codes_are_its_own_and_ours_is_outside_its_block() -> None:
    reserved = {
        "PARSE_ERROR": -32700,
        "INVALID_REQUEST": -32600,
        "METHOD_NOT_FOUND": -32601,
        "INVALID_PARAMS": -32602,
        "INTERNAL_ERROR": -32603,
        "NOT_INITIALIZED": -32002,
    }
    assert {name: getattr(errors, name) for name in reserved} == reserved
    assert errors.REFUSED == 1000
