"""Linux's Landlock by its three system calls: what the process may still open, execute, connect to and signal.

It holds for this process and all that it starts, and cannot be taken back. It says nothing of UDP, Unix sockets
and what is open already; the guard beside it does the rest.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Numbers of the system calls, the same on every architecture."""
CREATE_RULESET_VERSION = 1
RULE_PATH_BENEATH = 1
PR_SET_NO_NEW_PRIVS = 38
if sys.platform == "linux":
    OPEN_PATH = os.O_PATH | os.O_CLOEXEC
else:
    OPEN_PATH = 0  # nothing is opened there

READ_FILE, READ_DIR = 1 << 2, 1 << 3
HANDLED_FS = {1: 1 << 13, 2: 1 << 14, 3: 1 << 15, 5: 1 << 16}
"""ABI → one more than the highest right that it knows: all from execute on; refer; truncate; ioctl on devices."""
NET_BIND_AND_CONNECT_TCP = 0b11
SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11


def restrict(readable: Iterable[str]) -> int:
    """Leave only reading beneath these paths: the ABI in force, 0 where the system has no Landlock.

    Nothing can be written or executed any more; from ABI 4 on no TCP, from ABI 6 on no signal to others.
    To be called while there is one thread: those that exist already are not bound.
    """
    if sys.platform != "linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    abi = _call(libc, CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(CREATE_RULESET_VERSION))
    if abi < 1:
        return 0
    ruleset = _create_ruleset(libc, abi)
    try:
        for path in readable:
            _allow_reading(libc, ruleset, path)
        return abi if _enforce(libc, ruleset) else 0
    finally:
        os.close(ruleset)


def _create_ruleset(libc: ctypes.CDLL, abi: int) -> int:
    rights = max(limit for since, limit in HANDLED_FS.items() if since <= abi) - 1
    network = NET_BIND_AND_CONNECT_TCP if abi >= 4 else 0
    scope = SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS if abi >= 6 else 0
    rules = struct.pack("=QQQ", rights, network, scope)  # an older kernel takes a longer struct that ends in zeros
    ruleset = _call(libc, CREATE_RULESET, rules, ctypes.c_size_t(len(rules)), ctypes.c_uint(0))
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "Landlock refused the ruleset")
    return ruleset


def _allow_reading(libc: ctypes.CDLL, ruleset: int, path: str) -> None:
    try:
        handle = os.open(path, OPEN_PATH)
    except OSError:
        return  # what does not exist needs no leave
    try:
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        rule = struct.pack("=Qi", READ_FILE | READ_DIR if is_folder else READ_FILE, handle)
        if _call(libc, ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(RULE_PATH_BENEATH), rule, ctypes.c_uint(0)):
            raise OSError(ctypes.get_errno(), "Landlock refused a rule", path)
    finally:
        os.close(handle)


def _enforce(libc: ctypes.CDLL, ruleset: int) -> bool:
    no = ctypes.c_ulong(0)
    if libc.prctl(ctypes.c_int(PR_SET_NO_NEW_PRIVS), ctypes.c_ulong(1), no, no, no):
        return False
    return _call(libc, RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint(0)) == 0


def _call(libc: ctypes.CDLL, number: int, *arguments: object) -> int:
    libc.syscall.restype = ctypes.c_long
    return int(libc.syscall(ctypes.c_long(number), *arguments))
