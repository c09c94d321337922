"""The command line of ``lineup-host serve``; what is served loads only when it runs."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path

from host_bridge.cli.terminal import Terminal
from host_bridge.errors import HostError

MAX_PORT = 65_535


def add_arguments(serve: ArgumentParser) -> None:
    """Say what ``serve`` takes besides the options that go to the sidecar."""
    serve.add_argument(
        "--port", type=read_port, default=0, metavar="N", help="the page's port; without it any free one"
    )
    serve.add_argument("--page", type=Path, metavar="DIR", help="the folder of another built front end")
    serve.add_argument("--no-open", action="store_true", help="print the address and open no browser")
    serve.add_argument(
        "--agent", choices=("scripted", "none"), default="scripted", help="who plays the Agent: scenes, or nobody"
    )


async def serve_as_asked(terminal: Terminal, given: Namespace, options: Sequence[str]) -> int:
    """Serve what was asked for. Raises HostError where that cannot begin."""
    try:
        from host_bridge.web.serve import serve_host
    except ModuleNotFoundError as error:
        if error.name != "websockets":
            raise
        raise HostError("serve needs more than is installed: pip install 'lineup-runtime[web]'") from error
    return await serve_host(
        terminal,
        given.database,
        options,
        port=given.port,
        page=given.page,
        with_agent=given.agent == "scripted",
        open_browser=not given.no_open,
    )


def read_port(text: str) -> int:
    """A port, 0 for any free one. Raises ArgumentTypeError."""
    if not text.isascii() or not text.isdigit() or int(text) > MAX_PORT:
        raise ArgumentTypeError(f"a port is a number from 0 to {MAX_PORT}")
    return int(text)
