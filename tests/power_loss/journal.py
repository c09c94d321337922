"""What a program did to the disk and said to its Host, in order, as ``power_loss.c`` wrote it down."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_HEAD = struct.Struct("=IIQQQ")


class Act(NamedTuple):
    """One act; ``kind`` is a letter of ``power_loss.c``, and what its kind does not have is 0 or empty."""

    kind: str
    name: str
    inode: int
    offset: int
    data: bytes


def read_journal(path: Path) -> list[Act]:
    """Every act that was wholly written down."""
    return list(_acts(path.read_bytes())) if path.exists() else []


def lives_in(acts: Iterable[Act]) -> list[bytes]:
    """What each process said, in order; words may be cut off where the next one begins."""
    lives: list[bytearray] = []
    for act in acts:
        if act.kind == "B":
            lives.append(bytearray())
        elif act.kind == "A":
            lives[-1] += act.data
    return [bytes(one) for one in lives]


def _acts(text: bytes) -> Iterator[Act]:
    place = 0
    while place + _HEAD.size <= len(text):
        kind, name_length, inode, offset, data_length = _HEAD.unpack_from(text, place)
        name_at = place + _HEAD.size
        data_at, end = name_at + name_length, name_at + name_length + data_length
        if end > len(text):
            return
        yield Act(chr(kind), text[name_at:data_at].decode(), inode, offset, text[data_at:end])
        place = end
