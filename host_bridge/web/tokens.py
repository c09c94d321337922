"""Who may open ``/rpc``: a token from a printed address once, and from then on the reconnect token it is exchanged for.

A reconnect token is not exchanged again: it lies in one tab's ``sessionStorage``, which no other origin reads, and a
page that reloads before it has stored the next one would be locked out.
"""

from __future__ import annotations

import hmac
import secrets
from collections import deque
from collections.abc import Iterable

TOKEN_BYTES = 32
KEPT = 16
"""How many reconnect tokens, and how many spent ones, are remembered: the oldest are wrong from then on."""


class TokenRefusedError(Exception):
    """No connection for this token. ``spent``: it was right once, so whoever sent it had a printed address."""

    def __init__(self, message: str, *, spent: bool = False) -> None:
        self.spent = spent
        super().__init__(message)


class Tokens:
    """The tokens of one run of the server; in memory only."""

    def __init__(self) -> None:
        self._unspent: str | None = None
        self._spent: deque[str] = deque(maxlen=KEPT)
        self._reconnect: deque[str] = deque(maxlen=KEPT)

    @property
    def is_address_open(self) -> bool:
        """Whether the latest printed address can still be used."""
        return self._unspent is not None

    def issue(self) -> str:
        """A new token for an address; an earlier one that was not used is void."""
        self._unspent = secrets.token_urlsafe(TOKEN_BYTES)
        return self._unspent

    def exchange(self, token: str | None) -> str:
        """The reconnect token of whoever shows a good token. Raises TokenRefusedError."""
        if not token:
            raise TokenRefusedError("a token is missing: open the address that the terminal shows")
        if _is_among(token, self._reconnect):
            return token
        if self._unspent is not None and _is_among(token, [self._unspent]):
            self._spent.append(self._unspent)
            self._unspent = None
            self._reconnect.append(secrets.token_urlsafe(TOKEN_BYTES))
            return self._reconnect[-1]
        if _is_among(token, self._spent):
            raise TokenRefusedError("this address was used before: a fresh one is in the terminal", spent=True)
        raise TokenRefusedError("the token is wrong: open the address that the terminal shows")


def _is_among(token: str, known: Iterable[str]) -> bool:
    return any(hmac.compare_digest(token.encode(), one.encode()) for one in known)
