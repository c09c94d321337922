"""LineUp MiniApp SDK v1 for Python: what a MiniApp's ``app.py`` is written against.

::

    from miniapps.sdk import MiniApp, ToolCall

    app = MiniApp()

    @app.tool("hello.greet")
    def greet(call: ToolCall) -> None:
        call.complete({"text": f"Hello {call.input['name']}"})

The Runtime runs one process for each instance, with the bundle's folder on ``sys.path``; it may be ended at any
moment and started again. What must survive belongs into the state of a surface (``app.sdk.surfaces``), which is
durable, and into the calls and questions that the Runtime keeps. ``README.md`` beside this is the author's guide.
"""

from miniapps.sdk.app import MiniApp
from miniapps.sdk.channel import Channel, RefusedError, RpcError
from miniapps.sdk.events import Start, SurfaceEvent, ToolCall
from miniapps.sdk.shapes import (
    JsonObject,
    LifecycleClosing,
    MiniAppContext,
    MiniAppMessage,
    StandardInteractionRecord,
    StandardInteractionRequest,
    SurfacePatched,
    ToolClosed,
    is_approved,
    is_ended,
)
from miniapps.sdk.surfaces import Surface

__all__ = [
    "Channel",
    "JsonObject",
    "LifecycleClosing",
    "MiniApp",
    "MiniAppContext",
    "MiniAppMessage",
    "RefusedError",
    "RpcError",
    "StandardInteractionRecord",
    "StandardInteractionRequest",
    "Start",
    "Surface",
    "SurfaceEvent",
    "SurfacePatched",
    "ToolCall",
    "ToolClosed",
    "is_approved",
    "is_ended",
]
