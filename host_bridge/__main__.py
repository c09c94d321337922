"""The ``lineup-host`` command: ``demo`` shows the Runtime, ``agent`` and ``serve`` let you drive it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from host_bridge.web.arguments import add_arguments, serve_as_asked

STDIN = 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    from host_bridge.cli.program import run_program
    from host_bridge.cli.terminal import Terminal

    options = read_arguments(arguments)
    terminal = Terminal(sys.stdout)

    async def act() -> int:
        if options.command == "demo":
            from host_bridge.cli.demo import play_demo

            return await play_demo(terminal, options.keep, options.pace if terminal.interactive else 0.0)
        if options.command == "serve":
            return await serve_as_asked(terminal, options, passed_on(options))
        from host_bridge.cli.repl import be_agent

        return await be_agent(terminal, STDIN, options.database, passed_on(options))

    return run_program(terminal, act)


def read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; ends the program where it is wrong."""
    parser = argparse.ArgumentParser(prog="lineup-host", description="Drive a LineUp Runtime from a terminal.")
    commands = parser.add_subparsers(dest="command", required=True)
    demo = commands.add_parser("demo", help="a show: Tools, questions, a crash; every claim is checked")
    demo.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the store and what was made in this folder")
    demo.add_argument("--pace", type=float, default=0.6, metavar="SECONDS", help="pause between steps on a terminal")
    agent = commands.add_parser("agent", help="type Tool calls and answers yourself")
    serve = commands.add_parser("serve", help="be the Host in a browser, for development on this machine")
    add_arguments(serve)
    for one in (agent, serve):
        one.add_argument("--database", type=Path, metavar="FILE", help="the store to use; without it a passing one")
        one.add_argument("--miniapps", type=Path, action="append", default=[], metavar="DIR", help="more MiniApps")
        one.add_argument("--policy", type=Path, metavar="FILE", help="the capability policy, as JSON")
    return parser.parse_args(arguments)


def passed_on(options: argparse.Namespace) -> list[str]:
    """The options that go to the sidecar as they are."""
    miniapps = [part for folder in options.miniapps for part in ("--miniapps", str(folder))]
    return [*miniapps, *(["--policy", str(options.policy)] if options.policy else [])]


if __name__ == "__main__":
    sys.exit(main())
