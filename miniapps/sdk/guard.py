"""The guard around a MiniApp's logic: it refuses what logic has no business with, and says what to do instead.

It catches accidents, and is no sandbox (RULES 9): code that means harm finds a way past an audit hook. What bounds the
harm is what the process lacks: it holds no handle, no environment and no token but its own. The limits and Landlock
(landlock.py) stand behind it.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable
from typing import Any, Final

from rpc_schema.limits import WORKER_MEMORY

OPEN_FILES: Final = 64
WRITING_FLAGS: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

NO_NETWORK = "a MiniApp has no network: declare a capability and ask for it with sdk.capabilities.request"
NO_PROCESS = "a MiniApp starts no process: do the work in its own logic"
NO_NATIVE = "a MiniApp's logic is Python alone: no native library is loaded into it"
NO_WRITING = "a MiniApp writes no files: keep state in a surface, hand results in with sdk.surfaces.submit"
NO_READING = "a MiniApp reads no files but its own: put the file into its bundle"
NO_SIGNAL = "a MiniApp signals no process: end its own instance with sdk.lifecycle.requestClose"
NO_CHANGE = "a MiniApp does not change the guard, the limits or the folder that it runs with"

REFUSED_EVENTS: Final = {
    **dict.fromkeys(("socket", "syslog"), NO_NETWORK),
    **dict.fromkeys(("subprocess", "pty", "_winapi"), NO_PROCESS),
    **dict.fromkeys(
        ("os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile"), NO_PROCESS
    ),
    **dict.fromkeys(("ctypes", "sqlite3.load_extension"), NO_NATIVE),
    **dict.fromkeys(("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink"), NO_WRITING),
    **dict.fromkeys(("os.truncate", "os.chmod", "os.chown", "os.utime", "os.setxattr"), NO_WRITING),
    **dict.fromkeys(("os.removexattr", "os.chflags", "os.lockf", "tempfile", "shutil"), NO_WRITING),
    **dict.fromkeys(("os.killpg", "signal.pthread_kill"), NO_SIGNAL),
    "winreg": NO_READING,
    **dict.fromkeys(("sys.addaudithook", "resource.setrlimit", "resource.prlimit", "os.chdir"), NO_CHANGE),
}
"""Audit events, or whole families of them by their first word, that are refused whatever their arguments."""
READING_EVENTS: Final = frozenset({"os.listdir", "os.scandir"})
PROCESS_MODULES: Final = frozenset({"multiprocessing"})
"""It starts processes by a call that raises no event: it is not imported."""
MEMORY_DATABASE: Final = ":memory:"

SHARED_LIBRARIES: Final = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
TIME_ZONES: Final = ("/etc/localtime", "/usr/share/zoneinfo")


class Guard:
    """The audit hook. ``readable`` are the files and folders that may be read."""

    def __init__(self, readable: Iterable[str]) -> None:
        self._readable = tuple(os.path.normcase(path) + os.sep for path in readable)

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        refusal = REFUSED_EVENTS.get(event) or REFUSED_EVENTS.get(event.partition(".")[0])
        if refusal is not None:
            raise _refused(refusal)
        if event == "open":
            self._check_open(*arguments)
        elif event == "import":
            self._check_import(*arguments[:2])
        elif event in READING_EVENTS:
            self._check_reading(arguments[0])
        elif event == "sqlite3.connect" and arguments[0] != MEMORY_DATABASE:
            raise _refused(NO_WRITING)
        elif event == "os.kill" and arguments[0] != os.getpid():
            raise _refused(NO_SIGNAL)

    def _check_open(self, path: Any, mode: str | None, flags: int) -> None:
        if isinstance(path, int):
            return  # a descriptor that is open already
        if flags & WRITING_FLAGS:
            raise _refused(NO_WRITING, path)
        self._check_reading(path)

    def _check_import(self, module: str, file: str | None) -> None:
        if module in PROCESS_MODULES:
            raise _refused(NO_PROCESS)
        if file is not None and not self._is_readable(file):
            raise _refused(NO_NATIVE, file)

    def _check_reading(self, path: Any) -> None:
        if not isinstance(path, int) and not self._is_readable("." if path is None else path):
            raise _refused(NO_READING, path)

    def _is_readable(self, path: Any) -> bool:
        return (os.path.normcase(os.path.realpath(os.fsdecode(path))) + os.sep).startswith(self._readable)


def install(readable: Iterable[str]) -> None:
    """Stand guard from now on, for good."""
    sys.dont_write_bytecode = True
    sys.addaudithook(Guard(readable))


def readable_paths(folder: str) -> list[str]:
    """List what logic may read: its bundle, the modules that it can import, the time zones; links resolved.

    A frozen build keeps its modules in its own folder and in the executable itself.
    """
    library = os.path.split(os.__file__)[0]
    frozen = (getattr(sys, "_MEIPASS", ""), sys.executable) if getattr(sys, "frozen", False) else ()
    return [os.path.realpath(path) for path in (folder, library, *sys.path, *frozen, *TIME_ZONES) if path]


def limit_resources() -> None:
    """Bound memory, descriptors and file sizes for good; a worker over its memory gets MemoryError.

    Windows: the job in which the Runtime holds the worker bounds its memory, and nothing the rest. macOS refuses a
    bound on memory. The number of processes is bounded nowhere: Linux counts all processes of the user, not a worker's
    own, and leaves root unbounded; the guard and Landlock stop them instead.
    """
    if sys.platform == "win32":
        return
    import resource

    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_NOFILE: OPEN_FILES}
    if sys.platform == "linux":  # elsewhere these two are refused or mean nothing
        limits[resource.RLIMIT_DATA] = WORKER_MEMORY
        limits[resource.RLIMIT_AS] = 2 * WORKER_MEMORY  # shared memory counts here, and so do libraries and stacks
    for kind, bound in limits.items():
        hard = resource.getrlimit(kind)[1]
        value = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (value, value))


def _refused(reason: str, path: Any = None) -> PermissionError:
    return PermissionError(errno.EACCES, reason) if path is None else PermissionError(errno.EACCES, reason, path)
