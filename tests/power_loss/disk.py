"""A disk as a power cut may leave it: what was synced is there, and of the rest anything may be.

No order is kept among what was not synced: of the writes to a file some may have reached the disk and others not, of
one write some sectors; a file may have grown without what was written there. A name that was made, changed or taken
away is there or not until its folder was synced, whatever was synced of the file; a folder is a name in its parent.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.power_loss.journal import Act
from tests.properties.moves import Chance

SECTOR, PAGE = 512, 4096
FATES = ("nothing", "everything", "content alone", "names alone", "some", "some sectors", "some pages", "cut short")
"""What reached the disk of that which was not synced. ``cut short``: all but the end of the last write to a file."""

_NOISE = hashlib.shake_256(b"what lay there before").digest(65_536)


class Change(NamedTuple):
    """A write, or without content a new size."""

    offset: int
    content: bytes | None


class Renaming(NamedTuple):
    """A name gets another meaning, or none."""

    name: str
    node: File | Folder | None


@dataclass(eq=False)
class File:
    """``synced`` is sure to be there."""

    synced: bytearray = field(default_factory=bytearray)
    pending: list[Change] = field(default_factory=list)

    def sync(self) -> None:
        """Wait for the disk."""
        for change in self.pending:
            _put(self.synced, change)
        self.pending.clear()


@dataclass(eq=False)
class Folder:
    """``synced`` is sure to be there, ``now`` is what the program sees."""

    synced: dict[str, File | Folder] = field(default_factory=dict)
    now: dict[str, File | Folder] = field(default_factory=dict)
    pending: list[Renaming] = field(default_factory=list)

    def name(self, name: str, node: File | Folder | None) -> None:
        """Give a name another meaning."""
        _name(self.now, name, node)
        self.pending.append(Renaming(name, node))

    def sync(self) -> None:
        """Wait for the disk."""
        for renaming in self.pending:
            _name(self.synced, *renaming)
        self.pending.clear()


class Disk:
    """A folder, which counts as synced with all that is in it, and what is done to it."""

    def __init__(self, path: Path) -> None:
        self._nodes: dict[int, File | Folder] = {}
        self.root = self._take_folder(path)

    def _take_folder(self, path: Path) -> Folder:
        folder = Folder()
        for one in sorted(path.iterdir()):
            if one.is_dir():
                folder.synced[one.name] = self._take_folder(one)
            elif not one.name.endswith("-shm"):
                node = self._nodes[one.stat().st_ino] = File(bytearray(one.read_bytes()))
                folder.synced[one.name] = node
        folder.now = dict(folder.synced)
        self._nodes[path.stat().st_ino] = folder
        return folder

    def do(self, act: Act) -> None:
        """Take over an act."""
        if act.kind in "CM":
            node = self._nodes[act.inode] = File() if act.kind == "C" else Folder()  # a number may come again
            self._name(act.name, node)
        elif act.kind == "U":
            self._name(act.name, None)
        elif act.kind == "R":
            old, new = act.name.split("\0")
            node = self.find(old)
            self._name(new, node)
            self._name(old, None)
        elif act.kind in "WT":
            node = self.node(act)
            assert isinstance(node, File)
            node.pending.append(Change(act.offset, act.data if act.kind == "W" else None))
        elif act.kind == "S":
            self.node(act).sync()

    def node(self, act: Act) -> File | Folder:
        """What an act is about."""
        return self._nodes[act.inode]

    def name_of(self, inode: int) -> str:
        """What the program calls a node."""
        return next(name for name, node in _walk("", self.root) if node is self._nodes[inode])

    def find(self, path: str) -> File | Folder:
        """What the program finds under a path."""
        node: File | Folder = self.root
        for part in path.split("/") if path else ():
            assert isinstance(node, Folder)
            node = node.now[part]
        return node

    def _name(self, path: str, node: File | Folder | None) -> None:
        folder, _, name = path.rpartition("/")
        inside = self.find(folder)
        assert isinstance(inside, Folder)
        inside.name(name, node)

    @property
    def is_synced(self) -> bool:
        """Whether everything is sure to be there."""
        return not any(node.pending for _, node in _walk("", self.root))

    def write_image(self, into: Path, fate: str, seed: int) -> None:
        """Write what a power cut may leave now; beside each store lies an index of it that is of no use."""
        into.mkdir()
        _Cut(fate, Chance(seed)).write_folder(self.root, into)


class _Cut:
    """One power cut."""

    def __init__(self, fate: str, chance: Chance) -> None:
        self._fate, self._chance = fate, chance
        self._odds = chance.choice((1, 4, 4, 7))

    def write_folder(self, folder: Folder, into: Path) -> None:
        names = dict(folder.synced)
        for renaming in folder.pending:
            if self._lands("names"):
                _name(names, *renaming)
        for name, node in names.items():
            if isinstance(node, Folder):
                (into / name).mkdir()
                self.write_folder(node, into / name)
            else:
                (into / name).write_bytes(self._content(node))
                if name.endswith(".sqlite") and self._chance.choice((True, False)):
                    (into / f"{name}-shm").write_bytes(_NOISE[:32_768])

    def _content(self, file: File) -> bytes:
        content = bytearray(file.synced)
        for number, change in enumerate(file.pending, 1):
            pieces = self._pieces(change, is_last=number == len(file.pending))
            for piece in pieces:
                if self._lands("content"):
                    _put(content, piece)
                elif self._fate.startswith("some") and self._chance.choice((True, False, False, False)):
                    self._grow(content, piece)
        return bytes(content)

    def _lands(self, what: str) -> bool:
        if self._fate in ("everything", "cut short", f"{what} alone"):
            return True
        return self._fate.startswith("some") and self._chance.choice(range(8)) < self._odds

    def _pieces(self, change: Change, *, is_last: bool) -> list[Change]:
        if change.content is None:
            return [change]
        size = {"some sectors": SECTOR, "some pages": PAGE, "cut short": SECTOR}.get(self._fate)
        if size is None:
            return [change]
        pieces, place = [], 0
        while place < len(change.content):
            end = place + size - (change.offset + place) % size
            pieces.append(Change(change.offset + place, change.content[place:end]))
            place = end
        if self._fate == "cut short" and is_last:
            return pieces[: self._chance.choice(range(len(pieces)))]
        return pieces

    def _grow(self, content: bytearray, piece: Change) -> None:
        """The file has its new size, and there lies what lay there before."""
        end = piece.offset + len(piece.content or b"")
        if end > len(content):
            missing = end - len(content)
            content += self._chance.choice((bytes(missing), (_NOISE * (1 + missing // len(_NOISE)))[:missing]))


def _put(content: bytearray, change: Change) -> None:
    size = change.offset + len(change.content or b"")
    if len(content) < size:
        content += bytes(size - len(content))
    if change.content is None:
        del content[size:]
    else:
        content[change.offset : size] = change.content


def _name(names: dict[str, File | Folder], name: str, node: File | Folder | None) -> None:
    if node is None:
        names.pop(name, None)
    else:
        names[name] = node


def _walk(path: str, folder: Folder) -> list[tuple[str, File | Folder]]:
    found: list[tuple[str, File | Folder]] = [(path, folder)]
    for name, node in folder.now.items():
        below = f"{path}/{name}" if path else name
        found += _walk(below, node) if isinstance(node, Folder) else [(below, node)]
    return found
