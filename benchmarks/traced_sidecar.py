"""``lineup-sidecar`` with a clock held to it: when reading, committing and answering began and ended.

The marks are kept in memory and written, as pairs of step and nanoseconds, to the file that the first argument names
when the process ends; the other arguments are the sidecar's. The Runtime itself knows nothing of it.
"""

from __future__ import annotations

import atexit
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from sidecar.rpc import serve, stdio
from sidecar.store.transaction import Transaction

STEPS = ("reading", "read", "committing", "committed", "answering", "answered")
_MARKS = array("q")


def _marked(act: Callable[..., Any], begun: str, ended: str) -> Callable[..., Any]:
    before, after = STEPS.index(begun), STEPS.index(ended)

    def run(*given: Any) -> Any:
        _MARKS.extend((before, perf_counter_ns()))
        result = act(*given)
        _MARKS.extend((after, perf_counter_ns()))
        return result

    return run


def main() -> int:
    """Serve, and write the marks at the end."""
    from sidecar.__main__ import main as serve_all

    serve.read_chunk = _marked(stdio.read_chunk, "reading", "read")
    Transaction.commit = _marked(Transaction.commit, "committing", "committed")
    stdio.Output.release = _marked(stdio.Output.release, "answering", "answered")
    marks = sys.argv.pop(1)
    atexit.register(lambda: Path(marks).write_bytes(_MARKS.tobytes()))
    return serve_all()


if __name__ == "__main__":
    sys.exit(main())
