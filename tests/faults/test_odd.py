"""A MiniApp whose values have no JSON form fails its own call, and nothing of them leaves it (PROTOCOL 1.1)."""

from __future__ import annotations

import pytest

from tests.faults.house import House
from tests.faults.logic.odd import VALUES

pytestmark = pytest.mark.anyio

DOES = ["complete", "fail", "progress", "update", "emit", "ask", "want"]
CASES = [f"complete with {value}" for value in VALUES] + [
    f"{does} with {value}" for does in DOES[1:] for value in ("nan", "a lone surrogate")
]


@pytest.mark.requirement("R6-others-unaffected")
async def test_a_value_that_is_no_json_fails_its_call_and_the_next_one_goes_well(house: House) -> None:
    for how in CASES:
        ended = await house.run("odd", how)
        assert (ended["status"], ended.get("error", {}).get("code")) == ("failed", "app_error"), how
        assert (await house.run("odd", tool="other"))["result"] == {"ok": True, "note": "\U0001f600 é漢—"}
    assert (await house.instance("odd"))["state"] == "foreground"
