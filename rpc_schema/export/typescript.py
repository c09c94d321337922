"""TypeScript types and constants of the whole contract, in one module.

Written straight from the JSON Schema of the models, for the few keywords that those use: an unknown one is an error,
so that no type is ever wider than its model by oversight.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from rpc_schema import PROTOCOL_VERSION
from rpc_schema.base import Wire
from rpc_schema.envelopes import AGENT_ENVELOPES, RUNTIME_ENVELOPES
from rpc_schema.errors import REFUSALS
from rpc_schema.export.json_schema import Schema, define
from rpc_schema.export.vocabulary import ERRORS, NAMED, READ, SENT, list_refusals
from rpc_schema.inbox import INBOX_PAYLOADS
from rpc_schema.limits import WIRE_LIMITS
from rpc_schema.methods import METHODS, Method
from rpc_schema.notifications import NOTIFICATIONS

_HEADER = """\
// Generated from rpc_schema by `python -m rpc_schema.export`. Do not edit.

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };
"""

_HELPERS = """\
export type Method = keyof MethodMap;
export type Params<M extends Method> = MethodMap[M]["params"];
export type Result<M extends Method> = MethodMap[M]["result"];

/** The arguments of a typed call: params may be left out where none is required. */
export type Arguments<M extends Method> = {} extends Params<M> ? [params?: Params<M>] : [params: Params<M>];

type Told<Map> = { [M in keyof Map]: { method: M; params: Map[M] } }[keyof Map];
type Typed<Base, Map> = { [T in keyof Map]: Omit<Base, "type" | "payload"> & { type: T; payload: Map[T] } }[keyof Map];

/** A notification, told apart by `method`. */
export type NotificationMessage = Told<NotificationMap>;

/** An envelope from an Agent, told apart by `type`. */
export type AgentEnvelope = Typed<Envelope, AgentEnvelopeMap>;

/** An envelope to an Agent, told apart by `type`. */
export type RuntimeEnvelope = Typed<OutgoingEnvelope, RuntimeEnvelopeMap>;

