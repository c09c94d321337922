"""Worker processes against a Runtime that only looks on: real processes, no SDK."""

import json
import os
import select
import signal
import sys
from pathlib import Path

import anyio
import pytest

from rpc_schema.limits import MAX_QUEUED_BYTES
from sidecar.workers.backoff import Backoff
from sidecar.workers.pool import WorkerPool

ECHO = """
    import sys
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
"""
DIES_AT_ONCE = "raise SystemExit(7)"
ANSWERS_AND_HANGS = """
    import os, signal
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGHUP})
    os.write(1, b"%d\\n" % os.getpid())
    while True:
        pass
"""


def run_script(folder: Path) -> list[str]:
    return [sys.executable, "-I", "-S", str(folder / "app.py")]


def watch(pid: int) -> int:
    return os.pidfd_open(pid)


def is_gone(pidfd: int, timeout: float = 5) -> bool:
    ready = bool(select.select([pidfd], [], [], timeout)[0])
    os.close(pidfd)
    return ready


async def test_a_wanted_worker_gets_the_first_bytes_and_its_output_is_fed(runtime, bundle, start):
    async with start() as pool:
        pool.want("one", bundle(ECHO))
        session = await runtime.session("one")
        assert await session.line() == b"hello one"
        session.outlet.write(b"and more\n")
        assert await session.line() == b"and more"
        assert pool.live == ["one"]


async def test_wanting_twice_starts_one_process(runtime, bundle, start):
    folder = bundle(ECHO)
    async with start() as pool:
        pool.want("one", folder)
        pool.want("one", folder)
        await (await runtime.session("one")).line()
        pool.want("one", folder)
        await anyio.wait_all_tasks_blocked()
        assert len(runtime.sessions) == 1


async def test_a_worker_that_dies_is_started_again(runtime, bundle, start):
    async with start() as pool:
        pool.want("one", bundle(ECHO))
        first = await runtime.session("one")
        await first.line()
        first.outlet.kill()
        second = await runtime.session("one", nth=2)
        assert await second.line() == b"hello one"
        assert first.is_closed
        assert runtime.lost == [("one", False)]


async def test_what_a_dying_worker_wrote_is_fed_before_its_connection_closes(runtime, bundle, start):
    script = """
        import os, sys
        sys.stdin.readline()
        os.write(1, b"last words\\n")
        os._exit(0)
    """
    async with start() as pool:
        pool.want("one", bundle(script))
        session = await runtime.session("one")
        await session.end()
        assert session.received == b"last words\n"
        await runtime.lose(1)
        assert runtime.lost[0] == ("one", False), "leaving unasked is a failure, whatever the exit code"


async def test_the_third_failure_is_final_until_it_is_wanted_anew(runtime, bundle, start):
    folder = bundle(DIES_AT_ONCE)
    async with start() as pool:
        pool.want("one", folder)
        await runtime.lose(3)
        assert runtime.lost == [("one", False), ("one", False), ("one", True)]
        await anyio.wait_all_tasks_blocked()
        pool.want("one", folder)
        await anyio.wait_all_tasks_blocked()
        assert len(runtime.sessions) == 3
        (folder / "app.py").write_text("import sys\nprint(sys.stdin.readline(), end='', flush=True)\nsys.stdin.read()")
        pool.want("one", folder, anew=True)
        assert await (await runtime.session("one", nth=4)).line() == b"hello one"


async def test_a_restart_waits_for_its_delay_and_ending_cuts_the_wait_short(runtime, bundle, start):
    async with start(make_backoff=lambda: Backoff(delays=(3600,))) as pool:
        pool.want("one", bundle(DIES_AT_ONCE))
        await runtime.lose(1)
        await anyio.wait_all_tasks_blocked()
        assert (len(runtime.sessions), pool.live) == (1, [])
        pool.end("one", grace_ms=3_600_000)


async def test_a_command_that_cannot_be_started_counts_as_failure(runtime, bundle, start):
    async with start(command=lambda folder: [str(folder / "nothing-here")]) as pool:
        pool.want("one", bundle(ECHO))
        await runtime.lose(3)
        assert runtime.lost[-1] == ("one", True)
        assert runtime.sessions == []


async def test_an_ended_worker_finishes_on_its_own_and_does_not_come_back(runtime, bundle, start):
    script = """
        import sys
        sys.stdin.readline()
        print("bye", flush=True)
    """
    async with start() as pool:
        pool.want("one", bundle(script), anew=True)
        session = await runtime.session("one")
        pool.end("one", grace_ms=3_600_000)
        assert pool.live == []
        await session.end()
        assert session.received == b"bye\n"
        assert runtime.lost == []
        await anyio.wait_all_tasks_blocked()
        assert len(runtime.sessions) == 1


