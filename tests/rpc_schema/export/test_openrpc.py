"""The OpenRPC document tells of every method what the tables tell, in the form of OpenRPC 1.3."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft7Validator

from rpc_schema import errors
from rpc_schema.envelopes import AGENT_ENVELOPES, RUNTIME_ENVELOPES
from rpc_schema.export.openrpc import write_openrpc
from rpc_schema.inbox import INBOX_PAYLOADS
from rpc_schema.limits import WIRE_LIMITS
from rpc_schema.methods import METHODS
from rpc_schema.notifications import NOTIFICATIONS
from rpc_schema.session import OpenRpcDocument

DOCUMENT = write_openrpc()
DESCRIBED: dict[str, Any] = {method["name"]: method for method in DOCUMENT["methods"]}
REQUESTS = [name for name, method in METHODS.items() if not method.notification]


def resolve(reference: str) -> Any:
    found: Any = DOCUMENT
    for key in reference.removeprefix("#/").split("/"):
        found = found[key]
    return found


def test_the_document_has_the_parts_of_openrpc_and_extensions_beside_them() -> None:
    assert {key for key in DOCUMENT if not key.startswith("x-")} == {"openrpc", "info", "methods", "components"}
    assert DOCUMENT["openrpc"] == "1.3.2"
    assert DOCUMENT["info"].keys() == {"title", "version", "description", "license"}
    assert DOCUMENT["components"].keys() == {"schemas", "errors"}
    Draft7Validator.check_schema({"definitions": DOCUMENT["components"]["schemas"]})


def test_rpc_discovers_result_is_the_document() -> None:
    OpenRpcDocument.model_validate_json(json.dumps(DOCUMENT))


def test_every_method_is_described_once_in_order() -> None:
    assert [method["name"] for method in DOCUMENT["methods"]] == [*METHODS]


@pytest.mark.parametrize("name", METHODS)
def test_a_method_says_what_the_table_says(name: str) -> None:
    row, method = METHODS[name], DESCRIBED[name]
    plain = {"name", "summary", "description", "paramStructure", "params"}
    answer = set() if row.notification else {"result", "errors"}
    assert {key for key in method if not key.startswith("x-")} == plain | answer
    assert method["summary"] == row.summary
    assert method["description"]
    assert method["paramStructure"] == "by-name"
    assert method["x-callers"] == sorted(row.callers)
    assert method["x-before-initialize"] is row.before_initialize


@pytest.mark.parametrize("name", METHODS)
def test_params_are_those_of_the_model_required_ones_first(name: str) -> None:
    params = DESCRIBED[name]["params"]
    fields = METHODS[name].params.model_fields
    assert {param["name"]: param["required"] for param in params} == {
        field: info.is_required() for field, info in fields.items()
    }
    assert [param["required"] for param in params] == sorted((param["required"] for param in params), reverse=True)
    assert all(param.keys() == {"name", "required", "schema"} for param in params)
    assert resolve(DESCRIBED[name]["x-params"]["$ref"])["additionalProperties"] is False


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_names_its_result_and_its_errors(name: str) -> None:
    method, result = DESCRIBED[name], METHODS[name].result
    assert method["result"]["schema"] == (
        {"$ref": f"#/components/schemas/{result.__name__}"} if result else {"type": "null"}
    )
    codes = [resolve(error["$ref"])["code"] for error in method["errors"]]
    early = [] if METHODS[name].before_initialize else [errors.NOT_INITIALIZED]
    assert codes == [errors.METHOD_NOT_FOUND, errors.INVALID_PARAMS, errors.INTERNAL_ERROR, *early, errors.REFUSED]
    assert method["x-refusals"] == [*METHODS[name].refusals, "shutting_down"]


def test_every_error_code_has_a_component() -> None:
    described = DOCUMENT["components"]["errors"].values()
    assert {error["code"] for error in described} == {-32700, -32600, -32601, -32602, -32603, -32002, 1000}
    assert all(error["message"] for error in described)
    assert resolve("#/components/errors/Refused")["data"] == {"$ref": "#/components/schemas/RefusalData"}


def test_notifications_envelopes_and_messages_are_there() -> None:
    told = {one["name"]: (one["params"]["$ref"], one["x-hearer"]) for one in DOCUMENT["x-notifications"]}
    assert told == {
        name: (f"#/components/schemas/{row.params.__name__}", row.hearer) for name, row in NOTIFICATIONS.items()
    }
    assert all(one["summary"] for one in DOCUMENT["x-notifications"])
    assert DOCUMENT["x-envelopes"]["agent-to-runtime"].keys() == AGENT_ENVELOPES.keys()
    assert DOCUMENT["x-envelopes"]["runtime-to-agent"].keys() == RUNTIME_ENVELOPES.keys()
    assert DOCUMENT["x-inbox-payloads"].keys() == INBOX_PAYLOADS.keys()
    assert DOCUMENT["x-refusals"] == errors.REFUSALS
    assert DOCUMENT["x-limits"] == WIRE_LIMITS


def test_every_reference_leads_somewhere() -> None:
    def follow(value: Any) -> int:
        if isinstance(value, list):
            return sum(map(follow, value))
        if not isinstance(value, dict):
            return 0
        if isinstance(value.get("$ref"), str):
            assert resolve(value["$ref"])
            return 1
        return sum(map(follow, value.values()))

    assert follow(DOCUMENT) > 500
