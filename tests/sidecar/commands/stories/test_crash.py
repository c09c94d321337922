"""What is told of a MiniApp whose process dies, comes back, and dies for good (RULES 6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from host_bridge.agent import Agent
from host_bridge.pytest_plugin import StartSidecar
from tests.scenarios.bundles import write_workers
from tests.scenarios.stage import Stage
from tests.sidecar.commands.conftest import Run
from tests.sidecar.commands.stories.conftest import sentences


@pytest.fixture
def lineup_options(tmp_path: Path) -> list[str]:
    """Give the sidecars of these tests a MiniApp that a worker runs."""
    return write_workers(tmp_path, 1)


async def test_each_death_and_the_end_are_told(lineup_start: StartSidecar, lineup_database: Path, run: Run) -> None:
    sidecar = await lineup_start()
    await sidecar.initialize(host_run=["chat"])
    async with Agent(sidecar, ack=False) as agent:
        stage = Stage(sidecar, agent)
        await stage.open()
        await stage.invoke("crew-0.run", {"do": "exit"}, call_id="call-deadly")
        failed = await sidecar.wait_for("miniapp.failed", timeout=60)
    app = "the MiniApp crew-0"
    told = sentences(run("explain", "call-deadly", "--database", lineup_database).out, {})
    events = [line.removeprefix("[time]  ") for line in told if line.startswith("[time]")]
    death = (
        "It went back to waiting, since the MiniApp's process ended: whether it was done is not known, so it will be"
        " handed over again."
    )
    assert events[1:] == [
        f"It was handed to {app}, which has been working on it since.",
        death,
        f"It was handed to {app} again (time 2), marked as one that it may have seen before.",
        death,
        f"It was handed to {app} again (time 3), marked as one that it may have seen before.",
        death,
        "It failed: the MiniApp stopped working, again and again.",
    ]
    instance = sentences(run("explain", failed["instance_id"], "--database", lineup_database).out, {})
    assert "[time]  The Runtime gave it up: its process died three times within a minute." in instance
    assert "[time]  The call “call-deadly” ended: failed." in instance
    assert run("verify", "--database", lineup_database).code == 0
