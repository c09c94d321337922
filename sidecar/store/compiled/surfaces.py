"""Made by ``python -m sidecar.store.export``: do not edit."""

from sidecar.store.statement import Statement

ADD = Statement('INSERT INTO surface (surface_id, instance_id, conversation_id, key, title, container, entry, status, revision, state, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', ('surface_id', 'instance_id', 'conversation_id', 'key', 'title', 'container', 'entry', 'status', 'revision', 'state', 'created_at', 'updated_at'), ())

ADD_ARTIFACT = Statement('INSERT INTO artifact (artifact_id, instance_id, surface_id, conversation_id, name, media_type, byte_size, sha256, content, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', ('artifact_id', 'instance_id', 'surface_id', 'conversation_id', 'name', 'media_type', 'byte_size', 'sha256', 'content', 'created_at'), ())

BYTES = Statement('SELECT coalesce(sum(artifact.byte_size), ?) AS coalesce_1 FROM artifact WHERE artifact.instance_id = ?', ('coalesce_2', 'instance_id'), (), {'coalesce_2': 0})

COUNT = Statement("SELECT count(*) AS count_1 FROM surface WHERE status <> 'closed'", (), ())

COUNT_OF = Statement("SELECT count(*) AS count_1 FROM surface WHERE surface.instance_id = ? AND status <> 'closed'", ('instance_id',), ())

GET = Statement('SELECT surface.surface_id, surface.instance_id, surface.conversation_id, surface.key, surface.title, surface.container, surface.entry, surface.status, surface.revision, surface.state, surface.created_at, surface.updated_at FROM surface WHERE surface.surface_id = ?', ('id',), ('surface_id', 'instance_id', 'conversation_id', 'key', 'title', 'container', 'entry', 'status', 'revision', 'state', 'created_at', 'updated_at'))

GET_ARTIFACT = Statement('SELECT artifact.artifact_id, artifact.instance_id, artifact.surface_id, artifact.conversation_id, artifact.name, artifact.media_type, artifact.byte_size, artifact.sha256, artifact.content, artifact.created_at FROM artifact WHERE artifact.artifact_id = ?', ('id',), ('artifact_id', 'instance_id', 'surface_id', 'conversation_id', 'name', 'media_type', 'byte_size', 'sha256', 'content', 'created_at'))

OF_KEY = Statement("SELECT surface.surface_id, surface.instance_id, surface.conversation_id, surface.key, surface.title, surface.container, surface.entry, surface.status, surface.revision, surface.state, surface.created_at, surface.updated_at FROM surface WHERE surface.instance_id = ? AND surface.key = ? AND status <> 'closed'", ('instance_id', 'key'), ('surface_id', 'instance_id', 'conversation_id', 'key', 'title', 'container', 'entry', 'status', 'revision', 'state', 'created_at', 'updated_at'))

OPEN_IN = Statement("SELECT surface.surface_id, surface.instance_id, surface.conversation_id, surface.key, surface.title, surface.container, surface.entry, surface.status, surface.revision, surface.state, surface.created_at, surface.updated_at FROM surface WHERE surface.instance_id IN (SELECT instance.instance_id FROM instance WHERE instance.conversation_id = ? AND status = 'live') AND status <> 'closed' ORDER BY surface.surface_id", ('conversation_id',), ('surface_id', 'instance_id', 'conversation_id', 'key', 'title', 'container', 'entry', 'status', 'revision', 'state', 'created_at', 'updated_at'))

OPEN_OF = Statement("SELECT surface.surface_id, surface.instance_id, surface.conversation_id, surface.key, surface.title, surface.container, surface.entry, surface.status, surface.revision, surface.state, surface.created_at, surface.updated_at FROM surface WHERE surface.instance_id = ? AND status <> 'closed' ORDER BY surface.surface_id", ('instance_id',), ('surface_id', 'instance_id', 'conversation_id', 'key', 'title', 'container', 'entry', 'status', 'revision', 'state', 'created_at', 'updated_at'))

STATE = Statement('UPDATE surface SET revision=?, state=?, updated_at=? WHERE surface.surface_id = ?', ('revision', 'state', 'updated_at', 'id'), ())
