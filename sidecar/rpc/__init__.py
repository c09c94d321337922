"""From bytes to requests and back. jsonrpcserver is made lean before anything here imports it."""

from sidecar.rpc.lean_import import skip_init

skip_init("jsonrpcserver")  # its ``__init__`` imports jsonschema, a web server and more that the dispatcher never uses
skip_init("oslash")
