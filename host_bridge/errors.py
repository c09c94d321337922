"""What can go wrong on the Host's side of the wire, each with a type of its own."""

from __future__ import annotations

from typing import Any

from rpc_schema.errors import REFUSED


class HostError(Exception):
    """The base of every error that this package raises on purpose."""


class RpcError(HostError):
    """The Runtime answered with an error; ``refusal`` is the stable code of a refused request (PROTOCOL 1.2)."""

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None) -> None:
        self.code = code
        self.message = message
        self.data = data or {}
        self.refusal: str | None = self.data.get("code") if code == REFUSED else None
        super().__init__(f"{self.refusal or code}: {message}")


class ConnectionLostError(HostError):
    """The sidecar is gone; whether a pending request was carried out is unknown until it is read back."""

    def __init__(self, message: str, exit_code: int | None = None, stderr: str = "") -> None:
        self.message = message
        self.exit_code = exit_code
        self.stderr = stderr
        super().__init__(f"{message}\n{stderr}".rstrip())

    def again(self) -> ConnectionLostError:
        """The same, to be raised in another place with a traceback of its own."""
        return ConnectionLostError(self.message, self.exit_code, self.stderr)


class ContractBrokenError(HostError):
    """What was said does not fit the contract; ``errors`` lists path and message (PROTOCOL 1)."""

    def __init__(self, what: str, errors: list[str]) -> None:
        self.errors = errors
        super().__init__(f"{what}: {'; '.join(errors)}")


class NotificationsMissedError(HostError):
    """A stream was read too slowly and dropped its backlog: read the snapshots again, then go on with a new stream."""


class ToolRejectedError(HostError):
    """The Runtime did not accept an envelope. ``code`` is the refusal."""

    def __init__(self, code: str, message: str, answer: dict[str, Any]) -> None:
        self.code = code
        self.answer = answer
        super().__init__(f"{code}: {message}")


class ClaimFailedError(HostError):
    """Something that a show claims did not hold."""


class CapabilityDeniedError(HostError):
    """A provider's *no* to a capability request, in its own words."""
