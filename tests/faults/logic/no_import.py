"""Fails while it is imported."""

from miniapps.sdk import MiniApp

app = MiniApp()
app.no_such_thing.at_all()
