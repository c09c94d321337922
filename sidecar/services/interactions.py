"""Standard interactions: asked, shown, answered, ended; one record, one state machine for all sources (RULES 5).

What an ending means to its owner differs by source and stands in :func:`_tell_owner` alone: an Agent gets its one
``tool.result``, a MiniApp its record on ``sdk.ui``, a capability its decision.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, cast

from rpc_schema import limits
from rpc_schema.interactions import InteractionSource, InteractionStatus
from rpc_schema.json_text import write_json
from rpc_schema.notifications import RendererPresent, RendererRetract, SdkInteractionRecord
from sidecar.domain.placement import mode_for
from sidecar.domain.refusal import Refusal, over
from sidecar.domain.transitions import INTERACTION_OPEN
from sidecar.services import calls, capability_decision, records, waking
from sidecar.services.unit import Unit
from sidecar.services.workspace import stack_in
from sidecar.store import instances, interactions, surfaces, tool_calls
from sidecar.store.interactions import INTERACTION

if TYPE_CHECKING:
    from sidecar.store import tables

EndEvent = Literal["cancel", "expire", "fail"]


def is_open(row: tables.Interaction) -> bool:
    """Whether the interaction can still be answered; ``submitted`` cannot."""
    return row.status in INTERACTION_OPEN


def check_room(
    unit: Unit, source: InteractionSource, conversation_id: str, instance_id: str, request: dict[str, Any]
) -> None:
    """Whether that question may be asked.

    Raises:
        Refusal: ``limit_exceeded`` at 50 open ones in the conversation, 8 of one MiniApp instance, or where all that
            is open grows too large to be listed.
    """
    in_conversation, size = interactions.size_in(unit.tx, conversation_id)
    if in_conversation >= limits.MAX_OPEN_INTERACTIONS:
        raise over("open_interactions", limits.MAX_OPEN_INTERACTIONS, in_conversation)
    if source != "agent_tool":
        of_instance = interactions.count_of(unit.tx, instance_id)
        if of_instance >= limits.MAX_OPEN_INTERACTIONS_OF_INSTANCE:
            raise over("open_interactions_of_instance", limits.MAX_OPEN_INTERACTIONS_OF_INSTANCE, of_instance)
    check_size(size + len(write_json(request)))


def check_size(size: int) -> None:
    """Whether the requests and drafts that are open in a conversation may be that large.

    Raises:
        Refusal: ``limit_exceeded``.
    """
    if size > limits.MAX_OPEN_INTERACTIONS_BYTES:
        raise over("open_interactions_bytes", limits.MAX_OPEN_INTERACTIONS_BYTES, size)


def check_renderer(unit: Unit, source: InteractionSource, presentation: str = "default") -> None:
    """Whether the Host can show such a question.

    Raises:
        Refusal: ``renderer_unavailable``.
    """
    if mode_for(source, presentation, unit.live.renderers) is None:
        raise Refusal("renderer_unavailable")


def ask(
    unit: Unit,
    source: InteractionSource,
    owner: tables.Instance,
    request: dict[str, Any],
    *,
    presentation: str = "default",
    call_id: str | None = None,
    app_session_id: str | None = None,
    parent: tables.ToolCall | None = None,
) -> tables.Interaction:
    """Store a question that was checked, and have it shown. Focus never changes for it."""
    interaction_id = unit.new_id()
    expires_at, due_at = _times(unit.now, source, request)
    interactions.add(
        unit.tx,
        interaction_id=interaction_id,
        conversation_id=owner.conversation_id,
        source=source,
        kind=request["kind"],
        app_scope=owner.app_scope,
        instance_id=owner.instance_id,
        app_session_id=owner.app_session_id if source != "agent_tool" else app_session_id,
        parent_call_id=None if parent is None else parent.call_id,
        surface_id=_oldest_surface(unit, owner) if source == "miniapp_tool" else None,
        call_id=call_id,
        request=write_json(request).decode(),
        presentation=presentation,
        created_at=unit.now,
        updated_at=unit.now,
        expires_at=expires_at,
        due_at=due_at,
    )
    row = _row(unit, interaction_id)
    unit.note(interaction_id, of=row, kind=row.kind, source=source, call_id=call_id, parent_call_id=row.parent_call_id)
    unit.due(due_at)
    unit.touch(owner.conversation_id)
    if parent is not None:
        calls.pause(unit, parent)
    item = records.item(unit, row, stack_in(unit, row.conversation_id))
    unit.tell_host("renderer.present", RendererPresent(item=item))
    _tell_timeline(unit, row)
    return row


def _times(now: int, source: InteractionSource, request: dict[str, Any]) -> tuple[int | None, int | None]:
    """When a question expires, and when the Runtime must look at it: an Agent's notice must be shown within a day."""
    if request["kind"] == "notice":
        return None, now + limits.NOTICE_EXPIRY_MS if source == "agent_tool" else None
    expires_at = now + request.get("expires_in_ms", limits.DEFAULT_EXPIRY_MS)
    return expires_at, expires_at


