"""The pool with the SDK's own worker."""

import json
import os
import select
import signal
import subprocess
import sys

import pytest

from sidecar.workers.command import worker_command

CONTEXT = {
    "app_scope": "fixture",
    "instance_id": "inst-1",
    "conversation_id": "conv-1",
    "app_version": "1.0.0",
    "state": "foreground",
    "mode": None,
}
IDLE = """
    from miniapps.sdk import MiniApp
    app = MiniApp()
"""
HOG = """
    hog = []
    while True:
        hog.append(bytearray(2**20))
"""
RUNTIME = """
    import logging, sys
    from pathlib import Path
    import anyio
    from sidecar.workers.pool import WorkerPool

    class Runtime:
        def attach(self, instance_id, outlet): return self, b""
        def feed(self, data): pass
        def closed(self): pass
        def worker_lost(self, instance_id, final): pass

    async def main():
        pool = WorkerPool(Runtime())
        async with anyio.create_task_group() as tasks:
            await tasks.start(pool.run)
            pool.want("one", Path(sys.argv[1]))

    logging.basicConfig(level="INFO")
    anyio.run(main)
"""


@pytest.fixture
def greeting(runtime):
    params = {"context_token": "token-1", "context": CONTEXT}
    hello = json.dumps({"jsonrpc": "2.0", "method": "sdk.hello", "params": params}).encode() + b"\n"
    runtime.greet = lambda instance_id: hello
    return hello


async def test_a_miniapp_asks_for_its_work_as_soon_as_it_is_greeted(runtime, bundle, start, greeting, caplog):
    caplog.set_level("INFO", "sidecar.workers")
    async with start(command=worker_command) as pool:
        pool.want("one", bundle(IDLE))
        request = json.loads(await (await runtime.session("one")).line())
        assert (request["method"], request["params"]) == ("sdk.ui.subscribe", {"context_token": "token-1"})
    assert caplog.messages[0].startswith("one: worker guarded: audit hook, ")
    assert runtime.lost == []


async def test_a_memory_hog_dies_by_its_limit_and_others_live_on(runtime, bundle, start, greeting, caplog):
    async with start(command=worker_command) as pool:
        pool.want("other", bundle(IDLE))
        other = await runtime.session("other")
        await other.line()
        pool.want("hog", bundle(HOG))
        await runtime.lose(3)
        assert runtime.lost == [("hog", False), ("hog", False), ("hog", True)]
        assert pool.live == ["other"]
    assert "hog: the worker died (exit code 1)" in caplog.text


def test_killing_the_runtime_takes_a_worker_with_it_that_never_listens(bundle, tmp_path):
    folder = bundle("import os\nprint('looping', os.getpid(), flush=True)\nwhile True: pass")
    script = bundle(RUNTIME) / "app.py"
    command = [sys.executable, str(script), str(folder)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        line = next(line for line in process.stderr if "looping" in line)
        worker = os.pidfd_open(int(line.split()[-1]))
        process.send_signal(signal.SIGKILL)
        assert select.select([worker], [], [], 5)[0] == [worker]
        os.close(worker)
