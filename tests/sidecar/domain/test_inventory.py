"""The inventory and its revision (RULES 7)."""

import pytest

from rpc_schema.envelopes import AppVersion
from rpc_schema.manifest import Manifest
from sidecar.domain.interactive import INTERACTIVE_TOOLS, kind_of
from sidecar.domain.inventory import advertised, inventory_revision, visible_capabilities
from sidecar.domain.policy import Policy
from sidecar.domain.tool_schema import check_schema


def manifest(scope="probe", **tool):
    return Manifest.model_validate(
        {
            "app_scope": scope,
            "version": "1.0.0",
            "kind": "bundled",
            "subscriptions": [],
            "requested_capabilities": ["a", "b", "c"],
            "host": {"min_version": "1.0.0", "surface_required": False},
            "tools": [
                {
                    "id": f"{scope}.open",
                    "version": 1,
                    "handling": "launch",
                    "target": {"app_scope": scope, "requires_foreground": True, "restore_previous_focus": True},
                    "input_schema": {"type": "object"},
                    "output_schema": {"type": "object"},
                    **tool,
                }
            ],
        }
    )


def test_tools_are_sorted_and_the_runtimes_own_are_among_them():
    tools = advertised([manifest("zeta"), manifest("alpha", timeout_ms=5000, description="Opens.")])
    assert [tool.id for tool in tools] == [
        "alpha.open",
        "interaction.choice",
        "interaction.confirm",
        "interaction.input",
        "interaction.notice",
        "zeta.open",
    ]
    assert (tools[0].timeout_ms, tools[0].description, tools[0].target.app_scope) == (5000, "Opens.", "alpha")
    assert "description" not in tools[-1].model_dump()
    assert (tools[-1].timeout_ms, tools[-1].permissions) == (None, [])


def test_a_capability_is_visible_where_it_is_declared_provided_and_not_denied():
    policy = Policy({"a": "allow", "b": "ask", "d": "allow"})
    assert visible_capabilities([manifest()], policy, {"a", "b", "c", "d"}) == ["a", "b"]
    assert visible_capabilities([manifest()], policy, {"b"}) == ["b"]
    assert visible_capabilities([], policy, {"a"}) == []


def test_the_same_content_has_the_same_revision_and_other_content_another():
    apps = [AppVersion(app_scope="probe", version="1.0.0")]
    first = inventory_revision(advertised([manifest()]), apps, ["a"])
    assert first == inventory_revision(advertised([manifest()]), apps, ["a"])
    assert first.startswith("inv_")
    assert len(first) == 20
    others = [
        inventory_revision(advertised([manifest(timeout_ms=1000)]), apps, ["a"]),
        inventory_revision(advertised([manifest()]), [AppVersion(app_scope="probe", version="1.0.1")], ["a"]),
        inventory_revision(advertised([manifest()]), apps, []),
    ]
    assert len({first, *others}) == 4


@pytest.mark.parametrize("tool", INTERACTIVE_TOOLS, ids=lambda tool: tool.id)
def test_the_runtimes_own_schemas_are_of_the_subset(tool):
    assert check_schema(tool.input_schema) == []
    assert check_schema(tool.output_schema) == []
    assert tool.target is None
    assert kind_of(tool.id) == tool.id.removeprefix("interaction.")


def test_another_tool_asks_nothing():
    assert kind_of("interaction.audio") is None
