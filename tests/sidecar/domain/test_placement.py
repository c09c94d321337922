"""Where a question is shown (RULES 5)."""

import itertools

import pytest

from rpc_schema.renderer import Placement
from sidecar.domain.placement import mode_for, place

ALL = ("im-card", "modal", "sheet", "card")


@pytest.mark.parametrize(
    ("source", "presentation", "renderers", "mode"),
    [
        ("agent_tool", "default", ALL, "im-card"),
        ("agent_tool", "default", ("modal", "sheet", "card"), None),
        ("miniapp_tool", "default", ALL, "modal"),
        ("miniapp_tool", "modal", ALL, "modal"),
        ("miniapp_tool", "inline", ALL, "card"),
        ("miniapp_tool", "modal", ("card", "sheet"), "sheet"),
        ("miniapp_tool", "modal", ("card", "im-card"), "card"),
        ("miniapp_tool", "inline", ("modal", "sheet"), "sheet"),
        ("miniapp_tool", "inline", ("modal",), "modal"),
        ("miniapp_tool", "default", ("im-card",), None),
        ("runtime_policy", "default", ("sheet",), "sheet"),
        ("runtime_policy", "default", (), None),
    ],
)
def test_a_mode_that_the_host_lacks_falls_back_in_order(source, presentation, renderers, mode):
    assert mode_for(source, presentation, renderers) == mode


def where(source, stack, renderers=ALL):
    return place(source, "owner", "default", stack, renderers)


def test_an_agents_question_is_interacts_whatever_is_in_front():
    own = Placement(provider="interact", mode="im-card", instance_id="owner", overlay_instance_id=None)
    assert where("agent_tool", ("owner",)) == own
    assert where("agent_tool", ("owner", "board")) == own.model_copy(update={"overlay_instance_id": "board"})


def test_a_miniapps_question_waits_for_its_container():
    shown = Placement(provider="runtime", mode="modal", instance_id="owner", overlay_instance_id=None)
    assert where("miniapp_tool", ("chat", "owner")) == shown
    assert where("miniapp_tool", ("owner", "chat")) == shown.model_copy(update={"mode": "deferred"})


def test_the_policys_question_is_in_the_hosts_own_chrome():
    asked = Placement(provider="runtime", mode="modal", instance_id=None, overlay_instance_id=None)
    assert where("runtime_policy", ("owner", "chat")) == asked


@pytest.mark.parametrize("source", ["agent_tool", "miniapp_tool", "runtime_policy"])
def test_a_host_that_lost_its_renderers_shows_nothing(source):
    for size, stack in itertools.product(range(2), [("owner",), ("chat",)]):
        assert where(source, stack, ("unknown",) * size).mode == "deferred"
