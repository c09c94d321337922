"""What Windows has in place of process groups, resource limits and /proc; on other systems this module is empty.

Its structures and numbers are those of the Windows SDK (winnt.h, psapi.h). ``NtResumeProcess`` is not documented there;
it lets a process run that was made suspended, without a handle of its first thread.
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes
    from typing import Final

    SYNCHRONIZE: Final = 0x10_0000
    PROCESS_TERMINATE, PROCESS_SET_QUOTA, PROCESS_SUSPEND_RESUME = 0x1, 0x100, 0x800
    WAIT_TIMEOUT: Final = 0x102
    ERROR_ACCESS_DENIED: Final = 5
    JOB_EXTENDED_LIMITS: Final = 9
    LIMIT_PROCESS_MEMORY, LIMIT_NO_DIALOG, LIMIT_KILL_ON_CLOSE = 0x100, 0x400, 0x2000

    class _BasicLimits(ctypes.Structure):
        _fields_ = (
            ("process_time", ctypes.c_int64),
            ("job_time", ctypes.c_int64),
            ("flags", wintypes.DWORD),
            ("minimum_working_set", ctypes.c_size_t),
            ("maximum_working_set", ctypes.c_size_t),
            ("active_processes", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("priority_class", wintypes.DWORD),
            ("scheduling_class", wintypes.DWORD),
        )

    class _ExtendedLimits(ctypes.Structure):
        _fields_ = (
            ("basic", _BasicLimits),
            ("io_counters", ctypes.c_uint64 * 6),
            ("process_memory", ctypes.c_size_t),
            ("job_memory", ctypes.c_size_t),
            ("peak_process_memory", ctypes.c_size_t),
            ("peak_job_memory", ctypes.c_size_t),
        )

    class _MemoryCounters(ctypes.Structure):
        _fields_ = (
            ("size", wintypes.DWORD),
            ("page_faults", wintypes.DWORD),
            ("peak_working_set", ctypes.c_size_t),
            ("working_set", ctypes.c_size_t),
            ("quotas_and_page_file", ctypes.c_size_t * 6),
        )

    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel.OpenProcess.restype = wintypes.HANDLE
    _kernel.OpenProcess.argtypes = (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)
    _kernel.GetCurrentProcess.restype = wintypes.HANDLE
    _kernel.WaitForSingleObject.restype = wintypes.DWORD
    _kernel.WaitForSingleObject.argtypes = (wintypes.HANDLE, wintypes.DWORD)
    _kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
    _kernel.CreateJobObjectW.restype = wintypes.HANDLE
    _kernel.CreateJobObjectW.argtypes = (ctypes.c_void_p, wintypes.LPCWSTR)
    _kernel.SetInformationJobObject.argtypes = (wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD)
    _kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
    _kernel.TerminateJobObject.argtypes = (wintypes.HANDLE, wintypes.UINT)
    _kernel.K32GetProcessMemoryInfo.argtypes = (wintypes.HANDLE, ctypes.c_void_p, wintypes.DWORD)
    _nt = ctypes.WinDLL("ntdll")
    _nt.NtResumeProcess.restype = ctypes.c_long
    _nt.NtResumeProcess.argtypes = (wintypes.HANDLE,)

    class Process:
        """Another process, held so that no later one is taken for it."""

        def __init__(self, pid: int) -> None:
            self._handle = _kernel.OpenProcess(SYNCHRONIZE, False, pid)
            self._is_forbidden = ctypes.get_last_error() == ERROR_ACCESS_DENIED

        def is_there(self) -> bool:
            """Whether it still runs; one that may not be looked at is taken to."""
            if not self._handle:
                return self._is_forbidden
            return int(_kernel.WaitForSingleObject(self._handle, 0)) == WAIT_TIMEOUT

    class Job:
        """Processes that end together, at the latest with this process, each with a bound on its memory."""

        def __init__(self, process_memory: int) -> None:
            self._handle = _checked(_kernel.CreateJobObjectW(None, None))
            limits = _ExtendedLimits(process_memory=process_memory)
            limits.basic.flags = LIMIT_KILL_ON_CLOSE | LIMIT_PROCESS_MEMORY | LIMIT_NO_DIALOG
            size = ctypes.sizeof(limits)
            _checked(_kernel.SetInformationJobObject(self._handle, JOB_EXTENDED_LIMITS, ctypes.byref(limits), size))

        def take(self, pid: int) -> None:
            """Take in a process that was made suspended, and let it run: all that it starts is born into the job."""
            rights = PROCESS_TERMINATE | PROCESS_SET_QUOTA | PROCESS_SUSPEND_RESUME
            process = _checked(_kernel.OpenProcess(rights, False, pid))
            try:
                _checked(_kernel.AssignProcessToJobObject(self._handle, process))
                if _nt.NtResumeProcess(process) < 0:
                    raise OSError(f"process {pid} cannot be let run")
            finally:
                _kernel.CloseHandle(process)

        def kill(self) -> None:
            """End all that is in it."""
            _kernel.TerminateJobObject(self._handle, 1)

        def close(self) -> None:
            """Give it up: what is still in it ends."""
            _kernel.CloseHandle(self._handle)

    def resident_bytes() -> int:
        """Bytes of this process in memory."""
        counters = _MemoryCounters(size=ctypes.sizeof(_MemoryCounters))
        _checked(_kernel.K32GetProcessMemoryInfo(_kernel.GetCurrentProcess(), ctypes.byref(counters), counters.size))
        return int(counters.working_set)

    def _checked(outcome: int | None) -> int:
        if not outcome:
            raise ctypes.WinError(ctypes.get_last_error())
        return outcome
