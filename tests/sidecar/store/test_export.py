"""What was compiled ahead is what the definitions and tables say, and a serving sidecar needs nothing else."""

import subprocess
import sys

from sidecar.store import export


def test_what_is_compiled_is_fresh():
    assert export.list_stale() == []


def test_a_stale_file_is_told(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(export, "COMPILED", tmp_path)
    (tmp_path / "of_none.py").touch()
    assert export.main(["--check"]) == 1
    told = capsys.readouterr().err
    assert f"{tmp_path / 'schema.py'} is not what the definitions say" in told
    assert "of_none.py" in told
    assert export.main([]) == 0
    (tmp_path / "of_none.py").unlink()
    assert export.main(["--check"]) == 0


def test_a_serving_sidecar_imports_no_sql_toolkit():
    code = "import sys, sidecar.app; print([name for name in ('sqlalchemy', 'sqlmodel') if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
