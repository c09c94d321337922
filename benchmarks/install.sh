#!/usr/bin/env bash
# Make benchmarks/.venv: the MCP SDK as pinned, and this checkout installed as a user gets it (not editable).
set -euo pipefail
cd "$(dirname "$0")/.."
python3 -m venv benchmarks/.venv
benchmarks/.venv/bin/pip install --quiet --disable-pip-version-check \
  -c constraints.txt -r benchmarks/requirements.txt .
