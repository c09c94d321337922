"""A program that runs another one as far as it can be run elsewhere: ``pretend.py PLATFORM import|worker ARGUMENTS``.

The platform's name is put in place of the real one, and what that platform lacks is taken away, after the standard
library and everything of other people has been imported, which know too well where they are.
"""

from __future__ import annotations

import asyncio
import ctypes
import importlib
import os
import pkgutil
import select
import signal
import subprocess
import sys
from ctypes import wintypes
from importlib.abc import MetaPathFinder
from typing import Any

import anyio._backends._asyncio
import jsonschema
import platformdirs
import pydantic.main
import pytest
import sqlmodel
import websockets.asyncio.server

OTHERS = (anyio, asyncio, jsonschema, platformdirs, pydantic, pytest, sqlmodel, websockets, wintypes)
ABSENT = {
    "win32": {
        os: ("fork", "killpg", "set_blocking", "setsid", "getuid", "O_CLOEXEC", "O_PATH", "O_NOFOLLOW", "O_DIRECTORY"),
        signal: ("SIGKILL", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGCHLD"),
        select: ("poll", "epoll"),
    },
    "darwin": {os: ("O_PATH", "getrandom", "memfd_create", "sched_setaffinity"), select: ("epoll",)},
}
"""Names that a platform's standard library does not have."""
ABSENT_MODULES = {"win32": ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"), "darwin": ()}
PRESENT = {
    "win32": {
        signal: {"SIGBREAK": signal.SIGTERM},
        subprocess: {"CREATE_NEW_PROCESS_GROUP": 0x200, "CREATE_NO_WINDOW": 0x0800_0000},
    },
    "darwin": {},
}


class Absent(MetaPathFinder):
    """Finds no module of these names, and lets nobody else look."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        if fullname in self._names:
            raise ModuleNotFoundError(f"no module {fullname} on this platform", name=fullname)


class Library:
    """A library of Windows of which every function is there, to be declared; none is called."""

    def __init__(self, name: str, **_options: object) -> None:
        self.name = name

    def __getattr__(self, function: str) -> Any:
        declared = self.__dict__[function] = type(function, (), {})()
        return declared


def pretend(platform: str) -> None:
    """Make this process look like one on that platform."""
    for name in ABSENT_MODULES[platform]:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Absent(ABSENT_MODULES[platform]))
    for module, names in ABSENT[platform].items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    for module, values in PRESENT[platform].items():
        for name, value in values.items():
            setattr(module, name, value)
    if platform == "win32":
        ctypes.WinDLL = Library
    sys.platform = platform


def import_all() -> int:
    """Import every module of the project; how many there are."""
    count = 0
    for name in ("rpc_schema", "sidecar", "miniapps", "host_bridge"):
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
                count += 1
    return count


if __name__ == "__main__":
    platform, what, *arguments = sys.argv[1:]
    pretend(platform)
    if what == "import":
        print(import_all())
    else:
        from miniapps.sdk.worker import main

        main(arguments)
