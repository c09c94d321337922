"""The Runtime's own Tools: the four standard questions as an Agent invokes them (PROTOCOL 7).

Their ``input`` is the request of PROTOCOL 4.1 without ``kind``. The schemas say to an Agent what the subset can say;
what decides is the request model itself.
"""

from __future__ import annotations

from typing import Any, Final, get_args

from rpc_schema import limits
from rpc_schema.interactions import InteractionKind
from rpc_schema.manifest import AdvertisedTool

PREFIX: Final = "interaction."


def kind_of(tool_id: str) -> InteractionKind | None:
    """The question that an interactive Tool asks, or None for any other Tool."""
    return _KINDS.get(tool_id)


def _text(description: str, longest: int) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": longest, "description": description}


def _object(needed: list[str], /, **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def _tool(kind: InteractionKind, description: str, given: dict[str, Any], answered: dict[str, Any]) -> AdvertisedTool:
    return AdvertisedTool(
        id=PREFIX + kind,
        version=1,
        handling="interactive",
        target=None,
        input_schema=given,
        output_schema=answered,
        permissions=[],
        timeout_ms=None,
        description=description,
    )


_TITLE = _text("What it is about, in a few words.", limits.MAX_NAME)
_LABEL = _text("What the button says.", limits.MAX_NAME)
_PROMPT = _text("The question.", limits.MAX_TEXT)
_ID = _text("An id of your own, unique in this request.", limits.MAX_ID)
_EXPIRES = {
    "type": "number",
    "minimum": limits.MIN_EXPIRY_MS,
    "maximum": limits.MAX_EXPIRY_MS,
    "description": f"Whole milliseconds until it expires; {limits.DEFAULT_EXPIRY_MS} where absent.",
}
_LENGTH = {"type": "number", "minimum": 0, "maximum": limits.MAX_MESSAGE_TEXT}
_FIELD = _object(
    ["id", "label", "type"],
    id=_ID,
    label=_LABEL,
    type={"type": "string", "enum": ["text", "textarea", "number"]},
    required={"type": "boolean"},
    placeholder={"type": "string", "maxLength": limits.MAX_NAME},
    min_length=_LENGTH,
    max_length=_LENGTH,
    minimum={"type": "number"},
    maximum={"type": "number"},
)

INTERACTIVE_TOOLS: Final = [
    _tool(
        "notice",
        "Tell the user something; it completes as soon as it was shown.",
        _object(
            ["title", "message"], title=_TITLE, message=_text("The text.", limits.MAX_TEXT), acknowledge_label=_LABEL
        ),
        _object(["presented"], presented={"type": "boolean"}),
    ),
    _tool(
        "choice",
        "Let the user choose; the answer names the chosen actions in the user's order.",
        _object(
            ["title", "prompt", "mode", "actions"],
            title=_TITLE,
            prompt=_PROMPT,
            mode={"type": "string", "enum": ["single-choice", "multi-choice", "button"]},
            actions={
                "type": "array",
                "maxItems": limits.MAX_ACTIONS,
                "items": _object(
                    ["id", "label"], id=_ID, label=_LABEL, description=_text("More about it.", limits.MAX_TEXT)
                ),
            },
            expires_in_ms=_EXPIRES,
        ),
        _object(["action_ids"], action_ids={"type": "array", "items": {"type": "string"}}),
    ),
    _tool(
        "confirm",
        "Ask the user to agree to something.",
        _object(
            ["title", "prompt"],
            title=_TITLE,
            prompt=_PROMPT,
            approve_label=_LABEL,
            cancel_label=_LABEL,
            expires_in_ms=_EXPIRES,
        ),
        _object(["approved"], approved={"type": "boolean"}),
    ),
    _tool(
        "input",
        "Ask the user to fill in a form of texts and numbers; the answer has a value for each field filled in.",
        _object(
            ["title", "prompt", "fields"],
            title=_TITLE,
            prompt=_PROMPT,
            fields={"type": "array", "maxItems": limits.MAX_FIELDS, "items": _FIELD},
            submit_label=_LABEL,
            cancel_label=_LABEL,
            expires_in_ms=_EXPIRES,
        ),
        _object(["values"], values={"type": "object"}),
    ),
]

_KINDS: Final[dict[str, InteractionKind]] = {PREFIX + kind: kind for kind in get_args(InteractionKind)}
