"""What the start-time policy says of capabilities (RULES 8): allow, ask or deny; what it does not name is denied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["allow", "ask", "deny"]
Denial = Literal["not_declared", "policy", "host_unsupported"]


@dataclass(frozen=True, slots=True)
class Policy:
    """The policy of one Runtime life."""

    capabilities: Mapping[str, Verdict]

    def verdict(self, capability: str) -> Verdict:
        """What is to happen when that capability is asked for."""
        return self.capabilities.get(capability, "deny")


def denial(policy: Policy, declared: bool, provided: bool, capability: str) -> Denial | None:
    """Why the request is denied before anybody is asked, or None. The manifest comes first, then policy, then Host."""
    if not declared:
        return "not_declared"
    if policy.verdict(capability) == "deny":
        return "policy"
    if not provided:
        return "host_unsupported"
    return None


def read_policy(value: object) -> Policy:
    """The policy in a decoded policy file.

    Raises:
        ValueError: it is not ``{"capabilities": {NAME: "allow" | "ask" | "deny"}}``.
    """
    if not isinstance(value, dict) or set(value) != {"capabilities"} or not isinstance(value["capabilities"], dict):
        raise ValueError('the policy must be {"capabilities": {NAME: "allow" | "ask" | "deny"}}')
    for name, verdict in value["capabilities"].items():
        if not isinstance(verdict, str) or verdict not in ("allow", "ask", "deny"):
            raise ValueError(f"the policy of {name} must be allow, ask or deny")
    return Policy(value["capabilities"])
