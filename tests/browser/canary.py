"""Servers on loopback that count whatever arrives, over TCP or UDP. Nothing but a leak does."""

from __future__ import annotations

import socket
import threading
from typing import Self


class Canary:
    """Counts connections as ``connected``, the requests on them by their path, and datagrams as ``udp``."""

    def __init__(self) -> None:
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))
        self._heard: list[str] = []
        self._closed = False
        self._threads = [threading.Thread(target=one, daemon=True) for one in (self._accept, self._receive)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        socket.create_connection(("127.0.0.1", self.port)).close()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", ("127.0.0.1", self.port))
        for thread in self._threads:
            thread.join(timeout=5)
        self._tcp.close()
        self._udp.close()

    @property
    def port(self) -> int:
        """The number of both ports."""
        return int(self._tcp.getsockname()[1])

    @property
    def address(self) -> str:
        """Where a leak would go."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def hits(self) -> list[str]:
        """What arrived so far, but for what browsers ask of any site."""
        return [heard for heard in self._heard if heard != "/favicon.ico"]

    def prove(self) -> None:
        """Show that it counts: a request, a bare connection and a datagram of the test's own."""
        before = len(self._heard)
        with socket.create_connection(("127.0.0.1", self.port)) as asking:
            asking.sendall(b"GET /proof HTTP/1.1\r\n\r\n")
            asking.recv(65_536)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"proof", ("127.0.0.1", self.port))
        socket.create_connection(("127.0.0.1", self.port)).close()
        for _ in range(500):
            if len(self._heard) >= before + 4:
                break
            threading.Event().wait(0.01)
        assert sorted(self._heard[before:]) == ["/proof", "connected", "connected", "udp"]

    def _accept(self) -> None:
        while True:
            connection, _ = self._tcp.accept()
            if self._closed:
                connection.close()
                return
            self._heard.append("connected")
            threading.Thread(target=self._answer, args=[connection], daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(5)
            try:
                said = connection.recv(65_536)
            except OSError:
                said = b""
            words = said.split(b" ", 2)
            if len(words) > 2:
                self._heard.append(words[1].decode())
                connection.sendall(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n"
                    b"Access-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n<p>hi</p>"
                )

    def _receive(self) -> None:
        while True:
            self._udp.recv(65_536)
            if self._closed:
                return
            self._heard.append("udp")
