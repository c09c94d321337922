"""What was promised: each answer and each notification that was read, as questions that the store must say yes to.

What comes later may end what was promised, but not make it undone: a call that was completed stays completed. Where a
later request takes the place of an earlier one, its outcome is as good, answered or not.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from tests.power_loss.answers import ANSWERS, NEWS, REPLACED, Params, Promise
from tests.reliability.play import PASSING

Asked = dict[int, tuple[str, Params]]


class Ledger:
    """All that was promised, each with the number of bytes that had to be read to know it."""

    def __init__(self, lives: list[bytes], asked: Asked) -> None:
        self._asked = asked
        self._owners: dict[str, str] = {}
        self._promises: list[tuple[int, Promise]] = []
        self.kinds: set[str] = set()
        """What has promised anything: methods that were answered, and notifications."""

        place = 0
        for said in lives:
            for line in said.splitlines(keepends=True):
                place += len(line)
                if line.endswith(b"\n"):
                    self._promises += [(place, one) for one in self._read(json.loads(line))]

    def until(self, heard: int) -> list[Promise]:
        """What was promised within so many bytes; what took the place of something else stands for it."""
        known = [one for place, one in self._promises if place <= heard]
        last = {one.place: one for one in known if one.place}
        return [one for one in known if not one.place or last[one.place] is one]

    def place_of(self, name: str) -> int:
        """Within how many bytes that was promised first; an id in the name is ``<>``."""
        return next(place for place, one in self._promises if plain(one.name) == name)

    def _read(self, message: Any) -> Iterator[Promise]:
        if isinstance(message, list):
            for one in message:
                yield from self._read(one)
        elif message.get("method") in NEWS:
            yield from self._note(message["method"], NEWS[message["method"]](message["params"]))
        elif "result" in message:
            yield from self._answered(message["id"], message["result"])

    def _answered(self, number: int, result: Any) -> Iterator[Promise]:
        method, params = self._asked[number]
        if method == "miniapp.mount" and result["context_token"]:
            self._owners[result["context_token"]] = params["instance_id"]
        if "context_token" in params:
            params = {**params, "instance_id": self._owners.get(params["context_token"], "")}
        if method in ANSWERS:
            yield from self._note(method, ANSWERS[method](params, result))
        if method in REPLACED:
            yield from self._note(method, [self._replaced(number, *REPLACED[method])])

    def _note(self, kind: str, promises: Iterable[Promise]) -> Iterator[Promise]:
        for one in promises:
            self.kinds.add(kind)
            yield one

    def _replaced(self, number: int, what: str, key: str, value: str, sql: str) -> Promise:
        """The answered value, or one that was asked for after it."""
        method, params = self._asked[number]
        later = [one for name, one in list(self._asked.values())[number - 1 :] if name == method]
        values = [json.dumps(one[value]) for one in later if one[key] == params[key]]
        return Promise(
            f"{what} of {params[key]} is {values[0]}", sql, (params[key], json.dumps(values)), f"{what} {params[key]}"
        )


def plain(name: str) -> str:
    """A promise's name without the ids that the Runtime chose."""
    return PASSING.sub("<>", name)


def lost(store: sqlite3.Connection, promises: list[Promise]) -> list[str]:
    """The names of the promises that a store does not keep."""
    store.create_function("same", 2, _same, deterministic=True)
    store.create_function("one_of", 2, _is_one_of, deterministic=True)
    store.create_function("sha256", 1, lambda content: hashlib.sha256(content).hexdigest(), deterministic=True)
    return [one.name for one in promises if store.execute(one.sql, one.values).fetchone() is None]


def _same(text: str | None, due: str) -> bool:
    return bool(json.loads("null" if text is None else text) == json.loads(due))


def _is_one_of(text: str | None, due: str) -> bool:
    return any(_same(text, one) for one in json.loads(due))
