"""Fails as it begins, each time."""

from miniapps.sdk import MiniApp, Start

app = MiniApp()


@app.on_start
def start(begun: Start) -> None:
    raise OSError("not today")
