"""The board and its rules, without the SDK: states in, merge patches out (RULES 10).

State of the surface: ``title``, ``strokes`` {id: stroke}, ``board_id`` and ``call_id`` (its ``whiteboard.open``, while
that is open), ``handed_in`` {for, by, artifact_id, request}, ``clipboard`` {outcome, reason}, ``notice`` (what the user
is to be told, by its name in the view's texts). The view draws by patching ``strokes`` and keeps ``language``; all else
is the logic's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from miniapps.whiteboard import strokes, svg
from rpc_schema.json_text import write_json
from rpc_schema.limits import KIB, MAX_ARTIFACT, MAX_CAPABILITY_ARGUMENTS, MAX_STATE
from rpc_schema.merge_patch import merge

State = dict[str, Any]
Patch = dict[str, Any]

PATCH_BYTES = 200 * KIB
MAX_TITLE = 200
UNTITLED = "Whiteboard"
TOLD_TEXTS = 100


class BoardError(Exception):
    """A call that asks for what is not possible. ``code`` is for the Agent."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def first_state(titles: Iterable[str]) -> State:
    """A blank board, under the title of the call that waits for one, if any does."""
    return {"title": next(iter(titles), UNTITLED), "strokes": {}}


def open_board(state: State, given: dict[str, Any], call_id: str) -> list[Patch]:
    """Put a board up, with what the call draws on it. The same call again changes nothing.

    A board of another id begins blank; the same one, or one that the user began without a name, keeps its strokes. The
    patch that names the call comes last: until then the call can be taken up again from the beginning.

    Raises:
        BoardError: ``board_busy`` (another board is being drawn), ``board_exists`` (another call waits for this one),
            ``board_full`` (so many strokes cannot be kept).
    """
    if state.get("call_id") == call_id:
        return []
    if state.get("call_id") is not None:
        known = state.get("board_id") == given["board_id"]
        code = "board_exists" if known else "board_busy"
        raise BoardError(code, "A board is up and not handed in: wait for it, or take its call back.")
    is_other = state.get("board_id") not in (None, given["board_id"])
    blank: list[Patch] = [{"strokes": None}, {"strokes": {}}] if is_other else []
    kept = {} if is_other else state.get("strokes")
    named: Patch = {"title": given["title"], "board_id": given["board_id"], "call_id": call_id}
    fresh: Patch = dict.fromkeys(("handed_in", "clipboard", "notice"))
    patches = [*blank, *_drawn(given.get("strokes", []), call_id, _next_order(kept)), {**named, **fresh}]
    after = state
    for patch in patches:
        after = merge(after, patch)
    if len(write_json(after)) > MAX_STATE:
        raise BoardError("board_full", "There is no room for so many strokes: open the board with fewer.")
    return patches


def require(state: State, board_id: str) -> None:
    """Raises BoardError ``board_unknown`` where another board, or none, is up."""
    if state.get("board_id") != board_id:
        raise BoardError("board_unknown", "No board of that id is up: open it with whiteboard.open.")


def picture(state: State) -> bytes:
    """The board as SVG. Raises BoardError ``drawing_too_large``."""
    content = svg.draw(title(state), strokes.in_order(state.get("strokes")))
    if len(content) > MAX_ARTIFACT:
        raise BoardError("drawing_too_large", f"The drawing has {len(content)} bytes; {MAX_ARTIFACT} can be handed in.")
    return content


def file_name(state: State) -> str:
    """A name for the artifact, from the title's letters and digits."""
    words = "".join(letter if letter.isalnum() else "-" for letter in title(state)).strip("-")
    return f"{words[:100] or 'board'}.svg"


def title(state: State) -> str:
    """The board's title, whatever the view has made of it."""
    given = state.get("title")
    return strokes.clean_text(given if isinstance(given, str) else "", MAX_TITLE) or UNTITLED


def summary(state: State) -> dict[str, Any]:
    """What ``whiteboard.submit`` tells of the drawing beside the picture."""
    drawn = strokes.in_order(state.get("strokes"))
    texts = [stroke.text for stroke in drawn if stroke.text]
    return {"title": title(state), "strokes": len(drawn) - len(texts), "texts": texts[:TOLD_TEXTS]}


def clipboard_arguments(content: bytes) -> dict[str, Any] | None:
    """What a copy carries, or None where it is too much to copy."""
    arguments = {"media_type": "image/svg+xml", "text": content.decode()}
    return arguments if len(write_json(arguments)) <= MAX_CAPABILITY_ARGUMENTS else None


def copy_reason(state: State) -> str:
    """Why the clipboard is asked for, in the language of the view."""
    return "你要求复制这幅画。" if state.get("language") == "zh-CN" else "You asked to copy the drawing."


def _drawn(given: Iterable[object], call_id: str, order: float) -> list[Patch]:
    """The call's strokes as patches of a bearable size. Their ids come from the call: twice is the same."""
    patches: list[Patch] = [{}]
    size = 0
    for place, raw in enumerate(given):
        stroke = strokes.clean(raw)
        if stroke is None:
            continue
        stroke.order = order + place
        kept = strokes.to_state(stroke)
        size += len(write_json(kept))
        if size > PATCH_BYTES:
            patches.append({})
            size = 0
        patches[-1].setdefault("strokes", {})[f"call:{call_id}:{place}"] = kept
    return [patch for patch in patches if patch]


def _next_order(kept: object) -> float:
    return 1 + max((stroke.order for stroke in strokes.in_order(kept)), default=0)
