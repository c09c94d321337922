"""What asks this process to end. Windows has Ctrl-C and Ctrl-Break alone; who ends it otherwise, ends it at once."""

from __future__ import annotations

import signal
import sys
from typing import Final

if sys.platform == "win32":
    SIGNALS: Final = (signal.SIGINT, signal.SIGBREAK)
else:
    SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
