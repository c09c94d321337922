"""The command line, as PROTOCOL 9 gives it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Final

from rpc_schema.limits import DAY
from sidecar.settings import VERSION

_MAX_PID: Final = 2**31 - 1
_MAX_AHEAD_MS: Final = 1_000 * 365 * DAY
"""No test needs more, and every time is still one that can be written."""


def parser() -> argparse.ArgumentParser:
    """The parser of ``lineup-sidecar``; wrong options end the process with code 2."""
    main = argparse.ArgumentParser(
        prog="lineup-sidecar",
        description="The LineUp Runtime: serves JSON-RPC 2.0 on stdin and stdout.",
        allow_abbrev=False,
    )
    main.add_argument("--version", action="version", version=f"lineup-sidecar {VERSION}")
    _add_database(main)
    main.add_argument(
        "--miniapps", action="append", type=Path, default=[], metavar="DIR", help="more bundles; repeatable"
    )
    main.add_argument("--no-bundled", action="store_true", help="leave the package's own MiniApps out")
    main.add_argument("--policy", type=Path, metavar="FILE", help="what capabilities are allowed, asked for or denied")
    main.add_argument("--log-level", choices=["debug", "info", "warning", "error"], default="info")
    main.add_argument("--log-format", choices=["text", "json"], default="text")
    main.add_argument("--parent-pid", type=_pid, metavar="PID", help="end when that process ends (default: the parent)")
    main.add_argument(
        "--test-clock",
        nargs="?",
        const=0,
        type=_milliseconds,
        metavar="MS",
        help="for tests: a clock that may be moved",
    )
    commands = main.add_subparsers(dest="command", metavar="COMMAND")
    schema = commands.add_parser("schema", help="print the contract", allow_abbrev=False)
    schema.add_argument("document", choices=["openrpc", "json-schema", "typescript"])
    schema.add_argument("--out", type=Path, metavar="FILE", help="write there instead of printing")
    check = commands.add_parser("check-manifest", help="list every fault of a bundle", allow_abbrev=False)
    check.add_argument("folder", type=Path, metavar="DIR")
    explain = commands.add_parser("explain", help="tell what became of a call, question, surface or instance")
    explain.add_argument("id", metavar="ID", type=_text)
    _add_database(explain)
    _add_database(commands.add_parser("verify", help="check the audit chain and the store's invariants"))
    return main


def _add_database(to: argparse.ArgumentParser) -> None:
    to.add_argument(
        "--database",
        default=argparse.SUPPRESS,
        metavar="ADDRESS",
        help="the store: a path, sqlite:///path or postgresql://user@host/database?schema=name "
        "(default: a file in the user's data folder)",
    )


def _text(given: str) -> str:
    """What was typed, read as UTF-8 whatever the locale."""
    try:
        return os.fsencode(given).decode()
    except UnicodeDecodeError:
        raise argparse.ArgumentTypeError("an id is text in UTF-8") from None


def _pid(text: str) -> int:
    return _whole(text, "a process id", 1, _MAX_PID)


def _milliseconds(text: str) -> int:
    return _whole(text, "milliseconds", 0, _MAX_AHEAD_MS)


def _whole(text: str, what: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"{what}: a whole number from {least} to {most}")
    return int(text)
