"""WebDriver, as much of it as the tests need."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from tests.tauri.patience import eventually

_ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"
_ANSWER_SECONDS: Final = 60
_LOOK_MS: Final = 15_000
ENTER: Final = "\ue007"


class DriverError(AssertionError):
    """What the driver could not do; ``code`` is WebDriver's word for it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class Driver:
    """A tauri-driver with the system's driver behind it; one window at a time."""

    def __init__(self, program: str, environment: Mapping[str, str], log: BinaryIO) -> None:
        self.port, native_port = _free_ports()
        ports = ["--port", str(self.port), "--native-port", str(native_port)]
        self.process = subprocess.Popen([program, *ports], env=environment, stdout=log, stderr=log)
        for port in (self.port, native_port):
            eventually(partial(_answers, port), why="the driver does not start")

    def stop(self) -> None:
        """End it; it ends the system's driver."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=10)

    def begin(self, application: Path) -> Session:
        """Start the application under the driver's control."""
        return Session(self.port, application)


class Session:
    """One window. Everything that is looked for is waited for."""

    def __init__(self, port: int, application: Path) -> None:
        self._port = port
        self._path = ""
        wanted = {"alwaysMatch": {"tauri:options": {"application": str(application)}}}
        self._path = f"/session/{self._ask('POST', '/session', {'capabilities': wanted})['sessionId']}"
        self._post("/timeouts", {"implicit": _LOOK_MS, "script": _LOOK_MS})

    def end(self) -> None:
        """End the session and the application."""
        self._ask("DELETE", self._path)

    def find(self, path: str) -> Element:
        """Find the first element by XPath."""
        return Element(self, self._post("/element", {"using": "xpath", "value": path})[_ELEMENT])

    def find_all(self, css: str) -> list[Element]:
        """Find what is there now, by CSS."""
        found = self.run("return [...document.querySelectorAll(arguments[0])]", css)
        return [Element(self, one[_ELEMENT]) for one in found]

    def run(self, script: str, *arguments: Any) -> Any:
        """Run the body of a function in the frame that is looked at."""
        given = [{_ELEMENT: one.id} if isinstance(one, Element) else one for one in arguments]
        return self._post("/execute/sync", {"script": script, "args": given})

    def run_to_end(self, promise: str, *arguments: Any) -> Any:
        """Evaluate an expression that is a promise, there, and wait for what comes of it."""
        settle = "(value) => { window.settled = { value } }, (error) => { window.settled = { value: `${error}` } }"
        self.run(f"window.settled = null; ({promise}).then({settle})", *arguments)
        return eventually(lambda: self.run("return window.settled"), seconds=60)["value"]

    def enter(self, frame: Element) -> None:
        """Look at a frame from now on."""
        self._post("/frame", {"id": {_ELEMENT: frame.id}})

    def leave(self) -> None:
        """Look at the page from now on."""
        self._post("/frame", {"id": None})

    def drag(self, element: Element, *, steps: list[tuple[int, int]]) -> None:
        """Press the button over an element, move by offsets from its middle, and let go."""
        origin = {_ELEMENT: element.id}
        moves = [{"type": "pointerMove", "origin": origin, "x": x, "y": y, "duration": 10} for x, y in steps]
        actions = [moves[0], {"type": "pointerDown", "button": 0}, *moves[1:], {"type": "pointerUp", "button": 0}]
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        self._post("/actions", {"actions": [pointer]})

    def reload(self) -> None:
        """Load the page again."""
        self._post("/refresh", {})

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        return self._ask("POST", self._path + path, body)

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=_ANSWER_SECONDS)
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise DriverError(value["error"], f"{value.get('message', '')} ({method} {path} {body})")
        return value


class Element:
    """One element of the page or of a frame."""

    def __init__(self, session: Session, element_id: str) -> None:
        self._session = session
        self.id = element_id

    def click(self) -> Self:
        """Click it, as a person could."""
        self._session._post(f"/element/{self.id}/click", {})
        return self

    def write(self, text: str) -> Self:
        """Type into it."""
        self._session._post(f"/element/{self.id}/value", {"text": text})
        return self

    def clear(self) -> Self:
        """Empty it."""
        self._session._post(f"/element/{self.id}/clear", {})
        return self

    @property
    def text(self) -> str:
        """What it says."""
        return str(self._session.run("return arguments[0].textContent", self))

    def attribute(self, name: str) -> str | None:
        """One of its attributes."""
        value: str | None = self._session.run("return arguments[0].getAttribute(arguments[1])", self, name)
        return value


def _free_ports() -> tuple[int, int]:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        return one.getsockname()[1], other.getsockname()[1]


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
