"""Windows and macOS, as far as they can be told from here (docs/platforms.md)."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
ACCEPTANCE = Path(os.environ.get("SHARED", ROOT.parent / "shared")) / "acceptance" / "test_wire.py"
QUIET = ["-q", "-p", "no:cacheprovider", "-o", "addopts="]
BUSY = "import sys\nsys.stderr.write('busy\\n')\nsys.stderr.flush()\nwhile True:\n    pass\n"


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_every_module_can_be_imported_there(platform: str) -> None:
    command = [sys.executable, "-W", "error", HERE / "pretend.py", platform, "import"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 200


@pytest.mark.parametrize("file", [ROOT / "tests" / "scenarios" / "test_pipes.py", ACCEPTANCE], ids=["pipes", "wire"])
def test_what_holds_on_the_wire_holds_where_threads_serve_it(file: Path) -> None:
    env = {**os.environ, "LINEUP_SIDECAR": shlex.join([sys.executable, str(HERE / "threaded.py")])}
    if not file.exists():
        assert file == ACCEPTANCE  # it lies beside the project, or nowhere
        return
    options = ["--import-mode=importlib"] if file.is_relative_to(ROOT) else ["--rootdir", str(file.parent)]
    command = [sys.executable, "-m", "pytest", *QUIET, *options, str(file)]
    folder = ROOT if file.is_relative_to(ROOT) else file.parent
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-8_000:]


def test_a_busy_worker_ends_with_its_parent_where_no_kernel_sees_to_it(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(BUSY)
    worker = [sys.executable, str(HERE / "pretend.py"), "darwin", "worker", str(tmp_path)]
    parent = f"import os, subprocess; subprocess.run([*{worker!r}, str(os.getpid())])"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", parent], cwd=ROOT, stdin=pipe, stderr=pipe, text=True) as process:
        assert process.stdin
        assert process.stderr
        for line in process.stderr:
            if line == "busy\n":
                break
        process.kill()
        assert process.stderr.read() == ""  # the worker has let go of it; its input is open all the while
        process.stdin.close()


def test_a_worker_whose_parent_is_gone_already_does_not_start(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(BUSY)
    worker = [sys.executable, str(HERE / "pretend.py"), "darwin", "worker", str(tmp_path), "1"]
    done = subprocess.run(worker, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (1, "the Runtime that started this worker is gone\n")
