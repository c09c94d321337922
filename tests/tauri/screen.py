"""What a window manager would do, by Xlib."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import POINTER, byref, c_char_p, c_int, c_long, c_uint, c_ulong, c_void_p
from typing import Final

_CLIENT_MESSAGE: Final = 33


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


def close_window(screen: str, title: str) -> None:
    """Ask the window of that title to close, as its close button does. Raises AssertionError where there is none."""
    x = ctypes.CDLL("libX11.so.6")
    for name in ("XOpenDisplay", "XDefaultRootWindow", "XInternAtom"):
        getattr(x, name).restype = c_void_p if name == "XOpenDisplay" else c_ulong
    display = c_void_p(x.XOpenDisplay(screen.encode()))
    assert display, f"no display {screen}"
    found = [one for one in _windows(x, display, x.XDefaultRootWindow(display)) if _title(x, display, one) == title]
    assert found, f"no window is called {title}"
    event = _ClientMessage(type=_CLIENT_MESSAGE, window=found[0], format=32)
    event.message_type = x.XInternAtom(display, b"WM_PROTOCOLS", 0)
    event.data[0] = x.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    x.XSendEvent(display, c_ulong(found[0]), 0, c_long(0), byref(event))
    x.XCloseDisplay(display)


def _windows(x: ctypes.CDLL, display: c_void_p, window: int) -> Iterator[int]:
    yield window
    root, parent, children, count = c_ulong(), c_ulong(), POINTER(c_ulong)(), c_uint()
    x.XQueryTree(display, c_ulong(window), byref(root), byref(parent), byref(children), byref(count))
    for child in [children[n] for n in range(count.value)]:
        yield from _windows(x, display, child)


def _title(x: ctypes.CDLL, display: c_void_p, window: int) -> str:
    name = c_char_p()
    return (name.value or b"").decode() if x.XFetchName(display, c_ulong(window), byref(name)) else ""
