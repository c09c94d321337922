"""Never subscribes to anything."""

from miniapps.sdk import MiniApp
from miniapps.sdk.channel import Channel


class Deaf(MiniApp):
    """Reads what comes, and does nothing about it."""

    def serve(self, channel: Channel) -> None:
        while channel.next_notification():
            continue


app = Deaf()
