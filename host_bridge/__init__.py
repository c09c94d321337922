"""A Host's end of the LineUp Runtime: start a sidecar, talk to it, script an Agent, mount what it shows.

Start with :class:`host_bridge.client.Sidecar`. Tests get fixtures from :mod:`host_bridge.pytest_plugin`, people get the
``lineup-host`` command. Importing this package costs nothing.
"""
