"""Opens a surface; the harm is in its view."""

from __future__ import annotations

from miniapps.sdk import MiniApp, Start

app = MiniApp()


@app.on_start
def start(_: Start) -> None:
    """Open a surface."""
    app.sdk.surfaces.request_open("main", "Task Dashboard")
