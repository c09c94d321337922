"""A MiniApp that writes where it should not, or reaches for what is not its own, gets nowhere."""

from __future__ import annotations

import socket

import pytest

from tests.faults.house import House

pytestmark = pytest.mark.anyio


async def test_what_a_miniapp_prints_reaches_the_log_and_never_the_protocol(house: House) -> None:
    assert await house.note("chatters") == "''"
    for said in ("said while it is imported", "without an end", "to the first one", '"method": "exit"', "logged"):
        await house.logged(said)
    assert "\x1b" not in house.sidecar.stderr_tail, "no escape sequence steers a terminal"


async def test_a_flood_on_stderr_is_cut_and_its_author_goes_on(house: House) -> None:
    call = await house.invoke("screams")
    await house.others_are_well()
    assert (await call.result(60))["status"] == "completed"
    await house.logged("lines dropped")


@pytest.mark.requirement("C-guarded-logic", "R8-nothing-handed-out")
async def test_every_door_that_a_miniapp_has_no_business_with_is_shut(house: House) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        database = house.sidecar.command[house.sidecar.command.index("--database") + 1]
        assert await house.note("reaches", f"{database} {server.getsockname()[1]}") == ""
        with pytest.raises(BlockingIOError):
            server.accept()
