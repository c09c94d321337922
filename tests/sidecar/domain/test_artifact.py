"""Artifacts are what they say they are (PROTOCOL 5)."""

import base64
import hashlib

import pytest

from sidecar.domain.artifact import check_artifact
from sidecar.domain.refusal import Refusal

CONTENT = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
SOUND = {
    "name": "board.svg",
    "media_type": "image/svg+xml",
    "byte_size": len(CONTENT),
    "sha256": hashlib.sha256(CONTENT).hexdigest(),
    "content_base64": base64.b64encode(CONTENT).decode(),
}


def test_a_sound_artifact_is_decoded():
    artifact, content = check_artifact({**SOUND, "name": "Übersicht 1.svg"})
    assert (artifact.name, content) == ("Übersicht 1.svg", CONTENT)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"byte_size": 1}, "byte_size"),
        ({"byte_size": 5 * 1024 * 1024}, "byte_size"),
        ({"byte_size": True}, "byte_size"),
        ({"sha256": "0" * 64}, "sha256"),
        ({"sha256": "A" * 64}, "sha256"),
        ({"media_type": "text/html"}, "media_type"),
        ({"content_base64": "%%%"}, "content_base64"),
        ({"content_base64": SOUND["content_base64"] + "\n"}, "content_base64"),
        ({"content_base64": "é"}, "content_base64"),
        ({"extra": 1}, "extra"),
        *[
            ({"name": name}, "name")
            for name in ("", ".hidden", "../up", "a/b", "a\\b", "a\nb", "a\u202eb", "a\u2028b", "x" * 129)
        ],
    ],
)
def test_anything_else_is_refused_with_its_path(change, path):
    with pytest.raises(Refusal) as refusal:
        check_artifact({**SOUND, **change})
    assert (refusal.value.code, refusal.value.data["path"]) == ("artifact_invalid", path)


@pytest.mark.parametrize("value", [None, [], "x", {}])
def test_no_artifact_at_all_is_refused(value):
    with pytest.raises(Refusal):
        check_artifact(value)
