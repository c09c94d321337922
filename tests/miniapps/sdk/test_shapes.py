"""The typed dictionaries of the SDK say what the contract says."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, NotRequired, get_origin, get_type_hints

import pytest

from miniapps.sdk import shapes
from rpc_schema import inbox, interactions, notifications, tools, workspace
from rpc_schema.base import Wire

PAIRS: list[tuple[Any, type[Wire]]] = [
    (shapes.MiniAppContext, workspace.MiniAppContext),
    (shapes.CommandReceipt, workspace.CommandReceipt),
    (shapes.MiniAppMessage, inbox.MiniAppMessage),
    (shapes.MiniAppToolCall, tools.MiniAppToolCall),
    (shapes.MiniAppToolProgress, tools.ToolProgress),
    (shapes.MiniAppToolFailure, tools.ToolFailure),
    (shapes.NoticeRequest, interactions.NoticeRequest),
    (shapes.ChoiceAction, interactions.ChoiceAction),
    (shapes.ChoiceRequest, interactions.ChoiceRequest),
    (shapes.ConfirmRequest, interactions.ConfirmRequest),
    (shapes.InputField, interactions.InputField),
    (shapes.InputRequest, interactions.InputRequest),
    (shapes.StandardInteractionRecord, interactions.StandardInteractionRecord),
    (shapes.ToolClosed, notifications.SdkToolsClosed),
    (shapes.SurfacePatched, notifications.SdkSurfacesPatched),
    (shapes.LifecycleClosing, notifications.SdkLifecycleClosing),
]


@pytest.mark.parametrize(("shape", "model"), PAIRS, ids=[model.__name__ for _, model in PAIRS])
def test_a_shape_has_the_fields_of_its_model(shape: Any, model: type[Wire]) -> None:
    hints = get_type_hints(shape, include_extras=True)
    may_be_absent = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
    assert set(hints) == set(model.model_fields)
    assert may_be_absent == {
        name for name, field in model.model_fields.items() if not field.is_required() and name != "status"
    }


@pytest.mark.parametrize(
    ("status", "result", "kind", "approved"),
    [
        ("completed", {"approved": True}, "confirm", True),
        ("submitted", {"approved": True}, "confirm", True),
        ("completed", {"approved": False}, "confirm", False),
        ("completed", {"acknowledged": True}, "notice", False),
        ("cancelled", None, "confirm", False),
        ("expired", None, "confirm", False),
        ("pending", None, "confirm", False),
    ],
)
def test_only_a_yes_is_an_approval(status: str, result: Any, kind: str, approved: bool) -> None:
    record: Any = {"kind": kind, "status": status, "result": result}
    assert shapes.is_approved(record) is approved
    assert shapes.is_ended(record) is (status != "pending")


def test_importing_the_sdk_brings_nothing_heavy_into_a_worker() -> None:
    check = "import sys; before = set(sys.modules); import miniapps.sdk; print(*sorted(set(sys.modules) - before))"
    ran = subprocess.run([sys.executable, "-I", "-c", check], capture_output=True, text=True, check=True)
    heavy = {"asyncio", "pydantic", "dataclasses", "inspect", "logging", "hashlib", "socket", "subprocess", "ssl"}
    assert heavy & set(ran.stdout.split()) == set()
