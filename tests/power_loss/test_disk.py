"""The disk that forgets is as bad as a disk may be, and follows whatever a program does to it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from itertools import pairwise, product
from pathlib import Path

import pytest

from tests.power_loss.disk import SECTOR, Disk
from tests.power_loss.journal import lives_in, read_journal

Image = dict[str, bytes | None]
Images = Callable[..., list[Image]]


@pytest.fixture
def images(tmp_path: Path, library: Path) -> Images:
    """Run a program on the disk, and see what a power cut after it may leave: names, with what is in files."""
    disk, journal = tmp_path / "disk", tmp_path / "journal"
    disk.mkdir()
    (disk / "old").write_bytes(b"old")

    def run(program: str, fates: tuple[str, ...], seeds: Iterable[int] = (0,)) -> list[Image]:
        before = Disk(disk)
        names = {"LD_PRELOAD": library, "LINEUP_DISK": disk, "LINEUP_LOG": journal}
        text = f"import os\nos.chdir('/')\nat = {str(disk)!r}\n{program}"
        ran = subprocess.run(
            [sys.executable, "-c", text],
            env={**os.environ, **{name: str(one) for name, one in names.items()}},
            capture_output=True,
            check=True,
        )
        acts = read_journal(journal)
        assert lives_in(acts) == [ran.stdout]
        for act in acts:
            before.do(act)
        found = []
        for number, (fate, seed) in enumerate(product(fates, seeds)):
            before.write_image(tmp_path / f"image {number}", fate, seed)
            found.append(look(tmp_path / f"image {number}"))
        return found

    return run


def look(folder: Path) -> Image:
    """Everything below a folder."""
    return {
        str(one.relative_to(folder)): one.read_bytes() if one.is_file() else None for one in sorted(folder.rglob("*"))
    }


def sync(path: str) -> str:
    """A program that syncs a file or a folder."""
    return f"fd = os.open(at + {path!r}, os.O_RDONLY); os.fsync(fd); os.close(fd)\n"


WRITE = "with open(at + '/old', 'r+b') as file: file.write(b'new' + b'.' * 9_000)\n"
MAKE = "with open(at + '/made', 'wb') as file: file.write(b'content')\n"
FOLDER = "os.mkdir(at + '/folder')\nwith open(at + '/folder/made', 'wb') as file: file.write(b'content')\n"
RENAME = "os.rename(at + '/old', at + '/other')\n"
NEW = b"new" + b"." * 9_000


@pytest.mark.parametrize(
    ("program", "lost", "kept"),
    [
        (WRITE, {"old": b"old"}, {"old": NEW}),
        (MAKE, {"old": b"old"}, {"old": b"old", "made": b"content"}),
        (FOLDER, {"old": b"old"}, {"folder": None, "folder/made": b"content", "old": b"old"}),
        (RENAME, {"old": b"old"}, {"other": b"old"}),
        ("os.unlink(at + '/old')", {"old": b"old"}, {}),
        ("os.truncate(os.open(at + '/old', os.O_RDWR), 1)", {"old": b"old"}, {"old": b"o"}),
        ("open(at + '/old', 'wb').close()", {"old": b"old"}, {"old": b""}),
        ("print('said', flush=True)", {"old": b"old"}, {"old": b"old"}),
    ],
)
def test_what_was_not_synced_may_be_lost_or_kept(images: Images, program: str, lost: Image, kept: Image) -> None:
    assert images(program, ("nothing", "everything")) == [lost, kept]


@pytest.mark.parametrize(
    ("program", "due"),
    [
        (WRITE + sync("/old"), {"old": NEW}),
        (MAKE + sync("/made"), {"old": b"old"}),
        (MAKE + sync("/"), {"old": b"old", "made": b""}),
        (MAKE + sync("/made") + sync("/"), {"old": b"old", "made": b"content"}),
        (FOLDER + sync("/folder/made") + sync("/folder"), {"old": b"old"}),
        (FOLDER + sync("/"), {"old": b"old", "folder": None}),
        (RENAME + sync("/"), {"other": b"old"}),
    ],
)
def test_what_was_synced_is_kept_and_no_more(images: Images, program: str, due: Image) -> None:
    program = program.replace("at + '/'", "at")
    assert images(program, ("nothing",)) == [due]


def test_names_and_content_may_come_one_without_the_other(images: Images) -> None:
    assert images(MAKE, ("content alone", "names alone")) == [{"old": b"old"}, {"old": b"old", "made": b""}]


def test_a_write_may_be_torn_at_any_sector_and_its_parts_land_in_any_order(images: Images) -> None:
    write = WRITE.replace("b'new'", "b'-' * 8")
    found = images(write, ("cut short", "some sectors"), seeds=range(60))
    cut, some = [[one["old"] or b"" for one in found[:60]], [one["old"] or b"" for one in found[60:]]]
    assert {len(one) % SECTOR for one in cut if len(one) > 3} == {0}
    assert len(set(cut)) > 9
    landed = [tuple(one[at : at + 1] == b"." for at in range(SECTOR, len(one), SECTOR)) for one in some]
    assert any(not first and second for one in landed for first, second in pairwise(one))
    assert any(first and not second for one in landed for first, second in pairwise(one))


def test_the_same_seed_gives_the_same_cut_and_another_seed_another(images: Images) -> None:
    first, again, *others = images(WRITE + MAKE + RENAME, ("some sectors",), seeds=(1, 1, *range(2, 20)))
    assert first == again
    assert len({str(one) for one in others}) > len(others) // 2


@pytest.mark.parametrize("program", ["os.link(at + '/old', at + '/two')", "os.symlink('old', at + '/two')"])
def test_what_is_not_followed_ends_the_program(images: Images, program: str) -> None:
    with pytest.raises(subprocess.CalledProcessError) as caught:
        images(program, ("nothing",))
    assert caught.value.returncode == -signal.SIGABRT
    assert b"is not followed" in caught.value.stderr
