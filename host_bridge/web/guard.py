"""What a request must be before anybody looks at what it asks for: this machine's own page, and ``GET``.

The ``Host`` header tells a page whose name was bound anew to 127.0.0.1 (DNS rebinding), the ``Origin`` one that a
foreign page sends from this browser.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from websockets.http11 import Request, Response

from host_bridge.web.responses import refuse

ADDRESS = "127.0.0.1"


@dataclass
class Refused:
    """How many requests were refused, by reason."""

    host: int = 0
    origin: int = 0
    token: int = 0
    path: int = 0
    method: int = 0


class Guard:
    """Stands before one listener."""

    def __init__(self, port: int, page_origin: str, refused: Refused) -> None:
        self.refused = refused
        self._host = f"{ADDRESS}:{port}"
        self._page_origin = page_origin

    def check(self, request: Request) -> Response | None:
        """A refusal, or None for a request that may go on."""
        if request.headers.get_all("Host") != [self._host]:
            self.refused.host += 1
            return refuse(HTTPStatus.FORBIDDEN, f"this is {self._host} and answers to no other Host header")
        origins = request.headers.get_all("Origin")
        if origins and origins != [self._page_origin]:
            self.refused.origin += 1
            return refuse(HTTPStatus.FORBIDDEN, "a foreign Origin: only the page of this server may ask")
        if request.method != "GET":
            self.refused.method += 1
            return refuse(HTTPStatus.METHOD_NOT_ALLOWED, "only GET is answered here", Allow="GET")
        return None

    def check_origin(self, request: Request) -> Response | None:
        """A refusal where the request does not say that it comes from the page."""
        if "Origin" in request.headers:
            return None
        self.refused.origin += 1
        return refuse(HTTPStatus.FORBIDDEN, "the Origin header is missing: only the page of this server may ask")

    def not_found(self) -> Response:
        """Nothing is there."""
        self.refused.path += 1
        return refuse(HTTPStatus.NOT_FOUND, "nothing is there")
