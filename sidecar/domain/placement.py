"""Where a question is shown: a function of who asks, what is in front and what the Host can do (RULES 5)."""

from __future__ import annotations

from collections.abc import Collection

from rpc_schema.interactions import InteractionSource
from rpc_schema.renderer import Placement, RendererMode
from sidecar.domain.focus import Stack, top

_FALL_BACK: dict[str, tuple[RendererMode, ...]] = {
    "inline": ("card", "sheet", "modal"),
    "modal": ("modal", "sheet", "card"),
    "default": ("modal", "sheet", "card"),
}


def mode_for(source: InteractionSource, presentation: str, renderers: Collection[RendererMode]) -> RendererMode | None:
    """The mode that the Host has for such a question, or None where it has none."""
    wanted: tuple[RendererMode, ...] = ("im-card",) if source == "agent_tool" else _FALL_BACK[presentation]
    return next((mode for mode in wanted if mode in renderers), None)


def place(
    source: InteractionSource,
    instance_id: str,
    presentation: str,
    stack: Stack,
    renderers: Collection[RendererMode],
) -> Placement:
    """The placement now. A Host that has lost its renderer shows the question as soon as it has one again: deferred."""
    front = top(stack)
    mode = mode_for(source, presentation, renderers) or "deferred"
    if source == "agent_tool":
        overlay = front if front != instance_id else None
        return Placement(provider="interact", mode=mode, instance_id=instance_id, overlay_instance_id=overlay)
    if source == "runtime_policy":
        return Placement(provider="runtime", mode=mode, instance_id=None, overlay_instance_id=None)
    shown = mode if front == instance_id else "deferred"
    return Placement(provider="runtime", mode=shown, instance_id=instance_id, overlay_instance_id=None)
