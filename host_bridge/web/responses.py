"""Plain HTTP answers, each with the headers that keep a browser from guessing, leaking or embedding."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import formatdate
from http import HTTPStatus

from websockets.datastructures import Headers
from websockets.http11 import Response

TEXT = "text/plain; charset=utf-8"
HTML = "text/html; charset=utf-8"

HARDENED = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
NOTHING_ALLOWED = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

NO_DEVICES = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "hid",
        "microphone",
        "midi",
        "payment",
        "publickey-credentials-get",
        "serial",
        "usb",
    )
)
"""The Permissions-Policy of all that is served: neither the page nor a surface has a use for these."""


def make_response(status: HTTPStatus, headers: Mapping[str, str], body: bytes = b"") -> Response:
    """An answer after which the connection is closed."""
    framing = {"Date": formatdate(usegmt=True), "Connection": "close", "Content-Length": str(len(body))}
    return Response(status.value, status.phrase, Headers({**framing, **HARDENED, **headers}), body)


def refuse(status: HTTPStatus, reason: str, **headers: str) -> Response:
    """A refusal: one line of text that says why."""
    fixed = {"Content-Type": TEXT, "Cache-Control": "no-store", "Content-Security-Policy": NOTHING_ALLOWED}
    return make_response(status, {**fixed, **headers}, f"{reason}\n".encode())
