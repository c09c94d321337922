"""Somebody sets the clock by half a day under running deadlines (RULES 1, 5 and 6)."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.command import find_sidecar, serve_command
from tests.faults.bundles import write_bundles
from tests.faults.house import House
from tests.preload import build

pytestmark = pytest.mark.anyio

HALF_A_DAY = 12 * 3_600
TIMEOUT_S = 3
SOURCE = Path(__file__).with_name("clock_jump.c")
CONFIRM = {"title": "Sure?", "prompt": "Now?"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What sets the clock of one process."""
    return build(SOURCE, tmp_path_factory.mktemp("clock"))


@pytest.fixture
def set_clock(tmp_path: Path) -> Callable[[int], None]:
    """Set the clock so many seconds ahead of what it was at first."""
    jump = tmp_path / "jump"

    def set_clock(seconds: int) -> None:
        jump.write_text(f"{seconds:+020}")  # always as long, so that no reader sees half of it

    set_clock(0)
    return set_clock


@pytest.fixture
async def house(tmp_path: Path, library: Path, set_clock: Callable[[int], None]) -> AsyncIterator[House]:
    """A conversation on a sidecar of the system's own clock, which can be set; ``deaf`` has but three seconds."""
    options = write_bundles(tmp_path)
    manifest = tmp_path / "bundles" / "deaf" / "manifest.json"
    content = json.loads(manifest.read_text())
    content["tools"][0]["timeout_ms"] = TIMEOUT_S * 1_000
    manifest.write_text(json.dumps(content))
    env = {**os.environ, "LD_PRELOAD": str(library), "LINEUP_JUMP": str(tmp_path / "jump")}
    async with Sidecar(serve_command(tmp_path / "lineup.sqlite", *options), env=env) as sidecar:
        await sidecar.initialize(host_run=["chat"])
        async with Agent(sidecar) as agent:
            house = House(sidecar, agent)
            await house.snapshot()
            yield house
    assert not sidecar.faults


async def last_entry(house: House) -> dict[str, Any]:
    """The newest entry of the audit."""
    return (await house.audit())[-1]


def moment(entry: dict[str, Any]) -> datetime:
    """When it was."""
    return datetime.fromisoformat(entry["at"])


def verified(house: House) -> None:
    """See that the store holds, as ``verify`` reads it."""
    database = house.sidecar.command[house.sidecar.command.index("--database") + 1]
    found = subprocess.run([*find_sidecar(), "verify", "--database", database], capture_output=True, check=False)
    assert found.returncode == 0, found.stdout


@pytest.mark.requirement("R2-timeout")
@pytest.mark.parametrize("jumps", [(0,), (0, -HALF_A_DAY)], ids=str)
async def test_a_clock_that_is_set_back_brings_no_deadline_forward_and_moves_none_away(
    house: House, set_clock: Callable[[int], None], jumps: tuple[int, ...]
) -> None:
    set_clock(HALF_A_DAY)  # ahead, from where it is set right
    asked = await house.agent.ask("confirm", CONFIRM)
    before = await last_entry(house)
    begun = time.monotonic()
    call = await house.invoke("deaf")
    for seconds in jumps:
        set_clock(seconds)
        await house.others_are_well()
    ended = await call.result(30)
    assert (ended["status"], ended["reason"]) == ("expired", "timeout")
    assert time.monotonic() - begun > TIMEOUT_S - 0.5, "not early"
    [item] = (await house.call("renderer.list", conversation_id=house.agent.conversation_id))["items"]
    assert item["record"]["call_id"] == asked.call_id
    after = await last_entry(house)
    assert after["seq"] > before["seq"]
    assert 0 <= (moment(after) - moment(before)).total_seconds() < 60, "the audit goes on in its order"
    verified(house)


@pytest.mark.requirement("R5-expiry")
async def test_a_clock_that_is_set_forward_ends_what_is_overdue_by_it_and_nothing_else(
    house: House, set_clock: Callable[[int], None]
) -> None:
    short = await house.agent.ask("confirm", CONFIRM)
    long = await house.agent.ask("confirm", {**CONFIRM, "expires_in_ms": 86_400_000})
    set_clock(HALF_A_DAY)
    ended = await short.result(30)
    assert (ended["status"], ended["reason"]) == ("expired", "never_presented")
    await house.others_are_well()
    set_clock(0)
    await house.others_are_well()
    [item] = (await house.call("renderer.list", conversation_id=house.agent.conversation_id))["items"]
    assert item["record"]["call_id"] == long.call_id
    call = await house.invoke("deaf")
    assert (await call.result(30))["reason"] == "timeout", "set back, and its three seconds are three seconds"
    verified(house)


async def test_ids_and_outbox_rows_keep_their_order_across_a_life_in_the_past(
    house: House, set_clock: Callable[[int], None]
) -> None:
    await house.others_are_well()
    await house.sidecar.kill()
    set_clock(-HALF_A_DAY)
    await house.sidecar.start()
    await house.sidecar.initialize(host_run=["chat"])
    await house.snapshot()
    await house.others_are_well()
    sent = [news.params["outbox_id"] for news in house.sidecar.seen("transport.send")]
    first_sent = list(dict.fromkeys(sent))
    assert first_sent == sorted(first_sent)
    verified(house)
