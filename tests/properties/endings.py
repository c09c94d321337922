"""The model: what ends or comes back as a whole: instances, apps, time, the process (RULES 3 and 6)."""

from __future__ import annotations

from tests.properties.questions import end_question, hand_over, recent, resolve
from tests.properties.records import Instance, Surface
from tests.properties.world import Refuse, World


def close(world: World, instance: Instance, reason: str) -> None:
    """The one path of closing."""
    if instance.app == "chat":
        raise Refuse("lifecycle_denied")
    where = instance.where
    cancelled = world.calls_of(instance)
    for call in cancelled:
        world.end_call(where, call, "cancelled", "app_closed")
    for request in where.requests:
        if request.owner is instance and request.status in ("asking", "requested"):
            request.status = "cancelled"
    for question in where.questions:
        if question.owner is instance and question.is_open:
            end_question(world, question, "cancelled", "app_closed")
    for surface in instance.surfaces:
        close_surface(surface)
    linked = [one for one in where.questions if one.is_open and one.session == instance.session and one.call]
    world.say(
        where,
        "app.session.closed",
        app_session_id=instance.session,
        app_scope=instance.app,
        reason=reason,
        cancelled_call_ids=[call.id for call in cancelled],
        pending_interaction_call_ids=[one.call.id for one in linked if one.call],
    )
    _leave(instance)
    world.tell(instance, "sdk.lifecycle.closing", reason)
    instance.live = False
    world.disconnect(instance)


def _leave(instance: Instance) -> None:
    stack = instance.where.stack
    was_in_front = stack[-1] is instance
    stack.remove(instance)
    chat = instance.where.live("chat")
    if was_in_front and not instance.restore and chat is not None:
        stack.remove(chat)
        stack.append(chat)


def close_surface(surface: Surface) -> None:
    """One surface and its token; nothing else."""
    surface.status = "closed"
    surface.revoke()


def set_enabled(world: World, app: str, on: bool, revision: str) -> None:
    """Switch an app: off, its capability requests end denied; on, what waited is delivered."""
    if world.enabled[app] == on:
        return
    world.enabled[app] = on
    world.inventory = revision
    for where in world.conversations:
        instance = where.live(app)
        if instance is not None:
            (_deliver_all if on else _deny_open)(world, instance)
        if where.opened:
            world.say_inventory(where)


def _deny_open(world: World, instance: Instance) -> None:
    for request in instance.where.requests:
        if request.owner is instance and request.status in ("asking", "requested"):
            resolve(world, request, "denied", reason="policy")
            if request.question is not None and request.question.is_open:
                end_question(world, request.question, "cancelled", "app_disabled")


def _deliver_all(world: World, instance: Instance) -> None:
    world.hand_over(instance)
    if "inbox" in instance.topics:
        for message in instance.inbox:
            if not message.acked:
                world.tell(instance, "sdk.inbox.message", message.type, message.payload)
    for question in recent(world, instance, "miniapp_tool"):
        hand_over(world, question)


def expire(world: World, now: int) -> None:
    """Whatever is overdue ends: capability requests, then questions, then calls."""
    for where in world.conversations:
        for request in where.requests:
            if request.status == "requested" and _over(request.due, now):
                resolve(world, request, "failed", reason="timeout")
        for question in where.questions:
            if question.is_open and _over(question.due, now):
                seen = question.status == "presented"
                end_question(world, question, "expired", "no_answer" if seen else "never_presented", now=now)
        for call in where.calls.values():
            if call.is_open and call.owner is not None and world.due(call) <= now:
                world.end_call(where, call, "expired", "timeout")


def _over(due: int | None, now: int) -> bool:
    return due is not None and due <= now


def begin_session(world: World, renderers: tuple[str, ...]) -> None:
    """The Host comes anew: what it was handed is void, and what is not acked is sent again."""
    for where in world.conversations:
        for instance in where.instances:
            world.disconnect(instance)
    world.renderers, world.online = renderers, True
    world.resend()
