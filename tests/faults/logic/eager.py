"""Its first words are refused, and it says no more."""

from miniapps.sdk import MiniApp, RefusedError
from miniapps.sdk.channel import Channel


class Eager(MiniApp):
    """Ends a call that it was never handed, then reads what comes."""

    def serve(self, channel: Channel) -> None:
        hello = channel.next_notification()
        if hello is None:
            return
        try:
            channel.call("sdk.tools.complete", context_token=hello.params["context_token"], call_id="c", result={})
        except RefusedError:
            while channel.next_notification():
                continue


app = Eager()
