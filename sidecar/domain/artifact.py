"""Whether an artifact is what it says it is (PROTOCOL 5)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import unicodedata

from pydantic import ValidationError

from rpc_schema import limits
from rpc_schema.error_data import errors_of
from rpc_schema.surfaces import Artifact
from sidecar.domain.refusal import Refusal

_FORBIDDEN = frozenset("/\\")


def check_artifact(value: object) -> tuple[Artifact, bytes]:
    """The artifact and its decoded content.

    Raises:
        Refusal: ``artifact_invalid`` where its shape, name, type, size or hash does not hold.
    """
    size = value.get("byte_size") if isinstance(value, dict) else None
    if type(size) is int and size > limits.MAX_ARTIFACT:
        message = f"The artifact has {size} bytes; at most {limits.MAX_ARTIFACT} are kept: hand in less."
        found = {"limit": "artifact_bytes", "bound": limits.MAX_ARTIFACT, "actual": size}
        raise Refusal("artifact_invalid", message, path="byte_size", **found)
    try:
        artifact = Artifact.model_validate(value)
    except ValidationError as fault:
        path = errors_of(fault)[0]["path"]
        raise Refusal("artifact_invalid", f"The artifact's {path or 'shape'} does not hold.", path=path) from None
    if not _is_plain_name(artifact.name):
        raise Refusal("artifact_invalid", "The name must be a plain file name without a leading dot.", path="name")
    try:
        content = base64.b64decode(artifact.content_base64, validate=True)
    except (binascii.Error, ValueError):
        raise Refusal("artifact_invalid", "The content is not base64.", path="content_base64") from None
    if len(content) != artifact.byte_size:
        raise Refusal("artifact_invalid", path="byte_size", actual=len(content))
    if hashlib.sha256(content).hexdigest() != artifact.sha256:
        raise Refusal("artifact_invalid", path="sha256")
    return artifact, content


def _is_plain_name(name: str) -> bool:
    if name.startswith(".") or _FORBIDDEN & set(name):
        return False
    return not any(unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") for character in name)
