"""Time is the Runtime's: in UTC, whatever the zone of the machine and whatever a peer says (PROTOCOL 1)."""

from __future__ import annotations

import os
import re
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from host_bridge.agent import Agent
from host_bridge.client import Sidecar
from host_bridge.command import find_sidecar, serve_command
from tests.scenarios.stage import CONFIRM, MINUTE, Stage, begin

requirement = pytest.mark.requirement

LEAP = datetime(2028, 2, 29, 23, 59, 30, tzinfo=UTC)
UTC_MS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
ZONES = ["Asia/Tokyo", "America/New_York", "Nowhere/At-All"]


def ahead_ms(moment: datetime) -> int:
    """How far a test clock is ahead that shows that moment."""
    return int((moment.timestamp() - time.time()) * 1_000)


def read(text: str) -> datetime:
    """A time as it was told."""
    assert UTC_MS.fullmatch(text), text
    return datetime.fromisoformat(text)


def times_in(value: Any) -> list[str]:
    """Every time that is told anywhere in it."""
    if isinstance(value, dict):
        own = [one for name, one in value.items() if (name == "at" or name.endswith("_at")) and isinstance(one, str)]
        return own + [time for one in value.values() for time in times_in(one)]
    return [time for one in value for time in times_in(one)] if isinstance(value, list) else []


@requirement("R5-expiry", "R6-expire-at-start", "R2-timeout")
async def test_a_deadline_is_an_instant_across_zones_restarts_and_a_leap_day(
    lineup_options: list[str], tmp_path: Path
) -> None:
    database = tmp_path / "lineup.sqlite"
    command = serve_command(database, *lineup_options)
    asked: list[str] = []
    for number, zone in enumerate(ZONES):
        now = LEAP + timedelta(seconds=20 * number)
        clock = f"--test-clock={ahead_ms(now)}"
        environment = {**os.environ, "TZ": zone}
        async with Sidecar([*command, clock], env=environment) as sidecar, Agent(sidecar, ack=False) as agent:
            await begin(sidecar)
            stage = Stage(sidecar, agent)
            await stage.open()
            await stage.settle()
            _, interaction_id = await stage.ask("confirm", {**CONFIRM, "expires_in_ms": MINUTE})
            asked.append(interaction_id)
            record = (await stage.item(interaction_id))["record"]
            assert read(record["expires_at"]) - read(record["created_at"]) == timedelta(minutes=1)
            assert timedelta() <= read(record["created_at"]) - now < timedelta(minutes=10)
            open_now = [one["record"]["interaction_id"] for one in await stage.items()]
            assert open_now == asked[-len(open_now) :], "the oldest first, and the oldest gone first"
            told = times_in(await stage.audit())
            assert told == sorted(told)
            assert [one for one in [*told, *times_in(await stage.open())] if not UTC_MS.fullmatch(one)] == []
            end = await stage.invoke("probe.brief")
            if zone == ZONES[-1]:
                await stage.advance(MINUTE)
                assert await stage.items() == []
                assert (await stage.result(end) or {})["reason"] == "timeout"
            await sidecar.kill()
    explained = subprocess.run(
        [*find_sidecar(), "explain", asked[0], "--database", str(database)],
        env={**os.environ, "TZ": "Asia/Tokyo"},
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert explained.stdout.startswith(b"All times are UTC.")
    assert b"2028-02-29 23:59:" in explained.stdout or b"2028-02-29T23:59:" in explained.stdout


async def test_what_a_peer_says_of_its_own_time_orders_nothing(stage: Stage) -> None:
    app, _ = await stage.launch()
    said = [
        "2026-08-05T10:00:00Z",
        "2026-08-05T10:00:00+09:00",
        "2026-08-05T10:00:00",
        "2028-02-29T00:00:00Z",
        "2027-02-29T00:00:00Z",
        "2016-12-31T23:59:60Z",
        "9999-12-31T23:59:59.999999999Z",
        "0000-00-00",
        "yesterday",
    ]
    for one in said:
        assert (await stage.say(one, sent_at=one))["status"] == "accepted"
    messages = await app.messages()
    assert [one["payload"]["text"] for one in messages] == said
    created = [read(one["created_at"]) for one in messages]
    assert created == sorted(created)
    for unsound in ("", "x" * 200, 1, None, ["2026"]):
        assert (await stage.say("x", sent_at=unsound))["code"] == "envelope_invalid"
