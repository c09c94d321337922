"""Takes messages and never acknowledges one."""

from miniapps.sdk import MiniApp
from miniapps.sdk.channel import Channel


class Keeps(MiniApp):
    """Subscribes its Inbox and reads on."""

    def serve(self, channel: Channel) -> None:
        hello = channel.next_notification()
        if hello is not None:
            channel.call("sdk.inbox.subscribe", context_token=hello.params["context_token"])
        while channel.next_notification():
            continue


app = Keeps()
