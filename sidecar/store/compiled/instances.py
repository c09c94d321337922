"""Made by ``python -m sidecar.store.export``: do not edit."""

from sidecar.store.statement import Statement

ADD = Statement('INSERT INTO instance (instance_id, conversation_id, app_scope, app_version, app_session_id, status, connected, restore_focus, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', ('instance_id', 'conversation_id', 'app_scope', 'app_version', 'app_session_id', 'status', 'connected', 'restore_focus', 'created_at', 'updated_at'), ())

ADD_SESSION = Statement('INSERT INTO appsession (app_session_id, conversation_id, app_scope, instance_id, status, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)', ('app_session_id', 'conversation_id', 'app_scope', 'instance_id', 'status', 'created_at', 'updated_at'), ())

CONNECTED = Statement('UPDATE instance SET connected=? WHERE instance.instance_id = ?', ('connected', 'id'), ())

COUNT = Statement("SELECT count(*) AS count_1 FROM instance WHERE status = 'live'", (), ())

COUNT_IN_CONVERSATION = Statement("SELECT count(*) AS count_1 FROM instance WHERE instance.conversation_id = ? AND status = 'live'", ('conversation_id',), ())

GET = Statement('SELECT instance.instance_id, instance.conversation_id, instance.app_scope, instance.app_version, instance.app_session_id, instance.status, instance.connected, instance.restore_focus, instance.created_at, instance.updated_at FROM instance WHERE instance.instance_id = ?', ('id',), ('instance_id', 'conversation_id', 'app_scope', 'app_version', 'app_session_id', 'status', 'connected', 'restore_focus', 'created_at', 'updated_at'))

GET_SESSION = Statement('SELECT appsession.app_session_id, appsession.conversation_id, appsession.app_scope, appsession.instance_id, appsession.status, appsession.created_at, appsession.updated_at FROM appsession WHERE appsession.app_session_id = ?', ('id',), ('app_session_id', 'conversation_id', 'app_scope', 'instance_id', 'status', 'created_at', 'updated_at'))

LIVE_EVERYWHERE = Statement("SELECT instance.instance_id, instance.conversation_id, instance.app_scope, instance.app_version, instance.app_session_id, instance.status, instance.connected, instance.restore_focus, instance.created_at, instance.updated_at FROM instance WHERE status = 'live' ORDER BY instance.conversation_id, instance.app_scope", (), ('instance_id', 'conversation_id', 'app_scope', 'app_version', 'app_session_id', 'status', 'connected', 'restore_focus', 'created_at', 'updated_at'))

LIVE_OF_APP = Statement("SELECT instance.instance_id, instance.conversation_id, instance.app_scope, instance.app_version, instance.app_session_id, instance.status, instance.connected, instance.restore_focus, instance.created_at, instance.updated_at FROM instance WHERE instance.conversation_id = ? AND instance.app_scope = ? AND status = 'live'", ('conversation_id', 'app_scope'), ('instance_id', 'conversation_id', 'app_scope', 'app_version', 'app_session_id', 'status', 'connected', 'restore_focus', 'created_at', 'updated_at'))

LIVE_OF_CONVERSATION = Statement("SELECT instance.instance_id, instance.conversation_id, instance.app_scope, instance.app_version, instance.app_session_id, instance.status, instance.connected, instance.restore_focus, instance.created_at, instance.updated_at FROM instance WHERE instance.conversation_id = ? AND status = 'live' ORDER BY instance.instance_id", ('conversation_id',), ('instance_id', 'conversation_id', 'app_scope', 'app_version', 'app_session_id', 'status', 'connected', 'restore_focus', 'created_at', 'updated_at'))

RESTORE = Statement('UPDATE instance SET restore_focus=? WHERE instance.instance_id = ?', ('restore_focus', 'id'), ())
