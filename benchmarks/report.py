"""The results as a Markdown table, with what they were measured on."""

from __future__ import annotations

import os
import platform
import sqlite3
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.measures import IN_FLIGHT, Results, Samples

_US, _MS, _MIB, _ONE = (1e6, "µs"), (1e3, "ms"), (1 / 2**20, "MiB"), (1.0, "/s")
Unit = tuple[float, str]

_HEAD = "| what | Runtime | MCP SDK | ratio | target | later |\n| --- | ---: | ---: | ---: | ---: | ---: |"


def write_report(results: Results) -> str:
    """The whole of ``results.md``."""
    rows = [
        _row("`ping` round trip, p50", results.ping, _US, "≤ 0.5"),
        _row("`ping` round trip, p95", results.ping, _US, p95=True),
        _row("Tool loop, durable on our side only, p50", results.loop, _US, "≤ 1.5", "≤ 1.0"),
        _row("Tool loop, durable on our side only, p95", results.loop, _US, p95=True),
        _row(f"Tool loops a second, {IN_FLIGHT} in flight", results.rate, _ONE, "≥ 1.5", "≥ 4"),
        _row("processor time of one of these loops", results.cpu, _US),
        _row("start to answered `initialize`", results.to_initialize, _MS, "≤ 1.0", "≤ 0.7"),
        _row("start to first `ping`", results.to_ping, _MS, "", "≤ 0.15"),
        _row("idle memory after `initialize` (RSS)", results.memory, _MIB, "≤ 1.0", "≤ 0.85"),
        _floor_row(results.loop),
        _alone("start to answered `initialize`, new store", results.to_initialize["new store"], _MS),
        _alone("worker process ready, from `workspace.open`", results.worker["ready"], _MS),
        _alone("memory of a worker process (RSS)", results.worker["memory"], _MIB),
    ]
    return "\n".join(["# Measured side by side", "", machine(), "", _HEAD, *rows, "", _NOTES])


_NOTES = """\
Medians of one run in which the sides took turns; the ratio is the Runtime's value by the other's. Both sides were
driven by the same blocking client over pipes. A Tool loop of the MCP SDK is one `tools/call` that stores nothing; ours
is an Agent's invoke committed to disk, handed to a MiniApp that the Host runs, its result committed to disk and heard.
With many in flight the acknowledgements of results are part of the time. The floor is SQLite alone, in the driver's own
process, writing comparable rows in two commits to the same disk; there the ratio is the Runtime's loop by the floor.
"""


def machine() -> str:
    """What this was measured on, in one line."""
    system = f"{platform.system()} {platform.machine()}"
    python = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    versions = [f"{name} {found}" for name in ("lineup-runtime", "mcp") if (found := _version(name))]
    return ", ".join([_cpu(), f"{os.cpu_count()} cores", system, python, *versions])


def _cpu() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown CPU")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _row(what: str, sides: dict[str, Samples], unit: Unit, target: str = "", later: str = "", p95: bool = False) -> str:
    ours, other = (_value(sides.get(name), p95) for name in ("ours", "mcp"))
    ratio = "-" if ours is None or other is None else f"{ours / other:.2f}"
    return f"| {what} | {_text(ours, unit)} | {_text(other, unit)} | {ratio} | {target} | {later} |"


def _floor_row(loop: dict[str, Samples]) -> str:
    floor, ours = loop["floor"].p50, loop["ours"].p50
    return f"| the floor: two bare commits, p50 | {_text(floor, _US)} | - | {ours / floor:.2f} |  | ≤ 2.0 |"


def _alone(what: str, samples: Samples, unit: Unit) -> str:
    return f"| {what} | {_text(samples.p50, unit)} | - | - |  |  |"


def _value(samples: Samples | None, p95: bool) -> float | None:
    if samples is None:
        return None
    return samples.p95 if p95 else samples.p50


def _text(value: float | None, unit: Unit) -> str:
    if value is None:
        return "-"
    scale, name = unit
    shown = value * scale
    return f"{shown:,.0f} {name}" if shown >= 100 else f"{shown:.1f} {name}"
