"""Made by ``python -m sidecar.store.export``: do not edit."""

from sidecar.store.statement import Statement

ACK = Statement('UPDATE outboxrow SET acked_at=? WHERE outboxrow.outbox_id = ? AND acked_at IS NULL', ('acked_at', 'id'), ())

ADD = Statement('INSERT INTO outboxrow (outbox_id, conversation_id, type, payload, call_id, unique_key, created_at, acked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)', ('outbox_id', 'conversation_id', 'type', 'payload', 'call_id', 'unique_key', 'created_at', 'acked_at'), ())

ADD_DELIVERY = Statement('INSERT INTO delivery (conversation_id, message_id, code, message, receipt, created_at) VALUES (?, ?, ?, ?, ?, ?)', ('conversation_id', 'message_id', 'code', 'message', 'receipt', 'created_at'), ())

ADD_RECEIPT = Statement('INSERT INTO receipt (conversation_id, control_id, call_id, outcome, created_at) VALUES (?, ?, ?, ?, ?)', ('conversation_id', 'control_id', 'call_id', 'outcome', 'created_at'), ())

COUNT = Statement('SELECT count(*) AS count_1 FROM outboxrow WHERE acked_at IS NULL', (), ())

COUNT_IN = Statement('SELECT count(*) AS count_1 FROM outboxrow WHERE outboxrow.conversation_id = ? AND acked_at IS NULL', ('conversation_id',), ())

DROP_PROGRESS = Statement('DELETE FROM outboxrow WHERE outboxrow.conversation_id = ? AND acked_at IS NULL AND outboxrow.seq > ? AND outboxrow.type = ? AND outboxrow.call_id = ?', ('conversation_id', 'after', 'type_1', 'call_id'), (), {'type_1': 'lineup.v1.tool.progress'})

GET = Statement('SELECT outboxrow.seq, outboxrow.outbox_id, outboxrow.conversation_id, outboxrow.type, outboxrow.payload, outboxrow.call_id, outboxrow.unique_key, outboxrow.created_at, outboxrow.acked_at FROM outboxrow WHERE outboxrow.outbox_id = ?', ('id',), ('seq', 'outbox_id', 'conversation_id', 'type', 'payload', 'call_id', 'unique_key', 'created_at', 'acked_at'))

GET_DELIVERY = Statement('SELECT delivery.seq, delivery.conversation_id, delivery.message_id, delivery.code, delivery.message, delivery.receipt, delivery.created_at FROM delivery WHERE delivery.conversation_id = ? AND delivery.message_id = ?', ('conversation_id', 'id'), ('seq', 'conversation_id', 'message_id', 'code', 'message', 'receipt', 'created_at'))

GET_RECEIPT = Statement('SELECT receipt.seq, receipt.conversation_id, receipt.control_id, receipt.call_id, receipt.outcome, receipt.created_at FROM receipt WHERE receipt.conversation_id = ? AND receipt.control_id = ?', ('conversation_id', 'id'), ('seq', 'conversation_id', 'control_id', 'call_id', 'outcome', 'created_at'))

NEXT = Statement('SELECT outboxrow.seq, outboxrow.outbox_id, outboxrow.conversation_id, outboxrow.type, outboxrow.payload, outboxrow.call_id, outboxrow.unique_key, outboxrow.created_at, outboxrow.acked_at FROM outboxrow WHERE outboxrow.conversation_id = ? AND acked_at IS NULL AND outboxrow.seq > ? ORDER BY outboxrow.seq  LIMIT ?', ('conversation_id', 'after', 'limit'), ('seq', 'outbox_id', 'conversation_id', 'type', 'payload', 'call_id', 'unique_key', 'created_at', 'acked_at'))

OF_KEY = Statement('SELECT outboxrow.seq, outboxrow.outbox_id, outboxrow.conversation_id, outboxrow.type, outboxrow.payload, outboxrow.call_id, outboxrow.unique_key, outboxrow.created_at, outboxrow.acked_at FROM outboxrow WHERE outboxrow.conversation_id = ? AND outboxrow.unique_key = ?', ('conversation_id', 'key'), ('seq', 'outbox_id', 'conversation_id', 'type', 'payload', 'call_id', 'unique_key', 'created_at', 'acked_at'))

WAITING = Statement('SELECT DISTINCT outboxrow.conversation_id FROM outboxrow WHERE acked_at IS NULL ORDER BY outboxrow.conversation_id', (), ('conversation_id',))
