from __future__ import annotations

import pytest

from host_bridge.web import documents as module
from host_bridge.web.documents import MAX_DOCUMENTS, DocumentRefusedError, Documents, find_policy_fault
from rpc_schema.limits import MAX_DOCUMENT, MIB

GOOD = (
    "default-src 'none'; script-src 'sha256-a='; style-src 'sha256-b='; img-src data: blob:; font-src data:; "
    "connect-src 'none'; form-action 'none'; base-uri 'none'; sandbox allow-scripts"
)


def test_a_document_is_found_under_its_own_path_alone() -> None:
    documents = Documents()
    path = documents.keep("s", "<p>é</p>", GOOD)
    found = documents.find(path)
    assert found is not None
    assert (found.surface_id, found.body, found.csp) == ("s", "<p>é</p>".encode(), GOOD)
    assert len(path) >= 44
    for near in ("/", "", path[:-1], path + "/", path + "?x", path.swapcase(), f"//{path[1:]}"):
        assert documents.find(near) is None


def test_a_second_document_of_a_surface_takes_the_place_of_the_first() -> None:
    documents = Documents()
    first, second = documents.keep("s", "1", GOOD), documents.keep("s", "2", GOOD)
    assert first != second
    assert documents.find(first) is None
    assert len(documents) == 1


def test_what_is_forgotten_is_gone() -> None:
    documents = Documents()
    paths = {one: documents.keep(one, one, GOOD) for one in ("a", "b", "c")}
    documents.forget("a")
    documents.forget("unknown")
    assert [documents.find(path) is None for path in paths.values()] == [True, False, False]
    documents.forget_all()
    assert len(documents) == 0


def test_documents_are_bounded_in_number_and_size(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = Documents()
    for n in range(MAX_DOCUMENTS):
        documents.keep(f"{n}", "", GOOD)
    with pytest.raises(DocumentRefusedError, match="detach a surface first"):
        documents.keep("one more", "", GOOD)
    documents.keep("0", "in its own place", GOOD)
    documents.forget("1")
    with pytest.raises(DocumentRefusedError, match=f"at most {MAX_DOCUMENT} bytes"):
        documents.keep("1", "x" * (MAX_DOCUMENT + 1), GOOD)
    monkeypatch.setattr(module, "MAX_DOCUMENTS_BYTES", MIB)
    documents.keep("1", "x" * (MIB - 100), GOOD)
    with pytest.raises(DocumentRefusedError, match="all documents"):
        documents.keep("2", "x" * 200, GOOD)


@pytest.mark.parametrize(
    ("csp", "fault"),
    [
        (GOOD, None),
        (GOOD.replace("default-src 'none'", "DEFAULT-SRC 'none'"), None),
        ("", "printable"),
        (GOOD + "\r\nSet-Cookie: a=b", "printable"),
        (GOOD + "\n", "printable"),
        (GOOD + "é", "printable"),
        ("x" * (64 * 1024 + 1), "printable"),
        (GOOD + ", default-src *", "one policy"),
        (GOOD.replace("default-src 'none'", "default-src *"), "default-src 'none'"),
        ("default-src *; " + GOOD, "default-src 'none'"),
        (GOOD.replace("connect-src 'none'; ", ""), "connect-src 'none'"),
        (GOOD.replace("sandbox allow-scripts", "sandbox allow-scripts allow-same-origin"), "sandbox allow-scripts"),
        (GOOD.replace("; sandbox allow-scripts", ""), "sandbox allow-scripts"),
        (GOOD.replace("sandbox allow-scripts", "sandbox"), "sandbox allow-scripts"),
    ],
)
def test_a_policy_that_is_weaker_than_a_surface_s_is_no_policy(csp: str, fault: str | None) -> None:
    found = find_policy_fault(csp)
    if fault is None:
        assert found is None
    else:
        assert found is not None
        assert fault in found
