"""Read and write JSON text as RFC 8259 has it and no wider (PROTOCOL 1.1): for frames, manifests, schemas and policies.

What one side writes the other side reads: the writer refuses all that the reader would.
No message repeats what was read or written, so that it may go to a peer or into a log.
"""

import json
import math
import re
from itertools import accumulate
from typing import Any, Final

from rpc_schema import limits


class JsonTextError(ValueError):
    """The text is not strict JSON, or the value has no strict JSON form."""


def read_json(data: bytes, *, max_depth: int = limits.MAX_JSON_DEPTH) -> Any:
    """Read one JSON value from UTF-8 text.

    Refused besides what is no JSON: a byte order mark, NaN and infinities, numbers that no double holds,
    integers of more than ``limits.MAX_INTEGER_DIGITS``, a key given twice, lone surrogates, and nesting over
    ``max_depth`` (``[]`` is 1 deep), which is measured before anything is built.

    Raises:
        JsonTextError: says what is wrong and, where that is known, at which place.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise JsonTextError(f"not UTF-8 at byte {error.start}") from None
    if text.startswith("\ufeff"):
        raise JsonTextError("the text begins with a byte order mark: write UTF-8 without one")
    _check_depth(data, max_depth)
    try:
        value = _DECODER.decode(text)
        if "\\" in text and ("\\ud" in text or "\\uD" in text):
            _check_surrogates(text)
        return value
    except JsonTextError:
        raise
    except json.JSONDecodeError as error:
        reason = error.msg.partition(": ")[0].removesuffix(" at")
        raise JsonTextError(f"not JSON: {reason} at line {error.lineno} column {error.colno}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise JsonTextError(f"the text cannot be read here: {type(error).__name__}") from None


def write_json(value: object) -> bytes:
    """Write a value as compact JSON in ASCII, without a line break.

    Objects are dicts with text keys (none is turned into text), arrays are lists or tuples.

    Raises:
        JsonTextError: there is no JSON form, or :func:`read_json` would refuse it.
    """
    try:
        data = _ENCODER.encode(value).encode("ascii")
        _check_depth(data, limits.MAX_JSON_DEPTH)
        _check_parts(value)
        if b"\\ud" in data:  # a character outside the BMP, Korean, or half a pair: only the last has no UTF-8
            _UNESCAPED.encode(value).encode()
    except JsonTextError:
        raise
    except UnicodeEncodeError:
        raise JsonTextError("the text holds a lone surrogate, which is no character") from None
    except (TypeError, ValueError, RecursionError, MemoryError) as error:
        raise JsonTextError(f"the value has no JSON form: {_reason(error)}") from None
    return data


# -- depth

_OPENED_OR_CLOSED: Final = bytes(1 if char in b"[{" else 255 if char in b"]}" else char for char in range(256))
_NEITHER_BRACKET_NOR_QUOTE: Final = bytes(char for char in range(256) if char not in b'[]{}"')


def _check_depth(data: bytes, max_depth: int) -> None:
    """Bound the nesting without parsing: escapes go, then strings, then the brackets that are left are summed up.

    Where the text is no JSON the sum may be anything, yet up to the first fault, where the parser stops, it is right.
    """
    if data.count(b"[") + data.count(b"{") <= max_depth:
        return
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    # Two quotes side by side go too: which quotes open and which close stays as it was.
    marks = data.translate(_OPENED_OR_CLOSED, _NEITHER_BRACKET_NOR_QUOTE).replace(b'""', b"")
    steps = b"".join(marks.split(b'"')[::2])
    if max(accumulate(memoryview(steps).cast("b")), default=0) > max_depth:
        raise JsonTextError(f"nested over {max_depth} levels")


# -- reading

_PAIR_OR_HALF: Final = re.compile(r"\\\\|\\u[dD][89abAB]..\\u[dD][c-fC-F]|(\\u[dD][89a-fA-F])")


def _check_surrogates(text: str) -> None:
    for match in _PAIR_OR_HALF.finditer(text):
        if match[1]:
            raise json.JSONDecodeError("a lone surrogate", text, match.start())


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise JsonTextError("an object has the same key twice")
    return value


def _read_integer(digits: str) -> int:
    if len(digits) > limits.MAX_INTEGER_DIGITS and len(digits.lstrip("-")) > limits.MAX_INTEGER_DIGITS:
        raise JsonTextError(f"an integer has more than {limits.MAX_INTEGER_DIGITS} digits")
    return int(digits)


def _read_float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise JsonTextError("a number is too large for a double")
    return value


def _refuse_constant(name: str) -> None:
    raise JsonTextError(f"{name} is not JSON")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_read_object,
    parse_int=_read_integer,
    parse_float=_read_float,
    parse_constant=_refuse_constant,
)

# -- writing

_BEYOND_INTEGERS: Final = 10**limits.MAX_INTEGER_DIGITS


def _check_parts(value: object) -> None:
    """Refuse what the encoder writes otherwise than it stands, or at greater length than a reader takes."""
    if isinstance(value, dict):
        for key, part in value.items():
            if not isinstance(key, str):
                raise JsonTextError(f"a key is {type(key).__name__}, not text")
            if not isinstance(part, str):
                _check_parts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            if not isinstance(part, str):
                _check_parts(part)
    elif isinstance(value, int) and not -_BEYOND_INTEGERS < value < _BEYOND_INTEGERS:
        raise JsonTextError(f"an integer has more than {limits.MAX_INTEGER_DIGITS} digits")


def _refuse_type(value: object) -> None:
    raise JsonTextError(f"{type(value).__name__} has no JSON form")


def _reason(error: Exception) -> str:
    """Name the fault in the encoder's constant words; what follows a colon may be the value."""
    return str(error).partition(":")[0] or type(error).__name__


_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False, default=_refuse_type)
_UNESCAPED: Final = json.JSONEncoder(ensure_ascii=False, default=_refuse_type)
