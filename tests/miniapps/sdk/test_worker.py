"""One worker process, driven as the Runtime drives it: over its pipes."""

import json
import os
import select
import signal
import subprocess
import sys
import textwrap
from contextlib import ExitStack

import pytest

CONTEXT = {
    "app_scope": "fixture",
    "instance_id": "inst-1",
    "conversation_id": "conv-1",
    "app_version": "1.0.0",
    "state": "foreground",
    "mode": None,
}
BACKLOGS = {"sdk.ui.subscribe": "records", "sdk.tools.subscribe": "calls", "sdk.inbox.subscribe": "messages"}
ANSWERS = """
    from miniapps.sdk import MiniApp
    app = MiniApp()
    @app.tool("fixture.run")
    def run(call):
        call.complete({"value": call.input["value"] + 1})
"""


class Worker:
    """A worker and the Runtime's end of its pipes: blocking, one message at a time."""

    def __init__(self, folder, parent=None, **options) -> None:
        command = [sys.executable, "-I", "-X", "utf8", "-m", "miniapps.sdk.worker", str(folder)]
        self.process = subprocess.Popen(
            [*command, str(parent or os.getpid())],
            cwd=folder,
            env={"LANG": "C.UTF-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **options,
        )

    def send(self, message) -> None:
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def notify(self, method, **params) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def hello(self) -> None:
        self.notify("sdk.hello", context_token="token-1", context=CONTEXT)

    def request(self):
        """Read the next request, None at the end."""
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def serve_until(self, method):
        """Answer the subscriptions until another method is asked; its params."""
        while request := self.request():
            if request["method"] == method:
                return request["params"]
            self.send({"jsonrpc": "2.0", "id": request["id"], "result": {BACKLOGS[request["method"]]: []}})
        raise EOFError(self.process.stderr.read().decode())

    def call_tool(self, value) -> None:
        call = {"call_id": "call-1", "tool_id": "fixture.run", "input": {"value": value}, "status": "running"}
        times = {"created_at": "2026-08-05T10:00:00.000Z", "deadline_at": None, "redelivered": False}
        self.notify("sdk.tools.call", instance_id="inst-1", call=call | times)

    def finish(self) -> tuple[int, str]:
        """Close its input and wait: exit code and stderr."""
        with self.process as process:
            process.stdin.close()
            log = process.stderr.read().decode()
            process.wait(30)
        return process.returncode, log


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "bundle"
    folder.mkdir()
    return folder


@pytest.fixture
def run(folder):
    with ExitStack() as stack:

        def start(script, **options) -> Worker:
            (folder / "app.py").write_text(textwrap.dedent(script))
            worker = Worker(folder, **options)
            stack.enter_context(worker.process)
            stack.callback(worker.process.kill)
            return worker

        yield start


def test_a_worker_serves_its_app_and_ends_with_its_input(run):
    worker = run(ANSWERS)
    worker.hello()
    worker.call_tool(41)
    answer = worker.serve_until("sdk.tools.complete")
    assert answer == {"context_token": "token-1", "call_id": "call-1", "result": {"value": 42}}
    code, log = worker.finish()
    assert (code, log.splitlines()[1:]) == (0, [])
    assert log.startswith("worker guarded: audit hook, ")


def test_input_that_ends_before_the_hello_is_no_fault(run):
    assert run(ANSWERS).finish()[0] == 0


def test_the_modules_beside_app_py_can_be_imported(run, folder):
    (folder / "state.py").write_text("VALUE = 7")
    code, log = run("import state\nprint(state.VALUE)\nfrom miniapps.sdk import MiniApp\napp = MiniApp()").finish()
    assert (code, log.splitlines()[1:]) == (0, ["7"])
    assert not (folder / "__pycache__").exists()


def test_noise_on_stdout_goes_to_stderr_and_disturbs_no_message(run):
    noise = """
        import logging, os, sys, warnings
        from miniapps.sdk import MiniApp
        app = MiniApp()
        @app.tool("fixture.run")
        def run(call):
            print("printed")
            logging.StreamHandler(sys.stdout).emit(logging.makeLogRecord({"msg": "logged"}))
            warnings.warn("warned")
            sys.stdout.write("written without end")
            os.write(1, b"by descriptor\\n")
            call.complete({"value": 0, "stdin": sys.stdin.read(), "more": os.read(0, 10).decode()})
    """
    worker = run(noise)
    worker.hello()
    worker.call_tool(1)
    assert worker.serve_until("sdk.tools.complete")["result"] == {"value": 0, "stdin": "", "more": ""}
    worker.process.stdin.close()
    assert worker.process.stdout.read() == b""
    log = worker.process.stderr.read().decode()
    for text in ("printed", "logged", "warned", "written without end", "by descriptor"):
        assert text in log


def test_a_child_that_could_be_started_would_reach_neither_the_protocol_nor_the_requests(run):
    """Without the guard: the descriptors alone must hold."""
    script = """
        import os, sys
        from miniapps.sdk import worker
        read_fd, write_fd = worker.claim_protocol()
        os.system("cat; echo from the child")
        os.write(write_fd, os.read(read_fd, 100))
    """
    command = [sys.executable, "-I", "-c", textwrap.dedent(script)]
    ran = subprocess.run(command, input=b"a request", capture_output=True, timeout=30)
    assert (ran.stdout, ran.stderr) == (b"a request", b"from the child\n")


def test_an_exception_while_loading_ends_it_with_a_traceback(run):
    code, log = run("def broken():\n    return 1 / 0\nbroken()").finish()
    assert code == 1
    assert "ZeroDivisionError" in log
    assert "return 1 / 0" in log


def test_an_exception_at_the_start_ends_it_with_a_traceback(run):
    worker = run("""
        from miniapps.sdk import MiniApp
        app = MiniApp()
        @app.on_start
        def begin(start):
            raise ValueError("cannot begin")
    """)
    worker.hello()
    with pytest.raises(EOFError, match="ValueError: cannot begin"):
        worker.serve_until("sdk.tools.complete")
    assert worker.process.wait(30) == 1


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("app = 7", "app.py defines no MiniApp named `app`"),
        ("", "app.py defines no MiniApp named `app`"),
        ("import socket; socket.socket()", "a MiniApp has no network"),
        ("raise SystemExit('gave up')", "SystemExit: gave up"),
        ("import sys; sys.exit()", 'app.py", line 1'),
    ],
)
def test_logic_that_cannot_be_loaded_says_why(run, script, reason):
    code, log = run(script).finish()
    assert (code, reason in log) == (1, True), log


