"""What a refused request is told about each of its faults."""

import pytest
from pydantic import TypeAdapter, ValidationError

from rpc_schema import limits
from rpc_schema.error_data import errors_of
from rpc_schema.interactions import NoticeRequest, StandardInteractionRequest

UNION = TypeAdapter(StandardInteractionRequest)


def faults(check, value):
    with pytest.raises(ValidationError) as fault:
        check(value)
    return fault.value


def test_a_fault_is_told_by_its_path_and_never_repeats_what_was_sent():
    found = errors_of(faults(NoticeRequest.model_validate, {"kind": "notice", "title": 7_654_321, "message": "hello"}))
    assert [error["path"] for error in found] == ["title"]
    assert "7654321" not in str(found)


def test_in_a_union_the_path_begins_inside_the_object_that_was_meant():
    found = errors_of(
        faults(UNION.validate_python, {"kind": "notice", "title": 1, "message": "hello"}), told_apart_by="kind"
    )
    assert [error["path"] for error in found] == ["title"]


def test_an_object_of_no_known_kind_is_told_so_at_the_field_that_says_the_kind():
    found = errors_of(faults(UNION.validate_python, {"kind": "riddle"}), told_apart_by="kind")
    assert found == [{"path": "kind", "message": "names none of the objects that may stand here"}]


def test_of_many_faults_the_first_are_told():
    many = {f"no_field_{number}": 1 for number in range(limits.MAX_ERRORS + 5)}
    found = errors_of(
        faults(NoticeRequest.model_validate, {"kind": "notice", "title": "hello", "message": "hello", **many})
    )
    assert len(found) == limits.MAX_ERRORS