/** A message of an Inbox, told apart by `type`. */
export type InboxMessage = Typed<MiniAppMessage, InboxPayloadMap>;
"""

_BOUNDS = ("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "default")
_SHAPES = ("type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "oneOf", "$ref")
_KNOWN = {*_BOUNDS, *_SHAPES, "description", "pattern"}
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def write_typescript() -> str:
    """Write the module: a type for every model, maps of what is said, and the constants."""
    schemas = define(READ, SENT, NAMED, where="")
    return "\n".join([_HEADER, declare(schemas), *_write_maps(), _HELPERS, *_write_constants()])


def declare(schemas: Mapping[str, Schema]) -> str:
    """Declare a type for each definition; references are bare names.

    Raises ValueError for a keyword that has no counterpart here, and for a name that is no identifier.
    """
    return "\n".join(_declare_one(name, schema) for name, schema in schemas.items())


def _declare_one(name: str, schema: Schema) -> str:
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name):
        raise ValueError(f"{name!r} cannot name a type")
    return f"{_comment(schema.get('description', ''))}export type {name} = {_type(schema)};\n"


def _type(schema: Schema, indent: str = "") -> str:
    if unknown := schema.keys() - _KNOWN:
        raise ValueError(f"no TypeScript for {', '.join(sorted(unknown))}")
    if "$ref" in schema:
        return str(schema["$ref"])
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        return " | ".join(map(_literal, schema["enum"]))
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(_type(option, indent) for option in options))
    if "type" not in schema:
        return "JsonValue"
    if schema["type"] == "array":
        return f"Array<{_type(schema['items'], indent)}>"
    if schema["type"] == "object":
        return _object(schema, indent)
    return _PLAIN[schema["type"]]


def _object(schema: Schema, indent: str) -> str:
    inner = indent + "  "
    required = schema.get("required", [])
    lines: list[str] = []
    for name, field in schema.get("properties", {}).items():
        if remark := ", ".join(f"{key} {json.dumps(field[key])}" for key in _BOUNDS if key in field):
            lines.append(_comment(remark, inner).rstrip("\n"))
        lines.append(f"{inner}{_key(name)}{'' if name in required else '?'}: {_type(field, inner)};")
    more = schema.get("additionalProperties", True)
    if not lines:
        if more is True:
            return "JsonObject"
        return f"{{ [key: string]: {_type(more, indent)} }}" if more else "Record<string, never>"
    if more:
        lines.append(f"{inner}[more: string]: unknown;")
    return "\n".join(["{", *lines, f"{indent}}}"])


def _comment(text: str, indent: str = "") -> str:
    """A JSDoc comment that nothing in the text can end."""
    lines = text.replace("*/", "*\\/").splitlines()
    if len(lines) < 2:
        return "".join(f"{indent}/** {line} */\n" for line in lines)
    return "\n".join([f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */\n"])


def _literal(value: Any) -> str:
    return json.dumps(value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) else _literal(name)


def _write_maps() -> Iterable[str]:
    yield _write_map(
        "MethodMap",
        "Every request: what goes in, what comes out, and the codes that it can be refused with.",
        {name: _write_signature(method) for name, method in METHODS.items() if not method.notification},
    )
    told = {name: method.params for name, method in METHODS.items() if method.notification}
    yield _write_model_map("HostNotificationMap", "Every notification of the Host: its params.", told)
    heard = {name: notification.params for name, notification in NOTIFICATIONS.items()}
    yield _write_model_map("NotificationMap", "Every notification of the Runtime: its params.", heard)
    yield _write_model_map("AgentEnvelopeMap", "What an Agent sends: payloads by type.", AGENT_ENVELOPES)
    yield _write_model_map(
        "RuntimeEnvelopeMap", "What the Runtime sends to an Agent: payloads by type.", RUNTIME_ENVELOPES
    )
    yield _write_model_map("InboxPayloadMap", "What reaches an Inbox: payloads by type.", INBOX_PAYLOADS)


def _write_signature(method: Method) -> str:
    result = method.result.__name__ if method.result else "null"
    refusals = " | ".join(map(_literal, list_refusals(method)))
    return f"{{ params: {method.params.__name__}; result: {result}; refusals: {refusals} }}"


def _write_model_map(name: str, about: str, models: Mapping[Any, type[Wire]]) -> str:
    return _write_map(name, about, {key: model.__name__ for key, model in models.items()})


def _write_map(name: str, about: str, entries: Mapping[str, str]) -> str:
    lines = [f"  {_literal(key)}: {type_};" for key, type_ in entries.items()]
    return "\n".join([f"/** {about} */", f"export interface {name} {{", *lines, "}\n"])


def _write_constants() -> Iterable[str]:
    surface = [name for name, method in METHODS.items() if "surface" in method.callers]
    codes = {name: kind.code for name, kind in ERRORS.items()}
    yield _write_constant("PROTOCOL_VERSION", "The version to name in `initialize`.", PROTOCOL_VERSION)
    yield _write_constant("ERROR_CODES", "Every `error.code`.", codes)
    yield _write_error_type()
    yield _write_constant(
        "REFUSAL_CODES", "Every `error.data.code` of a refusal.", [*REFUSALS], "readonly RefusalCode[]"
    )
    yield _write_constant(
        "REFUSAL_TEXTS", "What to do about each refusal.", dict(REFUSALS), "Readonly<Record<RefusalCode, string>>"
    )
    yield _write_constant("SURFACE_METHODS", "What a surface token may call.", surface, "readonly Method[]")
    yield _write_constant(
        "LIMITS", "The limits of this version; `initialize` tells those that apply.", dict(WIRE_LIMITS)
    )


def _write_error_type() -> str:
    lines = ["/** The `error` of an answer, told apart by `code`. */", "export type RpcError ="]
    for kind in ERRORS.values():
        data = f"data: {kind.data.__name__}" if kind.data else "data?: unknown"
        lines.append(f"  | {{ code: {kind.code}; message: string; {data} }}")
    return "\n".join(lines) + ";\n"


def _write_constant(name: str, about: str, value: Any, satisfies: str = "") -> str:
    text = json.dumps(value, indent=2) + " as const" + (f" satisfies {satisfies}" if satisfies else "")
    return f"/** {about} */\nexport const {name} = {text};\n"
