"""A MiniApp that speaks past the SDK finds the same walls (PROTOCOL 1.1, 4 and 6)."""

from __future__ import annotations

import json

import pytest

from host_bridge.errors import RpcError
from rpc_schema.errors import INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, REFUSED
from rpc_schema.limits import MAX_WORKER_BATCH
from tests.faults.house import House

pytestmark = pytest.mark.anyio


async def test_what_is_no_json_is_answered_on_its_own_connection(house: House) -> None:
    told = json.loads(await house.note("raw", "garbage"))
    parse, invalid = [None, PARSE_ERROR], [None, INVALID_REQUEST]
    assert told == [parse, parse, parse, parse, parse, invalid, invalid, invalid]


@pytest.mark.requirement("R6-others-unaffected")
async def test_a_miniapps_batch_is_short_since_all_others_wait_for_it(house: House) -> None:
    assert json.loads(await house.note("raw", f"batch {MAX_WORKER_BATCH}")) == MAX_WORKER_BATCH
    told = json.loads(await house.note("raw", f"batch {MAX_WORKER_BATCH + 1}"))
    assert told["code"] == INVALID_REQUEST
    assert told["message"] == f"a batch holds 1 to {MAX_WORKER_BATCH} requests, not {MAX_WORKER_BATCH + 1}"


async def test_the_hosts_methods_do_not_exist_for_a_miniapp(house: House) -> None:
    told = json.loads(await house.note("raw", "host"))
    assert told.pop("ping") == {}
    assert set(told.values()) == {METHOD_NOT_FOUND}
    assert len(told) == 12


@pytest.mark.requirement("A1", "R1-speaker-then-right")
async def test_a_token_is_good_on_its_own_connection_alone(house: House) -> None:
    token = json.loads(await house.note("raw", "own"))
    with pytest.raises(RpcError) as refused:
        await house.call("sdk.context.get", context_token=token)
    assert refused.value.refusal == "context_token_invalid"
    mounted = await house.call("miniapp.mount", instance_id=(await house.instance("chat"))["instance_id"])
    hosts = mounted["context_token"]
    assert json.loads(await house.note("raw", f"foreign {hosts}")) == [REFUSED, REFUSED]
    assert (await house.call("sdk.context.get", context_token=hosts))["app_scope"] == "chat"
    assert token not in house.sidecar.stderr_tail
