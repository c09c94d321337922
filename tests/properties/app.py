"""The model: what a MiniApp's logic, or its view, asks through the SDK (PROTOCOL 4 and 5, RULES 2, 3, 5 and 8)."""

from __future__ import annotations

from typing import Any

from tests.properties.endings import close
from tests.properties.questions import ask, check_room, end_question, recent, to_provider
from tests.properties.records import Call, Instance, Message, Question, Request, Surface
from tests.properties.tools import PROVIDED, declares, verdict
from tests.properties.world import Refuse, World

MAX_SURFACES = 4
MAX_REQUESTS = 8


def _on(world: World, instance: Instance) -> None:
    if not world.enabled[instance.app]:
        raise Refuse("app_disabled")


# -- subscriptions


def subscribe(world: World, instance: Instance, topic: str) -> list[Any]:
    """Hear from now on; what there is at once: calls, messages or questions."""
    if topic == "renderer" and instance.app != "chat":
        raise Refuse("permission_denied")
    instance.topics.add(topic)
    if topic == "tools":
        return _take_calls(world, instance)
    if topic == "inbox":
        return pending(world, instance)
    return _recent(world, instance, topic)


def unsubscribe(instance: Instance, topic: str) -> None:
    """Hear no more."""
    if topic == "renderer" and instance.app != "chat":
        raise Refuse("permission_denied")
    instance.topics.discard(topic)


def pending(world: World, instance: Instance) -> list[Message]:
    """What waits in the Inbox; nothing while the app is off."""
    return [one for one in instance.inbox if not one.acked] if world.enabled[instance.app] else []


def _take_calls(world: World, instance: Instance) -> list[Call]:
    if not world.enabled[instance.app]:
        return []
    calls = world.calls_of(instance)
    for call in calls:
        if call.status == "waiting_for_app":
            world.start(call)
    return calls


def _recent(world: World, instance: Instance, topic: str) -> list[Question]:
    source = "agent_tool" if topic == "renderer" else "miniapp_tool"
    if source == "miniapp_tool" and not world.enabled[instance.app]:
        return []
    if source == "miniapp_tool":
        for one in instance.where.questions:
            if one.owner is instance and one.source == source and one.status == "submitted":
                one.complete(world.now())
    return recent(world, instance, source)


# -- calls


def _own(world: World, instance: Instance, call_id: str) -> Call:
    call = instance.where.calls.get(call_id)
    if call is None or call.owner is not instance:
        raise Refuse("call_not_found")
    if not call.is_open:
        raise Refuse("call_already_final")
    _on(world, instance)
    return call


def report(world: World, instance: Instance, call_id: str, progress: dict[str, Any]) -> None:
    """Progress of a running call: a newer report replaces one that was not sent."""
    call = _own(world, instance, call_id)
    if call.status != "running":
        raise Refuse("call_state_invalid")
    call.progress += 1
    world.drop_progress(instance.where, call)
    world.say(instance.where, "tool.progress", call_id=call.id, seq=call.progress, progress=progress)


def complete(world: World, instance: Instance, call_id: str, result: Any) -> None:
    """A result that does not fit leaves the call as it is."""
    call = _own(world, instance, call_id)
    if not isinstance(result, dict) or set(result) != {"ok"} or not isinstance(result["ok"], bool):
        raise Refuse("tool_output_invalid")
    world.submit(instance.where, call, "completed", result=result)


def fail(world: World, instance: Instance, call_id: str, failure: dict[str, Any]) -> None:
    """The MiniApp says that it failed."""
    world.submit(instance.where, _own(world, instance, call_id), "failed", error=failure)


def cancel(world: World, instance: Instance, call_id: str, reason: str) -> None:
    """The MiniApp gives it up."""
    call = _own(world, instance, call_id)
    world.submit(instance.where, call, "cancelled", reason="app_cancelled", message=reason)


# -- questions


def request(
    world: World, instance: Instance, question: dict[str, Any], parent_call_id: str | None, presentation: str
) -> Question:
    """A question of its own, from its token alone."""
    if not question.get("title"):
        raise Refuse("interaction_request_invalid")
    _on(world, instance)
    parent = None
    if parent_call_id is not None:
        parent = instance.where.calls.get(parent_call_id)
        if parent is None or parent.owner is not instance:
            raise Refuse("call_not_found")
        if not parent.is_open:
            raise Refuse("call_already_final")
    check_room(world, "miniapp_tool", instance, presentation)
    session = instance.session or None
    return ask(world, "miniapp_tool", instance, question, presentation=presentation, parent=parent, session=session)


