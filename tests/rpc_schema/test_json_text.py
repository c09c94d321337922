"""The strict JSON reader and writer: what they refuse, what they let through unchanged."""

import math
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpc_schema import limits
from rpc_schema.json_text import JsonTextError, read_json, write_json

EMOJI = "\U0001f600"
UNREADABLE = [
    # nothing, or more than one value
    b"",
    b"  ",
    b"\r\n",
    b"1 2",
    b"{}{}",
    b"[] x",
    b"1\x00",
    b"1\xc2\xa0",
    b"\x0b1",
    b"1\x0c",
    # words and literals of other languages
    b"nonsense",
    b"None",
    b"True",
    b"truee",
    b"yes",
    b"undefined",
    b"!1",
    b"0x10",
    b"'a'",
    b"`a`",
    b'u"a"',
    b'"a"b',
    b"(1,2)",
    b"1;",
    b"1//c",
    b"/* c */ 1",
    b"# c\n1",
    # numbers
    b"NaN",
    b"nan",
    b"Infinity",
    b"-Infinity",
    b"[NaN]",
    b'{"a":Infinity}',
    b'{"a":[-Infinity]}',
    b"+1",
    b".5",
    b"5.",
    b"1e",
    b"1e+",
    b"01",
    b"-",
    b"--1",
    b"1_000",
    b"1..3",
    "\u0661".encode(),
    "\uff11".encode(),
    # strings
    b'"',
    b'"a',
    b'"\\"',
    b'"\n"',
    b'"\t"',
    b'"\x00"',
    b'"\\x41"',
    b'"\\u00"',
    b'"\\u+123"',
    b'"\\u00g0"',
    b'"\\U00000041"',
    b'"\\\'"',
    # arrays and objects
    b"[",
    b"]",
    b"[1",
    b"[1,",
    b"[1,]",
    b"[,1]",
    b"[1]]",
    b"1]",
    b"[1}",
    b"{",
    b"}",
    b'{"a":1',
    b'{"a":1,}',
    b'{"a"}',
    b'{"a"=1}',
    b"{a:1}",
    b"{'a':1}",
    b"{1:1}",
    b"{null:1}",
    b'{"a":}',
    b'{"a" 1}',
]
NOT_UTF8 = [
    b"\xff\xfe{}",
    b"\xff",
    b'"\xff"',
    b'"\xc3"',
    b'"\xe6\xbc"',
    b'"\xc0\xaf"',  # an overlong slash
    b'"\xed\xa0\x80"',  # a surrogate in UTF-8's clothes
    b'"\xed\xa0\xbd\xed\xb8\x80"',  # CESU-8
    b'"\xf4\x90\x80\x80"',  # above U+10FFFF
    "{}".encode("utf-16-le"),
    "{}".encode("utf-16"),
    "[1]".encode("utf-32"),
    '"é"'.encode("latin-1"),
]
DUPLICATES = [
    b'{"a":1,"a":2}',
    b'{"a":1,"a":1}',
    b'{"a":"x","b":0,"a":1}',
    b'{"x":{"k":"a","k":"b"}}',
    b'{"x":{"k":"a"},"x":{}}',
    b'[{"k":1},{"k":1,"k":2}]',
    b'{"":1,"":2}',
    b'{"a":1,"\\u0061":2}',
    b'{"\\ud83d\\ude00":1,"' + EMOJI.encode() + b'":2}',
]
LONE_SURROGATES = [
    r'"\ud800"',
    r'"\uDBFF"',
    r'"\udc00"',
    r'"\uDFFF"',
    r'"\udc00\ud800"',
    r'"\ud800\ud800"',
    r'"\ud800\ud83d\ude00"',
    r'"\ud83d\ude00\ude00"',
    r'"\ud83dx\ude00"',
    r'"\ud83d\\ude00"',
    r'"\\\ud83d"',
    r'"a\udfffb"',
    r'{"\ud800":1}',
    r'{"a":"\udead"}',
    r'[[["ok","\ud83d"]]]',
]
READABLE: list[tuple[bytes, Any]] = [
    (b"null", None),
    (b" true\r\n", True),
    (b"\tfalse ", False),
    (b"0", 0),
    (b"-0", 0),
    (b"1E2", 100.0),
    (b"-1.5e-3", -0.0015),
    (b"1e-999", 0.0),
    (b"1.7976931348623157e308", sys.float_info.max),
    (b"9007199254740993", 2**53 + 1),
    (b"1" * 401, int("1" * 401)),
    (b'""', ""),
    (b'"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'),
    (b'"\\u0000\\u001f\x7f"', "\0\x1f\x7f"),
    ('"\u2028\u2029\u0085\ufeff\ufffe"'.encode(), "\u2028\u2029\u0085\ufeff\ufffe"),
    ('"漢😀—é"'.encode(), "漢😀—é"),
    (b'"\\ud83d\\ude00"', EMOJI),
    (b'"\\uD83D\\uDE00\\ud83d\\ude00"', EMOJI * 2),
    (b'"\\ud55c\\uD7A3"', "\ud55c\ud7a3"),
    (b'"\\\\ud800 \\\\\\\\udc00"', r"\ud800 \\udc00"),
    (b'"\\\\\\ud83d\\ude00"', "\\" + EMOJI),
    (b'{"\\ud83d\\ude00":1}', {EMOJI: 1}),
    (b"[]", []),
    (b"[ ]", []),
    (b"{ }", {}),
    (b'{"":{"":[{}]}}', {"": {"": [{}]}}),
    (b'[{"k":1},{"k":2}]', [{"k": 1}, {"k": 2}]),
    (b'{"k":{"k":{"k":1}}}', {"k": {"k": {"k": 1}}}),
    (b'{"A":1,"a":2}', {"A": 1, "a": 2}),
]
UNWRITABLE: list[tuple[object, str]] = [
    (math.nan, "Out of range"),
    ([math.inf], "Out of range"),
    ({"a": -math.inf}, "Out of range"),
    ({1, 2}, "set"),
    ({"a": b"bytes"}, "bytes"),
    (object(), "object"),
    ([1j], "complex"),
    ({1: "a"}, "key"),
    ({"a": [{None: "a"}]}, "key"),
    ({"a": ({True: 1},)}, "key"),
    ({(1, 2): "a"}, "key"),
    ("\ud800", "surrogate"),
    (["ok", "\udfff"], "surrogate"),
    ({"\udead": 1}, "surrogate"),
    ("\ud83d\ude00", "surrogate"),  # two halves side by side are no character either
]


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


