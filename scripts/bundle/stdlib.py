"""The standard library as MiniApps may import it: a frozen worker must carry what nothing of ours reaches."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Final

LEFT_OUT: Final = frozenset(
    (
        *("antigravity", "idlelib", "this", "tkinter", "turtle", "turtledemo"),  # a display, and jokes
        *("curses", "readline", "rlcompleter"),  # a terminal
        *("nis", "ossaudiodev"),  # a network of the past, a sound card
        *("distutils", "ensurepip", "lib2to3", "venv"),  # making and installing programs
        "multiprocessing",  # the worker's guard refuses it, and the Runtime has no use for it
    )
)
"""Public modules that no frozen program carries."""

_TESTS: Final = ("test", "tests", "__main__")


def list_stdlib() -> list[str]:
    """List the public modules of this interpreter's standard library, those inside packages too."""
    public = (name for name in sys.stdlib_module_names if not name.startswith("_"))
    return sorted(one for name in public if name not in LEFT_OUT for one in _with_insides(name))


def _with_insides(name: str) -> list[str]:
    spec = find_spec(name)
    if spec is None:  # it is another system's
        return []
    inside = [
        f"{name}.{one.name}" for one in iter_modules(spec.submodule_search_locations or []) if one.name not in _TESTS
    ]
    return [name, *(one for module in inside for one in _with_insides(module))]
