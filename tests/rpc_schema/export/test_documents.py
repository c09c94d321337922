"""The generated documents are fresh, cheap to read, and the same on every machine."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from rpc_schema.export import DOCUMENTS, DocumentName, load_openrpc, read_document, show_document
from rpc_schema.export.__main__ import list_stale, main, write_documents


def test_the_committed_documents_are_what_the_models_say() -> None:
    assert list_stale() == [], "run python -m rpc_schema.export and commit what it writes"


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_documents_do_not_depend_on_the_order_of_hashing(seed: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rpc_schema.export", "--folder", str(tmp_path)]
    subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True)
    assert list_stale(tmp_path) == []


def test_a_stale_or_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--folder", str(tmp_path)]) == 0
    assert main(["--folder", str(tmp_path), "--check"]) == 0
    (tmp_path / "openrpc.json").write_text("{}")
    (tmp_path / "lineup.ts").unlink()
    assert main(["--folder", str(tmp_path), "--check"]) == 1
    named = capsys.readouterr().err.splitlines()
    assert [line.split(" ")[0] for line in named] == [str(tmp_path / name) for name in ("openrpc.json", "lineup.ts")]
    assert all("run python -m rpc_schema.export" in line for line in named)


def test_the_module_is_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["rpc_schema.export", "--check"])
    monkeypatch.delitem(sys.modules, "rpc_schema.export.__main__")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("rpc_schema.export", run_name="__main__")
    assert ended.value.code == 0


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_shown_on_stdout_byte_for_byte(
    name: DocumentName, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    show_document(name)
    assert capfdbinary.readouterr().out == write_documents()[name].encode()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_written_to_a_file_byte_for_byte(name: DocumentName, tmp_path: Path) -> None:
    show_document(name, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == write_documents()[name].encode()


def test_a_file_that_cannot_be_written_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        show_document("openrpc", tmp_path / "no-folder" / "out")


def test_rpc_discovers_answer_is_the_document_read_once() -> None:
    assert load_openrpc() == json.loads(read_document("openrpc"))
    assert load_openrpc() is load_openrpc()


def test_reading_a_document_imports_no_model() -> None:
    program = "import rpc_schema.export as e, sys; e.load_openrpc(); sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
