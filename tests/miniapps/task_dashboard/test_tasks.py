"""The rules of tasks: open, update, end, and what may come twice."""

from __future__ import annotations

from typing import Any

import pytest

from miniapps.task_dashboard import tasks
from rpc_schema.json_text import write_json
from rpc_schema.limits import MAX_PATCH, MAX_STATE
from rpc_schema.merge_patch import merge

AT = "2026-08-05T10:00:00.000Z"


def opened(*ids: str, **given: Any) -> dict[str, Any]:
    return tasks.first_state([({"task_id": id_, "title": id_.title(), **given}, f"call-{id_}", AT) for id_ in ids])


def updated(state: dict[str, Any], task_id: str, /, **given: Any) -> dict[str, Any]:
    return merge(state, tasks.update_task(state, {"task_id": task_id, **given}))


def test_a_task_begins_as_given() -> None:
    assert opened("a") == {
        "tasks": {
            "task:a": {
                "task_id": "a",
                "title": "A",
                "state": "pending",
                "progress": 0,
                "note": "",
                "ended": "",
                "call_id": "call-a",
                "opened_at": AT,
                "order": 1,
            }
        },
        "asking": {},
    }
    assert opened("a", state="running", progress=30)["tasks"]["task:a"]["progress"] == 30
    assert opened("a", state="completed")["tasks"]["task:a"]["progress"] == 100


def test_the_same_call_opens_nothing_twice_and_another_call_is_told_that_the_task_is_open() -> None:
    state = opened("a")
    assert tasks.open_task(state, {"task_id": "a", "title": "Other"}, "call-a", AT) == {}
    with pytest.raises(tasks.TaskError) as caught:
        tasks.open_task(state, {"task_id": "a", "title": "A"}, "call-b", AT)
    assert caught.value.code == "task_exists"


def test_a_finished_task_gives_way_to_a_new_one_of_its_id() -> None:
    state = updated(opened("a"), "a", state="failed", note="broken")
    again = merge(state, tasks.open_task(state, {"task_id": "a", "title": "Again"}, "call-b", AT))
    task = again["tasks"]["task:a"]
    assert (task["title"], task["state"], task["progress"], task["note"], task["call_id"]) == (
        "Again",
        "pending",
        0,
        "",
        "call-b",
    )


@pytest.mark.parametrize("task_id", ["constructor", "__proto__", "prototype"])
def test_no_task_id_makes_a_key_that_a_patch_may_not_hold(task_id: str) -> None:
    assert list(opened(task_id)["tasks"]) == [f"task:{task_id}"]


@pytest.mark.parametrize(
    ("given", "changes"),
    [
        ({"progress": 50}, {"progress": 50, "state": "running"}),
        ({"progress": 0}, {}),
        ({"state": "running"}, {"state": "running"}),
        ({"state": "pending", "progress": 50}, {"progress": 50}),
        ({"state": "completed"}, {"state": "completed", "progress": 100}),
        ({"state": "completed", "progress": 90}, {"state": "completed", "progress": 90}),
        ({"state": "failed", "note": "No disk"}, {"state": "failed", "note": "No disk"}),
        ({"note": ""}, {}),
        ({}, {}),
    ],
)
def test_an_update_changes_what_it_says_and_what_follows_from_it(given: Any, changes: Any) -> None:
    expected = {"tasks": {"task:a": changes}} if changes else {}
    assert tasks.update_task(opened("a"), {"task_id": "a", **given}) == expected


def test_an_update_of_an_unknown_task_is_an_error() -> None:
    with pytest.raises(tasks.TaskError) as caught:
        tasks.update_task(opened("a"), {"task_id": "b", "progress": 1})
    assert caught.value.code == "task_unknown"


@pytest.mark.parametrize("ending", tasks.FINISHED)
def test_the_update_that_ended_a_task_may_come_twice_and_no_other_changes_it(ending: str) -> None:
    state = updated(opened("a"), "a", state=ending, note="so")
    assert tasks.is_finished(state["tasks"]["task:a"])
    assert tasks.update_task(state, {"task_id": "a", "state": ending, "note": "so"}) == {}
    for given in ({"progress": 1}, {"state": "running"}, {"note": "else"}):
        with pytest.raises(tasks.TaskError) as caught:
            tasks.update_task(state, {"task_id": "a", **given})
        assert caught.value.code == "task_finished"


