"""The plugin is cheap to import."""

from __future__ import annotations

import subprocess
import sys


def test_importing_the_plugin_loads_no_heavy_library() -> None:
    heavy = {"anyio", "pydantic", "rpc_schema", "asyncio"}
    code = f"import sys, host_bridge.pytest_plugin; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
