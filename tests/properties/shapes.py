"""What the wire says, cut down to what the model says of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any


def key_of(call: tuple[str, dict[str, Any]]) -> tuple[str, str]:
    """A request by its method and whom it is about."""
    method, params = call
    named = ("context_token", "call_id", "surface_id", "conversation_id")
    return method, "".join(params.get(name, "") for name in named)


def gist_of(method: str, params: dict[str, Any]) -> tuple[Any, ...]:
    """What a MiniApp was told, as the model says it."""
    match method:
        case "sdk.tools.call":
            return params["call"]["call_id"], params["call"]["redelivered"]
        case "sdk.tools.closed":
            return params["call_id"], params["status"], params["reason"]
        case "sdk.inbox.message":
            return params["message"]["type"], params["message"]["payload"]
        case "sdk.ui.record":
            record = params["record"]
            return record["interaction_id"], record["status"], record["result"], record["reason"]
        case "sdk.renderer.record":
            return params["record"]["interaction_id"], params["record"]["status"]
        case "sdk.surfaces.patched":
            return params["surface_id"], params["revision"], params["patch"]
        case "sdk.lifecycle.closing":
            return (params["reason"],)
        case "sdk.context.changed":
            return (params["context"]["state"],)
    raise AssertionError(f"nobody expects {method}")


def instance_of(instance: dict[str, Any]) -> tuple[Any, ...]:
    """An instance, as the model says it."""
    return instance["app_scope"], instance["state"], instance["mounted"], instance["app_session_id"]


def question_of(item: dict[str, Any]) -> dict[str, Any]:
    """A question that the Host shows, as the model says it."""
    record = item["record"]
    policys = record["owner"]["source"] == "runtime_policy"
    expires = record["expires_at"]
    return {
        "id": record["interaction_id"],
        "kind": record["kind"],
        "request": None if policys else record["request"],
        "status": record["status"],
        "lasts": None if expires is None else ms(expires) - ms(record["created_at"]),
        "draft": item["draft"] and item["draft"]["values"],
        "call_id": record["call_id"],
        "owner": record["owner"],
        "placement": item["placement"],
    }


def ms(timestamp: str) -> int:
    """A time on the wire in milliseconds since 1970."""
    return round(datetime.fromisoformat(timestamp).timestamp() * 1000)
