"""Be ``lineup-sidecar`` with a schema of its own in the place of each file that ``--database`` names.

So whatever starts a sidecar on a file runs on PostgreSQL as it is: ``LINEUP_SIDECAR="python …/sidecar.py"``.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path


def main() -> None:
    """Become the installed command."""
    program = Path(sys.executable).with_name("lineup-sidecar")
    os.execv(program, [str(program), *in_postgresql(sys.argv[1:])])


def in_postgresql(arguments: list[str]) -> list[str]:
    """The arguments with an address for each path."""
    named = [one == "--database" for one in ["", *arguments]]
    return [address_for(one) if is_path else one for is_path, one in zip(named, arguments, strict=False)]


def address_for(path: Path | str) -> str:
    """The address of the schema that stands for a file."""
    return f"{os.environ['LINEUP_POSTGRESQL']}&schema={schema_for(path)}"


def schema_for(path: Path | str) -> str:
    """The schema that stands for a file."""
    place = Path(str(path).removeprefix("sqlite:///")).resolve()
    return f"of_{hashlib.sha256(os.fsencode(place)).hexdigest()[:16]}"


if __name__ == "__main__":
    main()