def present(unit: Unit, row: tables.Interaction) -> tables.Interaction:
    """A renderer has shown it. An Agent's notice is done with that; its card stays (RULES 5)."""
    if row.status == "presented":
        return row
    due_at = None if row.kind == "notice" else row.due_at
    act = unit.act(row.interaction_id, of=row)
    unit.tx.move(INTERACTION, row, "present", act, now=unit.now, presented=1, due_at=due_at)
    unit.touch(row.conversation_id)
    if row.source == "agent_tool":
        call = _call_of(unit, row)
        if call is not None and calls.is_open(call) and row.kind == "notice":
            calls.submit(unit, call, "completed", result={"presented": True})
    row = _row(unit, row.interaction_id)
    _tell_timeline(unit, row)
    return row


def answer(unit: Unit, row: tables.Interaction, result: dict[str, Any]) -> InteractionStatus:
    """Fix the user's answer, which was checked, and bring it to its owner; the status that the renderer is told."""
    row = present(unit, row)
    act = unit.act(row.interaction_id, of=row)
    text = write_json(result).decode()
    unit.tx.move(INTERACTION, row, "answer", act, now=unit.now, result=text, draft=None, due_at=None)
    row = _row(unit, row.interaction_id)
    if row.kind == "notice":
        row = hand_over(unit, row)
    _retract(unit, row)
    _tell_owner(unit, row)
    return cast("InteractionStatus", row.status)


def end(unit: Unit, row: tables.Interaction, event: EndEvent, reason: str, *, message: str | None = None) -> None:
    """End an open interaction without an answer, and tell its owner."""
    act = unit.act(row.interaction_id, of=row, event=event, reason=reason, message=message or None)
    unit.tx.move(INTERACTION, row, event, act, now=unit.now, reason=reason, draft=None, due_at=None)
    row = _row(unit, row.interaction_id)
    _retract(unit, row)
    _tell_owner(unit, row, message)


def hand_over(unit: Unit, row: tables.Interaction) -> tables.Interaction:
    """The owner has the answer."""
    act = unit.act(row.interaction_id, of=row)
    unit.tx.move(INTERACTION, row, "hand_over", act, now=unit.now)
    return _row(unit, row.interaction_id)


def take_records(unit: Unit, instance_id: str) -> list[tables.Interaction]:
    """The open questions of an instance and the newest endings; it has every answer among them from now on."""
    for row in interactions.answered(unit.tx, instance_id):
        hand_over(unit, row)
    since = unit.now - limits.ENDED_RECORDS_MS
    return interactions.own(unit.tx, instance_id, since=since, limit=limits.MAX_ENDED_RECORDS)


