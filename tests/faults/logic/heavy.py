"""Answers with as much as it is asked for; ``ask``: asks large questions, and takes each back."""

from typing import Any

from miniapps.sdk import MiniApp, RefusedError, RpcError, ToolCall

app = MiniApp()
MUCH = "x" * 5_000_000


def code_of(error: RefusedError | RpcError) -> str:
    """What it was told, with the bound and what was there."""
    told = error.data
    return f"{error.code} {told.get('limit', told.get('errors'))} {told.get('bound')} {told.get('actual')}"


@app.tool("heavy.go")
def go(call: ToolCall) -> None:
    how, note = call.input.get("how", ""), ""
    try:
        if how == "result":
            call.complete({"ok": True, "note": MUCH})
        elif how == "failure":
            call.fail("too-much", "see the details", details={"all": MUCH})
        elif how == "ask":
            note = ask_and_take_back()
    except (RefusedError, RpcError) as error:
        note = code_of(error)
    call.complete({"ok": True, "note": note})


@app.tool("heavy.other")
def other(call: ToolCall) -> None:
    call.complete({"ok": True, "note": "y" * 3_000_000})


def ask_and_take_back() -> str:
    """Sixty large questions that have ended."""
    actions: Any = [{"id": f"{number}", "label": "L", "description": "x" * 4_000} for number in range(50)]
    question: Any = {"kind": "choice", "title": "T", "prompt": "P", "mode": "button", "actions": actions}
    for _ in range(60):
        app.sdk.ui.cancel(app.sdk.ui.request(question)["interaction_id"])
    return f"{len(app.sdk.ui.subscribe())}"
