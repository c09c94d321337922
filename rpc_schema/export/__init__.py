"""The contract for those who do not read Python: OpenRPC, JSON Schema and TypeScript.

``python -m rpc_schema.export`` writes the documents into ``rpc_schema/generated``, which is committed; everybody else
reads them there. So this module is light, and only its neighbours import pydantic.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

DocumentName = Literal["openrpc", "json-schema", "typescript"]

DOCUMENTS: Final[dict[DocumentName, str]] = {
    "openrpc": "openrpc.json",
    "json-schema": "lineup.schema.json",
    "typescript": "lineup.ts",
}
"""File names in ``rpc_schema/generated``, by the name on the command line."""


def read_document(name: DocumentName) -> str:
    """Read a generated document."""
    return files("rpc_schema.generated").joinpath(DOCUMENTS[name]).read_text(encoding="utf-8")


def show_document(name: DocumentName, out: Path | None = None) -> None:
    """Carry out ``lineup-sidecar schema NAME [--out FILE]``: write to the file, or to stdout.

    Raises OSError where the file cannot be written.
    """
    text = read_document(name).encode()  # as bytes, so that no platform turns a newline into two
    if out:
        out.write_bytes(text)
    else:
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()


@cache
def load_openrpc() -> dict[str, Any]:
    """Load what ``rpc.discover`` answers. It is read once and shared: do not change it."""
    document: dict[str, Any] = json.loads(read_document("openrpc"))
    return document
