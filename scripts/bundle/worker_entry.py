"""Where a frozen worker starts: ``worker FOLDER PARENT_PID``."""

import sys

from miniapps.sdk.worker import main

main(sys.argv[1:])
