"""Made by ``python -m sidecar.store.export``: do not edit."""

from sidecar.store.statement import Statement

ADD = Statement('INSERT INTO miniapp (app_scope, enabled) VALUES (?, ?)', ('app_scope', 'enabled'), ())

DISABLED = Statement('SELECT miniapp.app_scope, miniapp.enabled FROM miniapp WHERE miniapp.enabled = ?', ('enabled_1',), ('app_scope', 'enabled'), {'enabled_1': 0})

FORGET = Statement('DELETE FROM miniapp WHERE miniapp.app_scope = ?', ('id',), ())
