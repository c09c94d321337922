"""The blocking client of a worker's connection."""

from __future__ import annotations

from typing import Any

import pytest

from miniapps.sdk.channel import Channel, ChannelClosedError, RefusedError, RpcError


def test_what_arrives_while_an_answer_is_awaited_comes_next_and_in_order(talk: Any) -> None:
    def script(peer: Any) -> None:
        request = peer.request("sdk.context.get")
        peer.notify("first", n=1)
        peer.notify("second")
        peer.send({"id": request["id"], "result": {"got": request["params"]}})
        peer.notify("third")

    def client(channel: Channel) -> None:
        assert channel.call("sdk.context.get", a=[1, "é"]) == {"got": {"a": [1, "é"]}}
        heard = [(n.method, n.params) for n in iter(channel.next_notification, None)]
        assert heard == [("first", {"n": 1}), ("second", {}), ("third", {})]

    talk(script, client)


def test_a_refusal_carries_its_stable_code_and_its_data(talk: Any) -> None:
    def client(channel: Channel) -> None:
        with pytest.raises(RefusedError) as caught:
            channel.call("sdk.tools.complete")
        assert caught.value.code == "tool_output_invalid"
        assert caught.value.data == {"code": "tool_output_invalid", "path": "/ok"}

    talk(lambda peer: peer.refuse("tools.complete", "tool_output_invalid", path="/ok"), client)


def test_any_other_error_is_an_rpc_error_also_for_a_request_that_could_not_be_read(talk: Any) -> None:
    def script(peer: Any) -> None:
        request = peer.request("one")
        peer.send({"id": request["id"], "error": {"code": -32602, "message": "bad"}})
        peer.request("two")
        peer.send({"id": None, "error": {"code": -32600, "message": "too long"}})

    def client(channel: Channel) -> None:
        for method, code in (("one", -32602), ("two", -32600)):
            with pytest.raises(RpcError) as caught:
                channel.call(method)
            assert caught.value.code == code

    talk(script, client)


def test_the_end_of_the_connection_ends_a_call_and_then_the_notifications(talk: Any) -> None:
    def script(peer: Any) -> None:
        peer.notify("kept")
        peer.request("one")

    def client(channel: Channel) -> None:
        with pytest.raises(ChannelClosedError):
            channel.call("one")
        kept = channel.next_notification()
        assert kept is not None
        assert kept.method == "kept"
        assert channel.next_notification() is None

    talk(script, client)


def test_a_megabyte_goes_both_ways(talk: Any) -> None:
    text = "漢" * 350_000

    def script(peer: Any) -> None:
        request = peer.request("big")
        peer.send({"id": request["id"], "result": request["params"]["text"]})

    def client(channel: Channel) -> None:
        assert channel.call("big", text=text) == text

    talk(script, client)
