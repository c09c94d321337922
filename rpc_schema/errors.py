"""The closed list of error codes (PROTOCOL 1.2) and what to do about each refusal."""

from typing import Final, Literal, get_args

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
NOT_INITIALIZED: Final = -32002
REFUSED: Final = 1000
"""A decision of the Runtime, not a fault of the message: ``data.code`` carries the stable word."""

RefusalCode = Literal[
    "inventory_revision_mismatch",
    "tool_not_advertised",
    "tool_input_invalid",
    "tool_output_invalid",
    "app_disabled",
    "app_instance_not_found",
    "app_scope_mismatch",
    "lifecycle_denied",
    "capability_denied",
    "call_already_final",
    "context_token_invalid",
    "permission_denied",
    "call_not_found",
    "call_id_conflict",
    "call_state_invalid",
    "envelope_invalid",
    "message_not_found",
    "interaction_not_found",
    "interaction_already_final",
    "interaction_request_invalid",
    "interaction_result_invalid",
    "renderer_unavailable",
    "app_session_invalid",
    "surface_not_found",
    "surface_denied",
    "surface_patch_invalid",
    "surface_revision_conflict",
    "artifact_invalid",
    "artifact_not_found",
    "manifest_invalid",
    "capability_request_not_found",
    "limit_exceeded",
    "shutting_down",
]

REFUSALS: Final[dict[RefusalCode, str]] = {
    "inventory_revision_mismatch": "The Tools have changed: use the current revision and the Tool as it is now.",
    "tool_not_advertised": "No such Tool in the inventory: call one that the latest client.inventory lists.",
    "tool_input_invalid": "The input does not fit the Tool's input_schema: mend what errors names, with a new call_id.",
    "tool_output_invalid": "The result does not fit the Tool's output_schema: mend it and complete again.",
    "app_disabled": "The MiniApp is switched off: nothing reaches it until the user enables it.",
    "app_instance_not_found": "No live instance of that MiniApp: launch it first.",
    "app_scope_mismatch": "The app_scope is not the Tool's own, or there is no such MiniApp.",
    "lifecycle_denied": "The Runtime does not allow that lifecycle change now.",
    "capability_denied": "The capability was denied; reason says by whom.",
    "call_already_final": "The call has ended; its outcome stands. Another try is another call_id.",
    "context_token_invalid": "The token is unknown or revoked: mount again and use the new one.",
    "permission_denied": "This caller may not do that.",
    "call_not_found": "No such call of this instance.",
    "call_id_conflict": "The call_id was used for other content: choose a new one.",
    "call_state_invalid": "The call is not running yet: subscribe to sdk.tools and take it first.",
    "envelope_invalid": "The envelope is malformed or contradicts its authenticated peer.",
    "message_not_found": "No such message in this Inbox.",
    "interaction_not_found": "No such interaction here.",
    "interaction_already_final": "The interaction has ended; its outcome stands.",
    "interaction_request_invalid": "The question is not one of the four standard requests: mend the paths in errors.",
    "interaction_result_invalid": "The answer does not fit the question, which stays open: mend the paths in errors.",
    "renderer_unavailable": "The Host has no renderer for this question.",
    "app_session_invalid": "No such app session of this Agent and conversation.",
    "surface_not_found": "No such surface of this caller.",
    "surface_denied": "The surface is not allowed as asked for.",
    "surface_patch_invalid": "The patch is not a sound merge patch within the limits; the state is unchanged.",
    "surface_revision_conflict": "The surface has moved on: read it and patch again from the revision given.",
    "artifact_invalid": "The artifact's name, type, size or hash does not hold.",
    "artifact_not_found": "No such artifact.",
    "manifest_invalid": "The manifest does not follow Manifest v1: mend the paths in errors.",
    "capability_request_not_found": "No such open capability request.",
    "limit_exceeded": "A bound is reached: limit names it, actual is what was there; let something end, or send less.",
    "shutting_down": "The Runtime is ending; start it anew.",
}

REFUSAL_CODES: Final[tuple[str, ...]] = get_args(RefusalCode)
