"""What may be said between the Runtime, its Host and its MiniApps: the wire contract, version 1.

One noun a file. The tables are :mod:`rpc_schema.methods` and :mod:`rpc_schema.notifications`; refusal codes live in
:mod:`rpc_schema.errors`, limits in :mod:`rpc_schema.limits`. Importing this package costs nothing: the modules that a
MiniApp's process needs (``framing``, ``json_text``, ``limits``, ``errors``) use the standard library alone.
"""

from typing import Final

PROTOCOL_VERSION: Final = "1.0"
"""The version that ``initialize`` negotiates; the major number is the one that must agree."""
