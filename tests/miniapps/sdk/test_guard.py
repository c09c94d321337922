"""What the guard, the limits and Landlock refuse, each in a process of its own."""

import os
import socket
import subprocess
import sys
import textwrap

import pytest

from miniapps.sdk import guard

GUARDED = """
import os, sys, signal
from miniapps.sdk import guard
{before}
guard.install(guard.readable_paths({folder!r}))
try:
    exec({probe!r})
except PermissionError as refused:
    print(refused.strerror)
else:
    print("done")
"""
LOCKED = """
import errno, os, signal, socket, sys
from miniapps.sdk import guard, landlock
{before}
abi = landlock.restrict([*guard.readable_paths({folder!r}), *guard.SHARED_LIBRARIES])
try:
    exec({probe!r})
except OSError as refused:
    print(abi, errno.errorcode[refused.errno])
else:
    print(abi, "done")
"""
LIMITED = """
import resource
from miniapps.sdk import guard
guard.limit_resources()
{probe}
"""


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "bundle"
    folder.mkdir()
    (folder / "data.txt").write_text("mine")
    (folder / "beside.py").write_text("VALUE = 7")
    (tmp_path / "secret.txt").write_text("not yours")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    return folder


def run(script: str, folder, **options) -> str:
    command = [sys.executable, "-I", "-c", script]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=30, **options)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def guarded(folder, probe: str, before: str = "") -> str:
    return run(GUARDED.format(folder=str(folder), probe=textwrap.dedent(probe), before=before), folder)


def locked(folder, probe: str, before: str = "") -> tuple[int, str]:
    abi, outcome = run(LOCKED.format(folder=str(folder), probe=textwrap.dedent(probe), before=before), folder).split()
    return int(abi), outcome


@pytest.mark.parametrize(
    ("probe", "reason"),
    [
        ("import socket; socket.socket()", guard.NO_NETWORK),
        ("import socket; socket.create_connection(('127.0.0.1', 9))", guard.NO_NETWORK),
        ("import socket; socket.getaddrinfo('example.invalid', 80)", guard.NO_NETWORK),
        ("import socket; socket.socketpair()", guard.NO_NETWORK),
        ("import subprocess; subprocess.run([sys.executable, '-c', ''])", guard.NO_PROCESS),
        ("os.system('true')", guard.NO_PROCESS),
        ("os.popen('true')", guard.NO_PROCESS),
        ("os.execv('/bin/true', ['true'])", guard.NO_PROCESS),
        ("os.fork() or os._exit(0)", guard.NO_PROCESS),
        ("os.forkpty()", guard.NO_PROCESS),
        ("os.posix_spawn('/bin/true', ['true'], {})", guard.NO_PROCESS),
        ("os.spawnv(os.P_WAIT, '/bin/true', ['true'])", guard.NO_PROCESS),
        ("import pty; pty.spawn('/bin/true')", guard.NO_PROCESS),
        ("import multiprocessing", guard.NO_PROCESS),
        ("from concurrent.futures import ProcessPoolExecutor", guard.NO_PROCESS),
        ("import ctypes", guard.NO_NATIVE),
        ("import sqlite3; sqlite3.connect('data.db')", guard.NO_WRITING),
        ("open('new.txt', 'w')", guard.NO_WRITING),
        ("open('data.txt', 'a')", guard.NO_WRITING),
        ("open('data.txt', 'r+')", guard.NO_WRITING),
        ("os.open('data.txt', os.O_RDONLY | os.O_TRUNC)", guard.NO_WRITING),
        ("os.remove('data.txt')", guard.NO_WRITING),
        ("os.rename('data.txt', 'other.txt')", guard.NO_WRITING),
        ("os.mkdir('sub')", guard.NO_WRITING),
        ("os.rmdir('sub')", guard.NO_WRITING),
        ("os.symlink('data.txt', 'again')", guard.NO_WRITING),
        ("os.link('data.txt', 'again')", guard.NO_WRITING),
        ("os.chmod('data.txt', 0o777)", guard.NO_WRITING),
        ("os.utime('data.txt')", guard.NO_WRITING),
        ("os.truncate('data.txt', 0)", guard.NO_WRITING),
        ("import shutil; shutil.copy('data.txt', 'copy.txt')", guard.NO_WRITING),
        ("import shutil; shutil.rmtree('/nowhere')", guard.NO_WRITING),
        ("open('/etc/passwd')", guard.NO_READING),
        ("open(b'/etc/passwd')", guard.NO_READING),
        ("open('../secret.txt')", guard.NO_READING),
        ("open('link.txt')", guard.NO_READING),
        ("import pathlib; pathlib.Path('/etc/passwd').read_text()", guard.NO_READING),
        ("os.open('/proc/self/environ', os.O_RDONLY)", guard.NO_READING),
        ("os.listdir('/')", guard.NO_READING),
        ("os.scandir('..')", guard.NO_READING),
        ("os.kill(os.getppid(), 0)", guard.NO_SIGNAL),
        ("os.killpg(os.getpgrp(), 0)", guard.NO_SIGNAL),
        ("os.chdir('/')", guard.NO_CHANGE),
        ("import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))", guard.NO_CHANGE),
    ],
)
def test_the_guard_refuses_and_says_what_to_do(folder, probe, reason):
    assert guarded(folder, probe) == reason
    assert sorted(path.name for path in folder.iterdir()) == ["beside.py", "data.txt", "link.txt"]
    assert (folder / "data.txt").read_text() == "mine"


