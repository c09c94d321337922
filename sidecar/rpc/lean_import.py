"""Import one module of a package without what the package's ``__init__`` pulls in besides."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec


def skip_init(package: str) -> None:
    """Put an empty package in the place of one that is not imported yet; its modules are found as ever.

    Raises:
        ModuleNotFoundError: there is no such package.
    """
    if package in sys.modules:
        return
    found = find_spec(package)
    if found is None:
        raise ModuleNotFoundError(f"{package} is not installed", name=package)
    empty = ModuleSpec(package, None, is_package=True)
    empty.submodule_search_locations = found.submodule_search_locations
    sys.modules[package] = module_from_spec(empty)
