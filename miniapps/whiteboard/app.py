"""Whiteboard's logic: Tools, handing in, and the capability that it is denied; the rules are in ``board``.

The view draws by patching the surface's state. The logic looks at that state only when a picture is wanted, and never
asks a standard question.
"""

from __future__ import annotations

from miniapps.sdk import (
    MiniApp,
    MiniAppMessage,
    RefusedError,
    Start,
    Surface,
    SurfaceEvent,
    ToolCall,
    ToolClosed,
)
from miniapps.whiteboard import board

OPEN, SUBMIT = "whiteboard.open", "whiteboard.submit"
KEY = "board"
CLIPBOARD = "clipboard.write"

app = MiniApp()
sdk = app.sdk


def paper() -> Surface:
    """The surface; its state is the board."""
    return sdk.surfaces.opened(KEY)


@app.on_start
def start(begun: Start) -> None:
    """Put the board up as it was; a call that ended while this process was away is waited for no more."""
    titles = [call.input["title"] for call in begun.calls if call.tool_id == OPEN]
    state = sdk.surfaces.request_open(KEY, "Whiteboard", initial_state=board.first_state(titles)).state
    if state.get("call_id") is not None and state["call_id"] not in {call.call_id for call in begun.calls}:
        paper().update({"call_id": None})


@app.tool(OPEN)
def open_board(call: ToolCall) -> None:
    """Put a board up; the call stays open until the user hands it in."""
    try:
        for patch in board.open_board(paper().state, call.input, call.call_id):
            paper().update(patch)
    except board.BoardError as error:
        call.fail(error.code, str(error))
        return
    call.progress(state="drawing")


@app.tool(SUBMIT)
def submit_board(call: ToolCall) -> None:
    """Hand the board in for the Agent; it stays up, and so does the call that opened it."""
    try:
        board.require(paper().state, call.input["board_id"])
        artifact_id = hand_in(call.call_id, by="agent", request=call.input["request"])
    except board.BoardError as error:
        call.fail(error.code, str(error))
        return
    call.complete({"artifact_id": artifact_id, "summary": board.summary(paper().state)})


@app.on_surface_event("submit")
def submit_as_user(event: SurfaceEvent) -> None:
    """Hand the board in as the user wants it: the call that opened it is done."""
    call_id = paper().state.get("call_id")
    if call_id is None:
        paper().update({"notice": "nobody_waits"})
        return
    try:
        artifact_id = hand_in(event.message_id, by="user", request="")
    except board.BoardError as error:
        paper().update({"notice": error.code})
        return
    try:
        sdk.tools.complete(call_id, {"status": "submitted", "artifact_id": artifact_id})
    except RefusedError as refused:
        if refused.code != "call_already_final":
            raise
    paper().update({"call_id": None})


def hand_in(asked_by: str, *, by: str, request: str) -> str:
    """Make the picture an artifact, once for each asking; its id."""
    state = paper().state
    if state.get("handed_in", {}).get("for") == asked_by:
        return str(state["handed_in"]["artifact_id"])
    artifact_id = paper().submit(board.file_name(state), "image/svg+xml", board.picture(state))
    handed_in = {"for": asked_by, "by": by, "artifact_id": artifact_id, "request": request}
    paper().update({"handed_in": handed_in, "notice": None})
    return artifact_id


@app.on_tool_closed
def stop_waiting(closed: ToolClosed) -> None:
    """The Agent waits for the board no more; the user may go on drawing."""
    if paper().state.get("call_id") == closed["call_id"]:
        paper().update({"call_id": None, "notice": "given_up"})


@app.on_surface_event("copy")
def copy(_: SurfaceEvent) -> None:
    """Ask for the clipboard, and show the answer, which is no wherever the policy does not say otherwise."""
    try:
        arguments = board.clipboard_arguments(board.picture(paper().state))
    except board.BoardError:
        arguments = None
    if arguments is None:
        tell_copy("too_large", None)
        return
    try:
        sdk.capabilities.request(CLIPBOARD, board.copy_reason(paper().state), arguments)
    except RefusedError as refused:
        if refused.code != "capability_denied":
            raise
        tell_copy("denied", refused.data.get("reason"))
        return
    tell_copy("asked", None)


@app.on_capability
def show_outcome(message: MiniAppMessage) -> None:
    """Show how the copy went."""
    tell_copy(message["payload"]["outcome"], message["payload"]["reason"])


def tell_copy(outcome: str, reason: str | None) -> None:
    """Let the view say how a copy stands."""
    paper().update({"clipboard": {"outcome": outcome, "reason": reason}})
