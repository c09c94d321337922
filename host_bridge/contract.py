"""Hold what is said against the contract: each method's params and result, each notification's params (PROTOCOL 1)."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from host_bridge.errors import ContractBrokenError
from host_bridge.record import Notification
from rpc_schema.base import Wire
from rpc_schema.envelopes import RUNTIME_ENVELOPES
from rpc_schema.json_text import write_json
from rpc_schema.methods import METHODS, Method
from rpc_schema.notifications import NOTIFICATIONS


def find_method(name: str) -> Method:
    """The row of the method table. Raises ContractBrokenError for an unknown name."""
    if name not in METHODS:
        raise ContractBrokenError(name, ["no such method in the contract"])
    return METHODS[name]


def check_params(method: Method, params: dict[str, Any]) -> None:
    """Raises ContractBrokenError where the params do not fit."""
    _check(f"params of {method.name}", method.params, params)


def check_result(method: Method, result: Any) -> None:
    """Raises ContractBrokenError where the result does not fit."""
    if method.result:
        _check(f"result of {method.name}", method.result, result)
    elif result is not None:
        raise ContractBrokenError(f"result of {method.name}", ["must be null"])


def check_notification(notification: Notification) -> None:
    """Raises ContractBrokenError where the params do not fit, or an envelope's payload does not fit its type."""
    row = NOTIFICATIONS.get(notification.method)
    if row is None:
        raise ContractBrokenError(notification.method, ["no such notification in the contract"])
    _check(notification.method, row.params, notification.params)
    if notification.method == "transport.send":
        envelope = notification.params["envelope"]
        if envelope["type"] not in RUNTIME_ENVELOPES:
            raise ContractBrokenError(envelope["type"], ["no such envelope in the contract"])
        _check(envelope["type"], RUNTIME_ENVELOPES[envelope["type"]], envelope["payload"])


def _check(what: str, model: type[Wire], value: Any) -> None:
    try:
        model.model_validate_json(write_json(value))
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg']}" for one in error.errors(include_url=False)]
        raise ContractBrokenError(what, faults) from None