def own_question(instance: Instance, id_: str) -> Question | None:
    """An own question of that id."""
    own = (one for one in instance.where.questions if one.owner is instance and one.source == "miniapp_tool")
    return next((one for one in own if one.id == id_), None)


def read_question(world: World, instance: Instance, id_: str) -> Question | None:
    """An own question; reading an answer is having it."""
    question = own_question(instance, id_)
    if question is not None and question.status == "submitted":
        question.complete(world.now())
    return question


def cancel_question(world: World, instance: Instance, id_: str) -> None:
    """It takes its question back."""
    question = own_question(instance, id_)
    if question is None:
        raise Refuse("interaction_not_found")
    if not question.is_open:
        raise Refuse("interaction_already_final")
    end_question(world, question, "cancelled", "app_cancelled")


# -- Inbox, lifecycle


def acknowledge(instance: Instance, message_id: str) -> bool:
    """It has the message; false where it had it before."""
    message = next((one for one in instance.inbox if one.id == message_id and one.id), None)
    if message is None:
        raise Refuse("message_not_found")
    fresh, message.acked = not message.acked, True
    return fresh


def lifecycle(world: World, instance: Instance, wish: str) -> None:
    """``requestForeground``, ``requestBackground``, ``requestClose``."""
    if wish == "requestClose":
        close(world, instance, "app")
    elif wish == "requestBackground":
        world.send_back(instance)
    else:
        final = ("completed", "failed", "cancelled", "expired", "rejected")
        works = any(one.owner is instance and one.status not in final for one in instance.where.calls.values())
        in_front = instance.where.stack[-1] is instance
        if not (in_front if instance.app == "chat" else works):
            raise Refuse("lifecycle_denied")
        world.bring_forward(instance, restore=None)


def send_text(world: World, instance: Instance, text: str, client_message_id: str) -> None:
    """The user's words; the same id is the same message."""
    if instance.app != "chat":
        raise Refuse("permission_denied")
    known = (one.payload["client_message_id"] for one in instance.where.rows if one.type == "message")
    if client_message_id not in known:
        world.say(instance.where, "message", text=text, format="markdown", client_message_id=client_message_id)


# -- surfaces


def open_surface(
    world: World, instance: Instance, key: str, container: str | None, state: dict[str, Any]
) -> Surface | None:
    """The surface of that key as it is, or None where it has to be opened: see :func:`add_surface`."""
    _on(world, instance)
    system = instance.app == "chat"
    if (container or "") == "trusted-dom" and not system:
        raise Refuse("surface_denied")
    if instance.app == "beta" or (system and container == "sandboxed-iframe"):
        raise Refuse("surface_denied")  # the bundle has no page
    found = next((one for one in instance.surfaces if one.key == key and one.status != "closed"), None)
    if found is None and sum(one.status != "closed" for one in instance.surfaces) >= MAX_SURFACES:
        raise Refuse("limit_exceeded")
    return found


def find_surface(instance: Instance, surface_id: str, only: Surface | None = None) -> Surface:
    """An own surface that is not closed; a view has one alone."""
    found = next((one for one in instance.surfaces if one.id == surface_id and one.status != "closed"), None)
    if found is None or only not in (None, found):
        raise Refuse("surface_not_found")
    return found


def update(surface: Surface, patch: Any, base: int | None) -> None:
    """A merge patch."""
    if not isinstance(patch, dict) or "__proto__" in patch:
        raise Refuse("surface_patch_invalid")
    if base not in (None, surface.revision):
        raise Refuse("surface_revision_conflict")
    surface.state = merge(surface.state, patch)
    surface.revision += 1


def merge(target: Any, patch: Any) -> Any:
    """RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged.get(key), value)
    return merged


# -- capabilities


def capability(world: World, instance: Instance, name: str) -> Request:
    """Manifest, policy, provider; then the user, where the policy asks."""
    _on(world, instance)
    if not declares(instance.app, name) or verdict(name) == "deny" or name not in PROVIDED:
        raise Refuse("capability_denied")
    asks = verdict(name) == "ask"
    if asks:
        check_room(world, "runtime_policy", instance)
    where = instance.where
    if sum(one.owner is instance and one.status in ("asking", "requested") for one in where.requests) >= MAX_REQUESTS:
        raise Refuse("limit_exceeded")
    made = Request(instance, name, "asking")
    where.requests.append(made)
    if asks:
        made.question = ask(world, "runtime_policy", instance, {"kind": "confirm"})
    else:
        to_provider(world, made)
    return made
