"""Never comes back."""

from miniapps.sdk import MiniApp, ToolCall

app = MiniApp()


@app.tool("spins.go")
def go(call: ToolCall) -> None:
    call.progress(message="spinning")
    while True:
        continue