def deliver_records(unit: Unit, instance: tables.Instance) -> bool:
    """Tell a live ``sdk.ui`` subscription all that one made now would be answered; whether an answer waited."""
    waiting = interactions.has_answered(unit.tx, instance.instance_id)
    if unit.live.hears(instance.instance_id, "ui"):
        for row in take_records(unit, instance.instance_id):
            _tell_record(unit, row)
    return waiting


def expire(unit: Unit, row: tables.Interaction) -> None:
    """Its time is over: nobody was shown it, or nobody answered."""
    end(unit, row, "expire", "no_answer" if row.presented else "never_presented")


# -- what an ending means


def _tell_owner(unit: Unit, row: tables.Interaction, message: str | None = None) -> None:
    if row.source == "agent_tool":
        _tell_agent(unit, row, message)
        _tell_timeline(unit, row)
    elif row.source == "miniapp_tool":
        _resume_parent(unit, row)
        _tell_miniapp(unit, row)
    else:
        capability_decision.decide(unit, row)


def _tell_agent(unit: Unit, row: tables.Interaction, message: str | None) -> None:
    call = _call_of(unit, row)
    if call is None or not calls.is_open(call):
        return
    if row.status in ("submitted", "completed"):
        calls.submit(unit, call, "completed", result=json.loads(row.result or "{}"))
    elif row.status == "cancelled":
        calls.end(unit, call, "cancel", reason=row.reason, message=message)
    else:
        calls.end(unit, call, "expire", reason=row.reason)


def _tell_miniapp(unit: Unit, row: tables.Interaction) -> None:
    owner = instances.live(unit.tx, row.instance_id)
    if owner is None or not unit.apps.enabled(owner.app_scope):
        return
    if unit.live.hears(row.instance_id, "ui"):
        _tell_record(unit, hand_over(unit, row) if row.status == "submitted" else row)
    else:
        waking.wake(unit, owner)


def _tell_record(unit: Unit, row: tables.Interaction) -> None:
    news = SdkInteractionRecord(instance_id=row.instance_id, record=records.record(row))
    unit.tell(row.instance_id, "sdk.ui.record", news)


def _tell_timeline(unit: Unit, row: tables.Interaction) -> None:
    """Interact sees the Agent's questions, read only, to give each its place in the timeline."""
    if row.source != "agent_tool":
        return
    if unit.live.hears(row.instance_id, "renderer"):
        news = SdkInteractionRecord(instance_id=row.instance_id, record=records.record(row))
        unit.tell(row.instance_id, "sdk.renderer.record", news)
    elif (owner := instances.live(unit.tx, row.instance_id)) is not None:
        waking.wake(unit, owner)


def _retract(unit: Unit, row: tables.Interaction) -> None:
    unit.touch(row.conversation_id)
    status = cast("InteractionStatus", row.status)
    unit.tell_host(
        "renderer.retract", RendererRetract(interaction_id=row.interaction_id, status=status, reason=row.reason)
    )


def _resume_parent(unit: Unit, row: tables.Interaction) -> None:
    if row.parent_call_id is None:
        return
    call = tool_calls.get(unit.tx, row.conversation_id, row.parent_call_id)
    if call is None or not calls.is_open(call):
        return
    if interactions.count_of_parent(unit.tx, row.conversation_id, row.parent_call_id, row.instance_id) == 0:
        calls.resume(unit, call)


def _oldest_surface(unit: Unit, owner: tables.Instance) -> str | None:
    """The oldest surface that is open; one that failed shows nothing."""
    shown = (one.surface_id for one in surfaces.open_of(unit.tx, owner.instance_id) if one.status == "open")
    return next(shown, None)


def _call_of(unit: Unit, row: tables.Interaction) -> tables.ToolCall | None:
    return None if row.call_id is None else tool_calls.get(unit.tx, row.conversation_id, row.call_id)


def _row(unit: Unit, interaction_id: str) -> tables.Interaction:
    return cast("tables.Interaction", interactions.get(unit.tx, interaction_id))