async def test_an_ended_worker_sees_the_end_of_its_input_after_the_grace(runtime, bundle, start):
    script = """
        import sys
        print(len(sys.stdin.read()), flush=True)
    """
    async with start() as pool:
        pool.want("one", bundle(script))
        session = await runtime.session("one")
        pool.end("one", grace_ms=0)
        session.outlet.write(b"still heard\n")
        await session.end()
        assert session.received == b"22\n"
        session.outlet.write(b"to nobody")
        session.outlet.kill()


async def test_a_worker_that_ignores_the_end_of_its_input_is_killed(runtime, bundle, start):
    async with start() as pool:
        pool.want("one", bundle(ANSWERS_AND_HANGS))
        session = await runtime.session("one")
        process = watch(int(await session.line()))
        pool.end("one", grace_ms=0)
        await session.end()
        assert is_gone(process)


async def test_past_the_bound_the_victim_is_gone_before_the_new_one_starts(runtime, bundle, start):
    folder = bundle(ECHO)
    async with start(limit=2) as pool:
        for name in ("one", "two"):
            pool.want(name, folder)
            await (await runtime.session(name)).line()
        first = await runtime.session("one")
        pool.want("three", folder)
        assert runtime.asked == [(["one", "two"], "three")]
        await (await runtime.session("three")).line()
        assert first.is_closed
        assert pool.live == ["two", "three"]
        assert runtime.lost == []
        pool.want("one", folder)
        assert await (await runtime.session("one", nth=2)).line() == b"hello one"
        assert pool.live == ["three", "one"]


async def test_a_suspended_worker_that_is_wanted_before_it_is_gone_comes_back(runtime, bundle, start):
    folder = bundle(ECHO)
    async with start() as pool:
        pool.want("one", folder)
        first = await runtime.session("one")
        await first.line()
        pool.suspend("one")
        pool.want("one", folder)
        await (await runtime.session("one", nth=2)).line()
        assert first.is_closed
        assert runtime.lost == []


async def test_ending_before_the_process_stands_never_attaches_it(runtime, bundle, start):
    async with start() as pool:
        pool.want("one", bundle(ECHO))
        pool.end("one", grace_ms=0)
        pool.want("two", bundle(ECHO))
        await anyio.lowlevel.checkpoint()
        pool.end("two", grace_ms=0)
    assert runtime.sessions == []


