"""The Web Reference Host's server side: one browser tab on this machine is the Host of a sidecar (``README.md`` here).

Needs the extra ``web``. Start with :func:`host_bridge.web.serve.serve_host`, or ``lineup-host serve``.
"""
