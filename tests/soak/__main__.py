"""``python -m tests.soak``: half of what it can do, for long, while its workers are killed at random.

Every accepted call gets one result, and within a minute; memory stays where it is after the first fifth; at the end
nothing is left over and the store is sound. The exit code is 1 where that does not hold.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from benchmarks.driver import Message, Peer, children, result_of, rss_bytes
from host_bridge.command import find_sidecar

BUNDLES = Path(__file__).with_name("bundles")
CONVERSATIONS = ("conversation-1", "conversation-2", "conversation-3")
TEXT = "The quick brown fox jumps over the lazy dog, and the dog lets it be. "

IN_FLIGHT = 32
KILL_EVERY_S = (32.0, 48.0)
"""So seldom that three deaths in a row take longer than the minute in which a third one is final."""

PROMISE_S = 60.0
MAY_GROW = 1.10
"""By how much the memory of the last fifth may exceed that of the second."""


class BrokenError(Exception):
    """A promise was not kept."""


@dataclass
class Seen:
    """What has come of it so far."""

    done: int = 0
    slowest_s: float = 0.0
    kills: int = 0
    memory: list[int] = field(default_factory=list)


class Soak:
    """One sidecar, three conversations with a worker each, and a client that keeps a rate."""

    def __init__(self, folder: Path, chance: Random) -> None:
        self._database = folder / "store.sqlite"
        command = [*find_sidecar(), "--database", str(self._database), "--miniapps", str(BUNDLES)]
        self._peer = Peer(command, folder)
        self._chance = chance
        self._begun: dict[str, float] = {}
        self._count = 0
        self._revision = ""
        self.seen = Seen()

    def begin(self) -> None:
        """Begin a session and the conversations."""
        host = {"name": "soak", "version": "1.0.0"}
        begun = self._peer.request("initialize", {"protocol_version": "1.0", "host": host, "host_run": ["chat"]})
        self._revision = begun["inventory_revision"]
        for conversation_id in CONVERSATIONS:
            self._peer.request("workspace.open", {"agent_id": "agent-1", "conversation_id": conversation_id})
        self._peer.send(self._peer.ask("transport.setOnline", {"online": True}))

    def peak(self, seconds: float) -> float:
        """How many calls a second it does when always asked for more."""
        until, before = time.monotonic() + seconds, self.seen.done
        while time.monotonic() < until:
            self._send(IN_FLIGHT - len(self._begun))
            self._hear()
        self._settle()
        return (self.seen.done - before) / seconds

    def run(self, seconds: float, rate: float) -> None:
        """Ask at that rate; kill a worker now and then; look at the memory every second."""
        begun = time.monotonic()
        asked, next_look, next_kill = 0, begun, begun + self._chance.uniform(*KILL_EVERY_S)
        while (now := time.monotonic()) < begun + seconds:
            due = min(int((now - begun) * rate) - asked, IN_FLIGHT - len(self._begun))
            self._send(due)
            asked = max(asked + due, int((now - begun) * rate) - 10 * IN_FLIGHT)  # what a kill has delayed is let go
            self._hear(wait=bool(self._begun) and due <= 0)
            if now >= next_look:
                self.seen.memory.append(rss_bytes(self._peer.pid))
                next_look += 1.0
            if now >= next_kill:
                self._kill()
                next_kill = now + self._chance.uniform(*KILL_EVERY_S)
        self._settle()

    def end(self) -> None:
        """Hold that nothing is left over and that the store is sound."""
        status = self._peer.request("runtime.status")
        left = {name: status[name] for name in ("outbox_pending", "inbox_pending")}
        if any(left.values()):
            raise BrokenError(f"something is left over: {left}")
        self._peer.end()
        ran = subprocess.run(
            [*find_sidecar(), "verify", "--database", str(self._database)], capture_output=True, text=True, check=False
        )
        if ran.returncode:
            raise BrokenError(ran.stdout + ran.stderr)
        self._check_memory()

    # -- inside
    def _send(self, count: int) -> None:
        self._peer.send(*[self._invoke() for _ in range(max(0, count))])

    def _invoke(self) -> Message:
        self._count += 1
        call_id = f"call-{self._count}"
        self._begun[call_id] = time.monotonic()
        payload = {
            "call_id": call_id,
            "tool_id": "mill.grind",
            "inventory_revision": self._revision,
            "input": {"text": TEXT},
        }
        envelope = {"type": "lineup.v1.tool.invoke", "message_id": call_id, "payload": payload}
        peer = {"agent_id": "agent-1", "conversation_id": CONVERSATIONS[self._count % len(CONVERSATIONS)]}
        return self._peer.ask("transport.deliver", {"peer": peer, "envelope": envelope})

    def _hear(self, *, wait: bool = True) -> None:
        if not wait:
            self._peer.send(self._peer.ask("ping"))  # so that there is something to hear
        acked = [told["outbox_id"] for told in map(self._take, self._peer.receive_all()) if told]
        if acked:
            self._peer.send(self._peer.ask("transport.ack", {"outbox_ids": acked}))
        late = [call_id for call_id, begun in self._begun.items() if time.monotonic() - begun > PROMISE_S]
        if late:
            raise BrokenError(f"no result within {PROMISE_S:g} s: {late}")

    def _take(self, message: Message) -> dict[str, Any] | None:
        if "id" in message:
            answer = result_of(message)
            if answer.get("status") == "rejected":
                raise BrokenError(f"an invoke was refused: {answer}")
            return None
        if message["method"] != "transport.send":
            return None
        told: dict[str, Any] = message["params"]
        if told["envelope"]["type"] == "lineup.v1.tool.result":
            self._end_call(told["envelope"]["payload"])
        return told

    def _end_call(self, payload: dict[str, Any]) -> None:
        begun = self._begun.pop(payload["call_id"], None)
        if begun is None:
            raise BrokenError(f"a second result, or one that nobody asked for: {payload}")
        if (payload["status"], (payload.get("result") or {}).get("text")) != ("completed", TEXT):
            raise BrokenError(f"a call did not complete: {payload}")
        self.seen.done += 1
        self.seen.slowest_s = max(self.seen.slowest_s, time.monotonic() - begun)

    def _settle(self) -> None:
        while self._begun:
            self._hear()
        self._peer.request("ping")

    def _kill(self) -> None:
        workers = children(self._peer.pid)
        if workers:
            os.kill(self._chance.choice(workers), signal.SIGKILL)
            self.seen.kills += 1

    def _check_memory(self) -> None:
        fifth = max(1, len(self.seen.memory) // 5)
        early, late = median(self.seen.memory[fifth : 2 * fifth]), median(self.seen.memory[-fifth:])
        if late > early * MAY_GROW:
            raise BrokenError(f"memory grew from {early / 2**20:.1f} to {late / 2**20:.1f} MiB")


def main() -> int:
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Keep it busy for long, and look.")
    parser.add_argument("--minutes", type=float, default=30, help="how long (default: 30)")
    parser.add_argument("--folder", type=Path, default=Path("build/soak"), help="where the store lies (build/soak)")
    parser.add_argument("--seed", type=int, default=1, help="decides who is killed when (default: 1)")
    options = parser.parse_args()
    folder = options.folder.absolute()
    shutil.rmtree(folder, ignore_errors=True)
    soak = Soak(folder, Random(options.seed))  # noqa: S311 - what is drawn must come back with its seed
    try:
        soak.begin()
        rate = soak.peak(5) / 2
        soak.run(options.minutes * 60, rate)
        soak.end()
    except BrokenError as error:
        sys.stderr.write(f"soak: {error}\n")
        return 1
    seen = soak.seen
    early, *_, late = seen.memory
    sys.stdout.write(
        f"{seen.done} calls, asked for at {rate:.0f} a second, each with one result; the slowest took "
        f"{seen.slowest_s:.1f} s; {seen.kills} workers killed; memory {early / 2**20:.1f} MiB, at the end "
        f"{late / 2**20:.1f} MiB\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
