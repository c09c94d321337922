"""The desk: what arrived together is one transaction, each request a savepoint in it (RULES 1).

Answers leave after the commit, in the order of their requests; then the news, in the order in which it was written;
then what starts or ends processes. If the commit fails, everything in it is taken back and answered as failed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, TypeVar

from rpc_schema import errors, limits
from rpc_schema.base import Empty, Wire
from rpc_schema.export import load_openrpc
from rpc_schema.framing import FramingFault
from rpc_schema.json_text import write_json
from rpc_schema.message import read_message, write_error
from rpc_schema.methods import Method
from rpc_schema.notifications import RuntimeResync
from rpc_schema.sdk import SdkParams
from rpc_schema.session import InitializeParams
from sidecar.domain.caller import HOST, Caller
from sidecar.domain.refusal import Refusal
from sidecar.rpc.callers import name_caller
from sidecar.rpc.connection import Connection
from sidecar.rpc.dispatcher import Denied, Dispatcher
from sidecar.rpc.post import Post
from sidecar.services import expiry, lifecycle, session, workspace
from sidecar.services.subjects import subject_of
from sidecar.services.table import SERVICES
from sidecar.services.unit import Runtime, Unit
from sidecar.store import miniapps
from sidecar.store.database import StoreError
from sidecar.store.transaction import CommitError, Transaction

logger = logging.getLogger("sidecar.rpc")

T = TypeVar("T")

_LARGE = limits.MAX_MESSAGE_BYTES
_LONG_S = 0.02
"""How long one group may take before others have their turn."""
"""How many bytes of answers end a group, so that the next one may wait until the peer has taken them."""

_RETRY_MS = limits.SECOND
"""When what is overdue is tried again after the store could not be written."""


class Desk:
    """Runs requests and what the Runtime does of itself, and lets out what may leave."""

    def __init__(self, runtime: Runtime, tx: Transaction, on_exit: Callable[[int], None]) -> None:
        self.runtime = runtime
        self._tx = tx
        self._on_exit = on_exit
        self._dispatcher = Dispatcher(self)
        self._post = Post(runtime, tx)
        self._done: list[Unit] = []

    # -- what arrives
    def handle(self, connection: Connection, frames: list[bytes | FramingFault]) -> int:
        """Answer the frames that arrived together, or the first of them where that grows large or long; how many."""
        self._expire()
        answers, size, done = [], 0, 0
        until = time.monotonic() + _LONG_S
        while done < len(frames) and size < _LARGE and time.monotonic() < until:
            answer = self._dispatcher.answer(connection, frames[done])
            done += 1
            if answer is not None:
                answers.append(answer)
                size += len(answer)
        written = answers if self._commit() else [failed for answer in answers for failed in _as_failed(answer)]
        for answer in written:
            connection.answer(answer)
        self._let_out()
        return done

    def begin(self, service: Callable[[Unit], None]) -> None:
        """Do what the start asks for; what goes wrong here ends the start.

        Raises:
            StoreError: the store cannot be written.
        """
        unit = Unit(self.runtime, self._tx)
        self._tx.mark()
        try:
            service(unit)
            self._tx.keep()
            self._tx.commit()
        except CommitError as error:
            raise StoreError(f"the store cannot be written; free its disk and start again: {error}") from None

    def act(self, service: Callable[[Unit], T]) -> T | None:
        """Do something of the Runtime's own accord, as a transaction of its own; None where it failed."""
        self._expire()
        result = self._own(service)
        self.runtime.live.keep()  # what was learnt of a process stays true, whatever the store says
        self._commit()
        self._let_out()
        return result

    def tick(self) -> None:
        """See whether something is overdue."""
        if self.runtime.clock.now() >= self.runtime.next_due:
            self.act(lambda unit: None)

    def drained(self) -> None:
        """The Host has taken output: go on with what was held back."""
        host = self.runtime.live.host
        if isinstance(host, Connection):
            host.regain()
        self._post.pump_all()

    # -- one request, called back by the dispatcher
    def admit(self, peer: Connection, method: Method) -> None:
        """Whether that connection may ask for that method now."""
        live = self.runtime.live
        if not peer.is_host and not (method.name.startswith("sdk.") or method.name == "ping"):
            raise Denied(errors.METHOD_NOT_FOUND, "method not found")
        if method.name == "test.advanceClock" and not self.runtime.test_clock:
            raise Denied(errors.METHOD_NOT_FOUND, "method not found")
        if live.shutting_down and method.name != "exit":
            refusal = Refusal("shutting_down")
            self._audit(Unit(self.runtime, self._tx, HOST, method.name), refusal, Empty())
            raise refusal
        if not live.session_id and not method.before_initialize:
            raise Denied(errors.NOT_INITIALIZED, "initialize comes first")

    def run(self, peer: Connection, method: Method, params: Wire) -> Any:
        """Run one request in its savepoint."""
        if method.name == "rpc.discover":
            return write_json(load_openrpc())
        if method.name == "exit":
            self._on_exit(0 if self.runtime.live.shutting_down else 1)
            return None
        unit = Unit(self.runtime, self._tx, HOST, method.name)
        self._tx.mark()
        try:
            caller = name_caller(unit, peer, method, params.context_token if isinstance(params, SdkParams) else None)
            result = self._serve(unit, peer, caller, method, params)
            workspace.announce(unit)
        except Refusal as refusal:
            self._tx.undo()
            self._audit(unit, refusal, params)
            raise
        except BaseException:
            self._tx.undo()
            raise
        self._tx.keep()
        self._done.append(unit)
        return result

    def _serve(self, unit: Unit, peer: Connection, caller: Caller, method: Method, params: Wire) -> Any:
        unit.caller, unit.actor = caller, caller.actor
        if isinstance(params, InitializeParams):
            return session.initialize(unit, params, peer)
        if caller.instance_id and not caller.surface_id:
            unit.live.use(caller.instance_id)
            if not unit.live.connected(caller.instance_id):
                self._connect(caller.instance_id)
        return SERVICES[method.name](unit, params)

    def _connect(self, instance_id: str) -> None:
        """The logic of an instance has spoken: it is there, even if what it asks for is refused."""
        self._own(lambda unit: lifecycle.connect(unit, lifecycle.live_instance(unit, instance_id)))
        self._tx.mark()

    def _audit(self, unit: Unit, refusal: Refusal, params: Wire) -> None:
        refused = Unit(self.runtime, self._tx, unit.caller, unit.action)
        self._tx.mark()
        act = refused.act(subject_of(refused, params), **refusal.audited())
        self._tx.audit(act, at=refused.now, decision="refused", code=refusal.code)
        self._tx.keep()

    # -- boundaries
    def _expire(self) -> None:
        if self.runtime.clock.now() >= self.runtime.next_due:
            self._own(expiry.run)

    def _own(self, service: Callable[[Unit], T]) -> T | None:
        unit = Unit(self.runtime, self._tx)
        unit.by("runtime", "")
        self._tx.mark()
        try:
            result = service(unit)
            workspace.announce(unit)
        except Exception:
            self._tx.undo()
            logger.exception("an act of the Runtime failed and was taken back")
            return None
        self._tx.keep()
        self._done.append(unit)
        return result

    def _commit(self) -> bool:
        try:
            self._tx.commit()
        except CommitError as error:
            logger.error("the store refused a commit; everything in it was taken back: %s", error)
            self._done.clear()
            self._take_back()
            return False
        self.runtime.live.keep()
        return True

    def _take_back(self) -> None:
        """Let the session's memory, too, be as it was, and tell the Host; what is overdue is tried again soon."""
        live = self.runtime.live
        live.take_back()
        live.lanes.clear()
        stored = miniapps.disabled(self._tx)
        self.runtime.apps.recall(stored, live.host_version, live.host_run, live.providers)
        self.runtime.next_due = self.runtime.clock.now() + _RETRY_MS
        if live.host is not None:
            live.host.tell("runtime.resync", RuntimeResync(reason="store_failed"))

    def _let_out(self) -> None:
        done, self._done = self._done, []
        for unit in done:
            for hearer, method, params in unit.news:
                hearer.tell(method, params)
        self._post.pump({conversation_id for unit in done for conversation_id in unit.lanes})
        for unit in done:
            for act in unit.later:
                act()


def _as_failed(answer: bytes) -> list[bytes]:
    """The answer to a request whose commit failed; what was an error anyway stays."""
    message = read_message(answer, max_depth=2 * limits.MAX_JSON_DEPTH)  # what a batch was answered with is deeper
    if isinstance(message, list):
        return [b"[" + b",".join(_failed(one) for one in message) + b"]"]
    return [_failed(message)]


def _failed(answer: dict[str, Any]) -> bytes:
    failure = {"code": errors.INTERNAL_ERROR, "message": "the store cannot be written; free its disk and try again"}
    return write_error(answer["id"], answer.get("error", failure))
