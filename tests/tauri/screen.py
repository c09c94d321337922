"""A screen of the tests' own: what is on it, and what a window manager would do."""

from __future__ import annotations

import ctypes
import os
import struct
import subprocess
import zlib
from collections.abc import Iterator
from ctypes import POINTER, byref, c_char_p, c_int, c_long, c_uint, c_ulong, c_void_p
from operator import eq
from pathlib import Path
from typing import Final

from tests.tauri.patience import eventually

SIZE: Final = "1440x900x24"
_CLIENT_MESSAGE: Final = 33


class Screen:
    """An X server without a monitor. ``display`` is the value of DISPLAY."""

    def __init__(self, folder: Path) -> None:
        self._memory = folder / "Xvfb_screen0"
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", SIZE, "-fbdir", str(folder), "-nolisten", "tcp"]
        self._process = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        assert number, "Xvfb does not start"
        self.display = f":{number}"

    def stop(self) -> None:
        """Switch it off."""
        self._process.terminate()
        self._process.wait(timeout=10)

    def look(self) -> bytes:
        """What is on it, once it has come to rest: an X window dump."""
        looks = [b"", self._memory.read_bytes()]

        def at_rest() -> bool:
            looks[:] = [looks[1], self._memory.read_bytes()]
            return looks[0] == looks[1]

        eventually(at_rest, why="the picture never comes to rest")
        return looks[1]

    def picture(self, file: Path) -> None:
        """Save what is on it as PNG, once it has come to rest."""
        file.write_bytes(_write_png(self.look()))

    def close_window(self, title: str) -> None:
        """Ask the window of that title to close, as its close button does. Raises AssertionError if there is none."""
        x = ctypes.CDLL("libX11.so.6")
        for name in ("XOpenDisplay", "XDefaultRootWindow", "XInternAtom"):
            getattr(x, name).restype = c_void_p if name == "XOpenDisplay" else c_ulong
        display = c_void_p(x.XOpenDisplay(self.display.encode()))
        assert display, f"no display {self.display}"
        found = [one for one in _windows(x, display, x.XDefaultRootWindow(display)) if _title(x, display, one) == title]
        assert found, f"no window is called {title}"
        event = _ClientMessage(type=_CLIENT_MESSAGE, window=found[0], format=32)
        event.message_type = x.XInternAtom(display, b"WM_PROTOCOLS", 0)
        event.data[0] = x.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
        x.XSendEvent(display, c_ulong(found[0]), 0, c_long(0), byref(event))
        x.XCloseDisplay(display)


def likeness(one: bytes, other: bytes) -> float:
    """How much of two looks at a screen is the same: 0 to 1."""
    return sum(map(eq, one, other)) / len(one)


class _ClientMessage(ctypes.Structure):
    _fields_ = (
        ("type", c_int),
        ("serial", c_ulong),
        ("send_event", c_int),
        ("display", c_void_p),
        ("window", c_ulong),
        ("message_type", c_ulong),
        ("format", c_int),
        ("data", c_long * 5),
        ("padding", c_long * 24),
    )


def _windows(x: ctypes.CDLL, display: c_void_p, window: int) -> Iterator[int]:
    yield window
    root, parent, children, count = c_ulong(), c_ulong(), POINTER(c_ulong)(), c_uint()
    x.XQueryTree(display, c_ulong(window), byref(root), byref(parent), byref(children), byref(count))
    for child in [children[n] for n in range(count.value)]:
        yield from _windows(x, display, child)


def _title(x: ctypes.CDLL, display: c_void_p, window: int) -> str:
    name = c_char_p()
    return (name.value or b"").decode() if x.XFetchName(display, c_ulong(window), byref(name)) else ""


def _write_png(dump: bytes) -> bytes:
    """Write a PNG of an X window dump, which is how the server keeps its memory: a header, colors, rows of BGRX."""
    header = struct.unpack(">25I", dump[:100])
    size, width, height, row_bytes, colors = header[0], header[4], header[5], header[12], header[19]
    begin = size + 12 * colors
    rows = bytearray()
    for y in range(height):
        row = dump[begin + y * row_bytes :][: 4 * width]
        rgb = bytearray(3 * width)
        rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
        rows += b"\0" + rgb
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(bytes(rows), 6)),
        (b"IEND", b""),
    ]
    chunks = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
