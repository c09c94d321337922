"""The story with a real worker: a MiniApp that the Runtime runs asks, answers and ends, whoever dies meanwhile.

It is told by what is there, not by what was done, so that it can be begun again at any point.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from tests.properties.wire import PATIENCE_S
from tests.reliability.play import PASSING, Play, View
from tests.reliability.play import Wire as PlainWire

LOOK_AGAIN_S = 0.05
STEADY = Path(__file__).with_name("steady")
ASK, DO = "ask", "do"


class Wire(PlainWire, Protocol):
    """A wire that can be waited at."""

    def has_news(self, seconds: float = ..., /) -> bool:
        """Wait until something is said, or it is gone."""


class Errand:
    """What Host and Agent do; ``seen`` is the workspace at its fullest and at its end."""

    def __init__(self, play: Play, wire: Wire) -> None:
        self.play = play
        self.wire = wire
        self.seen: list[View] = []

    def run(self) -> None:
        """From the first call to the closed instance."""
        self._invoke(ASK)
        self._until(lambda: self._questions() or self._is_told(ASK))
        method, params = self.play.deliver("message", {"text": "hi"}, "hi", app_scope="steady")
        self.play.call(method, **params)
        self._invoke(DO)
        self._until(lambda: self._is_told(DO))
        self._until(lambda: self._status("inbox_pending") == 0)
        for question in self._questions():
            self.play.call("renderer.submit", interaction_id=question, result={"approved": True})
        self._until(lambda: self._is_told(ASK))
        self._until(self._is_there)
        if self._instances():
            self.seen = [self._see()]
        for instance_id in self._instances():
            self.play.call("miniapp.close", instance_id=instance_id)
        self._until(lambda: self._status("live_workers") == 0)
        self.play.call("ping")
        self.play.call("transport.ack", outbox_ids=list(self.play.held))
        self.play.acked, self.play.held = [*self.play.acked, *self.play.held], []
        self.seen.append(self.play.see())

    def told(self) -> list[str]:
        """Everything that the Agent ever heard, each row once, but for how far it was."""
        rows = [row for row in self.play.rows.values() if row["type"] != "tool.progress"]
        return sorted(PASSING.sub("<>", json.dumps(row)) for row in rows)

    # -- inside
    def _invoke(self, name: str) -> None:
        self.play.snapshot()
        self.play.call("ping")
        [*_, told] = [row for row in self.play.rows.values() if row["type"] == "client.inventory"]
        revision = told["payload"]["revision"]
        payload = {"call_id": name, "tool_id": f"steady.{name}", "inventory_revision": revision, "input": {}}
        method, params = self.play.deliver("tool.invoke", payload, f"invoke {name}")
        self.play.call(method, **params)

    def _until(self, condition: Callable[[], Any]) -> None:
        """Look again with each news, and now and then: of an acknowledgement, say, the Host is not told."""
        end = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < end, "nothing happens any more"
            self.wire.has_news(LOOK_AGAIN_S)
            self.play.call("ping")

    def _is_told(self, call_id: str) -> bool:
        return call_id in self.play.results()

    def _questions(self) -> list[str]:
        return [one["record"]["interaction_id"] for one in self.play.snapshot()["interactions"]]

    def _instances(self) -> list[str]:
        instances = self.play.snapshot()["instances"]
        return [one["instance_id"] for one in instances if one["app_scope"] == "steady"]

    def _is_there(self) -> bool:
        """Whether a worker that died is back, or the instance closed."""
        instances = self.play.snapshot()["instances"]
        return all(one["state"] in ("foreground", "background") for one in instances if one["app_scope"] == "steady")

    def _status(self, name: str) -> int:
        count: int = self.play.call("runtime.status")[name]
        return count

    def _see(self) -> View:
        view = self.play.see()
        surfaces = [one["surface_id"] for one in self.play.snapshot()["surfaces"]]
        states = [self.play.call("surface.attach", surface_id=one)["state"] for one in surfaces]
        view["state"]["shown"] = json.loads(PASSING.sub("<>", json.dumps(states)))
        view["state"]["surfaces"] = [one[:2] for one in view["state"]["surfaces"]]
        view["outbox"] = []
        return view


def write_steady(folder: Path, doom: str = "") -> tuple[list[str], int | None]:
    """Write the MiniApp, with the place where its worker's first life ends; its options, and the pipe to close."""
    bundle = folder / "bundles" / "steady"
    shutil.copytree(STEADY, bundle)
    pipe = None
    if doom:
        os.mkfifo(bundle / "doom")
        pipe = os.open(bundle / "doom", os.O_RDWR)
        os.write(pipe, doom.encode())
    return ["--miniapps", str(bundle.parent)], pipe
