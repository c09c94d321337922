"""The end: a clean exit, and what the store knows."""

from __future__ import annotations

from host_bridge.cli.scenes.crash import OPEN_CALL
from host_bridge.cli.stage import Stage


async def tell_story(stage: Stage) -> None:
    """Stop the sidecar, explain the first call, verify the store."""
    stage.check("the sidecar ends with exit code 0 when asked to", await stage.sidecar.stop() == 0)
    stage.check("nothing that was said broke the contract", not stage.sidecar.faults)
    stage.terminal.say("host", f"lineup-sidecar explain {OPEN_CALL}", "app")
    story = await stage.tell("explain", OPEN_CALL)
    stage.terminal.line(story.rstrip())
    stage.check("the store tells the call's story", OPEN_CALL in story)
    stage.terminal.say("host", "lineup-sidecar verify", "app")
    *_, verdict = (await stage.tell("verify")).splitlines()
    stage.check(f"audit chain and store: {verdict}", True)
