"""Refusals say what to do next (PROTOCOL 1.2)."""

import secrets

import pytest

from rpc_schema import limits
from rpc_schema.errors import REFUSALS
from sidecar.domain.caller import HOST, Caller
from sidecar.domain.refusal import Refusal, over


@pytest.mark.parametrize("code", REFUSALS)
def test_every_code_has_its_sentence(code):
    assert Refusal(code).message == REFUSALS[code]
    assert Refusal(code, "Rather this.", path="x").data == {"path": "x"}
    assert str(Refusal(code, "Rather this.")) == f"{code}: Rather this."


def test_where_no_data_is_carried_the_first_fault_is_named():
    errors = [{"path": "n", "message": "must be a number"}, {"path": "m", "message": "is missing"}]
    assert Refusal("tool_input_invalid", "Mend it.", errors=errors).told == "Mend it. (n: must be a number)"
    assert Refusal("tool_input_invalid", "Mend it.", errors=[{**errors[0], "path": ""}]).told == (
        "Mend it. (at the root: must be a number)"
    )
    assert Refusal("app_disabled", "Off.").told == "Off."


def test_a_limit_says_its_name_its_bound_and_what_was_there():
    assert over("surfaces", 4, 5).data == {"limit": "surfaces", "bound": 4, "actual": 5}


def test_the_audit_has_a_word_for_each_caller():
    kinds = {"host": "host", "miniapp": "miniapp", "system": "miniapp", "surface": "surface"}
    assert {kind: Caller(kind).actor for kind in kinds} == kinds
    assert HOST.actor == "host"


def test_the_audit_keeps_why_and_no_more():
    assert Refusal("call_not_found").audited() == {}
    denied = Refusal("capability_denied", capability="camera", reason="policy", inventory_revision="inv_1")
    assert denied.audited() == {"capability": "camera", "reason": "policy"}
    assert over("instances", 16, 16).audited() == {"limit": "instances", "bound": 16, "actual": 16}
    assert Refusal("lifecycle_denied", "Not now.").audited() == {"message": "Not now."}


def test_the_audit_keeps_the_first_of_many_faults():
    errors = [{"path": str(number), "message": "is wrong"} for number in range(9)]
    assert Refusal("tool_input_invalid", errors=errors).audited() == {"errors": errors[:3]}


def test_the_audit_keeps_nothing_that_might_be_a_token():
    token = secrets.token_urlsafe(limits.TOKEN_BYTES)
    errors = [{"path": f"result.{token}", "message": "is not a declared property"}]
    refusal = Refusal("tool_output_invalid", f"No page {token}x.", errors=errors, capability=token, bound=9)
    assert refusal.audited() == {
        "capability": "[left out]",
        "bound": 9,
        "message": "No page [left out].",
        "errors": [{"path": "result.[left out]", "message": "is not a declared property"}],
    }


def test_a_bound_is_named_with_what_was_there_where_no_data_goes_with_it() -> None:
    assert over("open_calls", 100, 101).told.endswith(" (open_calls: 101 of 100)")
