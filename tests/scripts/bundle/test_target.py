"""What a bundle's files are called and are."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

from scripts.bundle.target import (
    PLATFORMS,
    VARIABLE,
    TargetError,
    check_program,
    choose_target,
    launcher_name,
    read_host,
    read_platform,
)

LINUX, MAC, WINDOWS = "x86_64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-msvc"


def elf(machine: int) -> bytes:
    return b"\x7fELF\x02\x01" + bytes(12) + struct.pack("<H", machine) + bytes(44)


def mach_o(machine: int) -> bytes:
    return b"\xcf\xfa\xed\xfe" + struct.pack("<I", machine) + bytes(24)


def pe(machine: int) -> bytes:
    return b"MZ" + bytes(58) + struct.pack("<I", 0x80) + bytes(0x40) + b"PE\0\0" + struct.pack("<H", machine)


PROGRAMS = {
    "aarch64-apple-darwin": mach_o(0x0100000C),
    "aarch64-pc-windows-msvc": pe(0xAA64),
    "aarch64-unknown-linux-gnu": elf(183),
    "x86_64-apple-darwin": mach_o(0x01000007),
    "x86_64-pc-windows-msvc": pe(0x8664),
    "x86_64-unknown-linux-gnu": elf(62),
}


@pytest.mark.parametrize("host", PLATFORMS)
@pytest.mark.parametrize("how", ["flag", "variable", "neither", "both"])
def test_the_target_is_the_flags_or_the_variables_or_the_hosts(host: str, how: str) -> None:
    flag = host if how in ("flag", "both") else None
    variable = {"variable": host, "both": WINDOWS if host != WINDOWS else LINUX}.get(how, "")
    assert choose_target(flag, {VARIABLE: variable} if variable else {}, host) == host


@pytest.mark.parametrize("target", [triple for triple in PLATFORMS if triple != LINUX])
def test_another_platform_than_the_hosts_is_refused(target: str) -> None:
    with pytest.raises(TargetError, match=f"{target}: a bundle is made on the platform that it is for"):
        choose_target(None, {VARIABLE: target}, LINUX)


@pytest.mark.parametrize("target", ["universal-apple-darwin", "x86_64", "linux", "x86_64-unknown-linux-musl"])
def test_what_is_no_platform_of_a_bundle_is_refused(target: str) -> None:
    with pytest.raises(TargetError, match="a bundle is for one of aarch64-apple-darwin, "):
        choose_target(target, {}, target)


@pytest.mark.parametrize(
    ("triple", "name"),
    [
        (LINUX, "lineup-sidecar-x86_64-unknown-linux-gnu"),
        (MAC, "lineup-sidecar-aarch64-apple-darwin"),
        (WINDOWS, "lineup-sidecar-x86_64-pc-windows-msvc.exe"),
    ],
)
def test_the_launcher_is_named_as_tauri_wants_it(triple: str, name: str) -> None:
    assert launcher_name(triple) == name


def test_the_host_is_what_rustc_says() -> None:
    assert read_host("rustc 1.95.0\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\nrelease: 1.95.0\n") == LINUX
    with pytest.raises(TargetError, match="names no host"):
        read_host("rustc 1.95.0\n")


@pytest.mark.parametrize("triple", PLATFORMS)
def test_a_program_is_known_by_its_header(tmp_path: Path, triple: str) -> None:
    program = tmp_path / "a folder" / "sidecar"
    program.parent.mkdir()
    program.write_bytes(PROGRAMS[triple])
    check_program(program, triple)
    for other in PLATFORMS.keys() - {triple}:
        with pytest.raises(TargetError, match=f"is {PLATFORMS[triple]}, and {other} wants {PLATFORMS[other]}"):
            check_program(program, other)


@pytest.mark.parametrize(
    "header",
    [b"", b"\x7fELF", b"\x7fELF\x02\x01", b"MZ", b"MZ" + bytes(200), b"#!/bin/sh\n", elf(3), mach_o(7), pe(0x14C)],
)
def test_what_is_no_program_is_refused(tmp_path: Path, header: bytes) -> None:
    assert read_platform(header) is None
    (tmp_path / "sidecar").write_bytes(header)
    with pytest.raises(TargetError, match="is no program, and"):
        check_program(tmp_path / "sidecar", LINUX)


def test_a_program_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="No such file or directory: build it first"):
        check_program(tmp_path / "sidecar", LINUX)


def test_a_real_program_is_known() -> None:
    platform = read_platform(Path(sys.executable).read_bytes()[:4096])
    assert platform in PLATFORMS.values()
