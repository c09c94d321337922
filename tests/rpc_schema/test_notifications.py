"""The notifications are the protocol's (PROTOCOL 1 to 8)."""

from __future__ import annotations

from typing import Any

import pytest

from rpc_schema.notifications import NOTIFICATIONS

TABLE = {
    "runtime.resync": "reason",
    "workspace.changed": "conversation_id revision foreground focus_stack instances",
    "miniapp.failed": "instance_id app_scope code message",
    "surface.opened": "surface",
    "surface.patched": "surface_id revision patch by",
    "surface.closed": "surface_id reason",
    "renderer.present": "item",
    "renderer.retract": "interaction_id status reason",
    "transport.send": "outbox_id peer envelope",
    "capability.requested": "request_id instance_id app_scope capability reason arguments",
    "sdk.inbox.message": "instance_id message",
    "sdk.tools.call": "instance_id call",
    "sdk.tools.closed": "instance_id call_id status reason",
    "sdk.ui.record": "instance_id record",
    "sdk.renderer.record": "instance_id record",
    "sdk.context.changed": "instance_id context",
    "sdk.surfaces.patched": "instance_id surface_id revision patch",
    "sdk.lifecycle.closing": "instance_id reason deadline_ms",
}
WORKERS_OWN = {"sdk.hello": "context_token context"}
"""Between the Runtime and the processes that it starts itself, where the protocol is silent."""


def test_the_notifications_are_the_protocols() -> None:
    assert NOTIFICATIONS.keys() == TABLE.keys() | WORKERS_OWN.keys()


@pytest.mark.parametrize(("name", "fields"), [*TABLE.items(), *WORKERS_OWN.items()])
def test_params_are_the_protocols_and_none_is_optional(name: str, fields: str) -> None:
    model = NOTIFICATIONS[name].params
    assert [*model.model_fields] == fields.split()
    assert all(info.is_required() for info in model.model_fields.values())


@pytest.mark.parametrize("notification", NOTIFICATIONS.values(), ids=NOTIFICATIONS)
def test_miniapps_hear_sdk_and_the_host_hears_the_rest(notification: Any) -> None:
    assert notification.hearer == ("miniapp" if notification.name.startswith("sdk.") else "host")
    assert notification.summary.endswith((".", ";"))
