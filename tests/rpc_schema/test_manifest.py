"""Manifest v1 as it is read and as it is sent (PROTOCOL 10)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from rpc_schema.manifest import Manifest

Sampler = Callable[..., Any]


def read(value: Any) -> Manifest:
    return Manifest.model_validate_json(json.dumps(value))


@pytest.mark.parametrize(
    ("written", "kind"), [("system", "system"), ("bundled", "bundled"), ("bundled-reference", "bundled")]
)
def test_the_older_word_is_read_as_bundled(written: str, kind: str, sample: Sampler) -> None:
    assert read({**sample("ManifestInput"), "kind": written}).kind == kind


@pytest.mark.parametrize("kind", ["Bundled", "third-party", "", None, 1, ["bundled"]])
def test_another_kind_is_refused(kind: Any, sample: Sampler) -> None:
    with pytest.raises(ValidationError):
        read({**sample("ManifestInput"), "kind": kind})


def test_permissions_may_be_left_out_and_are_sent_as_none(sample: Sampler) -> None:
    value = sample("ManifestInput", False) | {"tools": [sample("ToolDescriptorInput", False)]}
    (tool,) = read(value).model_dump(mode="json")["tools"]
    assert tool == sample("ToolDescriptorInput", False) | {"permissions": []}


@pytest.mark.parametrize("handling", ["interactive", "Direct", ""])
def test_interactive_is_the_runtimes_own_handling(handling: str, sample: Sampler) -> None:
    tool = sample("ToolDescriptorInput") | {"handling": handling}
    with pytest.raises(ValidationError):
        read({**sample("ManifestInput"), "tools": [tool]})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "probe." + "x" * 123),
        ("id", "probe.run tool"),
        ("version", 2),
        ("version", True),
        ("version", 1.0),
        ("timeout_ms", 999),
        ("timeout_ms", 86_400_001),
        ("description", "x" * 1_025),
        ("permissions", [""]),
    ],
)
def test_a_descriptor_keeps_its_bounds(field: str, value: Any, sample: Sampler) -> None:
    with pytest.raises(ValidationError):
        read({**sample("ManifestInput"), "tools": [sample("ToolDescriptorInput") | {field: value}]})
