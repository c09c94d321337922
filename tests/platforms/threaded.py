"""The sidecar as it serves on Windows, here: threads between it and its pipes. A program, named in LINEUP_SIDECAR."""

import sys

import sidecar.app
from sidecar.__main__ import main
from sidecar.rpc.threads import ThreadServer

if not issubclass(ThreadServer, sidecar.app.Server):
    raise TypeError("the Runtime serves by something else now")
sidecar.app.Server = ThreadServer
sys.exit(main())
