"""A network that can be cut: what comes in at a port of this machine goes on to another, until it does not."""

from __future__ import annotations

import asyncio
from types import TracebackType


class Relay:
    """A relay to a server on this machine, within the test's own loop."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._writers: list[asyncio.StreamWriter] = []
        self._pumps: set[asyncio.Task[None]] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()

    async def __aenter__(self) -> Relay:
        self._listener = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port: int = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._listener.close()
        await self.cut()

    async def cut(self) -> None:
        """Cut all connections that there are."""
        self._flowing.set()
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()
        await asyncio.gather(*self._pumps)

    def hold(self) -> None:
        """Let nothing through any more, and cut nothing."""
        self._flowing.clear()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        on_reader, on_writer = await asyncio.open_connection("127.0.0.1", self._server_port)
        self._writers += [writer, on_writer]
        for source, sink in ((reader, on_writer), (on_reader, writer)):
            pump = asyncio.create_task(self._pump(source, sink))
            self._pumps.add(pump)
            pump.add_done_callback(self._pumps.discard)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65_536):
                await self._flowing.wait()
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            return
        finally:
            sink.transport.abort()
