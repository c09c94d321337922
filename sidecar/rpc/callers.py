"""Who speaks, by connection and token, and whether such a caller may ask for the method (RULES 1, PROTOCOL 4)."""

from __future__ import annotations

from rpc_schema.methods import Caller as CallerKind
from rpc_schema.methods import Method
from sidecar.domain.caller import HOST, Caller
from sidecar.domain.refusal import Refusal
from sidecar.rpc.connection import Connection
from sidecar.services.unit import Unit
from sidecar.store import instances


def name_caller(unit: Unit, connection: Connection, method: Method, token: str | None) -> Caller:
    """The caller of a method.

    Raises:
        Refusal: ``context_token_invalid`` for a token that is unknown, revoked or of another connection, all alike;
            ``permission_denied`` for a method beyond the token's kind or the MiniApp's.
    """
    if token is None:
        return HOST
    grant = unit.live.grant_of(token)
    if grant is None or grant.hearer is not connection:
        raise Refusal("context_token_invalid")
    row = instances.live(unit.tx, grant.instance_id)
    if row is None:
        raise Refusal("context_token_invalid")
    system = unit.apps.is_system(row.app_scope)
    kind: CallerKind = "surface" if grant.surface_id else "system" if system else "miniapp"
    caller = Caller(kind, row.instance_id, row.app_scope, row.conversation_id, grant.surface_id)
    allowed = kind in method.callers or (kind == "system" and "miniapp" in method.callers)
    if not allowed:
        unit.caller = caller
        raise Refusal("permission_denied")
    return caller
