"""``python -m scripts.bundle.build``: make the frozen sidecar and its launcher for this platform, where Tauri looks.

``tauri-host-example/src-tauri/binaries`` then holds ``lineup-sidecar-<triple>`` for ``bundle.externalBin`` and
``sidecar-dir`` for ``bundle.resources``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from scripts.bundle.target import TargetError, check_program, choose_target, exe_suffix, launcher_name, read_host

ROOT: Final = Path(__file__).parents[2]
BUILD: Final = ROOT / "build" / "bundle"
HOST_EXAMPLE: Final = ROOT / "tauri-host-example"
BINARIES: Final = HOST_EXAMPLE / "src-tauri" / "binaries"
FOLDER: Final = "sidecar-dir"


def main() -> int:
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m scripts.bundle.build", description="Make the frozen sidecar.")
    parser.add_argument("--target", metavar="TRIPLE", help="the platform that is meant; only this one can be made")
    options = parser.parse_args()
    try:
        triple = choose_target(options.target, os.environ, read_host(_output(["rustc", "-vV"])))
        show(build(triple), triple)
    except TargetError as error:
        sys.stderr.write(f"bundle: {error}\n")
        return 1
    return 0


def build(triple: str) -> Path:
    """Make everything anew; the folder that holds it. Raises TargetError."""
    folder, launcher = freeze(), compile_launcher(triple)
    for program in (folder / f"sidecar{exe_suffix(triple)}", folder / f"worker{exe_suffix(triple)}", launcher):
        check_program(program, triple)
    shutil.rmtree(BINARIES, ignore_errors=True)
    BINARIES.mkdir(parents=True)
    shutil.move(folder, BINARIES / FOLDER)
    shutil.copy2(launcher, BINARIES / launcher_name(triple))
    return BINARIES


def freeze() -> Path:
    """Freeze the Runtime and its worker: their folder."""
    spec = Path(__file__).with_name("sidecar.spec")
    places = ["--distpath", str(BUILD / "dist"), "--workpath", str(BUILD / "work")]
    _run([sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", *places, str(spec)])
    return BUILD / "dist" / "sidecar"


def compile_launcher(triple: str) -> Path:
    """Compile the launcher: its file."""
    crate = HOST_EXAMPLE / "launcher" / "Cargo.toml"
    options = ["--quiet", "--release", "--manifest-path", str(crate), "--target-dir", str(BUILD / "launcher")]
    _run(["cargo", "build", *options, "--target", triple], LINEUP_PRODUCT_NAME=product_name())
    return BUILD / "launcher" / triple / "release" / f"lineup-sidecar{exe_suffix(triple)}"


def product_name() -> str:
    """Name the app, as the folder of its resources is named on Linux."""
    config = HOST_EXAMPLE / "src-tauri" / "tauri.conf.json"
    name: str = json.loads(config.read_text(encoding="utf-8"))["productName"]
    return name


def show(binaries: Path, triple: str) -> None:
    """Say what was made, and how large it is."""
    for path in (binaries / launcher_name(triple), binaries / FOLDER):
        print(f"{measure_size(path) / 1e6:6.1f} MB  {path.relative_to(ROOT)}")


def measure_size(path: Path) -> int:
    """Add up the bytes of a file, or of the files below a folder."""
    return (
        path.stat().st_size if path.is_file() else sum(one.stat().st_size for one in path.rglob("*") if one.is_file())
    )


def _run(command: list[str], **variables: str) -> None:
    try:
        subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, check=True)
    except FileNotFoundError:
        raise TargetError(f"{command[0]} is not installed") from None
    except subprocess.CalledProcessError as error:
        raise TargetError(f"{' '.join(command[:3])} failed with code {error.returncode}") from None


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (FileNotFoundError, subprocess.CalledProcessError):
        raise TargetError(f"{command[0]} is not installed, or does not run: install Rust") from None


if __name__ == "__main__":
    sys.exit(main())
