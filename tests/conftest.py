"""What holds for the whole suite: an option, and what its header says of the requirements."""

from __future__ import annotations

import pytest

from tests.requirements import REQUIREMENTS


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--write-golden`` writes what the sidecar says now into the golden files, to be read before it is committed."""
    parser.addoption("--write-golden", action="store_true", help="record the golden messages anew")


def pytest_report_header() -> str:
    """How many requirements there are, and how many of them wait for later work."""
    later = sorted(name for name, row in REQUIREMENTS.items() if row.later)
    return f"requirements: {len(REQUIREMENTS)}, {len(later)} of them for later ({', '.join(later)})"
