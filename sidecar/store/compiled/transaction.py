"""Made by ``python -m sidecar.store.export``: do not edit."""

from sidecar.store.statement import Statement

ADD_ENTRY = Statement('INSERT INTO audit (seq, at, actor, action, decision, code, conversation_id, app_scope, instance_id, subject, detail, previous_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', ('seq', 'at', 'actor', 'action', 'decision', 'code', 'conversation_id', 'app_scope', 'instance_id', 'subject', 'detail', 'previous_hash', 'hash'), ())

LAST_ENTRY = Statement('SELECT audit.seq, audit.hash FROM audit ORDER BY audit.seq DESC  LIMIT ?', ('param_1',), ('seq', 'hash'), {'param_1': 1})
