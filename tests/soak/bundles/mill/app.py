"""Gives back what it is given, after a word on the way."""

from miniapps.sdk import MiniApp, ToolCall

app = MiniApp()


@app.tool("mill.grind")
def grind(call: ToolCall) -> None:
    call.progress(percent=50)
    call.complete({"text": call.input["text"]})
