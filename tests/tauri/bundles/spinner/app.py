"""Never returns once it is told to spin."""

from __future__ import annotations

from miniapps.sdk import MiniApp, Start, SurfaceEvent

app = MiniApp()


@app.on_start
def start(_: Start) -> None:
    """Open a view."""
    app.sdk.surfaces.request_open("main", "Spinner", initial_state={"spins": False})


@app.on_surface_event("spin")
def spin(_: SurfaceEvent) -> None:
    """Say so, and hang."""
    app.sdk.surfaces.opened("main").update({"spins": True})
    while True:
        pass