def test_an_update_is_answered_with_a_summary() -> None:
    state = updated(opened("a"), "a", progress=12.5, note="half a quarter")
    expected = {"task_id": "a", "title": "A", "state": "running", "progress": 12.5, "note": "half a quarter"}
    assert tasks.summary(state["tasks"]["task:a"]) == expected


@pytest.mark.parametrize(
    ("status", "ending", "ended"),
    [
        ("cancelled", "cancelled", "cancelled"),
        ("expired", "failed", "expired"),
        ("failed", "failed", "unknown"),
        ("gone", "failed", "unknown"),
    ],
)
def test_a_task_whose_call_ended_elsewhere_says_so_and_keeps_its_note(status: str, ending: str, ended: str) -> None:
    state = merge(updated(opened("a"), "a", note="mine"), tasks.end_task("task:a", status))
    assert state["tasks"]["task:a"] == {
        **opened("a")["tasks"]["task:a"],
        "note": "mine",
        "state": ending,
        "ended": ended,
    }
    again = merge(state, tasks.open_task(state, {"task_id": "a", "title": "A"}, "call-2", AT))
    assert again["tasks"]["task:a"]["ended"] == ""


def test_cancelling_all_leaves_what_had_ended() -> None:
    state = updated(opened("a", "b", "c"), "b", state="completed")
    assert list(tasks.unfinished(state)) == ["task:a", "task:c"]
    state = merge(state, tasks.cancel_all(state))
    assert [task["state"] for task in state["tasks"].values()] == ["cancelled", "completed", "cancelled"]
    assert tasks.unfinished(state) == {}


def test_tasks_are_found_by_their_call_and_by_their_age() -> None:
    state = opened("a", "b")
    assert tasks.task_of_call(state, "call-b") == tasks.newest(state) == "task:b"
    assert tasks.task_of_call(state, None) is None
    assert tasks.newest(opened()) is None
    assert tasks.opened_after(state, "2026-08-05T09:59:59.999Z")
    assert not tasks.opened_after(state, AT)


def test_open_tasks_are_bounded_and_of_the_finished_ones_the_newest_are_kept() -> None:
    many = [f"t{n}" for n in range(tasks.MAX_UNFINISHED)]
    state = opened(*many)
    with pytest.raises(tasks.TaskError) as caught:
        tasks.open_task(state, {"task_id": "more", "title": "More"}, "call-more", AT)
    assert caught.value.code == "too_many_tasks"
    state = merge(state, tasks.cancel_all(state))
    state = merge(state, tasks.open_task(state, {"task_id": "more", "title": "More"}, "call-more", AT))
    assert list(state["tasks"]) == [f"task:t{n}" for n in range(30, 50)] + ["task:more"]


def test_the_largest_state_and_the_largest_patch_stay_within_the_limits() -> None:
    wide = "\U0001f600"
    finished = [f"{n:04}" for n in range(tasks.KEPT_FINISHED)]
    state = tasks.first_state([({"task_id": id_, "title": wide * 200}, wide * 128, AT) for id_ in finished])
    for id_ in finished:
        state = updated(state, id_, state="failed", note=wide * 500)
    for n in range(tasks.MAX_UNFINISHED):
        patch = tasks.open_task(state, {"task_id": f"{n:03}{wide * 125}", "title": wide * 200}, f"{n:03}", AT)
        assert len(write_json(patch)) < MAX_PATCH
        state = merge(state, patch)
        state = updated(state, f"{n:03}{wide * 125}", note=wide * 500)
    assert len(tasks.unfinished(state)) == tasks.MAX_UNFINISHED
    assert len(write_json(state)) < MAX_STATE
    assert len(write_json(tasks.cancel_all(state))) < MAX_PATCH
