"""What is measured, and how: both sides live in the same run and take turns, so that what the machine does meanwhile
happens to both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.driver import children, cpu_seconds, rss_bytes
from benchmarks.floor import Floor
from benchmarks.sides import Mcp, Side, Sidecar

IN_FLIGHT = 64
_BLOCK = 20
_FLOOD = 5 * IN_FLIGHT


@dataclass
class Samples:
    """What one side gave: seconds, loops a second, or bytes."""

    values: list[float] = field(default_factory=list)

    @property
    def p50(self) -> float:
        """The median."""
        return median(self.values)

    @property
    def p95(self) -> float:
        """What 95 of 100 stay below."""
        ordered = sorted(self.values)
        return ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]


@dataclass
class Results:
    """All samples of one run. Those of the MCP SDK are empty where it takes no part."""

    ping: dict[str, Samples]
    loop: dict[str, Samples]
    rate: dict[str, Samples]
    cpu: dict[str, Samples]
    to_initialize: dict[str, Samples]
    to_ping: dict[str, Samples]
    memory: dict[str, Samples]
    worker: dict[str, Samples]


class Bench:
    """One run. ``other`` is None where the Runtime is measured alone; ``seconds`` is the time for each measure."""

    def __init__(self, folder: Path, sidecar: Sequence[str], other: Sequence[str] | None, seconds: float) -> None:
        self._folder = folder
        self._sidecar = sidecar
        self._other = other
        self._seconds = seconds
        self._fresh = count(1)

    def run(self) -> Results:
        """Take every measure, one after the other."""
        with ExitStack() as stack:
            sides = self._sides(stack)
            floor = stack.enter_context(Floor(self._folder / "floor"))
            for side in sides.values():
                side.initialize()
                side.prepare()
                side.flood(_FLOOD, IN_FLIGHT)  # so that nothing is measured that happens only once
            ping = self._alternate({name: _repeat(_time(side.ping), _BLOCK) for name, side in sides.items()})
            loops = {**{name: side.loop for name, side in sides.items()}, "floor": floor.loop}
            loop = self._alternate({name: _repeat(one, _BLOCK) for name, one in loops.items()})
            cpu = {name: Samples() for name in sides}
            rate = self._alternate({name: _rate(side, cpu[name]) for name, side in sides.items()})
        to_initialize, memory = self._starts()
        return Results(ping, loop, rate, cpu, to_initialize, self._first_pings(), memory, self._worker())

    def _alternate(self, blocks: dict[str, Callable[[], list[float]]]) -> dict[str, Samples]:
        """Run the blocks in turn, forwards and backwards, until the time is over."""
        samples = {name: Samples() for name in blocks}
        order = list(blocks)
        end = perf_counter() + self._seconds
        while perf_counter() < end or not all(one.values for one in samples.values()):
            for name in order:
                samples[name].values += blocks[name]()
            order.reverse()
        return samples

    def _starts(self) -> tuple[dict[str, Samples], dict[str, Samples]]:
        memory: dict[str, Samples] = {}

        def start(name: str, make: Callable[[], Side]) -> Callable[[], list[float]]:
            def run() -> list[float]:
                with make() as side:
                    side.initialize()
                    taken = perf_counter() - side.started
                    side.ping()
                    memory.setdefault(name, Samples()).values.append(rss_bytes(side.pid))
                return [taken]

            return run

        makers = {**self._makers(), "new store": self._on_new_store}
        taken = self._alternate({name: start(name, make) for name, make in makers.items()})
        memory.pop("new store")
        return taken, memory

    def _first_pings(self) -> dict[str, Samples]:
        def start(make: Callable[[], Side]) -> Callable[[], list[float]]:
            def run() -> list[float]:
                with make() as side:
                    side.ping()
                    return [perf_counter() - side.started]

            return run

        return self._alternate({name: start(make) for name, make in self._makers().items()})

    def _worker(self) -> dict[str, Samples]:
        memory = Samples()

        def start() -> list[float]:
            with self._on_new_store() as side:
                side.initialize()
                taken = side.ready_worker()
                memory.values += [rss_bytes(pid) for pid in children(side.pid)]
            return [taken]

        ready = self._alternate({"ready": start})
        return {**ready, "memory": memory}

    # -- the sides
    def _sides(self, stack: ExitStack) -> dict[str, Side]:
        return {name: stack.enter_context(make()) for name, make in self._makers().items()}

    def _makers(self) -> dict[str, Callable[[], Side]]:
        makers: dict[str, Callable[[], Side]] = {"ours": lambda: Sidecar(self._sidecar, self._folder / "sidecar")}
        other = self._other
        if other is not None:
            makers["mcp"] = lambda: Mcp(other, self._folder / "mcp")
        return makers

    def _on_new_store(self) -> Sidecar:
        return Sidecar(self._sidecar, self._folder / f"sidecar-{next(self._fresh)}")


def _time(act: Callable[[], None]) -> Callable[[], float]:
    def run() -> float:
        begun = perf_counter()
        act()
        return perf_counter() - begun

    return run


def _repeat(one: Callable[[], float], times: int) -> Callable[[], list[float]]:
    return lambda: [one() for _ in range(times)]


def _rate(side: Side, cpu: Samples) -> Callable[[], list[float]]:
    def run() -> list[float]:
        before = cpu_seconds(side.pid)
        taken = side.flood(_FLOOD, IN_FLIGHT)
        cpu.values.append((cpu_seconds(side.pid) - before) / _FLOOD)
        return [_FLOOD / taken]

    return run