async def test_a_worker_that_does_not_read_is_killed_at_the_bound(runtime, bundle, start):
    async with start() as pool:
        pool.want("one", bundle(ANSWERS_AND_HANGS))
        session = await runtime.session("one")
        await session.line()
        chunk = b"x" * 1024 * 1024
        for _ in range(2 * MAX_QUEUED_BYTES // len(chunk)):
            session.outlet.write(chunk)
            assert session.outlet.queued_bytes <= MAX_QUEUED_BYTES
        await session.end()
        await runtime.lose(1)
        assert runtime.lost == [("one", False)]


async def test_a_paused_worker_is_not_read_and_loses_nothing(runtime, bundle, start):
    total = 4 * 1024 * 1024
    script = f"""
        import sys
        sys.stdin.readline()
        sys.stdout.buffer.write(b"x" * {total})
        sys.stdout.buffer.flush()
        sys.stdin.read()
    """
    async with start() as pool:
        pool.want("one", bundle(script))
        session = await runtime.session("one")
        session.pause_at = 1
        await session.until(lambda: bool(session.received))
        pool.want("other", bundle(ECHO))
        other = await runtime.session("other")
        for _ in range(50):  # time in which it would have been read
            other.outlet.write(b"ping\n")
            await other.line()
        assert len(session.received) < total
        session.pause_at = None
        session.outlet.resume_reading()
        await session.until(lambda: len(session.received) == total)


async def test_a_worker_that_dies_while_paused_is_noticed(runtime, bundle, start):
    async with start() as pool:
        pool.want("one", bundle(ECHO))
        session = await runtime.session("one")
        session.pause_at = 1
        await session.line()
        session.outlet.kill()
        await session.end()
        await runtime.lose(1)


async def test_a_flood_on_stderr_and_an_endless_loop_leave_others_and_the_runtime_alone(runtime, bundle, start, caplog):
    flood = """
        import os
        while True:
            os.write(2, b"noise without end " * 1000 + b"\\n" * 50)
    """
    caplog.set_level("INFO", "sidecar.workers")
    async with start() as pool:
        pool.want("flood", bundle(flood))
        pool.want("loop", bundle(ANSWERS_AND_HANGS))
        await (await runtime.session("loop")).line()
        pool.want("quiet", bundle(ECHO))
        quiet = await runtime.session("quiet")
        await quiet.line()
        with anyio.fail_after(5):
            for _ in range(200):
                quiet.outlet.write(b"ping\n")
                assert await quiet.line() == b"ping"
    assert 1 <= len([record for record in caplog.records if "noise" in record.getMessage()]) <= 300


async def test_a_worker_that_closes_its_connection_is_lost(runtime, bundle, start):
    script = """
        import os, sys
        sys.stdin.readline()
        os.close(1)
        while True:
            pass
    """
    async with start() as pool:
        pool.want("one", bundle(script))
        await runtime.lose(1)
        assert runtime.lost == [("one", False)]


async def test_the_children_of_a_worker_die_with_it(runtime, bundle, start):
    script = """
        import subprocess, sys
        child = subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"])
        sys.stdin.readline()
        print(child.pid, flush=True)
        sys.stdin.readline()
    """
    async with start() as pool:
        pool.want("one", bundle(script))
        session = await runtime.session("one")
        child = watch(int(await session.line()))
        session.outlet.write(b"die\n")
        await session.end()
        assert is_gone(child)


async def test_a_child_that_left_the_group_and_holds_the_pipe_does_not_hide_the_death(runtime, bundle, start):
    script = """
        import os, subprocess, sys
        hold = [sys.executable, "-I", "-S", "-c", "import signal; signal.pause()"]
        child = subprocess.Popen(hold, stdin=subprocess.DEVNULL, start_new_session=True)
        print(child.pid, flush=True)
        sys.stdin.readline()
        sys.stdin.readline()
        os._exit(0)
    """
    async with start() as pool:
        pool.want("one", bundle(script))
        session = await runtime.session("one")
        child = int(await session.line())
        try:
            session.outlet.write(b"die\n")
            await session.end()
        finally:
            os.kill(child, signal.SIGKILL)


async def test_a_worker_inherits_no_environment_no_handle_and_no_argument_but_its_own(
    runtime, bundle, start, monkeypatch, tmp_path
):
    monkeypatch.setenv("SENTINEL_7F3", "secret")
    script = """
        import json, os, sys
        handles = sorted(int(name) for name in os.listdir("/proc/self/fd"))
        about = [dict(os.environ), handles[:3], len(handles), os.getcwd(), sys.orig_argv, os.getpgrp() == os.getpid()]
        print(json.dumps(about), flush=True)
        sys.stdin.read()
    """
    with (tmp_path / "open").open("w") as held:
        os.set_inheritable(held.fileno(), True)
        async with start() as pool:
            folder = bundle(script)
            pool.want("one", folder)
            about = json.loads(await (await runtime.session("one")).line())
    listing = 1
    arguments = [sys.executable, "-I", "-S", str(folder / "app.py")]
    assert about == [{"LANG": "C.UTF-8"}, [0, 1, 2], 3 + listing, str(folder), arguments, True]


async def test_stopping_ends_every_worker_and_starts_none(runtime, bundle, start):
    folder = bundle(ANSWERS_AND_HANGS)
    async with start() as pool:
        pool.want("one", folder)
        pool.want("two", folder)
        pids = [int(await (await runtime.session(name)).line()) for name in ("one", "two")]
        watched = [watch(pid) for pid in pids]
        pool.stop()
        pool.want("three", folder)
    assert all(is_gone(process, timeout=0) for process in watched)
    assert [name for name, _ in runtime.sessions] == ["one", "two"]
    assert runtime.lost == []


async def test_cancelling_the_pool_kills_every_worker(runtime, bundle):
    pool = WorkerPool(runtime, command=run_script)
    async with anyio.create_task_group() as tasks:
        await tasks.start(pool.run)
        pool.want("one", bundle(ANSWERS_AND_HANGS))
        session = await runtime.session("one")
        process = watch(int(await session.line()))
        tasks.cancel_scope.cancel()
    assert is_gone(process, timeout=0)
    assert session.is_closed
    assert runtime.lost == []


def children() -> set[int]:
    """The processes that this one has started and not waited for, whoever in it did."""
    tasks = Path("/proc/self/task").glob("*/children")
    return {int(pid) for one in tasks for pid in one.read_text().split()}


async def test_cancelling_the_pool_while_a_worker_starts_leaves_nothing_behind(runtime, bundle):
    pool, before = WorkerPool(runtime, command=run_script), children()
    async with anyio.create_task_group() as tasks:
        await tasks.start(pool.run)
        pool.want("one", bundle(ANSWERS_AND_HANGS))
        await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()
    assert all(session.is_closed for _, session in runtime.sessions)
    assert children() <= before


async def test_a_death_is_logged_with_its_cause(runtime, bundle, start, caplog):
    async with start() as pool:
        pool.want("one", bundle("import sys\nprint('on stderr', file=sys.stderr)\nsys.exit(7)"))
        await runtime.lose(3)
    assert "one: the worker died (exit code 7)" in caplog.text


async def test_a_killed_worker_is_logged_with_the_signal(runtime, bundle, start, caplog):
    async with start() as pool:
        pool.want("one", bundle(ANSWERS_AND_HANGS))
        pid = int(await (await runtime.session("one")).line())
        os.kill(pid, signal.SIGSEGV)
        await runtime.lose(1)
    assert "one: the worker died (signal 11, Segmentation fault)" in caplog.text


def test_wanting_before_the_pool_runs_says_what_to_do(runtime):
    with pytest.raises(RuntimeError, match="start it before"):
        WorkerPool(runtime).want("one", Path("anywhere"))
