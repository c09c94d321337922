"""Which platform a bundle is for: the names that Tauri asks for, and what the built programs really are."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Final

VARIABLE: Final = "TAURI_ENV_TARGET_TRIPLE"
"""Tauri's command line sets it for the commands that run before a build."""

PLATFORMS: Final = {
    "aarch64-apple-darwin": "Mach-O arm64",
    "aarch64-pc-windows-msvc": "PE arm64",
    "aarch64-unknown-linux-gnu": "ELF arm64",
    "x86_64-apple-darwin": "Mach-O x86_64",
    "x86_64-pc-windows-msvc": "PE x86_64",
    "x86_64-unknown-linux-gnu": "ELF x86_64",
}
"""What a program for each target triple is."""

_ELF_MACHINES: Final = {62: "x86_64", 183: "arm64"}
_MACH_O_MACHINES: Final = {0x0100_0007: "x86_64", 0x0100_000C: "arm64"}
_PE_MACHINES: Final = {0x8664: "x86_64", 0xAA64: "arm64"}
_HEADER_BYTES: Final = 4096


class TargetError(Exception):
    """A bundle that cannot be made, or is not what it should be; the text says what to do."""


def choose_target(flag: str | None, environment: Mapping[str, str], host: str) -> str:
    """Choose the target triple: the flag's, else the one that Tauri names, else the host's. Raises TargetError."""
    triple = flag or environment.get(VARIABLE) or host
    if triple not in PLATFORMS:
        raise TargetError(f"{triple}: a bundle is for one of {', '.join(PLATFORMS)}")
    if triple != host:
        raise TargetError(f"{triple}: a bundle is made on the platform that it is for, and this is {host}")
    return triple


def read_host(rustc_says: str) -> str:
    """Find the host's triple in what ``rustc -vV`` prints. Raises TargetError."""
    for line in rustc_says.splitlines():
        if line.startswith("host: "):
            return line.removeprefix("host: ").strip()
    raise TargetError("rustc -vV names no host: install Rust anew")


def exe_suffix(triple: str) -> str:
    """Give what the name of a program ends in."""
    return ".exe" if "-windows-" in triple else ""


def launcher_name(triple: str) -> str:
    """Name the launcher as ``bundle.externalBin`` of ``binaries/lineup-sidecar`` wants it."""
    return f"lineup-sidecar-{triple}{exe_suffix(triple)}"


def check_program(path: Path, triple: str) -> None:
    """See that a file is a program for a target triple. Raises TargetError."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except OSError as error:
        raise TargetError(f"{path}: {error.strerror}: build it first") from None
    found = read_platform(header)
    if found != PLATFORMS[triple]:
        raise TargetError(
            f"{path} is {found or 'no program'}, and {triple} wants {PLATFORMS[triple]}: build with tools of that kind"
        )


def read_platform(header: bytes) -> str | None:
    """Tell from a program's first 4 KiB what it is for, as :data:`PLATFORMS` says it; None where it is for none."""
    try:
        if header.startswith(b"\x7fELF\x02\x01"):
            return "ELF " + _ELF_MACHINES[struct.unpack_from("<H", header, 18)[0]]
        if header.startswith(b"\xcf\xfa\xed\xfe"):
            return "Mach-O " + _MACH_O_MACHINES[struct.unpack_from("<I", header, 4)[0]]
        if header.startswith(b"MZ"):
            signature, machine = struct.unpack_from("<4sH", header, struct.unpack_from("<I", header, 0x3C)[0])
            return "PE " + _PE_MACHINES[machine] if signature == b"PE\0\0" else None
    except (KeyError, struct.error):
        pass
    return None
