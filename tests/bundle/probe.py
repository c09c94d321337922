"""A MiniApp of the tests' own, whose logic a frozen worker runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.scenarios.bundles import manifest, tool, write_bundle

NOTHING: dict[str, Any] = {"type": "object", "additionalProperties": False}
TEXT: dict[str, Any] = {**NOTHING, "required": ["text"], "properties": {"text": {"type": "string"}}}

LOGIC = """
    import importlib
    import json
    import os
    import sys
    import time
    from pathlib import Path
    from miniapps.sdk import MiniApp

    app = MiniApp()

    @app.tool("probe.echo")
    def echo(call):
        call.complete({"text": call.input["text"]})

    @app.tool("probe.import")
    def import_all(call):
        failed = {}
        for name in json.loads((Path(__file__).parent / "modules.json").read_text()):
            try:
                importlib.import_module(name)
            except BaseException as error:
                failed[name] = type(error).__name__
        call.complete({"text": json.dumps(failed)})

    @app.tool("probe.flags")
    def tell_flags(call):
        flags = {
            "utf8": sys.flags.utf8_mode,
            "environment": sorted(os.environ),
            "zone": time.tzname,
        }
        call.complete({"text": json.dumps(flags)})

    @app.tool("probe.rest")
    def rest(call):
        if call.redelivered:
            call.complete({"text": "again"})
        call.progress(state="resting")

    @app.tool("probe.spin")
    def spin(call):
        rest(call)
        while not call.redelivered:
            pass
"""


def write_probe(folder: Path, modules: list[str] | None = None) -> list[str]:
    """Write the bundle: the options that make a sidecar serve it."""
    tools = [
        tool("echo", "direct", input_schema=TEXT, output_schema=TEXT),
        *(tool(name, "direct", input_schema=NOTHING, output_schema=TEXT) for name in ("import", "flags")),
        *(tool(name, "launch", input_schema=NOTHING, output_schema=TEXT) for name in ("rest", "spin")),
    ]
    bundle = write_bundle(folder / "bundles", manifest(tools=tools), LOGIC)
    (bundle / "modules.json").write_text(json.dumps(modules or []))
    return ["--miniapps", str(folder / "bundles")]
