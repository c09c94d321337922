"""The claimed descriptors: whatever is printed by whomever, stdout is the protocol's and stdin nobody else's."""

from __future__ import annotations

import subprocess
import sys

CHATTERS = """
import logging, os, subprocess, sys, warnings

before = sys.stdout
handler = logging.StreamHandler(sys.stdout)
print("said before", end="")
from sidecar.rpc.stdio import claim

claimed = claim()
print("print")
print("to the first one", file=sys.__stdout__)
before.write("without an end")
sys.stdout.flush()
logging.getLogger("chatters").addHandler(handler)
logging.getLogger("chatters").warning("logged")
warnings.warn("warned")
os.write(1, b"written\\n")
subprocess.run([sys.executable, "-c", "import sys; print('a child', repr(sys.stdin.read()))"], check=True)
print("read", repr(sys.stdin.read()), repr(os.read(0, 10)))
sys.stdout.flush()
os.write(claimed.stdout, b"answer to " + os.read(claimed.stdin, 100))
assert not os.get_inheritable(claimed.stdin) and not os.get_inheritable(claimed.stdout)
"""


def test_prints_of_any_kind_and_of_children_go_to_stderr_and_eat_no_request() -> None:
    ended = subprocess.run(
        [sys.executable, "-W", "always", "-c", CHATTERS],
        input=b"a request\n",
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert ended.stdout == b"said before" + b"answer to a request\n"
    said = ended.stderr.decode()
    words = ("print", "to the first one", "without an end", "logged", "warned", "written", "a child ''", "read '' b''")
    assert [word for word in words if word not in said] == []
