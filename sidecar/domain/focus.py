"""The focus stack of a workspace, bottom to top, as a plain tuple of instance ids (RULES 3)."""

from __future__ import annotations

Stack = tuple[str, ...]


def top(stack: Stack) -> str | None:
    """The foreground."""
    return stack[-1] if stack else None


def raised(stack: Stack, instance_id: str) -> Stack:
    """With that instance on top, whether it was in the stack or not."""
    return (*(one for one in stack if one != instance_id), instance_id)


def entered_below(stack: Stack, instance_id: str) -> Stack:
    """With a new instance at the bottom: it was made without focus."""
    return (instance_id, *stack)


def lowered(stack: Stack, instance_id: str) -> Stack | None:
    """With that instance one place down, or None where nothing is beneath it."""
    place = stack.index(instance_id)
    if place == 0:
        return None
    below = stack[place - 1]
    return (*stack[: place - 1], instance_id, below, *stack[place + 1 :])


def without(stack: Stack, instance_id: str, *, fall_to: str | None = None) -> Stack:
    """Without that instance; if it was in front, ``fall_to`` comes to the front, else the one below."""
    rest = tuple(one for one in stack if one != instance_id)
    if fall_to is not None and top(stack) == instance_id:
        return raised(rest, fall_to)
    return rest
