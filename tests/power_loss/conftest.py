"""What these tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.power_loss.wires import SOURCE
from tests.preload import build


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The watch in front of the C library."""
    return build(SOURCE, tmp_path_factory.mktemp("library"))
