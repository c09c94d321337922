"""Takes all the memory that it can get."""

from miniapps.sdk import MiniApp, ToolCall

app = MiniApp()


@app.tool("hoards.go")
def go(call: ToolCall) -> None:
    hoard = []
    while True:
        hoard.append(bytearray(1024 * 1024))
