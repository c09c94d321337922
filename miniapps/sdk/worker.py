"""The process that runs one MiniApp's logic: ``python -I -m miniapps.sdk.worker FOLDER PARENT_PID``.

It ends with 0 when its input ends, with 1 and a traceback on stderr when the logic raises. The order of ``main`` is
the point of it: first the end is secured, then the protocol, then the doors are closed, and only then logic is loaded.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
import traceback
from importlib.util import module_from_spec, spec_from_file_location
from typing import NoReturn

from miniapps.sdk import guard, landlock
from miniapps.sdk.app import MiniApp
from miniapps.sdk.channel import Channel
from rpc_schema.limits import MIB, WORKER_MEMORY

PR_SET_PDEATHSIG = 1
PARENT_CHECK_S = 0.5


def main(arguments: list[str]) -> NoReturn:
    """Run the logic of a bundle. The process ends here: threads that the logic left behind do not hold it."""
    folder, parent = arguments
    die_with_parent(int(parent))
    read_fd, write_fd = claim_protocol()
    close_doors(folder)
    code = run(folder, Channel(read_fd, write_fd))
    sys.stderr.flush()
    os._exit(code)


def die_with_parent(parent: int) -> None:
    """Have this process end with its parent, which may have died already, whatever the logic is doing.

    Linux kills it. macOS has no such call: a thread looks. On Windows the Runtime holds it in a job that ends with it.
    """
    if sys.platform == "win32":
        return
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL))
    if os.getppid() != parent:
        sys.exit("the Runtime that started this worker is gone")
    if sys.platform != "linux":
        watch_parent(parent)


def watch_parent(parent: int) -> None:
    """End this process within a second of its parent's end, from a thread."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_CHECK_S)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="parent").start()


def claim_protocol() -> tuple[int, int]:
    """Take stdin and stdout away for the protocol: what anything prints goes to stderr, what it reads is empty."""
    read_fd, write_fd = os.dup(0), os.dup(1)  # neither is inherited by a child
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return read_fd, write_fd


def close_doors(folder: str) -> None:
    """Set the limits, Landlock and the guard, and say on stderr what holds."""
    guard.limit_resources()
    readable = guard.readable_paths(folder)
    abi = landlock.restrict([*readable, *guard.SHARED_LIBRARIES])
    guard.install(readable)
    fence = f"Landlock ABI {abi}" if abi else "no Landlock on this system"
    sys.stderr.write(f"worker guarded: audit hook, {fence}\n")


def run(folder: str, channel: Channel) -> int:
    """Serve until the end of input: the exit code."""
    try:
        load(folder).serve(channel)
    except MemoryError:  # a traceback would keep alive what filled the memory, and need some itself
        os.write(2, b"the logic ran out of its %d MiB of memory\n" % (WORKER_MEMORY // MIB))
        return 1
    except BaseException:  # SystemExit too: logic that leaves unasked has failed, and the log says where
        traceback.print_exc()
        return 1
    return 0


def load(folder: str) -> MiniApp:
    """Import ``app.py`` as the module ``app`` and take its ``app``; the modules beside it are found first."""
    sys.path.insert(0, folder)
    spec = spec_from_file_location("app", f"{folder}/app.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} has no app.py")
    module = sys.modules["app"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    app = getattr(module, "app", None)
    if not isinstance(app, MiniApp):
        raise TypeError("app.py defines no MiniApp named `app`: write `app = MiniApp()`")
    return app


if __name__ == "__main__":
    main(sys.argv[1:])
