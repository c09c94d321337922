"""The timeline and its rules, without the SDK: states in, merge patches out (RULES 10).

State of the surface: ``mode`` (always ``im`` in this version), ``refusal`` (absent, or what was not done and why, with
a ``code`` by which a Host says it in its own language),
``entries`` {id: entry}. Every entry has ``kind``, ``at`` and ``text``; a Host shows one of a kind that it does not know
as its text. Entries are read in the order of (``at``, id).

- ``message``: ``from`` (``agent`` | ``user``), ``format`` (``markdown`` | ``plain``), ``cut`` where the text was too
  long to keep whole; the user's also ``status`` (``sending`` | ``sent`` | ``failed``) and, if failed, ``reason`` and
  the refusal's ``code``.
- ``interaction``: the place of a card: ``interaction_id``, ``form`` (notice, choice, confirm, input), ``title``,
  ``outcome`` (``open`` until it ended) and, once ended, ``echo``, the outcome in words. ``own_words`` is true where
  these are Interact's and not the question's: a Host may say the outcome in its own language.
- ``task``: ``call_id``, ``tool_id``, ``status``: a Tool call as the Host's container tells it (see ``app``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rpc_schema.json_text import write_json
from rpc_schema.limits import KIB, MAX_ID, MAX_MESSAGE_TEXT, MAX_STATE

Entry = dict[str, Any]
State = dict[str, Any]
Patch = dict[str, Any]


class Fault(NamedTuple):
    """Why something is not done: a stable word, and the reason in words."""

    code: str
    reason: str


MODES = {
    "im": None,
    "audio": Fault("no_audio", "Audio is not part of this version."),
    "video": Fault("no_video", "Video is not part of this version."),
}
"""The modes that are named, and why the refused ones are."""
BAD_TASK = Fault("bad_task", "A task row takes call_id, tool_id and a status of a call.")
MAX_ENTRIES = 500
MAX_ENTRY_BYTES = 200 * KIB
"""Below what one patch may hold; a text over it is cut here, and nowhere else."""
MAX_ECHO = 4_000

CALL_STATUSES = (
    *("received", "routing", "waiting_for_app", "running", "submitted"),
    *("completed", "failed", "cancelled", "expired", "rejected"),
)

ENDINGS = {
    "dismissed": ("dismissed", "Taken back by the Agent"),
    "user_cancelled": ("cancelled", "You dismissed this"),
    "no_answer": ("expired", "No answer in time"),
    "never_presented": ("expired", "Never shown, and too late now"),
}
"""Outcome and words for each reason of an ending without an answer."""
QUOTED = {"approved": "approve_label", "declined": "cancel_label", "acknowledged": "acknowledge_label"}
"""What a question may say of itself, by its outcome."""
WITHOUT_REASON = {"cancelled": "Cancelled", "expired": "No answer in time", "failed": "Could not be asked"}


def empty() -> State:
    """The state of a new conversation."""
    return {"mode": "im", "entries": {}}


def agent_message(text: str, format_: str, at: str) -> Entry:
    """What the Agent said."""
    return _fitted({"kind": "message", "at": at, "from": "agent", "format": format_, "text": text})


def user_message(text: str, at: str) -> Entry:
    """The local echo of what the user said; it is sent from here on."""
    return _fitted(
        {"kind": "message", "at": at, "from": "user", "format": "markdown", "text": text, "status": "sending"}
    )


def text_fault(text: object) -> Fault | None:
    """Why a text cannot be sent, or None."""
    if not isinstance(text, str) or not text.strip():
        return Fault("no_text", "There is no text to send.")
    if len(text) > MAX_MESSAGE_TEXT:
        reason = f"The text has {len(text)} characters; at most {MAX_MESSAGE_TEXT} can be sent at once."
        return Fault("text_too_long", reason)
    return None


def mode_fault(mode: object) -> Fault | None:
    """Why a mode cannot be entered, or None."""
    if not isinstance(mode, str) or mode not in MODES:
        return Fault("no_mode", "There is no such mode.")
    return MODES[mode]


def interaction(record: dict[str, Any]) -> Entry:
    """The place of a card, with its outcome once it ended."""
    request, (outcome, echo) = record["request"], outcome_of(record)
    prompt = request["message"] if record["kind"] == "notice" else request["prompt"]
    entry = {
        "kind": "interaction",
        "at": record["created_at"],
        "interaction_id": record["interaction_id"],
        "form": record["kind"],
        "title": request["title"],
        "text": prompt,
        "outcome": outcome,
    }
    if not echo:
        return entry
    return {**entry, "echo": echo, **({} if _is_quoted(record, outcome) else {"own_words": True})}


def _is_quoted(record: dict[str, Any], outcome: str) -> bool:
    """Whether an echo is in the question's or the user's words."""
    if outcome == "filled":
        return bool(record["result"]["values"])
    return outcome == "chosen" or QUOTED.get(outcome) in record["request"]


def ended_unseen() -> Entry:
    """The change of a card that ended so long ago that nobody knows how."""
    return {"outcome": "ended", "echo": "Ended while this was away", "own_words": True}


def outcome_of(record: dict[str, Any]) -> tuple[str, str]:
    """How a question ended, as a stable word and in words; ``open`` and nothing while it has not."""
    status, result = record["status"], record["result"]
    if status in ("pending", "presented"):
        return "open", ""
    if status in ("submitted", "completed") and result is not None:
        return _answer(record["kind"], record["request"], result)
    ending = ENDINGS.get(record["reason"] or "")
    return ending or (status, WITHOUT_REASON.get(status, "Ended"))


def _answer(kind: str, request: dict[str, Any], result: dict[str, Any]) -> tuple[str, str]:
    match kind:
        case "confirm" if result["approved"]:
            return "approved", request.get("approve_label", "Approved")
        case "confirm":
            return "declined", request.get("cancel_label", "Declined")
        case "choice":
            labels = {action["id"]: action["label"] for action in request["actions"]}
            return "chosen", _short(", ".join(labels[id_] for id_ in result["action_ids"]))
        case "input":
            values = result["values"]
            filled = [
                f"{field['label']}: {values[field['id']]}" for field in request["fields"] if field["id"] in values
            ]
            return "filled", _short("\n".join(filled) or "Left empty")
    return "acknowledged", request.get("acknowledge_label", "Acknowledged")


def task(given: dict[str, Any], at: str) -> tuple[str, Entry] | None:
    """The row of a Tool call as the container tells it, by its id; None where that makes no sense."""
    call_id, tool_id, status = (given.get(field) for field in ("call_id", "tool_id", "status"))
    if not _is_id(call_id) or not _is_id(tool_id) or status not in CALL_STATUSES:
        return None
    text = f"{tool_id}: {str(status).replace('_', ' ')}"
    entry = {"kind": "task", "at": at, "call_id": call_id, "tool_id": tool_id, "status": status, "text": text}
    return f"task:{call_id}", entry


def add(state: State, id_: str, entry: Entry) -> list[Patch]:
    """The patches that put an entry in and, before it, take out the oldest ones for which there is no room.

    An entry that is itself older than all for which there is room is not put in.
    """
    if state["entries"].get(id_) == entry:
        return []
    entries = {**state["entries"], id_: entry}
    dropped = _oldest_too_many({**state, "entries": entries})
    room = {old: None for old in dropped if old in state["entries"]}
    patches: list[Patch] = [{"entries": room}] if room else []
    return patches if id_ in dropped else [*patches, {"entries": {id_: entry}}]


def _oldest_too_many(state: State) -> list[str]:
    entries: dict[str, Entry] = state["entries"]
    excess_bytes = len(write_json(state)) - MAX_STATE
    excess = len(entries) - MAX_ENTRIES
    dropped: list[str] = []
    for id_ in sorted(entries, key=lambda id_: (entries[id_]["at"], id_)):
        if len(dropped) >= excess and excess_bytes <= 0:
            break
        dropped.append(id_)
        excess_bytes -= len(write_json({id_: entries[id_]})) - 1
    return dropped


def _fitted(entry: Entry) -> Entry:
    """Cut a text that one patch could not carry; what was said in full is with the Agent."""
    size = len(write_json(entry))
    if size <= MAX_ENTRY_BYTES:
        return entry
    text: str = entry["text"]
    while size > MAX_ENTRY_BYTES:
        text = text[: len(text) * MAX_ENTRY_BYTES // size - 100]
        entry = {**entry, "text": f"{text}…", "cut": True}
        size = len(write_json(entry))
    return entry


def _short(text: str) -> str:
    return text if len(text) <= MAX_ECHO else f"{text[: MAX_ECHO - 1]}…"


def _is_id(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_ID
