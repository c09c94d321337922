"""What the pool gives to the Runtime, and what it asks of it."""

from collections.abc import Sequence
from typing import Protocol


class Outlet(Protocol):
    """The Runtime's hold on one worker process."""

    @property
    def queued_bytes(self) -> int:
        """Count what was written and the worker has not taken yet."""

    def write(self, data: bytes) -> None:
        """Queue bytes for the worker's stdin; never blocks.

        A worker that leaves more than ``MAX_QUEUED_BYTES`` unread is killed as faulty; one that is gone reads nothing.
        """

    def pause_reading(self) -> None:
        """Stop feeding the inlet: the worker blocks once the pipe is full. At its death the rest (one pipe) comes."""

    def resume_reading(self) -> None:
        """Feed the inlet again."""

    def kill(self) -> None:
        """End the worker and its children at once, as a fault: it is started again."""


class Inlet(Protocol):
    """The Runtime's end of one worker's connection; called on the event loop's thread, must not raise."""

    def feed(self, data: bytes) -> None:
        """Take bytes from the worker's protocol stream."""

    def drained(self) -> None:
        """Hear that the worker has read almost all that waited for it, after it had been slow to."""

    def closed(self) -> None:
        """Hear that the process is gone and everything it wrote was fed."""


class Runtime(Protocol):
    """What the pool asks of the Runtime; called on the event loop's thread, must not raise."""

    def attach(self, instance_id: str, outlet: Outlet) -> tuple[Inlet, bytes]:
        """Connect a process that was just started; the bytes are the first it reads (``sdk.hello``)."""

    def worker_lost(self, instance_id: str, final: bool) -> None:
        """Hear of a death that nobody asked for; ``final``: not started again until it is wanted anew (RULES 6)."""

    def choose_victim(self, live: Sequence[str], wanted: str) -> str:
        """Name the one of ``live`` (running, starting or about to) to suspend so that ``wanted`` can run (RULES 3)."""
