"""Sound bundles on disk, to be changed by each test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SCHEMA = {"type": "object", "properties": {"v": {"type": "string"}}, "additionalProperties": False}
PAGE = '<!doctype html><title>probe</title><link rel="stylesheet" href="s.css"><p>probe</p><script src="a.js"></script>'


class Shelf:
    """A folder of bundles, and what goes into them."""

    page = PAGE

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def tool(self, name: str = "probe.open", **change: Any) -> dict[str, Any]:
        target = {"app_scope": name.partition(".")[0], "requires_foreground": True, "restore_previous_focus": True}
        tool = {"id": name, "version": 1, "handling": "launch", "target": target}
        return {**tool, "input_schema": SCHEMA, "output_schema": SCHEMA, **change}

    def manifest(self, scope: str = "probe", **change: Any) -> dict[str, Any]:
        return {
            "app_scope": scope,
            "version": "1.0.0",
            "kind": "bundled",
            "tools": [self.tool(f"{scope}.open")],
            "subscriptions": [{"topic": "agent.message"}],
            "requested_capabilities": ["probe.camera"],
            "host": {"min_version": "1.0.0", "surface_required": False},
            **change,
        }

    def write(self, manifest: Any, files: dict[str, str | bytes] | None = None, name: str = "probe") -> Path:
        """Write a bundle: its manifest (an object, or text as it stands) and its other files by path."""
        text = manifest if isinstance(manifest, str | bytes) else json.dumps(manifest)
        for path, content in {"manifest.json": text, **(files or {})}.items():
            place = self.folder / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content if isinstance(content, bytes) else content.encode())
        return self.folder / name

    def surface(self, **files: str | bytes) -> dict[str, str | bytes]:
        """The files of a surface that can be inlined; a name's first underscore stands for the dot."""
        sound = {"index_html": self.page, "a_js": "const a = 1\n", "s_css": "p { color: red }\n"}
        return {f"surface/{name.replace('_', '.', 1)}": content for name, content in {**sound, **files}.items()}


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "bundles")
