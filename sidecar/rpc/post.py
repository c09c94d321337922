"""The post: un-acked outbox rows go to the Host's transport, in order, a window at a time (PROTOCOL 7, RULES 6)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from rpc_schema import limits
from rpc_schema.envelopes import OutgoingEnvelope, Peer
from rpc_schema.notifications import TransportSend
from sidecar.clock import timestamp
from sidecar.rpc.connection import Connection
from sidecar.services.live import Lane
from sidecar.services.unit import Runtime
from sidecar.store import conversations, outbox
from sidecar.store.transaction import Transaction

if TYPE_CHECKING:
    from sidecar.store import tables


class Post:
    """Sends what is committed; what the Host is slow to take waits in the store."""

    def __init__(self, runtime: Runtime, tx: Transaction) -> None:
        self._runtime = runtime
        self._tx = tx
        self._held: set[str] = set()
        self._peer = lru_cache(maxsize=1_000)(self._find_peer)

    def pump(self, conversation_ids: Iterable[str]) -> None:
        """Send what the windows of these conversations have room for."""
        live = self._runtime.live
        if not live.online or not isinstance(live.host, Connection):
            return
        for conversation_id in conversation_ids:
            if not live.host.is_flowing:
                self._held.add(conversation_id)
            else:
                self._pump_one(live.host, conversation_id, live.lane(conversation_id))

    def pump_all(self) -> None:
        """Go on with the conversations that were held back while the Host was slow."""
        if self._held:
            held, self._held = self._held, set()
            self.pump(sorted(held))

    def _pump_one(self, host: Connection, conversation_id: str, lane: Lane) -> None:
        while room := limits.OUTBOX_WINDOW - len(lane.unacked):
            rows, more = outbox.next_after(self._tx, conversation_id, lane.sent_to, room)
            for row in rows:
                if not host.is_flowing:
                    self._held.add(conversation_id)
                    return
                host.tell("transport.send", self._send(row))
                lane.sent_to = row.seq or 0
                lane.unacked.add(row.outbox_id)
            if not more:
                return

    def _send(self, row: tables.OutboxRow) -> TransportSend:
        envelope = OutgoingEnvelope(
            type=row.type,
            message_id=row.outbox_id,
            conversation_id=row.conversation_id,
            payload=json.loads(row.payload),
            sent_at=timestamp(row.created_at),
        )
        return TransportSend(outbox_id=row.outbox_id, peer=self._peer(row.conversation_id), envelope=envelope)

    def _find_peer(self, conversation_id: str) -> Peer:
        conversation = conversations.get(self._tx, conversation_id)
        assert conversation is not None  # noqa: S101 - a row belongs to a conversation
        return Peer(agent_id=conversation.agent_id, conversation_id=conversation_id)