@pytest.fixture
def few_digits() -> Iterator[None]:
    """An interpreter that was told to convert fewer digits than we allow."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    yield
    sys.set_int_max_str_digits(before)


@pytest.mark.parametrize("data", UNREADABLE)
def test_text_that_is_not_json_is_refused(data: bytes) -> None:
    with pytest.raises(JsonTextError):
        read_json(data)


@pytest.mark.parametrize("data", NOT_UTF8)
def test_text_that_is_not_utf8_is_refused(data: bytes) -> None:
    with pytest.raises(JsonTextError):
        read_json(data)


@pytest.mark.parametrize("data", DUPLICATES)
def test_a_key_given_twice_is_refused(data: bytes) -> None:
    with pytest.raises(JsonTextError, match="twice"):
        read_json(data)


@pytest.mark.parametrize("text", LONE_SURROGATES)
def test_a_surrogate_without_its_partner_is_refused(text: str) -> None:
    with pytest.raises(JsonTextError, match="surrogate"):
        read_json(text.encode())


@pytest.mark.parametrize("number", [b"1e999", b"-1e999", b"1e400", b"1e99999999", b"9" * 400 + b".0", b"0.1e+400"])
def test_a_number_that_no_double_holds_is_refused(number: bytes) -> None:
    for data in (number, b"[" + number + b"]", b'{"a":' + number + b"}"):
        with pytest.raises(JsonTextError, match="number"):
            read_json(data)


def test_an_integer_may_have_as_many_digits_as_the_limit_says() -> None:
    longest = b"9" * limits.MAX_INTEGER_DIGITS
    assert read_json(longest) == int(longest)
    assert read_json(b"-" + longest) == -int(longest)
    for longer in (longest + b"9", b"-9" + longest, b"[" + longest * 2000 + b"]"):
        with pytest.raises(JsonTextError, match="digits"):
            read_json(longer)


@pytest.mark.usefixtures("few_digits")
def test_an_interpreter_that_converts_fewer_digits_is_a_clean_refusal() -> None:
    with pytest.raises(JsonTextError):
        read_json(b"9" * 1000)


def test_a_byte_order_mark_is_refused_and_named() -> None:
    with pytest.raises(JsonTextError, match="byte order mark"):
        read_json(b"\xef\xbb\xbf{}")


@pytest.mark.parametrize(("data", "value"), READABLE)
def test_json_is_read_as_it_stands(data: bytes, value: object) -> None:
    read = read_json(data)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b'{"a":1,\n "b":}', "line 2 column 6"),
        (b'"\xe6\xbc\xa2\xff"', "byte 4"),
        (b'"ab\\ud800"', "line 1 column 4"),
        (b'[1,\n"\\udc00"]', "line 2 column 2"),
        (b"[1]]", "line 1 column 4"),
    ],
)
def test_a_refusal_says_where(data: bytes, where: str) -> None:
    with pytest.raises(JsonTextError, match=where):
        read_json(data)


@pytest.mark.parametrize("secret", ["hunter2", "0xdeadbeef"])
@pytest.mark.parametrize(
    "text",
    [
        '{"S":1,"S":2}',
        '{"S":',
        "S",
        '"S',
        '"S\\ud800"',
        '{"S":NaN}',
        '"\\S"',
        '"S\n"',
        '{"S":1e999}',
        '["S"]S',
        "[" * 65 + '"S"' + "]" * 65,
    ],
)
def test_a_refusal_never_repeats_the_input(text: str, secret: str) -> None:
    with pytest.raises(JsonTextError) as refusal:
        read_json(text.replace("S", secret).encode())
    assert secret not in str(refusal.value)
    assert len(str(refusal.value)) < 200


# -- depth


@pytest.mark.parametrize("padding", [b"", b"[]," * 100, b'"]]]]]]",' * 100, b'"\\\\","\\"]",' * 100])
def test_nesting_is_taken_to_the_limit_and_refused_past_it(padding: bytes) -> None:
    deepest = b"[" + padding + nested(limits.MAX_JSON_DEPTH - 1) + b"]"
    assert read_json(deepest)
    with pytest.raises(JsonTextError, match="64"):
        read_json(b"[" + deepest + b"]")


@pytest.mark.parametrize("opening", [b"[", b"{", b'{"a":', b'[{"a":', b"[1,"])
@pytest.mark.parametrize("count", [65, 5_000, 1_000_000])
def test_openings_without_end_are_refused(opening: bytes, count: int) -> None:
    with pytest.raises(JsonTextError):
        read_json(opening * count)


def test_brackets_in_strings_and_beside_each_other_are_no_depth() -> None:
    for text in ("[" * 1000, "{[" * 500, '\\"' + "[" * 1000, "\\" * 7 + '"' + "{" * 100, "\\" * 8 + "[" * 100):
        data = write_json({"text": text, "more": [{"t": text}] * 3})
        assert read_json(data) == {"text": text, "more": [{"t": text}] * 3}
    assert len(read_json(b"[" + b",".join([b"[{}]"] * 5000) + b"]")) == 5000


@pytest.mark.parametrize("quoted", [b'"\\\\"', b'"\\""', b'"\\\\\\""', b'"]"', b'""', b'"\\n\\\\"', b'"\\"\\\\"'])
def test_no_string_hides_depth(quoted: bytes) -> None:
    with pytest.raises(JsonTextError, match="64"):
        read_json(b"[" + quoted + b"," + nested(64) + b"," + quoted + b"]")


def test_the_depth_bound_can_be_set() -> None:
    assert read_json(nested(3), max_depth=3) == [[[]]]
    assert read_json(b"1", max_depth=0) == 1
    with pytest.raises(JsonTextError, match="3"):
        read_json(b'[{"a":[[]]}]', max_depth=3)
    with pytest.raises(JsonTextError, match="0"):
        read_json(b"{}", max_depth=0)


def test_nesting_past_the_interpreters_own_limit_is_a_clean_refusal() -> None:
    with pytest.raises(JsonTextError):
        read_json(nested(200_000), max_depth=1_000_000)


# -- writing


@pytest.mark.parametrize(
    ("value", "data"),
    [
        ({"b": 1, "a": [1.5, None, True]}, b'{"b":1,"a":[1.5,null,true]}'),
        ((1, 2), b"[1,2]"),
        ("", b'""'),
        ("é漢😀\u2028\r\n\x7f", b'"\\u00e9\\u6f22\\ud83d\\ude00\\u2028\\r\\n\\u007f"'),
        (2**64, b"18446744073709551616"),
        ("\\ud800", b'"\\\\ud800"'),
        ("\ud55c", b'"\\ud55c"'),
    ],
)
def test_values_are_written_compact_and_in_ascii(value: object, data: bytes) -> None:
    assert write_json(value) == data


@pytest.mark.parametrize(("value", "reason"), UNWRITABLE)
def test_a_value_without_a_json_form_is_refused(value: object, reason: str) -> None:
    with pytest.raises(JsonTextError, match=reason):
        write_json(value)


def test_an_integer_longer_than_a_reader_takes_is_refused() -> None:
    longest = 10**limits.MAX_INTEGER_DIGITS - 1
    assert read_json(write_json([longest, -longest])) == [longest, -longest]
    for value in (longest + 1, -longest - 1, [{"a": longest + 1}], 10**5000):
        with pytest.raises(JsonTextError, match="digits"):
            write_json(value)


def test_a_structure_that_contains_itself_is_refused_and_the_writer_goes_on() -> None:
    ring: list[object] = []
    ring.append({"a": ring})
    for _ in range(2):
        with pytest.raises(JsonTextError, match="Circular"):
            write_json(ring)
    assert write_json([[], []]) == b"[[],[]]"


def test_a_structure_deeper_than_a_reader_takes_is_refused() -> None:
    value: list[object] = []
    for _ in range(limits.MAX_JSON_DEPTH - 1):
        value = [value, "]"]
    assert read_json(write_json(value)) == value
    with pytest.raises(JsonTextError, match="64"):
        write_json([value])
    for _ in range(100_000):
        value = [value]
    with pytest.raises(JsonTextError):
        write_json(value)


def test_a_writers_refusal_never_repeats_the_value() -> None:
    for value in ({"hunter2": {1}}, {"hunter2": "hunter2\ud800"}, {b"hunter2": 1}, {"a": b"hunter2"}):
        with pytest.raises(JsonTextError) as refusal:
            write_json(value)
        assert "hunter2" not in str(refusal.value)


# -- properties

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)
anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.binary(max_size=4)
    | st.text(st.characters(exclude_categories=())),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner)
        | st.dictionaries(st.text(st.characters(exclude_categories=())) | st.integers() | st.none(), inner, max_size=4)
    ),
    max_leaves=20,
)
fragments = st.lists(
    st.sampled_from(
        [b'"', b"\\", b"[", b"]", b"{", b"}", b":", b",", b"\\u", b"d83d", b"de00", b'"a":', b"1", b"e", b" ", b"\xff"]
    ),
    max_size=40,
).map(b"".join)


@given(json_values)
def test_what_is_written_reads_back_equal_and_is_ascii(value: object) -> None:
    data = write_json(value)
    assert data.isascii()
    assert b"\n" not in data
    assert b"\r" not in data
    assert read_json(data) == value


@given(anything)
def test_whatever_is_written_a_reader_takes(value: object) -> None:
    try:
        data = write_json(value)
    except JsonTextError:
        return
    assert write_json(read_json(data)) == data


@given(st.binary() | fragments, st.integers(0, 4))
def test_any_bytes_are_read_or_refused_and_what_is_read_can_be_written(data: bytes, max_depth: int) -> None:
    try:
        value = read_json(data, max_depth=max_depth)
    except JsonTextError:
        return
    assert read_json(write_json(value)) == value
    assert depth_of(value) <= max_depth


@given(json_values, st.integers(0, 6))
def test_the_depth_bound_is_the_depth_of_the_value(value: object, max_depth: int) -> None:
    data = write_json(value)
    if depth_of(value) <= max_depth:
        assert read_json(data, max_depth=max_depth) == value
    else:
        with pytest.raises(JsonTextError, match="nested"):
            read_json(data, max_depth=max_depth)


def depth_of(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth_of, value), default=0)
    return 0
