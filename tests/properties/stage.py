"""The sidecar of all runs: made once, killed and started by them, left tidy by each, given up by one that failed."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from host_bridge.command import find_sidecar
from tests.properties.tools import BUNDLES, HERE
from tests.properties.wire import Wire
from tests.properties.world import World

HOST_RUN = ["chat", "task-dashboard", "whiteboard", "alpha", "beta"]
RUNS_OF_A_STORE = 15
OPTIONS = ["--miniapps", str(BUNDLES), "--policy", str(HERE / "policy.json")]


class Stage:
    """One store after the other. ``runs`` counts the runs, ``revisions`` is what each inventory was called."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._wire: Wire | None = None
        self._ended: list[Wire] = []
        self.runs = 0
        self.revisions: dict[tuple[tuple[str, bool], ...], str] = {}

    def ready(self) -> Wire:
        """The running sidecar."""
        if self.runs % RUNS_OF_A_STORE == 0:
            self._put_away()
        self.runs += 1
        if self._wire is None:
            self._wire = Wire(Path(tempfile.mkdtemp(dir=self._folder)), OPTIONS)
            self._wire.start()
        return self._wire

    def revision(self, enabled: dict[str, bool], revision: str) -> str:
        """Hold that the same inventory has the same revision, and another one another."""
        content = tuple(sorted(enabled.items()))
        assert self.revisions.setdefault(content, revision) == revision
        assert len(set(self.revisions.values())) == len(self.revisions)
        return revision

    def tidy(self, world: World, others: list[str]) -> None:
        """End what the run has left open, so that the next one is alone."""
        wire = self._wire
        assert wire is not None
        for app in (app for app, on in world.enabled.items() if not on):
            wire.call("miniapp.setEnabled", app_scope=app, enabled=True)
        wire.call("transport.setOnline", online=True)
        for where in (one for one in world.conversations if one.opened):
            for instance in (one for one in where.instances if one.live and one.app != "chat"):
                wire.call("miniapp.close", instance_id=instance.id)
            for item in wire.call("renderer.list", conversation_id=where.id)["items"]:
                wire.call("renderer.cancel", interaction_id=item["record"]["interaction_id"])
        self._ack_all(wire, others)

    def _ack_all(self, wire: Wire, ids: list[str]) -> None:
        while True:
            ids += [params["outbox_id"] for method, params in wire.news if method == "transport.send"]
            wire.news.clear()
            if not ids:
                return
            wire.call("transport.ack", outbox_ids=ids)
            wire.call("ping")
            ids = []

    def discard(self) -> None:
        """A run has failed: its sidecar and store are of no use to the next."""
        if self._wire is not None:
            self._wire.kill()
            self._wire = None

    def end(self) -> None:
        """Stop, and hold what must be true of every store and log whatever happened."""
        self._put_away()
        for wire in self._ended:
            check_log(wire)
            verify(wire)

    def _put_away(self) -> None:
        if self._wire is not None:
            assert self._wire.stop() == 0
            self._ended.append(self._wire)
            self._wire = None


def check_log(wire: Wire) -> None:
    """Hold that nothing went wrong inside."""
    log = wire.stderr.read_text(errors="replace")
    assert "Traceback" not in log, log
    assert " ERROR " not in log, log


def verify(wire: Wire) -> None:
    """Hold that its store is sound."""
    command = [*find_sidecar(), "verify", "--database", str(wire.database)]
    verified = subprocess.run(command, capture_output=True, text=True, check=False)
    assert verified.returncode == 0, verified.stdout + verified.stderr