def test_a_bundle_without_logic_says_so(folder):
    code, log = Worker(folder).finish()
    assert (code, "app.py" in log) == (1, True)


def test_threads_of_the_logic_do_not_hold_the_process(run):
    worker = run(f"""
        import threading
        def forever():
            while True: pass
        threading.Thread(target=forever).start()
        {textwrap.indent(ANSWERS, "    ").strip()}
    """)
    worker.hello()
    worker.call_tool(1)
    worker.serve_until("sdk.tools.complete")
    assert worker.finish()[0] == 0


def test_a_memory_hog_dies_by_its_limit(run):
    code, log = run("hog = []\nwhile True: hog.append(bytearray(2**20))").finish()
    assert (code, "the logic ran out of its 256 MiB of memory" in log) == (1, True)


def test_the_limits_leave_room_for_the_largest_message(run):
    worker = run(ANSWERS.replace('call.input["value"] + 1', 'len(call.input["value"])'))
    worker.hello()
    worker.call_tool("x" * 7_900_000)
    assert worker.serve_until("sdk.tools.complete")["result"] == {"value": 7_900_000}


def test_a_worker_whose_parent_died_before_it_could_ask_ends_at_once(run):
    code, log = run(ANSWERS, parent=1).finish()
    assert (code, log) == (1, "the Runtime that started this worker is gone\n")


def test_killing_the_parent_takes_a_worker_with_it_that_never_listens(tmp_path):
    (tmp_path / "app.py").write_text("import os\nprint('looping', os.getpid(), flush=True)\nwhile True: pass")
    parent = """
        import os, subprocess, sys
        worker = [sys.executable, "-I", "-m", "miniapps.sdk.worker", sys.argv[1], str(os.getpid())]
        subprocess.Popen(worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        sys.stdin.read()
    """
    command = [sys.executable, "-I", "-c", textwrap.dedent(parent), str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        line = next(line for line in process.stderr if line.startswith("looping"))
        worker = os.pidfd_open(int(line.split()[1]))
        process.send_signal(signal.SIGKILL)
        assert select.select([worker], [], [], 5)[0] == [worker]
        os.close(worker)
