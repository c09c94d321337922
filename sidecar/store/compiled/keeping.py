"""Made by ``python -m sidecar.store.export``: do not edit."""

from sidecar.store.statement import Statement

AUDIT_FROM = Statement('SELECT coalesce(min(CASE WHEN (anon_1.at >= ?) THEN anon_1.seq END), max(anon_1.seq) + ?, ?) AS coalesce_1 FROM (SELECT audit.seq AS seq, audit.at AS at FROM audit ORDER BY audit.seq  LIMIT ?) AS anon_1', ('before', 'max_1', 'coalesce_2', 'param_1'), (), {'max_1': 1, 'coalesce_2': 0, 'param_1': 1000})

DROPS = [
    Statement('DELETE FROM inboxmessage WHERE inboxmessage.seq IN (SELECT inboxmessage.seq FROM inboxmessage WHERE inboxmessage.acked_at < ? ORDER BY inboxmessage.acked_at  LIMIT ?)', ('before', 'param_1'), (), {'param_1': 1000}),
    Statement('DELETE FROM outboxrow WHERE outboxrow.seq IN (SELECT outboxrow.seq FROM outboxrow WHERE outboxrow.acked_at < ? ORDER BY outboxrow.acked_at  LIMIT ?)', ('before', 'param_1'), (), {'param_1': 1000}),
    Statement('DELETE FROM delivery WHERE delivery.seq IN (SELECT anon_1.seq FROM (SELECT delivery.seq AS seq, delivery.created_at AS created_at FROM delivery ORDER BY delivery.seq  LIMIT ?) AS anon_1 WHERE anon_1.created_at < ?)', ('param_1', 'before'), (), {'param_1': 1000}),
    Statement('DELETE FROM receipt WHERE receipt.seq IN (SELECT anon_1.seq FROM (SELECT receipt.seq AS seq, receipt.created_at AS created_at FROM receipt ORDER BY receipt.seq  LIMIT ?) AS anon_1 WHERE anon_1.created_at < ?)', ('param_1', 'before'), (), {'param_1': 1000}),
]

DROP_AUDIT = Statement('DELETE FROM audit WHERE audit.seq < ?', ('seq',), ())

GREATEST = [
    Statement('SELECT max(instance.instance_id) AS max_1 FROM instance', (), ()),
    Statement('SELECT max(appsession.app_session_id) AS max_1 FROM appsession', (), ()),
    Statement('SELECT max(interaction.interaction_id) AS max_1 FROM interaction', (), ()),
    Statement('SELECT max(surface.surface_id) AS max_1 FROM surface', (), ()),
    Statement('SELECT max(artifact.artifact_id) AS max_1 FROM artifact', (), ()),
    Statement('SELECT max(inboxmessage.message_id) AS max_1 FROM inboxmessage', (), ()),
    Statement('SELECT max(outboxrow.outbox_id) AS max_1 FROM outboxrow', (), ()),
    Statement('SELECT max(capabilityrequest.request_id) AS max_1 FROM capabilityrequest', (), ()),
]