@pytest.mark.parametrize(
    "probe",
    [
        "assert open('data.txt').read() == 'mine'",
        "assert 'data.txt' in os.listdir() and 'data.txt' in os.listdir('.')",
        "import pathlib; assert list(pathlib.Path().glob('*.txt'))",
        "sys.path.append(os.getcwd()); import beside; assert beside.VALUE == 7",
        "import decimal, hashlib, json, zoneinfo, html, csv; hashlib.sha256(b'x'); zoneinfo.ZoneInfo('UTC')",
        "import sqlite3; sqlite3.connect(':memory:').execute('create table t (a)')",
        "import threading; thread = threading.Thread(target=print); thread.start(); thread.join()",
        "import secrets, tempfile, logging; secrets.token_hex()",
        "os.kill(os.getpid(), 0)",
        "open(0, closefd=False).read()",
        "import traceback\ntry: 1/0\nexcept ZeroDivisionError: traceback.print_exc()",
        "import datetime; datetime.datetime.now().astimezone()",
    ],
)
def test_the_guard_lets_ordinary_logic_work(folder, probe):
    assert guarded(folder, probe).splitlines()[-1] == "done"
    assert not (folder / "__pycache__").exists()


def test_a_native_module_from_elsewhere_is_not_loaded(folder):
    probe = """
        from importlib.machinery import ExtensionFileLoader
        from importlib.util import module_from_spec, spec_from_file_location
        loader = ExtensionFileLoader("native", "/nowhere/native.so")
        module_from_spec(spec_from_file_location("native", "/nowhere/native.so", loader=loader))
    """
    assert guarded(folder, probe) == guard.NO_NATIVE


def test_no_second_hook_listens(folder):
    assert guarded(
        folder, "heard = []; sys.addaudithook(lambda *_: heard.append(1)); os.listdir(); assert not heard"
    ) == ("done")


def test_libraries_loaded_before_can_be_called_no_more(folder):
    probe = "ctypes.pythonapi.Py_IncRef"
    assert guarded(folder, probe, before="import ctypes") == guard.NO_NATIVE


@pytest.mark.parametrize(
    ("probe", "since", "before"),
    [
        ("open('/etc/passwd')", 1, ""),
        ("open('../secret.txt')", 1, ""),
        ("open('link.txt')", 1, ""),
        ("os.listdir('/')", 1, ""),
        ("open('data.txt', 'a')", 1, ""),
        ("open('new.txt', 'w')", 1, ""),
        ("os.remove('data.txt')", 1, ""),
        ("os.mkdir('sub')", 1, ""),
        ("os.mkfifo('pipe')", 1, ""),
        ("os.rename('data.txt', 'other.txt')", 1, ""),
        ("os.execv(sys.executable, [sys.executable, '-c', ''])", 1, ""),
        ("os.truncate('data.txt', 0)", 3, ""),
        ("socket.create_connection(('127.0.0.1', int(os.environ['PORT'])))", 4, ""),
        ("socket.socket().bind(('127.0.0.1', 0))", 4, ""),
        ("os.kill(os.getppid(), 0)", 6, ""),
        ("far.connect('\\0' + os.environ['NAME'])", 6, "far = socket.socket(socket.AF_UNIX)"),
    ],
)
def test_landlock_bites_where_the_kernel_has_it(folder, probe, since, before):
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        name = f"lineup-{os.getpid()}"
        abstract.bind(f"\0{name}")
        abstract.listen()
        port = server.getsockname()[1]
        given = f"os.environ.update(PORT='{port}', NAME='{name}')\n{before}"
        abi, outcome = locked(folder, probe, given)
    assert (outcome in ("EACCES", "EPERM")) == (abi >= since), (abi, outcome)


@pytest.mark.parametrize(
    "probe",
    [
        "assert open('data.txt').read() == 'mine'",
        "os.listdir()",
        "import hashlib, sqlite3, zlib, decimal, bz2; hashlib.sha256(b'x')",
        "import zoneinfo; zoneinfo.ZoneInfo('UTC')",
        "os.kill(os.getpid(), 0)",
        "os.write(2, b'heard')",
    ],
)
def test_landlock_leaves_what_logic_needs(folder, probe):
    assert locked(folder, probe)[1] == "done"


def test_landlock_holds_for_threads_that_come_later(folder):
    probe = """
        import threading
        caught = []
        def read():
            try: open('../secret.txt')
            except OSError as refused: caught.append(refused)
        thread = threading.Thread(target=read); thread.start(); thread.join()
        if caught: raise caught[0]
    """
    abi, outcome = locked(folder, probe)
    assert outcome == ("EACCES" if abi else "done")


@pytest.mark.parametrize(
    ("probe", "error"),
    [
        ("memory = bytearray(300 * 2**20)", MemoryError),
        ("memory = [bytearray(2**20) for _ in range(300)]", MemoryError),
        ("import mmap; memory = mmap.mmap(-1, 600 * 2**20)", OSError),
        ("import os; many = [os.dup(0) for _ in range(100)]", OSError),
        ("import sys; open(sys.argv[1], 'wb', buffering=0).write(b'x')", OSError),
    ],
)
def test_what_goes_over_a_limit_fails(folder, probe, error):
    script = f"try:\n    {probe}\nexcept {error.__name__}:\n    print('refused')"
    command = [sys.executable, "-I", "-c", LIMITED.format(probe=script), str(folder / "written.txt")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert (ran.stdout.strip(), ran.returncode) == ("refused", 0), ran.stderr


def test_limits_that_are_lower_already_are_kept(folder):
    probe = "print(resource.getrlimit(resource.RLIMIT_NOFILE), resource.getrlimit(resource.RLIMIT_CORE))"
    script = "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))\n" + LIMITED.format(probe=probe)
    assert run(script, folder) == "(20, 20) (0, 0)"
