"""Requests made from the OpenRPC document: mostly well formed, about things that exist, and then bent a little."""

from __future__ import annotations

import json
import re
from collections import defaultdict, deque
from random import Random
from typing import Any

from rpc_schema.export import load_openrpc

LEFT_OUT = {"exit", "shutdown", "initialize"}
"""What would end the conversation with the sidecar, or begin it anew."""

_RARE = {"miniapp.setEnabled", "miniapp.close", "miniapp.unmount", "sdk.lifecycle.requestClose", "transport.setOnline"}
"""What takes away most of what there is to speak of."""

_SAMPLES = ("a", "1.0.0", "0" * 64, "", "A-b.c:d_e", "\u00e9\U0001f600", "x" * 129)
_ODD = (None, True, 0, -1, 2**63, 1e308, "", "\x00", "a" * 5_000, [], {}, [[]], {"a": {"b": None}}, "\u2028")
_KEPT = 12


class Requests:
    """An endless stream of requests, drawn with ``chance``; what was heard is taken up again in later ones."""

    def __init__(self, chance: Random) -> None:
        document = load_openrpc()
        self._chance = chance
        self._methods = {m["name"]: m for m in document["methods"] if m["name"] not in LEFT_OUT}
        self._schemas: dict[str, Any] = document["components"]["schemas"]
        self._spoken: dict[str, Any] = document["x-envelopes"]["agent-to-runtime"]
        self._weights = [0.1 if name in _RARE else 1.0 for name in self._methods]
        self._heard: dict[str, deque[str]] = defaultdict(lambda: deque(maxlen=_KEPT))

    def hear(self, value: Any, name: str = "") -> None:
        """Take up everything that has a name in what the sidecar said."""
        if isinstance(value, dict):
            for key, inner in value.items():
                self.hear(inner, key)
        elif isinstance(value, list):
            for inner in value:
                self.hear(inner, name.removesuffix("s"))
        elif isinstance(value, str) and name:
            known = self._heard["context_token" if name == "surface_token" else name]
            if value not in known:
                known.append(value)

    def next(self) -> tuple[str, Any]:
        """A method and its params; one in four is bent."""
        [method] = self._chance.choices(list(self._methods.values()), self._weights)
        params = {
            one["name"]: self._value(one["schema"], one["name"])
            for one in method["params"]
            if one.get("required") or self._chance.random() < 0.5
        }
        return method["name"], self._bend(params) if self._chance.random() < 0.25 else params

    # -- made from schemas
    def _value(self, schema: dict[str, Any], name: str = "") -> Any:
        if name == "envelope":
            return self._envelope()
        if "$ref" in schema:
            return self._value(self._schemas[schema["$ref"].rpartition("/")[2]], name)
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                return self._value(self._chance.choice(schema[choice]), name)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._chance.choice(schema["enum"])
        make = getattr(self, f"_{schema.get('type', 'anything')}")
        return make(schema, name)

    def _envelope(self) -> dict[str, Any]:
        type_ = self._chance.choice(list(self._spoken))
        envelope = self._object(self._schemas["Envelope"], "")
        envelope |= {"type": type_, "message_id": self._fresh(), "payload": self._value(self._spoken[type_])}
        return {name: value for name, value in envelope.items() if name not in ("agent_id", "conversation_id")}

    def _fresh(self) -> str:
        return f"m-{self._chance.getrandbits(40):x}"

    def _object(self, schema: dict[str, Any], _name: str) -> dict[str, Any]:
        required = schema.get("required", ())
        made = {
            name: self._value(inner, name)
            for name, inner in schema.get("properties", {}).items()
            if name in required or self._chance.random() < 0.4
        }
        if schema.get("additionalProperties") is not False and not made:
            made = {self._chance.choice(_SAMPLES): self._anything({}, "") for _ in range(self._chance.randrange(3))}
        return made

    def _array(self, schema: dict[str, Any], name: str) -> list[Any]:
        least = schema.get("minItems", 0)
        count = least + self._chance.randrange(3)
        inner = schema.get("items", {})
        return [self._value(inner, name.removesuffix("s")) for _ in range(count)]

    def _string(self, schema: dict[str, Any], name: str) -> str:
        known = self._heard[name]
        if known and self._chance.random() < 0.9:
            return str(self._chance.choice(known))
        made = self._fresh() if self._chance.random() < 0.5 else self._chance.choice(_SAMPLES)
        return made if re.search(schema.get("pattern", ""), made) and made else "a"

    def _integer(self, schema: dict[str, Any], _name: str) -> int:
        low, high = schema.get("minimum", -5), schema.get("maximum", 2**53)
        return self._chance.choice([low, high, low + 1, self._chance.randint(low, min(high, low + 100_000))])

    def _number(self, schema: dict[str, Any], name: str) -> Any:
        return self._integer(schema, name) / self._chance.choice((1, 3))

    def _boolean(self, _schema: dict[str, Any], _name: str) -> bool:
        return self._chance.random() < 0.5

    def _null(self, _schema: dict[str, Any], _name: str) -> None:
        return None

    def _anything(self, _schema: dict[str, Any], _name: str) -> Any:
        return json.loads(json.dumps(self._chance.choice(_ODD)))

    # -- bent
    def _bend(self, value: Any) -> Any:
        """Change one place of it: another value, one too many, one too few, one level deeper."""
        if isinstance(value, dict) and value and self._chance.random() < 0.8:
            name = self._chance.choice(list(value))
            match self._chance.randrange(5):
                case 0:
                    return {key: inner for key, inner in value.items() if key != name}
                case 1:
                    return {**value, self._chance.choice(("extra", "", "__proto__", name + " ")): 1}
                case _:
                    return {**value, name: self._bend(value[name])}
        if isinstance(value, list) and value and self._chance.random() < 0.6:
            return [*value[1:], self._bend(value[0])]
        if isinstance(value, str) and self._chance.random() < 0.3:
            return value[::-1] + self._chance.choice(("", " ", "\x00", "\u00e9"))
        deep: Any = value
        for _ in range(self._chance.choice((1, 20, 45))):
            deep = [deep]
        return self._chance.choice((*_ODD, deep))


def spoil(chance: Random, line: bytes) -> bytes:
    """The bytes of a message with one fault in them: a bit, a hole, a piece twice, an end too early."""
    place = chance.randrange(len(line))
    end = min(len(line), place + chance.randrange(1, 40))
    match chance.randrange(4):
        case 0:
            return line[:place] + bytes([line[place] ^ 1 << chance.randrange(8)]) + line[place + 1 :]
        case 1:
            return line[:place] + line[end:]
        case 2:
            return line[:end] + line[place:]
        case _:
            return line[:place]
