"""Who speaks, by connection and token, and whether such a caller may ask for the method (RULES 1, PROTOCOL 4)."""

from __future__ import annotations

from rpc_schema.methods import Method
from sidecar.domain.caller import HOST, Caller
from sidecar.domain.refusal import Refusal
from sidecar.rpc.connection import Connection
from sidecar.services.unit import Unit


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
    caller = grant.caller
    allowed = caller.kind in method.callers or (caller.kind == "system" and "miniapp" in method.callers)
    if not allowed:
        unit.caller = caller
        raise Refusal("permission_denied")
    return caller
