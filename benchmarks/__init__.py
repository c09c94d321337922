"""Measure the Runtime side by side with the MCP SDK's stdio server: ``python -m benchmarks``. No library is used."""
