"""Read the files of a bundle: regular, inside its folder, of bounded size, through no symbolic link (PROTOCOL 10)."""

from __future__ import annotations

from pathlib import Path


class FileError(Exception):
    """A file that is not read; the text says why, and needs the file's name before it."""


def is_there(path: Path) -> bool:
    """Whether anything has that name, be it a link that leads nowhere."""
    return path.is_symlink() or path.exists()


def find_file(folder: Path, *parts: str) -> Path:
    """Find a regular file below ``folder``. Raises :class:`FileError` where there is none or a link leads there."""
    path = folder
    try:
        for part in parts:
            path /= part
            if path.is_symlink():
                raise FileError("is reached through a symbolic link: put the file itself into the bundle")
        if not path.is_file():
            raise FileError("is not a regular file" if path.exists() else "is missing")
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}") from None
    return path


def read_file(folder: Path, *parts: str, limit: int) -> bytes:
    """Read a regular file of at most ``limit`` bytes. Raises :class:`FileError`."""
    path = find_file(folder, *parts)
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}") from None
    if len(data) > limit:
        raise FileError(f"has more than {limit} bytes")
    return data


def read_text(folder: Path, *parts: str, limit: int) -> str:
    """Read a text file as a browser would get it: UTF-8 without a byte order mark, lines ended by ``\\n``."""
    try:
        text = read_file(folder, *parts, limit=limit).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"is not UTF-8 at byte {error.start}") from None
    if "\0" in text:
        raise FileError("holds a NUL character, which a browser would replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")
