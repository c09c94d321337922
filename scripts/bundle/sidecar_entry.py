"""Where the frozen sidecar starts."""

import sys

from sidecar.__main__ import main

sys.exit(main())
