"""Made by ``python -m sidecar.store.export``: do not edit."""

from sidecar.store.statement import Statement

ACK = Statement('UPDATE inboxmessage SET acked_at=? WHERE inboxmessage.message_id = ? AND acked_at IS NULL', ('acked_at', 'id'), ())

ADD = Statement('INSERT INTO inboxmessage (message_id, instance_id, conversation_id, app_scope, type, payload, created_at, acked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)', ('message_id', 'instance_id', 'conversation_id', 'app_scope', 'type', 'payload', 'created_at', 'acked_at'), ())

COUNT = Statement('SELECT count(*) AS count_1 FROM inboxmessage WHERE acked_at IS NULL', (), ())

COUNT_EVENTS = Statement('SELECT count(*) AS count_1 FROM inboxmessage WHERE inboxmessage.instance_id = ? AND acked_at IS NULL AND inboxmessage.type = ?', ('instance_id', 'type_1'), (), {'type_1': 'surface.event'})

COUNT_OF = Statement('SELECT count(*) AS count_1 FROM inboxmessage WHERE inboxmessage.instance_id = ? AND acked_at IS NULL', ('instance_id',), ())

GET = Statement('SELECT inboxmessage.seq, inboxmessage.message_id, inboxmessage.instance_id, inboxmessage.conversation_id, inboxmessage.app_scope, inboxmessage.type, inboxmessage.payload, inboxmessage.created_at, inboxmessage.acked_at FROM inboxmessage WHERE inboxmessage.message_id = ?', ('id',), ('seq', 'message_id', 'instance_id', 'conversation_id', 'app_scope', 'type', 'payload', 'created_at', 'acked_at'))

LIST = Statement('SELECT inboxmessage.seq, inboxmessage.message_id, inboxmessage.instance_id, inboxmessage.conversation_id, inboxmessage.app_scope, inboxmessage.type, inboxmessage.payload, inboxmessage.created_at, inboxmessage.acked_at FROM inboxmessage WHERE inboxmessage.instance_id = ? AND acked_at IS NULL AND inboxmessage.seq > ? ORDER BY inboxmessage.seq  LIMIT ?', ('instance_id', 'after', 'limit'), ('seq', 'message_id', 'instance_id', 'conversation_id', 'app_scope', 'type', 'payload', 'created_at', 'acked_at'))

WAITING = Statement('SELECT count(*) AS count_1, coalesce(sum(length(inboxmessage.payload)), ?) AS coalesce_1 FROM inboxmessage WHERE inboxmessage.instance_id = ? AND acked_at IS NULL', ('coalesce_2', 'instance_id'), (), {'coalesce_2': 0})
