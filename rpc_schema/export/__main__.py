"""``python -m rpc_schema.export``: write the generated documents; with ``--check``, only say whether they are fresh."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rpc_schema import generated
from rpc_schema.export import DOCUMENTS, DocumentName
from rpc_schema.export.json_schema import write_json_schema
from rpc_schema.export.openrpc import write_openrpc
from rpc_schema.export.typescript import write_typescript

GENERATED = Path(generated.__path__[0])


def write_documents() -> dict[DocumentName, str]:
    """Write every document from the models, as text."""
    return {
        "openrpc": json.dumps(write_openrpc(), indent=2, ensure_ascii=False) + "\n",
        "json-schema": json.dumps(write_json_schema(), indent=2, ensure_ascii=False) + "\n",
        "typescript": write_typescript(),
    }


def list_stale(folder: Path = GENERATED) -> list[Path]:
    """List the files that are missing or differ from the models."""
    fresh = {folder / DOCUMENTS[name]: text.encode() for name, text in write_documents().items()}
    return [path for path, text in fresh.items() if not path.is_file() or path.read_bytes() != text]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 1 where ``--check`` finds a stale file."""
    parser = argparse.ArgumentParser(prog="python -m rpc_schema.export", description="Write the contract's documents.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file is not up to date")
    parser.add_argument("--folder", type=Path, default=GENERATED, help="where the files are (default: %(default)s)")
    options = parser.parse_args(arguments)
    if options.check:
        stale = list_stale(options.folder)
        for path in stale:
            sys.stderr.write(f"{path} is not what the models say: run python -m rpc_schema.export and commit it\n")
        return 1 if stale else 0
    for name, text in write_documents().items():
        (options.folder / DOCUMENTS[name]).write_bytes(text.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
