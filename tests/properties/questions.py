"""The model: standard interactions and capability requests (RULES 5 and 8)."""

from __future__ import annotations

from typing import Any

from tests.properties.records import Call, Conversation, Instance, Question, Request
from tests.properties.world import DAY, FALL_BACK, MINUTE, Refuse, World

MAX_OPEN_OF_INSTANCE = 8
RECENT = 50
PROVIDER_TIME = 15 * MINUTE


def mode(world: World, source: str, presentation: str) -> str | None:
    """How the Host shows such a question, or None."""
    wanted = ("im-card",) if source == "agent_tool" else FALL_BACK[presentation]
    return next((one for one in wanted if one in world.renderers), None)


def placement(world: World, question: Question) -> dict[str, Any]:
    """Where it is shown now."""
    front, owner = question.owner.where.stack[-1], question.owner
    found = mode(world, question.source, question.presentation) or "deferred"
    if question.source == "agent_tool":
        overlay = None if front is owner else front.id
        return {"provider": "interact", "mode": found, "instance_id": owner.id, "overlay_instance_id": overlay}
    if question.source == "runtime_policy":
        return {"provider": "runtime", "mode": found, "instance_id": None, "overlay_instance_id": None}
    shown = found if front is owner else "deferred"
    return {"provider": "runtime", "mode": shown, "instance_id": owner.id, "overlay_instance_id": None}


def check_room(world: World, source: str, owner: Instance, presentation: str = "default") -> None:
    """Whether it can be shown, and whether one more may be asked."""
    if mode(world, source, presentation) is None:
        raise Refuse("renderer_unavailable")
    own = [one for one in owner.where.questions if one.is_open and one.owner is owner and one.source != "agent_tool"]
    if source != "agent_tool" and len(own) >= MAX_OPEN_OF_INSTANCE:
        raise Refuse("limit_exceeded")


def ask(
    world: World,
    source: str,
    owner: Instance,
    request: dict[str, Any],
    *,
    presentation: str = "default",
    call: Call | None = None,
    parent: Call | None = None,
    session: str | None = None,
) -> Question:
    """Ask a question that was checked."""
    notice = request["kind"] == "notice"
    lasts = None if notice else request.get("expires_in_ms", 15 * MINUTE)
    due = DAY if notice and source == "agent_tool" else lasts
    shown = next((one for one in owner.surfaces if one.status == "open"), None) if source == "miniapp_tool" else None
    question = Question(
        source,
        request,
        owner,
        due=None if due is None else world.now() + due,
        lasts=lasts,
        call=call,
        parent=parent,
        session=session,
        surface=None if shown is None else shown.id,
        presentation=presentation,
    )
    owner.where.questions.append(question)
    if parent is not None and parent.deadline is not None and parent.paused is None:
        parent.paused = world.now()
    _show_card(world, question)
    return question


def present(world: World, question: Question) -> None:
    """It was shown; an Agent's notice is done with that, and its card stays."""
    if question.status != "pending":
        return
    question.status = "presented"
    if question.request["kind"] == "notice":
        question.due = None
        if question.call is not None and question.call.is_open:
            world.submit(question.owner.where, question.call, "completed", result={"presented": True})
    _show_card(world, question)


def answer(world: World, question: Question, result: dict[str, Any]) -> None:
    """The user's answer, which fits."""
    present(world, question)
    question.status, question.result = "submitted", result
    _ended(world, question, world.now())
    if question.request["kind"] == "notice":
        question.complete(world.now())
    where = question.owner.where
    if question.source == "agent_tool":
        if question.call is not None and question.call.is_open:
            world.submit(where, question.call, "completed", result=result)
    elif question.source == "miniapp_tool":
        hand_over(world, question)
    else:
        question.complete(world.now())
        _decide(world, where, question, approved=result["approved"])
    _show_card(world, question)


def hand_over(world: World, question: Question) -> None:
    """An ended question of a MiniApp reaches its owner, if that listens; an answer is completed by it."""
    owner = question.owner
    if owner.live and world.enabled[owner.app] and "ui" in owner.topics:
        if question.status == "submitted":
            question.complete(world.now())
        world.tell(owner, "sdk.ui.record", question.id, question.status, question.result, question.reason)


def recent(world: World, owner: Instance, source: str) -> list[Question]:
    """The open ones, and the newest 50 that ended within a day."""
    own = [one for one in owner.where.questions if one.owner is owner and one.source == source]
    ended = sorted((one for one in own if not one.is_open and one.ended > world.now() - DAY), key=lambda one: one.ended)
    return [one for one in own if one.is_open or one in ended[-RECENT:]]


def end_question(
    world: World, question: Question, status: str, reason: str, *, message: str = "", now: int | None = None
) -> None:
    """It ends without an answer."""
    question.status, question.reason = status, reason
    _ended(world, question, world.now() if now is None else now)
    where, call = question.owner.where, question.call
    if question.source == "agent_tool":
        if call is not None and call.is_open:
            world.end_call(where, call, status, reason, message)
    elif question.source == "miniapp_tool":
        hand_over(world, question)
    else:
        _decide(world, where, question, approved=None)
    _show_card(world, question)


def _ended(world: World, question: Question, now: int) -> None:
    question.draft, question.ended = None, now
    parent = question.parent
    others = [one for one in question.owner.where.questions if one.parent is parent and one.is_open]
    if parent is not None and parent.is_open and parent.paused is not None and not others:
        assert parent.deadline is not None
        parent.deadline += now - parent.paused
        parent.paused = None


def _show_card(world: World, question: Question) -> None:
    if question.source == "agent_tool" and "renderer" in question.owner.topics:
        world.tell(question.owner, "sdk.renderer.record", question, question.status)


# -- capabilities


def _decide(world: World, where: Conversation, question: Question, *, approved: bool | None) -> None:
    request = next((one for one in where.requests if one.question is question), None)
    if request is None or request.status != "asking":
        return
    if approved:
        to_provider(world, request)
    elif question.status == "expired":
        resolve(world, request, "failed", reason=question.reason)
    elif question.reason != "app_closed":
        resolve(world, request, "denied", reason="user_denied")


def to_provider(world: World, request: Request) -> None:
    """The Host's provider has 15 minutes."""
    request.status, request.due = "requested", world.now() + PROVIDER_TIME
    world.wanted.append(request)


def resolve(
    world: World,
    request: Request,
    outcome: str,
    *,
    reason: str | None = None,
    result: dict[str, Any] | None = None,
    message: str | None = None,
) -> None:
    """It ends, and its MiniApp finds out by its Inbox."""
    request.status = outcome
    payload = {"outcome": outcome, "result": result, "reason": reason, "message": message}
    world.put(request.owner, "capability.resolved", request_id=request.id, **payload)
