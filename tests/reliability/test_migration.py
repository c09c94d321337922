"""A store that a newer program has brought up is nothing for an older one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.properties.wire import Gone
from tests.reliability.doomed_wire import DoomedWire
from tests.reliability.migrations import look
from tests.reliability.points import NEWER
from tests.reliability.requests import probes


def test_an_older_program_leaves_a_newer_store_as_it_is(tmp_path: Path) -> None:
    wire = DoomedWire(tmp_path, probes(), {"faults": [NEWER]})
    wire.start()
    assert wire.call("ping") == {}
    wire.end()
    before = look(wire.database)
    wire.plan = {}
    wire.start()
    with pytest.raises(Gone):
        wire.call("ping")
    assert wire._process is not None
    assert wire._process.wait(10) == 4
    wire.end()
    assert look(wire.database) == before
