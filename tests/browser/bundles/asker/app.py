"""Asks whatever its view is told to: questions of each presentation, and a capability."""

from __future__ import annotations

import os

from miniapps.sdk import (
    MiniApp,
    MiniAppMessage,
    RefusedError,
    StandardInteractionRecord,
    Start,
    SurfaceEvent,
    ToolCall,
)

app = MiniApp()
sdk = app.sdk
HOSTILE = "<img src=x onerror=alert(1)> <b>bold</b> **stars** javascript:alert(1)"


@app.on_start
def start(_: Start) -> None:
    """Open a surface whose title is markup."""
    sdk.surfaces.request_open("main", HOSTILE, initial_state={"said": "nothing yet"})


def say(text: str) -> None:
    """Show a text in the view."""
    sdk.surfaces.opened("main").update({"said": text})


@app.tool("asker.crash")
def crash(_: ToolCall) -> None:
    """Die, and again each time that the call comes back."""
    os._exit(1)


@app.on_surface_event("ask")
def ask(event: SurfaceEvent) -> None:
    """Ask a yes or no, presented as asked for."""
    sdk.ui.request(
        {"kind": "confirm", "title": HOSTILE, "prompt": HOSTILE, "approve_label": HOSTILE},
        presentation=event.payload["presentation"],
    )


@app.on_interaction
def take_answer(record: StandardInteractionRecord) -> None:
    """Show what came of it."""
    say(f"answered: {record['status']} {record['reason'] or ''} {record['result'] or ''}")


@app.on_surface_event("capability")
def request(_: SurfaceEvent) -> None:
    """Ask for what the manifest declares."""
    try:
        sdk.capabilities.request("appearance.read", HOSTILE, {})
    except RefusedError as refused:
        say(f"{refused.code}: {refused.data.get('reason')}")


@app.on_capability
def show_outcome(message: MiniAppMessage) -> None:
    """Show how the request ended."""
    payload = message["payload"]
    say(f"{payload['outcome']}: {payload['reason']} {payload['result']}")
