"""The story of the matrix, with what it leaves out: artifacts, and what a MiniApp takes back."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from tests.reliability.play import Play
from tests.reliability.steps import GIVEN_UP, STEPS, Step
from tests.scenarios.stage import CONFIRM

BEGINNING = 2
"""How many steps belong to the first start."""


def _sdk(name: str, method: str, **params: Any) -> Step:
    return Step(name, lambda play: (f"sdk.{method}", {"context_token": play.token, **params}))


def _hand_in(name: str, size: int) -> Step:
    content = hashlib.shake_256(name.encode()).hexdigest(size // 2).encode()
    artifact = {
        "name": name,
        "media_type": "text/plain",
        "byte_size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "content_base64": base64.b64encode(content).decode(),
    }

    def request(play: Play) -> tuple[str, dict[str, Any]]:
        named = {"context_token": play.token, "surface_id": play.surface()}
        return "sdk.surfaces.submit", {**named, "artifact": artifact}

    return Step(f"the MiniApp hands in {name}", request)


def _ask_in_vain() -> list[Step]:
    def remember(play: Play, given: Any) -> None:
        play.ids["in vain"] = given["interaction_id"]

    def take_back(play: Play) -> tuple[str, dict[str, Any]]:
        return "sdk.ui.cancel", {"context_token": play.token, "interaction_id": play.ids["in vain"]}

    asked = _sdk("the MiniApp asks in vain", "ui.request", request={"kind": "confirm", **CONFIRM})
    return [asked._replace(after=remember), Step("the MiniApp takes its question back", take_back)]


_MORE = {
    "the MiniApp patches its surface": [_hand_in("small.txt", 600), _hand_in("large.txt", 150_000)],
    "a draft is saved": _ask_in_vain(),
    "another call comes": [_sdk("the MiniApp gives the call up", "tools.cancel", call_id=GIVEN_UP)],
}
"""What follows a step."""

STORY = [one for step in STEPS for one in (step, *_MORE.pop(step.name, ()))]
assert not _MORE, "every step has its place"
