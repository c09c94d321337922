"""The OpenRPC 1.3 description of every method, with notifications and envelopes as extensions.

OpenRPC wants the codes of a method's errors to differ; the refusals all are ``1000``, so they stand in ``x-refusals``.
"""

from __future__ import annotations

from rpc_schema import PROTOCOL_VERSION
from rpc_schema.base import Wire
from rpc_schema.envelopes import AGENT_ENVELOPES, RUNTIME_ENVELOPES
from rpc_schema.errors import REFUSALS
from rpc_schema.export.json_schema import Schema, define
from rpc_schema.export.vocabulary import ERRORS, NAMED, READ, SENT, ErrorKind, list_refusals
from rpc_schema.inbox import INBOX_PAYLOADS
from rpc_schema.limits import WIRE_LIMITS
from rpc_schema.methods import METHODS, Method
from rpc_schema.notifications import NOTIFICATIONS, Notification

_SCHEMAS = "#/components/schemas/"

_ABOUT = """\
JSON-RPC 2.0 on the stdin and stdout of `lineup-sidecar`. Requests go from the Host to the Runtime; what the Runtime \
starts is a notification (`x-notifications`). Params, results and payloads are closed objects; no value is coerced. \
An Agent and the Runtime speak in envelopes (`x-envelopes`), by way of `transport.deliver` and `transport.send`."""


def write_openrpc() -> Schema:
    """Describe all methods, notifications, envelopes, errors and limits as one OpenRPC document."""
    schemas = define(READ, SENT, NAMED, where=_SCHEMAS)
    return {
        "openrpc": "1.3.2",
        "info": {
            "title": "LineUp Runtime",
            "version": PROTOCOL_VERSION,
            "description": _ABOUT,
            "license": {"name": "MIT"},
        },
        "methods": [_describe_method(method, schemas) for method in METHODS.values()],
        "components": {
            "schemas": schemas,
            "errors": {name: _describe_error(kind) for name, kind in ERRORS.items()},
        },
        "x-notifications": [_describe_notification(notification) for notification in NOTIFICATIONS.values()],
        "x-envelopes": {
            "agent-to-runtime": {name: _refer(model) for name, model in AGENT_ENVELOPES.items()},
            "runtime-to-agent": {name: _refer(model) for name, model in RUNTIME_ENVELOPES.items()},
        },
        "x-inbox-payloads": {name: _refer(model) for name, model in INBOX_PAYLOADS.items()},
        "x-refusals": dict(REFUSALS),
        "x-limits": dict(WIRE_LIMITS),
    }


def _describe_method(method: Method, schemas: dict[str, Schema]) -> Schema:
    described: Schema = {
        "name": method.name,
        "summary": method.summary,
        "description": schemas[method.params.__name__]["description"],
        "paramStructure": "by-name",
        "params": _describe_params(schemas[method.params.__name__]),
    }
    if not method.notification:  # one without a result is a notification
        result = _refer(method.result) if method.result else {"type": "null"}
        described["result"] = {"name": "result", "required": True, "schema": result}
        described["errors"] = [{"$ref": f"#/components/errors/{name}"} for name in _list_errors(method)]
        described["x-refusals"] = list_refusals(method)
    described["x-callers"] = sorted(method.callers)
    described["x-before-initialize"] = method.before_initialize
    described["x-params"] = _refer(method.params)
    return described


def _describe_params(schema: Schema) -> list[Schema]:
    required = schema.get("required", [])
    fields = schema["properties"].items()
    # OpenRPC puts what is required first.
    ordered = sorted(fields, key=lambda field: field[0] not in required)
    return [{"name": name, "required": name in required, "schema": field} for name, field in ordered]


def _list_errors(method: Method) -> list[str]:
    before = [] if method.before_initialize else ["NotInitialized"]
    return ["MethodNotFound", "InvalidParams", "InternalError", *before, "Refused"]


def _describe_error(kind: ErrorKind) -> Schema:
    described: Schema = {"code": kind.code, "message": kind.message}
    if kind.data:
        described["data"] = _refer(kind.data)
    return described


def _describe_notification(notification: Notification) -> Schema:
    return {
        "name": notification.name,
        "summary": notification.summary,
        "params": _refer(notification.params),
        "x-hearer": notification.hearer,
    }


def _refer(model: type[Wire]) -> Schema:
    return {"$ref": _SCHEMAS + model.__name__}
