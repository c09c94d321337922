from __future__ import annotations

from pathlib import Path

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from host_bridge.errors import HostError
from host_bridge.web import front_end as module
from host_bridge.web.front_end import FrontEnd, find_front_end, page_policy
from tests.host_bridge.web.conftest import SCRIPT


@pytest.fixture
def served(front_end: Path) -> FrontEnd:
    return FrontEnd(front_end, 1001, 1002)


def get(served: FrontEnd, path: str, **headers: str) -> Response | None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return served.respond(Request(path, Headers(named)))


def found(served: FrontEnd, path: str, **headers: str) -> Response:
    response = get(served, path, **headers)
    assert response is not None
    return response


def test_the_page_comes_with_a_policy_of_its_own_files_its_socket_and_frames_of_the_surface_address(
    served: FrontEnd,
) -> None:
    response = found(served, "/")
    assert response.body.startswith(b"<!doctype html>")
    headers = dict(response.headers.raw_items())
    assert headers.pop("Date")
    assert headers.pop("ETag")
    assert headers.pop("Permissions-Policy").startswith("accelerometer=(), camera=(), ")
    assert headers == {
        "Connection": "close",
        "Content-Length": str(len(response.body)),
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
            "connect-src 'self' ws://127.0.0.1:1001; frame-src http://127.0.0.1:1002; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-cache",
    }
    assert page_policy(1001, 1002) == headers["Content-Security-Policy"]


def test_only_what_a_build_named_by_its_content_lasts_in_a_cache(served: FrontEnd, front_end: Path) -> None:
    (front_end / "assets" / "plain.js").write_text("1")
    (front_end / "icon-Ab3_xY9z.svg").write_text("<svg/>")
    assert found(served, "/").status_code == 200
    assert found(served, SCRIPT).headers["Cache-Control"] == "public, max-age=31536000, immutable"
    for path in ("/", "/index.html", "/assets/plain.js", "/icon-Ab3_xY9z.svg"):
        assert found(served, path).headers["Cache-Control"] == "no-cache"


def test_what_a_browser_has_already_is_not_sent_again_until_it_changed(served: FrontEnd, front_end: Path) -> None:
    tag = found(served, "/").headers["ETag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}'):
        response = found(served, "/", If_None_Match=known)
        assert (response.status_code, response.body) == (304, b"")
        assert response.headers["Content-Security-Policy"] == page_policy(1001, 1002)
    (front_end / "index.html").write_text("<!doctype html>changed")
    assert found(served, "/", If_None_Match=tag).status_code == 200


def test_a_front_end_that_is_built_again_is_found_with_its_next_page(served: FrontEnd, front_end: Path) -> None:
    (front_end / "assets" / "new-12345678.css").write_text("a{}")
    assert get(served, "/assets/new-12345678.css") is None
    found(served, "/")
    assert found(served, "/assets/new-12345678.css").headers["Content-Type"] == "text/css; charset=utf-8"


@pytest.mark.parametrize(
    "path",
    [
        "/secret.txt",
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e%2fsecret.txt",
        "/assets/..%5c..%5csecret.txt",
        "//secret.txt",
        "/link.txt",
        "/out/secret.txt",
        "/assets",
        "/assets/",
        "/index.html/",
        "/index.html%00.js",
        "/.env",
        "/index.html?x=1",
        "/?x",
        "",
        "index.html",
        "http://127.0.0.1/index.html",
        "/%ff%fe",
    ],
)
def test_nothing_but_the_files_of_the_folder_has_an_address(front_end: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (front_end / ".env").write_text("secret")
    (front_end / "link.txt").symlink_to(tmp_path / "secret.txt")
    (front_end / "out").symlink_to(tmp_path)
    served = FrontEnd(front_end, 1, 2)
    assert get(served, path) is None


def test_a_file_that_is_gone_is_not_found(served: FrontEnd, front_end: Path) -> None:
    (front_end / SCRIPT[1:]).unlink()
    assert get(served, SCRIPT) is None


def test_a_folder_without_a_page_is_no_front_end(tmp_path: Path, front_end: Path) -> None:
    assert find_front_end(front_end) == front_end
    with pytest.raises(HostError, match="name its folder with --page DIR"):
        find_front_end(tmp_path)


def test_a_folder_full_of_files_is_no_front_end(front_end: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FILES", 1)
    with pytest.raises(HostError, match="over 1 files"):
        FrontEnd(front_end, 1, 2)
