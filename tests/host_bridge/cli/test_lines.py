"""Lines come from pipes and files alike, whole and in order, and the end is the end for good."""

from __future__ import annotations

import os
from pathlib import Path

import anyio

from host_bridge.cli.lines import LineReader


async def test_a_pipe_is_read_as_it_is_written() -> None:
    reading, writing = os.pipe()
    lines = LineReader(reading)
    os.write(writing, "één\r\nt".encode())
    assert await lines.next() == "één"
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lines.available)
        await anyio.wait_all_tasks_blocked()
        os.write(writing, b"wo\n\nlast")
    assert await lines.next() == "two"
    assert await lines.next() == ""
    os.close(writing)
    assert await lines.next() == "last"
    assert await lines.next() is None
    assert await lines.next() is None
    os.close(reading)


async def test_a_file_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_bytes(b"one\n" + b"x" * 200_000 + b"\n")
    with path.open("rb") as file:
        lines = LineReader(file.fileno())
        assert await lines.next() == "one"
        assert await lines.next() == "x" * 200_000
        assert await lines.next() is None
