"""The session with the Host (PROTOCOL 2)."""

from __future__ import annotations

import sys
from collections.abc import Collection
from functools import partial
from pathlib import Path

from rpc_schema import PROTOCOL_VERSION, limits
from rpc_schema.base import Empty
from rpc_schema.session import (
    AdvanceClockParams,
    AdvanceClockResult,
    AuditListParams,
    AuditListResult,
    InitializeParams,
    InitializeResult,
    RuntimeInfo,
    RuntimeStatusResult,
)
from sidecar.clock import timestamp
from sidecar.services import calls, expiry, inventory, recovery
from sidecar.services.faults import InvalidParams
from sidecar.services.live import Hearer
from sidecar.services.unit import Unit
from sidecar.settings import VERSION
from sidecar.store import audit, inbox, instances, interactions, outbox, tool_calls


def initialize(unit: Unit, params: InitializeParams, host: Hearer) -> InitializeResult:
    """``initialize``: begin a session. What the Host was handed before is void, un-acked rows are sent again."""
    if params.protocol_version.partition(".")[0] != PROTOCOL_VERSION.partition(".")[0]:
        message = f"protocol version {PROTOCOL_VERSION} is supported"
        raise InvalidParams(message, supported=[PROTOCOL_VERSION])
    live = unit.live
    _end_logic(unit, params.host_run)
    live.begin(unit.new_id(), host)
    live.host_version, live.host_run = params.host.version, frozenset(params.host_run)
    live.renderers = tuple(params.renderers)
    live.providers = frozenset(params.capability_providers)
    unit.apps.meet_host(live.host_version, live.host_run, live.providers)
    unit.note(live.session_id, host=params.host.name, host_version=params.host.version)
    recovered = recovery.recovered(unit)
    inventory.tell_everyone(unit)
    unit.lanes.update(outbox.waiting(unit.tx))
    return InitializeResult(
        protocol_version=PROTOCOL_VERSION,
        runtime=RuntimeInfo(name="lineup-runtime", version=VERSION),
        session_id=live.session_id,
        inventory_revision=unit.apps.inventory.revision,
        limits=dict(limits.WIRE_LIMITS),
        recovered=recovered,
    )


def shutdown(unit: Unit, _params: Empty) -> None:
    """``shutdown``: nothing but ``exit`` is taken from now on."""
    unit.live.changing().shutting_down = True
    unit.note(unit.live.session_id)


def ping(_unit: Unit, _params: Empty) -> Empty:
    """``ping``."""
    return Empty()


def status(unit: Unit, _params: Empty) -> RuntimeStatusResult:
    """``runtime.status``: counts, milliseconds since the start, bytes in memory."""
    return RuntimeStatusResult(
        live_workers=unit.runtime.workers.count(),
        instances=instances.count(unit.tx),
        tool_calls_open=tool_calls.count(unit.tx),
        interactions_open=interactions.count(unit.tx),
        outbox_pending=outbox.count(unit.tx),
        inbox_pending=inbox.count(unit.tx),
        uptime_ms=max(0, unit.now - unit.runtime.started_at),
        rss_bytes=_rss_bytes(),
    )


def list_audit(unit: Unit, params: AuditListParams) -> AuditListResult:
    """``audit.list``."""
    found = audit.entries(unit.tx, after=params.after_seq, limit=params.limit, conversation_id=params.conversation_id)
    return AuditListResult(entries=found)


def advance_clock(unit: Unit, params: AdvanceClockParams) -> AdvanceClockResult:
    """``test.advanceClock``: what became overdue by it has ended when this is answered."""
    unit.runtime.clock.advance(params.ms)
    unit.now = unit.runtime.clock.now()
    expiry.run(unit)
    return AdvanceClockResult(now=timestamp(unit.now))


def _end_logic(unit: Unit, host_run: Collection[str]) -> None:
    """What the Host ran it runs no more, and what it is to run now no worker runs, or starts to, any longer."""
    live, workers = unit.live, unit.runtime.workers
    for instance_id in dict.fromkeys([*live.links, *workers.occupied()]):
        link = live.links.get(instance_id)
        row = instances.live(unit.tx, instance_id)
        hosts = link is not None and link.hearer is live.host
        if hosts or row is None or row.app_scope in host_run:
            calls.take_back(unit, instance_id)
            live.unlink(instance_id)
            unit.later.append(partial(workers.end, instance_id, 0))


def _rss_bytes() -> int:
    """Resident memory: now, on macOS at its most."""
    if sys.platform == "win32":
        from sidecar.windows import resident_bytes

        return resident_bytes()
    import resource

    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
