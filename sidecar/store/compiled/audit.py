"""Made by ``python -m sidecar.store.export``: do not edit."""

from sidecar.store.statement import Statement

LIST = Statement('SELECT audit.seq, audit.at, audit.actor, audit.action, audit.decision, audit.code, audit.conversation_id, audit.app_scope, audit.instance_id, audit.subject, audit.detail, audit.previous_hash, audit.hash FROM audit WHERE audit.seq > ? ORDER BY audit.seq  LIMIT ?', ('after', 'limit'), ('seq', 'at', 'actor', 'action', 'decision', 'code', 'conversation_id', 'app_scope', 'instance_id', 'subject', 'detail', 'previous_hash', 'hash'))

LIST_OF = Statement('SELECT audit.seq, audit.at, audit.actor, audit.action, audit.decision, audit.code, audit.conversation_id, audit.app_scope, audit.instance_id, audit.subject, audit.detail, audit.previous_hash, audit.hash FROM audit WHERE audit.conversation_id = ? AND audit.seq > ? ORDER BY audit.seq  LIMIT ?', ('conversation_id', 'after', 'limit'), ('seq', 'at', 'actor', 'action', 'decision', 'code', 'conversation_id', 'app_scope', 'instance_id', 'subject', 'detail', 'previous_hash', 'hash'))
