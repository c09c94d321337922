"""Opens a surface, and then never reads again what it is told."""

import threading

from miniapps.sdk import MiniApp, Start

app = MiniApp()


@app.on_start
def start(begun: Start) -> None:
    app.sdk.surfaces.request_open("main", "Blind", initial_state={})
    threading.Event().wait()
