"""The show, played on the real sidecar: every scene holds, and nothing is left but what was to be kept."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import anyio

from host_bridge.cli.scenes import SCENES


async def test_every_scene_holds_and_nothing_is_left(tmp_path: Path) -> None:
    temporary, kept = tmp_path / "temporary", tmp_path / "kept"
    temporary.mkdir()
    program = [sys.executable, "-m", "host_bridge", "demo", "--keep", str(kept)]
    with anyio.fail_after(120):
        done = await anyio.run_process(program, check=False, env={**os.environ, "TMPDIR": str(temporary)})
    printed = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b""), printed
    assert [title for title in printed.splitlines() if title in {scene.title for scene in SCENES}] == [
        scene.title for scene in SCENES
    ]
    assert "\x1b" not in printed
    assert not re.search(r"✗|FAILED", printed)
    assert list(temporary.iterdir()) == []
    assert (kept / "house.svg").read_text().startswith(("<svg", "<?xml"))
    assert (kept / "lineup.sqlite").exists()
