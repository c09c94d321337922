"""Does what it is called for however often it dies: it asks once, completes once, and notes what it heard.

The file ``doom`` beside it, a pipe, may say where this process is to die, or to wait for another's death; who reads it
empties it, so that the next life goes on.
"""

import contextlib
import os
import signal
import sys
from pathlib import Path

from miniapps.sdk import MiniApp
from miniapps.sdk.channel import Channel

QUESTION = {"kind": "confirm", "title": "Go on?", "prompt": "There is no way back."}


def read_doom():
    """The moment and the request at which to die, if this life is the one."""
    with contextlib.suppress(BlockingIOError, FileNotFoundError):
        pipe = os.open(Path(__file__).with_name("doom"), os.O_RDONLY | os.O_NONBLOCK)
        return os.read(pipe, 1_000).decode()
    return ""


DOOM = read_doom()


def reach(place):
    """Die here, if it is here, or say so and wait."""
    if place == DOOM:
        os.kill(os.getpid(), signal.SIGKILL)
    if f"held at: {place}" == DOOM:
        sys.stderr.write(DOOM + "\n")
        sys.stderr.flush()
        signal.pause()


def wrap(inner, answer, hear):
    """Reach the places around each request, and the one after hello."""

    def call(channel, method, /, **params):
        reach(f"before it asks {method}")
        channel.asked = method
        given = inner(channel, method, **params)
        reach(f"after the answer {method}")
        return given

    def await_answer(channel):
        reach(f"after it has asked {channel.asked}")
        return answer(channel)

    def next_notification(channel):
        heard = hear(channel)
        if heard is not None:
            reach(f"it hears {heard.method}")
        return heard

    Channel.call, Channel._answer, Channel.next_notification = call, await_answer, next_notification


wrap(Channel.call, Channel._answer, Channel.next_notification)
reach("it is imported")

app = MiniApp()
sdk = app.sdk
asked = set()


@app.on_start
def start(begun):
    """Show what was noted so far, and know what was asked."""
    sdk.surfaces.request_open("main", "Steady", initial_state={})
    asked.update(record["parent_call_id"] for record in begun.records)


@app.tool("steady.ask")
def ask(call):
    """Ask the person, once; the answer completes the call."""
    note({"calls": {call.call_id: "taken"}})
    call.progress(percent=50)
    if call.call_id not in asked:
        asked.add(call.call_id)
        sdk.ui.request(QUESTION, parent_call_id=call.call_id)


@app.tool("steady.do")
def do(call):
    """Complete at once."""
    note({"calls": {call.call_id: "taken"}})
    call.complete({"ok": True})


@app.on_interaction
def hear_answer(record):
    """Complete what was asked for, if an earlier life has not."""
    call = sdk.tools.get(record["parent_call_id"])
    if call is not None and call["status"] == "running":
        sdk.tools.complete(call["call_id"], {"ok": record["result"]["approved"]})


@app.on_message
def hear(message):
    """Note it, under its id: heard twice it is noted once."""
    note({"heard": {message["message_id"]: message["payload"]["text"]}})


def note(change):
    """Keep something in the surface, which outlives this process."""
    sdk.surfaces.opened("main").update(change)
