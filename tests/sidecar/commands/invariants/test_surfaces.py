"""Surfaces and artifacts that do not hold (PROTOCOL 5)."""

from __future__ import annotations

import pytest

from tests.sidecar.commands.conftest import Tamper

CASES = {
    "a state is no object": (
        "UPDATE surface SET state = '[]' WHERE surface_id = '{surface}'",
        "surface surface_id='{surface}': its state is no JSON object",
    ),
    "a state holds a forbidden key": (
        """UPDATE surface SET state = '{"a":{"__proto__":1}}' WHERE surface_id = '{surface}'""",
        "surface_id='{surface}': its state does not hold: The key __proto__ is not allowed",
    ),
    "a state is too large": (
        """UPDATE surface SET state = '{"a":"0"}' WHERE surface_id = '{surface}'""".replace("0", "0" * 1_200_000),
        "surface_id='{surface}': its state does not hold: The state would have",
    ),
    "a state changed without a revision": (
        "UPDATE surface SET revision = revision + 1 WHERE surface_id = '{surface}'",
        "surface_id='{surface}': its revision is 5, yet the audit says 4",
    ),
    "a revision is none": (
        "UPDATE surface SET revision = 0 WHERE surface_id = '{surface}'",
        "surface_id='{surface}': its revision is below 1",
    ),
    "a page is trusted": (
        "UPDATE surface SET container = 'trusted-dom' WHERE surface_id = '{surface}'",
        "surface_id='{surface}': it is shown in trusted-dom, which only chat may be",
    ),
    "a container is unknown": (
        "UPDATE surface SET container = 'window' WHERE surface_id = '{surface}'",
        "surface_id='{surface}': its container window is none",
    ),
    "a surface outlives its instance": (
        "UPDATE surface SET status = 'open' WHERE surface_id = '{cut_off_surface}'",
        "surface_id='{cut_off_surface}': it is open, yet its instance {closed} is closed",
    ),
    "an artifact is another": (
        "UPDATE artifact SET content = substr(content, 2), byte_size = 5",
        "artifact artifact_id='{artifact}': its sha256 is not that of its content",
    ),
    "an artifact is cut": (
        "UPDATE artifact SET content = substr(content, 1, 4)",
        "artifact_id='{artifact}': its content has 4 bytes, it says 6",
    ),
    "an artifact is gone": (
        "DELETE FROM artifact",
        "artifact '{artifact}' of 'conv-main' was made, yet there is no such row",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_it_does_not_hold_that(tamper: Tamper, case: str) -> None:
    sql, words = CASES[case]
    tamper(sql, words)
