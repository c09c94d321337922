"""What must hold for any bytes at all; a fuzzer looks for bytes for which it does not."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from jsonschema import Draft202012Validator

from rpc_schema import limits
from rpc_schema.framing import Decoder, Frames, Framing, FramingFault
from rpc_schema.json_text import JsonTextError, read_json, write_json
from sidecar.domain.tool_schema import SchemaError, Validator, check_schema, compile_schema
from tests.fuzz.draw import Draw

_SHORT = 48
"""A message may be so long here, so that a fuzzer finds the bound."""


def frame_reader(data: bytes) -> None:
    """However a stream is cut, it says the same; and what it says comes through the writer unchanged (PROTOCOL 1.1)."""
    draw = Draw(data)
    cut = draw.number(8) + 1
    stream = draw.rest()
    whole, framing = _read([stream])
    pieces, other_framing = _read([stream[place : place + cut] for place in range(0, len(stream), cut)])
    assert pieces == whole
    assert other_framing == framing
    bodies = [frame for frame in whole if isinstance(frame, bytes)]
    assert all(len(body) <= _SHORT for body in bodies)
    writer = Decoder(framing=framing)
    again = Decoder(framing=framing)
    assert again.feed(b"".join(writer.encode(body) for body in bodies)) == bodies
    assert again.end() == []


def _read(pieces: list[bytes]) -> tuple[Frames, Framing]:
    decoder = Decoder(max_message_bytes=_SHORT)
    frames = [frame for piece in pieces for frame in decoder.feed(piece)]
    frames += decoder.end()
    for frame in frames:
        assert isinstance(frame, FramingFault) or b"\n" not in frame or decoder.framing == "content-length"
    return frames, decoder.framing


def json_reader(data: bytes) -> None:
    """What the strict reader takes, Python's takes as the same, and the writer writes so that it is read again."""
    value = _read_json(data)
    if isinstance(value, JsonTextError):
        assert len(str(value)) <= limits.MAX_ERROR_TEXT
        return
    assert _same(json.loads(data.decode()), value)
    written = write_json(value)
    assert written.isascii()
    assert b"\n" not in written
    assert _same(read_json(written), value)


def _read_json(data: bytes) -> Any:
    try:
        return read_json(data)
    except JsonTextError as fault:
        return fault


def _same(one: Any, other: Any) -> bool:
    """Equal, and of one type all the way down; no number is infinite."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other) and not (isinstance(one, float) and math.isinf(one))


def schema_gate(data: bytes) -> None:
    """A schema is refused with its faults, or judges every value as the reference implementation does (PROTOCOL 10)."""
    draw = Draw(data)
    schema, values = draw.schema(), [draw.value() for _ in range(4)]
    faults = check_schema(schema)
    for fault in faults:
        assert 0 < len(fault.message) <= limits.MAX_ERROR_TEXT
    validator = _compile(schema)
    if isinstance(validator, SchemaError):
        assert validator.faults == faults != []
        return
    assert not faults
    Draft202012Validator.check_schema(schema)
    reference = Draft202012Validator(schema)
    for value in [*values, *schema.get("enum", [])]:
        assert (validator.faults(value) == []) == reference.is_valid(value), (schema, value)


def _compile(schema: Any) -> Validator | SchemaError:
    try:
        return compile_schema(schema)
    except SchemaError as error:
        return error


TARGETS: dict[str, Callable[[bytes], None]] = {
    "frame-reader": frame_reader,
    "json-reader": json_reader,
    "schema-gate": schema_gate,
}
"""What can be fuzzed, by name."""

SEEDS: dict[str, list[bytes]] = {
    "frame-reader": [
        b"\x02Content-Length: 5\r\n\r\nhello\r\nContent-Length: 2\r\nContent-Type: x\r\n\r\n{}",
        b"\x03content-length:99\n\nxx\nContent-Length: 1\r\n\r\n1",
        b'\x00{"a":1}\r\n\n[1,2]\n' + b"x" * 60 + b"\n1",
    ],
    "json-reader": [
        b'{"a":[1,-0.5e-3,true,null,"\\u00e9\\ud83d\\ude00\\n"],"b":{}}',
        b'{"a":1,"a":2}',
        b"[NaN,1e999,\xff]",
        b"\xef\xbb\xbf1",
        b"[" * 70,
    ],
    "schema-gate": [bytes(range(64)), b"\x03\x03\x00\x01" * 16],
}
"""What a fuzzer begins with: one of each kind, which chance alone would find late."""
