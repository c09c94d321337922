"""Tries every door that a MiniApp has no business with, and says what it was told at each."""

import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from miniapps.sdk import MiniApp, ToolCall

app = MiniApp()


def told(attempt: Callable[[], Any]) -> str:
    """How it ended."""
    try:
        attempt()
    except PermissionError:
        return "refused"
    return "open"


@app.tool("reaches.go")
def go(call: ToolCall) -> None:
    database, address = call.input["how"].split(" ")
    doors: dict[str, Callable[[], Any]] = {
        "a child that reads the input": lambda: subprocess.run([sys.executable, "-c", "input()"], check=False),
        "a program": lambda: os.posix_spawn("/bin/true", ["true"], {}),
        "a fork": os.fork,
        "a socket": lambda: socket.create_connection(("127.0.0.1", int(address))),
        "a listening socket": lambda: socket.create_server(("127.0.0.1", 0)),
        "a file outside": Path("/etc/passwd").read_text,
        "a file to write": lambda: Path("notes.txt").write_text("x"),
        "the store as a file": Path(database).read_bytes,
        "the store as a database": lambda: sqlite3.connect(database).execute("select * from audit"),
        "the folder of the store": lambda: list(Path(database).parent.iterdir()),
        "the environment of the Runtime": lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
        "the end of the Runtime": lambda: os.kill(os.getppid(), 0),
        "a native library": lambda: __import__("ctypes").CDLL(None),
    }
    found = {name: told(attempt) for name, attempt in doors.items()}
    call.complete({"ok": True, "note": ", ".join(name for name, end in found.items() if end != "refused")})
