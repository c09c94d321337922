"""Made by ``python -m sidecar.store.export``: do not edit."""

from sidecar.store.statement import Statement

ADD = Statement('INSERT INTO conversation (conversation_id, agent_id, revision, focus_stack, inventory_told, created_at) VALUES (?, ?, ?, ?, ?, ?)', ('conversation_id', 'agent_id', 'revision', 'focus_stack', 'inventory_told', 'created_at'), ())

ALL = Statement('SELECT conversation.conversation_id, conversation.agent_id, conversation.revision, conversation.focus_stack, conversation.inventory_told, conversation.created_at FROM conversation ORDER BY conversation.created_at, conversation.conversation_id', (), ('conversation_id', 'agent_id', 'revision', 'focus_stack', 'inventory_told', 'created_at'))

BUMP = Statement('UPDATE conversation SET revision=(conversation.revision + ?) WHERE conversation.conversation_id = ?', ('revision_1', 'id'), (), {'revision_1': 1})

COUNT = Statement('SELECT count(*) AS count_1 FROM conversation', (), ())

FOCUS = Statement('UPDATE conversation SET focus_stack=? WHERE conversation.conversation_id = ?', ('focus_stack', 'id'), ())

GET = Statement('SELECT conversation.conversation_id, conversation.agent_id, conversation.revision, conversation.focus_stack, conversation.inventory_told, conversation.created_at FROM conversation WHERE conversation.conversation_id = ?', ('id',), ('conversation_id', 'agent_id', 'revision', 'focus_stack', 'inventory_told', 'created_at'))

TOLD = Statement('UPDATE conversation SET inventory_told=? WHERE conversation.conversation_id = ?', ('inventory_told', 'id'), ())
