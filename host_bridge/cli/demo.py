"""``lineup-host demo``: play the scenes; what is claimed is checked."""

from __future__ import annotations

from pathlib import Path

from host_bridge.cli.narrator import Narrator
from host_bridge.cli.scenes import SCENES
from host_bridge.cli.stage import STORE, set_stage
from host_bridge.cli.terminal import Terminal
from host_bridge.errors import HostError


async def play_demo(terminal: Terminal, keep: Path | None, pace: float) -> int:
    """Play all scenes on a fresh store; 0 where every claim held. Raises HostError for the first that did not."""
    if keep is not None:
        make_room(keep)
    terminal.title("The sidecar starts")
    async with set_stage(terminal, folder=keep, pace=pace) as stage:
        stop = Narrator(stage).listen()
        for scene in SCENES:
            terminal.title(scene.title)
            await scene.play(stage)
            await stage.breathe()
        stop()
    terminal.title("Every claim held.")
    return 0


def make_room(folder: Path) -> None:
    """Make the folder to keep things in. Raises HostError where an earlier show was kept there."""
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / STORE).exists():
        raise HostError(f"{folder} keeps an earlier show already: name another folder")
