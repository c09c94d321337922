"""Read a bundle's manifest and list every fault in it at once (PROTOCOL 10)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from rpc_schema import limits
from rpc_schema.json_text import JsonTextError, read_json
from rpc_schema.manifest import Manifest
from sidecar.bundles.files import FileError, find_file, read_file
from sidecar.domain.interactive import PREFIX
from sidecar.domain.tool_schema import Fault, check_schema
from sidecar.domain.tool_schema_value import shorten, step

MANIFEST: Final = "manifest.json"
SYSTEM_SCOPE: Final = "chat"
"""The one system MiniApp, Interact; it must not be renamed (RULES 9), and its name is nobody else's."""
RESERVED_SCOPE: Final = PREFIX.removesuffix(".")
"""The Runtime's own Tools are named after it."""


class ManifestError(Exception):
    """A bundle that is refused; ``faults`` lists what is wrong with it, each with its path."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(f"{fault.path}: {fault.message}" for fault in faults))
        self.faults = faults


def read_manifest(folder: Path, *, trusted: bool = False) -> Manifest:
    """Read ``manifest.json`` of a bundle. ``trusted``: it is one of the package's own, which alone may be ``system``.

    Raises :class:`ManifestError` with every fault.
    """
    try:
        value = read_json(read_file(folder, MANIFEST, limit=limits.MAX_MANIFEST))
    except FileError as error:
        raise ManifestError([Fault(MANIFEST, str(error))]) from None
    except JsonTextError as error:
        raise ManifestError([Fault(MANIFEST, f"cannot be read: {error}")]) from None
    if not isinstance(value, dict):
        raise ManifestError([Fault(MANIFEST, "must be a JSON object")])
    faults = [*_find_rule_faults(value, trusted), *_find_surface_faults(value, folder)]
    try:
        manifest = Manifest.model_validate(value)
    except ValidationError as error:
        faults = [*_find_shape_faults(error), *faults]
    if faults:
        raise ManifestError(faults)
    return manifest


def _find_shape_faults(error: ValidationError) -> Iterator[Fault]:
    for detail in error.errors(include_url=False, include_context=False, include_input=False):
        path = ""
        for segment in detail["loc"]:
            path = step(path, segment)
        match detail["type"]:
            case "missing":
                message = "is required"
            case "extra_forbidden":
                message = "is not a field of this object"
            case "dict_type" | "model_type" | "model_attributes_type":
                message = "must be an object"
            case _:
                message = detail["msg"].removeprefix("Input ").removeprefix("String ").removeprefix("Value error, ")
        yield Fault(path, message[: limits.MAX_ERROR_TEXT])


def _find_rule_faults(manifest: dict[str, Any], trusted: bool) -> Iterator[Fault]:
    """Check what the shape alone does not say. Runs on any object, so that its faults come with those of the shape."""
    scope = manifest.get("app_scope")
    if scope == RESERVED_SCOPE:
        yield Fault("app_scope", f'"{RESERVED_SCOPE}" is reserved for the Tools of the Runtime: choose another name')
    if scope == SYSTEM_SCOPE and not trusted:
        yield Fault("app_scope", f'"{SYSTEM_SCOPE}" is the name of the system MiniApp: choose another name')
    if (manifest.get("kind") == "system") != (scope == SYSTEM_SCOPE) and trusted:
        yield Fault("kind", f'must be "system" for "{SYSTEM_SCOPE}", and "bundled" for all others')
    if manifest.get("kind") == "system" and not trusted:
        yield Fault("kind", 'must be "bundled": only the Runtime brings a system MiniApp')
    tools = manifest.get("tools")
    seen: set[str] = set()
    for index, tool in enumerate(tools if isinstance(tools, list) else []):
        if isinstance(tool, dict):
            path = step("tools", index)
            if isinstance(scope, str):
                yield from _find_foreign_scope(tool, scope, path)
            if isinstance(tool.get("id"), str) and tool["id"] in seen:
                yield Fault(step(path, "id"), "is the id of an earlier Tool too")
            seen.add(str(tool.get("id")))
            yield from _find_schema_faults(tool, path)


def _find_surface_faults(manifest: dict[str, Any], folder: Path) -> Iterator[Fault]:
    host = manifest.get("host")
    if isinstance(host, dict) and host.get("surface_required") is True:
        try:
            find_file(folder, "surface", "index.html")
        except FileError as error:
            yield Fault("host.surface_required", f"is true, but surface/index.html {error}")


def _find_foreign_scope(tool: dict[str, Any], scope: str, path: str) -> Iterator[Fault]:
    tool_id, target = tool.get("id"), tool.get("target")
    if isinstance(tool_id, str) and (not tool_id.startswith(f"{scope}.") or tool_id == f"{scope}."):
        yield Fault(step(path, "id"), f'must be "{shorten(scope)}." and a name')
    if isinstance(target, dict) and target.get("app_scope") != scope:
        yield Fault(step(step(path, "target"), "app_scope"), f'must be "{shorten(scope)}", the MiniApp\'s own scope')


def _find_schema_faults(tool: dict[str, Any], path: str) -> Iterator[Fault]:
    for name in ("input_schema", "output_schema"):
        schema = tool.get(name)
        if isinstance(schema, dict):
            yield from check_schema(schema, step(path, name))
            if schema.get("type") != "object" and "type" in schema:
                yield Fault(step(step(path, name), "type"), "must be object at the root")
