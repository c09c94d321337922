"""Made by ``python -m sidecar.store.export``: do not edit."""
