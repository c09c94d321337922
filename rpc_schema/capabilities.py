"""Capabilities on the Host's side (PROTOCOL 8)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

from rpc_schema import limits
from rpc_schema.base import Id, JsonObject, Maybe, Wire

CapabilityOutcome = Literal["granted", "denied", "failed"]


class CapabilityResolveParams(Wire):
    """What the Host's provider made of a request."""

    request_id: Id
    outcome: CapabilityOutcome
    result: Maybe[JsonObject] = None
    message: Maybe[Annotated[str, StringConstraints(max_length=limits.MAX_TEXT)]] = None
