"""The outbox, and what was delivered and decided."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from sidecar.store.core import (
    condition,
    count_where,
    delete_where,
    insert_into,
    rows_where,
    set_where,
    statement,
    table_of,
)
from sidecar.store.tables import IS_PENDING, Delivery, OutboxRow, Receipt

_TABLE = table_of(OutboxRow)
_C = _TABLE.c
_D = table_of(Delivery).c
_R = table_of(Receipt).c
_PENDING = condition(IS_PENDING)
_IN_CONVERSATION = _C.conversation_id == bindparam("conversation_id")
ADD = insert_into(OutboxRow)
GET = rows_where(OutboxRow, _C.outbox_id == bindparam("id"))
NEXT = statement(
    select(_TABLE)
    .where(_IN_CONVERSATION, _PENDING, _C.seq > bindparam("after"))
    .order_by(_C.seq)
    .limit(bindparam("limit"))
)
COUNT_IN = count_where(OutboxRow, _IN_CONVERSATION, _PENDING)
COUNT = count_where(OutboxRow, _PENDING)
WAITING = statement(select(_C.conversation_id).where(_PENDING).distinct().order_by(_C.conversation_id))
ACK = set_where(OutboxRow, ["acked_at"], _C.outbox_id == bindparam("id"), _PENDING)
OF_KEY = rows_where(OutboxRow, _IN_CONVERSATION, _C.unique_key == bindparam("key"))
DROP_PROGRESS = delete_where(
    OutboxRow,
    _IN_CONVERSATION,
    _PENDING,
    _C.seq > bindparam("after"),
    _C.type == "lineup.v1.tool.progress",
    _C.call_id == bindparam("call_id"),
)
GET_DELIVERY = rows_where(
    Delivery, _D.conversation_id == bindparam("conversation_id"), _D.message_id == bindparam("id")
)
ADD_DELIVERY = insert_into(Delivery)
GET_RECEIPT = rows_where(Receipt, _R.conversation_id == bindparam("conversation_id"), _R.control_id == bindparam("id"))
ADD_RECEIPT = insert_into(Receipt)
