"""A Host that is a process of its own: it starts the sidecar, and dies while the sidecar is at its point.

At the point the sidecar says so and waits. The Host hears all that was said until then, and falls, alone or with all
that it has started. Its death is what lets a sidecar that it leaves behind go on.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import select
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, NoReturn

from tests.properties.wire import PATIENCE_S
from tests.reliability.doomed_wire import DoomedWire, Plan
from tests.reliability.judge import Verdict
from tests.reliability.meeting import Meeting
from tests.reliability.play import Play
from tests.reliability.points import HOST, TREE
from tests.reliability.processes import kill_below


class DyingHost(DoomedWire):
    """The wire of such a Host; ``journal`` outlives it."""

    def __init__(self, like: DoomedWire, plan: Plan, victim: str, journal: Connection) -> None:
        super().__init__(like.folder, like.options, {**plan, "meeting": str(like.folder)})
        self.ahead_ms = like.ahead_ms
        self._victim = victim
        self._journal = journal
        self._meeting = Meeting(like.folder)

    def start(self) -> None:
        """Start the sidecar; the journal has its pid."""
        super().start()
        assert self._process is not None
        self._journal.send(("sidecar", self._process.pid))

    def remember(self, play: Play) -> None:
        """Let the journal have what is known by now."""
        self._journal.send(("memory", play.memory()))

    def hear_last(self) -> NoReturn:
        """Hear all that is still said, and fall."""
        while True:
            self._wait()
            self._read()

    def ask_half(self, method: str, params: dict[str, Any]) -> NoReturn:
        """Fall while asking."""
        line = json.dumps(self._request(method, params)).encode()
        os.write(self._input().fileno(), line[: len(line) // 2])
        self._fall()

    # -- inside
    def _wait(self) -> None:
        said, reached = self._output(), self._meeting.reached
        ready, _, _ = select.select([said, reached], [], [], PATIENCE_S)
        assert ready, f"nothing happens within {PATIENCE_S:g} s"
        if reached in ready:
            while select.select([said], [], [], 0)[0]:
                self._read()
            self._fall()

    def _read(self) -> None:
        known = len(self._messages)
        super()._read()
        self._journal.send(("heard", self._messages[known:]))

    def _fall(self) -> NoReturn:
        if self._victim == TREE:
            kill_below()
        os.kill(os.getpid(), signal.SIGKILL)
        raise SystemExit  # never reached


class Death:
    """How a Host died, and what it knew: ``memory`` as it last was, ``heard`` is what was said after it."""

    def __init__(self, victim: str) -> None:
        self.sidecar = 0
        self.memory: dict[str, Any] = {}
        self.heard: list[dict[str, Any]] = []
        self._victim = victim

    def note(self, what: str, told: Any) -> None:
        """Take an entry of the journal."""
        if what == "sidecar":
            self.sidecar = told
        elif what == "memory":
            self.memory, self.heard = told, []
        else:
            self.heard += told

    def see_off(self, verdict: Verdict) -> None:
        """Wait for the end of what the Host has left behind."""
        verdict.see_off({self.sidecar: 0 if self._victim == HOST else -signal.SIGKILL})

    def tell(self, play: Play, after: Callable[[Play, Any], None]) -> bool:
        """Let the one who comes after know it all; whether the last request was answered."""
        play.remember(self.memory)
        answered = False
        for message in self.heard:
            if "method" in message:
                play.wire.news.append((message["method"], message["params"]))
            elif self.memory:
                play.hear()
                after(play, message["result"])
                answered = True
        play.hear()
        return answered


def let_die(wire: DoomedWire, plan: Plan, victim: str, live: Callable[[DyingHost], None]) -> Death:
    """Let a Host live, on the store that a wire has, until its sidecar is at its point."""
    Meeting.prepare(wire.folder)
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    host = context.Process(target=lambda: live(DyingHost(wire, plan, victim, theirs)))
    host.start()
    theirs.close()
    death = Death(victim)
    try:
        while True:
            death.note(*ours.recv())
    except EOFError:
        host.join()
    ours.close()
    assert host.exitcode == -signal.SIGKILL, "the point was not reached"
    return death
